// 1 to 10,000 logins waiting at once, ours and the floor, each in a process of its own.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { askStub } from '../network/processes.mjs';
import { failureText } from '../rounds.mjs';

const run = promisify(execFile);

/**
 * @typedef {object} FlightFigures
 * @property {number} logins - Started.
 * @property {number} finished
 * @property {number} heap - Bytes of JavaScript's memory and its buffers for one login.
 * @property {number} rss - Bytes of the process's memory for one login.
 * @property {number} longest - Milliseconds that the event loop stood still at worst.
 * @property {number} loginsPerSecond
 */
/** @typedef {{ client: 'ours' | 'floor', logins: number, failure?: string, figures?: FlightFigures }} FlightResult */

/**
 * @param {import('../network/processes.mjs').NetworkAddresses} addresses
 * @param {{ sizes: number[] }} size
 * @returns {Promise<FlightResult[]>}
 */
export async function measureFlight(addresses, { sizes }) {
  /** @type {FlightResult[]} */
  const results = [];
  for (const logins of sizes) {
    for (const client of /** @type {const} */ (['ours', 'floor'])) {
      const args = ['--expose-gc', join(import.meta.dirname, 'waiting.mjs'), client, String(logins)];
      const env = { ...process.env, BENCH_NETWORK: JSON.stringify(addresses) };
      try {
        const { failure, ...figures } = JSON.parse((await run(process.execPath, args, { env })).stdout);
        results.push(failure ? { client, logins, failure } : { client, logins, figures });
      } catch (error) {
        results.push({ client, logins, failure: failureText(error) });
      }
      // What a process that died left waiting.
      await askStub(addresses, 'release?per-second=1000');
    }
  }
  return results;
}
