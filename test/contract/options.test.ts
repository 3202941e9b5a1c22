import { expect } from 'chai';
import { cookieLogins } from '../../lib/index.js';
import microblog, {
  Strategy as MicroblogDefault,
  MicroblogOAuth1Strategy,
  MicroblogOAuth2Strategy,
  MicroblogStrategy,
  endpoints as microblogEndpoints,
} from '../../lib/microblog/index.js';
import shortVideo, {
  Strategy as ShortVideoDefault,
  ShortVideoStrategy,
} from '../../lib/short-video/index.js';
import socialNetwork, {
  Strategy as SocialNetworkDefault,
  SocialNetworkStrategy,
} from '../../lib/social-network/index.js';
import { wholeLogin } from '../security/hostile-network.js';
import { attempt, fakeRequest, redirectOf } from '../support/attempt.js';
import { Browser } from '../support/browser.js';
import { start } from '../support/journey.js';
import { keyedLogins } from '../support/logins.js';
import type { AfterLogin } from '../support/network-definition.js';
import { collectsWarnings } from '../support/warnings.js';
import { eavesdrop } from './eavesdropper.js';
import { describeEach, isOAuth1, tappedBy, verifyPerson } from './harness.js';
import { classOf, type StrategyClass } from './strategies.js';

/** Option -> its spellings: ours, and those of older strategies for the networks. */
type Spellings = Readonly<Record<string, readonly string[]>>;

const COMMON: Spellings = { profileURL: ['profileURL', 'profileUrl', 'userProfileURL'] };
const OAUTH1: Spellings = {
  ...COMMON,
  clientID: ['clientID', 'clientId', 'consumerKey'],
  clientSecret: ['clientSecret', 'consumerSecret'],
  requestTokenURL: ['requestTokenURL', 'requestTokenUrl'],
  accessTokenURL: ['accessTokenURL', 'accessTokenUrl'],
  userAuthorizationURL: ['userAuthorizationURL', 'authorizationUrl'],
};
const OAUTH2: Spellings = {
  ...COMMON,
  clientID: ['clientID', 'clientId'],
  authorizationURL: ['authorizationURL', 'authorizationUrl'],
  tokenURL: ['tokenURL', 'accessTokenUrl'],
};

describeEach('the spellings of an option', (contract) => {
  const { subject, sandbox, app, closing } = contract;
  const { provider } = subject;
  const { revoke, logout } = subject.exchanges.calls;
  const spellings: Spellings = {
    ...(isOAuth1(subject) ? OAUTH1 : OAUTH2),
    ...(provider === 'short-video' && { clientID: ['clientID', 'clientId', 'clientKey'] }),
    ...(revoke && { revocationURL: ['revocationURL'] }),
    ...(logout && { logoutURL: ['logoutURL'] }),
  };

  for (const [option, names] of Object.entries(spellings)) {
    for (const name of names) {
      const isURL = option.endsWith('URL');
      it(`${name} ${isURL ? 'is called, with its own query' : 'is the credential'}`, async () => {
        const world = await sandbox();
        const ear = closing(await eavesdrop(world));
        const known: object = subject.options(world);
        const { [option]: value = '', ...others }: Record<string, string> = {
          ...known,
          ...tappedBy(ear, subject, world),
        };
        const options = { ...others, [name]: isURL ? `${value}?x=1` : value };
        const strategy = new (classOf(subject))(options, verifyPerson);
        const server = await app(strategy);
        expect((await wholeLogin(server, provider)).status).to.equal(200);
        if (!isURL) return;
        if (/authorizationURL/i.test(option)) {
          expect(await start(new Browser(), server, provider)).to.include(`${value}?x=1&`);
          return;
        }
        // The sandbox does not know the token of these calls.
        for (const call of [revoke, logout]) {
          await call?.(strategy as unknown as AfterLogin).catch(() => undefined);
        }
        const called = ear.requests.filter(({ path }) => path === new URL(value).pathname);
        expect(new Set(called.map(({ query }) => query.get('x')))).to.deep.equal(new Set(['1']));
      });
    }
  }
});

/** What @feathersjs/authentication-oauth2 and -oauth1 1.x make of `config/default.json`, with the settings of the whole authentication. */
const FEATHERS =
  'idField path __oauth entity service session callbackPath successRedirect failureRedirect handler makeUrl formatter ' +
  'hooks jwt secret scheme host port';

describeEach('a whole configuration of a framework', ({ subject, sandbox, strategy, warnings }) => {
  it('is accepted, and one warning names what is not ours', async () => {
    const names = FEATHERS.split(' ');
    const given = Object.fromEntries(names.map((name) => [name, { of: 'the application' }]));
    strategy(await sandbox(), Object.freeze(given));
    const [warning = '', ...others] = (await warnings()).filter((text) => text.includes(' no option '));
    const [, ignored = ''] = / has no option (.+), and ignores what it does not know\./.exec(warning) ?? [];
    expect(warning.startsWith(`${subject.name} `)).to.equal(true);
    expect(ignored.split(', ')).to.have.members(names);
    expect(others).to.deep.equal([]);
  });
});

describeEach('a missing value', ({ subject, sandbox, strategy, app, warnings }) => {
  it('undefined means "left out" for every option, also those of authenticate', async () => {
    const given = subject.options(await sandbox());
    const left = Object.keys(subject.table).filter((name) => !(name in given));
    expect(left).to.include.members(['callbackURL', 'profile', 'allowSandbox']);
    const options = Object.fromEntries([...left, 'whatever'].map((name) => [name, undefined]));
    const secrets = 'a secret of at least 32 characters';
    const store = cookieLogins({
      secrets,
      lifetime: undefined,
      limit: undefined,
      name: undefined,
      claim: undefined,
    });
    const made = strategy(await sandbox(), { ...options, store });
    const start = { scope: undefined, state: undefined, callbackURL: undefined, prompt: undefined };
    const server = await app(made, { start });
    expect((await wholeLogin(server, subject.provider)).status).to.equal(200);
    expect(await warnings()).to.deep.equal([]);
  });
});

const CREDENTIALS = { clientID: '51000001', clientSecret: 'the-client-secret' };
const VK_ID = { clientID: '51000001', version: '2.1', store: keyedLogins() };
const FIRST = { ...CREDENTIALS, version: '1.0' };
const verify = () => undefined;
const CLASSES: Readonly<Record<string, StrategyClass>> = {
  ShortVideoStrategy: ShortVideoStrategy as never,
  MicroblogStrategy: MicroblogStrategy as never,
  SocialNetworkStrategy: SocialNetworkStrategy as never,
};

describe('without options beyond the credentials', () => {
  it('microblog 1.0: the user is sent to the network’s own URL', () => {
    const { USER_AUTHORIZATION_URL } = microblogEndpoints;
    expect(USER_AUTHORIZATION_URL).to.equal('https://api.x.com/oauth/authenticate');
  });

  it('a factory makes an instance of the class without new', () => {
    for (const [name, made, Class, Strategy] of [
      ['short-video', shortVideo(CREDENTIALS, verify), ShortVideoStrategy, ShortVideoDefault],
      ['microblog', microblog(CREDENTIALS, verify), MicroblogStrategy, MicroblogDefault],
      ['social-network', socialNetwork(CREDENTIALS, verify), SocialNetworkStrategy, SocialNetworkDefault],
    ] as const) {
      expect(made).to.be.instanceOf(Class);
      expect(made.name).to.equal(name);
      expect(Strategy).to.equal(Class);
    }
    const first = microblog({ ...CREDENTIALS, version: '1.0' }, verify);
    expect(first).to.be.instanceOf(MicroblogOAuth1Strategy);
  });
});

/** What a message says, and what each mistake changes in options that are right; `undefined`: is missing. */
type Mistakes = readonly (readonly [message: string, ...changes: object[]])[];

const valuesOf = (option: string, ...values: unknown[]) => values.map((value) => ({ [option]: value }));
const isNotThere = (option: string, name: string, hint = '') =>
  `option ${option} names '${name}', which the network does not have${hint}`;
const url = 'https://n.example/';
const plain = 'http://n.example/';

const SHORT_VIDEO: Mistakes = [
  [
    "option clientID is required. It is the application's client key at the network.",
    { clientID: undefined },
  ],
  [
    "option clientSecret is required. It stands beside the application's client key.",
    { clientID: undefined, clientKey: 'x', clientSecret: undefined },
  ],
  [
    'options clientID and clientKey are two spellings of one option, and their values differ',
    { clientKey: 'another' },
  ],
  [
    'option includeEmail is not taken: the short-video network has no e-mail address to give.',
    { includeEmail: true },
  ],
  ['option version is not taken: it is always Login Kit v2.', { version: '' }],
  ['option profileFields names ', ...valuesOf('profileFields', 'email', 'constructor', ['open_id', 'phone'])],
  ['option disableAutoAuth must be true or false.', { disableAutoAuth: 1 }],
  ["option codeChallengeEncoding must be one of 'hex', 'base64url'.", { codeChallengeEncoding: 'HEX' }],
];
const MICROBLOG: Mistakes = [
  [isNotThere('userFields', 'descripton', '. Did you mean description?'), { userFields: 'descripton' }],
  [isNotThere('userFields', 'displayName', ". The network calls it 'name'."), { userFields: 'displayName' }],
  [
    isNotThere('expansions', 'pinned_tweet', '. Did you mean pinned_tweet_id?'),
    { expansions: ['pinned_tweet'] },
  ],
  ['option tweetFields must be a string or an array of strings.', { tweetFields: 7 }],
  ['option postFields must be a string or an array of strings.', { postFields: {} }],
  ['option includeEmail must be true or false.', { includeEmail: 'yes' }],
];
const MICROBLOG_2_0: Mistakes = [
  ...MICROBLOG,
  [
    "option version must be '2.0' (the default, OAuth 2.0) or '1.0' (OAuth 1.0a), in quotes.",
    ...valuesOf('version', '1', '1.1', '2', '3.0', 2, '', null),
  ],
  [
    "option clientID is required. It is the application's OAuth 2.0 client ID at the network.",
    { clientID: undefined },
  ],
  ...'consumerKey consumerSecret requestTokenURL requestTokenUrl accessTokenURL userAuthorizationURL'
    .split(' ')
    .map(
      (option) =>
        [
          `option ${option} is not taken: it belongs to OAuth 1.0a. Add version: '1.0', or use clientID, tokenURL and authorizationURL. The sandbox's options for this version are sandbox.options('microblog').`,
          { [option]: url },
        ] as const,
    ),
  ...['photo', 'photos'].map(
    (name) =>
      [
        isNotThere('userFields', name, ". The network calls it 'profile_image_url'."),
        { userFields: name },
      ] as const,
  ),
  [
    'option store is required: a pending login is kept in an encrypted cookie, and this client has no secret',
    { clientSecret: undefined },
  ],
];
const MICROBLOG_1_0: Mistakes = [
  ...MICROBLOG,
  ["option clientSecret is required. It is the application's API key secret.", { clientSecret: undefined }],
  ['option scope is not taken: OAuth 1.0a has no scopes', { scope: 'users.read' }],
  ['option pkce is not taken: OAuth 1.0a has no PKCE', { pkce: true }],
  [
    "option tokenURL is not taken: it belongs to OAuth 2.0; in 1.0 it is accessTokenURL. The sandbox's options for this version are sandbox.options('microblog', { version: '1.0' }).",
    { tokenURL: url },
  ],
];
const SOCIAL_NETWORK: Mistakes = [
  [isNotThere('profileFields', 'screenname', '. Did you mean screen_name?'), { profileFields: 'screenname' }],
  [
    isNotThere('profileFields', 'email', '. It is in the token response: set includeEmail: true.'),
    ...valuesOf('profileFields', 'email', ['email']),
  ],
  ['option includeEmail must be true or false.', { includeEmail: 'yes' }],
  ['option lang must be a non-empty string.', { lang: 7 }],
  ['option apiVersion must be a non-empty string.', ...valuesOf('apiVersion', true, '')],
];
const CLASSIC: Mistakes = [
  ...SOCIAL_NETWORK,
  ["option clientID is required. It is the application's number at the network.", { clientID: undefined }],
  [
    "option clientSecret is required. It is the application's protected key, not the service key. An application of VK ID needs version: '2.1'.",
    { clientSecret: undefined },
  ],
  [
    "option version must be '2.0' (the default, classic OAuth 2.0) or '2.1' (VK ID), in quotes.",
    ...valuesOf('version', '1.0', '2', '2.2', 2.1, '', null),
  ],
  [
    "option apiVersion must be a version from 5.81 on, such as '5.126'.",
    ...valuesOf('apiVersion', '5.80', 5.8, '5', '4.99', 'v5.126', '5.126.1', 'latest'),
  ],
  ['option pkce is not taken: the network refuses requests with PKCE in this protocol.', { pkce: true }],
  ...['serviceToken', 'lookupURL', 'revocationURL', 'logoutURL'].map(
    (option) =>
      [
        `option ${option} is not taken: it belongs to VK ID. Add version: '2.1'. The sandbox's options for this version are sandbox.options('social-network').`,
        { [option]: url },
      ] as const,
  ),
  ['option display is not taken: give it to passport.authenticate', { display: 'popup' }],
  // Members of the record that come with a field of another name: https://dev.vk.com/reference/objects/user (read 2026-11).
  ...Object.entries({
    gender: 'sex',
    photo: 'photo_50',
    username: 'screen_name',
    mobile_phone: 'contacts',
    home_phone: 'contacts',
    skype: 'connections',
    university: 'education',
    university_name: 'education',
  }).map(
    ([member, field]) =>
      [
        isNotThere('profileFields', member, `. The network calls it '${field}'.`),
        { profileFields: ['bdate', `${member},photos`] },
      ] as const,
  ),
  ['option requestTokenURL must begin with https://', { requestTokenUrl: plain }],
];
const OF_VK_ID: Mistakes = [
  ...SOCIAL_NETWORK,
  ['option store is required: ', { store: undefined }],
  [
    "option apiVersion must be a version from 5.81 on, such as '5.199'.",
    ...[[], ['bdate']].map((profileFields) => ({ apiVersion: '5.80', profileFields })),
  ],
  ['option provider is not taken: give it to passport.authenticate', { provider: 'ok_ru' }],
  ['option scheme is not taken: give it to passport.authenticate', { scheme: 'dark' }],
  ['option serviceToken ', ...valuesOf('serviceToken', '', 'line\nend')],
  ['option clientSecret ', { clientSecret: '' }],
];

interface Urls {
  readonly redirectURI: { readonly configured: string };
  readonly authorizationURL: string;
}

describe('bad input', () => {
  const warnings = collectsWarnings();

  for (const [name, known, mistakes] of [
    ['ShortVideoStrategy', CREDENTIALS, SHORT_VIDEO],
    ['MicroblogStrategy', CREDENTIALS, MICROBLOG_2_0],
    ['MicroblogStrategy', FIRST, MICROBLOG_1_0],
    ['SocialNetworkStrategy', CREDENTIALS, CLASSIC],
    ['SocialNetworkStrategy', VK_ID, OF_VK_ID],
  ] as const) {
    for (const [message, ...changes] of mistakes) {
      it(`${name}: ${message}`, () => {
        for (const change of changes) {
          const given = Object.entries({ ...known, ...change }).filter(([, value]) => value !== undefined);
          const make = () => new (CLASSES[name] as StrategyClass)(Object.fromEntries(given), verify);
          expect(make, JSON.stringify(change)).to.throw(TypeError, `${name}: ${message}`);
        }
      });
    }
  }

  it('a secret with white space is shown in no message', () => {
    for (const secret of [{ clientSecret: 'SECRET CANARY' }, { serviceToken: 'SERVICE TOKEN-CANARY' }]) {
      const make = () => new SocialNetworkStrategy({ ...VK_ID, ...secret } as never, verify);
      expect(make).to.throw(TypeError).with.property('message').that.does.not.include('CANARY');
    }
  });

  it('a version of the other protocol is a TypeError of a class that has one', () => {
    const message = (version: string) => `option version must be one of '${version}'`;
    const second = () => new MicroblogOAuth2Strategy({ ...CREDENTIALS, version: '1.0' } as never, verify);
    const first = () => new MicroblogOAuth1Strategy({ ...CREDENTIALS, version: '2.0' } as never, verify);
    expect(second).to.throw(TypeError, message('2.0'));
    expect(first).to.throw(TypeError, message('1.0'));
  });

  it('C29: a callbackURL that leaves the origin of baseURL is a mistake, in the constructor and in authenticate', async () => {
    const leaving = ['//evil.example/cb', '/\\evil.example/cb', '\\\\evil.example/cb', '/\t/evil.example/cb'];
    for (const Class of Object.values(CLASSES)) {
      for (const callbackURL of leaving) {
        const options = { ...CREDENTIALS, baseURL: 'https://app.example', callbackURL };
        expect(() => new Class(options, verify), callbackURL).to.throw(TypeError, 'option callbackURL');
        const strategy = new Class({ ...CREDENTIALS, baseURL: 'https://app.example' }, verify);
        const { error } = await attempt(strategy, fakeRequest(), { callbackURL });
        expect(error, callbackURL).to.be.instanceOf(TypeError);
      }
    }
  });

  it('C29: a parameter of the network’s response in callbackURL is a mistake', () => {
    for (const name of ['state', 'code', 'error', 'oauth_token']) {
      const options = { ...CREDENTIALS, callbackURL: `https://app.example/cb?${name}=x` };
      for (const Class of Object.values(CLASSES))
        expect(() => new Class(options, verify)).to.throw(TypeError, `has the parameter ${name}`);
    }
  });

  it('S15: an address that was made of nothing is a mistake, in the constructor and in authenticate', async () => {
    const addresses = [
      'https://undefined/cb',
      'https://null.example/cb',
      'https://app.example:NaN/cb',
      'https://app.example/undefined/cb',
      'https://app.example/[object Object]/cb',
      'https://app.example/cb?tenant=undefined',
      'https://app.example//cb',
      'https://app.example/%20/cb',
      'https:///auth/cb',
      'https://"app.example"/cb',
      '“https://app.example/cb”',
    ];
    for (const Class of Object.values(CLASSES)) {
      for (const url of addresses) {
        for (const option of ['callbackURL', 'profileURL', 'baseURL']) {
          const make = () => new Class({ ...CREDENTIALS, [option]: url }, verify);
          expect(make, `${option}: ${url}`).to.throw(TypeError, `option ${option} `);
        }
        const strategy = new Class({ ...CREDENTIALS, baseURL: 'https://app.example' }, verify);
        const { error } = await attempt(strategy, fakeRequest(), { callbackURL: url });
        expect(error, url).to.be.instanceOf(TypeError);
      }
      // A proxy can take the network's URL in its path.
      new Class({ ...CREDENTIALS, profileURL: 'https://proxy.example/https://api.n.example/me' }, verify);
    }
    for (const scope of ['undefined', ['user.info.basic', 'null']]) {
      const { error } = await attempt(new ShortVideoStrategy(CREDENTIALS, verify), fakeRequest(), { scope });
      expect(error).to.be.instanceOf(TypeError);
    }
    for (const secrets of ['"a secret of at least 32 characters"', ' '.repeat(40), 'undefined'])
      expect(() => cookieLogins({ secrets }), secrets).to.throw(TypeError, 'cookieLogins: ');
  });

  it('a deadline and a lifetime that were meant as seconds cause a warning each', async () => {
    for (const timeout of [30, 1_000]) new ShortVideoStrategy({ ...CREDENTIALS, timeout }, verify);
    for (const lifetime of [600, 60_000]) cookieLogins({ lifetime });
    expect(await warnings.texts()).to.deep.equal([
      'ShortVideoStrategy: option timeout is 30 milliseconds, and hardly a network responds that fast. For 30 seconds, give 30000.',
      'cookieLogins: lifetime is 600 milliseconds, and hardly a user logs in that fast. For 600 seconds, give 600000.',
    ]);
  });

  it('a host beyond ASCII is punycode in every address', async () => {
    const app = 'https://münchen.example';
    for (const [version, options] of [
      ['2.0', { authorizationURL: 'https://пример.example/authorize?a=b' }],
      ['1.0', {}],
    ] as const) {
      const given = { ...CREDENTIALS, version, ...options, baseURL: app };
      const strategy = new MicroblogStrategy(given as never, verify);
      const { redirectURI, authorizationURL } = (strategy as unknown as { settings: Urls }).settings;
      expect(redirectURI.configured).to.equal('https://xn--mnchen-3ya.example/api/auth/callback/microblog');
      if (version === '1.0') continue;
      expect(authorizationURL).to.equal('https://xn--e1afmkfd.example/authorize?a=b');
      const location = await redirectOf(strategy);
      expect(location.host).to.equal('xn--e1afmkfd.example');
      expect(location.searchParams.get('redirect_uri')).to.equal(redirectURI.configured);
    }
  });

  it('T2: a callback URL that the network rejects, or that anyone can read, causes a warning in its words', async () => {
    const made = [
      ['ShortVideoStrategy', CREDENTIALS, 'TikTok accepts no redirect URI that is plain http. Use https'],
      ['MicroblogStrategy', CREDENTIALS, 'X takes plain http on this machine only'],
      ['MicroblogStrategy', FIRST, 'X takes plain http on this machine only'],
      ['SocialNetworkStrategy', CREDENTIALS, 'VK takes plain http on this machine only'],
      ['SocialNetworkStrategy', VK_ID, 'VK ID takes plain http on this machine only'],
    ] as const;
    for (const [name, options] of made)
      for (const origin of ['http://app.example', 'http://127.0.0.1:3000', 'https://app.example'])
        new (CLASSES[name] as StrategyClass)({ ...options, callbackURL: `${origin}/cb` }, verify);
    const texts = await warnings.texts();
    expect(texts).to.have.length(made.length);
    for (const [index, [name, , words]] of made.entries())
      expect(texts[index]).to.include(`${name}: option callbackURL is http://app.example/cb. ${words}`);
  });
});
