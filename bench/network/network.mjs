// Starts the processes that play the network (server.mjs) and its distance (relay.mjs), and sends them orders.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { order, startProcess } from '../processes.mjs';

/** The origins of the token host and the API host, and the control port. @typedef {{ token: string, api: string, control: number }} NetworkAddresses */
/** @typedef {{ connections: number, requests: number, rejected: number }} Counts */
/** @typedef {'drop' | 'reset' | 'counts'} RelayOrder - `drop` closes all connections; `reset` starts to count round trips. */
/** @typedef {'counts' | 'reset' | 'hold' | `release?per-second=${number}`} StubOrder */

/**
 * @returns {Promise<{ addresses: NetworkAddresses, env: { NODE_EXTRA_CA_CERTS: string }, stop: () => void }>} A process started
 *   with `env` trusts the network's certificate.
 * @throws {Error} when there is no openssl.
 */
export async function startNetwork() {
  const folder = mkdtempSync(join(tmpdir(), 'bench-certificate-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')];
  // Node cannot write certificates.
  const request = `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost -addext subjectAltName=IP:127.0.0.1`;
  execFileSync('openssl', [...request.split(' '), '-keyout', key, '-out', certificate], { stdio: 'pipe' });
  const { ports, stop } = await startProcess('network/server.mjs', [key, certificate]);
  const [token, api] = [ports.token, ports.api].map((port) => `https://127.0.0.1:${port}`);
  const addresses = /** @type {NetworkAddresses} */ ({ token, api, control: ports.control });
  return { addresses, env: { NODE_EXTRA_CA_CERTS: certificate }, stop };
}

/**
 * The same network behind a relay, which delays every byte.
 *
 * @param {NetworkAddresses} addresses
 * @param {number} roundTrip - Milliseconds.
 * @returns {Promise<{ addresses: NetworkAddresses, ask: (what: RelayOrder) => Promise<{ roundTrips: number }>, stop: () => void }>}
 */
export async function startRelay(addresses, roundTrip) {
  const targets = [addresses.token, addresses.api].map((origin) => new URL(origin).port);
  const { ports, stop } = await startProcess('network/relay.mjs', [String(roundTrip), ...targets]);
  const [token = '', api = ''] = targets.map((target) => `https://127.0.0.1:${ports[target]}`);
  return {
    addresses: { ...addresses, token, api },
    ask: (what) => order(ports.control, what),
    stop,
  };
}

/** @param {NetworkAddresses} addresses @param {StubOrder} what @returns {Promise<Counts>} @throws {Error} when the stub does not respond. */
export const askStub = ({ control }, what) => order(control, what);
