import { type Belief, COMMON_BELIEFS } from './evidence.js';
import type { Appearance, Endpoint } from './network.js';
import { type ConsentPrompt, consentPage } from './pages/consent-page.js';
import type { SandboxPerson } from './people.js';
import type { NetworkRequest, Parameters } from './request.js';
import type { ErrorResponse, NetworkResponse } from './response.js';

/** A valid authorization request: what to ask the user, and what follows from the decision. */
export interface ConsentRequest extends ConsentPrompt {
  /** Records the consent. @returns A redirect to the application, or a page if the login has nowhere to redirect to. */
  allow(person: SandboxPerson, scopes: readonly string[]): NetworkResponse;
  /** Records that the user declined. @returns As `allow`. */
  deny(): NetworkResponse;
}

/** The authorization endpoint of one network. */
export interface AuthorizationEndpoint {
  readonly network: string;
  readonly appearance: Appearance;
  readonly paths: readonly string[];
  readonly people: readonly SandboxPerson[];
  /** Validates the request, whose query repeats no parameter. @throws ErrorResponse as the network sends it. */
  read(request: NetworkRequest): ConsentRequest;
  /** The network's error response for anything that `read` does not check, such as a repeated parameter. */
  reject(belief: Belief, reason: string): ErrorResponse;
}

/**
 * Serves an authorization endpoint: GET shows the consent page, POST takes the decision.
 *
 * Both validate the whole request, so nothing is stored in between and an open page survives a reset. With `auto=allow` or
 * `auto=deny` in the query there is no page: the decision is made for the person named by `person`, by default the first one.
 */
export function authorizationEndpoints(authorization: AuthorizationEndpoint): Endpoint[] {
  return authorization.paths.flatMap((path): Endpoint[] => {
    const endpoint = { network: authorization.network, name: 'authorization', path } as const;
    return [
      { ...endpoint, method: 'get', handle: (request) => ask(authorization, request) },
      {
        ...endpoint,
        method: 'post',
        handle: (request) => decide(authorization, request, request.form.get('decision'), request.form),
      },
    ];
  });
}

function ask(authorization: AuthorizationEndpoint, request: NetworkRequest): NetworkResponse {
  const { query } = request;
  if (query.has('auto')) return decide(authorization, request, query.get('auto'), query);
  const { network, appearance, people } = authorization;
  return consentPage(network, appearance, readOnce(authorization, request), people);
}

function decide(
  authorization: AuthorizationEndpoint,
  request: NetworkRequest,
  decision: string | undefined,
  source: Parameters,
): NetworkResponse {
  const consent = readOnce(authorization, request);
  if (decision === 'deny') return consent.deny();
  if (decision !== 'allow') {
    throw authorization.reject(COMMON_BELIEFS.decision, 'the decision is neither "allow" nor "deny"');
  }
  return consent.allow(personOf(authorization, source), grantedScopes(consent, request));
}

function readOnce(authorization: AuthorizationEndpoint, request: NetworkRequest): ConsentRequest {
  const { query, notes } = request;
  if (query.repeats()) {
    notes.refuseOrNote(authorization.reject(COMMON_BELIEFS.repeats, 'a parameter is given twice'));
  }
  const consent = authorization.read({ ...request, query: query.first() });
  const { redirectAddresses } = consent.application;
  const redirectUri = query.first().get('redirect_uri');
  if (redirectUri !== undefined && redirectAddresses?.includes(redirectUri) === false) {
    throw authorization.reject(
      COMMON_BELIEFS.redirectAddress,
      'redirect_uri is not registered for the application',
    );
  }
  return consent;
}

function personOf(authorization: AuthorizationEndpoint, source: Parameters): SandboxPerson {
  const { people } = authorization;
  const person = source.has('person') ? people.find(({ id }) => id === source.get('person')) : people[0];
  if (!person) throw authorization.reject(COMMON_BELIEFS.decision, 'the sandbox knows nobody of that name');
  return person;
}

/** The ticked scopes. Scopes without a checkbox are always granted. */
function grantedScopes(consent: ConsentRequest, request: NetworkRequest): readonly string[] {
  const { scopes, optionalScopes } = consent;
  if (!optionalScopes || request.query.has('auto')) return scopes;
  const ticked = request.form.all('scope');
  return scopes.filter((scope) => ticked.includes(scope) || !optionalScopes.includes(scope));
}
