import { createHash, randomBytes } from 'node:crypto';
import { text as textOf } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { exposeResponse, SocialNetworkStrategy } from 'passport-social-networks';
import { type Sandbox, startSandbox } from '../../../sandbox/lib/index.js';
import { programsOf } from '../../guides/programs.js';
import { Browser } from '../../support/browser.js';
import { closesAfterEach } from '../../support/cleanup.js';
import { allow, withParameters } from '../../support/journey.js';
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
const EXCHANGE = '/api/auth/sdk';
/** Where the app on the phone gets its code. */
const APP = 'https://shop.example/app/login';
const NO_SESSION = { session: false } as const;
const OWN_FETCH = { 'sec-fetch-dest': 'empty', 'sec-fetch-mode': 'cors', 'sec-fetch-site': 'same-origin' };
const FOREIGN_FETCH = { ...OWN_FETCH, 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' };

interface User {
  readonly id: string;
}
type Brought = { readonly code?: string; readonly codeVerifier?: string; readonly deviceID?: string };
/** What a framework's error handler reads. */
type Thrown = { readonly statusCode?: number; readonly message: string };

/**
 * The least application with a strategy of VK ID: begins a login for a script, finishes it with `{ id }`, and exchanges a code that an app brings. Errors
 * get their own status and message.
 */
type DoorsApp = (options: ReturnType<typeof optionsOf>) => Promise<Listening>;

const optionsOf = (sandbox: Sandbox) => sandbox.options('social-network', { version: '2.1' });

const strategyWith = (options: ReturnType<typeof optionsOf>) =>
  new SocialNetworkStrategy(options, async (_token, _refreshToken, { id }) => ({ id }));

async function exchanged(
  strategy: ReturnType<typeof strategyWith>,
  { code, codeVerifier, deviceID }: Brought,
) {
  const brought = { code: code as string, codeVerifier, deviceID, redirectURI: APP };
  return { id: (await strategy.exchange(brought)).profile.id };
}

const expressApp: DoorsApp = async (options) => {
  const strategy = strategyWith(options);
  const login = new passport.Passport().use(strategy);
  const app = express();
  app.post(BEGIN, async (req, res) => void res.json({ url: await strategy.authorizationRequest(req) }));
  app.get(
    CALLBACK,
    login.authenticate('social-network', { ...NO_SESSION, failWithError: true }),
    (req, res) => {
      res.json(req.user);
    },
  );
  app.post(EXCHANGE, express.json(), async (req, res) => void res.json(await exchanged(strategy, req.body)));
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
  type Request = Parameters<typeof strategy.authorizationRequest>[0] & { body: Brought; user: User };
  app.post(BEGIN, async (request: Request) => ({ url: await strategy.authorizationRequest(request) }));
  app.get(CALLBACK, { preValidation }, async ({ user }: Request) => user);
  app.post(EXCHANGE, async ({ body }: Request) => exchanged(strategy, body));
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
    readonly req: NodeJS.ReadableStream;
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
  router.post(EXCHANGE, async (ctx: Context) => {
    ctx.body = await exchanged(strategy, JSON.parse(await textOf(ctx.req as never)));
  });
  app.use(authenticator.initialize()).use(router.routes());
  return { listener: app.callback() };
};

/** As an application writes it with decorators. */
const nestApp =
  (folder: string): DoorsApp =>
  async (options) => {
    const { Body, Controller, Get, HttpException, Inject, Module, Post, Req, UseGuards } = await nestPackage(
      folder,
      '@nestjs/common',
    );
    const { NestFactory } = await nestPackage(folder, '@nestjs/core');
    const nestjs = await nestPassport(folder);
    class VkId extends (nestjs.PassportStrategy(SocialNetworkStrategy) as unknown as new (
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
      finish({ user }: express.Request) {
        return user;
      }
      exchange(brought: Brought) {
        return exchanged(this.vkID, brought);
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
    class Guard extends nestjs.AuthGuard('social-network') {
      override getAuthenticateOptions(): object {
        return { ...NO_SESSION };
      }
      handleRequest(
        error: unknown,
        user: unknown,
        info: { message: string },
        _context: object,
        status: number,
      ) {
        if (user) return user;
        throw error ?? new HttpException(info, status);
      }
    }
    Inject(VkId)(LoginController, undefined, 0);
    Req()(LoginController.prototype, 'begin', 0);
    Req()(LoginController.prototype, 'finish', 0);
    Body()(LoginController.prototype, 'exchange', 0);
    at('begin', Post(BEGIN));
    at('finish', Get(CALLBACK), UseGuards(Guard));
    at('exchange', Post(EXCHANGE));
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

describe('A login without a redirect, and a code that an app brings,', function () {
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
      if (pathname === CALLBACK) return logIn(request, 'social-network', (user: User) => Response.json(user));
      return exchanged(strategy, (await request.json()) as Brought).then(
        (user) => Response.json(user),
        ({ statusCode: status = 500, message }: Thrown) => Response.json({ message }, { status }),
      );
    };
    return {
      listener: (incoming, outgoing) => {
        const { method = 'GET', url = '', headers } = incoming;
        const run = async () => {
          const body = method === 'POST' ? await textOf(incoming) : undefined;
          const given = { method, headers: headers as Record<string, string>, ...(body && { body }) };
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

      it('C48: a code is exchanged once', async () => {
        const app = await start();
        const codeVerifier = randomBytes(32).toString('base64url');
        const page = await post(new Browser(), `${app.url}${BEGIN}`, OWN_FETCH);
        const authorization = withParameters(page.json.url, {
          redirect_uri: APP,
          state: 'x'.repeat(43),
          code_challenge: createHash('sha256').update(codeVerifier).digest('base64url'),
        });
        const { searchParams } = new URL(await allow(new Browser(), authorization));
        const brought = {
          code: searchParams.get('code'),
          deviceID: searchParams.get('device_id'),
          codeVerifier,
        };
        const exchange = async (body: object) => {
          const response = await fetch(`${app.url}${EXCHANGE}`, {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify(body),
          });
          return { status: response.status, json: (await response.json()) as { message?: string } };
        };
        expect((await exchange({ ...brought, codeVerifier: ['a'] })).status).to.equal(400);
        const first = await exchange(brought);
        expect([200, 201]).to.include(first.status);
        expect(first.json).to.deep.equal(alice());
        const second = await exchange(brought);
        expect([second.status, second.json.message]).to.deep.equal([
          403,
          'This callback or code was used already: the page was reloaded, or the link opened or the code sent twice. Start the login again.',
        ]);
      });
    });
  }
});
