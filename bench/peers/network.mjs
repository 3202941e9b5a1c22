// A network on this machine: behaves, until a question tells it otherwise. It knows which codes and tokens are whose.
import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { CLIENT_SECRET } from '../clients/strategies.mjs';
import { encodeForm, isForm, requestTokenResponse, SOMEBODY, secretOf } from '../network/networks.mjs';
import { listen } from '../processes.mjs';

/** @typedef {import('../network/networks.mjs').Network} Network */
/** @typedef {import('../network/networks.mjs').Step} Step */
/**
 * A request from an application's server. `signed`: the parameters of an OAuth 1.0a header.
 *
 * @typedef {{
 *   readonly step: Step | 'unknown',
 *   readonly method: string,
 *   readonly url: string,
 *   readonly headers: import('node:http').IncomingHttpHeaders,
 *   readonly body: string,
 *   readonly form: URLSearchParams,
 *   readonly signed: Readonly<Record<string, string>>,
 * }} Call
 * @typedef {(response: import('node:http').ServerResponse, call: Call) => unknown} Responder
 */

const PEOPLE = {
  alice: { number: 1001, name: 'Alice Example' },
  anna: { number: 1002, name: 'Анна Ёлкина 🦊' },
  mallory: { number: 1003, name: 'Mallory Example' },
  eve: { number: 1004, name: 'Eve Example' },
};

/** @param {string} [name] @returns {import('../network/networks.mjs').Person} */
export const personNamed = (name = 'alice') =>
  PEOPLE[/** @type {keyof typeof PEOPLE} */ (name)] ?? {
    number: 2000 + Number(name.replace(/\D/g, '')),
    name,
  };

export class FakeNetwork {
  /** @type {Call[]} */
  calls = [];
  /** How it answers a step instead of as usual: the next time only, or always. @type {{ step: Step, respond: Responder, isOnce: boolean }[]} */
  #orders = [];
  /** What was handed out -> the person's name. @type {Map<string, string>} */
  #owners = new Map();
  #issued = 0;
  #server = createServer((request, response) => void this.#respond(request, response));
  port = 0;

  /** @param {Network} facts */
  constructor(facts) {
    this.facts = facts;
  }

  /** @param {Network} facts */
  static async start(facts) {
    const network = new FakeNetwork(facts);
    network.port = await listen(network.#server);
    return network;
  }

  get url() {
    return `http://127.0.0.1:${this.port}`;
  }

  close() {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  /** @param {Step} step @param {Responder} respond */
  once(step, respond) {
    this.#orders.push({ step, respond, isOnce: true });
  }

  /** @param {Step} step @param {Responder} respond */
  always(step, respond) {
    this.#orders = [...this.#orders.filter((order) => order.step !== step), { step, respond, isOnce: false }];
  }

  behave() {
    this.#orders = [];
  }

  /** Something new that belongs to a person: a code, a verifier, a token. @param {string} kind @param {string} person */
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

  /** @param {Step} step */
  callsOf(step) {
    return this.calls.filter((call) => call.step === step);
  }

  /** As the network behaves, with some members of the response changed. @param {Record<string, unknown>} [changes] - `undefined` leaves one out. @returns {Responder} */
  usual(changes = {}) {
    return (response, call) => {
      const { facts } = this;
      const { step } = call;
      if (step === 'unknown') return send(response, '{"error":"no such address"}', { status: 404 });
      // It goes on with a token that it did not issue, so that only the application can refuse it.
      const person = step === 'token' ? this.#ownerIn(call) : (this.#ownerIn(call) ?? 'alice');
      // A request token with another one's secret.
      const isForged = call.signed.oauth_token && signatureOf(call, this.url) !== call.signed.oauth_signature;
      if (person === undefined || (step === 'token' && isForged))
        return send(response, '{"error":"invalid_grant"}', { status: 400 });
      if (step === 'profile')
        return send(response, JSON.stringify(facts.profileResponse?.(personNamed(person))));
      const members =
        step === 'request token'
          ? requestTokenResponse(this.issue('request-token', person))
          : facts.tokenResponse(this.issue('access-token', person), personNamed(person));
      return sendMembers(response, facts, step, { ...members, ...changes });
    };
  }

  /** Whose code or token a request carries. @param {Call} call */
  #ownerIn({ url, form, headers, signed }) {
    const { searchParams } = new URL(url, this.url);
    const bearer = headers.authorization?.replace(/^Bearer /i, '');
    const carried = [signed.oauth_token, form.get('code'), form.get('access_token')];
    return [...carried, searchParams.get('access_token'), bearer]
      .map((value) => this.#owners.get(value ?? ''))
      .find((owner) => owner !== undefined);
  }

  /** @param {import('node:http').IncomingMessage} request @param {import('node:http').ServerResponse} response */
  async #respond(request, response) {
    const { method = '', url = '/', headers } = request;
    request.on('error', () => {});
    response.on('error', () => {});
    const body = await text(request).catch(() => '');
    const path = url.split('?', 1)[0];
    const [step] = Object.entries(this.facts.paths).find(([, known]) => known === path) ?? ['unknown'];
    const signed = signatureParameters(headers.authorization);
    const form = new URLSearchParams(body);
    const call = { step: /** @type {Call['step']} */ (step), method, url, headers, body, form, signed };
    this.calls.push(call);
    const orders = this.#orders.filter((one) => one.step === step);
    const order = orders.find(({ isOnce }) => isOnce) ?? orders[0];
    if (order?.isOnce) this.#orders.splice(this.#orders.indexOf(order), 1);
    await (order?.respond ?? this.usual())(response, call);
  }
}

/**
 * @param {import('node:http').ServerResponse} response
 * @param {string} body
 * @param {{ type?: string, status?: number, headers?: Record<string, string> }} [settings]
 */
export function send(response, body, { type = 'application/json', status = 200, headers = {} } = {}) {
  const length = { 'content-length': Buffer.byteLength(body) };
  response.writeHead(status, { 'content-type': type, ...length, ...headers }).end(body);
}

/** @param {number} status @returns {Responder} */
export const failing = (status) => (response) => send(response, '{"error":"unavailable"}', { status });

/**
 * In the form that the network answers a step with.
 *
 * @param {import('node:http').ServerResponse} response
 * @param {Network} facts
 * @param {Step} step
 * @param {Record<string, unknown>} members
 */
export function sendMembers(response, facts, step, members) {
  const given = Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
  if (isForm(facts, step)) send(response, encodeForm(given), { type: 'text/html;charset=utf-8' });
  else send(response, JSON.stringify(given));
}

/** The token response for somebody without an account here. @param {Network} facts @param {Record<string, unknown>} [changes] */
export const anyTokenResponse = (facts, changes) => ({
  ...facts.tokenResponse('a-token', SOMEBODY),
  ...changes,
});

/** The signature that a request must carry (RFC 5849 section 3.4). @param {Call} call @param {string} server - Its origin. */
export function signatureOf({ method, url, form, signed }, server) {
  const { origin, pathname, searchParams } = new URL(url, server);
  const own = Object.entries(signed).filter(([name]) => name !== 'oauth_signature' && name !== 'realm');
  const pairs = [...searchParams, ...form, ...own];
  const sorted = pairs.map(([name, value]) => `${encoded(name)}=${encoded(value)}`).sort();
  const base = [method, `${origin}${pathname}`, sorted.join('&')].map(encoded).join('&');
  const key = `${encoded(CLIENT_SECRET)}&${encoded(secretOf(signed.oauth_token ?? ''))}`;
  return createHmac('sha1', key).update(base).digest('base64');
}

/** @param {string} value */
const encoded = (value) =>
  encodeURIComponent(value).replace(
    /[!'()*]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  );

/** @param {string} [header] @returns {Record<string, string>} */
function signatureParameters(header = '') {
  if (!/^OAuth /i.test(header)) return {};
  const pairs = [...header.matchAll(/(\w+)="([^"]*)"/g)];
  return Object.fromEntries(pairs.map(([, name = '', value = '']) => [name, decodeURIComponent(value)]));
}
