// @ts-check
import { join } from 'node:path';
import express from 'express';
import passport from 'passport';
import { showErrors } from './error-handler.js';
import { RequestError } from './errors.js';
import { configurePassport } from './login-flow.js';
import { csrfProtection, noStore, securityHeaders } from './protection.js';
import { accountRoutes } from './routes/accounts.js';
import { signInRoutes } from './routes/sign-in.js';

/**
 * @typedef {object} Parts Parts of the application
 * @property {import('./settings.js').Settings} settings
 * @property {import('./networks/index.js').ConnectedNetwork[]} networks
 * @property {string | undefined} sandboxURL
 * @property {import('./accounts.js').Accounts} accounts
 * @property {import('express').RequestHandler} sessions
 */

/** @param {Parts} parts */
export function createApp({ settings, networks, sandboxURL, accounts, sessions }) {
  configurePassport(networks, accounts);
  const app = express();
  // With an https URL, a proxy terminates TLS and reports the browser's scheme in X-Forwarded-Proto.
  if (settings.secure) app.set('trust proxy', 1);
  app.use(securityHeaders(networks, sandboxURL, settings.secure));
  app.use('/public', express.static(join(import.meta.dirname, 'public'), { maxAge: '1h' }));
  app.use(noStore, sessions, passport.session());
  app.use(express.urlencoded({ extended: false, limit: '10kb' }), csrfProtection);
  app.use(signInRoutes(networks, accounts));
  app.use(accountRoutes(networks, accounts));
  app.use(() => {
    throw new RequestError(404, 'unknown_page', 'This page does not exist. Use the link below to continue.');
  });
  app.use(showErrors(networks));
  return app;
}
