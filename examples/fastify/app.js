// @ts-check
import { hkdfSync } from 'node:crypto';
import cookie from '@fastify/cookie';
import { Authenticator } from '@fastify/passport';
import secureSession from '@fastify/secure-session';
import session from '@fastify/session';
import Fastify from 'fastify';
import { sessionLogins } from 'passport-social-networks';
import { createStrategies } from './networks.js';

/**
 * @param {object} settings
 * @param {import('./networks.js').Networks} settings.networks
 * @param {string} settings.secret At least 32 characters.
 * @param {boolean} [settings.trustProxy] Whether the application runs behind a proxy.
 * @param {'session' | 'secure-session'} [settings.plugin] Keeps sessions on the server or in an encrypted cookie.
 * @param {import('passport-social-networks').LoginStore} [settings.store] Stores pending logins.
 * @param {import('./networks.js').Verify} [settings.verify]
 * @param {(error: unknown) => void} [settings.report] Logs an error.
 */
export async function createApp({
  networks,
  secret,
  trustProxy = false,
  plugin = 'session',
  store = sessionLogins(),
  verify,
  report = console.error,
}) {
  // Trust a proxy's X-Forwarded headers for the scheme and host of the redirect URI.
  const app = Fastify({ trustProxy });

  // Strategies expect the response at req.res, as in Express. cookieLogins() and the no-store headers need it.
  app.addHook('onRequest', (request, reply, done) => {
    Object.assign(request, { res: reply });
    done();
  });

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
  authenticator.registerUserSerializer(async (user) => user);
  authenticator.registerUserDeserializer(async (user) => user);
  await app.register(authenticator.initialize());
  await app.register(authenticator.secureSession());

  app.setErrorHandler((/** @type {any} */ error, _request, reply) => {
    // The message is for developers and contains no secrets or tokens.
    report(error);
    const message = error.expose ? error.message : 'The login could not be finished. Please try again.';
    return reply.code(error.statusCode ?? 500).send({ message, code: error.code });
  });

  const strategies = createStrategies(networks, { store }, verify);
  for (const strategy of strategies) {
    const { name } = strategy;
    authenticator.use(strategy);
    app.get(`/api/auth/signin/${name}`, { preValidation: authenticator.authenticate(name) }, async () => {});
    const finish = authenticator.authenticate(name, async (request, reply, error, user, failure, status) => {
      if (error) throw error;
      // The user declined, or no pending login matches the authorization response: { message, code }.
      if (!user) return reply.code(Number(status ?? 401)).send(failure);
      await request.logIn(user);
      return reply.redirect('/');
    });
    app.get(`/api/auth/callback/${name}`, { preValidation: finish }, async () => {});
  }

  app.get('/', async (request, reply) => {
    if (request.user) return request.user;
    const links = strategies.map(({ name }) => `<p><a href="/api/auth/signin/${name}">${name}</a></p>`);
    return reply.type('text/html').send(links.join(''));
  });
  return app;
}
