import type { RequestListener } from 'node:http';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { exposeResponse } from '../../lib/index.js';
import type { NamedStrategy } from './login-app.js';
import { serve, type TestServer } from './server.js';

import passport = require('passport');

export const EXAMPLES = join(__dirname, '..', '..', 'examples');
// biome-ignore lint/suspicious/noExplicitAny: not all packages have types, and some examples are JavaScript, or compiled by their own compiler.
export type Any = any;

/** Loads a package as the example in the folder resolves it. */
export const from = (folder: string, name: string): Any =>
  createRequire(join(EXAMPLES, folder, 'package.json'))(name);

export interface Listening {
  readonly listener: RequestListener;
  close?(): unknown;
}

export async function listening(app: Listening): Promise<TestServer> {
  const server = await serve(app.listener);
  const close = async () => {
    await server.close();
    await app.close?.();
  };
  return { ...server, close };
}

export async function fastifyListening(app: Any): Promise<Listening> {
  await app.ready();
  return { listener: (req, res) => app.routing(req, res), close: () => app.close() };
}

/**
 * The least application of a framework, with its default error handler: a GET begins a login at `/login/<name>`, a script at `/request/<name>`, and
 * the strategy's default callback finishes it with the user as JSON.
 */
export type LeastApp = (strategy: NamedStrategy) => Promise<Listening>;

const NO_SESSION = { session: false } as const;
const routesOf = ({ name }: NamedStrategy) => ({
  start: `/login/${name}`,
  request: `/request/${name}`,
  callback: `/api/auth/callback/${name}`,
});
const urlFor = async (strategy: NamedStrategy, request: Any) => ({
  url: await strategy.authorizationRequest?.(request),
});

export const expressApp =
  (example: string): LeastApp =>
  async (strategy) => {
    const { start, request, callback } = routesOf(strategy);
    const app = from(example, 'express')();
    // The default error handler prints the error, but not in tests.
    app.set('env', 'test');
    const authenticate = new passport.Passport().use(strategy).authenticate(strategy.name, NO_SESSION);
    app.get(start, authenticate);
    app.post(request, async (req: Any, res: Any) => res.json(await urlFor(strategy, req)));
    app.get(callback, authenticate, ({ user }: Any, res: Any) => res.json(user));
    return { listener: app };
  };

export const koaApp: LeastApp = async (strategy) => {
  const { start, request, callback } = routesOf(strategy);
  const app = new (from('koa', 'koa'))();
  app.silent = true;
  const router = new (from('koa', '@koa/router').default)();
  const authenticator = new (from('koa', 'koa-passport').KoaPassport)();
  authenticator.use(strategy);
  const authenticate = authenticator.authenticate(strategy.name, NO_SESSION);
  router.get(start, authenticate);
  router.post(request, async (ctx: Any) => {
    ctx.body = await urlFor(strategy, ctx.request);
  });
  router.get(callback, authenticate, (ctx: Any) => {
    ctx.body = ctx.state.user;
  });
  app.use(authenticator.initialize()).use(router.routes());
  return { listener: app.callback() };
};

export const fastifyApp: LeastApp = async (strategy) => {
  const { start, request, callback } = routesOf(strategy);
  const app = from('fastify', 'fastify')();
  app.addHook('onRequest', exposeResponse);
  await app.register(from('fastify', '@fastify/cookie'));
  const session = { secret: 'k'.repeat(32), cookie: { secure: false } };
  await app.register(from('fastify', '@fastify/session'), session);
  const authenticator = new (from('fastify', '@fastify/passport').Authenticator)();
  authenticator.use(strategy);
  await app.register(authenticator.initialize());
  const preValidation = authenticator.authenticate(strategy.name, NO_SESSION);
  app.get(start, { preValidation }, async () => {});
  app.post(request, async (req: Any) => urlFor(strategy, req));
  app.get(callback, { preValidation }, async ({ user }: Any) => user);
  return fastifyListening(app);
};
