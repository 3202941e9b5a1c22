import { COMMON_BELIEFS } from '../core/evidence.js';
import type { Hold, NetworkRequest, NetworkResponse, Refusal } from '../core/http.js';
import { type Appearance, type Endpoint, get, post } from '../core/network.js';
import type { SandboxPerson } from '../core/people.js';
import { registrationProblem } from '../core/redirect-uri.js';
import type { Application, Grant, Login, World } from '../core/world.js';
import { GUIDE_PATH, type Html, html, page } from './page.js';
import { personPicture } from './picture.js';

/** A valid authorization request: what to ask the user, and what follows from the decision. */
export interface ConsentRequest {
  readonly application: Application;
  readonly scopes: readonly string[];
  /** Scopes that the user may untick; missing when the network grants all scopes or none. */
  readonly optionalScopes?: readonly string[];
  readonly suggestedHandle?: string | undefined;
  /** Missing if it begins with this request. */
  readonly login?: Login;
  /** Records the consent. @returns A redirect to the application, or a page if the login has nowhere to redirect to. */
  allow(grant: Grant): NetworkResponse;
  deny(): NetworkResponse;
}

interface Authorization {
  readonly paths: readonly string[];
  /** Validates the request, whose query repeats no parameter. @throws ErrorResponse as the network sends it. */
  readonly read: (request: NetworkRequest, hold: Hold) => ConsentRequest;
  readonly reject: Refusal;
}

/**
 * Serves an authorization endpoint: GET shows the consent page, POST takes the decision.
 *
 * Both validate the whole request, so nothing is stored in between and an open page survives a reset. With `auto=allow` or
 * `auto=deny` in the query there is no page: the decision is made for the person named by `person`, by default the first one.
 */
export function authorizationEndpoints(
  { people }: World,
  network: string,
  appearance: Appearance,
  { paths, read, reject }: Authorization,
): Endpoint[] {
  /** Logins that have begun, by query: the page and its decision have the same one. */
  const begun = new Map<string, Login>();

  function readOnce(request: NetworkRequest) {
    const { query, notes, url } = request;
    const hold = notes.holdTo(reject);
    if (query.repeats()) hold(COMMON_BELIEFS.repeats, 'a parameter is given twice');
    const consent = read({ ...request, query: query.first() }, hold);
    const { name, redirectAddresses } = consent.application;
    const login = consent.login ?? loginAt(query.toString(), name);
    notes.login = login;
    const redirectUri = query.first().one('redirect_uri');
    const problem = redirectUri && registrationProblem('redirect_uri', redirectUri, redirectAddresses, url);
    hold(COMMON_BELIEFS.redirectAddress, problem);
    return { ...consent, login };
  }

  function loginAt(query: string, application: string): Login {
    const known = begun.get(query);
    if (known && known.person === undefined) return known;
    const login: Login = { application };
    if (begun.size >= 1_000) begun.clear();
    begun.set(query, login);
    return login;
  }

  function decide(request: NetworkRequest): NetworkResponse {
    const { query, form } = request;
    const isPost = request.method === 'POST';
    const [source, decision] = isPost ? [form, form.one('decision')] : [query, query.one('auto')];
    const { login, ...consent } = readOnce(request);
    if (decision === 'deny') {
      login.person = 'declined';
      return consent.deny();
    }
    if (decision !== 'allow')
      throw reject(COMMON_BELIEFS.decision, 'the decision is neither "allow" nor "deny"');
    const person = source.has('person') ? people.find(({ id }) => id === source.get('person')) : people[0];
    if (!person) {
      // The reason is sent as a header, too.
      const known = people.slice(0, 20).map(({ id }) => id);
      const reason = `the sandbox knows nobody of that name: it has ${known.join(', ')}`;
      throw reject(COMMON_BELIEFS.decision, reason);
    }
    login.person = person.displayName;
    const { application, scopes, optionalScopes } = consent;
    const isAsked = optionalScopes !== undefined && !query.has('auto');
    // Scopes without a checkbox are always granted.
    const isGranted = (scope: string) =>
      !isAsked || form.getAll('scope').includes(scope) || !optionalScopes.includes(scope);
    return consent.allow({ application, person, scopes: scopes.filter(isGranted), login, ended: false });
  }

  function consentPage(prompt: ConsentRequest): NetworkResponse {
    const { brand } = appearance;
    const title = `${prompt.application.name} asks to log you in`;
    const chosen = people.find((person) => person.handle === prompt.suggestedHandle) ?? people[0];
    const others = people.filter((person) => person !== chosen);
    const field = (person: SandboxPerson): Html => personField(person, person === chosen, appearance);
    const content = html`<div class="card ${network}">
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
${scopeList(prompt, appearance)}
</fieldset>
<div class="decision">
<button class="button primary" name="decision" value="allow">Allow</button>
<button class="button" name="decision" value="deny">Deny</button>
</div>
</form>
</div>`;
    const links = html`<a href="/">Console</a><a href="${GUIDE_PATH}">Guide</a>`;
    return page(`${title} with ${brand}`, content, { width: 'narrow', links });
  }

  const show = (request: NetworkRequest): NetworkResponse =>
    request.query.has('auto') ? decide(request) : consentPage(readOnce(request));
  return paths.flatMap((path) => [get('authorization', path, show), post('authorization', path, decide)]);
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

function scopeList({ scopes, optionalScopes }: ConsentRequest, { always = [] }: Appearance): Html {
  const items = scopes.map((scope) => {
    const isFixed = optionalScopes?.includes(scope) === false;
    const content = html`<span><code>${scope}</code>${isFixed ? html` <small>cannot be left out</small>` : ''}</span>`;
    if (!optionalScopes) return html`<li>${content}</li>\n`;
    return html`<li><label><input type="checkbox" name="scope" value="${scope}" checked${isFixed ? html` disabled` : ''}>${content}</label></li>\n`;
  });
  const basics = always.map((text) => html`<li>${text}</li>\n`);
  if (basics.length + items.length === 0) return html`<p>Nothing beyond who you are.</p>`;
  return html`<ul class="scopes" tabindex="0" aria-label="What the application will get">
${basics}${items}</ul>`;
}
