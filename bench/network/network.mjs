// Starts the processes that play the network (server.mjs) and its distance (relay.mjs), and sends them orders.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { order, startProcess } from '../processes.mjs';

/**
 * @typedef {object} NetworkAddresses
 * @property {string} token - Origin of the token host.
 * @property {string} api - Origin of the API host.
 * @property {number} control - The control port.
 */
/** @typedef {{ connections: number, requests: number, rejected: number }} Counts */
/** @typedef {'drop' | 'reset' | 'counts'} RelayOrder - `drop` closes all connections; `reset` starts to count round trips. */
/** @typedef {'counts' | 'reset' | 'hold' | `release?per-second=${number}`} StubOrder */

const CURVE = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];

/**
 * @returns {Promise<{ addresses: NetworkAddresses, env: { NODE_EXTRA_CA_CERTS: string }, stop: () => void }>} A process started
 *   with `env` trusts the network's certificate.
 * @throws {Error} when there is no openssl.
 */
export async function startNetwork() {
  const folder = mkdtempSync(join(tmpdir(), 'bench-certificate-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    const key = join(folder, 'key.pem');
    const certificate = join(folder, 'certificate.pem');
    makeCertificate(key, certificate, ['localhost']);
    const { ports, stop } = await startProcess('network/server.mjs', [key, certificate]);
    return {
      addresses: {
        token: `https://127.0.0.1:${ports.token}`,
        api: `https://127.0.0.1:${ports.api}`,
        control: ports.control ?? 0,
      },
      env: { NODE_EXTRA_CA_CERTS: certificate },
      stop() {
        stop();
        remove();
      },
    };
  } catch (error) {
    remove();
    throw error;
  }
}

/** Self-signed, for this machine and names that lead to it. Node cannot write certificates, so openssl does. @param {string} key @param {string} certificate @param {readonly string[]} hosts */
export function makeCertificate(key, certificate, hosts) {
  const names = ['IP:127.0.0.1', ...hosts.map((host) => `DNS:${host}`)].join(',');
  const subject = ['-subj', '/CN=localhost', '-addext', `subjectAltName=${names}`];
  const files = ['-keyout', key, '-out', certificate, '-days', '2'];
  try {
    execFileSync('openssl', ['req', '-x509', ...CURVE, ...subject, ...files], { stdio: 'pipe' });
  } catch (error) {
    const { code, message } = /** @type {NodeJS.ErrnoException} */ (error);
    const reason = code === 'ENOENT' ? 'openssl is not installed' : message.split('\n').join(' ');
    throw new Error(`No certificate for this machine: ${reason}.`);
  }
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
