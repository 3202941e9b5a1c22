import type { Application } from '../clients.js';
import type { Appearance } from '../network.js';
import type { SandboxPerson } from '../people.js';
import type { NetworkResponse } from '../response.js';
import { GUIDE_PATH, type Html, html, page } from './page.js';
import { personPicture } from './picture.js';

/** What the consent page asks. */
export interface ConsentPrompt {
  readonly application: Application;
  readonly scopes: readonly string[];
  /** Scopes that the user may untick; missing when the network grants all scopes or none. */
  readonly optionalScopes?: readonly string[];
  /** Handle of the user that the application expects. */
  readonly suggestedHandle?: string;
}

/** Asks who logs in and which scopes to grant. The form posts to the URL of the page itself. */
export function consentPage(
  network: string,
  appearance: Appearance,
  prompt: ConsentPrompt,
  people: readonly SandboxPerson[],
): NetworkResponse {
  const { brand } = appearance;
  const title = `${prompt.application.name} asks to log you in`;
  const chosen = people.find((person) => person.handle === prompt.suggestedHandle) ?? people[0];
  const others = people.filter((person) => person !== chosen);
  const field = (person: SandboxPerson): Html => personField(person, person === chosen, appearance);
  return page(
    `${title} with ${brand}`,
    html`<div class="card ${network}">
<p class="row"><span class="mark" aria-hidden="true">${brand.slice(0, 1)}</span><strong>${brand}</strong>
<span class="badge sandbox">sandbox, nobody's real account</span></p>
<h1>${title}</h1>
<form method="post">
<fieldset>
<legend>Who logs in?</legend>
${chosen ? field(chosen) : ''}
${others.length === 0 ? '' : html`<details><summary>Someone else</summary>\n<div class="others">\n${others.map(field)}</div></details>`}
</fieldset>
<fieldset>
<legend>It will get</legend>
${scopeFields(prompt, appearance)}
</fieldset>
<div class="decision">
<button class="button primary" name="decision" value="allow">Allow</button>
<button class="button" name="decision" value="deny">Deny</button>
</div>
</form>
</div>`,
    { width: 'narrow', links: html`<a href="/">Console</a><a href="${GUIDE_PATH}">Guide</a>` },
  );
}

function personField(person: SandboxPerson, chosen: boolean, { state }: Appearance): Html {
  const label = state?.(person);
  return html`<label class="person">
<input type="radio" name="person" value="${person.id}" required${chosen ? html` checked` : ''}>
${personPicture(person)}
<span><bdi>${person.displayName}</bdi>${label === undefined ? '' : html` <span class="badge refused">${label}</span>`}<small>@${person.handle}, ${person.email ?? 'no e-mail address'}</small></span>
</label>
`;
}

/** What the application gets without any scope, then the scopes. */
function scopeFields({ scopes, optionalScopes }: ConsentPrompt, { always, scopes: words }: Appearance): Html {
  const items = scopes.map((scope) => {
    const content = html`<span>${words[scope] ?? 'A permission of the network'} <small><code>${scope}</code>${
      optionalScopes?.includes(scope) === false ? ', cannot be left out' : ''
    }</small></span>`;
    if (!optionalScopes) return html`<li>${content}</li>\n`;
    const disabled = optionalScopes.includes(scope) ? html`` : html` disabled`;
    return html`<li><label><input type="checkbox" name="scope" value="${scope}" checked${disabled}>${content}</label></li>\n`;
  });
  const basics = always.map((text) => html`<li>${text}</li>\n`);
  if (basics.length + items.length === 0) return html`<p>Nothing beyond who you are.</p>`;
  return html`<ul class="scopes" tabindex="0" aria-label="What the application will get">
${basics}${items}</ul>`;
}
