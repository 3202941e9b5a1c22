import { createHash } from 'node:crypto';
import type { Belief } from '../evidence.js';
import { GUIDE_PATH, type Html, html } from './page.js';

/** ID of a rule's entry in the guide. */
export function ruleAnchor({ says, source }: Belief): string {
  return `rule-${createHash('sha256').update(`${says}\n${source}`).digest('hex').slice(0, 12)}`;
}

/** What was received, what the network expects, and where the guide says how that is known. */
export function ruleFacts(received: string, belief: Belief): Html {
  return html`<dl class="facts">
<div><dt>Received</dt><dd>${received}</dd></div>
<div><dt>Expected</dt><dd>${belief.says}</dd></div>
<div><dt>How we know</dt><dd>${belief.mark}: <a href="${GUIDE_PATH}#${ruleAnchor(belief)}">the rule in the guide</a></dd></div>
</dl>`;
}
