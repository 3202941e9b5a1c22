// How the networks answer an application's server. Whose a code or a token is stands in it.
import { createRequire } from 'node:module';
import { text } from 'node:stream/consumers';
import { CLIENT_SECRET, endpointAt, issue, ownerOf, PEOPLE, secretOf } from './networks.mjs';

/** A request from an application's server. `signed`: the parameters of an OAuth 1.0a header. @typedef {Awaited<ReturnType<typeof callOf>>} Call */

/** @param {import('node:http').IncomingMessage} request */
export async function callOf(request) {
  const { method = '', url = '/', headers, socket } = request;
  const body = await text(request).catch(() => '');
  const { pathname, searchParams } = new URL(url, 'http://stub');
  return {
    ...endpointAt(pathname),
    method,
    url,
    /** Without the query. */
    address: `${'encrypted' in socket ? 'https' : 'http'}://${headers.host}${pathname}`,
    query: searchParams,
    headers,
    body,
    form: new URLSearchParams(body),
    signed: signedBy(headers.authorization),
  };
}

/** @param {import('node:http').ServerResponse} response @param {Call} call */
export function respond(response, call) {
  const { network, step, query, form, headers, signed } = call;
  /** @param {number} status @param {string} body @param {string} [type] */
  const send = (status, body, type = 'application/json; charset=utf-8') => {
    const length = { 'content-length': Buffer.byteLength(body) };
    response.writeHead(status, { 'content-type': type, ...length }).end(body);
  };
  if (!network || !step) return send(404, '{"error":"not_found"}');
  const { requires, protocol } = network;
  const carried = [
    signed.oauth_verifier ?? signed.oauth_token ?? headers.authorization?.replace(/^Bearer /i, ''),
    form.get('code') ?? form.get('access_token'),
    query.get('access_token'),
  ];
  const owner = carried.map(ownerOf).find(Boolean);
  const isRight = () => protocol === 'oauth2' || signed.oauth_signature === signatureOf(call);
  // It goes on with an access token that it did not issue, so that only the application can refuse that.
  const isAccepted =
    step === 'token'
      ? owner && (!requires || form.get(requires)) && isRight()
      : carried.some((value) => typeof value === 'string');
  if (!isAccepted) return send(400, '{"error":"invalid_grant"}');
  const person = PEOPLE[owner ?? ''] ?? PEOPLE.somebody;
  const token = issue(step === 'request token' ? 'request-token' : 'access-token', owner ?? 'somebody');
  const secret = { oauth_token: token, oauth_token_secret: secretOf(token) };
  const members = {
    'request token': () => ({ ...secret, oauth_callback_confirmed: 'true' }),
    token: () => ({
      ...network.tokenResponse(token, person),
      ...(form.has('state') && { state: form.get('state') }),
    }),
    profile: () => network.profileResponse?.(person) ?? {},
  }[step]();
  // OAuth 1.0a answers the first two steps with forms.
  if (protocol === 'oauth2' || step === 'profile') return send(200, JSON.stringify(members));
  const pairs = Object.entries(members).map(([name, value]) => [name, String(value)]);
  return send(200, new URLSearchParams(pairs).toString(), 'text/html; charset=utf-8');
}

/** The parameters of an OAuth 1.0a header. @param {string} [authorization] @returns {Record<string, string>} */
const signedBy = (authorization = '') =>
  Object.fromEntries(
    [...authorization.matchAll(/(oauth_\w+)="([^"]*)"/g)].map(([, name, value = '']) => [
      name,
      decodeURIComponent(value),
    ]),
  );

/** @type {{ hmacsign: (method: string, url: string, parameters: Record<string, string>, ...secrets: [consumer: string, token: string]) => string }} */
const { hmacsign } = createRequire(import.meta.url)('oauth-sign');

/** The signature that a request must carry (RFC 5849 section 3.4). @param {Call} call */
function signatureOf({ method, address, query, form, signed }) {
  const { oauth_signature: _, ...own } = signed;
  const parameters = { ...Object.fromEntries(query), ...Object.fromEntries(form), ...own };
  return hmacsign(method, address, parameters, CLIENT_SECRET, secretOf(signed.oauth_token ?? ''));
}
