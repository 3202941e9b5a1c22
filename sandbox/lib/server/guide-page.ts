import { type Belief, COMMON_BELIEFS } from '../core/evidence.js';
import type { NetworkResponse } from '../core/http.js';
import { NETWORKS } from '../networks.js';
import { ruleAnchor } from '../pages/error-page.js';
import { CONSOLE_PATH, type Html, html, page } from '../pages/page.js';

export function guidePage(): NetworkResponse {
  return page(
    'Guide to the sandbox',
    html`<h1>Guide</h1>
<p class="lead">What each network expects, and how we know. A rule that is documented or observed is enforced. One that is only supposed is noted, and enforced by a strict sandbox. <code>docs/testing.md</code> in the repository says how to use the sandbox in tests.</p>
${rules('Every network', COMMON_BELIEFS)}
${NETWORKS.map(
  ({ beliefs, unknown, appearance }) => html`${rules(appearance.brand, beliefs)}
<div class="card"><h3>What nobody knows about ${appearance.brand}</h3>
<ul>${unknown.map((fact) => html`<li>${fact}</li>`)}</ul></div>
`,
)}`,
    { links: html`<a href="${CONSOLE_PATH}">Console</a><a href="${CONSOLE_PATH}#faults">Faults</a>` },
  );
}

function rules(title: string, beliefs: Readonly<Record<string, Belief>>): Html {
  const linked = (part: string): Html =>
    part.startsWith('http') ? html`<a href="${part}" rel="noreferrer">${part}</a>` : html`${part}`;
  const listed = [...new Map(Object.values(beliefs).map((belief) => [ruleAnchor(belief), belief]))];
  return html`<section>
<h2>${title}</h2>
${listed.map(
  ([anchor, { says, mark, source }]) => html`<article class="card" id="${anchor}">
<p>${says}</p>
<p><span class="badge ${mark === 'supposed' ? 'noted' : 'good'}">${mark}</span> <small>${source.split(/(https?:\/\/[^\s,;]+)/).map(linked)}</small></p>
</article>
`,
)}
</section>
`;
}
