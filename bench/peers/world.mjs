import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ApplicationProcess } from './application-process.mjs';
import { Browser, told } from './browser.mjs';
import { FakeNetwork } from './fake-network.mjs';
import { networkOf } from './subjects.mjs';
import { Unfit } from './verdicts.mjs';

/**
 * A login that was started: where the browser was sent, and what comes back with it.
 *
 * @typedef {{
 *   readonly authorization: URL,
 *   readonly back: string,
 *   readonly state: string,
 *   readonly requestToken: string,
 *   readonly answer: import('./browser.mjs').Answer,
 * }} Login
 * @typedef {{
 *   variant?: import('./subjects.mjs').Variant,
 *   options?: Readonly<Record<string, unknown>>,
 *   names?: readonly string[],
 *   each?: (name: string) => Readonly<Record<string, unknown>>,
 *   routes?: readonly import('./application.mjs').Route[],
 *   verify?: string,
 *   trusted?: string,
 *   stubRandom?: boolean,
 *   sessions?: string,
 *   plain?: boolean,
 *   host?: string,
 *   mayRefuse?: boolean,
 * }} ApplicationSettings
 */

/** A network, an application in a process of its own, and browsers: what one question to one subject needs. */
export class World {
  /** @type {ApplicationProcess[]} */
  #applications = [];
  /** @type {FakeNetwork[]} */
  #networks = [];
  /** @type {string[]} */
  #folders = [];

  /** @param {import('./subjects.mjs').Subject} subject @param {FakeNetwork} network */
  constructor(subject, network) {
    this.subject = subject;
    this.network = network;
    this.facts = networkOf(subject);
    this.#networks.push(network);
  }

  /** @param {import('./subjects.mjs').Subject} subject */
  static async open(subject) {
    return new World(subject, await FakeNetwork.start(networkOf(subject)));
  }

  get oauth1() {
    return this.facts.protocol === 'oauth1';
  }

  /** The steps at which the subject calls the network after the callback. @returns {import('./networks.mjs').Step[]} */
  get callbackSteps() {
    return this.facts.paths.profile ? ['token', 'profile'] : ['token'];
  }

  /** The process under question; `undefined` before it was started. */
  get application() {
    const latest = this.#applications.at(-1);
    if (!latest) throw new Error('no application was started');
    return latest;
  }

  /** @returns {Promise<boolean>} Whether a process under question ended by itself. */
  async died() {
    const deaths = await Promise.all(this.#applications.map((application) => application.died()));
    return deaths.includes(true);
  }

  /** The line that says why a process under question ended. */
  lastWords() {
    return (this.#applications.find(({ dead }) => dead) ?? this.application).lastWords();
  }

  /** A folder that several processes share. */
  async folder() {
    const folder = await mkdtemp(join(tmpdir(), 'peers-'));
    this.#folders.push(folder);
    return folder;
  }

  /** Another machine, which nobody should ever talk to. */
  async stranger() {
    const stranger = await FakeNetwork.start(this.facts);
    this.#networks.push(stranger);
    return stranger;
  }

  /**
   * Starts the application. @returns Why the strategy's constructor refused the options; empty when it did not.
   * @param {ApplicationSettings} [settings]
   */
  async start(settings = {}) {
    const {
      variant = 'safest',
      options = {},
      names = ['subject'],
      each = () => ({}),
      routes = [],
    } = settings;
    const application = await ApplicationProcess.start();
    this.#applications.push(application);
    const base = `http://${settings.host ?? '127.0.0.1'}:${this.network.port}`;
    const addresses = Object.entries(this.subject.addresses).map(([option, step]) => [
      option,
      `${base}${this.facts.paths[step]}`,
    ]);
    const usual = names.flatMap((strategy) => {
      const suffix = names.length === 1 ? '' : `/${strategy}`;
      return [`/login${suffix}`, `/callback${suffix}`].map((path) => ({ path, strategy }));
    });
    const { refused = '' } = await application.configure({
      subject: this.subject.id,
      strategies: names.map((name) => ({
        name,
        options: {
          ...this.subject.variants[variant],
          ...Object.fromEntries(addresses),
          callbackURL: `${application.url}/callback${names.length === 1 ? '' : `/${name}`}`,
          ...options,
          ...each(name),
        },
      })),
      routes: [...usual, ...routes],
      verify: settings.verify ?? 'accept',
      ...(settings.trusted !== undefined && { trusted: settings.trusted }),
      ...(settings.stubRandom !== undefined && { stubRandom: settings.stubRandom }),
      ...(settings.sessions !== undefined && { sessions: settings.sessions }),
      ...(settings.plain !== undefined && { plain: settings.plain }),
    });
    if (refused && !settings.mayRefuse) throw new Error(`the strategy refused its options: ${refused}`);
    return refused;
  }

  /** An address of the application. @param {string} path @param {Record<string, string>} [query] */
  at(path, query = {}) {
    const search = new URLSearchParams(query).toString();
    return `${this.application.url}${path}${search === '' ? '' : `?${search}`}`;
  }

  /**
   * A browser starts a login.
   *
   * @param {Browser} browser
   * @param {{ path?: string, headers?: Record<string, string>, patience?: number }} [settings]
   * @returns {Promise<Login>}
   */
  async begin(browser, { path = '/login', ...settings } = {}) {
    const answer = await browser.get(this.at(path), settings);
    if (answer.outcome !== 'redirect') {
      throw new Unfit(`a login did not start: ${answer.status} ${answer.json?.messages ?? ''}`);
    }
    const authorization = new URL(answer.location);
    const requestToken = authorization.searchParams.get('oauth_token') ?? '';
    const asked = this.network.callsOf('request token').at(-1)?.signed.oauth_callback;
    return {
      answer,
      authorization,
      requestToken,
      back: (this.oauth1 ? asked : authorization.searchParams.get('redirect_uri')) ?? '',
      state: authorization.searchParams.get('state') ?? '',
    };
  }

  /** What the network sends back with the browser once the person agreed. @param {Login} login @param {string} [person] */
  consent({ requestToken, state }, person = 'alice') {
    /** @type {Record<string, string>} */
    const query = this.oauth1
      ? { oauth_token: requestToken, oauth_verifier: this.network.issue('verifier', person) }
      : {
          code: this.network.issue('code', person),
          ...(state !== '' && { state }),
          ...(this.facts.ownParameters.includes('device_id') && { device_id: 'device-of-the-bench' }),
        };
    if (this.oauth1) this.network.authorize(requestToken, person);
    return query;
  }

  /**
   * The address with which the network sends the browser back.
   *
   * @param {Login} login
   * @param {{ person?: string, path?: string, query?: Record<string, string> }} [settings]
   */
  callback(login, { person, path = '/callback', query = {} } = {}) {
    return this.at(path, { ...this.consent(login, person), ...query });
  }

  /** A whole login in a new browser. @param {{ person?: string, patience?: number }} [settings] */
  async login({ person, patience } = {}) {
    const browser = new Browser();
    const login = await this.begin(browser);
    return browser.get(this.callback(login, { ...(person !== undefined && { person }) }), {
      ...(patience !== undefined && { patience }),
    });
  }

  /** A login that has to succeed before the question makes sense. @param {{ person?: string }} [settings] */
  async mustLogIn(settings) {
    const answer = await this.login(settings);
    if (answer.outcome !== 'success') throw new Unfit(`an ordinary login failed: ${told(answer)}`);
    return answer;
  }

  async close() {
    await Promise.all([...this.#applications, ...this.#networks].map((opened) => opened.close()));
    await Promise.all(this.#folders.map((folder) => rm(folder, { recursive: true, force: true })));
  }
}
