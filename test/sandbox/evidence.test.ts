import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { COMMON_BELIEFS } from '../../sandbox/lib/core/evidence.js';
import { type Belief, type Sandbox, startSandbox } from '../../sandbox/lib/index.js';
import { NETWORKS } from '../../sandbox/lib/networks.js';
import { protocolOf, subjects } from '../contract/strategies.js';
import { closesAfterEach } from '../support/cleanup.js';
import { logIn } from '../support/journey.js';
import { loginApp } from '../support/login-app.js';
import { realSockets } from '../support/real-sockets.js';
import { strategyFor } from './fault-logins.js';
import { OAuth1Client } from './microblog/oauth1-client.js';
import { OAuth2Client } from './microblog/oauth2-client.js';
import {
  BASE64URL_CHALLENGE,
  basic,
  get,
  HEX_CHALLENGE,
  post,
  postJson,
  type Reply,
  signed,
} from './requests.js';
import { ShortVideoClient } from './short-video/client.js';
import { ClassicClient } from './social-network/classic-client.js';
import { STATE, VkIdClient } from './social-network/vk-id-client.js';

/** A request that breaks one supposed belief, and nothing else. */
interface Doubtful {
  readonly what: string;
  readonly reason: string;
  readonly send: (sandbox: Sandbox) => Promise<Reply>;
}

const PLAIN_HTTP = 'http://app.example.com/callback';
const HTTPS = 'https://app.example.com/callback';
const UNSAFE = 'redirect_uri is plain http beyond this machine';
/** As X's SDK makes them. */
const LONG_VERIFIER = 'v'.repeat(171);
const BAD_STATE = 'state has fewer than 32 characters, or others than letters, digits, "_" and "-"';
const NO_FORM = 'the body is not application/x-www-form-urlencoded';
const UNCOMMON = 'a value that not every version of the API description has';

const allow = { auto: 'allow' } as const;

/** By network, or `every network`, and by key of the belief. */
const DOUBTFUL: Readonly<Record<string, Readonly<Record<string, readonly Doubtful[]>>>> = {
  'every network': {
    repeats: [
      {
        what: 'a parameter that is given twice',
        reason: 'a parameter is given twice',
        send: (sandbox) => get(`${new OAuth2Client(sandbox).authorization(allow)}&state=other`),
      },
    ],
  },
  'short-video': {
    challengeForm: [
      {
        what: 'a base64url challenge with an https redirect_uri, as Auth.js and arctic send it',
        reason: 'code_challenge is no SHA-256 in lower-case hex',
        send: (sandbox) =>
          get(
            new ShortVideoClient(sandbox).authorization({
              ...allow,
              redirect_uri: HTTPS,
              code_challenge: BASE64URL_CHALLENGE,
            }),
          ),
      },
    ],
    fieldNames: [
      {
        what: 'the field avatar_url_200, as passport-tiktok-auth requests it',
        reason: 'fields names a field that does not exist',
        async send(sandbox) {
          const client = new ShortVideoClient(sandbox);
          return client.profile((await client.tokens('alice')).accessToken, 'open_id,avatar_url_200');
        },
      },
    ],
    basicScope: [
      ['better-auth', 'open_id,avatar_large_url,display_name,username'],
      ['an earlier Auth.js', 'open_id,avatar_url,display_name,username'],
    ].map(([client = '', fields = '']) => ({
      what: `the fields ${fields} with the scope user.info.profile alone, as ${client} requests them`,
      reason: 'open_id needs user.info.basic, which was not granted',
      async send(sandbox) {
        const shortVideo = new ShortVideoClient(sandbox);
        return shortVideo.profile(
          (await shortVideo.tokens('alice', 'user.info.profile')).accessToken,
          fields,
        );
      },
    })),
  },
  microblog: {
    redirectUriHttps: [
      {
        what: 'a plain http redirect_uri beyond this machine',
        reason: UNSAFE,
        send: (sandbox) =>
          get(new OAuth2Client(sandbox).authorization({ ...allow, redirect_uri: PLAIN_HTTP })),
      },
      {
        what: 'a plain http oauth_callback beyond this machine',
        reason: UNSAFE.replace('redirect_uri', 'oauth_callback'),
        send: (sandbox) => new OAuth1Client(sandbox).start({ oauth_callback: PLAIN_HTTP }),
      },
    ],
    challengeMethodCase: [
      {
        what: "the method s256, as X's earlier SDK and twitter-api-v2 send it",
        reason: 'code_challenge_method is "s256", not "S256"',
        send: (sandbox) =>
          get(new OAuth2Client(sandbox).authorization({ ...allow, code_challenge_method: 's256' })),
      },
    ],
    challengeForm: [
      {
        what: 'a challenge in hex',
        reason: 'code_challenge is no SHA-256 in base64url',
        send: (sandbox) =>
          get(new OAuth2Client(sandbox).authorization({ ...allow, code_challenge: HEX_CHALLENGE })),
      },
    ],
    verifierForm: [
      {
        what: "a short plain challenge, as in the example of X's SDK",
        reason: 'code_challenge is no code verifier, of 43 to 128 letters',
        send: (sandbox) =>
          get(
            new OAuth2Client(sandbox).authorization({
              ...allow,
              code_challenge: 'test',
              code_challenge_method: 'plain',
            }),
          ),
      },
      {
        what: "a verifier of 171 characters, as X's SDK sends it",
        reason: 'code_verifier does not have 43 to 128 letters, digits and "-._~"',
        async send(sandbox) {
          const client = new OAuth2Client(sandbox);
          const code_challenge = createHash('sha256').update(LONG_VERIFIER).digest('base64url');
          return client.exchange(await client.code({ code_challenge }), { code_verifier: LONG_VERIFIER });
        },
      },
    ],
    tokenForm: [
      ...(['confidential', 'public'] as const).map((kind) => ({
        what: `a code in a JSON body from a ${kind} client, as twitter-api-v2 sends it`,
        reason: NO_FORM,
        async send(sandbox: Sandbox) {
          const client = new OAuth2Client(sandbox, kind, postJson);
          return client.exchange(await client.code());
        },
      })),
      {
        what: 'a refresh token in a JSON body, as twitter-api-v2 sends it',
        reason: NO_FORM,
        async send(sandbox) {
          const { refreshToken } = await new OAuth2Client(sandbox).tokens();
          return new OAuth2Client(sandbox, 'confidential', postJson).refresh(refreshToken);
        },
      },
      {
        what: 'a revocation in a JSON body, as twitter-api-v2 sends it',
        reason: NO_FORM,
        async send(sandbox) {
          const { accessToken } = await new OAuth2Client(sandbox).tokens();
          return new OAuth2Client(sandbox, 'confidential', postJson).revoke({ token: accessToken });
        },
      },
    ],
    publicClientHeader: [
      {
        what: 'HTTP Basic from a public client',
        reason: 'a public client sends an Authorization header',
        async send(sandbox) {
          const client = new OAuth2Client(sandbox, 'public');
          return client.exchange(await client.code(), {}, basic(client.id, ''));
        },
      },
      {
        what: 'an Authorization header that is not valid HTTP Basic, from a public client',
        reason: 'a public client sends an Authorization header',
        async send(sandbox) {
          const client = new OAuth2Client(sandbox, 'public');
          return client.exchange(await client.code(), {}, { Authorization: 'Basic ?' });
        },
      },
    ],
    revokedToken: [
      {
        what: 'the revocation of an unknown token',
        reason: 'token is missing, or not one that this sandbox gave out',
        send: (sandbox) => new OAuth2Client(sandbox).revoke({ token: 'unknown' }),
      },
    ],
    lookupVocabulary: [
      ['user.fields', 'pinned_tweet_id'],
      ['expansions', 'pinned_tweet_id'],
      ['expansions', 'pinned_post_id'],
      ['tweet.fields', 'text'],
      ['post.fields', 'text'],
    ].map(([name = '', value = '']) => ({
      what: `${name}=${value}`,
      reason: `${name} names ${UNCOMMON}`,
      async send(sandbox) {
        const client = new OAuth2Client(sandbox);
        return client.lookup((await client.tokens()).accessToken, { [name]: value });
      },
    })),
    emailScope: [
      {
        what: 'confirmed_email without the scope users.email',
        reason: 'confirmed_email needs the scope users.email, which was not granted',
        async send(sandbox) {
          const client = new OAuth2Client(sandbox);
          return client.lookup((await client.tokens()).accessToken, { 'user.fields': 'confirmed_email' });
        },
      },
    ],
    tokenTwice: (['query', 'body'] as const).map((place) => ({
      what: `oauth_token in the header and in the ${place}, signed once, as X's SDK and twitter-api-v2 send it`,
      reason: 'oauth_token is in the header and again in query or body',
      async send(sandbox) {
        const client = new OAuth1Client(sandbox);
        const { accessTokenURL } = sandbox.options('microblog', { version: '1.0' });
        const requestToken = await client.requestToken();
        const verifier = { oauth_verifier: await client.verifier(requestToken.token) };
        const headers = signed('POST', accessTokenURL, { ...client.signer, ...requestToken }, {}, verifier);
        const fields = { oauth_token: requestToken.token, ...verifier };
        if (place === 'body') return post(accessTokenURL, fields, headers);
        return post(`${accessTokenURL}?${new URLSearchParams(fields).toString()}`, {}, headers);
      },
    })),
    pinPage: [
      {
        what: 'a login by PIN at /oauth/authenticate, as twitter-api-v2 starts it',
        reason: 'a login by PIN opens /oauth/authenticate instead of /oauth/authorize',
        async send(sandbox) {
          const client = new OAuth1Client(sandbox);
          return get(client.authorization((await client.requestToken('oob')).token));
        },
      },
    ],
  },
  'social-network': {
    authorizationVersion: [undefined, '5.80'].map((v) => ({
      what: `a classic authorization with the v ${v}`,
      reason: 'v is missing or below 5.81',
      send: (sandbox) => get(new ClassicClient(sandbox).authorization({ ...allow, v })),
    })),
    redirectUriHttps: [
      {
        what: 'a plain http redirect_uri beyond this machine, classic',
        reason: UNSAFE,
        send: (sandbox) =>
          get(new ClassicClient(sandbox).authorization({ ...allow, redirect_uri: PLAIN_HTTP })),
      },
      {
        what: 'a plain http redirect_uri beyond this machine, VK ID',
        reason: UNSAFE,
        send: (sandbox) => get(new VkIdClient(sandbox).authorization({ ...allow, redirect_uri: PLAIN_HTTP })),
      },
    ],
    scope: ['email,openid', '512'].map((scope) => ({
      what: `the classic scope ${scope}`,
      reason: 'scope names a right that does not exist',
      send: (sandbox) => get(new ClassicClient(sandbox).authorization({ ...allow, scope })),
    })),
    grantType: [
      {
        what: 'a classic token request with another grant_type',
        reason: 'grant_type is not authorization_code',
        async send(sandbox) {
          const client = new ClassicClient(sandbox);
          return client.exchange(await client.code(), { grant_type: 'refresh_token' });
        },
      },
    ],
    vkIdState: [
      ['of 16 characters, as django-allauth sends it', 's'.repeat(16)],
      ['of 24 characters, as passport-vk-id sends it', 's'.repeat(24)],
      ['with dots', `${STATE}.x`],
      ['that is missing', undefined],
    ].map(([what, state]) => ({
      what: `a state ${what}`,
      reason: BAD_STATE,
      send: (sandbox) => get(new VkIdClient(sandbox).authorization({ ...allow, state })),
    })),
    vkIdClientSecret: ['', 'secret'].map((client_secret) => ({
      what: `the client_secret "${client_secret}" at VK ID, as better-auth and django-allauth send one`,
      reason: 'client_secret is sent, VK ID has none',
      async send(sandbox) {
        const client = new VkIdClient(sandbox);
        return client.exchange(await client.authorize(), { client_secret });
      },
    })),
  },
};

const BELIEFS: readonly (readonly [network: string, beliefs: Readonly<Record<string, Belief>>])[] = [
  ['every network', COMMON_BELIEFS],
  ...NETWORKS.map(({ name, beliefs }) => [name, beliefs] as const),
];

describe('What is only supposed about a network', () => {
  const close = closesAfterEach();

  for (const [network, beliefs] of BELIEFS) {
    const supposed = Object.entries(beliefs).filter(([, { mark }]) => mark === 'supposed');

    it(`has a test, for ${network}`, () => {
      expect(Object.keys(DOUBTFUL[network] ?? {})).to.have.members(supposed.map(([key]) => key));
    });

    for (const [key, belief] of supposed) {
      for (const { what, reason, send } of DOUBTFUL[network]?.[key] ?? []) {
        it(`is accepted and noted, and rejected by a strict sandbox, at ${network}: ${what}`, async () => {
          const lenient = close(await startSandbox());
          expect((await send(lenient)).status).to.be.below(400);
          const accepted = lenient.requests().at(-1);
          expect(accepted).not.to.have.any.keys('refused', 'belief');
          expect(accepted?.noted).to.deep.equal([`the network may refuse this: ${reason}`]);

          const strict = close(await startSandbox({ strict: true }));
          await send(strict);
          const rejected = strict.requests().at(-1);
          expect(rejected).not.to.have.property('noted');
          expect(rejected).to.include({ refused: reason, belief });
        });
      }
    }
  }
});

describe('A belief of the sandbox', () => {
  for (const { name, beliefs } of NETWORKS) {
    it(`of ${name} belongs to a check of its folder`, () => {
      const folder = join(__dirname, '../../sandbox/lib', name);
      const code = readdirSync(folder)
        .filter((file) => file !== 'beliefs.ts')
        .map((file) => readFileSync(join(folder, file), 'utf8'))
        .join('\n');
      expect(Object.keys(beliefs).filter((key) => !code.includes(`BELIEFS.${key}`))).to.deep.equal([]);
    });
  }

  it('is a sentence with its source', () => {
    for (const [network, beliefs] of BELIEFS) {
      for (const [key, { says, source }] of Object.entries(beliefs)) {
        expect(says, `${network} ${key}`).to.match(/^[^\n|]+\.$/);
        expect(source, `${network} ${key}`).to.match(/^[^\n|]+[^.]$/);
      }
    }
  });
});

describe('A strict sandbox', () => {
  realSockets();
  const close = closesAfterEach();

  for (const subject of subjects()) {
    it(`has nothing to note about a login at ${protocolOf(subject)}`, async () => {
      const sandbox = close(await startSandbox({ strict: true }));
      const app = close(await loginApp(strategyFor(subject, sandbox, 5_000)));
      const { status, json } = await logIn(app, subject.provider);
      expect(json).to.have.property('user');
      expect(status).to.equal(200);
      expect(sandbox.requests().filter(({ refused, noted }) => refused ?? noted)).to.deep.equal([]);
    });
  }
});
