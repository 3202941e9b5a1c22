import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { COMMON_BELIEFS } from '../../sandbox/lib/core/evidence.js';
import { type Belief, type Sandbox, startSandbox } from '../../sandbox/lib/index.js';
import { NETWORKS } from '../../sandbox/lib/networks.js';
import { closesAfterEach } from '../support/cleanup.js';
import { ClassicClient, OAuth1Client, OAuth2Client, ShortVideoClient, STATE, VkIdClient } from './clients.js';
import type { Changes, Fields, Reply } from './requests.js';
import { BASE64URL_CHALLENGE, basic, get, HEX_CHALLENGE, post, postJson, signed } from './requests.js';

type Send = (sandbox: Sandbox) => Promise<Reply>;

/** A request that breaks one supposed belief, and nothing else: key of the belief, reason, request, and title if the reason does not tell. */
type Doubtful = readonly [belief: string, reason: string, send: Send, what?: string];

const PLAIN_HTTP = { redirect_uri: 'http://app.example.com/callback' };
const UNSAFE = `redirect_uri is plain http beyond this machine: ${PLAIN_HTTP.redirect_uri}`;
/** As X's SDK makes them. */
const LONG_VERIFIER = 'v'.repeat(171);
const NO_FORM = 'the body is not application/x-www-form-urlencoded';
const HAS_HEADER = 'a public client sends an Authorization header';
const TOKEN_TWICE = 'oauth_token is in the header and again in query or body';
const BAD_STATE = 'state has fewer than 32 characters, or others than letters, digits, "_" and "-"';
const NO_BASIC_SCOPE = 'open_id needs user.info.basic, which was not granted';

/** Opens an authorization page that answers itself. */
const opens =
  (Client: typeof ClassicClient | typeof OAuth2Client | typeof ShortVideoClient | typeof VkIdClient) =>
  (changes: Changes): Send =>
  (sandbox) =>
    get(new Client(sandbox).authorization({ auto: 'allow', ...changes }));

const shortVideo = opens(ShortVideoClient);
const microblog = opens(OAuth2Client);
const classic = opens(ClassicClient);
const vkId = opens(VkIdClient);

const repeated: Send = (sandbox) =>
  get(`${new OAuth2Client(sandbox).authorization({ auto: 'allow' })}&state=other`);

const lookUp =
  (query: Fields): Send =>
  async (sandbox) => {
    const client = new OAuth2Client(sandbox);
    return client.lookup((await client.tokens()).accessToken, query);
  };

const userInfo =
  (fields: string, scope?: string): Send =>
  async (sandbox) => {
    const client = new ShortVideoClient(sandbox);
    return client.profile((await client.tokens(scope === undefined ? {} : { scope })).accessToken, fields);
  };

const publicExchange: Send = async (sandbox) => {
  const client = new OAuth2Client(sandbox, 'public');
  return client.exchange(await client.code(), {}, basic(client.id, ''));
};

const jsonExchange: Send = async (sandbox) => {
  const client = new OAuth2Client(sandbox, 'confidential', postJson);
  return client.exchange(await client.code());
};

const jsonRevocation: Send = async (sandbox) => {
  const { accessToken: token } = await new OAuth2Client(sandbox).tokens();
  return new OAuth2Client(sandbox, 'confidential', postJson).revoke({ token });
};

const longVerifier: Send = async (sandbox) => {
  const client = new OAuth2Client(sandbox);
  const code_challenge = createHash('sha256').update(LONG_VERIFIER).digest('base64url');
  return client.exchange(await client.code({ code_challenge }), { code_verifier: LONG_VERIFIER });
};

const tokenTwice: Send = async (sandbox) => {
  const client = new OAuth1Client(sandbox);
  const { accessTokenURL: url } = client.options;
  const requestToken = await client.requestToken();
  const verifier = { oauth_verifier: await client.verifier(requestToken.token) };
  const headers = signed('POST', url, { ...client.signer, ...requestToken }, {}, verifier);
  return post(url, { oauth_token: requestToken.token, ...verifier }, headers);
};

const plainCallback: Send = (sandbox) =>
  new OAuth1Client(sandbox).start({ oauth_callback: PLAIN_HTTP.redirect_uri });

const pinAtAuthenticate: Send = async (sandbox) => {
  const client = new OAuth1Client(sandbox);
  return get(client.authorization((await client.requestToken('oob')).token));
};

const otherGrantType: Send = async (sandbox) => {
  const client = new ClassicClient(sandbox);
  return client.exchange(await client.code(), { grant_type: 'refresh_token' });
};

const vkIdSecret: Send = async (sandbox) => {
  const client = new VkIdClient(sandbox);
  return client.exchange(await client.authorize(), { client_secret: '' });
};

const HTTPS_BASE64URL = {
  redirect_uri: 'https://app.example.com/callback',
  code_challenge: BASE64URL_CHALLENGE,
};
const BAD_VERIFIER = 'code_verifier does not have 43 to 128 letters, digits and "-._~"';
const BAD_PLAIN = 'code_challenge is no code verifier, of 43 to 128 letters';
const PLAIN_CHALLENGE = { code_challenge: 'test', code_challenge_method: 'plain' };
const BAD_TOKEN = 'token is missing, or not one that this sandbox gave out';
const OTHER_PAGE = 'a login by PIN opens /oauth/authenticate instead of /oauth/authorize';
const NO_EMAIL_SCOPE = 'confirmed_email needs the scope users.email, which was not granted';
const SMALL_S = 'code_challenge_method is "s256", not "S256"';
const NO_DIGEST = 'code_challenge is no SHA-256 in base64url';
const BAD_RIGHT = 'scope names a right that does not exist';

/** The status of a strict sandbox, by belief, where it is not 400. */
const STATUSES: Readonly<Record<string, number>> = {
  basicScope: 401,
  publicClientHeader: 401,
  grantType: 401,
  emailScope: 403,
  pinPage: 403,
  vkIdClientSecret: 404,
};

/** By network, or `every network`. The sources in `beliefs.ts` say which clients send such requests. */
const DOUBTFUL: Readonly<Record<string, readonly Doubtful[]>> = {
  'every network': [['repeats', 'a parameter is given twice', repeated]],
  'short-video': [
    ['challengeForm', 'code_challenge is no SHA-256 in lower-case hex', shortVideo(HTTPS_BASE64URL)],
    ['fieldNames', 'fields names a field that does not exist', userInfo('open_id,avatar_url_200')],
    ['basicScope', NO_BASIC_SCOPE, userInfo('open_id,avatar_url,display_name,username', 'user.info.profile')],
  ],
  microblog: [
    ['redirectUriHttps', UNSAFE, microblog(PLAIN_HTTP)],
    ['redirectUriHttps', UNSAFE.replace('redirect_uri', 'oauth_callback'), plainCallback],
    ['challengeMethodCase', SMALL_S, microblog({ code_challenge_method: 's256' })],
    ['challengeForm', NO_DIGEST, microblog({ code_challenge: HEX_CHALLENGE })],
    ['verifierForm', BAD_PLAIN, microblog(PLAIN_CHALLENGE)],
    ['verifierForm', BAD_VERIFIER, longVerifier],
    ['tokenForm', NO_FORM, jsonExchange, 'a code'],
    ['tokenForm', NO_FORM, jsonRevocation, 'a revocation'],
    ['publicClientHeader', HAS_HEADER, publicExchange],
    ['revokedToken', BAD_TOKEN, (sandbox) => new OAuth2Client(sandbox).revoke({ token: 'unknown' })],
    ...[
      ['user.fields', 'pinned_tweet_id'],
      ['expansions', 'pinned_post_id'],
      ['post.fields', 'text'],
    ].map(([name = '', value = '']): Doubtful => {
      const reason = `${name} names a value that not every version of the API description has`;
      return ['lookupVocabulary', reason, lookUp({ [name]: value }), value];
    }),
    ['emailScope', NO_EMAIL_SCOPE, lookUp({ 'user.fields': 'confirmed_email' })],
    ['tokenTwice', TOKEN_TWICE, tokenTwice],
    ['pinPage', OTHER_PAGE, pinAtAuthenticate],
  ],
  'social-network': [
    ['authorizationVersion', 'v is missing or below 5.81', classic({ v: undefined })],
    ['redirectUriHttps', UNSAFE, classic(PLAIN_HTTP), 'classic'],
    ['redirectUriHttps', UNSAFE, vkId(PLAIN_HTTP), 'VK ID'],
    ['scope', `${BAD_RIGHT}: 512`, classic({ scope: '512' })],
    ['grantType', 'grant_type is not authorization_code', otherGrantType],
    ['vkIdState', BAD_STATE, vkId({ state: 's'.repeat(24) }), 'of 24 characters'],
    ['vkIdState', BAD_STATE, vkId({ state: `${STATE}.x` }), 'with dots'],
    ['vkIdState', BAD_STATE, vkId({ state: undefined }), 'missing'],
    ['vkIdClientSecret', 'client_secret is sent, VK ID has none', vkIdSecret],
  ],
};

const BELIEFS: readonly (readonly [network: string, beliefs: Readonly<Record<string, Belief>>])[] = [
  ['every network', COMMON_BELIEFS],
  ...NETWORKS.map(({ name, beliefs }) => [name, beliefs] as const),
];

describe('What is only supposed about a network', () => {
  const close = closesAfterEach();

  for (const [network, beliefs] of BELIEFS) {
    const doubtful = DOUBTFUL[network] ?? [];

    it(`has a test, for ${network}`, () => {
      const supposed = Object.entries(beliefs).filter(([, { mark }]) => mark === 'supposed');
      const tested = new Set(doubtful.map(([key]) => key));
      expect([...tested]).to.have.members(supposed.map(([key]) => key));
    });

    for (const [key, reason, send, what] of doubtful) {
      it(`is accepted and noted, and rejected by a strict sandbox, at ${network}: ${[reason, what].filter(Boolean).join(': ')}`, async () => {
        const lenient = close(await startSandbox());
        expect((await send(lenient)).status).to.be.below(400);
        const accepted = lenient.requests().at(-1);
        expect(accepted).not.to.have.any.keys('refused', 'belief');
        expect(accepted?.noted).to.deep.equal([`the network may refuse this: ${reason}`]);

        const strict = close(await startSandbox({ strict: true }));
        const { status, headers } = await send(strict);
        const isCallback = reason.startsWith('oauth_callback');
        expect(status).to.equal(isCallback ? 403 : (STATUSES[key] ?? 400));
        expect(headers.location).to.equal(undefined);
        const rejected = strict.requests().at(-1);
        expect(rejected).not.to.have.property('noted');
        expect(rejected).to.include({ refused: reason, belief: beliefs[key] });
      });
    }
  }
});
