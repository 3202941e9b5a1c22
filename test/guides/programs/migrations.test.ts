import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { PGlite } from '@electric-sql/pglite';
import { expect } from 'chai';
import {
  MicroblogStrategy,
  type Profile,
  ShortVideoStrategy,
  SocialNetworkStrategy,
} from '../../../lib/index.js';
import type { Sandbox } from '../../../sandbox/lib/index.js';
import type { StrategyClass } from '../../contract/strategies.js';
import { type Closeable, closesAfterEach } from '../../support/cleanup.js';
import { logIn } from '../../support/journey.js';
import { loginApp } from '../../support/login-app.js';
import { eachSandbox } from '../../support/sandbox.js';
import { blocksOf, textOf } from '../pages.js';
import {
  compile,
  FOLDER,
  JAVASCRIPT,
  removePrograms,
  settingsAt,
  startProgram,
  Visitor,
  writeProgram,
} from '../programs.js';

// Each section of the guide has a diff. Its old side is the example in the package's own documentation (read 2026-11), with `require` added
// where that is missing, and without session middleware. The example of Auth.js combines its usage and its pages of providers. What the
// section leaves out, because it stays, is `rest` here.

const PLACE = 'migrations';
const PAGE = 'docs/migrating.md';

/** Package -> version that this repository installs, for a comparison or as a client of the sandbox. */
const COMPARED: Readonly<Record<string, string>> = {
  ...(JSON.parse(textOf('bench/package.json')) as { dependencies: Record<string, string> }).dependencies,
  ...(JSON.parse(textOf('interop/package.json')) as { dependencies: Record<string, string> }).dependencies,
};

/** Undeclared names in the documented examples, and the environment variables with the sandbox's values: `_ID` or `_KEY`, and `_SECRET`. */
const CONSTANTS: readonly (readonly [name: RegExp, client: string])[] = [
  [/\bTWITTER_CONSUMER_(KEY|SECRET)\b/g, 'MICROBLOG_1_0'],
  [/\bTWITTER_CLIENT_(ID|SECRET)\b/g, 'MICROBLOG'],
  [/\b(?:AUTH_TIKTOK|TIKTOK_CLIENT)_(ID|SECRET)\b/g, 'SHORT_VIDEO'],
  [/\b(?:VKONTAKTE_APP|VK_CLIENT)_(ID|SECRET)\b/g, 'SOCIAL_NETWORK_CLASSIC'],
  [/\bVK_APP_CLIENT_(ID|SECRET)\b/g, 'SOCIAL_NETWORK_VK_ID'],
];

interface Guide {
  readonly peer: string;
  readonly rest?: string;
  /** Route that starts a login -> expected user. */
  readonly logins: Readonly<Record<string, object>>;
  /** The strategies that replace it, with the options that the guide's tables assume. */
  readonly strategies: readonly (readonly [unknown, Parameters<Sandbox['options']>, object])[];
}

const strategiesOf = ({ strategies }: Guide, sandbox: Sandbox) =>
  strategies.map(
    ([Strategy, of, options]) =>
      [Strategy, { ...sandbox.options(...of), ...options }] as [StrategyClass, object],
  );

/** What the guide requests in place of passport-tiktok-auth's own fields. */
const [, SAME_FIELDS = ''] = /^`profileFields: \[(.*)\]`\.$/m.exec(textOf(PAGE)) ?? [];
const TIKTOK_FIELDS =
  `${SAME_FIELDS.replaceAll("'", '')}, bio_description, profile_deep_link, is_verified`.split(', ');
const VK_FIELDS = ['screen_name', 'sex', 'photo_200', 'nickname', 'city', 'bdate'];
const VK_ID_SCOPE = ['vkid.personal_info', 'email', 'phone'];

const routesOf = (name: string) => `
app.get('/auth/${name}', passport.authenticate('${name}'));
app.get('/auth/${name}/callback', passport.authenticate('${name}', { failureRedirect: '/login', successRedirect: '/' }));
`;
const restOf = (name: string, key: string) => `
  function (token, secret, profile, done) {
    User.findOrCreate({ ${key}: profile.id }, (error, user) => done(error, user));
  }
));${routesOf(name)}`;

const GUIDES: readonly Guide[] = [
  {
    peer: 'passport-twitter',
    rest: restOf('twitter', 'twitterId'),
    logins: { '/auth/twitter': { twitterId: '2244994945' } },
    strategies: [[MicroblogStrategy, ['microblog', { version: '1.0' }], { includeEmail: true }]],
  },
  {
    peer: '@superfaceai/passport-twitter-oauth2',
    rest: restOf('twitter', 'twitterId'),
    logins: { '/auth/twitter': { twitterId: '2244994945' } },
    strategies: [[MicroblogStrategy, ['microblog'], { includeEmail: true }]],
  },
  {
    peer: 'passport-tiktok-auth',
    rest: restOf('tiktok', 'tiktokId'),
    logins: { '/auth/tiktok': { tiktokId: '723f24d7-e717-40f8-a2b6-cb8464cd23b4' } },
    strategies: [[ShortVideoStrategy, ['short-video'], { profileFields: TIKTOK_FIELDS }]],
  },
  {
    peer: 'passport-vkontakte',
    rest: `.then((user) => done(null, user)).catch(done);
        }
    )
);${routesOf('vkontakte')}`,
    // A number, as the other package stores it.
    logins: { '/auth/vkontakte': { vkontakteId: 1000000001 } },
    strategies: [
      [SocialNetworkStrategy, ['social-network'], { includeEmail: true, profileFields: VK_FIELDS }],
    ],
  },
  {
    peer: 'passport-vk-id',
    rest: `app.get('/auth/vk/callback', passport.authenticate('vkid', { failureRedirect: '/login', successRedirect: '/' }));`,
    logins: { '/auth/vk': { vkId: '1000000001' } },
    strategies: [[SocialNetworkStrategy, ['social-network', { version: '2.1' }], { scope: VK_ID_SCOPE }]],
  },
  {
    peer: 'Auth.js',
    logins: {
      '/auth/signin/tiktok': {
        provider: 'tiktok',
        providerAccountId: '723f24d7-e717-40f8-a2b6-cb8464cd23b4',
        email: null,
      },
      '/auth/signin/twitter': { provider: 'twitter', providerAccountId: '2244994945', email: null },
      '/auth/signin/vk': { provider: 'vk', providerAccountId: '1000000001', email: 'alice@example.com' },
    },
    strategies: [
      [ShortVideoStrategy, ['short-video'], {}],
      [MicroblogStrategy, ['microblog'], { includeEmail: true }],
      [SocialNetworkStrategy, ['social-network'], { includeEmail: true }],
    ],
  },
];

describe('The guide to migrating', function () {
  this.timeout(120_000);
  const closing = closesAfterEach();
  const sandbox = eachSandbox();
  let compilerOutput: string;

  before(async () => {
    // Ready before the first test: its start blocks this process, and with it the sandbox, for seconds.
    postgres = await PGlite.create();
    for (const guide of GUIDES) writeProgram(fileOf(guide), programOf(guide));
    compilerOutput = await compile(PLACE, JAVASCRIPT);
  });
  after(async () => {
    await postgres.close();
    removePrograms(PLACE);
  });

  /** One for all tests, because each takes seconds to start. */
  let postgres: PGlite;
  async function emptyDatabase(): Promise<PGlite> {
    await postgres.exec('drop schema public cascade; create schema public');
    return postgres;
  }

  it('lead to programs that compile', () => {
    expect(compilerOutput).to.equal('');
  });

  for (const guide of GUIDES) {
    it(`from ${guide.peer}: its documented example with the guide's changes logs users in`, async () => {
      const app = closing(await startProgram(join(FOLDER, fileOf(guide)), settingsAt(sandbox)));
      for (const [route, user] of Object.entries(guide.logins)) {
        const end = await new Visitor(app.url).logIn(route);
        expect(end.json).to.include(user);
      }
      expect(sandbox.requests().filter(({ refused }) => refused)).to.deep.equal([]);
    });

    it(`from ${guide.peer}: every profile field is where the guide says, whatever code replaces inside a strategy`, async () => {
      // Layla has neither address nor picture nor birthday nor city.
      const profiles = await Promise.all(
        strategiesOf(guide, sandbox).map((pair) =>
          Promise.all(['alice', 'layla'].map((person) => profileWith(pair, closing, person))),
        ),
      );
      const expressions = profileExpressions(sectionOf(guide));
      expect(expressions).to.have.length.above(3);
      for (const expression of expressions) {
        const evaluate = (profile: unknown): unknown => runInNewContext(expression, { profile });
        // With several networks in one table, an expression is for one of them.
        const results = await Promise.allSettled(profiles.map(async ([alice]) => evaluate(alice)));
        const found = profiles.filter((_, i) => Reflect.get(results[i] ?? {}, 'value') !== undefined);
        expect(found, expression).to.have.length.above(0);
        for (const [, layla] of found) expect(() => evaluate(layla), expression).to.not.throw();
      }
    });

    it(`from ${guide.peer}: it names the compared version, and options that exist`, async () => {
      const [, name = '', version] = /Compared: (\S+) ([\d.]*\d)/.exec(sectionOf(guide)) ?? [];
      expect(version).to.equal(COMPARED[name]);
      const names = optionNames(sectionOf(guide));
      for (const option of names) {
        const accepting = strategiesOf(guide, sandbox).filter((pair) => accepts(pair, option));
        expect(accepting, option).to.have.length.above(0);
      }
    });
  }

  it('the program of docs/migrating.md prints what is read, and what is missing, and changes nothing', () => {
    const lines: string[] = [];
    const context = {
      module: { exports: (_name: string, value: unknown) => value },
      console: { log: (...words: unknown[]) => lines.push(words.join(' ')) },
    };
    runInNewContext(blocksOf(PAGE).find(({ code }) => code.startsWith('// watch.cjs'))?.code ?? '', context);
    const [at, frozen] = [new Date(0), Object.freeze([{ kept: true }])];
    const watched = context.module.exports('profile', { id: '1', at, frozen, emails: [{ value: 'a' }] });
    const profile = watched as Record<'id' | 'openId', string> & {
      at: Date;
      frozen: object[];
      emails: { value: string }[];
    };
    expect([profile.id, profile.openId, profile.emails[0]?.value]).to.deep.equal(['1', undefined, 'a']);
    expect([profile.at.getTime(), profile.frozen[0]]).to.deep.equal([0, { kept: true }]);
    expect(lines).to.deep.equal(['profile.id "1"', 'profile.openId ', 'profile.emails.0.value "a"']);
  });

  it('after the statement of docs/migrating.md each user is found by provider and ID', async () => {
    const database = await emptyDatabase();
    const [alice] = sandbox.people;
    // What the other packages stored.
    await database.query(
      'create table users (id bigint primary key, name text, twitter_id text, tiktok_id text, vkontakte_id bigint)',
    );
    await database.query('insert into users values (1, $4, $1, $2, $3), (2, $4, null, null, 7)', [
      alice?.microblogId,
      alice?.openId,
      alice?.socialNetworkId,
      alice?.displayName,
    ]);
    const [tables] = blocksOf('docs/profile.md').filter(({ language }) => language === 'sql');
    const [, logins = ''] = /^(create table logins .*?;)$/ms.exec(tables?.code ?? '') ?? [];
    await database.exec(logins.replace('uuid', 'bigint'));
    const find = async (provider: string, id: string) => {
      const { rows } = await database.query(
        'select user_id from logins where provider = $1 and identifier = $2',
        [provider, id],
      );
      return rows;
    };
    const [move] = blocksOf('docs/migrating.md').filter(({ language }) => language === 'sql');
    const strategies = GUIDES.flatMap((guide) => strategiesOf(guide, sandbox));
    const oldNames = { microblog: 'twitter', 'short-video': 'tiktok', 'social-network': 'vkontakte' };
    const profiles = await Promise.all(strategies.map((pair) => profileWith(pair, closing)));
    expect(profiles).to.have.length(8);
    await database.exec(move?.code ?? '');
    for (const { provider, id } of profiles)
      expect(await find(oldNames[provider as keyof typeof oldNames], id)).to.deep.equal([{ user_id: 1 }]);
  });

  it('the query of docs/migrating.md finds the IDs that a JavaScript number rounded, and no others', async () => {
    const database = await emptyDatabase();
    await database.query('create table users (id bigint primary key, twitter_id text)');
    for (const [id, twitterID] of ['2244994945', String(Number('1460323737035677698'))].entries())
      await database.query('insert into users values ($1, $2)', [id, twitterID]);
    const [, query = ''] = /`(select id from users where twitter_id::numeric .*?)`/.exec(textOf(PAGE)) ?? [];
    expect((await database.query(query)).rows).to.deep.equal([{ id: 1 }]);
  });

  it('the statement of docs/migrating.md makes VK’s column text, so that a library finds the user by the new ID', async () => {
    const database = await emptyDatabase();
    await database.exec('create table users (id bigint primary key, vkontakte_id bigint unique)');
    await database.exec('insert into users values (1, 1000000001)');
    const [statement = ''] = /alter table users alter column vkontakte_id type text/.exec(textOf(PAGE)) ?? [];
    await database.exec(statement);
    const found = await database.query('select id from users where vkontakte_id = $1', ['1000000001']);
    expect(found.rows).to.deep.equal([{ id: 1 }]);
  });

  it('the tables of docs/profile.md keep the owner of a login, tell IDs by case, and delete logins with users', async () => {
    const database = await emptyDatabase();
    const [tables] = blocksOf('docs/profile.md').filter(({ language }) => language === 'sql');
    await database.exec(tables?.code ?? '');
    const ownerOf = async (identifier: string) => {
      const { rows } = await database.query<{ user_id: string }>(
        `with spare as (insert into users (name) values ('Alice') returning id)
         insert into logins (provider, identifier, user_id, display_name, last_login)
         select 'short-video', $1, id, 'Alice', now() from spare
         on conflict (provider, identifier) do update set last_login = excluded.last_login returning user_id`,
        [identifier],
      );
      return rows[0]?.user_id;
    };
    const owner = await ownerOf('aB');
    expect([await ownerOf('aB'), (await ownerOf('Ab')) === owner]).to.deep.equal([owner, false]);
    await database.query('delete from users where id = $1', [owner]);
    const { rows } = await database.query('select identifier from logins');
    expect(rows).to.deep.equal([{ identifier: 'Ab' }]);
  });
});

function sectionOf({ peer }: Guide): string {
  const [, section = ''] = textOf(PAGE).split(`\n## From ${peer}\n`);
  expect(section).to.not.equal('');
  return section.split(/^## /m)[0] ?? '';
}

function programOf(guide: Guide): string {
  const [, diff = ''] = /^```diff\n(.*?)^```$/ms.exec(sectionOf(guide)) ?? [];
  return completed(diff.replace(/^-.*\n/gm, '').replace(/^[ +]/gm, '') + (guide.rest ?? ''));
}

/** Completes a documented example, which is a fragment, with an application, sessions and users. */
function completed(example: string): string {
  const names = CONSTANTS.flatMap(([name, client]) =>
    [...example.matchAll(name)].map(
      ([constant, kind]) =>
        `const ${constant} = process.env.${client}_CLIENT_${kind === 'SECRET' ? 'SECRET' : 'ID'};`,
    ),
  );
  const known = [...new Set(['const AUTH_SECRET = process.env.SESSION_SECRET;', ...names])];
  if (/^import /m.test(example)) {
    return `${known.join('\n')}\n${example}\napp.get('/', (req, res) => res.json(req.user));\napp.listen(3000);\nexport {};\n`;
  }
  const sessions = example.includes('serializeUser')
    ? ''
    : `passport.serializeUser((user, done) => done(null, user));
passport.deserializeUser((user, done) => done(null, user));`;
  return `${known.join('\n')}
const express = require('express');
const session = require('express-session');
const passport = require('passport');
const app = express();
app.use(session({ secret: 'SESSION-SECRET', resave: false, saveUninitialized: false }));
app.use(passport.initialize());
app.use(passport.session());
const users = new Map();
const User = {
  findOrCreate(query, done = (error, user) => {}) {
    const user = { id: JSON.stringify(query), ...query };
    users.set(user.id, user);
    done(null, user);
    return Promise.resolve(user);
  },
  findById: (id) => Promise.resolve(users.get(id)),
};
${sessions}
${example}
app.get('/', (req, res) => res.json(req.user));
app.listen(3000);
`;
}

/** The code in the second column of a section's tables, or in those that a row matches. */
function codeIn(section: string, row = /^\| .+? \| (.+?) \|/gm): string[] {
  const cells = [...section.matchAll(row)].map(([, here = '']) => here);
  return cells.flatMap((here) => [...here.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code));
}

/** The JavaScript expressions that replace the fields of the other package's profile, notes included. */
const profileExpressions = (section: string) =>
  codeIn(section, /^\| .+? \| (.+) \|$/gm).filter((code) => /^(profile\.|Number\(|JSON\.parse\()/.test(code));

const optionNames = (section: string) =>
  codeIn(section).flatMap((code) => /^(\w+)(?::.*)?$/.exec(code)?.[1] ?? []);

/** Logs in with a strategy in which everything is replaced that logins do not read, as docs/migrating.md says. @returns The profile that verify got. */
async function profileWith(
  [Strategy, options]: [StrategyClass, object],
  closing: <T extends Closeable>(opened: T) => T,
  person?: string,
): Promise<Profile<unknown>> {
  const profiles: Profile<unknown>[] = [];
  const strategy = new Strategy(options, (_token, _refreshToken, profile, done) => {
    profiles.push(profile);
    done(null, { id: profile.id });
  });
  expect(Reflect.get(strategy, '_callbackURL')).to.equal(undefined);
  expect(Reflect.get(strategy, '_scope')).to.equal(undefined);
  replaceInside(strategy);
  await logIn(closing(await loginApp(strategy)), strategy.name, person);
  const [profile] = profiles;
  if (profile === undefined) throw new Error(`${strategy.name} logged nobody in`);
  return profile;
}

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

/** Whether a constructor has an option, tested with a value that every option rejects. What it does not know is ignored. */
function accepts([Strategy, options]: [StrategyClass, object], name: string): boolean {
  try {
    new Strategy({ ...options, [name]: Symbol('impossible') }, () => {});
    return false;
  } catch (error) {
    return !/is unknown|is not taken/.test((error as Error).message);
  }
}

function fileOf(guide: Guide): string {
  return join(
    PLACE,
    `${guide.peer.replace(/\W/g, '-')}.${programOf(guide).includes('require(') ? 'cjs' : 'mjs'}`,
  );
}
