// The networks' server on this machine: behaves, until a question tells it otherwise. Whose a code or a token is stands in it.
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { text } from 'node:stream/consumers';
import { listen } from '../processes.mjs';
import {
  CLIENT_SECRET,
  encoded,
  endpointAt,
  issue,
  ownerOf,
  personNamed,
  requestTokenResponse,
  secretOf,
} from './networks.mjs';

/** @typedef {import('./networks.mjs').Step} Step */
/** A request from an application's server. `signed`: the parameters of an OAuth 1.0a header. @typedef {Awaited<ReturnType<typeof callOf>>} Call */
/** @typedef {(response: import('node:http').ServerResponse, call: Call) => unknown} Responder */

export class Stub {
  /** @type {Call[]} */
  calls = [];
  /** How it answers a step instead of as usual: the next time only, or always. @type {{ step: Step, respond: Responder, isOnce: boolean }[]} */
  #orders = [];
  #server = createServer((request, response) => void this.#respond(request, response));
  url = '';

  static async start() {
    const stub = new Stub();
    stub.url = `http://127.0.0.1:${await listen(stub.#server.unref())}`;
    return stub;
  }

  close() {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  /** @param {Step} step @param {Responder} respond */
  once(step, respond) {
    this.#orders.push({ step, respond, isOnce: true });
  }

  /** Answers this step so, and all others as usual. @param {Step} step @param {Responder} respond */
  always(step, respond) {
    this.#orders = [{ step, respond, isOnce: false }];
  }

  behave() {
    this.#orders = [];
  }

  /** @param {Step} step */
  callsOf(step) {
    return this.calls.filter((call) => call.step === step);
  }

  /** @param {import('node:http').IncomingMessage} request @param {import('node:http').ServerResponse} response */
  async #respond(request, response) {
    request.on('error', () => {});
    response.on('error', () => {});
    const call = await callOf(request);
    this.calls.push(call);
    const orders = this.#orders.filter(({ step }) => step === call.step);
    const order = orders.find(({ isOnce }) => isOnce) ?? orders[0];
    if (order?.isOnce) this.#orders.splice(this.#orders.indexOf(order), 1);
    await (order?.respond ?? usual())(response, call);
  }
}

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

/** As the network behaves, with some members of the response changed. @param {Record<string, unknown>} [changes] - `undefined` leaves one out. @returns {Responder} */
export const usual = (changes) => (response, call) => {
  const { network, step, url, query, form, headers, signed } = call;
  if (!network || !step)
    return send(response, JSON.stringify({ error: `nothing is at ${url}` }), { status: 404 });
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
  if (!isAccepted) return send(response, '{"error":"invalid_grant"}', { status: 400 });
  const person = personNamed(owner ?? 'somebody');
  const members = {
    'request token': () => requestTokenResponse(issue('request-token', 'somebody')),
    token: () => ({
      ...network.tokenResponse(issue('access-token', owner ?? ''), person),
      ...(form.has('state') && { state: form.get('state') }),
    }),
    profile: () => network.profileResponse?.(person),
  };
  const given = Object.entries({ ...members[step](), ...changes }).filter(([, value]) => value !== undefined);
  const { body, type } = encoded(network, step, Object.fromEntries(given));
  return send(response, body, { type });
};

/** @param {import('node:http').ServerResponse} response @param {string} body @param {{ type?: string, status?: number, headers?: Record<string, string> }} [settings] */
export function send(response, body, { type = 'application/json', status = 200, headers = {} } = {}) {
  const length = { 'content-length': Buffer.byteLength(body) };
  response.writeHead(status, { 'content-type': type, ...length, ...headers }).end(body);
}

/** @param {number} status @returns {Responder} */
export const failing = (status) => (response) => send(response, '{"error":"unavailable"}', { status });

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
