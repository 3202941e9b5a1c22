import { readForm } from './answer.js';
import { LONGEST_VALUE } from './callback.js';
import { MalformedError } from './errors.js';
import type { LoginSettings } from './login-options.js';
import type { NetworkClient } from './network-client.js';
import { authorizationHeader } from './signature.js';
import type { ErrorParser } from './transport.js';

/** The complete options of an OAuth 1.0a strategy. */
export interface OAuth1Settings extends LoginSettings {
  readonly consumerKey: string;
  readonly consumerSecret: string;
  readonly requestTokenURL: string;
  readonly accessTokenURL: string;
  readonly userAuthorizationURL: string;
}

/** A network's access-token answer, as it sent it: a form, so every member is a text. */
export type OAuth1Params = Readonly<Record<string, string>> & {
  /** The access token. */
  readonly oauth_token: string;
  /** The secret with which requests of this token are signed. */
  readonly oauth_token_secret: string;
};

/** A request for temporary credentials, or for token credentials with a request token. */
export interface CredentialsRequest {
  readonly step: 'request token' | 'token';
  readonly url: string;
  readonly form?: Readonly<Record<string, string>>;
  /** `oauth_callback` or `oauth_verifier`. */
  readonly protocol: Readonly<Record<string, string>>;
  readonly requestToken?: { readonly token: string; readonly tokenSecret: string };
  readonly parseErrorResponse: ErrorParser;
}

/**
 * Asks for credentials and reads the answer as a form whatever its content type says: the network labels it text/html.
 *
 * @throws {@link MalformedError} `token_missing` when a part of the credentials is missing or empty (RFC 5849 sections 2.1
 *   and 2.3).
 */
export async function requestCredentials(
  client: NetworkClient,
  { name, consumerKey, consumerSecret }: OAuth1Settings,
  { step, url, form, protocol, requestToken, parseErrorResponse }: CredentialsRequest,
): Promise<OAuth1Params> {
  const body = form && Object.keys(form).length > 0 ? form : undefined;
  const credentials = { consumerKey, consumerSecret, ...requestToken };
  const answer = await client.send({
    step,
    method: 'POST',
    url,
    form: body,
    headers: {
      accept: '*/*',
      authorization: authorizationHeader({ method: 'POST', url, form: body, protocol }, credentials),
    },
    secrets: () => [consumerSecret, ...Object.values(requestToken ?? {}), protocol.oauth_verifier ?? ''],
    parseErrorResponse,
  });
  const origin = { provider: name, step };
  const params = readForm(answer, origin);
  if (isUsable(params.oauth_token) && isUsable(params.oauth_token_secret)) return params as OAuth1Params;
  throw new MalformedError({
    ...origin,
    code: 'token_missing',
    message: 'the answer lacks oauth_token or oauth_token_secret, or they are too long.',
    remedy: 'Check the addresses in the options.',
  });
}

/** A callback with a longer request token would be refused, and nobody could finish the login. */
function isUsable(credential: string | undefined): boolean {
  return credential !== undefined && credential !== '' && credential.length <= LONGEST_VALUE;
}
