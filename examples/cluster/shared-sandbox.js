// @ts-check
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { end, watched } from './processes.js';

/** @typedef {import('passport-social-networks/sandbox').Sandbox} Sandbox */

/**
 * What an instance has to know of the sandbox; it travels as JSON.
 *
 * @typedef {object} SharedSandbox
 * @property {string} url
 * @property {Record<string, object>} options By network and version
 */

/** Starts the sandbox. @returns {Promise<{ shared: SharedSandbox, stop: () => Promise<void> }>} */
export async function startSharedSandbox() {
  const child = watched(fork(join(import.meta.dirname, 'sandbox.js')));
  const exit = once(child, 'exit').then(() => Promise.reject(new Error('The sandbox did not start.')));
  const [shared] = await Promise.race([once(child, 'message'), exit]);
  return { shared, stop: () => end(child, 'SIGTERM') };
}

/**
 * The sandbox as the examples know it.
 *
 * @param {string} text JSON of {@link SharedSandbox}
 * @returns {Pick<Sandbox, 'url' | 'options'>}
 */
export function readSharedSandbox(text) {
  /** @type {SharedSandbox} */
  const { url, options } = JSON.parse(text);
  const find = (/** @type {string} */ network, { version = '' } = {}) =>
    options[`${network} ${version}`.trimEnd()];
  return { url, options: /** @type {Sandbox['options']} */ (find) };
}
