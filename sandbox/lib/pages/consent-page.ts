import type { Application } from '../clients.js';
import type { SandboxPerson } from '../people.js';
import type { NetworkResponse } from '../response.js';
import { type Html, html, page } from './page.js';
import { picturePath } from './picture.js';

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
  prompt: ConsentPrompt,
  people: readonly SandboxPerson[],
): NetworkResponse {
  const title = `${prompt.application.name} asks to log you in`;
  const chosen = people.find((person) => person.handle === prompt.suggestedHandle) ?? people[0];
  return page(
    title,
    html`<h1>${title}</h1>
<p>This is the sandbox, playing <code>${network}</code>. Nobody's real account is involved.</p>
<form method="post">
<fieldset>
<legend>Who logs in?</legend>
${people.map((person) => personField(person, person === chosen))}
</fieldset>
<fieldset>
<legend>It asks for</legend>
${scopeFields(prompt)}
</fieldset>
<div class="decision">
<button name="decision" value="allow">Allow</button>
<button name="decision" value="deny">Deny</button>
</div>
</form>`,
  );
}

function personField(person: SandboxPerson, chosen: boolean): Html {
  return html`<label>
<input type="radio" name="person" value="${person.id}" required${chosen ? html` checked` : ''}>
${picture(person)}
<span><bdi>${person.displayName}</bdi><small>@${person.handle}, ${person.email ?? 'no e-mail address'}${person.deactivated ? `, ${person.deactivated}` : ''}</small></span>
</label>
`;
}

/** The empty `alt` hides the picture from screen readers, because the name is next to it. */
function picture(person: SandboxPerson): Html {
  const path = picturePath(person);
  return path
    ? html`<img class="picture" src="${path}" alt="" width="40" height="40">`
    : html`<span class="picture"></span>`;
}

function scopeFields({ scopes, optionalScopes }: ConsentPrompt): Html {
  if (scopes.length === 0) return html`<p>Nothing beyond who you are.</p>`;
  if (optionalScopes) return html`${scopes.map((scope) => scopeField(scope, optionalScopes))}`;
  return html`<ul>${scopes.map((scope) => html`<li><code>${scope}</code></li>`)}</ul>`;
}

function scopeField(scope: string, optionalScopes: readonly string[]): Html {
  const disabled = optionalScopes.includes(scope) ? html`` : html` disabled`;
  const note = optionalScopes.includes(scope) ? '' : html`<small>cannot be left out</small>`;
  return html`<label><input type="checkbox" name="scope" value="${scope}" checked${disabled}><span><code>${scope}</code>${note}</span></label>
`;
}
