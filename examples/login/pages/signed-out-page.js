// @ts-check
import { html } from './html.js';
import { page } from './layout.js';

/** @param {import('express').Request} req */
export function signedOutPage(req) {
  return page(
    req,
    'You are signed out',
    html`<p class="lead">Your session here has ended. You may still be signed in at the network.</p>
<p><a class="button primary" href="/signin">Sign in again</a></p>`,
    'narrow',
  );
}
