import { expect } from 'chai';
import type { Changes } from '../requests.js';
import {
  BASE64URL_CHALLENGE,
  eachSandbox,
  get,
  post,
  REDIRECT_URI,
  reasonOf,
  responseParameters,
  titleOf,
  withSandbox,
} from '../requests.js';
import { ShortVideoClient } from './client.js';

const HTTPS = 'https://app.example.com/callback';

// Query of the real network's error page. The sandbox shows it on the page, HTML-escaped.
const REDIRECT_URI_ERROR = 'error=param_error&#38;errCode=10006&#38;error_type=redirect_uri';
const CODE_CHALLENGE_ERROR = 'error=param_error&#38;errCode=10007&#38;error_type=code_challenge';
const CLIENT_KEY_ERROR = 'error=param_error&#38;errCode=10003&#38;error_type=client_key';
const SCOPE_ERROR = 'error=param_error&#38;error_type=scope';
const NO_SCOPE = 'scope is missing or names one that the application does not have';
const NO_CHALLENGE = 'code_challenge is missing, which a loopback redirect_uri needs';
const NO_ADDRESS = 'redirect_uri is no absolute http or https address';

const REJECTED: readonly (readonly [changes: Changes, reason: string, parameters: string])[] = [
  [
    { client_key: undefined, client_id: 'sbawsandboxkey0001' },
    'client_id is sent, this network wants client_key',
    CLIENT_KEY_ERROR,
  ],
  [{ client_key: undefined }, 'client_key is missing', CLIENT_KEY_ERROR],
  [
    { client_key: 'nobody' },
    'client_key belongs to no application of the sandbox',
    'error=unauthorized_client&#38;error_type=client_key',
  ],
  [
    { response_type: 'token' },
    'response_type is not "code"',
    'error=param_error&#38;error_type=response_type',
  ],
  [
    { scope: 'user.info.basic user.info.stats' },
    'scopes are joined by spaces, this network wants commas',
    SCOPE_ERROR,
  ],
  [{ scope: 'user.info.basic,user.info.email' }, NO_SCOPE, SCOPE_ERROR],
  [{ scope: undefined }, NO_SCOPE, SCOPE_ERROR],
  ...(
    [
      [undefined, 'redirect_uri is missing, empty or given twice'],
      ['/callback', NO_ADDRESS],
      ['javascript:alert(1)', NO_ADDRESS],
      ['http://app.example.com/callback', 'redirect_uri is plain http beyond this machine'],
      [`${REDIRECT_URI}?id=1`, 'redirect_uri has a query'],
      [`${REDIRECT_URI}#100`, 'redirect_uri has a fragment'],
      [`https://app.example.com/${'a'.repeat(488)}`, 'redirect_uri has 512 characters or more'],
      ['http://localhost/callback', 'redirect_uri names no port, which a loopback address needs'],
      ['http://[::1]:3000/callback', 'redirect_uri is neither localhost nor 127.0.0.1'],
    ] as const
  ).map(([redirect_uri, reason]) => [{ redirect_uri }, reason, REDIRECT_URI_ERROR] as const),
  [{ code_challenge: undefined }, NO_CHALLENGE, CODE_CHALLENGE_ERROR],
  [{ code_challenge: '' }, NO_CHALLENGE, CODE_CHALLENGE_ERROR],
  [{ code_challenge_method: 'plain' }, 'code_challenge_method is not "S256"', CODE_CHALLENGE_ERROR],
  [
    { disable_auto_auth: 'true' },
    'disable_auto_auth is neither 0 nor 1',
    'error=param_error&#38;error_type=disable_auto_auth',
  ],
];

describe("The sandbox's short-video network, authorization", () => {
  const sandbox = eachSandbox();
  const client = new ShortVideoClient(sandbox);

  it('redirects back with a code, the granted scopes and the state', async () => {
    const scope = 'user.info.basic,user.info.stats';
    const reply = await get(client.authorization({ auto: 'allow', scope }));
    const parameters = responseParameters(reply);
    expect(reply.status).to.equal(302);
    expect(reply.headers.get('location')).to.match(/^http:\/\/127\.0\.0\.1:3000\/callback\?code=/);
    expect(Object.keys(parameters)).to.deep.equal(['code', 'scopes', 'state']);
    expect(parameters.code).to.match(/^[A-Za-z0-9_-]{40}\*1!4608\.va$/);
    expect(parameters).to.include({ scopes: scope, state: 'xyz' });
  });

  for (const [what, changes, keys] of [
    ['without a state when there was none', { state: undefined }, ['code', 'scopes']],
    [
      'without PKCE when the redirect URI is not loopback',
      { redirect_uri: HTTPS, code_challenge: undefined, code_challenge_method: undefined },
      ['code', 'scopes', 'state'],
    ],
  ] as const) {
    it(`redirects back ${what}`, async () => {
      const reply = await get(client.authorization({ auto: 'allow', ...changes }));
      expect(responseParameters(reply)).to.have.all.keys(keys);
    });
  }

  it('redirects back with access_denied and the state when the user declines', async () => {
    expect(responseParameters(await get(client.authorization({ auto: 'deny' })))).to.deep.equal({
      error: 'access_denied',
      error_description: 'User cancelled the login.',
      state: 'xyz',
    });
  });

  it('lets the user untick every scope but the basic one, and grants none that was not requested', async () => {
    const scope = 'user.info.basic,user.info.profile,user.info.stats';
    const form = { decision: 'allow', person: 'alice', scope: 'user.info.stats' };
    const granted = async (url: string) => responseParameters(await post(url, form)).scopes;
    expect(await granted(client.authorization({ scope }))).to.equal('user.info.basic,user.info.stats');
    expect(await granted(client.authorization())).to.equal('user.info.basic');
  });

  it('also works without the slash at the end of the path', async () => {
    const url = client.authorization({ auto: 'allow' }).replace('/authorize/?', '/authorize?');
    expect(responseParameters(await get(url))).to.include.keys('code');
  });

  for (const [changes, reason, parameters] of REJECTED) {
    it(`shows an error page with the reason: ${titleOf(changes)}`, async () => {
      const reply = await get(client.authorization({ auto: 'allow', ...changes }));
      expect(reply.status).to.equal(400);
      expect(reply.headers.get('location')).to.equal(null);
      expect(reply.text).to.include('<h1>Something went wrong</h1>').and.to.include(parameters);
      expect(reasonOf(sandbox)).to.equal(reason);
    });
  }

  for (const [what, changes, more, reason, parameters] of [
    ['a repeated parameter', {}, '&state=other', 'given twice', 'error=param_error&#38;error_type=request'],
    [
      'a code_challenge in base64url',
      { redirect_uri: HTTPS, code_challenge: BASE64URL_CHALLENGE },
      '',
      'code_challenge is no SHA-256 in lower-case hex',
      CODE_CHALLENGE_ERROR,
    ],
  ] as const) {
    it(`shows an error page if the sandbox is strict: ${what}`, () =>
      withSandbox({ strict: true }, async (strict) => {
        const url = new ShortVideoClient(strict).authorization({ auto: 'allow', ...changes });
        const reply = await get(`${url}${more}`);
        expect(reply.status).to.equal(400);
        expect(reply.text).to.include(parameters).and.to.include(reason);
      }));
  }
});
