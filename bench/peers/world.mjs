// What one question to one subject needs: a network, an application in a process of its own, and browsers.
import { setTimeout as delay } from 'node:timers/promises';
import { Browser } from '../clients/browser.mjs';
import { networkOf, optionsOf } from '../clients/strategies.mjs';
import { agreeing } from '../network/networks.mjs';
import { startProcess } from '../processes.mjs';

/** @typedef {import('../network/networks.mjs').Step} Step */
/** The application's response. `outcome`: what it says itself; a redirect is `redirect`. @typedef {import('../clients/browser.mjs').Page & { outcome: 'success' | 'failure' | 'error' | 'redirect' | 'unknown', json: any }} Answer */
/** A login that was started: by which browser, and where it was sent. @typedef {{ browser: Browser, url: URL, answer: Answer }} Login */
/**
 * `isReadme`: with the options of its README alone; `host`: of the network's URLs; `mayRefuse`: the constructor may refuse its options.
 *
 * @typedef {Partial<import('../clients/application.mjs').Settings> & { isReadme?: boolean, host?: string, mayRefuse?: boolean }} Settings
 */

/** Milliseconds that a browser waits unless told otherwise. */
const PATIENCE = 4_000;

/** A subject cannot even do what the question takes for granted. */
export class Unfit extends Error {}

export class World {
  /** @type {Awaited<ReturnType<typeof startProcess>> | undefined} */
  #application;

  /** @param {import('../clients/strategies.mjs').Subject} subject @param {import('../network/stub.mjs').Stub} network */
  constructor(subject, network) {
    this.subject = subject;
    this.network = network;
    this.facts = networkOf(subject);
    this.isOAuth1 = this.facts.protocol === 'oauth1';
  }

  close() {
    this.#application?.stop();
    this.network.close();
  }

  /** The steps at which the subject requests something after the callback. @returns {Step[]} */
  get callbackSteps() {
    return this.facts.paths.profile ? ['token', 'profile'] : ['token'];
  }

  /** Whether the process under question ended by itself; waits a moment, because a connection breaks before its process is gone. */
  async died() {
    const hasEnded = this.#application?.ended.then(() => true);
    return (await Promise.race([hasEnded, delay(150, false)])) ?? false;
  }

  /** What the application printed. */
  get output() {
    return this.#application?.output() ?? '';
  }

  /** Starts the application. @param {Settings} [settings] @returns {Promise<string>} Why the strategy's constructor refused the options; empty when it did not. */
  async start({ isReadme = false, host = '127.0.0.1', mayRefuse = false, ...settings } = {}) {
    this.#application?.stop();
    const { id, safer } = this.subject;
    const origin = this.network.url.replace('127.0.0.1', host);
    const more = { ...(!isReadme && safer), ...settings.options };
    const options = optionsOf(this.subject, { token: origin, api: origin }, more);
    this.#application = await startProcess(
      'clients/application.mjs',
      [JSON.stringify({ ...settings, subject: id, options })],
      { NO_COLOR: '1', NODE_OPTIONS: '', NODE_ENV: 'development' },
      () => {},
    );
    const { refused } = this.#application.ports;
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
    const isJson = page.headers['content-type']?.includes('json') && page.text !== '';
    const json = isJson ? JSON.parse(page.text) : undefined;
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

  /** A browser starts a login, a new one unless it is given. @param {Browser} [browser] @param {string} [path] @returns {Promise<Login>} */
  async begin(browser = new Browser(), path = '/login') {
    const answer = await this.visit(browser, this.at(path));
    if (answer.outcome !== 'redirect') throw new Unfit(`a login did not start: ${told(answer)}`);
    return { browser, answer, url: new URL(answer.location) };
  }

  /** The callback URL that the network was told when a login was sent to it. @param {URL} url */
  backOf(url) {
    const asked = this.network.callsOf('request token').at(-1)?.signed.oauth_callback;
    return this.isOAuth1 ? asked : url.searchParams.get('redirect_uri');
  }

  /** What the network sends back with the browser once the person agreed. @param {Login} login @param {string} [person] */
  consent({ url }, person = 'alice') {
    return agreeing(this.facts, url.href, person);
  }

  /** The URL with which the network sends the browser back. @param {Login} login @param {string} [person] @param {string} [path] */
  callback(login, person, path = '/callback') {
    return this.at(path, this.consent(login, person));
  }

  /** The URL if the person does not agree. @param {Login} login @param {Record<string, string>} [more] */
  denial(login, more = {}) {
    const { oauth_token: token = '', state = '' } = this.consent(login);
    const denied = this.isOAuth1 ? { denied: token } : { error: 'access_denied', state };
    return this.at('/callback', { ...denied, ...more });
  }

  /** Ends a login in its own browser. @param {Login} login @param {string} [person] @param {string} [path] */
  finish(login, person, path) {
    return this.visit(login.browser, this.callback(login, person, path));
  }

  /** A whole login in a new browser. @param {string} [person] @param {number} [patience] */
  async login(person, patience = PATIENCE) {
    const login = await this.begin();
    return this.visit(login.browser, this.callback(login, person), { patience });
  }

  /** Starts the application and logs in, which has to succeed before the question makes sense. @param {Settings} [settings] */
  async startWithLogin(settings) {
    await this.start(settings);
    const answer = await this.login();
    if (answer.outcome !== 'success') throw new Unfit(`an ordinary login failed: ${told(answer)}`);
  }

  /** Visits a URL that must be turned away: neither a login, nor a redirect, nor a request to the network; with a step, neither a login nor that request. @param {Browser} browser @param {string} url @param {Parameters<Browser['open']>[1] & { step?: Step }} [settings] @returns {Promise<string | undefined>} What happened instead. */
  async slip(browser, url, { step, ...settings } = {}) {
    const { calls } = this.network;
    const before = calls.length;
    const answer = await this.visit(browser, url, settings);
    const sent = calls.slice(before).filter((call) => step === undefined || call.step === step);
    const isTurnedAway = answer.outcome !== 'success' && (step || answer.outcome !== 'redirect');
    if (isTurnedAway && sent.length === 0) return;
    return `${told(answer)}; ${sent.length} request(s) reached the network`;
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
