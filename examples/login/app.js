// @ts-check
import { join } from 'node:path';
import express from 'express';
import { rateLimit } from 'express-rate-limit';
import helmet from 'helmet';
import passport from 'passport';
import { formActionSources } from '../shared/networks.mjs';
import { sessions } from './accounts/sessions.js';
import { csrfProtection } from './pages/layout.js';
import { Problem } from './problem.js';
import { accountRoutes } from './routes/account.js';
import { showErrors } from './routes/errors.js';
import { signInRoutes } from './routes/sign-in.js';

/** Requests to the routes of logins, from one address within ten minutes. Many users can share one (offices, mobile networks). */
const LIMIT = Number(process.env.LOGIN_LIMIT ?? 600);

/** @param {typeof import('./accounts/networks.js').settings} settings @param {import('express-session').Store} store */
export function createApp({ secret, trustProxy, baseURL = '', networks, sandboxURL }, store) {
  const isSecure = baseURL.startsWith('https:');
  const sandbox = sandboxURL === undefined ? [] : [sandboxURL];
  const app = express();
  app.set('trust proxy', trustProxy ? 1 : false);
  app.use(
    helmet({
      contentSecurityPolicy: {
        useDefaults: false,
        directives: {
          defaultSrc: ["'none'"],
          styleSrc: ["'self'"],
          imgSrc: ["'self'", 'https:', ...sandbox],
          // The forms that link a login redirect to the network, and browsers apply form-action to redirects, too.
          formAction: ["'self'", ...formActionSources(networks)],
          baseUri: ["'none'"],
          frameAncestors: ["'none'"],
        },
      },
      // Browsers ignore it over plain http.
      strictTransportSecurity: isSecure,
    }),
  );
  app.use('/public', express.static(join(import.meta.dirname, 'public'), { maxAge: '1h' }));
  app.use((_req, res, next) => {
    res.set('Cache-Control', 'no-store'); // Every page is specific to a user.
    next();
  });
  const limits = { windowMs: 600_000, limit: LIMIT, legacyHeaders: false, handler: tooMany };
  app.use('/api/auth', rateLimit({ ...limits, standardHeaders: 'draft-8' }));
  // Before the session is read: a body that arrives slowly must not keep a request of a session that ends meanwhile.
  app.use(express.urlencoded({ extended: false, limit: '10kb' }));
  app.use(sessions(store, secret, isSecure), passport.session(), csrfProtection);
  app.use(signInRoutes(), accountRoutes());
  app.use(() => {
    throw new Problem(404, 'Page not found', 'This page does not exist.');
  });
  app.use(showErrors);
  return app;
}

function tooMany() {
  throw new Problem(429, 'Too many sign-ins', 'Please try again in some minutes.');
}
