import { type Answer, type Refusal, redirect } from './answer.js';
import type { Application } from './applications.js';
import type { Call } from './call.js';
import type { Endpoint, SandboxNetwork } from './network.js';
import { consentPage } from './pages/consent-page.js';
import type { Parameters } from './parameters.js';
import type { SandboxPerson } from './people.js';

/** A sound authorization request: whom to ask for what, and where each answer leads. */
export interface ConsentRequest {
  readonly application: Application;
  readonly scopes: readonly string[];
  /** Scopes that the person may untick; absent at networks where consent is for all or nothing. */
  readonly refusable?: readonly string[];
  /** Handle that the application thinks the person has. */
  readonly suggestedHandle?: string;
  /** Records the consent; returns the address to send the browser to. */
  allow(person: SandboxPerson, scopes: readonly string[]): string;
  /** Records the refusal; returns the address to send the browser to. */
  deny(): string;
}

/** How one network treats authorization requests. */
export interface AuthorizationPage {
  readonly network: SandboxNetwork;
  readonly paths: readonly string[];
  readonly people: readonly SandboxPerson[];
  /** Reads the request. @throws Refusal in the network's own words. */
  read(query: Parameters): ConsentRequest;
  /** How the network refuses a request that breaks no rule of its own, such as a parameter given twice. */
  refuse(reason: string): Refusal;
}

/**
 * Endpoints of an authorization page: GET asks, POST takes the answer.
 *
 * Both judge the whole request, so nothing is remembered in between and the page survives a reset. `auto=allow` or
 * `auto=deny` in the query answers at once, for the person named by `person`, or the first one.
 */
export function authorizationEndpoints(consent: AuthorizationPage): Endpoint[] {
  return consent.paths.flatMap((path): Endpoint[] => {
    const endpoint = { network: consent.network, name: 'authorization', path } as const;
    return [
      { ...endpoint, method: 'get', answer: (call) => ask(consent, call) },
      {
        ...endpoint,
        method: 'post',
        answer: (call) => decide(consent, call, call.form.get('decision'), call.form),
      },
    ];
  });
}

function ask(consent: AuthorizationPage, call: Call): Answer {
  if (call.query.has('auto')) return decide(consent, call, call.query.get('auto'), call.query);
  return consentPage(consent.network, readOnce(consent, call.query), consent.people);
}

function decide(
  consent: AuthorizationPage,
  call: Call,
  decision: string | undefined,
  source: Parameters,
): Answer {
  const request = readOnce(consent, call.query);
  if (decision === 'deny') return redirect(request.deny());
  if (decision !== 'allow') throw consent.refuse('the decision is neither "allow" nor "deny"');
  return redirect(request.allow(personOf(consent, source), grantedScopes(request, call)));
}

function readOnce(consent: AuthorizationPage, query: Parameters): ConsentRequest {
  if (query.repeats()) throw consent.refuse('a parameter is given twice');
  return consent.read(query);
}

function personOf(consent: AuthorizationPage, source: Parameters): SandboxPerson {
  const [first] = consent.people;
  const person = source.has('person') ? consent.people.find(({ id }) => id === source.get('person')) : first;
  if (!person) throw consent.refuse('the sandbox knows nobody of that name');
  return person;
}

/** What was ticked, where there was anything to tick; scopes that cannot be refused are granted always. */
function grantedScopes(request: ConsentRequest, call: Call): readonly string[] {
  if (!request.refusable || call.query.has('auto')) return request.scopes;
  const ticked = call.form.all('scope');
  return request.scopes.filter((scope) => ticked.includes(scope) || !request.refusable?.includes(scope));
}
