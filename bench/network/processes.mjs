// Starts the stub and the relay, each a process of its own, and speaks with the stub.
import { fork } from 'node:child_process';
import { join } from 'node:path';

/**
 * @typedef {object} NetworkAddresses
 * @property {string} token - Origin of the host that gives tokens.
 * @property {string} api - Origin of the host that tells who a person is.
 * @property {string} control - Origin of the port that counts.
 */
/** @typedef {{ connections: number, requests: number, refused: number }} Counts */
/** @typedef {'counts' | 'reset' | 'awake' | 'asleep' | 'hold' | `release?per-second=${number}`} StubOrder */

/**
 * @param {string} file - In this folder.
 * @param {string[]} args
 * @param {string} what - For messages.
 * @returns {Promise<{ ports: Record<string, number>, stop: () => void }>}
 */
function startProcess(file, args, what) {
  const child = fork(join(import.meta.dirname, file), args);
  return new Promise((resolve, reject) => {
    child.once('message', (ports) =>
      resolve({ ports: /** @type {Record<string, number>} */ (ports), stop: () => child.kill() }),
    );
    child.once('exit', (code) => reject(new Error(`${what} ended with code ${code} before it listened.`)));
  });
}

/**
 * @param {{ key: string, certificate: string }} files
 * @returns {Promise<{ addresses: NetworkAddresses, stop: () => void }>}
 */
export async function startStub({ key, certificate }) {
  const { ports, stop } = await startProcess('stub.mjs', [key, certificate], 'The stub');
  return {
    addresses: {
      token: `https://127.0.0.1:${ports.token}`,
      api: `https://127.0.0.1:${ports.api}`,
      control: `http://127.0.0.1:${ports.control}`,
    },
    stop,
  };
}

/**
 * The same network behind a relay, with the relay's own port for orders.
 *
 * @param {NetworkAddresses} addresses
 * @param {number} roundTrip - Milliseconds.
 * @returns {Promise<{ addresses: NetworkAddresses & { relay: string }, stop: () => void }>}
 */
export async function startRelay(addresses, roundTrip) {
  const targets = [addresses.token, addresses.api].map((origin) => new URL(origin).port);
  const { ports, stop } = await startProcess('relay.mjs', [String(roundTrip), ...targets], 'The relay');
  const [token, api] = targets.map((target) => `https://127.0.0.1:${ports[target]}`);
  const relay = `http://127.0.0.1:${ports.control}`;
  return { addresses: { ...addresses, relay, token: token ?? '', api: api ?? '' }, stop };
}

/**
 * @param {NetworkAddresses} addresses
 * @param {StubOrder} order
 * @returns {Promise<Counts>}
 * @throws {Error} in one line when the stub is not there.
 */
export async function askStub({ control }, order) {
  return /** @type {Counts} */ (await ask(control, order, 'The stub'));
}

/** Closes every connection through the relay. @param {{ relay: string }} addresses */
export async function dropConnections({ relay }) {
  await ask(relay, 'drop', 'The relay');
}

/** @param {string} origin @param {string} order @param {string} what */
async function ask(origin, order, what) {
  const response = await fetch(`${origin}/${order}`).catch((error) => {
    throw new Error(`${what} at ${origin} does not answer: ${error.cause?.code ?? error.message}.`);
  });
  return response.json();
}
