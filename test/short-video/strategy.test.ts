import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { ShortVideoStrategy } from '../../lib/index.js';
import { grantedScopes } from '../../lib/short-video/index.js';
import { startSandbox } from '../../sandbox/lib/index.js';
import { playLogin, redirectOf } from '../support/attempt.js';
import { Browser } from '../support/browser.js';
import { allow, start } from '../support/journey.js';
import { loginApp } from '../support/login-app.js';
import { playing } from '../support/played.js';
import { realSockets } from '../support/real-sockets.js';
import { collectsWarnings } from '../support/warnings.js';

const TOKEN_ANSWER = {
  access_token: 'act.the-access-token!4608',
  expires_in: 7_200,
  open_id: 'the-open-id',
  refresh_expires_in: 15_552_000,
  refresh_token: 'rft.the-refresh-token!4608',
  scope: 'user.info.basic',
  token_type: 'Bearer',
};

const CREDENTIALS = { clientID: 'the-client-key', clientSecret: 'the-client-secret' };
const USER = { open_id: 'the-open-id', display_name: 'Anna', avatar_url: 'https://n.example/a.jpg' };

const {
  loggingIn,
  optionsAt,
  serve,
  strategy: shortVideoStrategy,
} = playing({
  make: (options, verify) => new ShortVideoStrategy(options, verify),
  options: CREDENTIALS,
  urls: { authorizationURL: '/authorize', tokenURL: '/token', profileURL: '/profile' },
  replies: {
    '/token': { body: TOKEN_ANSWER },
    '/profile': { body: { data: { user: USER }, error: { code: 'ok', message: '', log_id: 'L' } } },
  },
  callback: { code: 'the*code!1', scopes: 'user.info.basic' },
});

describe('short-video', () => {
  const close = realSockets();
  const warnings = collectsWarnings();
  const logIn = loggingIn(close);

  it('C15: codeChallengeEncoding base64url encodes the challenge as RFC 7636 says', async () => {
    const { authorization, at } = await logIn({ codeChallengeEncoding: 'base64url' });
    const verifier = at('/token')[0]?.form.get('code_verifier') ?? '';
    expect(authorization.searchParams.get('code_challenge')).to.equal(
      createHash('sha256').update(verifier).digest('base64url'),
    );
  });

  it('T14: userProfile with the three parameters of passport-tiktok-auth is a TypeError, called or overridden', async () => {
    const server = close(await serve());
    const strategy = shortVideoStrategy(optionsAt(server.url));
    const profile = strategy as unknown as { userProfile(...args: unknown[]): void };
    expect(() => profile.userProfile('the-token', {}, () => {})).to.throw(TypeError, /two arguments/);
    profile.userProfile = (_token, _params, done) => (done as () => void)();
    const { ending } = await playLogin(strategy);
    expect(ending.error)
      .to.be.instanceOf(TypeError)
      .with.property('message')
      .that.matches(/two arguments/);
  });

  it('a user who unticks a scope still logs in', async () => {
    const { authorization, at, ending } = await logIn({
      profileFields: 'display_name username follower_count',
    });
    expect(authorization.searchParams.get('scope')).to.equal(
      'user.info.basic,user.info.profile,user.info.stats',
    );
    expect(at('/profile')[0]?.query.get('fields')).to.equal('open_id,display_name');
    expect(ending.user).to.include({ id: 'the-open-id', displayName: 'Anna' });
  });

  it('the scopes of the authorization response apply if the token response has no scope', async () => {
    const { scope: _, ...response } = TOKEN_ANSWER;
    const { at } = await logIn(
      { profileFields: 'username' },
      {
        replies: { '/token': { body: response } },
        callback: { scopes: 'user.info.basic,user.info.profile' },
      },
    );
    expect(at('/profile')[0]?.query.get('fields')).to.equal('open_id,username');
  });

  it('S3: a token response without open_id, or with one that is no text, is an error', async () => {
    for (const open_id of [undefined, '', 723]) {
      const { ending } = await logIn({}, { replies: { '/token': { body: { ...TOKEN_ANSWER, open_id } } } });
      expect(ending.error).to.include({ name: 'MalformedError', code: 'identifier_missing', step: 'token' });
    }
  });

  it('without the basic scope nothing is requested, and the record has the ID alone, in the form of a response', async () => {
    const token = { body: { ...TOKEN_ANSWER, scope: 'video.list' } };
    const { at, ending } = await logIn({}, { replies: { '/token': token } });
    expect(at('/profile')).to.deep.equal([]);
    const error = { code: 'ok', message: '', log_id: '' };
    const record = { data: { user: { open_id: TOKEN_ANSWER.open_id } }, error };
    expect((ending.user as { _json?: object })._json).to.deep.equal(record);
  });

  it('a request for the large avatar also asks for the one of 100 pixels, and always for the ID', async () => {
    const { at } = await logIn({ profileFields: ['avatar_large_url'] });
    expect(at('/profile')[0]?.query.get('fields')).to.equal('open_id,avatar_large_url,avatar_url_100');
  });

  it('disableAutoAuth is sent as 0 or 1, from the options or from authenticate', async () => {
    const sent = async (option: object, start: object) =>
      (
        await redirectOf(shortVideoStrategy({ ...optionsAt('https://n.example'), ...option }), start)
      ).searchParams.get('disable_auto_auth');
    expect(await sent({}, {})).to.equal(null);
    expect(await sent({ disableAutoAuth: true }, {})).to.equal('1');
    expect(await sent({ disableAutoAuth: false }, {})).to.equal('0');
    expect(await sent({}, { disableAutoAuth: true })).to.equal('1');
    expect(await sent({ disableAutoAuth: true }, { disableAutoAuth: false })).to.equal('0');
    expect(await warnings.texts()).to.deep.equal([]);
  });

  for (const [code, asked, accessTokenSpent] of [
    ['scope_not_authorized', ['open_id,username', 'open_id'], false],
    ['access_token_invalid', ['open_id,username'], true],
  ] as const) {
    it(`a profile request that is rejected with ${code} is ${asked.length > 1 ? 'repeated with the basic fields' : 'not repeated'}`, async () => {
      const error = { code, message: 'no', log_id: 'L' };
      const replies = {
        '/profile': { status: 401, body: { data: {}, error } },
        '/token': { body: { ...TOKEN_ANSWER, scope: 'user.info.profile,user.info.basic' } },
      };
      const { at, ending } = await logIn({ profileFields: 'username' }, { replies });
      expect(at('/profile').map(({ query }) => query.get('fields'))).to.deep.equal(asked);
      expect(ending.error).to.include({ networkCode: code, requestId: 'L', accessTokenSpent });
    });
  }
});

/** The fields of each scope, as the network documents them. */
const FIELDS: Readonly<Record<string, readonly string[]>> = {
  'user.info.basic': [
    'open_id',
    'union_id',
    'avatar_url',
    'avatar_url_100',
    'avatar_large_url',
    'display_name',
  ],
  'user.info.profile': ['username', 'profile_deep_link', 'bio_description', 'is_verified'],
  'user.info.stats': ['follower_count', 'following_count', 'likes_count', 'video_count'],
};

describe('short-video: fields and their scopes', () => {
  const close = realSockets();
  const warnings = collectsWarnings();

  for (const [scope, fields] of Object.entries(FIELDS)) {
    it(`C23: the fields ${fields.join(', ')} request ${scope}, and are a TypeError without it`, async () => {
      const sandbox = close(await startSandbox());
      const known = sandbox.options('short-video');
      for (const field of fields) {
        const app = close(await loginApp(shortVideoStrategy({ ...known, profileFields: field })));
        const browser = new Browser();
        const authorization = await start(browser, app, 'short-video');
        const requested = new URL(authorization).searchParams.get('scope')?.split(',');
        expect(requested, field).to.have.members([...new Set(['user.info.basic', scope])]);
        expect((await browser.get(await allow(browser, authorization))).status).to.equal(200);

        const others = Object.keys(FIELDS).filter((other) => other !== scope);
        const made = { profileFields: [field], scope: others };
        const problem = `ShortVideoStrategy: option profileFields names '${field}', which needs the scope ${scope}.`;
        const remedy = ' Add that to scope, or leave scope out: it follows from profileFields.';
        expect(() => shortVideoStrategy({ ...CREDENTIALS, ...made })).to.throw(TypeError, problem + remedy);
        // Another server may have other scopes.
        shortVideoStrategy({ ...known, ...made });
        expect((await warnings.texts()).join()).to.include(problem);
      }
    });
  }

  it('users who granted user.info.stats have their counters without profileFields', async () => {
    const sandbox = close(await startSandbox());
    const scope = ['user.info.basic', 'user.info.stats'];
    const app = close(await loginApp(shortVideoStrategy({ ...sandbox.options('short-video'), scope })));
    const browser = new Browser();
    await browser.get(await allow(browser, await start(browser, app, 'short-video')));
    const counters = FIELDS['user.info.stats'] ?? [];
    expect(app.endings[0]).to.have.nested.property('user._json.data.user').that.includes.all.keys(counters);
    expect(app.endings[0]).to.not.have.nested.property('user._json.data.user.username');
  });

  it('C23: scope may leave out those of default fields, and follows from profileFields if it is left out', async () => {
    const scopeOf = async (options: object) =>
      (await redirectOf(shortVideoStrategy({ ...CREDENTIALS, ...options }))).searchParams.get('scope');
    expect(await scopeOf({ scope: 'user.info.basic' })).to.equal('user.info.basic');
    const profileFields = ['likes_count', 'bio_description'];
    const derived = 'user.info.basic,user.info.stats,user.info.profile';
    expect(await scopeOf({ profileFields })).to.equal(derived);
    const profileURL = 'https://network.example/user/info/?fields=open_id';
    expect(() => shortVideoStrategy({ ...CREDENTIALS, profileURL })).to.throw(
      TypeError,
      /profileURL has fields in its query: name them in/,
    );
  });

  it('grantedScopes splits scope at commas', () => {
    expect(grantedScopes({ scope: 'user.info.basic,video.list' })).to.deep.equal([
      'user.info.basic',
      'video.list',
    ]);
    for (const params of [{}, { scope: '' }, { scope: ' , ' }])
      expect(grantedScopes(params)).to.deep.equal([]);
  });
});
