import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/**
 * What the process under question remembers of its requests; `endings`: how often it was asked to log somebody in, or told of a
 * failure or an error.
 *
 * @typedef {{
 *   verified: { token: unknown, tokenType: string, secondType: string, id: unknown, idType: string, name: unknown }[],
 *   errors: string[],
 *   endings: number,
 * }} Journal
 */

const SCRIPT = fileURLToPath(new URL('application.mjs', import.meta.url));
/** Milliseconds in which a process must have started, and answered a command. */
const PATIENCE = 15_000;

/** The application could not even be set up: the bench is at fault, not a subject. */
export class ConfigurationTrouble extends Error {}

/** The process under question, seen from outside. */
export class ApplicationProcess {
  output = '';
  #answers = new Map();
  #count = 0;
  #child;
  #closing = false;
  /** @type {Promise<void>} */
  #ended;
  /** The port that it listens on. */
  port = 0;
  dead = false;

  constructor() {
    this.#child = fork(SCRIPT, [], {
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      serialization: 'advanced',
      env: { ...process.env, NO_COLOR: '1', NODE_OPTIONS: '', NODE_ENV: 'development' },
    });
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text) => {
        this.output += text;
      });
    }
    this.#child.on('message', (/** @type {{ id: number, answer: unknown }} */ { id, answer }) => {
      this.#answers.get(id)?.(answer);
    });
    this.#ended = new Promise((resolve) => {
      this.#child.once('close', () => {
        this.dead = !this.#closing;
        for (const answer of this.#answers.values()) answer(undefined);
        resolve();
      });
    });
  }

  static async start() {
    const application = new ApplicationProcess();
    const address = await application.#answerTo(0);
    if (!address) throw new Error(`the application did not start: ${application.lastWords()}`);
    application.port = /** @type {import('node:net').AddressInfo} */ (address).port;
    return application;
  }

  get url() {
    return `http://127.0.0.1:${this.port}`;
  }

  /** @param {import('./application.mjs').Settings} settings @returns {Promise<{ refused?: string }>} */
  async configure(settings) {
    const answer = await this.#command('start', settings);
    if (answer === undefined)
      throw new ConfigurationTrouble(`the application was not set up: ${this.lastWords()}`);
    return /** @type {{ refused?: string }} */ (answer);
  }

  /** @returns {Promise<Journal>} */
  async journal() {
    const nothing = { verified: [], errors: [], endings: 0 };
    return /** @type {Journal} */ ((await this.#command('journal')) ?? nothing);
  }

  /** Lets its clock run ahead. @param {number} milliseconds */
  async advance(milliseconds) {
    await this.#command('advance', milliseconds);
  }

  /** Keeps it busy: nothing else runs in it meanwhile. @param {number} milliseconds */
  async stall(milliseconds) {
    await this.#command('stall', milliseconds);
  }

  /** Waits until a request waits at a route with `held`. */
  async holdsRequest() {
    await this.#command('holds');
  }

  /** Requests an API with the HTTP client that the strategy offers to applications. @param {string} url @param {string} token */
  async requestAPI(url, token) {
    await this.#command('requestAPI', { url, token });
  }

  /** How its strategies print. @returns {Promise<string>} */
  async print() {
    return String(await this.#command('print'));
  }

  /** Whether the process ended by itself; waits a moment, because a connection breaks before its process is gone. */
  async died() {
    await Promise.race([this.#ended, new Promise((resolve) => setTimeout(resolve, 150))]);
    return this.dead;
  }

  /** The line that says why it ended. */
  lastWords() {
    const lines = this.output.split('\n').map((line) => line.trim());
    return (
      lines.find((line) => /^(\w+)?(Error|Exception)\b.*:/.test(line)) ??
      lines.findLast(Boolean) ??
      'no output'
    );
  }

  async close() {
    this.#closing = !this.dead;
    this.#child.kill('SIGKILL');
    await this.#ended;
  }

  /** @param {string} command @param {unknown} [value] */
  #command(command, value) {
    this.#count += 1;
    const id = this.#count;
    const answer = this.#answerTo(id);
    if (this.#child.connected) this.#child.send({ id, command, value });
    else this.#answers.get(id)?.(undefined);
    return answer;
  }

  /** @param {number} id @returns {Promise<unknown>} `undefined` when the process ended or is too busy to answer. */
  #answerTo(id) {
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(undefined), PATIENCE);
      this.#answers.set(id, (/** @type {unknown} */ answer) => {
        clearTimeout(timer);
        resolve(answer);
      });
    });
  }
}
