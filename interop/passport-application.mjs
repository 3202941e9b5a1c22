// An Express application with one Passport strategy, as the READMEs of the strategies show it.
import express from 'express';
import session from 'express-session';
import { Passport } from 'passport';
import { Browser, CALLBACK, serve } from './browser.mjs';

/**
 * Logs a user in.
 *
 * @param {import('passport').Strategy} strategy - Its verify returns a user `{ id }`.
 * @param {object} [options] - What the application passes to `passport.authenticate`.
 * @param {import('./browser.mjs').Authorize} [authorize] - What the user does at the authorization server.
 * @returns {Promise<string>} The user's ID.
 */
export async function logInWith(strategy, options = {}, authorize) {
  const passport = new Passport();
  passport.use('strategy', strategy);
  const app = express();
  app.use(session({ secret: 'keyboard cat', resave: false, saveUninitialized: false }));
  app.get('/login', passport.authenticate('strategy', { session: false, ...options }));
  app.get(new URL(CALLBACK).pathname, (request, response, next) => {
    /** @type {import('passport').AuthenticateCallback} */
    const ended = (error, user, info) => {
      if (error || !user) next(error ?? new Error(messageOf(info)));
      else response.json(user);
    };
    passport.authenticate('strategy', { session: false, ...options }, ended)(request, response, next);
  });
  app.use(showError);
  return serve(app, async (application) => {
    const response = await new Browser(application, authorize).open('/login');
    const text = await response.text();
    if (response.status !== 200) throw new Error(text);
    return String(JSON.parse(text).id);
  });
}

/** Express passes errors to what has four parameters. @type {import('express').ErrorRequestHandler} */
const showError = (error, _request, response, _next) => {
  const { message, networkCode, networkMessage, oauthError } = error;
  // Our errors have what the server said apart, before a hint.
  const parts =
    networkCode === undefined
      ? [message, oauthError?.data ?? oauthError?.message]
      : [networkCode, networkMessage];
  response.status(500).send(parts.filter(Boolean).join(': '));
};

/** Why the login failed. @param {object | string | Array<string | undefined> | undefined} info */
const messageOf = (info) =>
  typeof info === 'object' && 'message' in info ? String(info.message) : 'no user';
