import type { Answer } from '../answer.js';
import * as applications from '../applications.js';
import type { SandboxFaultRule } from '../faults.js';
import type { Endpoint } from '../network.js';
import type { SandboxPerson } from '../people.js';
import type { SandboxRequest } from '../request-log.js';
import { statusText, timeText, verdictText } from '../request-text.js';
import type { ServerParts } from '../server-parts.js';
import type { World } from '../world.js';
import { type Html, html } from './html.js';
import { page } from './page.js';

/** So many requests are shown, the latest first. */
const SHOWN = 25;
const REFRESH_SECONDS = 2;

/**
 * The sandbox's root page: its latest requests, faults, credentials, people and addresses. Its secrets open nothing but
 * itself.
 *
 * @param live - Whether the page loads itself anew every other second.
 */
export function overviewPage({ world, endpoints, faults, log }: ServerParts, live: boolean): Answer {
  const paths = endpoints.map(({ path }) => path);
  const listed = endpoints.filter(({ path }, index) => paths.indexOf(path) === index);
  const content = html`<h1>Sandbox of three networks</h1>
<p>Everything here is invented and open to whoever reaches this address.</p>
<h2>Latest requests</h2>
<p class="actions">${refreshLinks(live)}</p>
${requestList(log.list())}
${faultList(faults.list())}
<h2>Credentials</h2>
<dl>
${credentials('short-video', applications.SHORT_VIDEO)}
${credentials('microblog, OAuth 2.0, confidential client', applications.MICROBLOG_CONFIDENTIAL)}
${credentials('microblog, OAuth 2.0, public client', applications.MICROBLOG_PUBLIC)}
${credentials('microblog, OAuth 1.0a', applications.MICROBLOG_CONSUMER)}
${credentials('social-network, classic', applications.SOCIAL_NETWORK)}
${credentials('social-network, VK ID', applications.VK_ID)}
<dd>service token <code>${applications.VK_ID.serviceToken}</code>, which a confidential app may add</dd>
</dl>
<h2>People</h2>
<dl>
${world.people.map(entry)}
</dl>
<h2>Addresses</h2>
<p>Add <code>auto=allow&amp;person=${world.people[0]?.id ?? ''}</code> or <code>auto=deny</code> to an authorization address to answer without its page.</p>
<dl>
${listed.map((endpoint) => address(world, endpoint))}
</dl>`;
  return page('Sandbox', content, { ...(live && { refresh: REFRESH_SECONDS }) });
}

function refreshLinks(live: boolean): Html {
  if (live) return html`New every ${REFRESH_SECONDS} seconds. <a href="/">Stop</a>`;
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
  const { time, network, endpoint, method } = request;
  const verdict = verdictText(request);
  return html`<li><time datetime="${new Date(time).toISOString()}">${timeText(request)}</time> ${network}, ${endpoint}: <code>${method}</code> ${statusText(request)}${verdict ? html`<strong>${verdict}</strong>` : ''}</li>
`;
}

function faultList(rules: readonly SandboxFaultRule[]): Html {
  if (rules.length === 0) return html``;
  return html`<h2>Faults that strike</h2>
<ul>
${rules.map(faultItem)}
</ul>`;
}

function faultItem({ network, version, endpoint, fault, times }: SandboxFaultRule): Html {
  const where = [network ?? 'every network', version].filter((part) => part !== undefined).join(' ');
  const count = times === undefined ? 'until lifted' : `${times} more`;
  return html`<li>${where}, ${endpoint}: <code>${fault.kind}</code>, ${count}</li>
`;
}

function credentials(title: string, application: applications.Application): Html {
  const secret = application.secret ? html`, secret <code>${application.secret}</code>` : ', no secret';
  return html`<dt>${title}</dt><dd>identifier <code>${application.id}</code>${secret}</dd>`;
}

function entry(person: SandboxPerson): Html {
  return html`<dt><bdi>${person.displayName}</bdi></dt>
<dd>@${person.handle}, <code>${person.id}</code>${person.description ? `: ${person.description}` : ''}</dd>
`;
}

function address(world: World, { network, name, path }: Endpoint): Html {
  return html`<dt>${network}, ${name}</dt>
<dd><code>${world.url}${path}</code></dd>
`;
}
