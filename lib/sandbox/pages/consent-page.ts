import type { Answer } from '../answer.js';
import type { ConsentRequest } from '../authorization.js';
import type { SandboxNetwork } from '../network.js';
import type { SandboxPerson } from '../people.js';
import { type Html, html } from './html.js';
import { page } from './page.js';
import { picturePath } from './picture.js';

/** Asks who logs in and what the application may see. The form comes back to the address it was shown at. */
export function consentPage(
  network: SandboxNetwork,
  request: ConsentRequest,
  people: readonly SandboxPerson[],
): Answer {
  const title = `${request.application.name} asks to log you in`;
  const chosen = people.find((person) => person.handle === request.suggestedHandle) ?? people[0];
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
${scopeFields(request)}
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

/** The name stands beside the picture, so the picture itself says nothing to a screen reader. */
function picture(person: SandboxPerson): Html {
  const path = picturePath(person);
  return path
    ? html`<img class="picture" src="${path}" alt="" width="40" height="40">`
    : html`<span class="picture"></span>`;
}

function scopeFields(request: ConsentRequest): Html {
  if (request.scopes.length === 0) return html`<p>Nothing beyond who you are.</p>`;
  if (request.refusable) {
    return html`${request.scopes.map((scope) => scopeField(scope, request.refusable ?? []))}`;
  }
  return html`<ul>${request.scopes.map((scope) => html`<li><code>${scope}</code></li>`)}</ul>`;
}

function scopeField(scope: string, refusable: readonly string[]): Html {
  const fixed = refusable.includes(scope) ? html`` : html` disabled`;
  const note = refusable.includes(scope) ? '' : html`<small>cannot be left out</small>`;
  return html`<label><input type="checkbox" name="scope" value="${scope}" checked${fixed}><span><code>${scope}</code>${note}</span></label>
`;
}
