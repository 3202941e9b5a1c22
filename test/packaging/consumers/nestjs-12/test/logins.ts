import type { INestApplication, ModuleMetadata } from '@nestjs/common';
import { Test, type TestingModule } from '@nestjs/testing';
import { type Sandbox, startSandbox } from 'passport-social-networks-sandbox';
import { Accounts } from '../src/accounts.js';
import { AppModule } from '../src/app.module.js';
import { loginController } from '../src/login.controller.js';
import { Settings } from '../src/settings.js';
import { STRATEGIES } from '../src/strategies.js';
import { TokenModule } from '../src/token.module.js';
import { Visitor } from './visitor.js';

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

  async function start(
    moduleOf: (settings: Settings) => ModuleMetadata,
    make: Adapter[keyof Adapter],
  ): Promise<void> {
    sandbox = await startSandbox();
    const { options } = sandbox;
    const networks = { 'short-video': options('short-video'), microblog: options('microblog') };
    const module = moduleOf(new Settings(networks, 'a secret of more than 32 characters'));
    app = await make(await Test.createTestingModule(module).compile());
    await app.listen(0, '127.0.0.1');
    url = await app.getUrl();
  }

  async function stop(): Promise<void> {
    await app?.close();
    await sandbox.close();
  }

  describe(`${name}, with sessions`, () => {
    beforeAll(() => start((settings) => ({ imports: [AppModule.register(settings)] }), adapter.withSessions));
    afterAll(stop);

    it('logs in with two networks', async () => {
      for (const network of ['short-video', 'microblog']) {
        const page = await new Visitor(url).open(`/api/auth/signin/${network}`);
        expect(page.json).toMatchObject({ provider: network, displayName: 'Анна Примерова' });
      }
      console.log(`${process.version} logged in: short-video, microblog (${name}, sessions)`);
    });

    it('E1: lets the response of every network reach the strategy, and no late one changes who is logged in', async () => {
      const visitor = new Visitor(url);
      const late = await visitor.consent('/api/auth/signin/microblog');
      await visitor.open('/api/auth/signin/short-video');
      for (const name of ['code', 'error', 'oauth_token', 'denied', 'payload', 'state']) {
        const { status } = await visitor.request(`/api/auth/callback/microblog?${name}=x`);
        expect([name, status]).toEqual([name, 403]);
      }
      expect((await visitor.open(late)).json.provider).toBe('short-video');
    });
  });

  it(`C36: ${name}, with tokens, removes the cookie of a failed login without an exception filter, too`, async () => {
    const moduleOf = (settings: Settings) => ({
      controllers: [loginController('microblog')],
      providers: [Accounts, STRATEGIES.microblog, { provide: Settings, useValue: settings }],
    });
    await start(moduleOf, adapter.withTokens);
    const visitor = new Visitor(url);
    const callback = await visitor.consent('/api/auth/signin/microblog');
    const failed = new URL(callback);
    failed.searchParams.delete('code');
    failed.searchParams.set('error', 'server_error');
    const { status, headers } = await visitor.request(failed.href);
    expect(status).toBe(503);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.getSetCookie()).toEqual([
      expect.stringMatching(/^login\.[\w-]{16}=; Max-Age=0; Path=\/; HttpOnly; SameSite=Lax$/),
    ]);
    expect((await visitor.request(callback)).status).toBe(403);
    await stop();
  });

  describe(`${name}, with tokens`, () => {
    beforeAll(() => start((settings) => ({ imports: [TokenModule.register(settings)] }), adapter.withTokens));
    afterAll(stop);

    it('logs in with two networks', async () => {
      for (const network of ['short-video', 'microblog']) {
        const { json } = await new Visitor(url).open(`/api/auth/signin/${network}`);
        const headers = { authorization: `Bearer ${json.token}` };
        const me = await new Visitor(url).open('/api/me', { headers });
        expect(me.json).toMatchObject({ provider: network, displayName: 'Анна Примерова' });
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
