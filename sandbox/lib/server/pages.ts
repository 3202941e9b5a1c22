import { type Belief, COMMON_BELIEFS } from '../core/evidence.js';
import type { NetworkResponse } from '../core/http.js';
import type { Client, NetworkDefinition, TrialRequests } from '../core/network.js';
import { addedOptions, optionsCode } from '../core/network.js';
import type { SandboxPerson } from '../core/people.js';
import type { World } from '../core/world.js';
import { NETWORKS } from '../networks.js';
import { CONSOLE_SCRIPT_PATH } from '../pages/assets.js';
import { ruleAnchor } from '../pages/error-page.js';
import { CONSOLE_PATH, FAULTS_PATH, facts, GUIDE_PATH, type Html, html, page } from '../pages/page.js';
import { personPicture } from '../pages/picture.js';
import { KINDS } from '../traffic/fault-kinds.js';
import { type LoggedRequest, shownTexts, statusText, timeText, verdictText } from '../traffic/request-log.js';
import type { Console } from './control.js';

/** Number of requests on the page, and of logins and other requests that are not folded. */
const SHOWN = 25;
const UNFOLDED = 8;

/** A way to try a login: a client of a network, where to begin, and whether the network's own button begins it. */
export interface Trial {
  readonly path: string;
  readonly network: string;
  readonly client: Client;
  readonly requests: TrialRequests;
  readonly isOneTap?: boolean;
}

export const TRIALS: readonly Trial[] = NETWORKS.flatMap(({ name: network, clients }) =>
  clients.flatMap((client: Client, index): Trial[] => {
    const { trial: requests } = client;
    if (!requests) return [];
    const trial = { path: `/try/${network}/${index + 1}`, network, client, requests };
    return requests.oneTap ? [trial, { ...trial, path: `/try/${network}/one-tap`, isOneTap: true }] : [trial];
  }),
);

/** The secrets on it work nowhere else. */
export function consolePage(console: Console): NetworkResponse {
  const { world, isStrict, endpoints } = console;
  const paths = new Map(endpoints.map(({ network, name, path }) => [path, `${brandOf(network)}, ${name}`]));
  const addresses = [...paths].map(([path, name]) => [name, html`<code>${world.url}${path}</code>`] as const);
  const trials = html`<p class="quiet">The sandbox plays the application, too, and shows what it gets. Your own application needs the credentials below.
For a login that comes back in another browser, as it does inside of apps, open the address of its consent page in a private window, and allow there.</p>`;
  const clients = NETWORKS.flatMap(({ name, clients: known }) =>
    known.map((client) => credentialsCard(name, client, world)),
  );
  const people = html`<p class="quiet">Add <code>auto=allow&amp;person=${world.people[0]?.id ?? ''}</code> or <code>auto=deny</code> to an authorization URL to skip its page.</p>`;
  const content = html`<h1>Console</h1>
<p class="lead">TikTok, X and VK, played at <code>${world.url}</code>. Everything here is made up. <span class="badge">${isStrict ? 'strict' : 'not strict'}</span></p>
${requestSection(console)}
${section('try', 'Try a login', trials, NETWORKS.map(trialCard))}
${faultSection(console)}
${section('credentials', 'Credentials', html``, clients)}
${section('people', 'People', people, world.people.map(personCard))}
<section aria-label="Addresses">
<details>
<summary>Addresses</summary>
${facts(addresses)}
</details>
</section>`;
  const links = html`<a href="#requests">Requests</a><a href="#try">Try</a><a href="#faults">Faults</a><a href="#credentials">Credentials</a><a href="#people">People</a><a href="${GUIDE_PATH}">Guide</a>`;
  return page('Sandbox console', content, { links, script: CONSOLE_SCRIPT_PATH });
}

const section = (id: string, title: string, content: Html, cards: readonly Html[] = []): Html =>
  html`<section id="${id}" aria-labelledby="${id}-title">
<h2 id="${id}-title">${title}</h2>
${content}
${cards.length === 0 ? '' : html`<ul class="grid">\n${cards}</ul>`}
</section>`;

/** Replaced by the script while the page is open. */
function requestSection({ world, log, faults }: Console): Html {
  const latest = log.latest(SHOWN);
  // The requests of each login together, in the order in which they came; a request without a login alone.
  const groups = new Map<object, readonly LoggedRequest[]>();
  for (const logged of latest) {
    const key = logged.login ?? logged;
    groups.set(key, [logged, ...(groups.get(key) ?? [])]);
  }
  const items = [...groups.values()].map((group) => groupItem(group, world));
  const more = log.list().length - latest.length;
  const active = faults.active().map(([id, { network, version, endpoint, fault, times }]) => {
    const place = `${network === undefined ? 'every network' : brandOf(network)} ${version ?? ''}`.trim();
    const count = Number.isFinite(times) ? `${times} more` : 'until removed';
    const what = html`${place}, ${endpoint}: <code>${fault.kind}</code>, ${count}`;
    return html`<li><form method="post" action="${FAULTS_PATH}" class="row spread"><span>${what}</span><button class="button small" name="remove" value="${id}">Remove<span class="away"> the fault ${id}</span></button></form></li>\n`;
  });
  return html`<section id="requests" aria-labelledby="requests-title">
<div class="row spread"><h2 id="requests-title">Requests</h2> <span class="badge good" data-live hidden>live</span></div>
${active.length === 0 ? '' : html`<div class="card doubt">\n<h3>Active faults</h3>\n<ul class="plain">\n${active}\n</ul>\n</div>`}
${
  latest.length === 0
    ? html`<p class="card quiet">No request yet. Try a login below, or point your application at the URLs.</p>`
    : html`<div class="card">
<h3>Latest, newest first</h3>
<ol class="log">
${items.slice(0, UNFOLDED)}
</ol>
${items.length > UNFOLDED ? html`<details id="earlier"><summary>Earlier requests</summary>\n<ol class="log">\n${items.slice(UNFOLDED)}</ol></details>` : ''}${more > 0 ? html`<p class="quiet">And ${more} more.</p>` : ''}
</div>`
}
</section>`;
}

function groupItem(group: readonly LoggedRequest[], world: World): Html {
  const items = group.map((logged) => requestItem(logged, world));
  const login = group[0]?.login;
  if (!login) return html`${items}`;
  const { application, person = 'nobody yet' } = login;
  return html`<li class="login"><p><strong>${application}</strong>, <bdi>${person}</bdi></p>
<ol class="log">
${items}</ol></li>
`;
}

function requestItem(logged: LoggedRequest, world: World): Html {
  const { number, request, received } = logged;
  const { network, endpoint, method, refused, belief, noted = [], notedBeliefs = [], fault } = request;
  const verdict = verdictText(request);
  const kind = refused !== undefined || fault !== undefined ? 'refused' : noted.length > 0 ? 'noted' : 'good';
  const { sent, answered, curl } = shownTexts(logged, world);
  const rule = (label: string, badge: string, checked: Belief): Html =>
    html`<li><span class="badge ${badge}">${label}</span> <a href="${GUIDE_PATH}#${ruleAnchor(checked)}">${checked.says}</a></li>\n`;
  const rules = [
    ...received.notes.kept(belief).map((kept) => rule('kept', 'good', kept)),
    ...notedBeliefs.map((supposed) => rule('noted', 'noted', supposed)),
    ...(belief ? [rule('refused', 'refused', belief)] : []),
  ];
  const text = (name: string, content: string): Html =>
    html`<h4>${name}</h4>\n<pre tabindex="0" aria-label="${name}">${content}</pre>\n`;
  return html`<li><details id="request-${number}"><summary><time datetime="${new Date(request.time).toISOString()}">${timeText(request)}</time><span>${brandOf(network)}, ${endpoint} <code>${method}</code>${verdict ? html`<small>${verdict}</small>` : ''}</span><span class="badge ${kind}">${statusText(request)}</span></summary>
${text('Sent', sent || 'nothing')}<h4>Checked</h4>
${rules.length === 0 ? html`<p class="quiet">Nothing</p>` : html`<ul class="rules">${rules}</ul>`}
${text('Answered', answered ?? 'nothing')}${text('As a curl line', curl)}</details></li>
`;
}

/** Adds a fault. It is outside the part of the page that the script replaces, so that a form half filled in stays. */
function faultSection({ endpoints }: Console): Html {
  const option = (value: string, label = value): Html => html`<option value="${value}">${label}</option>\n`;
  const places = endpoints
    .filter(({ path }) => !path.includes(':'))
    .map(({ network, version, name }): [string, string] => {
      const at = version === undefined ? '' : `@${version}`;
      return [`${network}${at}/${name}`, `${brandOf(network)}${at.replace('@', ' ')}, ${name}`];
    });
  const form = html`<form method="post" action="${FAULTS_PATH}" class="card fields">
<label>Endpoint <select name="endpoint">${[...new Map(places)].map((place) => option(...place))}</select></label>
<label>Fault <select name="kind">${Object.keys(KINDS).map((kind) => option(kind))}</select></label>
<label>Value <input name="value" value="503" aria-describedby="value-help"></label>
<label>Requests <input name="times" type="number" min="1" placeholder="all, until removed"></label>
<p class="quiet" id="value-help">The value is the status of <code>answer</code>, the milliseconds of <code>delay</code> and <code>drip</code>, the number of requests of <code>gather</code>, the bytes of <code>cut</code> and <code>huge</code>, the seconds of <code>rate-limit</code>, the URL of <code>redirect</code>, or the name of <code>case</code>. Other faults have none.</p>
<button class="button primary">Add the fault</button>
</form>`;
  return section('faults', 'Make something fail', form);
}

function trialCard({ name: network, appearance: { brand } }: NetworkDefinition): Html {
  return html`<li class="card ${network}">
<p class="row"><span class="mark" aria-hidden="true">${brand.slice(0, 1)}</span><strong>${brand}</strong></p>
<div class="actions column">
${TRIALS.filter((trial) => trial.network === network).map(({ path, client, isOneTap }) => {
  // Without the name of the network, and without an explanation after a colon.
  const [protocol] = client.title.replace(network, '').replace(/^\W+/, '').split(':');
  return html`<a class="button" href="${path}">Try ${protocol || 'a login'}${isOneTap ? ' by One Tap' : ''}<span class="away"> with ${brand}</span></a>\n`;
})}</div>
</li>
`;
}

function credentialsCard(network: string, client: Client, world: World): Html {
  const { title, version } = client;
  const all: Record<string, unknown> = {
    ...world.withCredentials(client.options(world.url)),
    ...(version !== undefined && { version }),
  };
  const shown = ['clientID', 'clientSecret', 'serviceToken'].flatMap((name) =>
    typeof all[name] === 'string' ? [[name, all[name]] as const] : [],
  );
  const added = addedOptions(all);
  return html`<li class="card ${network}">
<h3>${brandOf(network)}</h3>
<p class="quiet">${title}</p>
<dl class="facts stacked">
${shown.map(([name, value]) => html`<div><dt>${name}</dt><dd class="row"><code>${value}</code>${copyButton(value, 'Copy', `${name} of ${title}`)}</dd></div>\n`)}${added.map(([name, code]) => html`<div><dt>secret</dt><dd class="quiet">none</dd></div>\n<div><dt>to add</dt><dd><code>${name}: ${code}</code></dd></div>\n`)}
</dl>
<div class="actions">${copyButton(`{\n${optionsCode(all, '  ')}}`, 'Copy all options', `of ${title}`)}</div>
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

export const brandOf = (network: string): string =>
  NETWORKS.find(({ name }) => name === network)?.appearance.brand ?? network;

export function guidePage(): NetworkResponse {
  const content = html`<h1>Guide</h1>
<p class="lead">What each network expects, and how we know. A rule that is documented or observed is enforced. One that is only supposed is noted, and enforced by a strict sandbox. <code>docs/testing.md</code> in the repository says how to use the sandbox in tests.</p>
${rules('Every network', COMMON_BELIEFS)}
${NETWORKS.map(
  ({ beliefs, unknown, appearance }) => html`${rules(appearance.brand, beliefs)}
<div class="card"><h3>What nobody knows about ${appearance.brand}</h3>
<ul>${unknown.map((fact) => html`<li>${fact}</li>`)}</ul></div>
`,
)}`;
  const links = html`<a href="${CONSOLE_PATH}">Console</a><a href="${CONSOLE_PATH}#faults">Faults</a>`;
  return page('Guide to the sandbox', content, { links });
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
