import { join } from 'node:path';
import { expect } from 'chai';
import type { Profile } from '../../lib/index.js';
import { startSandbox } from '../../sandbox/lib/index.js';
import { closesAfterEach } from '../support/cleanup.js';
import { logIn } from '../support/journey.js';
import { loginApp, type NamedStrategy } from '../support/login-app.js';
import { compile, JAVASCRIPT } from './compiler.js';
import {
  completed,
  documentedExample,
  evaluate,
  migrated,
  optionNames,
  profileExpressions,
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

type Verify = (token: string, refreshToken: unknown, profile: Profile<unknown>, done: Done) => void;
type Done = (error: unknown, user?: object) => void;
type AnyStrategy = new (options: object, verify: Verify) => NamedStrategy;

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
        guide.strategies(sandbox).map((pair) => profileWith(pair as [AnyStrategy, object])),
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

  async function profileWith([Strategy, options]: [AnyStrategy, object]): Promise<object> {
    let found: Profile<unknown> | undefined;
    const strategy = new Strategy(options, (_token, _refreshToken, profile, done) => {
      found = profile;
      done(null, { id: profile.id });
    });
    const app = closing(await loginApp(strategy));
    await logIn(app, strategy.name);
    return found ?? {};
  }
});

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
