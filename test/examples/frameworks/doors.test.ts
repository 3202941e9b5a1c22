import { randomBytes } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import type express from 'express';
import { exposeResponse, SocialNetworkStrategy } from 'passport-social-networks';
import type { Sandbox } from '../../../sandbox/lib/index.js';
import { programsOf } from '../../guides/programs.js';
import { Browser } from '../../support/browser.js';
import { consent, inChromium } from '../../support/chromium.js';
import {
  type Any,
  expressApp,
  fastifyApp,
  fastifyListening,
  from,
  koaApp,
  type LeastApp,
  type Listening,
  listening,
} from '../../support/frameworks.js';
import { allow, OWN_FETCH } from '../../support/journey.js';
import { realSockets } from '../../support/real-sockets.js';
import { oneSandbox } from '../../support/sandbox.js';
import { forward, serve } from '../../support/server.js';
import { collectsWarnings } from '../../support/warnings.js';
import { NEST, nestPackage, nestPassport } from './harness.js';

import passport = require('passport');

const BEGIN = '/request/social-network';
const CALLBACK = '/api/auth/callback/social-network';
const SIGN_IN = '/login/social-network';
const NO_SESSION = { session: false } as const;

interface User {
  readonly id: string;
}

/** The least application with a strategy of VK ID: begins a login for a script, and finishes it with `{ id }`. */
type DoorsApp = (options: ReturnType<typeof optionsOf>) => Promise<Listening>;

const optionsOf = (sandbox: Sandbox) => sandbox.options('social-network', { version: '2.1' });

const strategyWith = (options: ReturnType<typeof optionsOf>) =>
  new SocialNetworkStrategy(options, async (_token, _refreshToken, { id }) => ({ id }));

const withStrategy =
  (load: LeastApp): DoorsApp =>
  (options) =>
    load(strategyWith(options));

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
      signIn() {} // The guard has redirected everybody.
      finish({ user }: express.Request) {
        return user;
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
    at('signIn', Get(SIGN_IN), UseGuards(Guard));
    at('finish', Get(CALLBACK), UseGuards(Guard));
    Controller()(LoginController);
    Module({ controllers: [LoginController], providers: [VkId] })(AppModule);
    const app = await NestFactory.create(AppModule, { logger: false, abortOnError: false });
    await app.init();
    return { listener: app.getHttpAdapter().getInstance(), close: () => app.close() };
  };

const ON_NODE: Readonly<Record<string, DoorsApp>> = {
  'Express 5': withStrategy(expressApp('express')),
  ...Object.fromEntries(Object.entries(NEST).map(([title, folder]) => [title, nestApp(folder)])),
};

/** Sends what a page's `fetch(url, { method: 'POST' })` sends. */
async function post(browser: Browser, url: string, headers: Readonly<Record<string, string>>) {
  const { response } = await browser.visit(url, { method: 'POST', headers });
  const json = (await response.json()) as { readonly url: string };
  return { status: response.status, headers: response.headers, json };
}

describe('A login without a redirect', function () {
  this.timeout(30_000);
  const opened = realSockets();
  collectsWarnings();
  const { write } = programsOf('docs/pending-logins.md');
  const sandbox = oneSandbox({ vkIdCallback: 'flat' });

  /** Without what it logs. */
  const quiet = (code: string) => code.replace('console.error(error ?? info?.message);', '');

  /** A host with Fetch's Request, by the function of the guide. */
  const fetchApp: DoorsApp = async (options) => {
    const strategy = strategyWith(options);
    passport.use(strategy);
    const { begin, logIn } = await import(pathToFileURL(write('fetch-login.mjs', quiet)).href);
    const answered = async (request: Any): Promise<Response> => {
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
    ...ON_NODE,
    'Fastify 5': withStrategy(fastifyApp),
    'Koa 3': withStrategy(koaApp),
    "a host with Fetch's Request": fetchApp,
  };

  it("the hook that gives NestJS on Fastify Express's methods, and so Node's own response, loses no cookie", async () => {
    for (const isRaw of [true, false]) {
      const app = from('fastify', 'fastify')();
      app.addHook('onRequest', (request: Any, reply: Any, next: () => void) => {
        reply.setHeader = (name: string, value: string) => reply.raw.setHeader(name, value);
        reply.end = () => (isRaw ? reply.raw.end() : reply.send());
        exposeResponse(request, reply, next);
      });
      const one = new passport.Passport().use(strategyWith(optionsOf(sandbox)));
      const preValidation = one.authenticate('social-network', NO_SESSION);
      for (const path of [SIGN_IN, CALLBACK]) app.get(path, { preValidation }, async ({ user }: Any) => user);
      const { url } = opened(await listening(await fastifyListening(app)));
      const browser = new Browser();
      const begun = await browser.visit(`${url}${SIGN_IN}`);
      expect(begun.response.headers.getSetCookie()).to.have.length(1);
      const callback = await allow(browser, String(begun.response.headers.get('location')));
      const finished = await browser.visit(callback);
      expect(finished.response.status).to.equal(200);
      expect(finished.response.headers.getSetCookie()).to.have.length(1);
    }
  });

  for (const [title, load] of Object.entries(APPS)) {
    describe(`with ${title}`, () => {
      const start = async () => opened(await listening(await load(optionsOf(sandbox))));
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
    });
  }
});

describe('In Chromium, the relay of the guide, on several hosts,', function () {
  this.timeout(120_000);
  const opened = realSockets();
  collectsWarnings();
  const deploying = programsOf('docs/deploying.md');
  const alice = () => ({ id: String(deploying.sandbox().people[0]?.socialNetworkId) });
  const { page } = inChromium();

  const shown = async () => JSON.parse(await page.locator('body').innerText());

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
  async function relayed(load: DoorsApp) {
    const front = await place();
    const relay = `http://127.0.0.1:${front.port}`;
    const program = await deploying.start('relay.mjs', {
      isNew: true,
      env: { RELAY_URL: relay, PREVIEWS: '^http://pr-[12]\\.localhost:\\d+$' },
    });
    front.serves((req, res) => forward(req, res, program.url));
    const preview = async (name: string) => {
      const { port, serves } = await place();
      const url = `http://${name}.localhost:${port}`;
      const authorizationURL = `${relay}/authorize/social-network?to=${url}`;
      const options = {
        ...optionsOf(deploying.sandbox()),
        authorizationURL,
        callbackURL: `${relay}${CALLBACK}`,
      };
      serves((await load(options)).listener);
      return url;
    };
    return { one: await preview('pr-1'), two: await preview('pr-2') };
  }

  for (const [title, load] of Object.entries(ON_NODE)) {
    it(`C49: logs in at two previews, with a redirect and without, ${title}`, async () => {
      const { one, two } = await relayed(load);
      await page.goto(`${one}${SIGN_IN}`);
      await consent(page);
      await page.waitForURL(`${one}${CALLBACK}?*`);
      expect(await shown()).to.deep.equal(alice());
      await page.route(`${two}/`, (route) =>
        route.fulfill({ contentType: 'text/html', body: '<!doctype html>' }),
      );
      await page.goto(`${two}/`);
      const begin = `fetch('${BEGIN}', { method: 'POST' }).then((response) => response.json())`;
      const { url } = (await page.evaluate(begin)) as { url: string };
      await page.goto(url);
      await consent(page);
      await page.waitForURL(`${two}${CALLBACK}?*`);
      expect(await shown()).to.deep.equal(alice());
    });
  }
});
