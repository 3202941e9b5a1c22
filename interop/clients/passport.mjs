import { createRequire } from 'node:module';
import express from 'express';
import session from 'express-session';
import { Passport } from 'passport';
import { Browser, CALLBACK, serve } from '../browser.mjs';

const require = createRequire(import.meta.url);

/** The verify of every login. */
export const keepID = (_token, _second, { id }, done) => done(null, { id });

/** A Passport strategy, set up as its README shows: by flow, its options and what `authenticate` gets. */
const client = (name, optionsOf) => ({
  package: name,
  logins(given) {
    const { Strategy } = require(name);
    const flows = Object.entries(optionsOf(given)).map(([flow, [options, passed]]) => [
      flow,
      () => logInWith(new Strategy({ callbackURL: CALLBACK, ...options }, keepID), passed),
    ]);
    return Object.fromEntries(flows);
  },
});

const X_SCOPE = { scope: ['tweet.read', 'users.read'] };
const EVERY_SCOPE = ['user.info.basic', 'user.info.profile', 'user.info.stats'];

export const passportStrategies = [
  client('passport-tiktok-auth', ({ tiktok: { id: clientID, secret: clientSecret } }) => ({
    TikTok: [{ clientID, clientSecret, scope: ['user.info.basic'] }],
    'TikTok, every scope': [{ clientID, clientSecret, scope: EVERY_SCOPE }],
  })),
  client('@superfaceai/passport-twitter-oauth2', ({ x }) => ({
    'X 2.0': [{ clientID: x.id, clientSecret: x.secret, clientType: 'confidential' }, X_SCOPE],
    'X 2.0, public client': [{ clientID: x.publicId, clientSecret: '', clientType: 'public' }, X_SCOPE],
  })),
  client('passport-twitter', ({ xConsumer: { id: consumerKey, secret: consumerSecret } }) => ({
    'X 1.0a': [{ consumerKey, consumerSecret }],
  })),
  client('passport-vkontakte', ({ vk: { id: clientID, secret: clientSecret } }) => ({
    VK: [{ clientID, clientSecret }],
  })),
];

/** An Express application as the READMEs of the strategies show it. It responds with the user. */
export function applicationWith(strategy, options) {
  const passport = new Passport().use('strategy', strategy);
  const given = { session: false, ...options };
  const app = express().use(session({ secret: 'keyboard cat', resave: false, saveUninitialized: false }));
  app.get(['/login', new URL(CALLBACK).pathname], (request, response, next) => {
    passport.authenticate('strategy', given, (error, user, info) => {
      if (error || !user) next(error || new Error(info?.message ?? 'no user'));
      else response.json(user);
    })(request, response, next);
  });
  return app.use(showError);
}

export const logInWith = (strategy, options, authorize) =>
  serve(applicationWith(strategy, options), async (application) => {
    const response = await new Browser(application, authorize).open('/login');
    const text = await response.text();
    if (response.status !== 200) throw new Error(text);
    return String(JSON.parse(text).id);
  });

/** Express passes errors to what has four parameters. */
const showError = (error, _request, response, _next) => {
  const { message, networkCode, networkMessage, oauthError } = error;
  // Our errors have what the server said apart, before a hint.
  const parts =
    networkCode === undefined
      ? [message, oauthError?.data ?? oauthError?.message]
      : [networkCode, networkMessage];
  response.status(500).send(parts.filter(Boolean).join(': '));
};
