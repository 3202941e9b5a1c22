import { get as httpGet, type IncomingMessage } from 'node:http';
import { setImmediate as turn } from 'node:timers/promises';
import { expect } from 'chai';
import { PEOPLE, type SandboxFault } from '../../sandbox/lib/index.js';
import { NETWORKS } from '../../sandbox/lib/networks.js';
import { readFault } from '../../sandbox/lib/traffic/faults.js';
import { protocolOf, type Subject, subjects } from '../contract/strategies.js';
import { logIn } from '../support/journey.js';
import { loginApp } from '../support/login-app.js';
import { realSockets } from '../support/real-sockets.js';
import { eachSandbox } from '../support/sandbox.js';
import { endingWith, ShortVideoClient, strategyFor } from './clients.js';
import { ENDPOINTS, get, post, type Reply, rows, withSandbox } from './requests.js';

/** The versions of all networks, in the order of the message. */
const VERSIONS = ['1.0', '2.0', '2.1'];
const HANG = { kind: 'hang' } as const;
const BUSY = { kind: 'answer', status: 503 } as const;

describe('A fault of the sandbox', () => {
  const sandbox = eachSandbox();

  const lookup = async () => (await get(sandbox.options('microblog').profileURL)).status;

  it('applies until it is removed', async () => {
    const remove = sandbox.fault({ network: 'microblog', endpoint: 'users lookup', fault: BUSY });
    expect([await lookup(), await lookup()]).to.deep.equal([503, 503]);
    remove();
    expect(await lookup()).to.equal(401);
    remove();
    expect(await lookup()).to.equal(401);
  });

  it('is overridden by a later one for the same endpoint, and applies again afterwards', async () => {
    sandbox.fault({ endpoint: 'users lookup', fault: BUSY });
    sandbox.fault({ endpoint: 'users lookup', fault: { kind: 'answer', status: 418 }, times: 1 });
    expect([await lookup(), await lookup()]).to.deep.equal([418, 503]);
  });

  it('is logged with the request that it applied to', async () => {
    sandbox.fault({ endpoint: 'users lookup', fault: { kind: 'rate-limit' } });
    await lookup();
    const refused = { fault: 'rate-limit', refused: 'too many requests' };
    expect(sandbox.requests().at(-1)).to.include({ endpoint: 'users lookup', status: 429, ...refused });
  });

  it('"expired-code" does not apply to refreshes, nor "revoked-token" to code exchanges', async () => {
    const client = new ShortVideoClient(sandbox);
    sandbox.fault({ network: 'short-video', endpoint: 'token', fault: { kind: 'revoked-token' } });
    const { refreshToken } = await client.tokens();
    expect((await client.refresh(refreshToken)).json).to.include({ error: 'invalid_grant' });
    sandbox.reset();
    const tokens = await client.tokens();
    sandbox.fault({ network: 'short-video', endpoint: 'token', fault: { kind: 'expired-code' } });
    expect((await client.refresh(tokens.refreshToken)).json).to.include({ token_type: 'Bearer' });
    expect((await client.exchange(await client.code())).json).to.include({ error: 'invalid_grant' });
  });

  const KINDS =
    'answer, delay, gather, hang, reset, cut, drip, huge, wrong-type, redirect, malformed, rate-limit, expired-code, revoked-token, case';

  for (const [rule = '', message] of rows(String.raw`
    {"network":"fax"} | unknown network "fax" (known: ${NETWORKS.map(({ name }) => name).join(', ')})
    {"network":"short-video","endpoint":"users.get"} | unknown endpoint "users.get" at short-video (known: authorization, token, revocation, profile)
    {"network":"microblog","version":"1.0"} | unknown endpoint "token" at microblog 1.0 (known: request token, authorization, access token, revocation, users lookup, verify credentials)
    {"version":"3.0"} | unknown version "3.0" (known: ${VERSIONS.join(', ')})
    {"verison":"1.0"}                       | unknown property "verison": did you mean version?
    {"times":0}                             | times must be an integer, 1 or more
    {"fault":{"kind":"fire"}}               | unknown fault "fire" (known: ${KINDS})
    {"fault":{"kind":"answer","status":99}} | status of "answer" must be an HTTP status from 200 to 599
    {"fault":{"kind":"answer","status":200,"body":7}} | body of "answer" must be a string, or an object to send as JSON
    {"fault":{"kind":"answer","status":200,"headers":{"x-a":"b\r\nx-c: d"}}} | headers of "answer" must be an object of header names and string values
    {"fault":{"kind":"delay"}}              | milliseconds of "delay" must be an integer from 0 to 2147483647
    {"fault":{"kind":"huge","bytes":1e9}}   | bytes of "huge" must be an integer from 20 to 100000000
    {"fault":{"kind":"redirect","location":"/there"}} | location of "redirect" must be an absolute URL
    {"fault":{"kind":"hang","seconds":3}}   | unknown property "seconds" of "hang" (known: none)
    {"fault":{"kind":"case","case":7}}      | case of "case" must be a name
    {"network":"short-video","fault":{"kind":"case","case":"older-from"}} | unknown case "older-from" of "token": did you mean older-form?
    {"fault":{"kind":"cut","at":3}}         | unknown property "at" of "cut" (known: bytes)
    {"endpoint":"profile","fault":{"kind":"expired-code"}} | "profile" takes no code or request token, so "expired-code" cannot apply
    {"endpoint":"access token","fault":{"kind":"revoked-token"}} | "access token" takes no access or refresh token, so "revoked-token" cannot apply`)) {
    it(`is rejected: ${rule}`, () => {
      const add = () => sandbox.fault({ endpoint: 'token', fault: HANG, ...JSON.parse(rule) });
      expect(add).to.throw(TypeError).with.property('message', `sandbox.fault: ${message}`);
    });
  }
});

interface Reading {
  readonly status?: number | undefined;
  readonly headers: IncomingMessage['headers'];
  readonly chunks: readonly Buffer[];
  readonly text: string;
  readonly error?: string | undefined;
}

/** Faults that a test would wait for a minute or for ever. */
const ENDLESS: readonly SandboxFault[] = [
  { kind: 'delay', milliseconds: 60_000 },
  { kind: 'gather', requests: 2, milliseconds: 60_000 },
  { kind: 'drip', milliseconds: 60_000 },
  { kind: 'hang' },
];
const RESET = { headers: {}, chunks: [], text: '', error: 'ECONNRESET' };
const JSON_TYPE = '{"content-type":"application/json; charset=utf-8"}';
const UNAUTHORIZED = '{"title":"Unauthorized","type":"about:blank","status":401,"detail":"Unauthorized"}';
/** What has come of the response if only so many bytes have. */
const beginning = (bytes: number) =>
  JSON.stringify({
    status: 401,
    text: UNAUTHORIZED.slice(0, bytes),
    ...(bytes < 82 && { error: 'ECONNRESET' }),
  });

describe('A fault of the sandbox of the kind', () => {
  realSockets();
  const sandbox = eachSandbox();

  /** Requests the users lookup without a token. Without a fault, the response is the 82 bytes of UNAUTHORIZED. */
  function read(fault: SandboxFault): Promise<Reading> {
    sandbox.fault({ endpoint: 'users lookup', fault });
    return new Promise((resolve) => {
      const chunks: Buffer[] = [];
      const request = httpGet(sandbox.options('microblog').profileURL, { agent: false });
      request.on('error', (error: NodeJS.ErrnoException) =>
        resolve({ headers: {}, chunks, text: '', error: error.code }),
      );
      request.on('response', (message) => {
        const { headers, statusCode: status } = message;
        const end = (error?: string) =>
          resolve({ status, headers, chunks, text: Buffer.concat(chunks).toString(), error });
        message.on('data', (chunk: Buffer) => chunks.push(chunk));
        message.on('end', () => end());
        message.on('error', (error: NodeJS.ErrnoException) => end(error.code));
      });
    });
  }

  /** Fault, what comes of the response, and headers. */
  for (const [title = '', fault = '', expected = '', headers = '{}'] of rows(`
    answer sends status, body and headers | {"kind":"answer","status":503,"body":"later","headers":{"Retry-After":"7","Content-Type":"text/x-mine"}} | {"status":503,"text":"later"} | {"retry-after":"7","content-type":"text/x-mine"}
    answer sends an object as JSON        | {"kind":"answer","status":200,"body":{"data":null}} | {"text":"{\\"data\\":null}"} | ${JSON_TYPE}
    delay sends the network's own         | {"kind":"delay","milliseconds":20} | ${beginning(82)}
    cut sends the Content-Length of the whole response, and only its beginning | {"kind":"cut","bytes":20} | ${beginning(20)} | {"content-length":"82"}
    cut never sends the whole body        | {"kind":"cut","bytes":1000}  | ${beginning(81)}
    cut may send nothing of the body      | {"kind":"cut","bytes":0}     | ${beginning(0)}
    huge sends the given number of bytes  | {"kind":"huge","bytes":20}   | {"text":"{\\"padding\\":\\"xxxxxx\\"}"}
    wrong-type sends an HTML page         | {"kind":"wrong-type"}        | {"status":200} | {"content-type":"text/html; charset=utf-8"}
    redirect sends the client elsewhere   | {"kind":"redirect"}          | {"status":302} | {"location":"https://elsewhere.example/"}
    redirect sends the client to a URL    | {"kind":"redirect","location":"https://login.example/?again=1"} | {"status":302} | {"location":"https://login.example/?again=1"}
    malformed truncates JSON              | {"kind":"malformed"}         | {"status":200,"text":"{\\"access_token\\":\\""} | ${JSON_TYPE}`)) {
    it(title, async () => {
      const reading = await read(JSON.parse(fault) as SandboxFault);
      expect(reading).to.include(JSON.parse(expected));
      expect(reading.headers).to.include(JSON.parse(headers));
      if (title.startsWith('wrong-type')) expect(reading.text).to.match(/^<!doctype html>/);
    });
  }

  it('gather sends responses together, as soon as so many requests wait, or after its time', async () => {
    expect((await read({ kind: 'gather', requests: 9, milliseconds: 1 })).status).to.equal(401);
    const fault = { kind: 'gather', requests: 2, milliseconds: 60_000 } as const;
    const readings = [read(fault), read(fault)];
    expect((await Promise.all(readings)).map(({ status }) => status)).to.deep.equal([401, 401]);
  });

  it('hang sends nothing until the sandbox closes', async () => {
    const reading = read({ kind: 'hang' });
    while (sandbox.requests().length === 0) await turn();
    await sandbox.close();
    expect(await reading).to.deep.equal(RESET);
  });

  it('reset resets the connection', async () => {
    expect(await read({ kind: 'reset' })).to.deep.equal(RESET);
  });

  it('drip sends the response byte by byte', async () => {
    const reading = await read({ kind: 'drip', milliseconds: 1 });
    expect(reading).to.include({ status: 401, text: UNAUTHORIZED, error: undefined });
    expect(reading.chunks.length).to.be.above(20);
    expect(reading.headers).to.include({ 'content-length': '82' });
  });

  it('huge sends 8 MB of valid JSON, without a Content-Length', async () => {
    const { text, headers } = await read({ kind: 'huge' });
    expect(text).to.have.length(8_388_608);
    expect(Object.keys(JSON.parse(text))).to.deep.equal(['padding']);
    expect(headers['content-length']).to.equal(undefined);
  });

  it('delay, gather, drip and hang leave no timer and no connection behind when the sandbox closes', async () => {
    const open = () => process.getActiveResourcesInfo().filter((name) => /^(TCP|Timeout)/.test(name)).length;
    const [endpoint, agent] = ['users lookup', false] as const;
    // Mocha's own timer begins after this function has.
    await turn();
    const before = open();
    const ended = ENDLESS.map((fault) => {
      sandbox.fault({ endpoint, fault, times: 1 });
      return new Promise((resolve) => {
        const request = httpGet(sandbox.options('microblog').profileURL, { agent });
        request.on('response', (message) => message.on('error', resolve)).on('error', resolve);
      });
    });
    while (sandbox.requests().length < ENDLESS.length) await turn();
    // Two ends of each connection, and a timer of each fault but one.
    expect(open()).to.be.at.least(before + 3 * ENDLESS.length - 1);
    await sandbox.close();
    await Promise.all(ended);
    const end = Date.now() + 3_000;
    while (open() >= before && Date.now() < end) await turn();
    // The sandbox's own server is gone, too.
    expect(open()).to.be.below(before);
  });
});

const X_LIMIT = '{"errors":[{"code":88,"message":"Rate limit exceeded"}]}';
const VK_LIMIT = '{"error":{"error_code":6,"error_msg":"Too many requests per second","request_params":[]}}';
const TIKTOK_LIMIT =
  '{"data":{},"error":{"code":"rate_limit_exceeded","message":"The API rate limit was exceeded. Please try again later.","log_id":"LOG-ID"}}';
/** An OAuth error, with what a network adds to it. */
const oauth = (error: string, error_description: string, added: object) =>
  JSON.stringify({ error, error_description, ...added });
const tiktok = (description: string) => oauth('invalid_grant', description, { log_id: 'LOG-ID' });
const x = (what: string) => oauth('invalid_request', `Value passed for the ${what} was invalid.`, {});
const vkId = (error: string, description: string) => oauth(error, description, { state: 'STATE' });

const ROWS = rows(`
  GET /short-video/v2/user/info/      | rate-limit    | 429 | ${TIKTOK_LIMIT}
  POST /short-video/v2/oauth/token/   | expired-code  | 200 | ${tiktok('Authorization code is expired.')}
  POST /short-video/v2/oauth/token/   | revoked-token | 200 | ${tiktok('Refresh token is invalid or expired.')}
  POST /short-video/v2/oauth/revoke/  | revoked-token | 200 | ${tiktok('Access token is invalid or expired.')}
  GET /short-video/v2/user/info/      | revoked-token | 401 | {"data":{},"error":{"code":"access_token_invalid","message":"Access token is invalid, please refresh token and retry","log_id":"LOG-ID"}}
  GET /microblog/2/users/me           | rate-limit    | 429 | ${X_LIMIT}
  POST /microblog/2/oauth2/token      | expired-code  | 400 | ${x('authorization code')}
  POST /microblog/2/oauth2/token      | revoked-token | 400 | ${x('token')}
  POST /microblog/2/oauth2/revoke     | revoked-token | 400 | ${x('token')}
  POST /microblog/oauth/request_token | case:callback-refused | 403 | {"errors":[{"code":415,"message":"Callback URL not approved for this client application."}]}
  POST /microblog/oauth/access_token  | expired-code  | 401 | Invalid request token.
  GET /microblog/2/users/me           | revoked-token | 401 | ${UNAUTHORIZED}
  GET /microblog/1.1/account/verify_credentials.json | revoked-token | 401 | {"errors":[{"code":89,"message":"Invalid or expired token."}]}
  POST /microblog/1.1/oauth/invalidate_token.json    | revoked-token | 401 | {"errors":[{"code":89,"message":"Invalid or expired token."}]}
  POST /social-network/method/users.get | rate-limit    | 200 | ${VK_LIMIT}
  POST /social-network/access_token     | expired-code  | 401 | ${oauth('invalid_grant', 'Code is invalid or expired.', {})}
  GET /social-network/method/users.get  | revoked-token | 200 | {"error":{"error_code":5,"error_msg":"User authorization failed: user revoke access for this token.","request_params":[]}}
  POST /vk-id/oauth2/auth               | rate-limit    | 200 | ${vkId('slow_down', 'Too many requests')}
  POST /vk-id/oauth2/auth               | expired-code  | 200 | ${vkId('invalid_grant', 'code is invalid or expired')}
  POST /vk-id/oauth2/auth               | revoked-token | 200 | ${vkId('invalid_request', 'refresh_token is missing or invalid')}
  POST /vk-id/oauth2/user_info          | revoked-token | 200 | ${vkId('invalid_token', 'access_token is missing or invalid')}
  POST /vk-id/oauth2/logout             | revoked-token | 200 | ${vkId('invalid_token', 'access_token is missing or invalid')}`);

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

  for (const [request = '', fault = '', status, body] of ROWS) {
    it(`${request}, "${fault}": ${status}`, async () => {
      const reply = await send(request, readFault(`network/endpoint=${fault}`).fault);
      expect(reply.status).to.equal(Number(status));
      expect(reply.text.replace(/\d{14}[0-9A-F]{20}/, 'LOG-ID')).to.equal(body);
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
const UNREADABLE = 'MalformedError unreadable_response 502';
const REFUSED = 'RefusedError refused 502';
const RATE_LIMITED = 'RefusedError rate_limited 503';
/** Protocol, step, case, and how a login ends when the network gives this response. */
const CASES = rows(`
  short-video        | token   | older-form             | ${REFUSED}
  short-video        | profile | older-form             | ${REFUSED}
  short-video        | token   | challenge-page         | ${UNREADABLE}
  microblog          | profile | credits-depleted       | ${REFUSED}
  microblog          | profile | spend-cap-reached      | ${REFUSED}
  microblog          | profile | usage-capped           | ${REFUSED}
  microblog          | profile | daily-limit            | ${RATE_LIMITED}
  microblog          | profile | rate-limit-exceeded    | ${RATE_LIMITED}
  microblog          | profile | client-forbidden       | ${REFUSED}
  microblog          | profile | bad-gateway            | RefusedError refused 503
  microblog          | profile | internal-error         | RefusedError refused 503
  microblog          | profile | suspended              | account_unusable
  microblog          | profile | challenge-page         | ${UNREADABLE}
  microblog 1.0      | profile | credits-depleted       | logged in
  microblog 1.0      | profile | spend-cap-reached      | logged in
  microblog 1.0      | profile | usage-capped           | logged in
  microblog 1.0      | profile | suspended              | account_unusable
  microblog 1.0      | profile | locked                 | account_unusable
  microblog 1.0      | profile | no-access              | logged in
  social-network     | token   | redirect-uri-incorrect | ${REFUSED}
  social-network     | token   | wrong-domain           | ${REFUSED}
  social-network     | token   | redirect-uri-blocked   | ${REFUSED}
  social-network     | token   | vk-id-application      | ${REFUSED}
  social-network     | token   | native-application     | ${REFUSED}
  social-network     | token   | too-many-tries         | ${RATE_LIMITED}
  social-network     | token   | flood-control          | ${RATE_LIMITED}
  social-network     | token   | validation-needed      | ${REFUSED}
  social-network     | token   | captcha-needed         | ${REFUSED}
  social-network     | profile | other-address          | ${REFUSED}
  social-network     | profile | captcha-needed         | ${REFUSED}
  social-network     | profile | validation-needed      | ${REFUSED}
  social-network     | profile | deactivated            | account_unusable
  social-network 2.1 | token   | device-missing         | ${REFUSED}
  social-network 2.1 | profile | challenge              | RefusedError refused 503`);

describe('A login at the sandbox with a named response', () => {
  realSockets();

  for (const [protocol = '', step, name = '', expected] of CASES) {
    it(`${protocol}, ${step}, ${name}: ${expected}`, async () => {
      const subject = subjects().find((one) => protocolOf(one) === protocol) as Subject;
      const ending = await endingWith(subject, step as 'token' | 'profile', { kind: 'case', case: name });
      expect(ending).to.equal(expected);
    });
  }
});

describe("Every one of the sandbox's people", () => {
  realSockets();

  for (const subject of subjects()) {
    const { provider, identify, unusable = {} } = subject;

    it(`logs in at ${protocolOf(subject)} with the exact identifier, unless the account is unusable there, with nothing that a strict sandbox refuses`, async () => {
      await withSandbox({ strict: true }, async (sandbox) => {
        const app = await loginApp(strategyFor(subject, sandbox));
        for (const person of PEOPLE) {
          const { json } = await logIn(app, provider, person.id);
          const expected = unusable[person.id] ?? identify(person);
          expect(json.user?.id ?? json.failure?.code, person.id).to.equal(expected);
        }
        await app.close();
      });
    });
  }
});
