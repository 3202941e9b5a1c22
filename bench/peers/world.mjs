// What one question to one subject needs: a network, an application in a process of its own, and browsers.
import { setTimeout as delay } from 'node:timers/promises';
import { Browser } from '../clients/browser.mjs';
import { networkOf, urlOptions } from '../clients/strategies.mjs';
import { startProcess } from '../processes.mjs';
import { FakeNetwork } from './network.mjs';

/** @typedef {import('../network/networks.mjs').Step} Step */
/** @typedef {(token: unknown, second: unknown, params: Record<string, unknown>, profile: { id?: unknown, displayName?: unknown }, done: (error: unknown, user?: object | false, info?: object) => void) => unknown} Verify */
/**
 * The application's response. `outcome` is what the application of the bench says about it; a redirect to somewhere is `redirect`.
 *
 * @typedef {import('../clients/browser.mjs').Page & { outcome: 'success' | 'failure' | 'error' | 'redirect' | 'unknown', json: any }} Answer
 */
/** A login that was started: where the browser was sent, and what comes back with it. @typedef {{ url: URL, back: string, state: string, requestToken: string, answer: Answer }} Login */
/**
 * `isReadme`: with the options of its README alone; `host`: of the network's URLs; `mayRefuse`: the constructor may refuse its options.
 *
 * @typedef {Partial<import('./application.mjs').Settings> & { isReadme?: boolean, host?: string, mayRefuse?: boolean }} Settings
 */

/** Milliseconds that a browser waits unless told otherwise. */
const PATIENCE = 4_000;

/** A subject cannot even do what the question takes for granted. */
export class Unfit extends Error {}

export class World {
  /** What the application printed. */
  output = '';
  /** @type {FakeNetwork[]} */
  #networks = [];
  /** @type {Awaited<ReturnType<typeof startProcess>> | undefined} */
  #application;
  #hasEnded = false;

  /** @param {import('../clients/strategies.mjs').Subject} subject @param {FakeNetwork} network */
  constructor(subject, network) {
    this.subject = subject;
    this.network = network;
    this.facts = network.facts;
    this.isOAuth1 = network.facts.protocol === 'oauth1';
    this.#networks.push(network);
  }

  /** @param {import('../clients/strategies.mjs').Subject} subject */
  static async open(subject) {
    return new World(subject, await FakeNetwork.start(networkOf(subject)));
  }

  close() {
    this.#application?.stop();
    for (const network of this.#networks) network.close();
  }

  /** The steps at which the subject requests something after the callback. @returns {Step[]} */
  get callbackSteps() {
    return this.facts.paths.profile ? ['token', 'profile'] : ['token'];
  }

  /** Whether the process under question ended by itself; waits a moment, because a connection breaks before its process is gone. */
  async died() {
    await Promise.race([this.#application?.ended, delay(150)]);
    return this.#hasEnded;
  }

  /** The line that says why it ended. */
  lastWords() {
    const lines = this.output.split('\n').map((line) => line.trim());
    const reason = lines.find((line) => /^(\w+)?(Error|Exception)\b.*:/.test(line));
    return reason ?? lines.findLast(Boolean) ?? 'no output';
  }

  /** Another machine, which nobody should ever talk to. */
  async stranger() {
    const stranger = await FakeNetwork.start(this.facts);
    this.#networks.push(stranger);
    return stranger;
  }

  /**
   * Starts the application.
   *
   * @param {Settings} [settings]
   * @returns {Promise<string>} Why the strategy's constructor refused the options; empty when it did not.
   */
  async start({ isReadme = false, host = '127.0.0.1', mayRefuse = false, ...settings } = {}) {
    this.#application?.stop();
    const { id, readme, safer } = this.subject;
    const origin = `http://${host}:${this.network.port}`;
    const urls = urlOptions(this.subject, { token: origin, api: origin });
    const options = { ...readme, ...(!isReadme && safer), ...urls, ...settings.options };
    const sent = { subject: id, routes: [], verify: 'accept', ...settings, options };
    this.output = '';
    const environment = { NO_COLOR: '1', NODE_OPTIONS: '', NODE_ENV: 'development' };
    const application = await startProcess(
      'peers/application.mjs',
      [JSON.stringify(sent)],
      environment,
      (text) => {
        this.output += text;
      },
    );
    this.#application = application;
    this.#hasEnded = false;
    void application.ended.then(() => {
      this.#hasEnded = application === this.#application;
    });
    const { refused } = application.ports;
    if (refused && !mayRefuse) throw new Error(`${id} refused its options: ${refused}`);
    return refused;
  }

  /** A URL of the application. @param {string} path @param {Record<string, string>} [query] */
  at(path, query = {}) {
    const search = new URLSearchParams(query).toString();
    return `${this.#application?.ports.origin}${path}${search === '' ? '' : `?${search}`}`;
  }

  /** @param {Browser} browser @param {string} url @param {Parameters<Browser['open']>[1]} [settings] @returns {Promise<Answer>} */
  async visit(browser, url, settings) {
    const page = await browser.open(url, { patience: PATIENCE, ...settings });
    const json = parsed(page.text);
    return { ...page, json, outcome: page.location === '' ? (json?.outcome ?? 'unknown') : 'redirect' };
  }

  /** How often verify was called, how often a request ended, and who is signed in. @param {Browser} [browser] */
  async counts(browser = new Browser()) {
    const { json } = await this.visit(browser, this.at('/me'));
    return /** @type {{ verified: number, endings: number, user?: object }} */ (json);
  }

  /** Signs a user of the application in, without any network. @param {Browser} browser @param {string} name */
  async signIn(browser, name) {
    const answer = await this.visit(browser, this.at('/sign-in', { as: name }));
    if (answer.outcome !== 'success') throw new Error(`the application signs nobody in: ${told(answer)}`);
  }

  /** A browser starts a login. @param {Browser} browser @param {string} [path] @param {Record<string, string>} [headers] @returns {Promise<Login>} */
  async begin(browser, path = '/login', headers = {}) {
    const answer = await this.visit(browser, this.at(path), { headers });
    if (answer.outcome !== 'redirect') throw new Unfit(`a login did not start: ${told(answer)}`);
    const url = new URL(answer.location);
    const [requestToken, state, redirect] = ['oauth_token', 'state', 'redirect_uri'].map(
      (name) => url.searchParams.get(name) ?? '',
    );
    const asked = this.network.callsOf('request token').at(-1)?.signed.oauth_callback;
    const back = (this.isOAuth1 ? asked : redirect) ?? '';
    return { answer, url, requestToken: requestToken ?? '', back, state: state ?? '' };
  }

  /** What the network sends back with the browser once the person agreed. @param {Login} login @param {string} [person] @returns {Record<string, string>} */
  consent({ requestToken, state }, person = 'alice') {
    if (this.isOAuth1) {
      this.network.authorize(requestToken, person);
      return { oauth_token: requestToken, oauth_verifier: this.network.issue('verifier', person) };
    }
    const isVkId = this.facts.responseParameters.includes('device_id');
    return {
      code: this.network.issue('code', person),
      ...(state !== '' && { state }),
      ...(isVkId && { device_id: 'device-of-the-bench' }),
    };
  }

  /** The URL with which the network sends the browser back. @param {Login} login @param {string} [person] @param {string} [path] */
  callback(login, person, path = '/callback') {
    return this.at(path, this.consent(login, person));
  }

  /** The URL if the person does not agree. @param {Login} login @param {Record<string, string>} [more] */
  denial({ requestToken, state }, more = {}) {
    const denied = this.isOAuth1 ? { denied: requestToken } : { error: 'access_denied', state };
    return this.at('/callback', { ...denied, ...more });
  }

  /** A whole login in a new browser. @param {string} [person] @param {number} [patience] */
  async login(person, patience = PATIENCE) {
    const browser = new Browser();
    return this.visit(browser, this.callback(await this.begin(browser), person), { patience });
  }

  /** Starts the application and logs in, which has to succeed before the question makes sense. @param {Settings} [settings] */
  async startWithLogin(settings) {
    await this.start(settings);
    const answer = await this.login();
    if (answer.outcome !== 'success') throw new Unfit(`an ordinary login failed: ${told(answer)}`);
  }

  /** How many requests the network got while something was done. @template T @param {() => Promise<T>} act */
  async counting(act) {
    const before = this.network.calls.length;
    const result = await act();
    return { result, calls: this.network.calls.length - before };
  }

  /**
   * Visits a URL that must be turned away: neither a login, nor a redirect, nor a request to the network.
   *
   * @param {Browser} browser
   * @param {string} url
   * @returns {Promise<string | undefined>} What happened instead.
   */
  async slip(browser, url) {
    const { result, calls } = await this.counting(() => this.visit(browser, url));
    if (result.outcome === 'success' || result.outcome === 'redirect') return told(result);
    return calls > 0 ? `${calls} request(s) reached the network; ${told(result)}` : undefined;
  }
}

/** Whether an answer says that the login did not succeed; nothing else, such as an unknown page, does. @param {Answer} answer */
export const isRefused = ({ outcome }) => outcome === 'failure' || outcome === 'error';

/** An answer in few words. @param {Answer} answer */
export function told({ status, outcome, json, location, text }) {
  if (outcome === 'redirect') return `${status}, redirected to ${location.slice(0, 80)}`;
  if (outcome === 'success') return `logged in as ${JSON.stringify(json.user)?.slice(0, 120)}`;
  const [message] = json ? (json.messages ?? []) : [text.slice(0, 80)];
  return `${status} ${outcome}${message ? ` "${String(message).slice(0, 100)}"` : ''}`;
}

/** @param {string} text */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
