// @ts-check
import { join } from 'node:path';
import express from 'express';
import passport from 'passport';
import { showErrors } from './error-handler.js';
import { preparePassport } from './login-flow.js';
import { neverCached, onlyOwnForms, securityHeaders } from './protection.js';
import { Refusal } from './refusal.js';
import { accountRoutes } from './routes/accounts.js';
import { profileRoutes } from './routes/profile.js';
import { signInRoutes } from './routes/sign-in.js';

/**
 * @typedef {object} Parts What the application is put together from
 * @property {import('./settings.js').Settings} settings
 * @property {import('./networks/index.js').ConnectedNetwork[]} networks
 * @property {string | undefined} sandboxURL
 * @property {import('./accounts.js').Accounts} accounts
 * @property {import('express').RequestHandler} sessions
 */

/** @param {Parts} parts */
export function createApp({ settings, networks, sandboxURL, accounts, sessions }) {
  preparePassport(networks, accounts);
  const app = express();
  // An https address means a proxy that ends TLS; it says in X-Forwarded-Proto that the browser used https.
  if (settings.secure) app.set('trust proxy', 1);
  app.use(securityHeaders(networks, sandboxURL, settings.secure));
  app.use('/public', express.static(join(import.meta.dirname, 'public'), { maxAge: '1h' }));
  app.use(neverCached, sessions, passport.session());
  app.use(express.urlencoded({ extended: false, limit: '10kb' }), onlyOwnForms);
  app.use(signInRoutes(networks, accounts));
  app.use(profileRoutes(networks, accounts));
  app.use(accountRoutes(networks, accounts));
  app.use(() => {
    throw new Refusal(404, 'unknown_page', 'There is no such page. Follow the links on the others.');
  });
  app.use(showErrors);
  return app;
}
