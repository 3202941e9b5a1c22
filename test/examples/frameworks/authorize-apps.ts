import { createRequire } from 'node:module';
import { exposeResponse, MicroblogStrategy, ShortVideoStrategy } from 'passport-social-networks';
import type { Sandbox } from '../../../sandbox/lib/index.js';
import type { NamedStrategy } from '../../support/login-app.js';
import { serve, type TestServer } from '../../support/server.js';
import { SECRET } from './example-app.js';
import { from } from './folders.js';

import express = require('express');
import session = require('express-session');
import passport = require('passport');

/**
 * An application in which users log in through `short-video` and link `microblog` with Passport's `authorize`. It responds with
 * `{ user }` and `{ user, login, state }`, or with the failure.
 */
interface AuthorizeApp {
  readonly title: string;
  load(sandbox: Sandbox): Promise<TestServer>;
}

interface Failure {
  readonly message: string;
  readonly code: string;
}

type Info = Failure & { readonly state?: string };

const LOGIN = '/login/short-video';
const LINK = '/login/microblog';
const LOGIN_CALLBACK = '/api/auth/callback/short-video';
const LINK_CALLBACK = '/api/auth/callback/microblog';
const STATE = 'a link';

/** Strategies whose user is the key of a login. */
function strategies(sandbox: Sandbox): NamedStrategy[] {
  const verify = async (_token: string, _refreshToken: string | undefined, { provider, id }: Identity) =>
    `${provider}:${id}`;
  return [
    new ShortVideoStrategy(sandbox.options('short-video'), verify),
    new MicroblogStrategy(sandbox.options('microblog'), verify),
  ];
}

interface Identity {
  readonly provider: string;
  readonly id: string;
}

function expressApp(version: string, authenticatorOf: () => passport.Authenticator): AuthorizeApp {
  const load = async (sandbox: Sandbox) => {
    const authenticator = authenticatorOf();
    authenticator.serializeUser((user, done) => done(null, user));
    authenticator.deserializeUser((user: Express.User, done) => done(null, user));
    for (const strategy of strategies(sandbox)) authenticator.use(strategy);
    const app = express();
    app.use(session({ secret: SECRET, resave: false, saveUninitialized: false }), authenticator.session());
    const sendUser: express.RequestHandler = ({ user }, res) => {
      res.json({ user });
    };
    app.get(LOGIN, authenticator.authenticate('short-video'));
    app.get(LINK, authenticator.authorize('microblog', { state: STATE }));
    app.get(LOGIN_CALLBACK, authenticator.authenticate('short-video'), sendUser);
    app.get(LINK_CALLBACK, (req, res, next) => {
      const finish: passport.AuthenticateCallback = (error, login, info, status) => {
        if (error) return next(error);
        if (!login) return res.status(Number(status)).json(info);
        return res.json({ user: req.user, login, state: (info as Info).state });
      };
      authenticator.authorize('microblog', {}, finish)(req, res, next);
    });
    app.get('/me', sendUser);
    return serve(app);
  };
  return { title: `Express 5, Passport ${version}`, load };
}

/** A user is a string, so it is its own serialized form. */
const keep = (user: unknown, done: (error: null, user: unknown) => void) => done(null, user);

interface Request {
  readonly user?: unknown;
}

function fastifyApp(plugin: 'session' | 'secure-session'): AuthorizeApp {
  const load = async (sandbox: Sandbox) => {
    const app = from('fastify', 'fastify')();
    app.addHook('onRequest', exposeResponse);
    if (plugin === 'session') await app.register(from('fastify', '@fastify/cookie'));
    const key = Buffer.from(SECRET.slice(0, 32));
    const cookie = { path: '/', secure: false };
    await app.register(from('fastify', `@fastify/${plugin}`), { secret: SECRET, key, cookie });
    const authenticator = new (from('fastify', '@fastify/passport').Authenticator)();
    authenticator.registerUserSerializer(async (user: unknown) => user);
    authenticator.registerUserDeserializer(async (user: unknown) => user);
    for (const strategy of strategies(sandbox)) authenticator.use(strategy);
    await app.register(authenticator.initialize());
    await app.register(authenticator.secureSession());
    const noop = async () => {};
    const user = async (request: Request) => ({ user: request.user });
    app.get(LOGIN, { preValidation: authenticator.authenticate('short-video') }, noop);
    app.get(LINK, { preValidation: authenticator.authorize('microblog', { state: STATE }) }, noop);
    app.get(LOGIN_CALLBACK, { preValidation: authenticator.authenticate('short-video') }, user);
    const finish = async (
      request: Request,
      reply: { code(status: number): typeof reply; send(body: object): unknown },
      error: unknown,
      login: unknown,
      info: Info,
      status: number,
    ) => {
      if (error) throw error;
      if (!login) return reply.code(status).send(info);
      return reply.send({ user: request.user, login, state: info.state });
    };
    app.get(LINK_CALLBACK, { preValidation: authenticator.authorize('microblog', {}, finish) }, noop);
    app.get('/me', user);
    await app.ready();
    const server = await serve((req, res) => app.routing(req, res));
    return {
      ...server,
      close: async () => {
        await server.close();
        await app.close();
      },
    };
  };
  return { title: `Fastify 5, @fastify/${plugin}`, load };
}

interface KoaContext {
  readonly state: { readonly user?: unknown };
  status: number;
  body: unknown;
}

function koaApp(): AuthorizeApp {
  const load = async (sandbox: Sandbox) => {
    const app = new (from('koa', 'koa'))();
    const router = new (from('koa', '@koa/router').default)();
    const authenticator = new (from('koa', 'koa-passport').KoaPassport)();
    app.keys = [SECRET];
    authenticator.serializeUser(keep);
    authenticator.deserializeUser(keep);
    for (const strategy of strategies(sandbox)) authenticator.use(strategy);
    const user = (ctx: KoaContext) => {
      ctx.body = { user: ctx.state.user };
    };
    router.get(LOGIN, authenticator.authenticate('short-video'));
    router.get(LINK, authenticator.authorize('microblog', { state: STATE }));
    router.get(LOGIN_CALLBACK, authenticator.authenticate('short-video'), user);
    router.get(LINK_CALLBACK, (ctx: KoaContext, next: unknown) => {
      const finish = async (error: unknown, login: unknown, info: Info, status: number) => {
        if (error) throw error;
        ctx.status = login ? 200 : status;
        ctx.body = login ? { user: ctx.state.user, login, state: info.state } : info;
      };
      return authenticator.authorize('microblog', {}, finish)(ctx, next);
    });
    router.get('/me', user);
    app.use(from('koa', 'koa-session').createSession({}, app));
    app.use(authenticator.initialize()).use(authenticator.session()).use(router.routes());
    return serve(app.callback());
  };
  return { title: 'Koa 3, koa-passport', load };
}

/** koa-passport depends on Passport 0.6. */
const passport06 = createRequire(require.resolve('koa-passport'))('passport') as typeof passport;

export const AUTHORIZE_APPS: readonly AuthorizeApp[] = [
  expressApp('0.7', () => new passport.Passport()),
  expressApp('0.6', () => new passport06.Passport()),
  fastifyApp('session'),
  fastifyApp('secure-session'),
  koaApp(),
];
