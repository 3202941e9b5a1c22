import { createHash } from 'node:crypto';
import type { Belief } from '../core/evidence.js';
import { ErrorResponse, type NetworkResponse, type Outcome } from '../core/http.js';
import { actions, CONSOLE_PATH, facts, GUIDE_PATH, type Html, html, titledPage } from './page.js';

export const ruleAnchor = ({ says, source }: Belief): string =>
  `rule-${createHash('sha256').update(`${says}\n${source}`).digest('hex').slice(0, 12)}`;

/** A network's error page. Below the network's words, it says what was received and expected, which the real network does not say. */
export const errorPage =
  (title: string, content: Html, status = 400) =>
  (belief: Belief, reason: string) => {
    const rule = `${GUIDE_PATH}#${ruleAnchor(belief)}`;
    const known = facts([
      ['Received', reason],
      ['Expected', belief.says],
      ['How we know', html`${belief.mark}: <a href="${rule}">the rule in the guide</a>`],
    ]);
    const links = actions([rule, 'Open the guide'], [CONSOLE_PATH, 'Open the console']);
    const page = html`${content}\n<div class="card problem">\n<h2>What the sandbox knows</h2>\n${known}\n${links}</div>`;
    return new ErrorResponse(titledPage(title, page, { status, width: 'narrow' }), reason, belief);
  };

/** Shows a person an error that is no page, such as a network's JSON. */
export function shownOutcome({ response: sent, refused, belief }: Outcome): NetworkResponse {
  const isPage = sent.type.startsWith('text/html') || sent.status === 302;
  if (isPage || refused === undefined || !belief) return sent;
  const content = html`<p>It responds with status ${sent.status} and no page of its own:</p>\n<pre>${sent.body}</pre>`;
  return errorPage('The network refuses this request', content, sent.status)(belief, refused).response;
}

export function noticePage(title: string, sentence: Html, status: number): NetworkResponse {
  const links = actions([CONSOLE_PATH, 'Open the console'], [GUIDE_PATH, 'Open the guide']);
  return titledPage(title, html`<p>${sentence}</p>\n${links}`, { status, width: 'narrow' });
}
