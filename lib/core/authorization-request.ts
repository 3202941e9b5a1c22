import { parameterTexts, withQuery } from './addresses.js';
import type { OAuth2AuthenticateOptions, OAuth2Network, OAuth2Settings } from './oauth2-network.js';
import { splitList } from './options.js';
import { codeChallenge } from './proof.js';

/** What an authorization request says of one login. */
export interface AuthorizationRequest {
  readonly callbackURL: string;
  readonly scope: readonly string[];
  readonly state: string;
  /** PKCE code verifier; absent where the network refuses PKCE. */
  readonly verifier: string | undefined;
  /** What the network and the application add; the protocol's own parameters win. */
  readonly parameters: object;
}

/** The address that a person is sent to (RFC 6749 section 4.1.1, RFC 7636 section 4.3). */
export function authorizationAddress(
  settings: OAuth2Settings,
  { clientParameter, scopeSeparator, codeChallenge: encoding }: OAuth2Network,
  { callbackURL, scope, state, verifier, parameters }: AuthorizationRequest,
): string {
  return withQuery(settings.authorizationURL, {
    ...parameterTexts(parameters),
    response_type: 'code',
    [clientParameter]: settings.clientID,
    redirect_uri: callbackURL,
    ...(scope.length > 0 && { scope: scope.join(scopeSeparator) }),
    state,
    ...(verifier !== undefined && {
      code_challenge: codeChallenge(verifier, encoding === 'hex' ? 'hex' : 'base64url'),
      code_challenge_method: 'S256',
    }),
  });
}

/**
 * The scopes of one login: those given to `authenticate`, else those of the options.
 *
 * @throws TypeError when they are neither a text nor an array of texts.
 */
export function requestedScope(
  { name, scope }: OAuth2Settings,
  options: OAuth2AuthenticateOptions,
): readonly string[] {
  if (options.scope === undefined) return scope;
  return splitList(
    options.scope,
    () => new TypeError(`${name}: the scope given to authenticate must be a text or an array of texts.`),
  );
}
