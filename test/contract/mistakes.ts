import { Agent } from 'node:http';
import { expect } from 'chai';
import type { Sandbox } from '../../sandbox/lib/index.js';
import { thrownBy } from '../support/thrown.js';
import { type Contract, verifyPerson } from './harness.js';
import { classOf, STRATEGY_NAMES } from './strategies.js';

/** The classes that a message may name: it names the class that the application constructed. */
const CLASSES = STRATEGY_NAMES.join('|');

/** Tests of mistakes in the options, for every network. */
export function mistakes({ subject, sandbox, strategy }: Contract): void {
  const Strategy = classOf(subject);

  /** Expects a TypeError that names the class (or strategy) and the option, and says what to do. */
  function expectMistake(world: Sandbox, option: string, value: unknown, hint: RegExp): void {
    const given = { ...subject.options(world), [option]: value };
    const error = thrownBy(() => new Strategy(given, verifyPerson)) as Error;
    expect(error, `${option}: ${String(value)}`).to.be.instanceOf(TypeError);
    const named = `^(${CLASSES}|${subject.provider}): option ${option} `;
    expect(error.message).to.match(new RegExp(named));
    expect(error.message).to.match(hint);
  }

  it('bad input: options are missing or not an object', () => {
    for (const given of [undefined, null, verifyPerson, 'text', []]) {
      expect(() => new Strategy(given as object, verifyPerson)).to.throw(
        TypeError,
        new RegExp(`^(${CLASSES}) requires an options object as its first argument`),
      );
    }
  });

  it('bad input: verify is missing or not a function', async () => {
    const world = await sandbox();
    for (const verify of [undefined, null, {}, 'text']) {
      expect(() => new Strategy(subject.options(world), verify as never)).to.throw(
        TypeError,
        new RegExp(
          `^(${CLASSES}): the second argument must be a verify function: new (${CLASSES})\\(options, verify\\)\\.$`,
        ),
      );
    }
  });

  it('bad input: clientID is missing, empty or not a string', async () => {
    const world = await sandbox();
    expectMistake(world, 'clientID', undefined, /is required\. It is .+\.$/);
    expectMistake(world, 'clientID', '', /must be a non-empty string/);
    // No application has such an ID, not even where IDs are numbers.
    for (const number of [Number.NaN, Number.POSITIVE_INFINITY, 0, -1, 1.5, 2 ** 53, 51_000_001n]) {
      expectMistake(world, 'clientID', number, /must be a non-empty string/);
    }
  });

  it('bad input: a credential contains white space or half of a character', async () => {
    const world = await sandbox();
    const credentials = Object.entries(subject.options(world)).filter(
      ([name]) => !/URL$|^version$/.test(name),
    );
    expect(credentials.map(([name]) => name)).to.include('clientID');
    for (const [name, value] of credentials) {
      for (const copied of [` ${value}`, `${value}\n`, `${value}\u00a0`]) {
        expectMistake(world, name, copied, /contains white space\. Copy it from the network again/);
      }
      expectMistake(world, name, `${value}\ud800`, /contains half of a character.+Copy it from the network/);
    }
  });

  it('bad input: a misspelt option is an error that suggests the right spelling', async () => {
    const world = await sandbox();
    expectMistake(world, 'callbackUrl', 'https://app.example/cb', /is unknown\. Did you mean callbackURL\?$/);
    expectMistake(world, 'passReqToCallBack', true, /is unknown\. Did you mean passReqToCallback\?$/);
    expectMistake(world, 'whateverThisIs', true, /is unknown\. There are clientID, /);
  });

  it('bad input: version does not exist', async () => {
    const world = await sandbox();
    for (const version of ['3.0', '', 2]) {
      expect(() => strategy(world, { version })).to.throw(TypeError, /option version /);
    }
  });

  const wrongValues: Readonly<Record<string, readonly unknown[]>> = {
    callbackURL: [
      '',
      7,
      'https://',
      {},
      'javascript:alert(1)',
      'ftp://app.example/',
      '/cb#x',
      'https://app.example/#x',
    ],
    name: ['', 7, {}],
    sessionKey: ['my-logins'],
    timeout: [0, -1, '100', Number.NaN, Number.POSITIVE_INFINITY, 2 ** 31],
    agent: [{}, 'http://proxy.example', true],
    shareConnections: ['no', 0, {}],
    customHeaders: ['x: y', ['x: y'], { 'x-app': 1 }, true],
    passReqToCallback: ['yes', 1, {}],
    proxy: ['yes', 1],
    skipUserProfile: ['yes', 1, {}],
    profile: [{}, 'text', true],
    store: [{}, 'session', 7, { save() {} }, { store() {} }, { get() {}, set() {} }],
    scope: [7, {}, [7], ['a', {}]],
    state: [false, 'text'],
    pkce: [false, 'plain'],
  };
  it('bad input: shareConnections with an agent, which decides that itself', async () => {
    const given = { ...subject.options(await sandbox()), agent: new Agent(), shareConnections: false };
    expect(() => new Strategy(given, verifyPerson)).to.throw(
      TypeError,
      'option shareConnections has no effect',
    );
  });

  for (const [option, values] of Object.entries(wrongValues)) {
    it(`bad input: ${option} has the wrong type or is out of range`, async () => {
      const world = await sandbox();
      for (const value of values) expectMistake(world, option, value, /\.$/);
    });
  }
}
