import type { INestApplication, Type } from '@nestjs/common';
import { Test, type TestingModule } from '@nestjs/testing';
import { type Sandbox, startSandbox } from 'passport-social-networks-sandbox';
import { Accounts } from '../src/accounts.js';
import { AppModule } from '../src/app.module.js';
import { loginController } from '../src/login.controller.js';
import { Networks } from '../src/networks.js';
import { Microblog } from '../src/strategies.js';
import { TokenModule } from '../src/token.module.js';
import { Visitor } from './visitor.js';

Object.assign(process.env, {
  SESSION_SECRET: 'a session secret of more than 32 characters',
  JWT_SECRET: 'a token secret of more than 32 characters',
});

// During development a lost login says once in the console why. Some are lost here on purpose.
const emitWarning = process.emitWarning.bind(process) as (...given: unknown[]) => void;
process.emitWarning = (warning: string | Error, ...others: unknown[]) => {
  if (String(warning).includes('belongs to no pending login')) return;
  emitWarning(warning, ...others);
};

/** How an adapter makes its applications. */
export interface Adapter {
  readonly withSessions: (module: TestingModule) => Promise<INestApplication> | INestApplication;
  readonly withTokens: (module: TestingModule) => Promise<INestApplication> | INestApplication;
}

/** Declares the tests of an adapter. Passport keeps the serializer of the first application in a process, so each test file has one with sessions. */
export function testLogins(name: string, adapter: Adapter): void {
  let sandbox: Sandbox;
  let app: INestApplication | undefined;
  let url: string;

  async function start(module: Type, make: Adapter[keyof Adapter]): Promise<void> {
    sandbox = await startSandbox();
    const networks = new Networks(sandbox.options('short-video'), sandbox.options('microblog'));
    const testing = Test.createTestingModule({ imports: [module] });
    const made = await make(await testing.overrideProvider(Networks).useValue(networks).compile());
    app = made;
    await made.listen(0, '127.0.0.1');
    url = await made.getUrl();
  }

  async function stop(): Promise<void> {
    await app?.close();
    await sandbox.close();
  }

  describe(`${name}, with sessions`, () => {
    beforeAll(() => start(AppModule, adapter.withSessions));
    afterAll(stop);

    const loginsOn = (text: string): string[] =>
      JSON.parse(/<pre>(.*)<\/pre>/.exec(text)?.[1] ?? '{}').logins;

    /** Sends the form that links a login, as the page shows it. */
    async function link(visitor: Visitor, network: string, choices?: string) {
      const { text } = await visitor.open('/');
      const formToken = /name="formToken" value="([^"]+)"/.exec(text)?.[1] ?? '';
      const init = { method: 'POST', body: new URLSearchParams({ formToken }) };
      return visitor.open(`/link/${network}`, init, choices);
    }

    it('logs in with two networks', async () => {
      for (const network of ['short-video', 'microblog']) {
        const page = await new Visitor(url).open(`/api/auth/signin/${network}`);
        expect(loginsOn(page.text)).toEqual([expect.stringMatching(`^${network}:.`)]);
      }
      console.log(`${process.version} logged in: short-video, microblog (${name}, sessions)`);
    });

    it('C3: finishes the logins of eight tabs in any order, with forged callbacks between them', async () => {
      const visitor = new Visitor(url);
      const callbacks: string[] = [];
      for (let tab = 0; tab < 8; tab += 1) {
        // Users who are logged in cannot begin another login, so all begin before one ends.
        callbacks.push(await visitor.consent(`/api/auth/signin/${tab % 2 ? 'short-video' : 'microblog'}`));
      }
      for (const tab of [3, 0, 7, 1, 6, 2, 5, 4]) {
        const callback = new URL(callbacks[tab] ?? '');
        expect((await visitor.request(callback.href)).status).toBe(302);
        callback.searchParams.set('state', 'forged');
        expect((await visitor.request(callback.href)).status).toBe(403);
      }
    });

    it('links a second login, and both lead to the same account', async () => {
      const visitor = new Visitor(url);
      await visitor.open('/api/auth/signin/short-video', {}, 'auto=allow&person=ned');
      const logins = loginsOn((await link(visitor, 'microblog', 'auto=allow&person=ned')).text);
      expect(logins).toHaveLength(2);
      const later = await new Visitor(url).open('/api/auth/signin/microblog', {}, 'auto=allow&person=ned');
      expect(loginsOn(later.text)).toEqual(logins);
    });

    it('does not link a login that belongs to another account', async () => {
      await new Visitor(url).open('/api/auth/signin/microblog');
      const visitor = new Visitor(url);
      await visitor.open('/api/auth/signin/short-video');
      const page = await link(visitor, 'microblog');
      expect([page.status, page.json.message]).toEqual([409, 'This login belongs to another account.']);
      expect(loginsOn((await visitor.open('/')).text)).toHaveLength(1);
    });

    it('does not begin a link without the token of the form', async () => {
      const visitor = new Visitor(url);
      await visitor.open('/api/auth/signin/short-video');
      expect((await visitor.request('/link/microblog', { method: 'POST' })).status).toBe(403);
    });

    it('keeps who is logged in when a page of another site opens the sign-in route', async () => {
      const visitor = new Visitor(url);
      await visitor.open('/api/auth/signin/short-video');
      const page = await visitor.open('/api/auth/signin/microblog', {}, 'auto=allow&person=max');
      expect(loginsOn(page.text)).toEqual([expect.stringMatching('^short-video:')]);
    });

    it('E1: lets the response of every network reach the strategy, and no late one changes who is logged in', async () => {
      const visitor = new Visitor(url);
      const late = await visitor.consent('/api/auth/signin/microblog');
      await visitor.open('/api/auth/signin/short-video');
      for (const name of ['code', 'error', 'oauth_token', 'denied', 'payload', 'state']) {
        const { status } = await visitor.request(`/api/auth/callback/microblog?${name}=x`);
        expect([name, status]).toEqual([name, 403]);
      }
      expect(loginsOn((await visitor.open(late)).text)).toEqual([expect.stringMatching('^short-video:')]);
    });

    it('does not begin a login at the callback route', async () => {
      expect((await new Visitor(url).request('/api/auth/callback/microblog')).status).toBe(400);
    });

    it('responds to a failure with its status and code', async () => {
      const visitor = new Visitor(url);
      const page = await visitor.open('/api/auth/signin/microblog', {}, 'auto=deny');
      expect([page.status, page.json.code]).toEqual([401, 'access_denied']);
      const callback = await visitor.consent('/api/auth/signin/microblog');
      await visitor.open(callback);
      const again = await visitor.open(callback);
      expect([again.status, again.json.code]).toEqual([403, 'used_login']);
    });

    it('responds to an error of the network with its status and code, without its message', async () => {
      sandbox.fault({ network: 'microblog', endpoint: 'token', fault: { kind: 'malformed' } });
      const page = await new Visitor(url).open('/api/auth/signin/microblog');
      expect(page.status).toBe(502);
      expect(page.json).toEqual({
        message: 'The network could not log you in. Please try again.',
        code: 'unreadable_response',
      });
    });
  });

  it(`C36: ${name}, with tokens, removes the cookie of a failed login without an exception filter, too`, async () => {
    sandbox = await startSandbox();
    const networks = new Networks(sandbox.options('short-video'), sandbox.options('microblog'));
    const testing = Test.createTestingModule({
      controllers: [loginController('microblog')],
      providers: [Accounts, Microblog, { provide: Networks, useValue: networks }],
    });
    app = await adapter.withTokens(await testing.compile());
    await app.listen(0, '127.0.0.1');
    const visitor = new Visitor(await app.getUrl());
    const callback = await visitor.consent('/api/auth/signin/microblog');
    const failed = new URL(callback);
    failed.searchParams.delete('code');
    failed.searchParams.set('error', 'server_error');
    const { status, headers } = await visitor.request(failed.href);
    expect(status).toBe(502);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.getSetCookie()).toEqual([expect.stringMatching(/^login\..*=; Max-Age=0;/)]);
    expect((await visitor.request(callback)).status).toBe(403);
    await stop();
  });

  describe(`${name}, with tokens`, () => {
    beforeAll(() => start(TokenModule, adapter.withTokens));
    afterAll(stop);

    it('logs in with two networks', async () => {
      for (const network of ['short-video', 'microblog']) {
        const { json } = await new Visitor(url).open(`/api/auth/signin/${network}`);
        const headers = { authorization: `Bearer ${json.token}` };
        const me = await new Visitor(url).open('/api/me', { headers });
        expect(me.json).toEqual({ name: 'Анна Примерова' });
      }
      console.log(`${process.version} logged in: short-video, microblog (${name}, tokens)`);
    });

    it('rejects a request without a token, and one with a forged token', async () => {
      const visitor = new Visitor(url);
      expect((await visitor.request('/api/me')).status).toBe(401);
      const headers = { authorization: 'Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.' };
      expect((await visitor.request('/api/me', { headers })).status).toBe(401);
    });
  });
}
