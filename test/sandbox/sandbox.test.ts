import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import { expect } from 'chai';
import fc from 'fast-check';
import { type SandboxSettings, startSandbox } from '../../sandbox/lib/index.js';
import { Browser, exchange } from '../support/browser.js';
import { restoresMode } from '../support/cleanup.js';
import { realSockets } from '../support/real-sockets.js';
import { eachSandbox, oneSandbox } from '../support/sandbox.js';
import { mistakeOf, rejectionOf } from '../support/thrown.js';
import { collectsWarnings } from '../support/warnings.js';
import { ClassicClient, OAuth1Client, OAuth2Client, ShortVideoClient, VkIdClient } from './clients.js';
import { ENDPOINTS, get, post, withSandbox } from './requests.js';

describe('The sandbox', () => {
  const sandbox = eachSandbox();

  it('listens on the given host and port', async () => {
    const { port } = new URL(sandbox.url);
    await sandbox.close();
    await withSandbox({ port: Number(port), host: 'localhost' }, async ({ url }) => {
      expect(url).to.equal(`http://localhost:${port}`);
      expect((await get(url)).status).to.equal(200);
    });
  });

  it('does not start on a port that is in use', async () => {
    const port = Number(new URL(sandbox.url).port);
    const error = await rejectionOf(startSandbox({ port }));
    expect(error).to.be.an('error').that.includes({ code: 'EADDRINUSE', port });
    const next = port === 65_535 ? 1_024 : port + 1;
    expect((error as Error).message).to.equal(
      `startSandbox: port ${port} is in use. Take another, such as startSandbox({ port: ${next} }), or leave port out for any free one.`,
    );
  });

  for (const [settings, message] of [
    [{ strct: true }, 'startSandbox: unknown setting "strct": did you mean strict?'],
    [{ onRequest: true }, 'startSandbox: onRequest must be a function'],
    [null, 'startSandbox: the settings must be an object, such as { port: 4000 }'],
    [{ applications: [{ network: 'fax' }] }, 'application 1: unknown network "fax"'],
    [{ people: [{ id: '7/8' }] }, 'startSandbox: person "7/8": id must be lower-case'],
    [{ faults: [{ endpoint: 'nowhere', fault: { kind: 'hang' } }] }, 'unknown endpoint "nowhere"'],
  ] as const) {
    it(`does not start with ${JSON.stringify(settings)}`, async () => {
      const starting = startSandbox(settings as unknown as SandboxSettings);
      expect(await mistakeOf(starting)).to.include(message);
    });
  }

  describe('requests', () => {
    it('are logged with network, endpoint, method, path and status, newest last', async () => {
      const before = Date.now();
      await new ShortVideoClient(sandbox).tokens();
      await get(new VkIdClient(sandbox).authorization());
      const requests = sandbox
        .requests()
        .map(({ time, network, endpoint, method, path, status, ...others }) => {
          expect(time).to.be.within(before, Date.now());
          expect(others).to.deep.equal({});
          return [network, endpoint, method, path, status].join(' ');
        });
      expect(requests).to.deep.equal([
        'short-video authorization GET /short-video/v2/auth/authorize/ 302',
        'short-video token POST /short-video/v2/oauth/token/ 200',
        'social-network authorization GET /vk-id/authorize 200',
      ]);
    });

    it('are limited to the latest thousand', async () => {
      const { port } = new URL(sandbox.url);
      const socket = connect(Number(port), '127.0.0.1').resume();
      const paths = Array.from({ length: 1005 }, (_, n) => `/microblog/${n}`);
      for (const path of paths) socket.write(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`);
      socket.end();
      await once(socket, 'close');
      expect(sandbox.requests()).to.have.length(1000);
      expect(sandbox.requests()[0]?.path).to.equal('/microblog/5');
      expect(sandbox.requests().at(-1)?.path).to.equal('/microblog/1004');
    });
  });

  it('forgets every code, request token and token when it is reset', async () => {
    const [shortVideo, classic] = [new ShortVideoClient(sandbox), new ClassicClient(sandbox)];
    const [oauth2, oauth1] = [new OAuth2Client(sandbox), new OAuth1Client(sandbox)];
    const vkId = new VkIdClient(sandbox);
    const [first, second] = [await shortVideo.code(), await classic.code()];
    const { token: pending } = await oauth1.requestToken();
    const { accessToken, refreshToken } = await oauth2.tokens();
    const token = await oauth1.accessToken();
    const { access_token } = await vkId.tokens();
    sandbox.reset();
    expect((await shortVideo.exchange(first)).json).to.include({ error: 'invalid_grant' });
    expect((await classic.exchange(second)).json).to.include({ error: 'invalid_grant' });
    expect((await get(oauth1.authorization(pending))).status).to.equal(403);
    expect((await oauth2.lookup(accessToken)).status).to.equal(401);
    expect((await oauth2.refresh(refreshToken)).status).to.equal(400);
    expect((await oauth1.verifyCredentials(token)).status).to.equal(401);
    expect((await vkId.userInfo({ access_token })).json).to.include({ error: 'invalid_token' });
  });

  for (const milliseconds of [-1, Number.NaN, Number.POSITIVE_INFINITY, 1e20]) {
    it(`does not advance its clock by ${milliseconds}`, () => {
      expect(() => sandbox.advance(milliseconds)).to.throw(RangeError, 'takes zero or more milliseconds');
    });
  }
});

/** The status of a request with a `Host` header, as a web page sends it whose own name was made to point at this machine. */
const statusFor = (host: string, settings: SandboxSettings = {}, path = '/'): Promise<number> =>
  withSandbox(settings, async ({ url }) => {
    const { port } = new URL(url);
    return (await get(`http://127.0.0.1:${port}${path}`, { host: host.replace('PORT', port) })).status;
  });

describe('The sandbox and the names of its host', () => {
  realSockets();

  for (const host of ['127.0.0.1:PORT', 'localhost:PORT', 'app.localhost:PORT', '[::1]:PORT', 'LOCALHOST'])
    it(`responds to ${host}`, async () => expect(await statusFor(host)).to.equal(200));

  for (const host of 'rebound.example 127.0.0.1.rebound.example:PORT localhost.example 0.0.0.0:PORT'.split(
    ' ',
  ))
    it(`does not respond to ${host}: a web page could have made that name its own`, async () =>
      expect(await statusFor(host)).to.equal(421));

  it('responds to any name if it was told to listen on another address, for example in a container, but shows its credentials to no name that a web page can have', async () => {
    const open = { host: '0.0.0.0' };
    for (const host of ['sandbox:4000', '192.168.1.7:PORT', '[fd00::7]:PORT', 'app.localhost', 'localhost'])
      expect(await statusFor(host, open), host).to.equal(200);
    for (const host of ['rebound.example:PORT', '127.0.0.1.rebound.example', 'rebound.', '?'])
      for (const path of ['/', '/try/microblog/default', '/try/callback'])
        expect(await statusFor(host, open, path), `${host}${path}`).to.equal(421);
    expect(await statusFor('sandbox.example', open, '/pictures/anna.svg')).to.equal(200);
  });
});

describe('The sandbox in production', () => {
  const warnings = collectsWarnings();
  restoresMode();

  it('warns once, and only there', async () => {
    const startAndClose = () => withSandbox({}, async () => undefined);
    process.env.NODE_ENV = 'test';
    await startAndClose();
    expect(await warnings.texts()).to.deep.equal([]);
    process.env.NODE_ENV = 'production';
    await startAndClose();
    await startAndClose();
    expect(await warnings.texts()).to.deep.equal([
      'The sandbox was started with NODE_ENV=production. Anyone who can reach it can log in as anyone: use it for development and tests only.',
    ]);
  });
});

describe('The sandbox with https', () => {
  realSockets();

  const sandbox = oneSandbox({ https: true });
  const ca = () => sandbox.certificate ?? '';

  it('has a certificate of its own for localhost, 127.0.0.1 and ::1, which clients can trust', async () => {
    const { protocol, port } = new URL(sandbox.url);
    expect(protocol).to.equal('https:');
    for (const name of ['127.0.0.1', 'localhost']) {
      const { status, text } = await new Browser({ ca: ca() }).get(`https://${name}:${port}/`);
      expect(status).to.equal(200);
      expect(text).to.include(`<code>${sandbox.url}</code>`);
    }
    const certificate = new X509Certificate(ca());
    expect(certificate.subjectAltName).to.equal(
      'DNS:localhost, IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1',
    );
    expect(certificate.ca).to.equal(false);
    expect(certificate.verify(certificate.publicKey)).to.equal(true);
  });

  it('makes another key at every start, also for a name of the host', async () => {
    await withSandbox({ https: true, host: 'localhost' }, async (other) => {
      expect(other.certificate).not.to.equal(sandbox.certificate);
    });
  });
});

const FORM = 'application/x-www-form-urlencoded';
const PATHS = ENDPOINTS.map(({ path }) => path);

describe('The sandbox, given malformed input,', () => {
  const sandbox = eachSandbox();

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
  }).timeout(60_000);

  it('rejects a body above 100 kB with 413', async () => {
    const reply = await post(`${sandbox.url}/short-video/v2/oauth/token/`, { code: 'x'.repeat(102_400) });
    expect(reply.status).to.equal(413);
    const logged = { endpoint: 'unknown', refused: 'the request cannot be read' };
    expect(sandbox.requests().at(-1)).to.include(logged);
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
    expect((await get(`${sandbox.url}/pictures/%E0%A4%A`)).status).to.equal(400);
  });

  it('rejects bytes that are not HTTP with 400', async () => {
    const socket = connect(Number(new URL(sandbox.url).port), '127.0.0.1');
    socket.end('\x16\x03\x01 nonsense\r\n\r\n');
    expect(await textOf(socket)).to.match(/^HTTP\/1\.1 400 Bad Request\r\n/);
  });
});
