// @ts-check
// The routes: log in, link, sign out, delete.
import express from 'express';
import passport from 'passport';
import { isLoginResponse } from 'passport-social-networks';
import { deleteUser, findOrCreate, link, loginsOf } from './accounts.js';
import { currentUser, finishLogin, signIn, signOut, userOf } from './login.js';
import { strategies, titleOf } from './networks.js';
import { DatabaseStore, sessions } from './sessions.js';

/** @param {Pick<typeof import('./networks.js').settings, 'secret' | 'trustProxy' | 'baseURL'>} settings */
export function createApp({ secret, trustProxy, baseURL = '' }) {
  const app = express();
  app.set('trust proxy', trustProxy ? 1 : false);
  app.use(sessions(new DatabaseStore(), secret, baseURL.startsWith('https:')), passport.session());
  app.use((req, res, next) => {
    res.set({ 'Cache-Control': 'no-store', 'Content-Security-Policy': "frame-ancestors 'none'" });
    // Pages of other sites can send forms here, too. Browsers tell.
    if (req.method !== 'POST' || (req.user && req.get('sec-fetch-site') === 'same-origin')) return next();
    res.status(403).send(page('Log in first, and use the forms of this page.'));
  });
  app.post(['/link/:name', '/delete'], (req, res, next) => {
    // Somebody at an unlocked computer could link a login of their own.
    if (Date.now() - (userOf(req)?.login.loginAt ?? 0) < 600_000) return next();
    res.status(403).send(page('Sign out, log in again, and do this within ten minutes.'));
  });

  for (const { name } of strategies) {
    app.get(`/api/auth/signin/${name}`, (req, res, next) => {
      // A link on another site must not change who is signed in, nor can a response here.
      if (req.user || isLoginResponse(req)) return res.redirect('/');
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
      if (info.state && ((await currentUser(req))?.id !== info.state || !(await link(info.state, login))))
        return res.status(409).send(page('This login belongs to somebody else.'));
      // A login that began before must not change who is signed in.
      if (!info.state && !req.user) await signIn(req, await findOrCreate(login), login);
      res.redirect('/');
    });
  }

  app.get('/', async (req, res) => {
    const user = userOf(req);
    const links = strategies.map(
      ({ name }) => `<p><a href="/api/auth/signin/${name}">Log in with ${titleOf(name)}</a></p>`,
    );
    if (!user) return res.send(page('You are not logged in.', links.join('')));
    const logins = (await loginsOf(user.id)).map(({ provider, identifier }) => `${provider} ${identifier}`);
    const actions = [...strategies.map(({ name }) => `/link/${name}`), '/signout', '/delete'];
    const forms = actions.map(
      (path) => `<form method="post" action="${path}"><p><button>${path}</button></form>`,
    );
    res.send(page(`${user.name}: ${logins.join(', ')}`, forms.join('')));
  });
  app.post('/signout', (req, res) => signOut(req).then(() => res.redirect('/')));
  app.post('/delete', async (req, res) => {
    const left = await deleteUser(userOf(req)?.id ?? '');
    const advice = left
      .map((name) => ` Remove this application in your settings at ${titleOf(name)}.`)
      .join('');
    await signOut(req);
    res.send(page(`Your account is deleted.${advice}`));
  });
  /** @type {import('express').ErrorRequestHandler} */
  const handleError = (error, _req, res, _next) => {
    console.error(error); // For developers. Has no secrets or tokens.
    res.status(error.status ?? 500).send(page('That did not work. Please try again.'));
  };
  return app.use(handleError);
}

/** Users choose their names, so the text is escaped. @param {string} text @param {string} [markup] */
const page = (text, markup = '<p><a href="/">Go on</a></p>') => `<!doctype html><html lang="en">
<meta charset="utf-8"><title>Accounts</title><meta name="viewport" content="width=device-width">
<h1>Accounts</h1><p>${text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)}</p>${markup}</html>`;
