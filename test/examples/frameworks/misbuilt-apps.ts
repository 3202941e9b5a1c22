import type { RequestListener } from 'node:http';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { LoginStore } from 'passport-social-networks';
import type { NamedStrategy } from '../../support/login-app.js';
import type { Listening, Settings } from './example-app.js';
import { EXAMPLES } from './folders.js';
import { listening, nestExample, nestLogger, nestPackages } from './nest.js';

import passport = require('passport');

/**
 * A mistake in setting up the session middleware.
 *
 * - `missing`: no session middleware
 * - `after Passport`: mounted after `passport.session()`
 * - `after the routes`: mounted after the login routes
 */
export type Mistake = 'missing' | 'after Passport' | 'after the routes';

/** Parts for building an application. The strategy is a ShortVideoStrategy. */
export interface Parts extends Pick<Settings, 'networks' | 'secret' | 'report'> {
  readonly strategy: NamedStrategy;
  readonly store: LoginStore;
}

const SIGN_IN = '/api/auth/signin/short-video';
const CALLBACK = '/api/auth/callback/short-video';

// Loads a package as the example in the folder resolves it.
// biome-ignore lint/suspicious/noExplicitAny: not all of them have types.
export const from = (folder: string, name: string): any =>
  createRequire(join(EXAMPLES, folder, 'package.json'))(name);

/** An Express application. */
export function expressApp(folder: string, sessions: 'express-session' | 'cookie-session') {
  return async (mistake: Mistake, { strategy, secret, report }: Parts): Promise<Listening> => {
    const app = from(folder, 'express')();
    const authenticator = new passport.Passport().use(strategy) as passport.PassportStatic;
    const session = from(folder, sessions)({ secret, resave: false, saveUninitialized: false });
    if (mistake === 'after Passport') app.use(authenticator.session(), session);
    app.get(SIGN_IN, authenticator.authenticate('short-video'));
    app.get(CALLBACK, authenticator.authenticate('short-video', { successRedirect: '/' }));
    if (mistake === 'after the routes') app.use(session);
    // Express recognizes error handlers by their four parameters.
    app.use((error: unknown, _req: unknown, res: ExpressResponse, _next: unknown) => {
      report(error);
      res.status(500).json({});
    });
    return { listener: app as RequestListener };
  };
}

interface ExpressResponse {
  status(code: number): { json(body: object): void };
}

/** A NestJS application: the example's module with different middleware. */
export function nestApp(folder: string) {
  return async (mistake: Mistake, parts: Parts): Promise<Listening> => {
    const { networks, secret, store } = parts;
    const example = await nestExample(join(EXAMPLES, folder));
    const { core } = await nestPackages(join(EXAMPLES, folder));
    const settings = new example.settings.Settings(networks, secret, store);
    const module = example.app.appModule(settings, new example.accounts.Accounts());
    const app = await core.NestFactory.create(module, { logger: nestLogger(parts), abortOnError: false });
    app.useGlobalFilters(new example.filter.LoginFilter());
    const session = from(folder, 'express-session')({ secret, resave: false, saveUninitialized: false });
    if (mistake === 'after Passport') app.use(passport.session(), session);
    await app.init();
    if (mistake === 'after the routes') app.use(session);
    return listening(app);
  };
}

/** A Koa application with sessions in a cookie or in memory. */
export function koaApp(sessions: 'cookie' | 'memory') {
  return async (mistake: Mistake, { strategy, secret, report }: Parts): Promise<Listening> => {
    const Koa = from('koa', 'koa');
    const Router = from('koa', '@koa/router').default;
    const { KoaPassport } = from('koa', 'koa-passport');
    const app = new Koa();
    app.keys = [secret];
    app.silent = true;
    app.on('error', report);
    const store = sessions === 'memory' ? { store: memory() } : {};
    const session = () => from('koa', 'koa-session').createSession(store, app);
    const authenticator = new KoaPassport();
    authenticator.use(strategy);
    authenticator.serializeUser((user: unknown, done: SerializeDone) => done(null, user));
    authenticator.deserializeUser((user: unknown, done: SerializeDone) => done(null, user));
    const router = new Router();
    router.get(SIGN_IN, authenticator.authenticate('short-video'));
    router.get(CALLBACK, (ctx: KoaContext, next: unknown) =>
      authenticator.authenticate(
        'short-video',
        async (error: unknown, user: unknown, failure: unknown, status: number) => {
          if (error) throw error;
          if (user) {
            await ctx.logIn(user);
            return ctx.redirect('/');
          }
          ctx.status = status;
          ctx.body = failure;
        },
      )(ctx, next),
    );
    if (mistake === 'after Passport') app.use(authenticator.session()).use(session());
    app.use(authenticator.initialize()).use(router.routes());
    if (mistake === 'after the routes') app.use(session());
    return { listener: app.callback() };
  };
}

type SerializeDone = (error: null, user: unknown) => void;

interface KoaContext {
  status: number;
  body: unknown;
  logIn(user: unknown): Promise<void>;
  redirect(address: string): void;
}

function memory(): object {
  const sessions = new Map<string, unknown>();
  return {
    get: async (id: string) => sessions.get(id),
    set: async (id: string, session: unknown) => void sessions.set(id, session),
    destroy: async (id: string) => void sessions.delete(id),
  };
}

/** A Fastify application. @throws Error if Fastify detects the mistake at startup. */
export function fastifyApp(plugin: 'session' | 'secure-session') {
  return async (mistake: Mistake, parts: Parts): Promise<Listening> => {
    const app = from('fastify', 'fastify')();
    const routes = fastifyRoutes(app, parts);
    if (mistake === 'after the routes') await routes();
    if (mistake !== 'missing') {
      const cookie = { path: '/', secure: false };
      if (plugin === 'session') await app.register(from('fastify', '@fastify/cookie'));
      const key = Buffer.from(parts.secret.slice(0, 32));
      await app.register(from('fastify', `@fastify/${plugin}`), { secret: parts.secret, key, cookie });
    }
    await routes();
    return fastifyListening(app);
  };
}

/** A Fastify application without sessions. It only declares the request property that its plugins require. */
export function bareFastifyApp({ showsReply = false } = {}) {
  return async (_mistake: Mistake, parts: Parts): Promise<Listening> => {
    const app = from('fastify', 'fastify')();
    app.decorateRequest('session', null);
    if (showsReply) {
      app.addHook('onRequest', async (request: object, reply: object) => {
        Object.assign(request, { res: reply });
      });
    }
    await fastifyRoutes(app, parts)();
    return fastifyListening(app);
  };
}

// biome-ignore lint/suspicious/noExplicitAny: only the example depends on Fastify's types.
function fastifyRoutes(app: any, { strategy, report }: Parts): () => Promise<void> {
  const { Authenticator } = from('fastify', '@fastify/passport');
  const authenticator = new Authenticator();
  authenticator.use(strategy);
  app.setErrorHandler((error: unknown, _request: unknown, reply: FastifyReply) => {
    report(error);
    return reply.code(500).send({});
  });
  return async () => {
    await app.register(authenticator.initialize());
    const preValidation = authenticator.authenticate('short-video', { session: false });
    app.get(SIGN_IN, { preValidation }, async () => {});
    app.get(CALLBACK, { preValidation }, async ({ user }: { user: unknown }) => user);
  };
}

interface FastifyReply {
  code(status: number): { send(body: object): unknown };
}

interface FastifyInstance {
  ready(): Promise<unknown>;
  readonly routing: RequestListener;
  close(): Promise<unknown>;
}

async function fastifyListening(app: FastifyInstance): Promise<Listening> {
  await app.ready();
  return { listener: (req, res) => app.routing(req, res), close: () => app.close() };
}
