// @ts-check
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { pause } from './ports.js';
import { end, watched } from './processes.js';

/** How long a killed instance stays away, in milliseconds. */
const AWAY = 500;
/** How long it takes requests before another one may be killed, in milliseconds: the balancer avoids it for a second. */
const SETTLED = 1_500;

/**
 * @typedef {object} Place
 * @property {number} port
 * @property {import('node:child_process').ChildProcess | undefined} child Absent while it does not take requests
 * @property {number} since When it began to, by `performance.now()`
 */

/** The processes of the application, each at a port of its own. */
export class Instances {
  /** @type {Place[]} */
  places;
  /** How many were killed so far. */
  kills = 0;
  /** How many ended of their own accord. */
  crashes = 0;
  /** @type {Set<Promise<void>>} */
  restarts = new Set();

  /**
   * @private
   * @param {readonly number[]} ports
   * @param {Readonly<Record<string, string>>} environment
   */
  constructor(ports, environment) {
    this.environment = environment;
    this.places = ports.map((port) => ({ port, child: undefined, since: 0 }));
  }

  /**
   * Starts them, and waits until all take requests.
   *
   * @param {readonly number[]} ports
   * @param {Readonly<Record<string, string>>} environment
   */
  static async start(ports, environment) {
    const instances = new Instances(ports, environment);
    await Promise.all(instances.places.map((place) => instances.startAt(place)));
    return instances;
  }

  /**
   * Kills one by chance, without a warning, and starts it again after a moment. Leaves the last one alone.
   *
   * @returns Whether one was killed
   */
  killOne() {
    const now = performance.now();
    const alive = this.places.filter(({ child, since }) => child !== undefined && now - since > SETTLED);
    const place = alive[Math.floor(Math.random() * alive.length)];
    if (!place?.child || alive.length < 2) return false;
    place.child.kill('SIGKILL');
    place.child = undefined;
    this.kills += 1;
    const restart = pause(AWAY).then(() => this.startAt(place));
    this.restarts.add(restart);
    restart.then(() => this.restarts.delete(restart)).catch(() => {});
    return true;
  }

  /** Waits until all are there again. */
  async recovered() {
    await Promise.all(this.restarts);
  }

  /** Processor time that those who are there have used so far, in milliseconds. */
  async processorTime() {
    const usages = this.places.map(async ({ child }) => {
      if (!child) return 0;
      const answer = once(child, 'message');
      child.send('usage');
      const [{ user, system }] = await answer;
      return (user + system) / 1_000;
    });
    return (await Promise.all(usages)).reduce((sum, usage) => sum + usage, 0);
  }

  /** @throws {Error} when one of them has crashed in the meantime */
  async stop() {
    await this.recovered();
    const children = this.places.map(({ child }) => child);
    for (const place of this.places) place.child = undefined;
    await Promise.all(children.map((child) => end(child, 'SIGTERM')));
    if (this.crashes > 0) throw new Error(`${this.crashes} instances ended of their own accord.`);
  }

  /** @private @param {Place} place */
  async startAt(place) {
    const child = fork(join(import.meta.dirname, 'instance.js'), [], {
      // Nothing of the machine's own environment: it may hold somebody's credentials.
      env: { PATH: process.env.PATH, ...this.environment, PORT: String(place.port) },
    });
    watched(child);
    const exit = once(child, 'exit').then(([code]) => {
      throw new Error(`An instance did not start: it ended with ${code}.`);
    });
    await Promise.race([once(child, 'message'), exit]);
    child.once('exit', () => {
      if (place.child === child) this.crashes += 1;
    });
    place.child = child;
    place.since = performance.now();
  }
}
