import type { Answer } from '../answer.js';
import * as applications from '../applications.js';
import type { Endpoint } from '../network.js';
import type { SandboxPerson } from '../people.js';
import type { World } from '../world.js';
import { type Html, html } from './html.js';
import { page } from './page.js';

/** The sandbox's root page: its addresses, credentials and people. Its secrets open nothing but itself. */
export function overviewPage(world: World, endpoints: readonly Endpoint[]): Answer {
  const paths = endpoints.map(({ path }) => path);
  const listed = endpoints.filter(({ path }, index) => paths.indexOf(path) === index);
  return page(
    'Sandbox',
    html`<h1>Sandbox of three networks</h1>
<p>Everything here is invented and open to whoever reaches this address.</p>
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
</dl>`,
  );
}

function credentials(title: string, application: applications.Application): Html {
  const secret = application.secret ? html`, secret <code>${application.secret}</code>` : ', no secret';
  return html`<dt>${title}</dt><dd>identifier <code>${application.id}</code>${secret}</dd>`;
}

function entry(person: SandboxPerson): Html {
  return html`<dt>${person.displayName}</dt>
<dd>@${person.handle}, <code>${person.id}</code>${person.description ? `: ${person.description}` : ''}</dd>
`;
}

function address(world: World, { network, name, path }: Endpoint): Html {
  return html`<dt>${network}, ${name}</dt>
<dd><code>${world.url}${path}</code></dd>
`;
}
