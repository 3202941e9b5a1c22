import type { Client } from '../clients.js';
import type { SandboxFaultRule } from '../faults.js';
import type { Endpoint } from '../network.js';
import { NETWORKS } from '../networks.js';
import type { SandboxPerson } from '../people.js';
import { type SandboxRequest, statusText, timeText, verdictText } from '../request-log.js';
import type { NetworkResponse } from '../response.js';
import type { World } from '../world.js';
import { type Html, html, page } from './page.js';

/** Number of requests on the page. */
const SHOWN = 25;
const REFRESH_SECONDS = 2;

/** What the overview page shows. */
export interface Overview {
  readonly world: World;
  readonly endpoints: readonly Endpoint[];
  readonly faults: readonly SandboxFaultRule[];
  /** Newest last. */
  readonly requests: readonly SandboxRequest[];
}

/**
 * The sandbox's root page: latest requests, faults, credentials, people and URLs. The secrets on it work nowhere else.
 *
 * @param live - Whether the page refreshes itself.
 */
export function overviewPage(
  { world, endpoints, faults, requests }: Overview,
  live: boolean,
): NetworkResponse {
  const paths = endpoints.map(({ path }) => path);
  const listed = endpoints.filter(({ path }, index) => paths.indexOf(path) === index);
  const content = html`<h1>Sandbox of three networks</h1>
<p>Everything here is made up, and open to anyone who can reach this URL.</p>
<h2>Latest requests</h2>
<p class="actions">${refreshLinks(live)}</p>
${requestList(requests)}
${faultList(faults)}
<h2>Credentials</h2>
<dl>
${NETWORKS.flatMap(({ clients }) => clients.map((client) => credentials(client, world.url)))}
</dl>
<h2>People</h2>
<dl>
${world.people.map(personEntry)}
</dl>
<h2>URLs</h2>
<p>Add <code>auto=allow&amp;person=${world.people[0]?.id ?? ''}</code> or <code>auto=deny</code> to an authorization URL to skip its page.</p>
<dl>
${listed.map((endpoint) => endpointEntry(world, endpoint))}
</dl>`;
  return page('Sandbox', content, { ...(live && { refresh: REFRESH_SECONDS }) });
}

function refreshLinks(live: boolean): Html {
  if (live) return html`Refreshes every ${REFRESH_SECONDS} seconds. <a href="/">Stop</a>`;
  return html`<a href="/">Refresh</a> <a href="/?live=1">Refresh every ${REFRESH_SECONDS} seconds</a>`;
}

function requestList(requests: readonly SandboxRequest[]): Html {
  if (requests.length === 0) return html`<p>None yet.</p>`;
  const latest = requests.slice(-SHOWN).reverse();
  const more = requests.length - latest.length;
  return html`<ol class="requests">
${latest.map(requestItem)}
</ol>${more > 0 ? html`<p>And ${more} earlier.</p>` : ''}`;
}

function requestItem(request: SandboxRequest): Html {
  const { time, network, endpoint, method, noted = [] } = request;
  const verdict = verdictText(request);
  return html`<li><time datetime="${new Date(time).toISOString()}">${timeText(request)}</time> ${network}, ${endpoint}: <code>${method}</code> ${statusText(request)}${verdict ? html`<strong>${verdict}</strong>` : ''}${noted.map((note) => html`<small>${note}</small>`)}</li>
`;
}

function faultList(rules: readonly SandboxFaultRule[]): Html {
  if (rules.length === 0) return html``;
  return html`<h2>Active faults</h2>
<ul>
${rules.map(faultItem)}
</ul>`;
}

function faultItem({ network, version, endpoint, fault, times }: SandboxFaultRule): Html {
  const place = [network ?? 'every network', version].filter((part) => part !== undefined).join(' ');
  const count = times === undefined ? 'until removed' : `${times} more`;
  return html`<li>${place}, ${endpoint}: <code>${fault.kind}</code>, ${count}</li>
`;
}

function credentials({ title, options }: Client, url: string): Html {
  const {
    clientID,
    clientSecret,
    serviceToken,
  }: { clientID: string; clientSecret?: string; serviceToken?: string } = options(url);
  const secret = clientSecret ? html`, secret <code>${clientSecret}</code>` : ', no secret';
  const token = serviceToken ? html`, service token <code>${serviceToken}</code>` : '';
  return html`<dt>${title}</dt><dd>identifier <code>${clientID}</code>${secret}${token}</dd>
`;
}

function personEntry(person: SandboxPerson): Html {
  return html`<dt><bdi>${person.displayName}</bdi></dt>
<dd>@${person.handle}, <code>${person.id}</code>${person.description ? `: ${person.description}` : ''}</dd>
`;
}

function endpointEntry(world: World, { network, name, path }: Endpoint): Html {
  return html`<dt>${network}, ${name}</dt>
<dd><code>${world.url}${path}</code></dd>
`;
}
