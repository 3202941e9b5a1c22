// @ts-check
import { formToken, TOKEN_FIELD } from '../protection.js';
import { sessionOf, userOf } from '../visitor.js';
import { html } from './html.js';

/** @typedef {import('express').Request} Request */
/** @typedef {import('./html.js').Html} Html */

/**
 * A whole page. Works without JavaScript, and nothing in it runs.
 *
 * @param {Request} req
 * @param {string} title
 * @param {Html} content
 * @param {'wide' | 'narrow'} width Narrow pages have a choice to make and nothing to read
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
<a class="brand" href="/"><img src="/public/icon.svg" alt="" width="28" height="28">Login example</a>
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
 * A form with one button, for everything that changes something.
 *
 * @param {Request} req
 * @param {string} action
 * @param {Html | string} label
 * @param {string} [appearance] Classes of the button
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
${link(req, '/what-happened', 'Last login')}
</ul>
</nav>
${buttonForm(req, '/signout', 'Sign out', 'quiet')}`;
}

/** @param {Request} req @param {string} address @param {string} label */
function link(req, address, label) {
  const current = req.path === address && html` aria-current="page"`;
  return html`<li><a href="${address}"${current}>${label}</a></li>`;
}

/** What the last form did, shown once. @param {Request} req */
function notice(req) {
  const session = sessionOf(req);
  // There is no session on the error page that says why there is none.
  const text = session?.notice;
  if (text === undefined) return undefined;
  delete session.notice;
  return html`<p class="notice" role="status">${text}</p>`;
}
