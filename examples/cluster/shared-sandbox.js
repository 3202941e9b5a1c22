// @ts-check
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { end, trackProcess } from './processes.js';

/** @typedef {import('passport-social-networks-sandbox').Sandbox} Sandbox */

/**
 * What an instance needs to know about the sandbox, passed on as JSON.
 *
 * @typedef {object} SharedSandbox
 * @property {string} url
 * @property {Record<string, object>} options Keyed by network and version
 */

/** Starts the sandbox. @returns {Promise<{ shared: SharedSandbox, stop: () => Promise<void> }>} */
export async function startSharedSandbox() {
  const child = trackProcess(fork(join(import.meta.dirname, 'sandbox.js')));
  const exit = once(child, 'exit').then(() => Promise.reject(new Error('The sandbox did not start.')));
  const [shared] = await Promise.race([once(child, 'message'), exit]);
  return { shared, stop: () => end(child, 'SIGTERM') };
}

/**
 * Describes a running sandbox to the instances.
 *
 * @param {Pick<Sandbox, 'url' | 'options'>} sandbox
 * @returns {SharedSandbox}
 */
export function shareSandbox({ url, options }) {
  return {
    url,
    options: {
      'short-video': options('short-video'),
      microblog: options('microblog'),
      'microblog 1.0': options('microblog', { version: '1.0' }),
      'social-network': options('social-network'),
      'social-network 2.1': options('social-network', { version: '2.1' }),
    },
  };
}

/**
 * Restores the part of the sandbox's interface that the examples use.
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
