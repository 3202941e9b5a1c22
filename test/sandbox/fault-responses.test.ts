import { expect } from 'chai';
import { type Sandbox, type SandboxFault, startSandbox } from '../../sandbox/lib/index.js';
import { ENDPOINTS } from './endpoints.js';
import { post, type Reply } from './requests.js';

type Kind = Extract<SandboxFault['kind'], 'rate-limit' | 'expired-code' | 'revoked-token'>;

const LOG_ID = /"log_id":"\d{14}[0-9A-F]{20}"/g;

const INVALID_CODE = {
  error: 'invalid_request',
  error_description: 'Value passed for the authorization code was invalid.',
};
const INVALID_OAUTH2_TOKEN = {
  error: 'invalid_request',
  error_description: 'Value passed for the token was invalid.',
};
const BUSY = { errors: [{ code: 88, message: 'Rate limit exceeded' }] };
const INVALID_OAUTH1_TOKEN = { errors: [{ code: 89, message: 'Invalid or expired token.' }] };
const SLOW_DOWN = { error: 'slow_down', error_description: 'Too many requests', state: 'STATE' };
const INVALID_TOKEN = {
  error: 'invalid_token',
  error_description: 'access_token is missing or invalid',
  state: 'STATE',
};
const TOO_FAST = {
  error: { error_code: 6, error_msg: 'Too many requests per second', request_params: [] },
};
const API_BUSY = {
  data: {},
  error: {
    code: 'rate_limit_exceeded',
    message: 'The API rate limit was exceeded. Please try again later.',
    log_id: 'LOG-ID',
  },
};

/** Path, method, fault, and the network's response. */
const RESPONSES: readonly (readonly [
  path: string,
  method: 'GET' | 'POST',
  kind: Kind,
  status: number,
  body: unknown,
])[] = [
  ['/short-video/v2/user/info/', 'GET', 'rate-limit', 429, API_BUSY],
  ['/short-video/v2/oauth/token/', 'POST', 'rate-limit', 429, API_BUSY],
  [
    '/short-video/v2/oauth/token/',
    'POST',
    'expired-code',
    200,
    { error: 'invalid_grant', error_description: 'Authorization code is expired.', log_id: 'LOG-ID' },
  ],
  [
    '/short-video/v2/oauth/token/',
    'POST',
    'revoked-token',
    200,
    { error: 'invalid_grant', error_description: 'Refresh token is invalid or expired.', log_id: 'LOG-ID' },
  ],
  [
    '/short-video/v2/oauth/revoke/',
    'POST',
    'revoked-token',
    200,
    { error: 'invalid_grant', error_description: 'Access token is invalid or expired.', log_id: 'LOG-ID' },
  ],
  [
    '/short-video/v2/user/info/',
    'GET',
    'revoked-token',
    401,
    {
      data: {},
      error: {
        code: 'access_token_invalid',
        message: 'Access token is invalid, please refresh token and retry',
        log_id: 'LOG-ID',
      },
    },
  ],
  ['/microblog/2/users/me', 'GET', 'rate-limit', 429, BUSY],
  ['/microblog/oauth/request_token', 'POST', 'rate-limit', 429, BUSY],
  ['/microblog/2/oauth2/token', 'POST', 'expired-code', 400, INVALID_CODE],
  ['/microblog/2/oauth2/token', 'POST', 'revoked-token', 400, INVALID_OAUTH2_TOKEN],
  ['/microblog/2/oauth2/revoke', 'POST', 'revoked-token', 400, INVALID_OAUTH2_TOKEN],
  ['/microblog/oauth/access_token', 'POST', 'expired-code', 401, 'Invalid request token.'],
  [
    '/microblog/2/users/me',
    'GET',
    'revoked-token',
    401,
    { title: 'Unauthorized', type: 'about:blank', status: 401, detail: 'Unauthorized' },
  ],
  ['/microblog/1.1/account/verify_credentials.json', 'GET', 'revoked-token', 401, INVALID_OAUTH1_TOKEN],
  ['/microblog/1.1/oauth/invalidate_token.json', 'POST', 'revoked-token', 401, INVALID_OAUTH1_TOKEN],
  ['/social-network/method/users.get', 'POST', 'rate-limit', 200, TOO_FAST],
  ['/social-network/access_token', 'POST', 'rate-limit', 200, TOO_FAST],
  [
    '/social-network/access_token',
    'POST',
    'expired-code',
    401,
    { error: 'invalid_grant', error_description: 'Code is invalid or expired.' },
  ],
  [
    '/social-network/method/users.get',
    'GET',
    'revoked-token',
    200,
    {
      error: {
        error_code: 5,
        error_msg: 'User authorization failed: user revoke access for this token.',
        request_params: [],
      },
    },
  ],
  ['/vk-id/oauth2/auth', 'POST', 'rate-limit', 200, SLOW_DOWN],
  ['/vk-id/oauth2/user_info', 'POST', 'rate-limit', 200, SLOW_DOWN],
  [
    '/vk-id/oauth2/auth',
    'POST',
    'expired-code',
    200,
    { error: 'invalid_grant', error_description: 'code is invalid or expired', state: 'STATE' },
  ],
  [
    '/vk-id/oauth2/auth',
    'POST',
    'revoked-token',
    200,
    { error: 'invalid_request', error_description: 'refresh_token is missing or invalid', state: 'STATE' },
  ],
  ['/vk-id/oauth2/user_info', 'POST', 'revoked-token', 200, INVALID_TOKEN],
  ['/vk-id/oauth2/logout', 'POST', 'revoked-token', 200, INVALID_TOKEN],
];

/** The names of the endpoints with a response of their own to a fault. */
const NAMES = new Set(ENDPOINTS.filter(({ name }) => name !== 'authorization').map(({ name }) => name));

describe('Under a fault, the sandbox sends the error response of the network:', () => {
  let sandbox: Sandbox;

  beforeEach(async () => {
    sandbox = await startSandbox();
  });

  afterEach(() => sandbox.close());

  function addFault(fault: SandboxFault): void {
    for (const endpoint of NAMES) {
      try {
        sandbox.fault({ endpoint, fault });
      } catch (error) {
        expect(error).to.be.instanceOf(TypeError);
      }
    }
  }

  async function request(
    path: string,
    method: 'GET' | 'POST',
  ): Promise<Pick<Reply, 'status' | 'text' | 'headers'>> {
    if (method === 'POST') return post(`${sandbox.url}${path}`, { state: 'STATE' });
    const response = await fetch(`${sandbox.url}${path}`);
    return { status: response.status, headers: response.headers, text: await response.text() };
  }

  for (const [path, method, kind, status, body] of RESPONSES) {
    it(`${method} ${path}, "${kind}": ${status}`, async () => {
      addFault({ kind });
      const reply = await request(path, method);
      expect(reply.status).to.equal(status);
      const text = reply.text.replace(LOG_ID, '"log_id":"LOG-ID"');
      expect(typeof body === 'string' ? text : JSON.parse(text)).to.deep.equal(body);
    });
  }

  it('the microblog network sends its limit and the time of the next request in headers', async () => {
    const before = Math.floor(Date.now() / 1000);
    addFault({ kind: 'rate-limit', seconds: 90 });
    const { headers } = await request('/microblog/2/users/me', 'GET');
    expect(headers.get('x-rate-limit-limit')).to.equal('75');
    expect(headers.get('x-rate-limit-remaining')).to.equal('0');
    const reset = Number(headers.get('x-rate-limit-reset'));
    expect(reset).to.be.within(before + 90, Math.floor(Date.now() / 1000) + 90);
  });
});
