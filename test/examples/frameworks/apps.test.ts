import { expect } from 'chai';
import { exposeResponse, MicroblogStrategy, ShortVideoStrategy } from 'passport-social-networks';
import { Browser } from '../../support/browser.js';
import { type Any, fastifyListening, from, type Listening } from '../../support/frameworks.js';
import { allow, callbackOf as callbackAt, start as startAt } from '../../support/journey.js';
import type { NamedStrategy } from '../../support/login-app.js';
import { realSockets } from '../../support/real-sockets.js';
import { oneSandbox } from '../../support/sandbox.js';
import { collectsWarnings } from '../../support/warnings.js';
import { type ExampleApp, listen, SECRET } from './harness.js';

const LOGIN = '/login/short-video';
const LINK = '/login/microblog';
const LOGIN_CALLBACK = '/api/auth/callback/short-video';
const LINK_CALLBACK = '/api/auth/callback/microblog';
const STATE = 'a link';

/**
 * Users log in through `short-video` and link `microblog` with Passport's `authorize`. The application responds with `{ user }` and
 * `{ user, login, state }`, or with the failure.
 */
type AuthorizeApp = (strategies: readonly NamedStrategy[]) => Promise<Listening>;

/** A user is a string, so it is its own serialized form. */
const keep = (user: unknown, done: (error: null, user: unknown) => void) => done(null, user);

function fastifyAuthorize(plugin: 'session' | 'secure-session'): AuthorizeApp {
  return async (strategies) => {
    const app = from('fastify', 'fastify')();
    app.addHook('onRequest', exposeResponse);
    if (plugin === 'session') await app.register(from('fastify', '@fastify/cookie'));
    const key = Buffer.from(SECRET.slice(0, 32));
    const cookie = { path: '/', secure: false };
    await app.register(from('fastify', `@fastify/${plugin}`), { secret: SECRET, key, cookie });
    const authenticator = new (from('fastify', '@fastify/passport').Authenticator)();
    authenticator.registerUserSerializer(async (user: unknown) => user);
    authenticator.registerUserDeserializer(async (user: unknown) => user);
    for (const strategy of strategies) authenticator.use(strategy);
    await app.register(authenticator.initialize());
    await app.register(authenticator.secureSession());
    const noop = async () => {};
    const user = async (request: Any) => ({ user: request.user });
    app.get(LOGIN, { preValidation: authenticator.authenticate('short-video') }, noop);
    app.get(LINK, { preValidation: authenticator.authorize('microblog', { state: STATE }) }, noop);
    app.get(LOGIN_CALLBACK, { preValidation: authenticator.authenticate('short-video') }, user);
    const finish = async (...[request, reply, error, login, info, status]: Any[]) => {
      if (error) throw error;
      if (!login) return reply.code(status).send(info);
      return reply.send({ user: request.user, login, state: info.state });
    };
    app.get(LINK_CALLBACK, { preValidation: authenticator.authorize('microblog', {}, finish) }, noop);
    app.get('/me', user);
    return fastifyListening(app);
  };
}

const koaAuthorize: AuthorizeApp = async (strategies) => {
  const app = new (from('koa', 'koa'))();
  const router = new (from('koa', '@koa/router').default)();
  const authenticator = new (from('koa', 'koa-passport').KoaPassport)();
  app.keys = [SECRET];
  authenticator.serializeUser(keep);
  authenticator.deserializeUser(keep);
  for (const strategy of strategies) authenticator.use(strategy);
  const user = (ctx: Any) => {
    ctx.body = { user: ctx.state.user };
  };
  router.get(LOGIN, authenticator.authenticate('short-video'));
  router.get(LINK, authenticator.authorize('microblog', { state: STATE }));
  router.get(LOGIN_CALLBACK, authenticator.authenticate('short-video'), user);
  router.get(LINK_CALLBACK, (ctx: Any, next: unknown) => {
    const finish = async (error: unknown, login: unknown, info: Any, status: number) => {
      if (error) throw error;
      ctx.status = login ? 200 : status;
      ctx.body = login ? { user: ctx.state.user, login, state: info.state } : info;
    };
    return authenticator.authorize('microblog', {}, finish)(ctx, next);
  });
  router.get('/me', user);
  app.use(from('koa', 'koa-session').createSession({}, app));
  app.use(authenticator.initialize()).use(authenticator.session()).use(router.routes());
  return { listener: app.callback() };
};

const AUTHORIZE_APPS: Readonly<Record<string, AuthorizeApp>> = {
  'Fastify 5, @fastify/session': fastifyAuthorize('session'),
  'Fastify 5, @fastify/secure-session': fastifyAuthorize('secure-session'),
  'Koa 3, koa-passport, Passport 0.6': koaAuthorize,
};

describe('an application', () => {
  const opened = realSockets();
  collectsWarnings();
  const sandbox = oneSandbox();

  /** Strategies whose user is the key of a login. */
  function strategies(): NamedStrategy[] {
    type Identity = { readonly provider: string; readonly id: string };
    const verify = async (_token: string, _refreshToken: string | undefined, { provider, id }: Identity) =>
      `${provider}:${id}`;
    return [
      new ShortVideoStrategy(sandbox.options('short-video'), verify),
      new MicroblogStrategy(sandbox.options('microblog'), verify),
    ];
  }

  for (const [title, load] of Object.entries(AUTHORIZE_APPS)) {
    describe(`that links with authorize, ${title},`, () => {
      const logIn = async (browser: Browser, app: ExampleApp, person: string) =>
        (await browser.get(await callbackAt(browser, app, 'short-video', person))).json;

      it('gets back the state, and its user stays logged in', async () => {
        const app = opened(await listen(() => load(strategies())));
        const browser = new Browser();
        const { user } = await logIn(browser, app, 'alice');
        const page = await browser.get(await callbackAt(browser, app, 'microblog', 'max'));
        expect(page.json).to.deep.equal({ user, login: 'microblog:1823456789012345679', state: STATE });
        expect((await browser.get(`${app.url}/me`)).json).to.deep.equal({ user });
      });

      it('finishes no login that began with nobody logged in, or with another user', async () => {
        const app = opened(await listen(() => load(strategies())));
        const browser = new Browser();
        const byNobody = await startAt(browser, app, 'microblog');
        await logIn(browser, app, 'alice');
        const byAlice = await callbackAt(browser, app, 'microblog', 'max');
        const { status, json } = await browser.get(await allow(browser, byNobody, 'max'));
        expect([status, json.code]).to.deep.equal([403, 'unknown_login']);
        await logIn(browser, app, 'anna');
        const late = await browser.get(byAlice);
        expect([late.status, late.json.code]).to.deep.equal([403, 'unknown_login']);
      });
    });
  }
});
