import { spawnSync } from 'node:child_process';
import { get as httpGet, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { expect } from 'chai';
import type { SandboxFault } from '../../sandbox/lib/index.js';
import { realSockets } from '../support/real-sockets.js';
import { eachSandbox } from './requests.js';

/** What a client receives. */
interface Reading {
  readonly status?: number | undefined;
  readonly headers: IncomingMessage['headers'];
  readonly chunks: readonly Buffer[];
  readonly text: string;
  readonly error?: string | undefined;
}

const MINE = { 'Retry-After': '7', 'Content-Type': 'text/x-mine' };
const HTML = { 'content-type': 'text/html; charset=utf-8' };
const ELSEWHERE = { location: 'https://elsewhere.example/' };
const CUT = { status: 401, error: 'ECONNRESET' };
const RESET = { headers: {}, chunks: [], text: '', error: 'ECONNRESET' };
const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' };
const UNAUTHORIZED = '{"title":"Unauthorized","type":"about:blank","status":401,"detail":"Unauthorized"}';
const LENGTH = { 'content-length': '82' };

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

  const location = 'https://login.example/?again=1';
  const cases: readonly (readonly [
    title: string,
    fault: SandboxFault,
    expected: Partial<Reading>,
    headers?: Readonly<Record<string, string>>,
  ])[] = [
    [
      'answer sends status, body and headers',
      { kind: 'answer', status: 503, body: 'later', headers: MINE },
      { status: 503, text: 'later' },
      { 'retry-after': '7', 'content-type': 'text/x-mine' },
    ],
    [
      'answer sends an object as JSON',
      { kind: 'answer', status: 200, body: { data: null } },
      { text: '{"data":null}' },
      JSON_TYPE,
    ],
    [
      "delay sends the network's own",
      { kind: 'delay', milliseconds: 20 },
      { status: 401, text: UNAUTHORIZED },
    ],
    [
      'cut sends the Content-Length of the whole response, and only its beginning',
      { kind: 'cut', bytes: 20 },
      { ...CUT, text: UNAUTHORIZED.slice(0, 20) },
      LENGTH,
    ],
    ['cut never sends the whole body', { kind: 'cut', bytes: 1000 }, { text: UNAUTHORIZED.slice(0, 81) }],
    ['cut may send nothing of the body', { kind: 'cut', bytes: 0 }, { ...CUT, text: '' }],
    ['huge sends the given number of bytes', { kind: 'huge', bytes: 20 }, { text: '{"padding":"xxxxxx"}' }],
    ['wrong-type sends an HTML page', { kind: 'wrong-type' }, { status: 200 }, HTML],
    ['redirect sends the client elsewhere', { kind: 'redirect' }, { status: 302 }, ELSEWHERE],
    ['redirect sends the client to a URL', { kind: 'redirect', location }, { status: 302 }, { location }],
    [
      'malformed truncates JSON',
      { kind: 'malformed' },
      { status: 200, text: '{"access_token":"' },
      JSON_TYPE,
    ],
  ];

  for (const [title, fault, expected, headers = {}] of cases) {
    it(title, async () => {
      const reading = await read(fault);
      expect(reading).to.include(expected);
      expect(reading.headers).to.include(headers);
      if (fault.kind === 'wrong-type') expect(reading.text).to.match(/^<!doctype html>/);
    });
  }

  it('hang sends nothing until the sandbox closes', async () => {
    const reading = read({ kind: 'hang' });
    const logged = async () => {
      while (sandbox.requests().length === 0) await new Promise((resolve) => setImmediate(resolve));
      return 'logged';
    };
    expect(await Promise.race([reading, logged()])).to.equal('logged');
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
    expect(reading.headers).to.include(LENGTH);
  });

  it('huge sends 8 MB of valid JSON, without a Content-Length', async () => {
    const { text, headers } = await read({ kind: 'huge' });
    expect(text).to.have.length(8_388_608);
    expect(Object.keys(JSON.parse(text))).to.deep.equal(['padding']);
    expect(headers['content-length']).to.equal(undefined);
  });

  it('delay, drip and hang leave no timer and no connection behind when the sandbox closes', () => {
    const script = ['--require', 'tsx/cjs', join(__dirname, 'left-behind.ts')];
    const { stdout } = spawnSync(process.execPath, script, { encoding: 'utf8', timeout: 30_000 });
    expect(stdout).to.equal('TCPServerWrap TCPSocketWrap Timeout\n\n');
  });
});
