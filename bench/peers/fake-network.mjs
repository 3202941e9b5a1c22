import { once } from 'node:events';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { personNamed } from './networks.mjs';
import { signatureOf } from './signature.mjs';

/**
 * A request from an application's server.
 *
 * @typedef {{
 *   readonly step: import('./networks.mjs').Step | 'unknown',
 *   readonly method: string,
 *   readonly url: string,
 *   readonly headers: import('node:http').IncomingHttpHeaders,
 *   readonly body: string,
 *   readonly form: URLSearchParams,
 *   readonly signed: Readonly<Record<string, string>>,
 * }} Call
 * @typedef {(response: import('node:http').ServerResponse, call: Call) => unknown} Responder
 */

/** A network on this machine: behaves, until a probe tells it otherwise. Knows which codes and tokens are whose. */
export class FakeNetwork {
  /** @type {Call[]} */
  calls = [];
  #server = createServer((request, response) => void this.#answer(request, response));
  #network;
  /** @type {Map<string, string>} What was handed out -> the person's name. */
  #owners = new Map();
  /** @type {Map<string, Responder[]>} */
  #once = new Map();
  /** @type {Map<string, Responder>} */
  #always = new Map();
  #issued = 0;
  port = 0;

  /** @param {import('./networks.mjs').Network} network */
  constructor(network) {
    this.#network = network;
  }

  /** @param {import('./networks.mjs').Network} network */
  static async start(network) {
    const fake = new FakeNetwork(network);
    fake.#server.listen(0, '127.0.0.1');
    await once(fake.#server, 'listening');
    fake.port = /** @type {import('node:net').AddressInfo} */ (fake.#server.address()).port;
    return fake;
  }

  get url() {
    return `http://127.0.0.1:${this.port}`;
  }

  async close() {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  /** Answers the next request of a step in another way. @param {import('./networks.mjs').Step} step @param {Responder} responder */
  once(step, responder) {
    this.#once.set(step, [...(this.#once.get(step) ?? []), responder]);
  }

  /** Answers a step in another way from now on. @param {import('./networks.mjs').Step} step @param {Responder} responder */
  always(step, responder) {
    this.#always.set(step, responder);
  }

  behave() {
    this.#once.clear();
    this.#always.clear();
  }

  /** Something new that belongs to a person: a code, a verifier. @param {string} kind @param {string} person */
  issue(kind, person) {
    this.#issued += 1;
    const value = `canary-${kind}-${person}-${this.#issued}`;
    this.#owners.set(value, person);
    return value;
  }

  /** The person agreed at the consent page. @param {string} requestToken @param {string} person */
  authorize(requestToken, person) {
    this.#owners.set(requestToken, person);
  }

  /** @param {import('./networks.mjs').Step} step */
  callsOf(step) {
    return this.calls.filter((call) => call.step === step);
  }

  /** What a well-behaved network says. @type {Responder} */
  usual = (response, call) => {
    const network = this.#network;
    if (call.step === 'request token') {
      const token = this.issue('request-token', 'nobody');
      const answer = {
        oauth_token: token,
        oauth_token_secret: `secret-of-${token}`,
        oauth_callback_confirmed: 'true',
      };
      return sendForm(response, answer);
    }
    const person = this.personOf(call);
    if (call.step === 'token') {
      // A request token with another one's secret.
      const isForged =
        network.protocol === 'oauth1' && signatureOf(call, this.url) !== call.signed.oauth_signature;
      if (person === undefined || isForged) return refuse(response, network.protocol);
      const token = this.issue('access-token', person);
      const answer = network.tokenAnswer(token, personNamed(person));
      return network.protocol === 'oauth1' ? sendForm(response, answer) : sendJSON(response, answer);
    }
    if (call.step === 'profile')
      return sendJSON(response, network.profileAnswer?.(personNamed(person ?? 'alice')));
    return sendJSON(response, { error: 'no such address' }, 404);
  };

  /** Whose code or token a request carries. @param {Call} call */
  personOf({ url, form, headers, signed }) {
    const { searchParams } = new URL(url, this.url);
    const carried = [
      ...(this.#network.protocol === 'oauth1' ? [signed.oauth_token] : [form.get('code')]),
      form.get('access_token'),
      searchParams.get('access_token'),
      headers.authorization?.replace(/^Bearer /i, ''),
    ];
    return carried.map((value) => this.#owners.get(value ?? '')).find((owner) => owner !== undefined);
  }

  /** @param {import('node:http').IncomingMessage} request @param {import('node:http').ServerResponse} response */
  async #answer(request, response) {
    const { method = '', url = '/', headers } = request;
    request.on('error', () => {});
    const body = await text(request).catch(() => '');
    const { pathname } = new URL(url, this.url);
    const paths = Object.entries(this.#network.paths);
    const step = /** @type {Call['step']} */ (paths.find(([, path]) => path === pathname)?.[0] ?? 'unknown');
    const signed = signatureParameters(headers.authorization);
    const call = { step, method, url, headers, body, form: new URLSearchParams(body), signed };
    this.calls.push(call);
    const responder = this.#once.get(step)?.shift() ?? this.#always.get(step) ?? this.usual;
    response.on('error', () => {});
    await responder(response, call);
  }
}

/** The parameters of an OAuth 1.0a `Authorization` header. @param {string} [header] @returns {Record<string, string>} */
function signatureParameters(header = '') {
  if (!/^OAuth /i.test(header)) return {};
  const pairs = [...header.matchAll(/([\w]+)="([^"]*)"/g)];
  return Object.fromEntries(pairs.map(([, name = '', value = '']) => [name, decodeURIComponent(value)]));
}

/** @param {import('node:http').ServerResponse} response @param {string} protocol */
function refuse(response, protocol) {
  if (protocol === 'oauth1') return send(response, 'Invalid request token', 'text/html', 401);
  return sendJSON(response, { error: 'invalid_grant', error_description: 'unknown code' }, 400);
}

/** @param {import('node:http').ServerResponse} response @param {string} body @param {string} type */
export function send(response, body, type = 'application/json', status = 200) {
  response.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(body) }).end(body);
}

/** @param {import('node:http').ServerResponse} response @param {unknown} value */
export function sendJSON(response, value, status = 200) {
  send(response, JSON.stringify(value) ?? '', 'application/json', status);
}

/** @param {import('node:http').ServerResponse} response @param {Readonly<Record<string, unknown>>} members */
export function sendForm(response, members, status = 200) {
  const pairs = Object.entries(members).map(([name, value]) => [name, String(value)]);
  send(response, new URLSearchParams(pairs).toString(), 'text/html;charset=utf-8', status);
}
