import { join } from 'node:path';
import { expect } from 'chai';
import { startSandbox } from '../../sandbox/lib/index.js';
import { closesAfterEach } from '../support/cleanup.js';
import { logIn } from '../support/journey.js';
import { loginApp } from '../support/login-app.js';
import { compile, JAVASCRIPT } from './compiler.js';
import {
  type AnyStrategy,
  completed,
  documentedExample,
  evaluate,
  migrated,
  optionNames,
  profileExpressions,
  profileWith,
} from './migration.js';
import { GUIDES, type Guide } from './migration-guides.js';
import { tableAfter, textOf } from './pages.js';
import {
  addressesOf,
  credentialsOf,
  FOLDER,
  removePrograms,
  startProgram,
  writeProgram,
} from './programs.js';
import { Visitor } from './visitor.js';

const PLACE = 'migrations';

describe('The migration guides', function () {
  this.timeout(30_000);
  const closing = closesAfterEach();
  let compilerOutput: string;

  before(async () => {
    for (const guide of GUIDES) writeProgram(fileOf(guide), programOf(guide));
    compilerOutput = await compile(PLACE, JAVASCRIPT);
  });
  after(() => removePrograms(PLACE));

  it('lead to programs that compile', () => {
    expect(compilerOutput).to.equal('');
  });

  for (const guide of GUIDES) {
    const page = pageOf(guide);

    it(`from ${guide.peer}: its documented example with the guide's changes logs users in`, async () => {
      const sandbox = closing(await startSandbox());
      const app = await startProgram(join(FOLDER, fileOf(guide)), {
        addresses: addressesOf(sandbox),
        env: credentialsOf(sandbox),
      });
      closing(app);
      for (const [route, user] of Object.entries(guide.logins)) {
        const end = await new Visitor(app.url).logIn(route);
        expect(end.json).to.include(user);
      }
      expect(sandbox.requests().filter(({ refused }) => refused)).to.deep.equal([]);
    });

    it(`from ${guide.peer}: it names the compared version`, () => {
      const sources = tableAfter('test/guides/peers/README.md', '# Documented examples of other packages');
      const [, name, version] = sources.find(([file]) => file === `\`${guide.peer}.txt\``) ?? [];
      expect(textOf(page)).to.include(`Compared: ${name} ${version}`);
    });

    it(`from ${guide.peer}: every profile field is where the guide says`, async () => {
      const sandbox = closing(await startSandbox());
      const profiles = await Promise.all(
        guide.strategies(sandbox).map((pair) => profileWith(pair as [AnyStrategy, object], closing)),
      );
      const expressions = profileExpressions(page);
      expect(expressions).to.have.length.above(7);
      for (const expression of expressions) {
        const found = profiles.filter((profile) => evaluate(expression, profile) !== undefined);
        expect(found, expression).to.have.length.above(0);
      }
    });

    it(`from ${guide.peer}: the options that it names exist`, async () => {
      const sandbox = closing(await startSandbox());
      const names = optionNames(page);
      expect(names).to.have.length.above(8);
      for (const name of names) {
        const accepting = guide
          .strategies(sandbox)
          .filter((pair) => accepts(pair as [AnyStrategy, object], name));
        expect(accepting, name).to.have.length.above(0);
      }
    });
  }

  for (const { peer, strategies } of GUIDES) {
    it(`from ${peer}: what code replaces inside a strategy has no effect on logins, as docs/migrating.md says`, async () => {
      const sandbox = closing(await startSandbox());
      for (const [Strategy, options] of strategies(sandbox) as [AnyStrategy, object][]) {
        const strategy = new Strategy(options, (_token, _refreshToken, profile, done) => {
          done(null, { id: profile.id });
        });
        expect(Reflect.get(strategy, '_callbackURL')).to.equal(undefined);
        expect(Reflect.get(strategy, '_scope')).to.equal(undefined);
        replaceInside(strategy);
        const page = await logIn(closing(await loginApp(strategy)), strategy.name);
        expect(page.json).to.have.nested.property('user.id').that.is.a('string');
      }
    });

    it(`from ${peer}: a store made for passport-oauth2 or passport-oauth1 is a TypeError`, async () => {
      const sandbox = closing(await startSandbox());
      for (const [Strategy, options] of strategies(sandbox) as [AnyStrategy, object][]) {
        for (const methods of [
          ['store', 'verify'],
          ['get', 'set', 'destroy'],
        ]) {
          const store = Object.fromEntries(methods.map((name) => [name, () => {}]));
          expect(() => new Strategy({ ...options, store }, () => {})).to.throw(
            TypeError,
            /option store must be/,
          );
        }
      }
    });
  }
});

/** Replaces every method of the base package's client, and the properties that the base package reads during a login. */
function replaceInside(strategy: object): void {
  const failing = () => {
    throw new Error('a login called what was replaced');
  };
  const clients = ['_oauth2', '_oauth'].flatMap(
    (name) => (Reflect.get(strategy, name) as object | undefined) ?? [],
  );
  expect(clients).to.have.length(1);
  for (const client of clients) {
    const names = [client, Object.getPrototypeOf(client) as object].flatMap((owner) =>
      Object.getOwnPropertyNames(owner),
    );
    const methods = names.filter(
      (name) => name !== 'constructor' && typeof Reflect.get(client, name) === 'function',
    );
    expect(methods).to.include('get');
    for (const name of methods) Reflect.set(client, name, failing);
  }
  const store = { store: failing, verify: failing, get: failing, set: failing, destroy: failing };
  Object.assign(strategy, {
    _callbackURL: 'https://replaced.example/callback',
    _scope: 'replaced',
    _stateStore: store,
    _requestTokenStore: store,
    _verify: failing,
  });
}

/** Whether a constructor has an option, tested with a value that every option rejects. */
function accepts([Strategy, options]: [AnyStrategy, object], name: string): boolean {
  try {
    new Strategy({ ...options, [name]: Symbol('impossible') }, () => {});
    return true;
  } catch (error) {
    return !/is unknown|is not taken/.test((error as Error).message);
  }
}

function pageOf({ peer }: Guide): string {
  return `docs/migrating-from-${peer}.md`;
}

function programOf(guide: Guide): string {
  return completed(migrated(pageOf(guide), documentedExample(guide.peer)), guide.constants);
}

function fileOf(guide: Guide): string {
  return join(PLACE, `${guide.peer}.${programOf(guide).includes('require(') ? 'cjs' : 'mjs'}`);
}
