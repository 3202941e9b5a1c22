import { randomBytes } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { exposeResponse, SocialNetworkStrategy } from 'passport-social-networks';
import type { BrowserContext, Browser as Chromium, Page } from 'playwright-core';
import { type Sandbox, startSandbox } from '../../../sandbox/lib/index.js';
import { programsOf } from '../../guides/programs.js';
import { Browser } from '../../support/browser.js';
import { closesAfterEach } from '../../support/cleanup.js';
import { allow } from '../../support/journey.js';
import { launchChromium, needsChromium } from '../../support/requirements.js';
import { serve } from '../../support/server.js';
import { collectsWarnings } from '../../support/warnings.js';
import {
  fastifyListening,
  from,
  type Listening,
  listen,
  NEST,
  nestPackage,
  nestPassport,
} from './harness.js';

import express = require('express');
import passport = require('passport');

const BEGIN = '/api/auth/one-tap';
const CALLBACK = '/api/auth/callback/social-network';
const SIGN_IN = '/api/auth/signin/social-network';
const NO_SESSION = { session: false } as const;
const OWN_FETCH = { 'sec-fetch-dest': 'empty', 'sec-fetch-mode': 'cors', 'sec-fetch-site': 'same-origin' };
const FOREIGN_FETCH = { ...OWN_FETCH, 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' };

interface User {
  readonly id: string;
}
/** What a framework's error handler reads. */
type Thrown = { readonly statusCode?: number; readonly message: string };

/** The least application with a strategy of VK ID: begins a login for a script, and finishes it with `{ id }`. Errors get their own status and message. */
type DoorsApp = (options: ReturnType<typeof optionsOf>) => Promise<Listening>;

const optionsOf = (sandbox: Sandbox) => sandbox.options('social-network', { version: '2.1' });

const strategyWith = (options: ReturnType<typeof optionsOf>) =>
  new SocialNetworkStrategy(options, async (_token, _refreshToken, { id }) => ({ id }));

const expressApp: DoorsApp = async (options) => {
  const strategy = strategyWith(options);
  const login = new passport.Passport().use(strategy);
  const authenticate = login.authenticate('social-network', NO_SESSION);
  const app = express();
  app.post(BEGIN, async (req, res) => void res.json({ url: await strategy.authorizationRequest(req) }));
  app.get(CALLBACK, authenticate, ({ user }, res) => void res.json(user));
  app.get(SIGN_IN, authenticate);
  const onError: express.ErrorRequestHandler = (
    { status = 500, message }: Thrown & { status?: number },
    _req,
    res,
    _next,
  ) => {
    res.status(status).json({ message });
  };
  app.use(onError);
  return { listener: app };
};

const fastifyApp: DoorsApp = async (options) => {
  const strategy = strategyWith(options);
  const app = from('fastify', 'fastify')();
  app.addHook('onRequest', exposeResponse);
  app.decorateRequest('session', null);
  const authenticator = new (from('fastify', '@fastify/passport').Authenticator)();
  authenticator.use(strategy);
  await app.register(authenticator.initialize());
  const preValidation = authenticator.authenticate('social-network', NO_SESSION);
  type Request = Parameters<typeof strategy.authorizationRequest>[0] & { user: User };
  app.post(BEGIN, async (request: Request) => ({ url: await strategy.authorizationRequest(request) }));
  app.get(CALLBACK, { preValidation }, async ({ user }: Request) => user);
  return fastifyListening(app);
};

const koaApp: DoorsApp = async (options) => {
  const strategy = strategyWith(options);
  const app = new (from('koa', 'koa'))();
  const router = new (from('koa', '@koa/router').default)();
  const authenticator = new (from('koa', 'koa-passport').KoaPassport)();
  authenticator.use(strategy);
  type Context = {
    readonly request: Parameters<typeof strategy.authorizationRequest>[0];
    readonly state: { readonly user: User };
    body: unknown;
    status: number;
  };
  app.use(async (ctx: Context, next: () => Promise<void>) => {
    try {
      await next();
    } catch (error) {
      const { statusCode = 500, message } = error as Thrown;
      Object.assign(ctx, { status: statusCode, body: { message } });
    }
  });
  router.post(BEGIN, async (ctx: Context) => {
    ctx.body = { url: await strategy.authorizationRequest(ctx.request) };
  });
  router.get(CALLBACK, authenticator.authenticate('social-network', NO_SESSION), (ctx: Context) => {
    ctx.body = ctx.state.user;
  });
  app.use(authenticator.initialize()).use(router.routes());
  return { listener: app.callback() };
};

/** As an application writes it with decorators. */
const nestApp =
  (folder: string): DoorsApp =>
  async (options) => {
    const { Controller, Get, HttpException, Inject, Module, Post, Req, UseGuards } = await nestPackage(
      folder,
      '@nestjs/common',
    );
    const { NestFactory } = await nestPackage(folder, '@nestjs/core');
    const nestjs = await nestPassport(folder);
    // NestJS has one Passport in a process, in which the last strategy of a name counts.
    const name = `social-network-${randomBytes(4).toString('hex')}`;
    class VkId extends (nestjs.PassportStrategy(SocialNetworkStrategy, name) as unknown as new (
      given: object,
    ) => ReturnType<typeof strategyWith>) {
      constructor() {
        super(options);
      }
      async validate(_token: string, _refreshToken: string, { id }: User): Promise<User> {
        return { id };
      }
    }
    class LoginController {
      constructor(private readonly vkID: VkId) {}
      async begin(req: express.Request) {
        return { url: await this.vkID.authorizationRequest(req) };
      }
      finish(req: express.Request) {
        return req.user;
      }
    }
    class AppModule {}
    const at = (
      name: keyof LoginController,
      ...decorators: readonly ((target: object, name: string, own?: PropertyDescriptor) => void)[]
    ) => {
      const own = Object.getOwnPropertyDescriptor(LoginController.prototype, name);
      for (const decorate of decorators) decorate(LoginController.prototype, name, own);
    };
    class Guard extends nestjs.AuthGuard(name) {
      override getAuthenticateOptions(): object {
        return { ...NO_SESSION };
      }
      handleRequest(error: unknown, user: unknown, failure: object, _context: object, status: number) {
        if (error) throw error;
        if (!user) throw new HttpException(failure, status);
        return user;
      }
    }
    Inject(VkId)(LoginController, undefined, 0);
    Req()(LoginController.prototype, 'begin', 0);
    Req()(LoginController.prototype, 'finish', 0);
    at('begin', Post(BEGIN));
    at('finish', Get(CALLBACK), UseGuards(Guard));
    Controller()(LoginController);
    Module({ controllers: [LoginController], providers: [VkId] })(AppModule);
    const app = await NestFactory.create(AppModule, { logger: false, abortOnError: false });
    await app.init();
    return { listener: app.getHttpAdapter().getInstance(), close: () => app.close() };
  };

/** Sends what a page's `fetch(url, { method: 'POST' })` sends. */
async function post(browser: Browser, url: string, headers: Readonly<Record<string, string>>) {
  const { response } = await browser.visit(url, { method: 'POST', headers });
  const json = (await response.json()) as { readonly url: string; readonly message?: string };
  return { status: response.status, headers: response.headers, json };
}

describe('A login without a redirect', function () {
  this.timeout(30_000);
  const opened = closesAfterEach();
  collectsWarnings();
  const { write } = programsOf('docs/pending-logins.md');
  let sandbox: Sandbox;

  before(async () => {
    sandbox = await startSandbox({ vkIdCallback: 'flat' });
  });
  after(() => sandbox?.close());

  /** Without what it logs. */
  const quiet = (code: string) => code.replace('console.error(error ?? info?.message);', '');

  /** A host with Fetch's Request, by the function of the guide. */
  const fetchApp: DoorsApp = async (options) => {
    const strategy = strategyWith(options);
    passport.use(strategy);
    const { begin, logIn } = await import(pathToFileURL(write('fetch-login.mjs', quiet)).href);
    const answered = async (request: Request): Promise<Response> => {
      const { pathname } = new URL(request.url);
      if (pathname === BEGIN) return begin(request, strategy);
      return logIn(request, 'social-network', (user: User) => Response.json(user));
    };
    return {
      listener: (incoming, outgoing) => {
        const { method = 'GET', url = '', headers } = incoming;
        const run = async () => {
          const given = { method, headers: headers as Record<string, string> };
          const response = await answered(new Request(`http://${headers.host}${url}`, given));
          outgoing.writeHead(response.status, [...response.headers].flat());
          outgoing.end(await response.text());
        };
        run().catch((error: Error) => outgoing.writeHead(500).end(error.stack));
      },
    };
  };

  const APPS: Readonly<Record<string, DoorsApp>> = {
    'Express 5': expressApp,
    'Fastify 5': fastifyApp,
    'Koa 3': koaApp,
    ...Object.fromEntries(Object.entries(NEST).map(([title, folder]) => [title, nestApp(folder)])),
    "a host with Fetch's Request": fetchApp,
  };

  for (const [title, load] of Object.entries(APPS)) {
    describe(`with ${title}`, () => {
      const start = async () => opened(await listen(() => load(optionsOf(sandbox))));
      const alice = () => ({ id: String(sandbox.people[0]?.socialNetworkId) });

      it('C47: a page of the application begins a login, which its browser finishes once', async () => {
        const app = await start();
        const browser = new Browser();
        const begun = await post(browser, `${app.url}${BEGIN}`, OWN_FETCH);
        expect([200, 201]).to.include(begun.status);
        expect(begun.headers.get('cache-control')).to.equal('no-store');
        const callback = await allow(browser, begun.json.url);
        expect((await new Browser().get(callback)).status).to.equal(403);
        const { status, json } = await browser.get(callback);
        expect([status, json]).to.deep.equal([200, alice()]);
        const again = await browser.get(callback);
        expect(again.status).to.equal(403);
      });

      it('C47: a page of another site begins none, and reads why', async () => {
        const app = await start();
        const browser = new Browser();
        for (const headers of [
          FOREIGN_FETCH,
          { 'sec-fetch-dest': 'document', 'sec-fetch-mode': 'navigate' },
        ]) {
          const { status, json } = await post(browser, `${app.url}${BEGIN}`, headers);
          expect([status, json.message]).to.deep.equal([
            403,
            "This route starts a login for a script of the application's own pages. Call it with fetch(url, { method: 'POST' }) from a page of this site; to open it in a browser is not enough.",
          ]);
        }
        expect(browser.cookies()).to.deep.equal([]);
      });
    });
  }
});

describe('In Chromium, the relay of the guide', function () {
  this.timeout(60_000);
  const opened = closesAfterEach();
  collectsWarnings();
  const deploying = programsOf('docs/deploying.md');
  const alice = () => ({ id: String(deploying.sandbox().people[0]?.socialNetworkId) });
  let chromium: Chromium;
  let context: BrowserContext;
  let page: Page;

  before(async function () {
    needsChromium(this);
    chromium = await launchChromium();
  });
  after(() => chromium?.close());
  beforeEach(async () => {
    context = opened(await chromium.newContext());
    context.setDefaultTimeout(20_000);
    page = await context.newPage();
  });

  /** What a page shows. */
  const shown = async () => JSON.parse(await page.locator('body').innerText());

  async function consent(): Promise<void> {
    await page.getByRole('button', { name: 'Allow' }).click();
  }

  /** A server whose URL is known before its application. */
  async function place() {
    let listener: RequestListener = (_req, res) => void res.end();
    const { port } = opened(await serve((req, res) => listener(req, res)));
    const serves = (given: RequestListener) => {
      listener = given;
    };
    return { port, serves };
  }

  /** The relay at 127.0.0.1, and previews at hosts of their own. */
  async function relayed() {
    const front = await place();
    const relay = `http://127.0.0.1:${front.port}`;
    const program = await deploying.start('relay.mjs', {
      isNew: true,
      env: { RELAY_URL: relay, PREVIEWS: '^http://pr-[12]\\.localhost:\\d+$' },
    });
    front.serves((req, res) => {
      fetch(`${program.url}${req.url}`, { redirect: 'manual' }).then(
        async (answer) => {
          res.writeHead(answer.status, Object.fromEntries(answer.headers));
          res.end(await answer.text());
        },
        () => res.destroy(),
      );
    });
    const preview = async (name: string) => {
      const { port, serves } = await place();
      const url = `http://${name}.localhost:${port}`;
      const authorizationURL = `${relay}/authorize/social-network?to=${url}`;
      const options = {
        ...optionsOf(deploying.sandbox()),
        authorizationURL,
        callbackURL: `${relay}${CALLBACK}`,
      };
      serves((await expressApp(options)).listener);
      return url;
    };
    return { relay, one: await preview('pr-1'), two: await preview('pr-2') };
  }

  /** Begins a login at a preview, and consents. @returns What comes back from the relay, which the browser has not opened. */
  async function keptCallback(start: string, on = page): Promise<string> {
    await on.goto(start);
    await on.getByRole('button', { name: 'Allow' }).waitFor();
    let url = `${on.url()}&auto=allow&person=alice`;
    // The network redirects to the relay, and the relay to the preview.
    for (let redirect = 0; redirect < 2; redirect += 1)
      url = (await fetch(url, { redirect: 'manual' })).headers.get('location') ?? '';
    return url;
  }

  it('C49: logs in at two previews, with a redirect and without', async () => {
    const { one, two } = await relayed();
    await page.goto(`${one}${SIGN_IN}`);
    await consent();
    await page.waitForURL(`${one}${CALLBACK}?*`);
    expect(await shown()).to.deep.equal(alice());
    await page.route(`${two}/`, (route) =>
      route.fulfill({ contentType: 'text/html', body: '<!doctype html>' }),
    );
    await page.goto(`${two}/`);
    const begin = `fetch('${BEGIN}', { method: 'POST' }).then((response) => response.json())`;
    const { url } = (await page.evaluate(begin)) as { url: string };
    await page.goto(url);
    await consent();
    await page.waitForURL(`${two}${CALLBACK}?*`);
    expect(await shown()).to.deep.equal(alice());
  });

  it('C49: a login of one preview ends at another one with 403, and spends nothing', async () => {
    const { one, two } = await relayed();
    const callback = await keptCallback(`${one}${SIGN_IN}`);
    // The other one has a login of its own under way.
    await page.goto(`${two}${SIGN_IN}`);
    await page.getByRole('button', { name: 'Allow' }).waitFor();
    const mixed = await page.goto(callback.replace(one, two));
    expect(mixed?.status()).to.equal(403);
    expect((await page.goto(callback))?.status()).to.equal(200);
    expect((await page.goto(callback))?.status()).to.equal(403);
  });

  it('C49: a planted response logs nobody in', async () => {
    const { one, relay } = await relayed();
    const theirs = opened(await chromium.newContext());
    const callback = await keptCallback(`${one}${SIGN_IN}`, await theirs.newPage());
    expect((await page.goto(callback))?.status()).to.equal(403);
    const { searchParams } = new URL(callback);
    const state = `${searchParams.get('state')}${Buffer.from(one).toString('base64url')}`;
    const planted = String(new URLSearchParams({ ...Object.fromEntries(searchParams), state }));
    const answer = await page.goto(`${relay}${CALLBACK}?${planted}`);
    expect([answer?.url().startsWith(one), answer?.status()]).to.deep.equal([true, 403]);
  });
});
