import { createHash } from 'node:crypto';
import type { Belief } from '../core/evidence.js';
import { ErrorResponse, type NetworkResponse, type Outcome } from '../core/http.js';
import { CONSOLE_PATH, GUIDE_PATH, type Html, html, titledPage } from './page.js';

/** ID of a rule's entry in the guide. */
export const ruleAnchor = ({ says, source }: Belief): string =>
  `rule-${createHash('sha256').update(`${says}\n${source}`).digest('hex').slice(0, 12)}`;

/** A network's error page. Below the network's words, it says what was received and expected, which the real network does not say. */
export const errorPage =
  (title: string, content: Html, status: number) => (belief: Belief, reason: string) => {
    const response = titledPage(
      title,
      html`${content}
<div class="card problem">
<h2>What the sandbox knows</h2>
<dl class="facts">
<div><dt>Received</dt><dd>${reason}</dd></div>
<div><dt>Expected</dt><dd>${belief.says}</dd></div>
<div><dt>How we know</dt><dd>${belief.mark}: <a href="${GUIDE_PATH}#${ruleAnchor(belief)}">the rule in the guide</a></dd></div>
</dl>
<div class="actions">
<a class="button primary" href="${GUIDE_PATH}#${ruleAnchor(belief)}">Open the guide</a>
<a class="button" href="${CONSOLE_PATH}">Open the console</a>
</div>
</div>`,
      { status, width: 'narrow' },
    );
    return new ErrorResponse(response, reason, belief);
  };

/** Shows a person an error that is no page, such as a network's JSON. */
export function shownOutcome({ response: sent, refused, belief }: Outcome): NetworkResponse {
  const isPage = sent.type.startsWith('text/html') || sent.status === 302;
  if (isPage || refused === undefined || !belief) return sent;
  const title = 'The network refuses this request';
  const content = html`<p>It responds with status ${sent.status} and no page of its own:</p>
<pre>${sent.body}</pre>`;
  return errorPage(title, content, sent.status)(belief, refused).response;
}

/** A page with one sentence, and links to console and guide. */
export function noticePage(title: string, sentence: Html, status: number): NetworkResponse {
  return titledPage(
    title,
    html`<p>${sentence}</p>
<div class="actions">
<a class="button primary" href="${CONSOLE_PATH}">Open the console</a>
<a class="button" href="${GUIDE_PATH}">Open the guide</a>
</div>`,
    { status, width: 'narrow' },
  );
}
