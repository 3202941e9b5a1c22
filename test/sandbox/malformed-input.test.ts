import { once } from 'node:events';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import fc from 'fast-check';
import { exchange } from '../support/browser.js';
import { OAuth1Client } from './clients.js';
import { ENDPOINTS, eachSandbox, post } from './requests.js';

const FORM = 'application/x-www-form-urlencoded';
const PATHS = ENDPOINTS.map(({ path }) => path);

describe('The sandbox, given malformed input,', () => {
  const sandbox = eachSandbox();

  /** Sends a raw request; returns the first line of the response. */
  async function statusLine(request: string): Promise<string> {
    const { port } = new URL(sandbox.url);
    const socket = connect(Number(port), '127.0.0.1');
    socket.end(request);
    let response = '';
    socket.on('data', (data) => {
      response += data.toString('latin1');
    });
    await once(socket, 'close');
    return response.split('\r\n')[0] ?? '';
  }

  it('never responds with a 5xx status, whatever the query, body and headers', async () => {
    const parameters = fc.dictionary(
      fc.constantFrom(...'client_id client_key redirect_uri oauth_token v auto __proto__ scope'.split(' ')),
      fc.oneof(fc.string({ unit: 'binary' }), fc.webUrl(), fc.constant('allow')),
    );
    const property = fc.asyncProperty(
      fc.constantFrom(...PATHS),
      fc.constantFrom('GET', 'POST', 'PUT', 'HEAD'),
      parameters,
      fc.string(),
      fc.constantFrom('OAuth ', 'Bearer ', 'Basic ', ''),
      fc.base64String(),
      async (path, method, query, body, scheme, credentials) => {
        const headers = { authorization: `${scheme}${credentials}`, 'content-type': FORM };
        const url = `${sandbox.url}${path}?${new URLSearchParams(query).toString()}`;
        const { status } = await exchange(url, method, ['POST', 'PUT'].includes(method) ? body : '', headers);
        expect(status).to.be.within(200, 499);
      },
    );
    await fc.assert(property, { numRuns: 100 });
  });

  it('rejects a body above 100 kB with 413', async () => {
    const reply = await post(`${sandbox.url}/short-video/v2/oauth/token/`, { code: 'x'.repeat(102_400) });
    expect(reply.status).to.equal(413);
    const logged = { endpoint: 'unknown', refused: 'the request cannot be read' };
    expect(sandbox.requests().at(-1)).to.include(logged);
  });

  it('rejects a compressed body above 100 kB with 413', async () => {
    const response = await fetch(`${sandbox.url}/microblog/2/oauth2/token`, {
      method: 'POST',
      headers: { 'Content-Encoding': 'gzip', 'Content-Type': FORM },
      body: gzipSync('x'.repeat(10_000_000)),
    });
    expect(response.status).to.equal(413);
  });

  for (const [what, headers, status] of [
    ['not the multipart form that it says', { 'Content-Type': 'multipart/form-data; boundary=x' }, 400],
    ['multipart without a boundary', { 'Content-Type': 'multipart/form-data' }, 400],
    ['compressed with an unknown method', { 'Content-Encoding': 'magic' }, 415],
    ['not compressed as it says', { 'Content-Encoding': 'gzip' }, 400],
    ['in an unknown charset', { 'Content-Type': 'application/x-www-form-urlencoded; charset=klingon' }, 415],
  ] as const) {
    it(`rejects a body that is ${what} with ${status}`, async () => {
      const init = { method: 'POST', body: 'code=x', headers };
      expect((await fetch(`${sandbox.url}/vk-id/oauth2/auth`, init)).status).to.equal(status);
    });
  }

  it('rejects a path with invalid percent-encoding with 400', async () => {
    const request = 'GET /pictures/%E0%A4%A HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n';
    expect(await statusLine(request)).to.equal('HTTP/1.1 400 Bad Request');
  });

  it('rejects bytes that are not HTTP with 400', async () => {
    expect(await statusLine('\x16\x03\x01 nonsense\r\n\r\n')).to.equal('HTTP/1.1 400 Bad Request');
  });

  it('responds to a request without a Host header', async () => {
    const line = await statusLine('GET /microblog/2/users/me HTTP/1.0\r\n\r\n');
    expect(line).to.equal('HTTP/1.1 401 Unauthorized');
  });

  it('treats parameters named like object properties like any other', async () => {
    const client = new OAuth1Client(sandbox);
    const { lookupURL } = sandbox.options('microblog', { version: '1.0' });
    const reply = await client.get(lookupURL, await client.accessToken(), JSON.parse('{"constructor":"1"}'));
    expect(reply.status).to.equal(200);
  });
});
