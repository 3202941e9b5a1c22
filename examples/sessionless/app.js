// @ts-check
import { createHmac } from 'node:crypto';
import express from 'express';
import { jwtVerify, SignJWT } from 'jose';
import passport from 'passport';
import { cookieLogins } from 'passport-social-networks';
import { createStrategies } from './networks.js';

const ISSUER = 'sessionless-example';

/**
 * @param {object} settings
 * @param {import('./networks.js').Networks} settings.networks
 * @param {string} settings.secret At least 32 characters, the same on every machine.
 * @param {boolean} [settings.trustProxy] Whether the application runs behind a proxy.
 * @param {import('passport-social-networks').LoginStore} [settings.store] Stores pending logins.
 * @param {import('./networks.js').Verify} [settings.verify]
 * @param {(error: unknown) => void} [settings.report] Logs an error.
 */
export function createApp({
  networks,
  secret,
  trustProxy = false,
  store = cookieLogins({ secrets: [secret] }),
  verify,
  report = console.error,
}) {
  const app = express();
  // Trust the X-Forwarded headers of one proxy for the scheme and host of the redirect URI.
  app.set('trust proxy', trustProxy ? 1 : false);
  const key = createHmac('sha256', secret).update('tokens of this application').digest();
  // A separate instance, because the tests run several apps in one process. A single app can use `passport` itself.
  const authenticator = new passport.Passport();

  const strategies = createStrategies(networks, { store }, verify);
  for (const strategy of strategies) {
    const { name } = strategy;
    authenticator.use(strategy);
    app.get(`/api/auth/signin/${name}`, authenticator.authenticate(name, { session: false }));
    app.get(`/api/auth/callback/${name}`, (req, res, next) => {
      /** @type {import('passport').AuthenticateCallback} */
      const finish = (error, user, failure, status) => {
        if (error) return next(error);
        // The user declined, or no pending login matches the authorization response: { message, code }.
        if (!user) return res.status(Number(status ?? 401)).json(failure);
        // Send the application's own token. The network's tokens stay on the server.
        signToken(user, key).then((token) => res.json({ token }), next);
      };
      authenticator.authenticate(name, { session: false }, finish)(req, res, next);
    });
  }

  app.get('/api/me', (req, res, next) => {
    const [, token = ''] = /^Bearer (.+)$/.exec(req.get('authorization') ?? '') ?? [];
    readToken(token, key).then(
      (user) => (user ? res.json(user) : res.status(401).json({ message: 'Log in first.' })),
      next,
    );
  });

  app.get('/', (_req, res) => {
    res.send(strategies.map(({ name }) => `<p><a href="/api/auth/signin/${name}">${name}</a></p>`).join(''));
  });

  /** @type {import('express').ErrorRequestHandler} */
  const handleError = (error, _req, res, _next) => {
    // The message is for developers and contains no secrets or tokens.
    report(error);
    const message = error.expose ? error.message : 'The login could not be finished. Please try again.';
    res.status(error.status ?? 500).json({ message, code: error.code });
  };
  app.use(handleError);
  return app;
}

/** @param {object} user @param {Uint8Array} key */
function signToken(user, key) {
  const token = new SignJWT({ user }).setProtectedHeader({ alg: 'HS256' });
  return token.setIssuer(ISSUER).setIssuedAt().setExpirationTime('1h').sign(key);
}

/** @param {string} token @param {Uint8Array} key */
async function readToken(token, key) {
  try {
    const { payload } = await jwtVerify(token, key, { issuer: ISSUER, algorithms: ['HS256'] });
    return payload.user;
  } catch {
    return undefined;
  }
}
