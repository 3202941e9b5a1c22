import { readFileSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { expect } from 'chai';
import { Clock, World } from '../../sandbox/lib/core/world.js';
import type { SandboxRequest } from '../../sandbox/lib/index.js';
import { exchange } from '../support/browser.js';
import { realSockets } from '../support/real-sockets.js';
import { needs } from '../support/requirements.js';
import { eachSandbox } from '../support/sandbox.js';
import { ShortVideoClient } from './clients.js';
import { type Fields, get, rows, withSandbox } from './requests.js';

const NO_PAGES = 'the control is closed to web pages';
const HEADER = { 'X-Sandbox-Control': '1' };

describe('The control over HTTP', () => {
  realSockets();

  const sandbox = eachSandbox();

  async function send(
    method: string,
    path: string,
    body?: unknown,
    headers: Fields = HEADER,
    origin = sandbox.url,
  ) {
    const text = body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body);
    const reply = await exchange(`${origin}/control${path}`, method, text, headers);
    const json: Record<string, unknown> = reply.text === '' ? {} : JSON.parse(reply.text);
    return { status: reply.status, json };
  }

  const lookUp = async () => (await get(`${sandbox.url}/microblog/2/users/me`)).status;

  it('lists so many secrets that a rehearsal can read them, after weeks, too', () => {
    const world = new World(new Clock(), []);
    const kinds = Array.from({ length: 12 }, () => world.credentials());
    for (let count = 0; count < 10_000; count += 1)
      for (const [kind, credentials] of kinds.entries())
        credentials.issue(`${kind}-${count}-${'x'.repeat(300)}`, {}, 60);
    const given = world.given();
    expect(JSON.stringify(given).length).to.be.below(10_000_000);
    for (const kind of kinds.keys())
      expect(given.some((one) => one.startsWith(`${kind}-9999-`))).to.equal(true);
  });

  it('lists the requests, and counts those since the last reset', async () => {
    await lookUp();
    const { status, json } = await send('GET', '/requests');
    expect(status).to.equal(200);
    expect(json).to.deep.equal({ count: 1, requests: JSON.parse(JSON.stringify(sandbox.requests())) });
    expect((await send('POST', '/reset')).status).to.equal(204);
    expect((await send('GET', '/requests')).json).to.deep.equal({ count: 0, requests: [] });
  });

  it('adds a fault, and removes it', async () => {
    const rule = { network: 'microblog', endpoint: 'users lookup', fault: { kind: 'answer', status: 503 } };
    const { status, json } = await send('POST', '/fault', rule);
    expect(status).to.equal(201);
    expect(await lookUp()).to.equal(503);
    expect((await send('DELETE', `/fault/${String(json.id)}`)).status).to.equal(204);
    expect(await lookUp()).to.equal(401);
    expect((await send('DELETE', `/fault/${String(json.id)}`)).json.error).to.match(/^there is no fault 1/);
  });

  it('advances the clock', async () => {
    const client = new ShortVideoClient(sandbox);
    const { accessToken } = await client.tokens();
    expect((await client.profile(accessToken, 'open_id')).status).to.equal(200);
    expect((await send('POST', '/advance', { milliseconds: 90_000_000 })).status).to.equal(204);
    expect((await client.profile(accessToken, 'open_id')).status).to.equal(401);
  });

  describe('waits for a request', () => {
    const requestOf = ({ json }: Awaited<ReturnType<typeof send>>) => json.request as SandboxRequest;

    it('that comes later', async () => {
      const waiting = send('POST', '/wait', { network: 'microblog', endpoint: 'users lookup' });
      await get(`${sandbox.url}/short-video/v2/user/info/`);
      await lookUp();
      const answer = await waiting;
      expect(answer.json.number).to.equal(2);
      expect(requestOf(answer)).to.include({ network: 'microblog', status: 401 });
    });

    it('that came before, or after those that are known', async () => {
      await lookUp();
      expect(requestOf(await send('POST', '/wait', {}))).to.include({ endpoint: 'users lookup' });
      const waiting = send('POST', '/wait', { after: 1 });
      await get(`${sandbox.url}/short-video/v2/user/info/`);
      const answer = await waiting;
      expect(answer.json.number).to.equal(2);
      expect(requestOf(answer)).to.include({ network: 'short-video' });
    });

    it('that was rejected, or was not', async () => {
      await lookUp();
      await get(new ShortVideoClient(sandbox).authorization());
      expect(requestOf(await send('POST', '/wait', { refused: true }))).to.include({ network: 'microblog' });
      const accepted = requestOf(await send('POST', '/wait', { refused: false }));
      expect(accepted).to.include({ network: 'short-video' });
    });

    it('until the timeout', async () => {
      const { status, json } = await send('POST', '/wait', { timeout: 1 });
      expect(status).to.equal(408);
      expect(json.error).to.equal('no such request within 1 milliseconds');
    });
  });

  for (const [path = '', body = '', error] of rows(`
    /fault   | {"endpoint":"x","fault":{"kind":"hang"}} | unknown endpoint "x"
    /fault   | {}                   | unknown fault undefined
    /fault   | kind: hang           | the body is not JSON
    /fault   | []                   | the body must be a JSON object
    /advance | {}                   | milliseconds is missing; it must be a number
    /advance | {"milliseconds":-1}  | only moves forward
    /advance | {"milliseconds":1,"seconds":1} | unknown property "seconds" (known: milliseconds)
    /wait    | {"path":"/"}         | unknown property "path"
    /wait    | {"network":1}        | network must be a string
    /wait    | {"refused":"yes"}    | refused must be true or false
    /wait    | {"after":-1}         | after must be an integer, 0 or more
    /wait    | {"timeout":60001}    | timeout must be an integer from 0 to 60000`)) {
    it(`explains the mistake in POST ${path} ${body}`, async () => {
      const answer = await send('POST', path, body);
      expect(answer.status).to.equal(400);
      expect(answer.json.error).to.include(error);
    });
  }

  it('is used as the README shows', async () => {
    const [, section = ''] = readFileSync('sandbox/README.md', 'utf8').split(
      '## Another process or language',
    );
    const [, commands = ''] = /```sh\n(.*?)```/s.exec(section) ?? [];
    await lookUp();
    let shown = 0;
    for (const [, method = 'GET', path = '', body] of commands.matchAll(
      /^curl -H 'X-Sandbox-Control: 1' (?:-X (\w+) )?http:\/\/127\.0\.0\.1:4000\/control(\S+)(?: -d '(.*)')?$/gm,
    )) {
      const { status } = await send(body === undefined ? method : 'POST', path, body);
      expect(status, path).to.be.below(300);
      shown += 1;
    }
    expect(shown).to.equal(commands.split('\n').filter((line) => line.startsWith('curl')).length);
    expect(shown).to.equal(6);
  });

  it('has no other requests', async () => {
    expect((await send('GET', '/reset')).status).to.equal(404);
  });

  describe('is closed', () => {
    for (const [what, headers, error] of [
      ['a request without its header', {}, 'the header X-Sandbox-Control: 1 is missing'],
      ['a web page', { ...HEADER, Origin: 'http://127.0.0.1:3000' }, NO_PAGES],
      ['an opaque web page', { ...HEADER, Origin: 'null' }, NO_PAGES],
      ['a page of the sandbox', { ...HEADER, 'Sec-Fetch-Site': 'same-origin' }, NO_PAGES],
    ] as const) {
      it(`to ${what}`, async () => {
        const { status, json } = await send('POST', '/reset', undefined, headers);
        expect(status).to.equal(403);
        expect(json).to.deep.equal({ error });
      });
    }

    it('under another name, even if the sandbox listens on other addresses', () =>
      withSandbox({ host: '0.0.0.0' }, async (open) => {
        const reset = (headers: Fields) => send('POST', '/reset', undefined, headers, open.url);
        expect((await reset({ ...HEADER, Host: 'rebound.example' })).status).to.equal(403);
        expect((await reset(HEADER)).status).to.equal(204);
      }));

    it('to another machine, even if the sandbox listens on other addresses', async function () {
      const outside = Object.values(networkInterfaces())
        .flatMap((addresses) => addresses ?? [])
        .find(({ internal, family }) => !internal && family === 'IPv4');
      needs(this, outside !== undefined, 'This test needs a network interface beside the loopback one');
      if (!outside) return;
      await withSandbox({ host: '0.0.0.0' }, async (open) => {
        const headers = { ...HEADER, Host: 'localhost' };
        const origin = open.url.replace('127.0.0.1', outside.address);
        const { status, json } = await send('POST', '/reset', undefined, headers, origin);
        expect(status).to.equal(403);
        expect(json.error).to.equal('the control serves this machine only');
      });
    });
  });
});
