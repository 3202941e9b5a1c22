import { json, plain, Refusal } from '../answer.js';
import { html } from '../pages/html.js';
import { page } from '../pages/page.js';
import type { SignatureError, SignatureFault } from './oauth1-signature.js';

/** Code and status of the network for each fault of a signature. */
const FAULTS: Record<
  SignatureFault,
  { readonly status: number; readonly code: number; readonly message: string }
> = {
  parameters: { status: 400, code: 215, message: 'Bad Authentication data.' },
  client: { status: 401, code: 32, message: 'Could not authenticate you.' },
  timestamp: { status: 401, code: 135, message: 'Timestamp out of bounds.' },
  token: { status: 401, code: 89, message: 'Invalid or expired token.' },
  nonce: { status: 401, code: 32, message: 'Could not authenticate you.' },
  signature: { status: 401, code: 32, message: 'Could not authenticate you.' },
};

/** How the request-token endpoint and the API of version 1.1 refuse a signature: in JSON. */
export function signatureRefusal({ fault, message: reason }: SignatureError): Refusal {
  const { status, code, message } = FAULTS[fault];
  return new Refusal(json({ errors: [{ code, message }] }, status), reason);
}

/** How the access-token endpoint does: in plain text where token or signature are at fault. */
export function exchangeRefusal(error: SignatureError): Refusal {
  if (error.fault === 'token') return new Refusal(plain('Invalid request token.', 401), error.message);
  if (error.fault !== 'signature') return signatureRefusal(error);
  return new Refusal(plain('Failed to validate oauth signature and token', 401), error.message);
}

/** Refuses a verifier, in plain text. */
export function verifierRefusal(): Refusal {
  const text = 'Error processing your OAuth request: Invalid oauth_verifier parameter';
  return new Refusal(plain(text, 401), 'oauth_verifier is missing, or not the one of this request token');
}

/** Refuses a callback address, in XML. */
export function callbackRefusal(reason: string): Refusal {
  const message =
    'Callback URL not approved for this client application. Approved callback URLs can be adjusted in your application settings';
  const body = `<?xml version='1.0' encoding='UTF-8'?><errors><error code="415">${message}</error></errors>`;
  return new Refusal({ status: 403, type: 'application/xml; charset=utf-8', body }, reason);
}

/** The page on which the network keeps a user who comes with a stale or used request token. */
export function whoaThere(reason: string): Refusal {
  const content = html`<h1>Whoa there!</h1>
<p>There is no request token for this page. That's the special key we need from applications asking to use your account. Please go back to the site or application that sent you here and try again; it was probably just a mistake.</p>
<p>${reason}</p>`;
  return new Refusal(page('Whoa there!', content, { status: 403 }), reason);
}

/** How the API of version 2 refuses, and version 1.1 where a token of OAuth 2.0 comes along. */
export function problem(status: number, title: string, reason: string, detail = title): Refusal {
  const answer = json({ title, type: 'about:blank', status, detail }, status);
  return new Refusal({ ...answer, type: 'application/problem+json; charset=utf-8' }, reason);
}

/** How the API of version 2 refuses a parameter. */
export function invalidParameter(name: string, value: string, allowed: readonly string[]): Refusal {
  const message = `The \`${name}\` query parameter value is not one of [${allowed.join(',')}]`;
  const body = {
    errors: [{ parameters: { [name]: [value] }, message }],
    title: 'Invalid Request',
    detail: 'One or more parameters to your request was invalid.',
    type: 'https://api.twitter.com/2/problems/invalid-request',
  };
  return new Refusal(json(body, 400), `${name} names a value that does not exist`);
}
