import { expect } from 'chai';
import type { SandboxFault } from '../../sandbox/lib/index.js';
import { ENDPOINTS, eachSandbox, get, post, type Reply, rows } from './requests.js';

type Kind = Extract<SandboxFault['kind'], 'rate-limit' | 'expired-code' | 'revoked-token'>;

const LOG_ID = /"log_id":"\d{14}[0-9A-F]{20}"/g;

const BUSY = { errors: [{ code: 88, message: 'Rate limit exceeded' }] };
const TOO_FAST = { error: { error_code: 6, error_msg: 'Too many requests per second', request_params: [] } };
const USER_REVOKED = 'User authorization failed: user revoke access for this token.';

const shortVideoOAuth = (error_description: string) => ({
  error: 'invalid_grant',
  error_description,
  log_id: 'LOG-ID',
});
const shortVideoApi = (code: string, message: string) => ({
  data: {},
  error: { code, message, log_id: 'LOG-ID' },
});
const API_BUSY = shortVideoApi(
  'rate_limit_exceeded',
  'The API rate limit was exceeded. Please try again later.',
);
const invalid = (what: string) => ({
  error: 'invalid_request',
  error_description: `Value passed for the ${what} was invalid.`,
});
const vkId = (error: string, error_description: string) => ({ error, error_description, state: 'STATE' });
const SLOW_DOWN = vkId('slow_down', 'Too many requests');

/** The bodies, by the names that the table gives them. */
const BODIES: Readonly<Record<string, unknown>> = {
  API_BUSY,
  BUSY,
  TOO_FAST,
  SLOW_DOWN,
  'tiktok code': shortVideoOAuth('Authorization code is expired.'),
  'tiktok refresh': shortVideoOAuth('Refresh token is invalid or expired.'),
  'tiktok token': shortVideoOAuth('Access token is invalid or expired.'),
  'tiktok bearer': shortVideoApi(
    'access_token_invalid',
    'Access token is invalid, please refresh token and retry',
  ),
  'x code': invalid('authorization code'),
  'x token': invalid('token'),
  'x request token': 'Invalid request token.',
  'x bearer': { title: 'Unauthorized', type: 'about:blank', status: 401, detail: 'Unauthorized' },
  'x oauth1': { errors: [{ code: 89, message: 'Invalid or expired token.' }] },
  'vk code': { error: 'invalid_grant', error_description: 'Code is invalid or expired.' },
  'vk token': { error: { error_code: 5, error_msg: USER_REVOKED, request_params: [] } },
  'vk id code': vkId('invalid_grant', 'code is invalid or expired'),
  'vk id refresh': vkId('invalid_request', 'refresh_token is missing or invalid'),
  'vk id token': vkId('invalid_token', 'access_token is missing or invalid'),
};

const ROWS = rows(`
  GET /short-video/v2/user/info/      | rate-limit    | 429 | API_BUSY
  POST /short-video/v2/oauth/token/   | rate-limit    | 429 | API_BUSY
  POST /short-video/v2/oauth/token/   | expired-code  | 200 | tiktok code
  POST /short-video/v2/oauth/token/   | revoked-token | 200 | tiktok refresh
  POST /short-video/v2/oauth/revoke/  | revoked-token | 200 | tiktok token
  GET /short-video/v2/user/info/      | revoked-token | 401 | tiktok bearer
  GET /microblog/2/users/me           | rate-limit    | 429 | BUSY
  POST /microblog/oauth/request_token | rate-limit    | 429 | BUSY
  POST /microblog/2/oauth2/token      | expired-code  | 400 | x code
  POST /microblog/2/oauth2/token      | revoked-token | 400 | x token
  POST /microblog/2/oauth2/revoke     | revoked-token | 400 | x token
  POST /microblog/oauth/access_token  | expired-code  | 401 | x request token
  GET /microblog/2/users/me           | revoked-token | 401 | x bearer
  GET /microblog/1.1/account/verify_credentials.json | revoked-token | 401 | x oauth1
  POST /microblog/1.1/oauth/invalidate_token.json    | revoked-token | 401 | x oauth1
  POST /social-network/method/users.get | rate-limit    | 200 | TOO_FAST
  POST /social-network/access_token     | rate-limit    | 200 | TOO_FAST
  POST /social-network/access_token     | expired-code  | 401 | vk code
  GET /social-network/method/users.get  | revoked-token | 200 | vk token
  POST /vk-id/oauth2/auth               | rate-limit    | 200 | SLOW_DOWN
  POST /vk-id/oauth2/user_info          | rate-limit    | 200 | SLOW_DOWN
  POST /vk-id/oauth2/auth               | expired-code  | 200 | vk id code
  POST /vk-id/oauth2/auth               | revoked-token | 200 | vk id refresh
  POST /vk-id/oauth2/user_info          | revoked-token | 200 | vk id token
  POST /vk-id/oauth2/logout             | revoked-token | 200 | vk id token`);

/** The names of the endpoints with a response of their own to a fault. */
const NAMES = new Set(ENDPOINTS.filter(({ name }) => name !== 'authorization').map(({ name }) => name));

describe('Under a fault, the sandbox sends the error response of the network:', () => {
  const sandbox = eachSandbox();

  function send(request: string, fault: SandboxFault): Promise<Reply> {
    for (const endpoint of NAMES) {
      try {
        sandbox.fault({ endpoint, fault });
      } catch (error) {
        expect(error).to.be.instanceOf(TypeError);
      }
    }
    const [method, path = ''] = request.split(' ');
    const url = `${sandbox.url}${path}`;
    return method === 'POST' ? post(url, { state: 'STATE' }) : get(url);
  }

  for (const [request = '', kind, status, name = ''] of ROWS) {
    it(`${request}, "${kind}": ${status}`, async () => {
      const body = BODIES[name];
      const reply = await send(request, { kind: kind as Kind });
      expect(reply.status).to.equal(Number(status));
      const text = reply.text.replace(LOG_ID, '"log_id":"LOG-ID"');
      expect(typeof body === 'string' ? text : JSON.parse(text)).to.deep.equal(body);
    });
  }

  it('the microblog network sends its limit and the time of the next request in headers', async () => {
    const before = Math.floor(Date.now() / 1000);
    const { headers } = await send('GET /microblog/2/users/me', { kind: 'rate-limit', seconds: 90 });
    expect(headers['x-rate-limit-limit']).to.equal('75');
    expect(headers['x-rate-limit-remaining']).to.equal('0');
    const reset = Number(headers['x-rate-limit-reset']);
    expect(reset).to.be.within(before + 90, Math.floor(Date.now() / 1000) + 90);
  });
});
