// @ts-check
// The routes: log in, link, sign out, delete.
import express from 'express';
import session from 'express-session';
import passport from 'passport';
import { isLoginResponse } from 'passport-social-networks';
import { deleteUser, findOrCreate, findUser, link, loginsOf } from './accounts.js';
import { strategies } from './networks.js';

/** @typedef {{ id: string, name: string, loginAt: number }} User */

for (const strategy of strategies) passport.use(strategy);
passport.serializeUser((user, done) => done(null, { id: userOf({ user })?.id, loginAt: Date.now() }));
passport.deserializeUser(
  (/** @type {User} */ { id, loginAt }, /** @type {(error: unknown, user?: any) => void} */ done) => {
    // `false` signs out a user who was deleted, in every session.
    findUser(id).then((user) => done(null, user ? { ...user, loginAt } : false), done);
  },
);

/** @param {{ secret: string, trustProxy: boolean }} settings `secret` signs the session cookie */
export function createApp({ secret, trustProxy }) {
  const app = express();
  app.set('trust proxy', trustProxy ? 1 : false);
  const cookie = /** @type {const} */ ({ sameSite: 'lax', secure: 'auto' });
  // Sessions are in memory. Several processes need a store that they share.
  app.use(session({ secret, resave: false, saveUninitialized: false, cookie }), passport.session());
  app.use((req, res, next) => {
    res.set({ 'Cache-Control': 'no-store', 'Content-Security-Policy': "frame-ancestors 'none'" });
    // Pages of other sites can send forms here, too. Browsers tell.
    if (req.method !== 'POST' || (req.user && req.get('sec-fetch-site') === 'same-origin')) return next();
    res.status(403).send(page('Log in first, and use the forms of this page.'));
  });
  app.post(['/link/:name', '/delete'], (req, res, next) => {
    // Somebody at an unlocked computer could link a login of their own.
    if (Date.now() - (userOf(req)?.loginAt ?? 0) < 600_000) return next();
    res.status(403).send(page('Sign out, log in again, and do this within ten minutes.'));
  });

  for (const { name } of strategies) {
    app.get(`/api/auth/signin/${name}`, (req, res, next) => {
      if (req.user) return res.redirect('/'); // A link on another site must not change who is signed in.
      passport.authenticate(name)(req, res, next);
    });
    app.post(`/link/${name}`, (req, res, next) => {
      passport.authenticate(name, { state: userOf(req)?.id })(req, res, next);
    });
    app.get(`/api/auth/callback/${name}`, async (req, res) => {
      if (!isLoginResponse(req)) return res.redirect('/'); // The strategy would begin a login.
      const { login, info, status = 401 } = await finishLogin(name, req, res);
      // The user declined, or came back to a login that has ended. Whoever is signed in goes on.
      if (!login) return req.user ? res.redirect('/') : res.status(status).send(page(info.message));
      // Only the state tells a link from a login. It was encrypted in a cookie.
      if (info.state && (userOf(req)?.id !== info.state || !(await link(info.state, login))))
        return res.status(409).send(page('This login belongs to somebody else.'));
      // A login that began before must not change who is signed in.
      if (!info.state && !req.user) await signIn(req, await findOrCreate(login));
      res.redirect('/');
    });
  }

  app.get('/', async (req, res) => {
    const user = userOf(req);
    const links = strategies.map(
      ({ name }) => `<p><a href="/api/auth/signin/${name}">Log in with ${name}</a></p>`,
    );
    if (!user) return res.send(page('You are not logged in.', links.join('')));
    const logins = (await loginsOf(user.id)).map(({ provider, identifier }) => `${provider} ${identifier}`);
    const actions = [...strategies.map(({ name }) => `/link/${name}`), '/signout', '/delete'];
    const forms = actions.map(
      (path) => `<form method="post" action="${path}"><p><button>${path}</button></form>`,
    );
    res.send(page(`${user.name}: ${logins.join(', ')}`, forms.join('')));
  });
  app.post('/signout', (req, res, next) => req.logout((error) => (error ? next(error) : res.redirect('/'))));
  app.post('/delete', async (req, res, next) => {
    const left = await deleteUser(userOf(req)?.id ?? '');
    const advice = left.map((name) => ` Remove this application in your settings at ${name}.`).join('');
    req.logout((error) => (error ? next(error) : res.send(page(`Your account is deleted.${advice}`))));
  });
  /** @type {import('express').ErrorRequestHandler} */
  const handleError = (error, _req, res, _next) => {
    console.error(error); // For developers. Has no secrets or tokens.
    res.status(error.status ?? 500).send(page('That did not work. Please try again.'));
  };
  return app.use(handleError);
}

/** @param {Pick<import('express').Request, 'user'>} req */
const userOf = ({ user }) => /** @type {User | undefined} */ (user);

/** @param {import('express').Request} req @param {string} id @returns {Promise<void>} */
const signIn = (req, id) =>
  new Promise((resolve, reject) => req.logIn({ id }, (error) => (error ? reject(error) : resolve())));

/** Passport's custom callback as a promise. @param {string} name @param {import('express').Request} req @param {import('express').Response} res */
const finishLogin = (name, req, res) =>
  /** @type {Promise<{ login?: import('./networks.js').Login, info: { state?: string, message: string }, status?: number }>} */ (
    new Promise((resolve, reject) => {
      /** @type {(error: unknown, login: any, info: any, status: any) => void} */
      const settle = (error, login, info, status) =>
        error ? reject(error) : resolve({ login, info, status });
      passport.authenticate(name, settle)(req, res, reject);
    })
  );

/** Users choose their names, so the text is escaped. @param {string} text @param {string} [markup] */
const page = (text, markup = '<p><a href="/">Go on</a></p>') => `<!doctype html><html lang="en">
<meta charset="utf-8"><title>Accounts</title><meta name="viewport" content="width=device-width">
<h1>Accounts</h1><p>${text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)}</p>${markup}</html>`;
