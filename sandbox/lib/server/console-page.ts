import { addedOptions, type Client } from '../core/clients.js';
import { type NetworkResponse, NOTE_PREFIX } from '../core/http.js';
import type { ServedEndpoint } from '../core/network.js';
import type { SandboxPerson } from '../core/people.js';
import type { World } from '../core/world.js';
import { NETWORKS } from '../networks.js';
import { ruleFacts } from '../pages/error-page.js';
import { GUIDE_PATH, type Html, html, page } from '../pages/page.js';
import { personPicture } from '../pages/picture.js';
import type { SandboxFaultRule } from '../traffic/faults.js';
import { type SandboxRequest, statusText, timeText, verdictText } from '../traffic/request-log.js';

/** Number of requests on the page, of those that are not folded, and of those whose problem is explained. */
const SHOWN = 25;
const UNFOLDED = 8;
const SHOWN_PROBLEMS = 3;
const REFRESH_SECONDS = 2;

export interface Console {
  readonly world: World;
  readonly endpoints: readonly ServedEndpoint[];
  readonly faults: readonly SandboxFaultRule[];
  /** Newest last. */
  readonly requests: readonly SandboxRequest[];
  readonly isStrict: boolean;
}

/** A way to try a login: a client of a network, and where to begin. */
export interface Trial {
  readonly path: string;
  readonly network: string;
  readonly client: Client;
}

export const TRIALS: readonly Trial[] = NETWORKS.flatMap(({ name, clients }) =>
  clients.map((client, index) => ({ path: `/try/${name}/${index + 1}`, network: name, client })),
);

/** The secrets on it work nowhere else. @param live - Whether the page reloads itself without JavaScript. */
export function consolePage(console: Console, live: boolean): NetworkResponse {
  const { world, isStrict } = console;
  const content = html`<h1>Console</h1>
<p class="lead">TikTok, X and VK, played at <code>${world.url}</code>. Everything here is made up. <span class="badge">${isStrict ? 'strict' : 'not strict'}</span></p>
${requestSection(console, live)}
<section id="try" aria-labelledby="try-title">
<h2 id="try-title">Try a login</h2>
<p class="quiet">The sandbox plays the application, too, and shows what it gets. Your own application needs the credentials below.</p>
<ul class="grid">
${NETWORKS.map(({ name }) => trialCard(name))}
</ul>
</section>
<section id="credentials" aria-labelledby="credentials-title">
<h2 id="credentials-title">Credentials</h2>
<ul class="grid">
${NETWORKS.flatMap(({ name, clients }) => clients.map((client) => credentialsCard(name, client, world)))}
</ul>
</section>
<section id="people" aria-labelledby="people-title">
<h2 id="people-title">People</h2>
<p class="quiet">Add <code>auto=allow&amp;person=${world.people[0]?.id ?? ''}</code> or <code>auto=deny</code> to an authorization URL to skip its page.</p>
<ul class="grid">
${world.people.map(personCard)}
</ul>
</section>
${addressSection(console)}`;
  const links = html`<a href="#requests">Requests</a><a href="#try">Try</a><a href="#credentials">Credentials</a><a href="#people">People</a><a href="${GUIDE_PATH}">Guide</a>`;
  return page('Sandbox console', content, { links, script: true, ...(live && { refresh: REFRESH_SECONDS }) });
}

/** Replaced by the script while the page is open. */
function requestSection({ requests, faults }: Console, live: boolean): Html {
  const latest = requests.slice(-SHOWN).reverse();
  const problems = requests.filter(({ refused, noted }) => refused !== undefined || noted !== undefined);
  const more = requests.length - latest.length;
  return html`<section id="requests" aria-labelledby="requests-title">
<div class="row spread"><h2 id="requests-title">Requests</h2> <span>${liveness(live)}</span></div>
${faultList(faults)}
${problems.slice(-SHOWN_PROBLEMS).reverse().flatMap(problemCards)}
${
  latest.length === 0
    ? html`<p class="card quiet">No request yet. Try a login below, or point your application at the URLs.</p>`
    : html`<div class="card">
<h3>${problems.length === 0 ? 'All answered as asked' : 'Latest, newest first'}</h3>
<ol class="log">
${latest.slice(0, UNFOLDED).map(requestItem)}
</ol>
${latest.length > UNFOLDED ? html`<details><summary>Earlier requests</summary>\n<ol class="log">\n${latest.slice(UNFOLDED).map(requestItem)}</ol></details>` : ''}${more > 0 ? html`<p class="quiet">And ${more} more.</p>` : ''}
</div>`
}
</section>`;
}

function liveness(live: boolean): Html {
  const fallback = live
    ? html`Reloads every ${REFRESH_SECONDS} seconds. <a href="/">Stop</a>`
    : html`<a href="/">Reload</a> or <a href="/?live=1">reload every ${REFRESH_SECONDS} seconds</a>`;
  return html`<span class="badge good" data-live hidden>live</span><noscript>${fallback}</noscript>`;
}

function problemCards(request: SandboxRequest): readonly Html[] {
  const { refused, belief, noted = [], notedBeliefs = [] } = request;
  const card = (
    kind: 'refused' | 'noted',
    facts: Html,
  ): Html => html`<article class="card ${kind === 'refused' ? 'problem' : 'doubt'}">
<div class="row"><span class="badge ${kind}">${kind}</span> <h3 class="grow">${brandOf(request.network)}, ${request.endpoint}</h3> ${timeElement(request)}</div>
<p class="quiet"><code>${request.method} ${request.path}</code>, ${statusText(request)}${request.fault ? `, fault: ${request.fault}` : ''}</p>
${facts}
</article>
`;
  const notes = noted.flatMap((note, index) => {
    const broken = notedBeliefs[index];
    return broken ? [card('noted', ruleFacts(note.slice(NOTE_PREFIX.length), broken))] : [];
  });
  if (refused === undefined) return notes;
  const facts = belief
    ? ruleFacts(refused, belief)
    : html`<dl class="facts"><div><dt>Received</dt><dd>${refused}</dd></div></dl>`;
  return [card('refused', facts), ...notes];
}

const timeElement = (request: SandboxRequest): Html =>
  html`<time datetime="${new Date(request.time).toISOString()}">${timeText(request)}</time>`;

function requestItem(request: SandboxRequest): Html {
  const { network, endpoint, method, refused, noted = [], fault } = request;
  const verdict = [verdictText(request), ...noted].filter(Boolean).join('; ');
  const kind = refused !== undefined || fault !== undefined ? 'refused' : noted.length > 0 ? 'noted' : 'good';
  return html`<li>${timeElement(request)}<span>${brandOf(network)}, ${endpoint} <code>${method}</code>${verdict ? html`<small>${verdict}</small>` : ''}</span><span class="badge ${kind}">${statusText(request)}</span></li>
`;
}

function faultList(rules: readonly SandboxFaultRule[]): Html {
  if (rules.length === 0) return html``;
  return html`<div class="card doubt">
<h3>Active faults</h3>
<ul>
${rules.map(faultItem)}
</ul>
</div>`;
}

function faultItem({ network, version, endpoint, fault, times }: SandboxFaultRule): Html {
  const place = [network === undefined ? 'every network' : brandOf(network), version].filter(
    (part) => part !== undefined,
  );
  const count = times === undefined ? 'until removed' : `${times} more`;
  return html`<li>${place.join(' ')}, ${endpoint}: <code>${fault.kind}</code>, ${count}</li>
`;
}

function trialCard(network: string): Html {
  const brand = brandOf(network);
  return html`<li class="card ${network}">
<p class="row"><span class="mark" aria-hidden="true">${brand.slice(0, 1)}</span><strong>${brand}</strong></p>
<div class="actions column">
${TRIALS.filter((trial) => trial.network === network).map(
  ({ path, client }) =>
    html`<a class="button" href="${path}">Try ${protocolOf(network, client)}<span class="away"> with ${brand}</span></a>\n`,
)}</div>
</li>
`;
}

/** Title of a client without the name of its network, and without an explanation after a colon. */
function protocolOf(network: string, { title }: Client): string {
  const [protocol = ''] = title.replace(network, '').replace(/^\W+/, '').split(':');
  return protocol || 'a login';
}

function credentialsCard(network: string, client: Client, world: World): Html {
  const { title, version } = client;
  const all: Record<string, unknown> = {
    ...world.options(client),
    ...(version !== undefined && { version }),
  };
  const shown = ['clientID', 'clientSecret', 'serviceToken'].flatMap((name) =>
    typeof all[name] === 'string' ? [[name, all[name]] as const] : [],
  );
  const quoted = Object.entries(all).map(([name, value]) => [name, JSON.stringify(value)] as const);
  const added = addedOptions(all);
  const copied = [...quoted, ...added].map(([name, code]) => `  ${name}: ${code},\n`).join('');
  return html`<li class="card ${network}">
<h3>${brandOf(network)}</h3>
<p class="quiet">${title}</p>
<dl class="facts stacked">
${shown.map(([name, value]) => html`<div><dt>${name}</dt><dd class="row"><code>${value}</code>${copyButton(value, 'Copy', `${name} of ${title}`)}</dd></div>\n`)}${added.map(([name, code]) => html`<div><dt>secret</dt><dd class="quiet">none</dd></div>\n<div><dt>to add</dt><dd><code>${name}: ${code}</code></dd></div>\n`)}
</dl>
<div class="actions">${copyButton(`{\n${copied}}`, 'Copy all options', `of ${title}`)}</div>
</li>
`;
}

/** Hidden where the script does not run. @param subject - What is copied, for screen readers. */
const copyButton = (value: string, label: string, subject: string): Html =>
  html`<button type="button" class="button small" data-copy="${value}" hidden><span>${label}</span><span class="away"> ${subject}</span></button>`;

function personCard(person: SandboxPerson): Html {
  const states = NETWORKS.flatMap(({ appearance }) => appearance.state?.(person) ?? []);
  return html`<li class="card">
<div class="person">${personPicture(person)}<div><bdi>${person.displayName}</bdi><small>@${person.handle}, <code>${person.id}</code></small></div></div>
${states.map((state) => html`<p><span class="badge refused">${state}</span></p>`)}
${person.description ? html`<p class="quiet"><bdi>${person.description}</bdi></p>` : ''}
</li>
`;
}

function addressSection({ world, endpoints }: Console): Html {
  const paths = endpoints.map(({ path }) => path);
  const listed = endpoints.filter(({ path }, index) => paths.indexOf(path) === index);
  return html`<section aria-label="Addresses">
<details>
<summary>Addresses</summary>
<dl class="facts">
${listed.map(({ network, name, path }) => html`<div><dt>${brandOf(network)}, ${name}</dt><dd><code>${world.url}${path}</code></dd></div>\n`)}
</dl>
</details>
</section>`;
}

export const brandOf = (network: string): string =>
  NETWORKS.find(({ name }) => name === network)?.appearance.brand ?? network;
