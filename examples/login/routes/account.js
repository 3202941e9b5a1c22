// @ts-check
// The user's page, and what changes an account: link, move, unlink, delete. Each is a form with a CSRF token, and needs a fresh login.
import { Router } from 'express';
import passport from 'passport';
import { deleteUser, loginsOf, move, ownerOf, revokeTokens, unlink } from '../accounts/accounts.js';
import { signOut, userOf } from '../accounts/login.js';
import { freshLoginOf, strategies, strategyOf, titleOf } from '../accounts/networks.js';
import { accountPage, deletePage, movePage, signInPage, unlinkPage } from '../pages/pages.js';
import { Problem } from '../problem.js';
import { isFresh, isSameLogin, redirect, sessionOf, signedInUser } from '../visitor.js';

/** @typedef {import('express').Request} Request */
/** @typedef {import('../accounts/accounts.js').LinkedLogin} LinkedLogin */
/** @typedef {import('express').RequestHandler} Handler */

export function accountRoutes() {
  const router = Router();

  router.get('/', async (req, res) => {
    const user = userOf(req);
    res.send(user ? accountPage(req, user, await loginsOf(user.id)) : signInPage(req));
  });

  for (const { name } of strategies) {
    router.post(`/link/${name}`, async (req, res, next) => {
      if (!isFresh(req)) return confirm(req, res, next, '/');
      const state = { purpose: 'link', userID: signedInUser(req).id, path: '/' };
      passport.authenticate(name, { state })(req, res, next);
    });
  }

  router.get('/move', async (req, res) => {
    const { login, from } = await loginToMove(req);
    res.send(movePage(req, login, (await loginsOf(from)).length === 1));
  });

  router.post('/move', async (req, res) => {
    const { login, from } = await loginToMove(req);
    await move(login, from, signedInUser(req).id);
    delete sessionOf(req).move;
    sessionOf(req).notice = `${titleOf(login.provider)} login ${login.profile.name} moved here.`;
    await redirect(req, res, '/');
  });

  router.get('/unlink/:provider/:identifier', async (req, res) => {
    const login = await ownLogin(req);
    res.send(unlinkPage(req, login, isFresh(req, login)));
  });

  router.post('/unlink/:provider/:identifier', async (req, res, next) => {
    const login = await ownLogin(req);
    if (!isFresh(req, login)) return confirm(req, res, next, req.path, login);
    const isRevoked = await revokeTokens(login).then(
      () => true,
      () => false,
    );
    const title = titleOf(login.provider);
    if (!(await unlink(login.user_id, login))) throw lastLogin();
    const advice = isRevoked ? '' : ` Remove this application in your settings at ${title}, too.`;
    sessionOf(req).notice = `${title} login ${login.profile.name} unlinked.${advice}`;
    await redirect(req, res, '/');
  });

  router.get('/delete', (req, res) => {
    signedInUser(req);
    res.send(deletePage(req, isFresh(req)));
  });

  router.post('/delete', async (req, res, next) => {
    if (!isFresh(req)) return confirm(req, res, next, '/delete');
    const left = await deleteUser(signedInUser(req).id);
    await signOut(req);
    const advice = left.map(
      (provider) => ` Remove this application in your settings at ${titleOf(provider)}.`,
    );
    res.send(signInPage(req, `Your account is deleted.${advice.join('')}`));
  });
  return router;
}

/**
 * Begins a fresh login, which leads back to the page of the change. Not with the login that the change is about: whoever unlinks it has just
 * shown another way to sign in.
 *
 * @param {Request} req @param {import('express').Response} res @param {import('express').NextFunction} next
 * @param {string} path
 * @param {import('../accounts/tokens.js').Key} [except]
 */
async function confirm(req, res, next, path, except) {
  const { id: userID, login: current } = signedInUser(req);
  const others = (await loginsOf(userID)).filter((login) => !(except && isSameLogin(login, except)));
  const usual = others.find((login) => isSameLogin(login, current)) ?? others[0];
  const strategy = usual && strategyOf(usual.provider);
  if (!strategy) throw lastLogin();
  const state = { purpose: 'confirm', userID, path };
  passport.authenticate(strategy.name, { state, ...freshLoginOf(strategy.name) })(req, res, next);
}

/** The login in the path. @param {import('express').Request<{ provider: string, identifier: string }>} req */
async function ownLogin(req) {
  const logins = await loginsOf(signedInUser(req).id);
  const found = logins.find((login) => isSameLogin(login, req.params));
  if (!found) throw new Problem(404, 'Unknown login', 'You have no such login.');
  if (logins.length === 1) throw lastLogin();
  return found;
}

/** The login of another user that this one has just signed in with. The session knows it, not the form. @param {Request} req */
async function loginToMove(req) {
  const { id } = signedInUser(req);
  const login = sessionOf(req).move;
  const from = login && (await ownerOf(login));
  if (!from || from === id || login.expiresAt < Date.now() || !isFresh(req)) {
    throw new Problem(409, 'Nothing to move', 'You signed in too long ago. Link the login again to move it.');
  }
  return { login, from };
}

function lastLogin() {
  const message =
    'You need a login to sign in. Link another one first. To move this one to another account, sign in there and link it.';
  return new Problem(409, 'Your only login', message);
}
