import { createRequire } from 'node:module';
import express from 'express';
import session from 'express-session';
import { Passport } from 'passport';
import { Browser, CALLBACK, serve } from '../browser.mjs';

const require = createRequire(import.meta.url);

/** @typedef {new (options: object, verify: Verify) => import('passport').Strategy} StrategyClass */
/** @typedef {(token: string, refreshToken: string, profile: { id: string }, done: (error: null, user: { id: string }) => void) => void} Verify */
/** @typedef {import('../main.mjs').Given} Given */

/** @type {Verify} */
const verify = (_token, _refreshToken, profile, done) => done(null, { id: profile.id });

/** A Passport strategy, set up as its README shows. @param {string} name @param {(given: Given) => Record<string, [options: object, given?: object]>} optionsOf @returns {import('../main.mjs').Client} */
const client = (name, optionsOf) => ({
  package: name,
  logins(given) {
    /** @type {{ Strategy: StrategyClass }} */
    const { Strategy } = require(name);
    const logIn = (/** @type {[options: object, given?: object]} */ [options, passed]) =>
      logInWith(new Strategy({ callbackURL: CALLBACK, ...options }, verify), passed);
    const flows = Object.entries(optionsOf(given));
    return Object.fromEntries(flows.map(([flow, options]) => [flow, () => logIn(options)]));
  },
});

const X_SCOPE = ['tweet.read', 'users.read'];
const EVERY_SCOPE = ['user.info.basic', 'user.info.profile', 'user.info.stats'];

/** @type {import('../main.mjs').Client[]} */
export const passportStrategies = [
  client('passport-tiktok-auth', ({ tiktok: { id: clientID, secret: clientSecret } }) => ({
    TikTok: [{ clientID, clientSecret, scope: ['user.info.basic'] }],
    'TikTok, every scope': [{ clientID, clientSecret, scope: EVERY_SCOPE }],
  })),
  client('@superfaceai/passport-twitter-oauth2', ({ x }) => ({
    'X 2.0': [{ clientID: x.id, clientSecret: x.secret, clientType: 'confidential' }, { scope: X_SCOPE }],
    'X 2.0, public client': [
      { clientID: x.publicId, clientSecret: '', clientType: 'public' },
      { scope: X_SCOPE },
    ],
  })),
  client('passport-twitter', ({ xConsumer: { id: consumerKey, secret: consumerSecret } }) => ({
    'X 1.0a': [{ consumerKey, consumerSecret }],
  })),
  client('passport-vkontakte', ({ vk: { id: clientID, secret: clientSecret } }) => ({
    VK: [{ clientID, clientSecret }],
  })),
];

/**
 * Logs a user in, in an Express application as the READMEs of the strategies show it.
 *
 * @param {import('passport').Strategy} strategy - Its verify returns a user `{ id }`.
 * @param {object} [options] - What the application passes to `passport.authenticate`.
 * @param {import('../browser.mjs').Authorize} [authorize] - What the user does at the authorization server.
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
