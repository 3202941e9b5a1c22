// @ts-check
import { userOf } from '../accounts/login.js';
import { settings, strategies, strategyName, titleOf } from '../accounts/networks.js';
import { isSameLogin, sessionOf } from '../visitor.js';
import { html } from './html.js';
import { form, page } from './layout.js';

/** @typedef {import('express').Request} Request */
/** @typedef {import('./html.js').Html} Html */
/** @typedef {import('../accounts/accounts.js').LinkedLogin} LinkedLogin */
/** @typedef {Pick<LinkedLogin, 'provider' | 'identifier' | 'profile'>} ShownLogin */

/** @param {Request} req @param {string} [notice] */
export function signInPage(req, notice) {
  const choices = strategies.map(({ name }) => {
    const label = html`${mark(name)}<span>Continue with ${titleOf(name)}</span>`;
    return html`<li><a class="button choice" href="/api/auth/signin/${name}">${label}</a></li>\n`;
  });
  const content = html`<p class="quiet">Choose a network. It asks for your consent and tells this application who you are.</p>
<ul class="card choices">
${choices}</ul>
${settings.sandboxURL && SANDBOX_NOTE}`;
  return page(req, 'Sign in', content, notice);
}

const SANDBOX_NOTE = html`<p class="quiet">The networks are simulated on this machine, with fictional people. With client credentials in its
environment, this application uses the real ones.</p>`;

/** @param {Request} req @param {import('../accounts/login.js').SignedInUser} user @param {LinkedLogin[]} logins */
export function accountPage(req, user, logins) {
  const { notice } = sessionOf(req);
  delete sessionOf(req).notice;
  const isOnly = logins.length === 1;
  const free = strategies.filter(
    ({ name }) => !logins.some(({ provider }) => titleOf(provider) === titleOf(name)),
  );
  return page(
    req,
    user.name || 'Your account',
    html`<h2>You sign in with</h2>
${logins.map((login) => card(req, login, isSameLogin(login, user.login), isOnly))}
${isOnly && html`<p class="quiet">You cannot unlink your only login, because you need one to sign in.</p>`}
${
  free.length > 0 &&
  html`<h2>Link another network</h2>
<p class="quiet">The network asks for your consent and sends you back here.</p>
<ul class="choices">
${free.map(({ name }) => html`<li>${form(req, `/link/${name}`, html`${mark(name)}<span>Link ${titleOf(name)}</span>`, 'choice')}</li>\n`)}</ul>`
}
<h2>This account</h2>
<div class="actions">
${form(req, '/signout-everywhere', 'Sign out everywhere')}
<a class="button danger" href="/delete">Delete account</a>
</div>`,
    notice,
  );
}

/** @param {Request} req @param {LinkedLogin} login @param {boolean} isCurrent @param {boolean} isOnly */
function card(req, login, isCurrent, isOnly) {
  const { provider, identifier, hasTokens } = login;
  const again = !hasTokens && form(req, `/link/${strategyName(provider)}`, 'Connect again');
  const label = `Unlink ${titleOf(provider)}`;
  const unlinking =
    !isOnly && html`<a class="button danger" href="${unlinkPath(login)}" aria-label="${label}">Unlink</a>`;
  return html`<section class="card" data-login="${provider} ${identifier}">
${person(login)}
<p class="quiet">ID <code>${identifier}</code>${isCurrent && html` · this session began with it`}</p>
${!hasTokens && html`<p>The network's tokens have ended.</p>`}
${(again || unlinking) && html`<div class="actions">${again}${unlinking}</div>`}
</section>
`;
}

/** @param {Request} req @param {LinkedLogin} login @param {boolean} isConfirmed */
export function unlinkPage(req, login, isConfirmed) {
  const title = titleOf(login.provider);
  const effect = `It then no longer signs you in. This application ends its access at ${title}, and ends the sessions that began with this login.`;
  const form = { path: unlinkPath(login), label: 'Unlink', isConfirmed };
  return question(req, `Unlink this ${title} login?`, login, [effect], form);
}

/** @param {Request} req @param {ShownLogin} login @param {boolean} isOnly Whether the other account has no other login */
export function movePage(req, login, isOnly) {
  const effects = [
    'You have just signed in with this login, so you can move it here. It then signs you in to this account.',
    isOnly
      ? 'It is the only login of the other account, which will be deleted.'
      : 'The other account keeps its other logins.',
  ];
  const form = { path: '/move', label: 'Move it here', isConfirmed: true };
  return question(req, 'This login belongs to another account', login, effects, form);
}

/** @param {Request} req @param {boolean} isConfirmed */
export function deletePage(req, isConfirmed) {
  const effect =
    'This application ends its access at the networks, and deletes what it knows of you. Nobody can undo this.';
  const form = { path: '/delete', label: 'Delete account', isConfirmed };
  return question(req, 'Delete your account?', undefined, [effect], form);
}

/**
 * Asks before a change.
 *
 * @param {Request} req
 * @param {string} title
 * @param {ShownLogin | undefined} login
 * @param {string[]} effects
 * @param {{ path: string, label: string, isConfirmed: boolean }} about
 */
function question(req, title, login, effects, { path, label, isConfirmed }) {
  const { notice } = sessionOf(req);
  delete sessionOf(req).notice;
  return page(
    req,
    title,
    html`${login && html`<section class="card" aria-label="Login">${person(login)}</section>`}
${effects.map((effect) => html`<p>${effect}</p>`)}
${!isConfirmed && html`<p>Sign in again to confirm. You come back to this page.</p>`}
<div class="actions">
${form(req, path, isConfirmed ? label : 'Sign in again', isConfirmed ? 'primary danger' : 'primary')}
<a class="button" href="/">Cancel</a>
</div>`,
    notice,
  );
}

/** @param {Request} req @param {import('../problem.js').Problem} problem @param {string} [userURL] Where the network lets its user go on */
export function errorPage(req, { status, title, message, code, network }, userURL) {
  const details = [`HTTP status ${status}`, network, code].filter(Boolean).join(', ');
  const retry = network && !userOf(req) && `/api/auth/signin/${network}`;
  return page(
    req,
    title,
    html`<div class="card" role="alert">
<p>${message}</p>
</div>
<div class="actions">
${userURL && html`<a class="button primary" href="${userURL}" rel="noreferrer">Go on at ${titleOf(network ?? '')}</a>`}
${retry && html`<a class="button primary" href="${retry}">Try again with ${titleOf(network ?? '')}</a>`}
<a class="button" href="/">${userOf(req) ? 'Back to your account' : 'Choose a network'}</a>
</div>
<p class="quiet"><small>${details}</small></p>`,
  );
}

/** Who a login is: picture, name, handle and network. @param {ShownLogin} login */
function person({ provider, profile: { name, username, picture } }) {
  return html`<div class="person">
${picture ? html`<img class="picture" src="${picture}" alt="">` : html`<span class="picture" aria-hidden="true">${initial(name || '?')}</span>`}
<div>
<p class="name"><bdi>${name || 'No name'}</bdi></p>
<p class="quiet row">${mark(strategyName(provider))}<span>${titleOf(provider)}${username && html` · <bdi>@${username}</bdi>`}</span></p>
</div>
</div>`;
}

/** A network's initial, because the networks restrict the use of their logos. Decorative: the name is next to it. @param {string} name */
const mark = (name) => html`<span class="mark" aria-hidden="true">${initial(titleOf(name))}</span>`;

/** The first grapheme, because a letter can be several code points. @param {string} name */
function initial(name) {
  const [first] = new Intl.Segmenter('en').segment(name);
  return first?.segment ?? '?';
}

/** @param {import('../accounts/tokens.js').Key} login */
const unlinkPath = ({ provider, identifier }) =>
  `/unlink/${encodeURIComponent(provider)}/${encodeURIComponent(identifier)}`;
