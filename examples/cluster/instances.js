// @ts-check
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { pause } from './ports.js';
import { end, trackProcess } from './processes.js';

/** How long a killed instance stays down, in milliseconds. */
const RESTART_DELAY = 500;
/** How long an instance must have been up before the next kill, in milliseconds. The balancer avoids it for a second. */
const MIN_UPTIME = 1_500;

/**
 * @typedef {object} Slot
 * @property {number} port
 * @property {import('node:child_process').ChildProcess | undefined} child Undefined while the instance is down
 * @property {number} since When the instance came up, by `performance.now()`
 */

/** The application's processes, each on its own port. */
export class Instances {
  /** @type {Slot[]} */
  slots;
  /** How many instances have been killed so far. */
  kills = 0;
  /** How many instances crashed. */
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
    this.slots = ports.map((port) => ({ port, child: undefined, since: 0 }));
  }

  /**
   * Starts one instance per port and waits until all accept requests.
   *
   * @param {readonly number[]} ports
   * @param {Readonly<Record<string, string>>} environment
   */
  static async start(ports, environment) {
    const instances = new Instances(ports, environment);
    await Promise.all(instances.slots.map((slot) => instances.startAt(slot)));
    return instances;
  }

  /**
   * Kills a random instance with SIGKILL and restarts it after a moment. Never kills the last one.
   *
   * @returns Whether one was killed
   */
  killOne() {
    const now = performance.now();
    const alive = this.slots.filter(({ child, since }) => child !== undefined && now - since > MIN_UPTIME);
    const slot = alive[Math.floor(Math.random() * alive.length)];
    if (!slot?.child || alive.length < 2) return false;
    slot.child.kill('SIGKILL');
    slot.child = undefined;
    this.kills += 1;
    const restart = pause(RESTART_DELAY).then(() => this.startAt(slot));
    this.restarts.add(restart);
    restart.then(() => this.restarts.delete(restart)).catch(() => {});
    return true;
  }

  /** Waits until every killed instance is up again. */
  async allRestarted() {
    await Promise.all(this.restarts);
  }

  /** CPU time that the running instances have used so far, in milliseconds. */
  async cpuTime() {
    const usages = this.slots.map(async ({ child }) => {
      if (!child) return 0;
      const reply = once(child, 'message');
      child.send('usage');
      const [{ user, system }] = await reply;
      return (user + system) / 1_000;
    });
    return (await Promise.all(usages)).reduce((sum, usage) => sum + usage, 0);
  }

  /** @throws {Error} if an instance has crashed */
  async stop() {
    await this.allRestarted();
    const children = this.slots.map(({ child }) => child);
    for (const slot of this.slots) slot.child = undefined;
    await Promise.all(children.map((child) => end(child, 'SIGTERM')));
    if (this.crashes > 0) throw new Error(`${this.crashes} instances crashed.`);
  }

  /** @private @param {Slot} slot */
  async startAt(slot) {
    const child = fork(join(import.meta.dirname, 'instance.js'), [], {
      // Do not pass on this machine's environment, which may contain real credentials.
      env: { PATH: process.env.PATH, ...this.environment, PORT: String(slot.port) },
    });
    trackProcess(child);
    const exit = once(child, 'exit').then(([code]) => {
      throw new Error(`An instance did not start: exit code ${code}.`);
    });
    await Promise.race([once(child, 'message'), exit]);
    child.once('exit', () => {
      if (slot.child === child) this.crashes += 1;
    });
    slot.child = child;
    slot.since = performance.now();
  }
}
