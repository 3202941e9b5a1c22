// @ts-check
import { once } from 'node:events';
import { pause } from './ports.js';
import { end, startNode } from './processes.js';

/** How long a killed instance stays down, in milliseconds. */
const RESTART_DELAY = 500;
/** How long an instance must have been up before the next kill, in milliseconds. The balancer avoids it for a second. */
const MIN_UPTIME = 1_500;

/** @typedef {import('node:child_process').ChildProcess} ChildProcess */

/** The application's processes, each on its own port. */
export class Instances {
  /** How many instances have been killed so far. */
  kills = 0;
  /** How many instances crashed. */
  crashes = 0;
  restarts = /** @type {Set<Promise<void>>} */ (new Set());

  /** @private @param {readonly number[]} ports @param {Readonly<Record<string, string>>} environment */
  constructor(ports, environment) {
    this.environment = environment;
    /** `child` is undefined while the instance is down; `since` is when it came up, by `performance.now()`. */
    this.slots = ports.map((port) => ({
      port,
      child: /** @type {ChildProcess | undefined} */ (undefined),
      since: 0,
    }));
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
    await Promise.all(this.restarts);
    const children = this.slots.map(({ child }) => child);
    for (const slot of this.slots) slot.child = undefined;
    await Promise.all(children.map((child) => end(child, 'SIGTERM')));
    if (this.crashes > 0) throw new Error(`${this.crashes} instances crashed.`);
  }

  /** @private @param {Instances['slots'][number]} slot */
  async startAt(slot) {
    const { child } = await startNode({ ...this.environment, PORT: String(slot.port) });
    child.once('exit', () => {
      if (slot.child === child) this.crashes += 1;
    });
    slot.child = child;
    slot.since = performance.now();
  }
}
