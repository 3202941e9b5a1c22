import { expect } from 'chai';
import type { Refused } from '../requests.js';
import {
  BASE64URL_CHALLENGE,
  basic,
  eachSandbox,
  post,
  postJson,
  REDIRECT_URI,
  reasonOf,
  stringIn,
  VERIFIER,
} from '../requests.js';
import { ShortVideoClient } from './client.js';

const HTTPS = 'https://app.example.com/callback';
const BAD_CODE = ['invalid_grant', 'Authorization code is expired.'] as const;
const BAD_VERIFIER = ['invalid_request', 'Code verifier or code challenge is invalid.'] as const;
const BAD_CLIENT = [
  'invalid_client',
  'Client key or secret is incorrect.',
  'client_key or client_secret is missing from the body, or wrong',
] as const;
const BAD_REFRESH = ['invalid_grant', 'Refresh token is invalid or expired.'] as const;
const MISMATCH = 'code_verifier does not match code_challenge, its SHA-256 in hex';

describe("The sandbox's short-video network, token request", () => {
  const sandbox = eachSandbox();
  const client = new ShortVideoClient(sandbox);
  const options = () => sandbox.options('short-video');
  const exchange = async (changes = {}) => client.exchange(await client.code(), changes);

  it('exchanges a code for tokens and the open_id of the user', async () => {
    const scope = 'user.info.basic,user.info.profile';
    const reply = await client.exchange(await client.code({ scope, person: 'max' }));
    expect(reply.status).to.equal(200);
    expect(reply.headers.get('content-type')).to.equal('application/json; charset=utf-8');
    expect(reply.json).to.deep.include({
      expires_in: 7200,
      open_id: '-000dXQ7_yB2mZ9kLr4VtSw1pNfHc6gJe3uAiEoKdMxY',
      refresh_expires_in: 15552000,
      scope,
      token_type: 'Bearer',
    });
    expect(stringIn(reply.json, 'access_token')).to.match(/^act\.[A-Za-z0-9_-]{48}!4608$/);
    expect(stringIn(reply.json, 'refresh_token')).to.match(/^rft\.[A-Za-z0-9_-]{48}!4608$/);
  });

  it('accepts a code for a minute', async () => {
    const [first, second] = [await client.code(), await client.code()];
    sandbox.advance(59_000);
    expect((await client.exchange(first)).json).to.have.property('access_token');
    sandbox.advance(1_000);
    client.expectError(await client.exchange(second), ...BAD_CODE, 'code has expired');
  });

  it('rejects a redirect_uri that differs from the authorization request, and uses up the code', async () => {
    const code = await client.code();
    client.expectError(
      await client.exchange(code, { redirect_uri: `${REDIRECT_URI}/` }),
      'invalid_request',
      'Redirect_uri is not matched with the uri when requesting code.',
      'redirect_uri differs from the authorization request',
    );
    client.expectError(await client.exchange(code), ...BAD_CODE, 'code was used before');
  });

  it('accepts a base64url challenge with an https redirect_uri, and checks it', async () => {
    const changes = { redirect_uri: HTTPS, code_challenge: BASE64URL_CHALLENGE };
    const right = await client.exchange(await client.code(changes), { redirect_uri: HTTPS });
    expect(right.json).to.have.property('access_token');
    const wrong = { redirect_uri: HTTPS, code_verifier: `${VERIFIER}x` };
    client.expectError(await client.exchange(await client.code(changes), wrong), ...BAD_VERIFIER, MISMATCH);
  });

  it('needs no code_verifier when there was no challenge', async () => {
    const changes = { code_challenge: undefined, code_challenge_method: undefined };
    const code = await client.code({ redirect_uri: HTTPS, ...changes });
    const reply = await client.token({ grant_type: 'authorization_code', code, redirect_uri: HTTPS });
    expect(reply.json).to.have.property('access_token');
  });

  it('leaves the code unused when client authentication fails', async () => {
    const code = await client.code();
    await client.exchange(code, { client_secret: 'wrong' });
    expect((await client.exchange(code)).json).to.have.property('access_token');
  });

  it('has no token endpoint without the slash at its end', async () => {
    expect((await post(options().tokenURL.replace(/\/$/, ''), {})).status).to.equal(404);
    expect(reasonOf(sandbox)).to.equal('no endpoint has this path');
  });

  const refused: Refused<[error: string, description: string, reason: string]> = [
    [
      'a code that is still percent-encoded',
      async () => client.exchange((await client.code()).replace('!', '%21')),
      ...BAD_CODE,
      'code is missing, or not one that this sandbox gave out',
    ],
    ...[`${VERIFIER}x`, '', 'short'].map(
      (code_verifier) =>
        [
          `the code_verifier "${code_verifier}"`,
          () => exchange({ code_verifier }),
          ...BAD_VERIFIER,
          MISMATCH,
        ] as const,
    ),
    [
      'a base64url challenge with a loopback redirect_uri, which the page accepted',
      async () => client.exchange(await client.code({ code_challenge: BASE64URL_CHALLENGE })),
      ...BAD_VERIFIER,
      'code_challenge is base64url; with a loopback redirect_uri this network wants hex',
    ],
    ['a wrong client_secret', () => exchange({ client_secret: 'wrong' }), ...BAD_CLIENT],
    ['no client_secret', () => exchange({ client_secret: '' }), ...BAD_CLIENT],
    ['a wrong client_key', () => exchange({ client_key: 'nobody' }), ...BAD_CLIENT],
    [
      'credentials in HTTP Basic',
      async () => {
        const { tokenURL, clientID, clientSecret } = options();
        const fields = { redirect_uri: REDIRECT_URI, code_verifier: VERIFIER, code: await client.code() };
        const grant = { grant_type: 'authorization_code', ...fields };
        return post(tokenURL, grant, basic(clientID, clientSecret));
      },
      ...BAD_CLIENT,
    ],
    [
      'a JSON body',
      () => {
        const { tokenURL, clientID, clientSecret } = options();
        return postJson(tokenURL, { client_key: clientID, client_secret: clientSecret });
      },
      'invalid_request',
      'Only `application/x-www-form-urlencoded` is accepted as Content-Type.',
      'the body is not application/x-www-form-urlencoded',
    ],
    [
      'an unknown grant_type',
      () => client.token({ grant_type: 'password' }),
      'unsupported_grant_type',
      'Grant type is not supported.',
      'grant_type is unknown',
    ],
    [
      'no grant_type',
      () => client.token({}),
      'invalid_request',
      'The request parameters are malformed.',
      'grant_type is missing',
    ],
  ];

  for (const [what, send, ...error] of refused) {
    it(`rejects ${what}`, async () => client.expectError(await send(), ...error));
  }

  it('returns a new pair of tokens for a refresh token, and rejects the old refresh token', async () => {
    const { accessToken, refreshToken } = await client.tokens('alice', 'user.info.basic,user.info.stats');
    const { json } = await client.refresh(refreshToken);
    expect(json).to.include({
      open_id: '723f24d7-e717-40f8-a2b6-cb8464cd23b4',
      scope: 'user.info.basic,user.info.stats',
      token_type: 'Bearer',
    });
    expect(stringIn(json, 'refresh_token')).not.to.equal(refreshToken);
    expect((await client.profile(stringIn(json, 'access_token'), 'open_id')).status).to.equal(200);
    expect((await client.profile(accessToken, 'open_id')).status).to.equal(200);
    client.expectError(await client.refresh(refreshToken), ...BAD_REFRESH, 'refresh_token was used before');
    expect((await client.refresh(stringIn(json, 'refresh_token'))).json).to.have.property('access_token');
  });

  it('accepts a refresh token for 180 days', async () => {
    const { refreshToken } = await client.tokens('alice');
    sandbox.advance(180 * 86_400_000);
    client.expectError(await client.refresh(refreshToken), ...BAD_REFRESH, 'refresh_token has expired');
  });

  it('revokes every token of the consent, given an access token, and not given a refresh token', async () => {
    const { accessToken, refreshToken } = await client.tokens('alice');
    expect((await client.revoke(refreshToken)).json).to.include({ error: 'invalid_grant' });
    const reply = await client.revoke(accessToken);
    expect([reply.status, reply.text]).to.deep.equal([200, '{}']);
    expect((await client.profile(accessToken, 'open_id')).status).to.equal(401);
    expect((await client.refresh(refreshToken)).json).to.include({ error: 'invalid_grant' });
  });

  it('does not revoke an expired access token, and the consent stays', async () => {
    const { accessToken, refreshToken } = await client.tokens('alice');
    sandbox.advance(7_200_000);
    client.expectError(
      await client.revoke(accessToken),
      'invalid_grant',
      'Access token is invalid or expired.',
      'token has expired',
    );
    expect((await client.refresh(refreshToken)).json).to.have.property('access_token');
  });
});
