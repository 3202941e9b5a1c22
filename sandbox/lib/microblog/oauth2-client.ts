import type { Application } from '../clients.js';
import type { Grant } from '../grants.js';
import { basicCredentials, type NetworkRequest } from '../request.js';
import { secretsEqual } from '../secrets.js';
import type { World } from '../world.js';
import { BELIEFS } from './beliefs.js';
import { missingParameter, unauthorizedClient, unknownClient } from './error-responses.js';
import { MICROBLOG_CONFIDENTIAL, MICROBLOG_PUBLIC } from './options.js';

/** The OAuth 2.0 clients of the microblog network. */
export function microblogClients(world: World): readonly Application[] {
  return [world.registered(MICROBLOG_CONFIDENTIAL), world.registered(MICROBLOG_PUBLIC)];
}

/**
 * Authenticates the client of a token, refresh or revocation request.
 *
 * @param grant - The grant of the code or token in the request. It tells which credentials are missing when the request
 *   does not name a client.
 * @throws ErrorResponse when a confidential client does not send its secret by HTTP Basic, or a public client no `client_id`.
 */
export function authenticatedClient(
  request: NetworkRequest,
  clients: readonly Application[],
  grant: Grant | undefined,
): Application {
  const basic = basicCredentials(request);
  const id = basic ? basic.id : request.form.get('client_id');
  const known = id ?? grant?.application.id;
  const application = clients.find((client) => client.id === known);
  if (application?.secret !== undefined) {
    if (basic && basicSecretMatches(basic.secret, application.secret)) return application;
    throw unauthorizedClient(
      BELIEFS.clientAuthentication,
      'a confidential client must send its identifier and secret by HTTP Basic: the header is missing or wrong',
    );
  }
  if (id === undefined) throw missingParameter(BELIEFS.publicClient, 'client_id', request);
  if (!application) throw unknownClient('client_id is no client of the sandbox');
  if (request.authorization !== undefined) {
    const reason = 'a public client sends an Authorization header';
    request.notes.refuseOrNote(unauthorizedClient(BELIEFS.publicClientHeader, reason));
  }
  return application;
}

/** RFC 6749, section 2.3.1, percent-encodes Basic credentials, but the network's sample code does not; both are accepted. */
function basicSecretMatches(secret: string, expected: string): boolean {
  return secretsEqual(secret, expected) || secretsEqual(percentDecoded(secret), expected);
}

function percentDecoded(encoded: string): string | undefined {
  try {
    return decodeURIComponent(encoded);
  } catch {
    return undefined;
  }
}
