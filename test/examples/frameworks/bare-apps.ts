import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { exposeResponse, ShortVideoStrategy } from 'passport-social-networks';
import type { Sandbox } from '../../../sandbox/lib/index.js';
import type { NamedStrategy } from '../../support/login-app.js';
import { serve } from '../../support/server.js';
import { type ExampleApp, type Listening, SECRET } from './example-app.js';
import { EXAMPLES, from } from './folders.js';
import { listening, nestExample, nestLogger, nestPackages } from './nest.js';
import { sandboxNetworks } from './networks.js';

import passport = require('passport');

export const SIGN_IN = '/api/auth/signin/short-video';
const CALLBACK = '/api/auth/callback/short-video';
const NO_SESSION = { session: false } as const;

interface Parts {
  readonly sandbox: Sandbox;
  readonly strategy: NamedStrategy;
  /** Called with each error that the framework handles. */
  readonly report: (error: unknown) => void;
}

/** The least application that logs users in: no sessions, and the framework's own handling of errors. */
export type BareApp = (parts: Parts) => Promise<Listening>;

export function expressApp(folder: string): BareApp {
  return async ({ strategy }) => {
    const app = from(folder, 'express')();
    // With any other value, Express prints errors.
    app.set('env', 'test');
    const login = new passport.Passport().use(strategy).authenticate('short-video', NO_SESSION);
    app.get(SIGN_IN, login);
    app.get(CALLBACK, login, (req: { user: object }, res: { json(user: object): void }) =>
      res.json(req.user),
    );
    return { listener: app as RequestListener };
  };
}

/** The example without its exception filter and without sessions. */
export function nestApp(folder: string): BareApp {
  return async ({ sandbox, report }) => {
    const example = await nestExample(join(EXAMPLES, folder));
    const { core } = await nestPackages(join(EXAMPLES, folder));
    const settings = new example.settings.Settings(sandboxNetworks(sandbox), SECRET);
    const module = example.app.appModule(settings, new example.accounts.Accounts());
    const app = await core.NestFactory.create(module, {
      logger: nestLogger({ report }),
      abortOnError: false,
    });
    await app.init();
    return listening(app);
  };
}

export const koaApp: BareApp = async ({ strategy, report }) => {
  const app = new (from('koa', 'koa'))();
  const router = new (from('koa', '@koa/router').default)();
  const authenticator = new (from('koa', 'koa-passport').KoaPassport)();
  app.on('error', report);
  authenticator.use(strategy);
  const login = authenticator.authenticate('short-video', NO_SESSION);
  router.get(SIGN_IN, login);
  router.get(CALLBACK, login, (ctx: { body: unknown; state: { user: unknown } }) => {
    ctx.body = ctx.state.user;
  });
  app.use(authenticator.initialize()).use(router.routes());
  return { listener: app.callback() };
};

export function fastifyApp({ exposes }: { exposes: boolean }): BareApp {
  return async ({ strategy, report }) => {
    const app = from('fastify', 'fastify')();
    if (exposes) app.addHook('onRequest', exposeResponse);
    app.addHook('onError', async (_request: object, _reply: object, error: unknown) => report(error));
    // What @fastify/passport needs without a session plugin.
    app.decorateRequest('session', null);
    const authenticator = new (from('fastify', '@fastify/passport').Authenticator)();
    authenticator.use(strategy);
    await app.register(authenticator.initialize());
    const preValidation = authenticator.authenticate('short-video', NO_SESSION);
    app.get(SIGN_IN, { preValidation }, async () => {});
    app.get(CALLBACK, { preValidation }, async ({ user }: { user: unknown }) => user);
    await app.ready();
    return { listener: (req, res) => app.routing(req, res), close: () => app.close() };
  };
}

/** Passport without a framework. */
export function httpApp({ exposes }: { exposes: boolean }): BareApp {
  return async ({ strategy, report }) => {
    const login = new passport.Passport().use(strategy).authenticate('short-video', NO_SESSION);
    const authenticate = (req: IncomingMessage & { user?: object }, res: ServerResponse) =>
      login(req, res, (error?: unknown) => {
        if (error) report(error);
        res.writeHead(error ? 500 : 200, { 'content-type': 'application/json' });
        res.end(JSON.stringify(req.user ?? {}));
      });
    const listener: RequestListener = (req, res) =>
      exposes ? exposeResponse(req, res, () => authenticate(req, res)) : authenticate(req, res);
    return { listener };
  };
}

export async function startBareApp(build: BareApp, sandbox: Sandbox): Promise<ExampleApp> {
  const reports: Error[] = [];
  const strategy = new ShortVideoStrategy(sandbox.options('short-video'), async () => ({ id: 'somebody' }));
  const example = await build({
    sandbox,
    strategy: strategy as NamedStrategy,
    report: (error) => reports.push(error as Error),
  });
  const server = await serve(example.listener);
  const close = async () => {
    await server.close();
    await example.close?.();
  };
  return { url: server.url, port: server.port, reports, close };
}
