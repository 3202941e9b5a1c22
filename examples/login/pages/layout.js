// @ts-check
import { formToken, TOKEN_FIELD } from '../protection.js';
import { sessionOf, userOf } from '../visitor.js';
import { html } from './html.js';

/** @typedef {import('express').Request} Request */
/** @typedef {import('./html.js').Html} Html */

/**
 * Renders a complete page. Contains no JavaScript.
 *
 * @param {Request} req
 * @param {string} title
 * @param {Html} content
 * @param {'wide' | 'narrow'} width Narrow for pages with a choice and little text
 */
export function page(req, title, content, width = 'wide') {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · Login example</title>
<link rel="stylesheet" href="/public/style.css">
<link rel="icon" href="/public/icon.svg" type="image/svg+xml">
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header class="bar">
<a class="brand" href="/"><img src="/public/icon.svg" alt="" width="28" height="28"><span>Login example</span></a>
${userOf(req) && navigation(req)}
</header>
<main id="content" class="${width}" tabindex="-1">
${notice(req)}
<h1>${title}</h1>
${content}
</main>
</body>
</html>
`.text;
}

/**
 * Renders a form with one button, for actions that change data.
 *
 * @param {Request} req
 * @param {string} action
 * @param {Html | string} label
 * @param {string} [appearance] CSS classes of the button
 */
export function buttonForm(req, action, label, appearance = '') {
  return html`<form method="post" action="${action}">
<input type="hidden" name="${TOKEN_FIELD}" value="${formToken(req)}">
<button class="button ${appearance}">${label}</button>
</form>`;
}

/** @param {Request} req */
function navigation(req) {
  return html`<nav aria-label="Main">
<ul>
${link(req, '/profile', 'Profile')}
${link(req, '/accounts', 'Accounts')}
</ul>
</nav>
${buttonForm(req, '/signout', 'Sign out', 'quiet')}`;
}

/** @param {Request} req @param {string} path @param {string} label */
function link(req, path, label) {
  const current = req.path === path && html` aria-current="page"`;
  return html`<li><a href="${path}"${current}>${label}</a></li>`;
}

/** Shows the result of the last form once. @param {Request} req */
function notice(req) {
  const session = sessionOf(req);
  // The error page for a session store failure has no session.
  const text = session?.notice;
  if (text === undefined) return undefined;
  delete session.notice;
  return html`<p class="notice" role="status">${text}</p>`;
}
