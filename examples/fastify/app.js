// @ts-check
import { hkdfSync } from 'node:crypto';
import cookie from '@fastify/cookie';
import helmet from '@fastify/helmet';
import { Authenticator } from '@fastify/passport';
import secureSession from '@fastify/secure-session';
import session from '@fastify/session';
import Fastify from 'fastify';
import { exposeResponse, isLoginResponse } from 'passport-social-networks';
import { Accounts, keyOf, linkForms } from '../shared/accounts.mjs';
import { createStrategies, formActionSources } from '../shared/networks.mjs';

/**
 * @param {object} settings
 * @param {import('../shared/networks.mjs').Networks} settings.networks
 * @param {string} settings.secret At least 32 characters.
 * @param {boolean} [settings.trustProxy] Whether the application runs behind a proxy.
 * @param {'session' | 'secure-session'} [settings.plugin] Keeps sessions on the server or in an encrypted cookie.
 * @param {import('../shared/networks.mjs').Verify} [settings.verify]
 * @param {(error: unknown) => void} [settings.report] Logs an error.
 */
export async function createApp({
  networks,
  secret,
  trustProxy = false,
  plugin = 'session',
  verify,
  report = console.error,
}) {
  // Trust a proxy's X-Forwarded headers for the scheme and host of the redirect URI.
  const app = Fastify({ trustProxy });

  // Strategies set cookies on the response. In Express and Koa they find it by themselves.
  app.addHook('onRequest', exposeResponse);

  // Fastify rejects forms until something reads them. The forms of this example have no fields.
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, async () => undefined);
  const formAction = ["'self'", ...formActionSources(networks)];
  await app.register(helmet, { contentSecurityPolicy: { directives: { formAction } } });

  const options = { path: '/', sameSite: /** @type {const} */ ('lax') };
  if (plugin === 'session') {
    await app.register(cookie);
    await app.register(session, {
      secret,
      saveUninitialized: false,
      // The default is `secure: true`, which sets no cookie over plain http.
      cookie: { ...options, secure: 'auto' },
    });
  } else {
    const key = Buffer.from(hkdfSync('sha256', secret, '', 'session', 32));
    await app.register(secureSession, { key, cookie: { ...options, secure: 'auto' } });
  }

  const authenticator = new Authenticator();
  const accounts = new Accounts();
  authenticator.registerUserSerializer(async (/** @type {object} */ account) => keyOf(account));
  authenticator.registerUserDeserializer(async (/** @type {string} */ key) => accounts.find(key) ?? false);
  await app.register(authenticator.initialize());
  await app.register(authenticator.secureSession());

  app.setErrorHandler((/** @type {any} */ error, _request, reply) => {
    // The message is for developers and contains no secrets or tokens.
    report(error);
    const message = error.expose ? error.message : 'The login could not be finished. Please try again.';
    return reply.code(error.statusCode ?? 500).send({ message, code: error.code });
  });

  const strategies = createStrategies(networks, verify);
  for (const strategy of strategies) {
    const { name } = strategy;
    authenticator.use(strategy);
    app.get(`/api/auth/signin/${name}`, async (request, reply) => {
      // A response here would finish a login, and change who is signed in.
      if (request.user || isLoginResponse(request)) return reply.redirect('/');
      return authenticator.authenticate(name).call(app, request, reply);
    });
    app.post(`/link/${name}`, async (request, reply) => {
      if (!request.user) return reply.redirect('/');
      // Pages of other sites can send this form, too. Browsers tell.
      if (request.headers['sec-fetch-site'] !== 'same-origin') return reply.code(403).send();
      return authenticator.authenticate(name, { state: keyOf(request.user) }).call(app, request, reply);
    });
    const finish = authenticator.authenticate(name, async (request, reply, error, login, info, status) => {
      if (error) throw error;
      // The user declined, or no pending login matches the authorization response: { message, code }.
      if (!login) return reply.code(Number(status ?? 401)).send(info);
      // Only the state tells a link from a login. It was encrypted in a cookie.
      const { state } = /** @type {{ state?: string }} */ (info);
      if (state !== undefined) {
        const isSameUser = request.user && keyOf(request.user) === state;
        const problem = isSameUser ? accounts.link(state, login) : 'Somebody else has logged in since.';
        return problem ? reply.code(409).send({ message: problem }) : reply.redirect('/');
      }
      // A login that began before must not change who is signed in.
      if (!request.user) await request.logIn(accounts.findOrCreate(login));
      return reply.redirect('/');
    });
    app.get(`/api/auth/callback/${name}`, { preValidation: finish }, async () => {});
  }

  app.get('/', async (request, reply) => {
    if (request.user) return request.user;
    const links = strategies.map(({ name }) => `<p><a href="/api/auth/signin/${name}">${name}</a></p>`);
    return reply.type('text/html').send(links.join(''));
  });
  app.get('/logins', async (request, reply) => {
    if (!request.user) return reply.redirect('/');
    return reply.type('text/html').send(linkForms(strategies.map(({ name }) => name)));
  });
  return app;
}
