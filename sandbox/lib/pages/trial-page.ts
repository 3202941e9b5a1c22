import { NETWORKS } from '../networks.js';
import type { NetworkResponse } from '../response.js';
import { CONSOLE_PATH, html, page } from './page.js';

const BACK = html`<div class="actions">
<a class="button primary" href="${CONSOLE_PATH}">Back to the console</a>
<a class="button" href="${CONSOLE_PATH}#credentials">Credentials for your application</a>
</div>`;

/** The end of a login that was tried. @param profile - Text of the profile response; missing when the user declined. */
export function trialPage(network: string, title: string, profile: string | undefined): NetworkResponse {
  const brand = brandOf(network);
  if (profile === undefined) {
    return page(
      'Login declined',
      html`<h1>Login declined</h1>
<p>${brand} told the application that the person said no. An application should be calm about it, and offer to try again.</p>
${BACK}`,
      { width: 'narrow' },
    );
  }
  return page(
    `Logged in with ${brand}`,
    html`<h1>Logged in with ${brand}</h1>
<p class="quiet">${title}</p>
<div class="card">
<h2>What the application gets</h2>
<pre tabindex="0" aria-label="Profile">${indented(profile)}</pre>
</div>
${BACK}`,
    { width: 'narrow' },
  );
}

/** A login that was tried and could not go on. */
export function brokenTrialPage(network: string, happened: string, body?: string): NetworkResponse {
  return page(
    'The login stopped',
    html`<h1>The login with ${brandOf(network)} stopped</h1>
<div class="card problem"><p>${happened}</p>
${body === undefined ? '' : html`<pre tabindex="0" aria-label="Response">${indented(body)}</pre>`}</div>
${BACK}`,
    { status: 502, width: 'narrow' },
  );
}

function indented(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}

function brandOf(network: string): string {
  return NETWORKS.find(({ name }) => name === network)?.appearance.brand ?? network;
}
