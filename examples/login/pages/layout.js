// @ts-check
import { csrfSync } from 'csrf-sync';
import { userOf } from '../accounts/login.js';
import { html } from './html.js';

/** @typedef {import('express').Request} Request */
/** @typedef {import('./html.js').Html} Html */

const TOKEN_FIELD = 'csrfToken';

const { csrfSynchronisedProtection, generateToken } = csrfSync({
  getTokenFromRequest: (req) => req.body?.[TOKEN_FIELD],
  errorConfig: {
    message: 'This form belongs to an earlier session. Go back, reload the page and submit the form again.',
  },
});

/** Rejects forms without their session's token. Other sites can submit forms here, but cannot read the token. */
export const csrfProtection = csrfSynchronisedProtection;

/** A complete page, without JavaScript. @param {Request} req @param {string} title @param {Html} content @param {string} [notice] What has just happened */
export function page(req, title, content, notice) {
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
<header class="bar">
<a class="brand" href="/"><img src="/public/icon.svg" alt="" width="28" height="28"><span>Login example</span></a>
${userOf(req) && form(req, '/signout', 'Sign out', 'quiet')}
</header>
<main>
${notice && html`<p class="notice" role="status">${notice}</p>`}
<h1>${title}</h1>
${content}
</main>
</body>
</html>
`.text;
}

/** A form with one button, for what changes data. @param {Request} req @param {string} action @param {Html | string} label @param {string} [appearance] CSS classes of the button */
export function form(req, action, label, appearance = '') {
  return html`<form method="post" action="${action}">
<input type="hidden" name="${TOKEN_FIELD}" value="${generateToken(req)}">
<button class="button ${appearance}">${label}</button>
</form>`;
}
