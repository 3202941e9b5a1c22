// @ts-check
import { createHmac } from 'node:crypto';
import express from 'express';
import { jwtVerify, SignJWT } from 'jose';
import passport from 'passport';
import { cookieLogins } from 'passport-social-networks';
import { Accounts, keyOf, problemOf, signInLinks } from '../shared/accounts.mjs';
import { createStrategies } from '../shared/networks.mjs';

const ISSUER = 'express-example';

/** @param {import('../shared/networks.mjs').AppSettings} settings */
export function createSessionlessApp({ networks, secret, trustProxy, verify, report = console.error }) {
  const app = express();
  // Trust the X-Forwarded headers of one proxy for the scheme and host of the redirect URI.
  app.set('trust proxy', trustProxy ? 1 : false);
  const key = createHmac('sha256', secret).update('tokens of this application').digest();
  // A separate instance, because the tests run several apps in one process. A single app can use `passport` itself.
  const authenticator = new passport.Passport();

  const accounts = new Accounts();
  // No session says who is logged in, so the state of a login decides alone whom it links to. Its key must not be the client secret, which others may know.
  const loginKey = createHmac('sha256', secret).update('logins in progress').digest('base64url');
  const store = cookieLogins({ secrets: loginKey });
  const pairs = Object.entries(networks).map(([name, options]) => [name, options && { store, ...options }]);
  const strategies = createStrategies(Object.fromEntries(pairs), verify);
  for (const strategy of strategies) {
    const { name } = strategy;
    authenticator.use(strategy);
    app.get(`/api/auth/signin/${name}`, authenticator.authenticate(name, { session: false }));
    // A form, because the browser must leave for the network. It cannot send an Authorization header.
    app.post(`/link/${name}`, express.urlencoded(), async (req, res, next) => {
      const account = await readToken(String(req.body?.token), key);
      if (!account) return res.status(401).json({ message: 'Log in first.' });
      // An attacker could send this form from another site, with the token of the attacker's own account. Browsers tell.
      if (req.get('sec-fetch-site') !== 'same-origin') return res.sendStatus(403);
      authenticator.authenticate(name, { session: false, state: keyOf(account) })(req, res, next);
    });
    app.get(`/api/auth/callback/${name}`, (req, res, next) => {
      /** @type {import('passport').AuthenticateCallback} */
      const finish = (error, login, info, status) => {
        if (error) return next(error);
        // The user declined, or no pending login matches the authorization response: { message, code }.
        if (!login) return res.status(Number(status ?? 401)).json(info);
        // Only the state tells a link from a login. It was encrypted in a cookie.
        const { state } = /** @type {{ state?: string }} */ (info);
        const problem = state === undefined ? undefined : accounts.link(state, login);
        if (problem) return res.status(409).json({ message: problem });
        // Send the application's own token. The network's tokens stay on the server.
        signToken(accounts.findOrCreate(login), key).then((token) => res.json({ token }), next);
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
    res.send(signInLinks(strategies));
  });

  /** @type {import('express').ErrorRequestHandler} */
  const handleError = (error, _req, res, _next) => {
    report(error);
    const { status, body } = problemOf(error);
    res.status(status).json(body);
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
    return /** @type {object} */ (payload.user);
  } catch {
    return undefined;
  }
}
