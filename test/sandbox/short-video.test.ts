import { expect } from 'chai';
import { PEOPLE } from '../../sandbox/lib/index.js';
import { eachSandbox } from '../support/sandbox.js';
import { ShortVideoClient, showsErrorPages } from './clients.js';
import type { Fields, Reply } from './requests.js';
import {
  BASE64URL_CHALLENGE,
  basic,
  changesIn,
  expectError,
  expectTokens,
  get,
  post,
  postJson,
  REDIRECT_URI,
  reasonOf,
  responseParameters,
  rows,
  stringIn,
  urlWith,
  VERIFIER,
} from './requests.js';

const HTTPS = 'https://app.example.com/callback';
const WITH_STATS = 'user.info.basic,user.info.stats';
const EVERY_SCOPE = 'user.info.basic,user.info.profile,user.info.stats';
const [ALICE, ANNA] = PEOPLE;
const MAX_ID = '-000dXQ7_yB2mZ9kLr4VtSw1pNfHc6gJe3uAiEoKdMxY';
const NOT_ISSUED = 'not one that this sandbox gave out';

/** Query of the real network's error page. The sandbox shows it on the page, HTML-escaped. */
const parameters = (type = '', code?: string, error = 'param_error') =>
  `error=${error}&#38;${code ? `errCode=${code}&#38;` : ''}error_type=${type}`;

/** Changes of a right request; reason; type and code of the error page, and another error. */
const REJECTED = rows(`
  -client_key&client_id=sbawsandboxkey0001 | client_id is sent, this network wants client_key         | client_key | 10003
  -client_key                              | client_key is missing                                    | client_key | 10003
  client_key=nobody                        | client_key belongs to no application of the sandbox      | client_key | | unauthorized_client
  response_type=token                      | response_type is not "code"                              | response_type
  scope=user.info.basic+user.info.stats    | scopes are joined by spaces, this network wants commas   | scope
  scope=user.info.basic,user.info.email | scope is missing or names one that the application does not have: user.info.email | scope
  -scope                                | scope is missing or names one that the application does not have | scope
  -redirect_uri                            | redirect_uri is missing, empty or given twice            | redirect_uri | 10006
  redirect_uri=/callback               | redirect_uri is no absolute http or https address: /callback | redirect_uri | 10006
  redirect_uri=javascript:alert(1)     | redirect_uri is no absolute http or https address: javascript:alert(1) | redirect_uri | 10006
  redirect_uri=http://app.example.com/callback | redirect_uri is plain http beyond this machine: http://app.example.com/callback | redirect_uri | 10006
  redirect_uri=${REDIRECT_URI}?id=1        | redirect_uri has a query: ${REDIRECT_URI}?id=1 | redirect_uri | 10006
  redirect_uri=${REDIRECT_URI}#100         | redirect_uri has a fragment: ${REDIRECT_URI}#100 | redirect_uri | 10006
  redirect_uri=https://app.example.com/${'a'.repeat(488)} | redirect_uri has 512 characters or more   | redirect_uri | 10006
  redirect_uri=http://localhost/callback | redirect_uri names no port, which a loopback address needs: http://localhost/callback | redirect_uri | 10006
  redirect_uri=http://[::1]:3000/callback  | redirect_uri is neither localhost nor 127.0.0.1: http://[::1]:3000/callback | redirect_uri | 10006
  redirect_uri=http://shop.localhost/      | redirect_uri is neither localhost nor 127.0.0.1: http://shop.localhost/ | redirect_uri | 10006
  -code_challenge      | code_challenge is missing, which a loopback redirect_uri needs               | code_challenge | 10007
  code_challenge=      | code_challenge is missing, which a loopback redirect_uri needs               | code_challenge | 10007
  code_challenge_method=plain              | code_challenge_method is not "S256"                      | code_challenge | 10007
  disable_auto_auth=true                   | disable_auto_auth is neither 0 nor 1                     | disable_auto_auth`);

describe("The sandbox's short-video network, authorization", () => {
  const sandbox = eachSandbox();
  const client = new ShortVideoClient(sandbox);

  it('redirects back with a code, the granted scopes and the state', async () => {
    const reply = await get(client.authorization({ auto: 'allow', scope: WITH_STATS }));
    const { code, ...others } = responseParameters(reply);
    expect(reply.status).to.equal(302);
    expect(reply.headers.location).to.match(/^http:\/\/127\.0\.0\.1:3000\/callback\?code=/);
    expect(code).to.match(/^[A-Za-z0-9_-]{40}\*1!4608\.va$/);
    expect(Object.entries(others).join(';')).to.equal(`scopes,${WITH_STATS};state,xyz`);
  });

  for (const [what = '', changes = '', keys = ''] of rows(`
    without a state when there was none               | -state | code scopes
    without PKCE at https, also under a name of this machine | redirect_uri=https://shop.localhost/callback&-code_challenge&-code_challenge_method | code scopes state`)) {
    it(`redirects back ${what}`, async () => {
      expect(await client.authorize(changesIn(changes))).to.have.all.keys(keys.split(' '));
    });
  }

  it('accepts the scopes of the other products that TikTok documents', async () => {
    const scope =
      'user.info.basic,video.list,video.publish,video.upload,research.data.basic,research.adlib.basic,portability.all.single,portability.activity.ongoing';
    expect((await client.authorize({ auto: 'allow', scope })).scopes).to.equal(scope);
  });

  it('redirects back with access_denied and the state when the user declines', async () => {
    const error_description = 'User cancelled the login.';
    const expected = { error: 'access_denied', error_description, state: 'xyz' };
    expect(await client.authorize({ auto: 'deny' })).to.deep.equal(expected);
  });

  it('lets the user untick every scope but the basic one, and grants none that was not requested', async () => {
    const form = { decision: 'allow', person: 'alice', scope: 'user.info.stats' };
    const granted = async (url: string) => responseParameters(await post(url, form)).scopes;
    expect(await granted(client.authorization({ scope: EVERY_SCOPE }))).to.equal(WITH_STATS);
    expect(await granted(client.authorization())).to.equal('user.info.basic');
  });

  showsErrorPages(sandbox, client, REJECTED, (...error) => [
    '<h1>Something went wrong</h1>',
    parameters(...error),
  ]);
});

const BAD_CODE = ['invalid_grant', 'Authorization code is expired.'] as const;
const MISMATCH = 'code_verifier does not match code_challenge, its SHA-256 in hex';
const BAD_VERIFIER = ['invalid_request', 'Code verifier or code challenge is invalid.', MISMATCH] as const;

describe("The sandbox's short-video network, token request", () => {
  const sandbox = eachSandbox();
  const client = new ShortVideoClient(sandbox);
  const exchange = async (changes = {}) => client.exchange(await client.code(), changes);

  it('exchanges a code for tokens and the open_id of the user', async () => {
    const scope = 'user.info.basic,user.info.profile';
    const reply = await client.exchange(await client.code({ scope, person: 'max' }));
    expect(reply.status).to.equal(200);
    expect(reply.headers['content-type']).to.equal('application/json; charset=utf-8');
    const lifetimes = { expires_in: 7200, refresh_expires_in: 15552000 };
    expect(reply.json).to.include({ ...lifetimes, open_id: MAX_ID, scope, token_type: 'Bearer' });
    expect(stringIn(reply.json, 'access_token')).to.match(/^act\.[A-Za-z0-9_-]{48}!4608$/);
    expect(stringIn(reply.json, 'refresh_token')).to.match(/^rft\.[A-Za-z0-9_-]{48}!4608$/);
  });

  it('accepts a code for a minute', async () => {
    const [first, second] = [await client.code(), await client.code()];
    sandbox.advance(59_000);
    expectTokens(await client.exchange(first));
    sandbox.advance(1_000);
    client.expectError(await client.exchange(second), ...BAD_CODE, 'code has expired');
  });

  it('rejects a redirect_uri that differs from the authorization request, and uses up the code', async () => {
    const code = await client.code();
    const reply = await client.exchange(code, { redirect_uri: `${REDIRECT_URI}/` });
    const message = 'Redirect_uri is not matched with the uri when requesting code.';
    const reason = `redirect_uri differs from the authorization request: it was ${REDIRECT_URI}, now it is ${REDIRECT_URI}/`;
    client.expectError(reply, 'invalid_request', message, reason);
    client.expectError(await client.exchange(code), ...BAD_CODE, 'code was used before');
  });

  it('accepts a base64url challenge with an https redirect_uri, and checks it', async () => {
    const changes = { redirect_uri: HTTPS, code_challenge: BASE64URL_CHALLENGE };
    expectTokens(await client.exchange(await client.code(changes), { redirect_uri: HTTPS }));
    const wrong = { redirect_uri: HTTPS, code_verifier: `${VERIFIER}x` };
    client.expectError(await client.exchange(await client.code(changes), wrong), ...BAD_VERIFIER);
  });

  it('needs no code_verifier when there was no challenge', async () => {
    const code = await client.code(changesIn(`redirect_uri=${HTTPS}&-code_challenge&-code_challenge_method`));
    expectTokens(await client.token({ grant_type: 'authorization_code', code, redirect_uri: HTTPS }));
  });

  it('leaves the code unused when client authentication fails', async () => {
    const code = await client.code();
    await client.exchange(code, { client_secret: 'wrong' });
    expectTokens(await client.exchange(code));
  });

  it('has no token endpoint without the slash at its end', async () => {
    expect((await post(client.options.tokenURL.replace(/\/$/, ''), {})).status).to.equal(404);
    expect(reasonOf(sandbox)).to.equal('no endpoint has this path');
  });

  const sends: Readonly<Record<string, (fields: Fields) => Promise<Reply>>> = {
    exchange,
    token: (fields) => client.token(fields),
    'a code that is still percent-encoded': async () =>
      client.exchange((await client.code()).replace('!', '%21')),
    'a base64url challenge with a loopback redirect_uri, which the page accepted': async () =>
      client.exchange(await client.code({ code_challenge: BASE64URL_CHALLENGE })),
    'credentials in HTTP Basic': async () => {
      const { tokenURL, clientSecret } = client.options;
      const fields = { redirect_uri: REDIRECT_URI, code_verifier: VERIFIER, code: await client.code() };
      return post(tokenURL, { grant_type: 'authorization_code', ...fields }, basic(client.id, clientSecret));
    },
    'a JSON body': () => postJson(client.options.tokenURL, client.credentials),
  };
  const BAD_CLIENT =
    'invalid_client | Client key or secret is incorrect. | client_key or client_secret is missing from the body, or wrong';

  for (const [what = '', fields = '', error = '', description = '', reason = ''] of rows(`
    a code that is still percent-encoded | | ${BAD_CODE.join(' | ')} | code is missing, or ${NOT_ISSUED}
    exchange | code_verifier=${VERIFIER}x   | ${BAD_VERIFIER.join(' | ')}
    exchange | code_verifier=               | ${BAD_VERIFIER.join(' | ')}
    a base64url challenge with a loopback redirect_uri, which the page accepted | | ${BAD_VERIFIER.slice(0, 2).join(' | ')} | code_challenge is base64url; with a loopback redirect_uri this network wants hex
    exchange | client_secret=wrong          | ${BAD_CLIENT}
    exchange | client_secret=               | ${BAD_CLIENT}
    exchange | client_key=nobody            | ${BAD_CLIENT}
    credentials in HTTP Basic |             | ${BAD_CLIENT}
    a JSON body | | invalid_request | Only \`application/x-www-form-urlencoded\` is accepted as Content-Type. | the body is not application/x-www-form-urlencoded
    token    | grant_type=password          | unsupported_grant_type | Grant type is not supported. | grant_type is unknown
    token    |                              | invalid_request | The request parameters are malformed. | grant_type is missing`)) {
    it(`rejects ${what} ${fields}`, async () => {
      const reply = await sends[what]?.(Object.fromEntries(new URLSearchParams(fields)));
      client.expectError(reply as Reply, error, description, reason);
    });
  }
});

describe("The sandbox's short-video network, user info", () => {
  const sandbox = eachSandbox();
  const client = new ShortVideoClient(sandbox);
  const BAD_TOKEN = 'Access token is invalid, please refresh token and retry';

  async function profile(person: string, fields: string, scope = EVERY_SCOPE): Promise<Reply> {
    const { accessToken } = await client.tokens({ person, scope });
    return client.profile(accessToken, fields);
  }

  const userIn = (reply: Reply) => (reply.json as { data: { user: unknown } }).data.user;

  function expectRefused(reply: Reply, status: number, code: string, message: string, reason: string): void {
    const { log_id } = (reply.json as { error: { log_id: string } }).error;
    expectError(sandbox, reply, status, { data: {}, error: { code, message, log_id } }, reason);
    expect(log_id).to.match(/^\d{14}[0-9A-F]{20}$/);
  }

  it('returns only the requested fields, and an error with the code "ok"', async () => {
    const reply = await profile('anna', 'open_id,display_name');
    expect(reply.status).to.equal(200);
    const { error, data } = reply.json as { error: Record<string, string>; data: object };
    expect(data).to.deep.equal({ user: { open_id: ANNA?.openId, display_name: 'Анна Примерова' } });
    expect(error).to.include({ code: 'ok', message: '' });
    expect(error.log_id).to.match(/^\d{14}[0-9A-F]{20}$/);
  });

  it('returns every documented field when every scope was granted, and basic ones for user.info.profile', async () => {
    const ofProfile = {
      open_id: ALICE?.openId,
      union_id: ALICE?.unionId,
      display_name: 'Alice Example',
      username: 'alice_example',
      bio_description: 'Ordinary in every respect. #example',
      profile_deep_link: `${sandbox.url}/short-video/@alice_example`,
      is_verified: true,
    };
    const numbers = { follower_count: 1200, following_count: 34, likes_count: 56000, video_count: 78 };
    const everything = { ...ofProfile, ...numbers };
    expect(userIn(await profile('alice', Object.keys(everything).join()))).to.deep.equal(everything);
    const fields = Object.keys(ofProfile).join();
    expect(userIn(await profile('alice', fields, 'user.info.profile'))).to.deep.equal(ofProfile);
  });

  // https://github.com/zerodytrash/TikTok-Live-Connector/issues/37
  it('signs the URLs of pictures: who changes a byte of the query, or comes after three days, gets HTTP 403', async () => {
    const fields = 'avatar_url,avatar_url_100,avatar_large_url';
    const urls = Object.values(userIn(await profile('alice', fields)) as Record<string, string>);
    const status = async (url: string) => (await fetch(url)).status;
    for (const url of urls) {
      expect(url).to.match(/\?size=(168|100|720)&x-expires=\d{10}&x-signature=[\w%]{20,}%3D$/);
      const answer = await fetch(url);
      expect([answer.status, answer.headers.get('content-type')]).to.deep.equal([
        200,
        'image/svg+xml; charset=utf-8',
      ]);
      for (const changed of [url.replace('%3D', '='), url.split('?')[0], url.split('&')[0]])
        expect(await status(String(changed))).to.equal(403);
    }
    sandbox.advance(3 * 86_400_000);
    expect(await Promise.all(urls.map(status))).to.deep.equal([403, 403, 403]);
  });

  for (const [fields = '', scope, field, needed] of rows(`
    open_id,username | user.info.basic,user.info.stats | username       | user.info.profile
    follower_count   | user.info.basic                 | follower_count | user.info.stats
    avatar_url_100   | user.info.profile               | avatar_url_100 | user.info.basic
    follower_count   | user.info.profile               | follower_count | user.info.stats
    open_id          | user.info.stats                 | open_id        | user.info.basic`)) {
    it(`rejects the whole request for ${fields} with ${scope}, because one scope was not granted`, async () => {
      const message = 'The user did not authorize the scope required for completing this request.';
      const reason = `${field} needs ${needed}, which was not granted`;
      expectRefused(await profile('alice', fields, scope), 401, 'scope_not_authorized', message, reason);
    });
  }

  it('rejects a request without fields', async () => {
    const message = 'The fields parameter is invalid.';
    const reason = 'fields is missing, empty or given twice';
    expectRefused(await profile('alice', ''), 400, 'invalid_params', message, reason);
  });

  for (const unknown of ['email', '', 'profile_web_link', 'avatar_url_200', 'constructor']) {
    it(`leaves out the unknown field "${unknown}"`, async () => {
      const open_id = ALICE?.openId;
      expect(userIn(await profile('alice', `open_id,${unknown}`))).to.deep.equal({ open_id });
    });
  }

  it('rejects an unknown token, a token in the query, and an access token after two hours', async () => {
    const { accessToken } = await client.tokens();
    const refused = (reply: Reply, reason: string) =>
      expectRefused(reply, 401, 'access_token_invalid', BAD_TOKEN, `the bearer token ${reason}`);
    refused(await client.profile('act.unknown!4608', 'open_id'), `is missing, or ${NOT_ISSUED}`);
    const query = { fields: 'open_id', access_token: accessToken };
    refused(await get(urlWith(client.options.profileURL, query)), `is missing, or ${NOT_ISSUED}`);
    sandbox.advance(7_200_000);
    refused(await client.profile(accessToken, 'open_id'), 'has expired');
  });
});
