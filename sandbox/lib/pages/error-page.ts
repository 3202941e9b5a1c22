import { createHash } from 'node:crypto';
import type { Belief } from '../core/evidence.js';
import { ErrorResponse, type NetworkResponse } from '../core/http.js';
import { CONSOLE_PATH, GUIDE_PATH, type Html, html, page } from './page.js';

/** ID of a rule's entry in the guide. */
export const ruleAnchor = ({ says, source }: Belief): string =>
  `rule-${createHash('sha256').update(`${says}\n${source}`).digest('hex').slice(0, 12)}`;

/** What was received, what the network expects, and where the guide says how that is known. */
export function ruleFacts(received: string, belief: Belief): Html {
  return html`<dl class="facts">
<div><dt>Received</dt><dd>${received}</dd></div>
<div><dt>Expected</dt><dd>${belief.says}</dd></div>
<div><dt>How we know</dt><dd>${belief.mark}: <a href="${GUIDE_PATH}#${ruleAnchor(belief)}">the rule in the guide</a></dd></div>
</dl>`;
}

/** What an error page says. */
export interface PageError {
  readonly title: string;
  /** The network's own words. */
  readonly content: Html;
  /** Why, although the real network does not say it. */
  readonly reason: string;
  readonly belief: Belief;
  readonly status: number;
}

/** A network's error page. Below the network's words, it says what was received and expected, and links to the console and guide. */
export function errorPage({ title, content, reason, belief, status }: PageError): ErrorResponse {
  const response = page(
    title,
    html`<h1>${title}</h1>
${content}
<div class="card problem">
<h2>What the sandbox knows</h2>
${ruleFacts(reason, belief)}
<div class="actions">
<a class="button primary" href="${GUIDE_PATH}#${ruleAnchor(belief)}">Open the guide</a>
<a class="button" href="${CONSOLE_PATH}">Open the console</a>
</div>
</div>`,
    { status, width: 'narrow' },
  );
  return new ErrorResponse(response, reason, belief);
}

/** Shows a person what is no page, such as a network's JSON error. */
export function shownResponse(sent: NetworkResponse, reason: string, belief: Belief): NetworkResponse {
  const title = 'The network refuses this request';
  const content = html`<p>It responds with status ${sent.status} and no page of its own:</p>
<pre>${sent.body}</pre>`;
  return errorPage({ title, content, reason, belief, status: sent.status }).response;
}

/** A path that no endpoint has, as shown to a person. */
export function notFoundPage(path: string): NetworkResponse {
  return page(
    'Nothing is here',
    html`<h1>Nothing is here</h1>
<p>No endpoint of the sandbox has the path <code>${path}</code>.</p>
<div class="actions">
<a class="button primary" href="${CONSOLE_PATH}">Open the console</a>
<a class="button" href="${GUIDE_PATH}">Open the guide</a>
</div>`,
    { status: 404, width: 'narrow' },
  );
}
