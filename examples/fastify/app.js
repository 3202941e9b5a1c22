// @ts-check
import { hkdfSync } from 'node:crypto';
import cookie from '@fastify/cookie';
import helmet from '@fastify/helmet';
import { Authenticator } from '@fastify/passport';
import secureSession from '@fastify/secure-session';
import session from '@fastify/session';
import Fastify from 'fastify';
import { exposeResponse, isLoginResponse } from 'passport-social-networks';
import { Accounts, keyOf, linkForms, problemOf, signInLinks } from '../shared/accounts.mjs';
import { createStrategies, formActionSources } from '../shared/networks.mjs';

/** @typedef {import('../shared/networks.mjs').AppSettings} AppSettings */
/** @typedef {'session' | 'secure-session'} Plugin Keeps sessions on the server, or in an encrypted cookie */

/** @param {AppSettings & { plugin?: Plugin }} settings */
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
    report(error);
    const { status, body } = problemOf(error);
    return reply.code(status).send(body);
  });

  const strategies = createStrategies(networks, verify);
  for (const strategy of strategies) {
    const { name } = strategy;
    authenticator.use(strategy);
    app.get(`/api/auth/signin/${name}`, async (request, reply) => {
      // A response here would finish a login, and change who is signed in.
      if (request.user || isLoginResponse(request)) return reply.redirect('/');
      await authenticator.authenticate(name).call(app, request, reply);
      return reply; // A store that is not in memory saves the session first.
    });
    app.post(`/link/${name}`, async (request, reply) => {
      if (!request.user) return reply.redirect('/');
      // Pages of other sites can send this form, too. Browsers tell.
      if (request.headers['sec-fetch-site'] !== 'same-origin') return reply.code(403).send();
      await authenticator.authenticate(name, { state: keyOf(request.user) }).call(app, request, reply);
      return reply;
    });
    const finish = authenticator.authenticate(name, async (request, reply, error, login, info, status) => {
      if (error) throw error;
      // The user declined, or no pending login matches the authorization response: { message, code }.
      if (!login) return reply.code(Number(status ?? 401)).send(info);
      const { account, problem } = accounts.settle(request.user, login, info);
      if (problem) return reply.code(409).send({ message: problem });
      if (account) await request.logIn(account);
      return reply.redirect('/');
    });
    app.get(`/api/auth/callback/${name}`, { preValidation: finish }, () => {}); // Fastify answers for an async handler, too.
  }

  app.get('/', async (request, reply) => {
    if (request.user) return request.user;
    return reply.type('text/html').send(signInLinks(strategies));
  });
  app.get('/logins', async (request, reply) => {
    if (!request.user) return reply.redirect('/');
    return reply.type('text/html').send(linkForms(strategies));
  });
  return app;
}
