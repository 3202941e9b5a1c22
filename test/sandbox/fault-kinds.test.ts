import { spawnSync } from 'node:child_process';
import { get as httpGet, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { expect } from 'chai';
import { type Sandbox, type SandboxFault, startSandbox } from '../../sandbox/lib/index.js';
import { realSockets } from '../support/real-sockets.js';

/** What a client receives. */
interface Reading {
  readonly status?: number | undefined;
  readonly headers: IncomingMessage['headers'];
  readonly chunks: readonly Buffer[];
  readonly text: string;
  readonly error?: string | undefined;
}

describe('A fault of the sandbox of the kind', () => {
  realSockets();
  let sandbox: Sandbox;

  beforeEach(async () => {
    sandbox = await startSandbox();
  });

  afterEach(() => sandbox.close());

  /** Requests the users lookup without a token. Without a fault, the response is the 82 bytes of UNAUTHORIZED. */
  function read(fault?: SandboxFault): Promise<Reading> {
    if (fault) sandbox.fault({ endpoint: 'users lookup', fault });
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

  const UNAUTHORIZED = '{"title":"Unauthorized","type":"about:blank","status":401,"detail":"Unauthorized"}';

  it('answer sends status, body and headers', async () => {
    const headers = { 'Retry-After': '7', 'Content-Type': 'text/x-mine' };
    const reading = await read({ kind: 'answer', status: 503, body: 'later', headers });
    expect(reading).to.include({ status: 503, text: 'later' });
    expect(reading.headers).to.include({ 'retry-after': '7', 'content-type': 'text/x-mine' });
  });

  it('answer sends an object as JSON', async () => {
    const reading = await read({ kind: 'answer', status: 200, body: { data: null } });
    expect(reading.text).to.equal('{"data":null}');
    expect(reading.headers['content-type']).to.equal('application/json; charset=utf-8');
  });

  it("delay sends the network's own response", async () => {
    expect(await read({ kind: 'delay', milliseconds: 20 })).to.include({ status: 401, text: UNAUTHORIZED });
  });

  it('hang sends nothing until the sandbox closes', async () => {
    const reading = read({ kind: 'hang' });
    const first = await Promise.race([reading, logged(sandbox)]);
    expect(first).to.equal('logged');
    await sandbox.close();
    expect(await reading).to.deep.equal({ headers: {}, chunks: [], text: '', error: 'ECONNRESET' });
  });

  it('reset resets the connection', async () => {
    expect(await read({ kind: 'reset' })).to.deep.equal({
      headers: {},
      chunks: [],
      text: '',
      error: 'ECONNRESET',
    });
  });

  it('cut sends the Content-Length of the whole response, and only its beginning', async () => {
    const reading = await read({ kind: 'cut', bytes: 20 });
    expect(reading).to.include({ status: 401, text: UNAUTHORIZED.slice(0, 20), error: 'ECONNRESET' });
    expect(reading.headers['content-length']).to.equal('82');
  });

  it('cut never sends the whole body, and may send none of it', async () => {
    expect(await read({ kind: 'cut', bytes: 1000 })).to.include({ text: UNAUTHORIZED.slice(0, 81) });
    expect(await read({ kind: 'cut', bytes: 0 })).to.include({ status: 401, text: '', error: 'ECONNRESET' });
  });

  it('drip sends the response byte by byte', async () => {
    const reading = await read({ kind: 'drip', milliseconds: 1 });
    expect(reading).to.include({ status: 401, text: UNAUTHORIZED, error: undefined });
    expect(reading.chunks.length).to.be.above(20);
    expect(reading.headers['content-length']).to.equal('82');
  });

  it('huge sends 8 MB of valid JSON, without a Content-Length', async () => {
    const { text, headers } = await read({ kind: 'huge' });
    expect(text).to.have.length(8_388_608);
    expect(Object.keys(JSON.parse(text))).to.deep.equal(['padding']);
    expect(headers['content-length']).to.equal(undefined);
  });

  it('huge sends the given number of bytes', async () => {
    expect((await read({ kind: 'huge', bytes: 100 })).text).to.have.length(100);
  });

  it('wrong-type sends an HTML page', async () => {
    const { status, headers, text } = await read({ kind: 'wrong-type' });
    expect(status).to.equal(200);
    expect(headers['content-type']).to.equal('text/html; charset=utf-8');
    expect(text).to.match(/^<!doctype html>/);
  });

  it('redirect sends the client to another URL', async () => {
    const reading = await read({ kind: 'redirect' });
    expect([reading.status, reading.headers.location]).to.deep.equal([302, 'https://elsewhere.example/']);
    const location = 'https://login.example/?again=1';
    expect((await read({ kind: 'redirect', location })).headers.location).to.equal(location);
  });

  it('malformed sends truncated JSON', async () => {
    const { status, headers, text } = await read({ kind: 'malformed' });
    expect([status, text]).to.deep.equal([200, '{"access_token":"']);
    expect(headers['content-type']).to.equal('application/json; charset=utf-8');
  });

  it('delay, drip and hang leave no timer and no connection behind when the sandbox closes', () => {
    const script = ['--require', 'tsx/cjs', join(__dirname, 'left-behind.ts')];
    const { stdout } = spawnSync(process.execPath, script, { encoding: 'utf8', timeout: 30_000 });
    expect(stdout).to.equal('TCPServerWrap TCPSocketWrap Timeout\n\n');
  });
});

/** Resolves when the sandbox has logged a request. */
async function logged(sandbox: Sandbox): Promise<'logged'> {
  while (sandbox.requests().length === 0) await new Promise((resolve) => setImmediate(resolve));
  return 'logged';
}
