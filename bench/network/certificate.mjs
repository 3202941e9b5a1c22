// A self-signed certificate for this machine, in a folder of its own under the temporary folder. Node has no writer of
// certificates, so openssl makes it.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * @typedef {object} Certificate
 * @property {string} key - Path of the private key.
 * @property {string} certificate - Path of the certificate; clients trust it through NODE_EXTRA_CA_CERTS.
 * @property {() => void} remove - Deletes both.
 */

const SUBJECT = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1'];
const CURVE = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];

/**
 * @returns {Certificate}
 * @throws {Error} in one line when there is no openssl.
 */
export function makeCertificate() {
  const folder = mkdtempSync(join(tmpdir(), 'bench-certificate-'));
  const key = join(folder, 'key.pem');
  const certificate = join(folder, 'certificate.pem');
  const remove = () => rmSync(folder, { recursive: true, force: true });
  const files = ['-keyout', key, '-out', certificate, '-days', '2'];
  try {
    execFileSync('openssl', ['req', '-x509', ...CURVE, ...SUBJECT, ...files], { stdio: 'pipe' });
  } catch (error) {
    remove();
    const { code, message } = /** @type {NodeJS.ErrnoException} */ (error);
    const reason = code === 'ENOENT' ? 'there is no openssl on this machine' : message.split('\n').join(' ');
    throw new Error(`No certificate for the stub: ${reason}.`);
  }
  return { key, certificate, remove };
}
