import { expect } from 'chai';
import { type Sandbox, startSandbox } from '../../../sandbox/lib/index.js';
import { BASE64URL_CHALLENGE, get, REDIRECT_URI, reasonOf } from '../requests.js';
import { ShortVideoClient } from './client.js';

// Query of the real network's error page. The sandbox shows it on the page, HTML-escaped.
const REDIRECT_URI_ERROR = 'error=param_error&#38;errCode=10006&#38;error_type=redirect_uri';
const CODE_CHALLENGE_ERROR = 'error=param_error&#38;errCode=10007&#38;error_type=code_challenge';
const CLIENT_KEY_ERROR = 'error=param_error&#38;errCode=10003&#38;error_type=client_key';
const SCOPE_ERROR = 'error=param_error&#38;error_type=scope';

describe("The sandbox's short-video network, authorization errors", () => {
  let sandbox: Sandbox;
  let client: ShortVideoClient;

  before(async () => {
    sandbox = await startSandbox();
    client = new ShortVideoClient(sandbox);
  });

  after(() => sandbox.close());

  const rejected: [
    what: string,
    changes: Record<string, string | undefined>,
    reason: string,
    parameters: string,
  ][] = [
    [
      'client_id instead of client_key',
      { client_key: undefined, client_id: 'sbawsandboxkey0001' },
      'client_id is sent, this network wants client_key',
      CLIENT_KEY_ERROR,
    ],
    ['no client_key', { client_key: undefined }, 'client_key is missing', CLIENT_KEY_ERROR],
    [
      'an unknown client_key',
      { client_key: 'nobody' },
      'client_key belongs to no application of the sandbox',
      'error=unauthorized_client&#38;error_type=client_key',
    ],
    [
      'a response_type other than code',
      { response_type: 'token' },
      'response_type is not "code"',
      'error=param_error&#38;error_type=response_type',
    ],
    [
      'scopes joined with spaces',
      { scope: 'user.info.basic user.info.stats' },
      'scopes are joined by spaces, this network wants commas',
      SCOPE_ERROR,
    ],
    [
      'an unknown scope',
      { scope: 'user.info.basic,user.info.email' },
      'scope is missing or names one that the application does not have',
      SCOPE_ERROR,
    ],
    [
      'no scope',
      { scope: undefined },
      'scope is missing or names one that the application does not have',
      SCOPE_ERROR,
    ],
    [
      'no redirect_uri',
      { redirect_uri: undefined },
      'redirect_uri is missing, empty or given twice',
      REDIRECT_URI_ERROR,
    ],
    [
      'a relative redirect_uri',
      { redirect_uri: '/callback' },
      'redirect_uri is no absolute http or https address',
      REDIRECT_URI_ERROR,
    ],
    [
      'a redirect_uri that is a script',
      { redirect_uri: 'javascript:alert(1)' },
      'redirect_uri is no absolute http or https address',
      REDIRECT_URI_ERROR,
    ],
    [
      'a plain http redirect_uri beyond this machine',
      { redirect_uri: 'http://app.example.com/callback' },
      'redirect_uri is plain http beyond this machine',
      REDIRECT_URI_ERROR,
    ],
    [
      'a redirect_uri with a query',
      { redirect_uri: `${REDIRECT_URI}?id=1` },
      'redirect_uri has a query',
      REDIRECT_URI_ERROR,
    ],
    [
      'a redirect_uri with a fragment',
      { redirect_uri: `${REDIRECT_URI}#100` },
      'redirect_uri has a fragment',
      REDIRECT_URI_ERROR,
    ],
    [
      'a redirect_uri of 512 characters',
      { redirect_uri: `https://app.example.com/${'a'.repeat(488)}` },
      'redirect_uri has 512 characters or more',
      REDIRECT_URI_ERROR,
    ],
    [
      'a loopback redirect_uri without a port',
      { redirect_uri: 'http://localhost/callback' },
      'redirect_uri names no port, which a loopback address needs',
      REDIRECT_URI_ERROR,
    ],
    [
      'a loopback redirect_uri other than localhost and 127.0.0.1',
      { redirect_uri: 'http://[::1]:3000/callback' },
      'redirect_uri is neither localhost nor 127.0.0.1',
      REDIRECT_URI_ERROR,
    ],
    [
      'no PKCE with a loopback redirect_uri',
      { code_challenge: undefined },
      'code_challenge is missing, which a loopback redirect_uri needs',
      CODE_CHALLENGE_ERROR,
    ],
    [
      'an empty code_challenge with a loopback redirect_uri',
      { code_challenge: '' },
      'code_challenge is missing, which a loopback redirect_uri needs',
      CODE_CHALLENGE_ERROR,
    ],
    [
      'the code_challenge_method plain',
      { code_challenge_method: 'plain' },
      'code_challenge_method is not "S256"',
      CODE_CHALLENGE_ERROR,
    ],
    [
      'a disable_auto_auth other than 0 and 1',
      { disable_auto_auth: 'true' },
      'disable_auto_auth is neither 0 nor 1',
      'error=param_error&#38;error_type=disable_auto_auth',
    ],
  ];

  for (const [what, changes, reason, parameters] of rejected) {
    it(`shows an error page with the reason: ${what}`, async () => {
      const reply = await get(client.authorization({ auto: 'allow', ...changes }));
      expect(reply.status).to.equal(400);
      expect(reply.headers.get('location')).to.equal(null);
      expect(reply.text).to.include('<h1>Something went wrong</h1>').and.to.include(parameters);
      expect(reasonOf(sandbox)).to.equal(reason);
    });
  }

  for (const [what, changes, reason, parameters] of [
    ['a repeated parameter', {}, 'a parameter is given twice', 'error=param_error&#38;error_type=request'],
    [
      'a code_challenge in base64url',
      { redirect_uri: 'https://app.example.com/callback', code_challenge: BASE64URL_CHALLENGE },
      'code_challenge is no SHA-256 in lower-case hex',
      CODE_CHALLENGE_ERROR,
    ],
  ] as const) {
    it(`shows an error page if the sandbox is strict: ${what}`, async () => {
      const strict = await startSandbox({ strict: true });
      const url = new ShortVideoClient(strict).authorization({ auto: 'allow', ...changes });
      const reply = await get(reason.includes('twice') ? `${url}&state=other` : url);
      await strict.close();
      expect(reply.status).to.equal(400);
      expect(reply.text).to.include(parameters).and.to.include(reason);
    });
  }
});
