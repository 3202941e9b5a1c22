import { json, Refusal } from '../answer.js';
import { type Application, MICROBLOG_CONFIDENTIAL, MICROBLOG_PUBLIC } from '../applications.js';
import { type BasicCredentials, basicCredentials, type Call } from '../call.js';
import type { Grant } from '../grants.js';
import { sameText } from '../secrets.js';

/** The microblog network's OAuth 2.0 client of that identifier. */
export function microblogClient(id: string | undefined): Application | undefined {
  return [MICROBLOG_CONFIDENTIAL, MICROBLOG_PUBLIC].find((application) => application.id === id);
}

/**
 * The client that makes a token, refresh or revocation request.
 *
 * @param grant - What the request is about: it tells what a client that does not name itself should have sent.
 * @throws Refusal when a confidential client does not show its secret by Basic, or a public one its `client_id`.
 */
export function authenticatedClient(call: Call, grant: Grant | undefined): Application {
  const basic = basicCredentials(call);
  const id = basic ? basic.id : call.form.get('client_id');
  const application = microblogClient(id ?? grant?.application.id);
  if (application?.secret !== undefined) {
    if (basic && shows(basic, application.secret)) return application;
    throw unauthorized(
      'a confidential client sends its identifier and secret by HTTP Basic: there is none, or a wrong one',
    );
  }
  if (call.authorization !== undefined) {
    throw unauthorized('the Authorization header names no confidential client; a public one sends none');
  }
  if (id === undefined) throw missing('client_id', call);
  if (!application) {
    throw invalid('Value passed for the client id was invalid.', 'client_id is no client of the sandbox');
  }
  return application;
}

/** Basic credentials may be percent-encoded, as the standard has it, or raw, as the network's own sample has it. */
function shows({ secret }: BasicCredentials, expected: string): boolean {
  return sameText(secret, expected) || sameText(percentDecoded(secret), expected);
}

function percentDecoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** The network's refusal of a value; also where the standard would say `invalid_grant`. */
export function invalid(error_description: string, reason: string): Refusal {
  return new Refusal(json({ error: 'invalid_request', error_description }, 400), reason);
}

/** The network's refusal of a request that lacks a parameter; a body that is no form has none. */
export function missing(name: string, call: Call): Refusal {
  const reason = call.isForm
    ? `${name} is missing, empty or given twice`
    : 'the body is not labelled as a form';
  return invalid(`Missing required parameter [${name}].`, reason);
}

function unauthorized(reason: string): Refusal {
  const body = { error: 'unauthorized_client', error_description: 'Missing valid authorization header' };
  return new Refusal(json(body, 401), reason);
}
