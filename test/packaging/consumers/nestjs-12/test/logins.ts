import type { INestApplication, ModuleMetadata } from '@nestjs/common';
import { Test, type TestingModule } from '@nestjs/testing';
import { Browser, login, type Sandbox, startSandbox } from 'passport-social-networks-sandbox';
import { Accounts } from '../src/accounts.js';
import { AppModule } from '../src/app.module.js';
import { loginController } from '../src/login.controller.js';
import { Settings } from '../src/settings.js';
import { STRATEGIES } from '../src/strategies.js';
import { TokenModule } from '../src/token.module.js';

// During development a lost login says once in the console why. Some are lost here on purpose.
const emitWarning = process.emitWarning.bind(process) as (...given: unknown[]) => void;
process.emitWarning = (warning: string | Error, ...others: unknown[]) => {
  if (String(warning).includes('belongs to no pending login')) return;
  emitWarning(warning, ...others);
};

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

  const logIn = (network: string) => login(`${url}/api/auth/signin/${network}`, { person: 'anna' });

  /** Starts a login. @returns The callback URL, which the browser has not opened. */
  async function consent(browser: Browser, network: string): Promise<string> {
    const { location: page } = await browser.visit(`${url}/api/auth/signin/${network}`);
    const { location = '' } = await browser.visit(`${page}&auto=allow&person=anna`);
    return location;
  }

  describe(`${name}, with sessions`, () => {
    beforeAll(() => start((settings) => ({ imports: [AppModule.register(settings)] }), adapter.withSessions));
    afterAll(stop);

    it('logs in with two networks', async () => {
      for (const network of ['short-video', 'microblog']) {
        const { response } = await logIn(network);
        expect(await response.json()).toMatchObject({ provider: network, displayName: 'Анна Примерова' });
      }
      console.log(`${process.version} logged in: short-video, microblog (${name}, sessions)`);
    });

    it('E1: lets the response of every network reach the strategy, and no late one changes who is logged in', async () => {
      const browser = new Browser();
      const late = await consent(browser, 'microblog');
      await browser.open(await consent(browser, 'short-video'));
      for (const name of ['code', 'error', 'oauth_token', 'denied', 'payload', 'state']) {
        const { response } = await browser.visit(`${url}/api/auth/callback/microblog?${name}=x`);
        expect([name, response.status]).toEqual([name, 403]);
      }
      const { response } = await browser.open(late);
      expect(await response.json()).toMatchObject({ provider: 'short-video' });
    });
  });

  it(`C36: ${name}, with tokens, removes the cookie of a failed login without an exception filter, too`, async () => {
    const moduleOf = (settings: Settings) => ({
      controllers: [loginController('microblog')],
      providers: [Accounts, STRATEGIES.microblog, { provide: Settings, useValue: settings }],
    });
    await start(moduleOf, adapter.withTokens);
    const browser = new Browser();
    const callback = await consent(browser, 'microblog');
    const failed = new URL(callback);
    failed.searchParams.delete('code');
    failed.searchParams.set('error', 'server_error');
    const { headers, status } = (await browser.visit(failed.href)).response;
    expect(status).toBe(503);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.getSetCookie()).toEqual([
      expect.stringMatching(/^login\.[\w-]{16}=; Max-Age=0; Path=\/; HttpOnly; SameSite=Lax$/),
    ]);
    expect((await browser.visit(callback)).response.status).toBe(403);
    await stop();
  });

  describe(`${name}, with tokens`, () => {
    beforeAll(() => start((settings) => ({ imports: [TokenModule.register(settings)] }), adapter.withTokens));
    afterAll(stop);

    it('logs in with two networks', async () => {
      for (const network of ['short-video', 'microblog']) {
        const { response } = await logIn(network);
        const { token } = (await response.json()) as { token: string };
        const me = await fetch(`${url}/api/me`, { headers: { authorization: `Bearer ${token}` } });
        expect(await me.json()).toMatchObject({ provider: network, displayName: 'Анна Примерова' });
      }
      console.log(`${process.version} logged in: short-video, microblog (${name}, tokens)`);
    });

    it('rejects a request without a token, and one with a forged token', async () => {
      expect((await fetch(`${url}/api/me`)).status).toBe(401);
      const headers = { authorization: 'Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.' };
      expect((await fetch(`${url}/api/me`, { headers })).status).toBe(401);
    });
  });
}
