// @ts-check
import { sessionOf, userOf } from '../visitor.js';
import { html } from './html.js';
import { page } from './layout.js';

/**
 * @param {import('express').Request} req
 * @param {import('../error-handler.js').Problem} problem
 */
export function errorPage(req, { status, title, message, details }) {
  const back = userOf(req)
    ? { path: '/accounts', label: 'Linked accounts' }
    : { path: '/signin', label: 'Back to sign in' };
  const isLogin = req.path.startsWith('/api/auth/');
  return page(
    req,
    title,
    html`<div class="card problem" role="alert">
<p class="message">${message}</p>
</div>
<dl class="facts">
<div><dt>HTTP status</dt><dd>${status}</dd></div>
${details.map(([name, value]) => html`<div><dt>${name}</dt><dd><code>${value}</code></dd></div>`)}
</dl>
<p class="actions"><a class="button primary" href="${back.path}">${back.label}</a>
${isLogin && sessionOf(req)?.story && html`<a class="button" href="/what-happened">What just happened</a>`}</p>`,
    'narrow',
  );
}
