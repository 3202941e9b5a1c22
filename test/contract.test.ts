import diagnostics = require('node:diagnostics_channel');

import { Agent } from 'node:http';
import { mock } from 'node:test';
import { expect } from 'chai';
import { type RequestReport, requestChannel } from '../lib/index.js';
import { NETWORKS as SANDBOX_NETWORKS } from '../sandbox/lib/networks.js';
import { eavesdrop } from './contract/eavesdropper.js';
import {
  backendRequests,
  type Done,
  describeEach,
  isOAuth1,
  isOAuth2,
  personOf,
  tappedBy,
  verifyPerson,
} from './contract/harness.js';
import {
  classNamesOf,
  classOf,
  madeClassOf,
  NETWORKS,
  STRATEGY_NAMES,
  subjects,
} from './contract/strategies.js';
import { redirectOf } from './support/attempt.js';
import { Browser } from './support/browser.js';
import { callbackOf, logIn } from './support/journey.js';
import { keyedLogins } from './support/logins.js';
import type { AfterLogin } from './support/network-definition.js';
import { rejectionOf, thrownBy } from './support/thrown.js';
import type { AnyFunction } from './support/verification.js';

/** skipUserProfile in callback form: the token is first, the OAuth 1.0a token secret second, the callback last. */
function skipWithCallback(token: string, second: unknown, third: unknown): void {
  const done = [second, third].find((argument) => typeof argument === 'function') as SkipCallback;
  done(null, token.length > 0);
}
type SkipCallback = (error: unknown, skip: boolean) => void;

describeEach('every strategy', (contract) => {
  const { subject, sandbox, strategy, app, closing } = contract;
  const { provider, makes } = subject;
  const Strategy = madeClassOf(subject);
  const alice = async () => personOf(subject, await sandbox(), 'alice');

  /** Logs a user in. @returns The user as verify returned it. */
  async function userOf(options: object = {}, verify?: AnyFunction, person = 'alice'): Promise<unknown> {
    const page = await logIn(await app(strategy(await sandbox(), options, verify)), provider, person);
    expect(page.status).to.equal(200);
    return page.json.user;
  }

  it('options may be frozen and are not changed', async () => {
    const given = Object.freeze({
      ...subject.options(await sandbox()),
      scope: undefined,
      customHeaders: Object.freeze({ 'x-app': 'a' }),
    });
    const copy = structuredClone(given);
    await userOf(given);
    expect(given).to.deep.equal(copy);
  });

  it('the option name sets the name of the strategy, its callback URL and profile.provider, so that two clients of one network work side by side', async () => {
    const world = await sandbox();
    const named = strategy(world, { name: 'second-app' });
    expect(named.name).to.equal('second-app');
    const server = await app([strategy(world), named]);
    const browser = new Browser();
    const first = await callbackOf(browser, server, provider);
    const second = await callbackOf(browser, server, 'second-app', 'anna');
    expect((await browser.get(first)).json.user).to.deep.equal(await alice());
    const anna = personOf(subject, world, 'anna', 'second-app');
    expect((await browser.get(second)).json.user).to.deep.equal(anna);
  });

  for (const [form, skipUserProfile, isSkipped] of [
    ['true skips', true, true],
    ['a function that returns true skips', () => true, true],
    ['an async function that returns true skips', async () => true, true],
    ['a function that takes the token and a callback skips', skipWithCallback, true],
    ['a function that returns false does not skip', () => false, false],
    ['false does not skip', false, false],
  ] as const) {
    it(`skipUserProfile: ${form} the profile request`, async () => {
      const verify = async (_t: string, _r: unknown, profile: unknown) => ({ has: profile !== undefined });
      expect(await userOf({ skipUserProfile }, verify)).to.deep.equal({ has: !isSkipped });
      const endpoints = backendRequests(await sandbox());
      expect(endpoints.filter((endpoint) => endpoint === subject.faults.profile)).to.have.length(
        isSkipped ? 0 : 1,
      );
    });
  }

  it('the option agent is used for every request', async () => {
    const agent = new Agent();
    const { mock: added } = mock.method(agent as unknown as { addRequest(): void }, 'addRequest');
    await userOf({ agent });
    expect(added.callCount()).to.be.above(1);
    expect(added.callCount()).to.equal(backendRequests(await sandbox()).length);
  });

  it('the option customHeaders is sent with every request to the network', async () => {
    const world = await sandbox();
    const ear = closing(await eavesdrop(world));
    await userOf({ ...tappedBy(ear, subject, world), customHeaders: { 'X-App': 'the-app' } });
    expect(ear.requests).to.have.length.above(1);
    expect(new Set(ear.requests.map(({ headers }) => headers['x-app']))).to.deep.equal(new Set(['the-app']));
  });

  it('each request of a login is reported, without any secret', async () => {
    const world = await sandbox();
    const heard: RequestReport[] = [];
    const listener = (report: unknown) => heard.push(report as RequestReport);
    diagnostics.subscribe(requestChannel, listener);
    await userOf().finally(() => diagnostics.unsubscribe(requestChannel, listener));
    expect(heard).to.have.length(backendRequests(world).length);
    const { host } = new URL(world.url);
    for (const { duration, step, method, ...report } of heard) {
      expect([typeof duration, typeof step, typeof method]).to.deep.equal(['number', 'string', 'string']);
      expect(report).to.deep.equal({ provider, status: 200, outcome: 'succeeded', host });
    }
  });

  it('refresh, revoke and logout reject what is no token, as an application has that lost it, and send nothing', async () => {
    const world = await sandbox();
    const made = strategy(world) as AfterLogin;
    // Tokens of OAuth 1.0a do not expire.
    if (isOAuth1(subject)) expect(made).to.not.have.property('refresh');
    for (const name of ['refresh', 'revoke', 'logout'] as const) {
      for (const token of [undefined, null, '', {}, 0, ['TOKEN']] as string[]) {
        if (!(name in made)) continue;
        for (const given of [[token, 'SECOND'], ...(isOAuth1(subject) ? [['TOKEN', token]] : [])]) {
          const error = (await rejectionOf(Reflect.apply(made[name], made, given))) as Error;
          expect(error).to.be.instanceOf(TypeError);
          expect(error.message).to.match(/needs a token that is a non-empty string|the classic protocol/);
        }
      }
    }
    expect(world.requests()).to.deep.equal([]);
  });

  it('a subclass can override userProfile and call super.userProfile', async () => {
    class Renamed extends Strategy {
      override userProfile(...args: unknown[]): void {
        const done = args.at(-1) as Done;
        super.userProfile(...args.slice(0, -1), (error: unknown, profile: object) =>
          done(error, profile && { ...profile, displayName: 'Renamed' }),
        );
      }
    }
    const renamed = new Renamed(subject.options(await sandbox()), verifyPerson);
    const page = await logIn(await app(renamed), provider);
    expect(page.json.user).to.include({ displayName: 'Renamed', provider });
    expect(renamed).to.be.instanceOf(Strategy);
  });

  if (isOAuth2(subject)) {
    const { authorization, exchanges, scope, challenge, version } = subject;
    const { url, clientParameter = 'client_id', parameters } = authorization;

    it(`C15: a login goes to ${url} with exactly the documented parameters, and PKCE unless the network rejects it`, async () => {
      const own = { ...(version !== undefined && { version }), ...exchanges.options, store: keyedLogins() };
      const location = await redirectOf(new Strategy(own, verifyPerson));
      const { state, code_challenge = 'none', ...others } = Object.fromEntries(location.searchParams);
      expect(location.origin + location.pathname).to.equal(url);
      expect(others).to.deep.equal({
        response_type: 'code',
        [clientParameter]: exchanges.options.clientID,
        redirect_uri: `https://app.example/api/auth/callback/${provider}`,
        ...(scope !== null && { scope }),
        ...(challenge !== 'none' && { code_challenge_method: 'S256' }),
        ...parameters,
      });
      expect(state).to.match(/^[\w-]{43}$/);
      const forms = { hex: /^[0-9a-f]{64}$/, base64url: /^[\w-]{43}$/, none: /^none$/ };
      expect(code_challenge).to.match(forms[challenge]);
    });
  }

  if (makes) {
    it(`the constructor makes a ${makes.name}, which the package exports, and with which a user logs in too`, async () => {
      const world = await sandbox();
      const made = strategy(world);
      expect(made).to.be.instanceOf(classOf(makes));
      expect(made.constructor).to.be.oneOf([classOf(subject), classOf(makes)]);
      const own = await app(new Strategy(makes.options(world), verifyPerson));
      expect((await logIn(own, provider)).json.user).to.deep.equal(await alice());
    });
  }

  describe('mistakes in options', () => {
    /** The classes that a message may name: it names the class that the application constructed. */
    const classes = STRATEGY_NAMES.join('|');
    const Constructed = classOf(subject);

    /** Expects a TypeError that names the class (or strategy) and the option, and says what to do. */
    async function expectMistakes(
      option: string,
      values: readonly unknown[],
      hint: RegExp | string,
    ): Promise<void> {
      for (const value of values) {
        const given = { ...subject.options(await sandbox()), [option]: value };
        const error = thrownBy(() => new Constructed(given, verifyPerson)) as Error;
        expect(error, `${option}: ${String(value)}`).to.be.instanceOf(TypeError);
        expect(error.message).to.match(new RegExp(`^(${classes}|${provider}): option ${option} `));
        if (typeof hint === 'string') expect(error.message.endsWith(hint), error.message).to.equal(true);
        else expect(error.message).to.match(hint);
      }
    }

    it('bad input: options are missing or not an object', () => {
      for (const given of [undefined, null, verifyPerson, 'text', 7, []]) {
        expect(() => new Constructed(given as object, verifyPerson)).to.throw(
          TypeError,
          new RegExp(
            `^(${classes}) requires an options object as its first argument: {.* clientID\\b.*, ... }`,
          ),
        );
      }
    });

    it('bad input: verify is missing or not a function', async () => {
      const call = `new (${classes})\\(options, verify\\)`;
      const message = `^(${classes}): the second argument must be a verify function: ${call}\\.$`;
      for (const verify of [undefined, null, {}, 'text']) {
        const options = subject.options(await sandbox());
        expect(() => new Constructed(options, verify as never)).to.throw(TypeError, new RegExp(message));
      }
    });

    it('bad input: clientID is missing, empty or not a string', async () => {
      await expectMistakes(
        'clientID',
        [undefined],
        /is undefined\. Is the environment variable set\? It is .+\.$/,
      );
      // No application has such an ID, not even where IDs are numbers, as at one network.
      const numbers = [Number.NaN, Number.POSITIVE_INFINITY, 0, -1, 1.5, 2 ** 53, 51_000_001n];
      if (provider !== 'social-network') numbers.push(51_000_001);
      await expectMistakes('clientID', ['', ...numbers], /must be a non-empty string/);
    });

    it('bad input: a credential contains white space or half of a character, is none, or is quoted', async () => {
      const credentials = Object.entries(subject.options(await sandbox())).filter(
        ([name]) => !/URL$|^version$/.test(name),
      );
      expect(credentials.map(([name]) => name)).to.include('clientID');
      for (const [name, value] of credentials) {
        const copied = [` ${value}`, `${value}\n`, `${value}\u00a0`];
        await expectMistakes(name, copied, /contains white space\. Copy it from the network again/);
        await expectMistakes(
          name,
          [`${value}\ud800`],
          /contains half of a character.+Copy it from the network/,
        );
        // What String() makes of a missing value, and what Docker keeps of `NAME="value"`.
        await expectMistakes(
          name,
          ['undefined', 'null', 'NaN', '[object Object]'],
          /where a value is missing/,
        );
        await expectMistakes(name, [`"${value}"`, `'${value}'`], /stands in quotation marks: remove them/);
      }
    });

    const isAny = ['yes', 'true', 1, 0, null, {}];
    /** Option -> what a message says of it, and the values that cause it. */
    const wrongValues: Readonly<Record<string, Readonly<Record<string, readonly unknown[]>>>> = {
      callbackURL: {
        '.': ['', 7, 'https://', {}],
        'must begin with https:// or, for a path of this application, with a slash.': ['a.example/'],
        'must begin with https://, http:// or a slash.':
          'localhost:3000/cb javascript:x ftp://a.example/'.split(' '),
        'contains white space.': [' https://app.example/cb', '/c b'],
        'has "undefined" where a value is missing.': ['undefined/auth/cb'],
        'has "null" where a value is missing.': ['/null/cb', 'https://app.null:3000/cb'],
        'stands in quotation marks: remove them.': ["'/cb'"],
        'must hold neither a user name, nor a password, nor a fragment.': [
          'https://a.example/#a',
          '/cb#there',
        ],
      },
      baseURL: {
        'must be an origin without a path or a query, such as https://your.domain.': [
          'https://app.example/app',
          'https://app.example/?a=b',
        ],
        'must be an absolute URL such as https://example.com/path.': ['app.example'],
        'must begin with https:// (http is for a sandbox on this machine only).': ['http://app.example'],
        'must be a non-empty string.': [true],
      },
      passReqToCallback: { 'must be true or false.': isAny },
      passParamsToCallback: { 'must be true or false.': isAny },
      customHeaders: {
        'has a name or value that no header can have.': [
          { 'x-app': 'a\r\nx-evil: 1' },
          { 'x-app': 'a\nb' },
          { 'x-app\r\nx-evil': '1' },
          { 'x app': '1' },
          { '': '1' },
        ],
        '.': ['x: y', ['x: y'], { 'x-app': 1 }, true],
      },
      name: { '.': ['', 7, {}] },
      sessionKey: {
        'To keep two applications on one host apart, give store: cookieLogins({ name }).': ['my-logins'],
      },
      timeout: { '.': [0, -1, '100', Number.NaN, Number.POSITIVE_INFINITY, 2 ** 31] },
      agent: { '.': [{}, 'http://proxy.example', true] },
      proxy: { '.': ['yes', 1] },
      stateLimit: { '.': [-1, 1.5, Number.POSITIVE_INFINITY, '7', null] },
      skipUserProfile: { '.': ['yes', 1, {}] },
      profile: { '.': [{}, 'text', true] },
      store: {
        'must be a login store: cookieLogins(), or an object of your own with the methods save and take. Stores made for passport-oauth2 or passport-oauth1 do not fit.':
          [{}, [], 'session', 7, null, false, { save() {} }, { take() {} }, { save() {}, take: 'take' }],
      },
      scope: { '.': [7, {}, [7], ['a', {}]] },
      state: { '.': [false, null, 'text'] },
      pkce: { '.': [false, 'plain'] },
    };
    for (const [option, problems] of Object.entries(wrongValues)) {
      for (const [problem, values] of Object.entries(problems)) {
        it(`bad input: ${option} ${problem === '.' ? 'has the wrong type or is out of range' : problem}`, async () => {
          await expectMistakes(option, values, problem);
        });
      }
    }

    it('an origin with a port, and one of this machine, can be a baseURL', async () => {
      for (const baseURL of ['https://app.example', 'https://app.example:8443/', 'http://127.0.0.1:3000'])
        strategy(await sandbox(), { baseURL });
    });
  });
});

describe('the contract test suite', () => {
  it('covers every strategy class that the package exports', () => {
    const covered = new Set(subjects().flatMap(classNamesOf));
    expect([...covered].sort()).to.deep.equal([...STRATEGY_NAMES].sort());
  });

  it('covers every network that the sandbox plays', () => {
    const names = NETWORKS.map(({ name }) => name);
    expect(names).to.have.members(SANDBOX_NETWORKS.map(({ name }) => name));
  });
});
