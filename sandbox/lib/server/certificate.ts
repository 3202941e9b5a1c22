import { randomBytes } from 'node:crypto';
import { isIP } from 'node:net';
import { promisify } from 'node:util';

const DAY = 86_400_000;

/** Self-signed, for this machine's names and the host. It cannot sign other certificates, so an application may trust it. The key stays in memory. */
export async function makeCertificate(host: string) {
  // Loaded here, because a sandbox without https does not need it.
  const { md, pki }: typeof import('node-forge') = require('node-forge');
  const { privateKey, publicKey } = await promisify(pki.rsa.generateKeyPair)({ bits: 2048 });
  const certificate = pki.createCertificate();
  certificate.publicKey = publicKey;
  // The first bit must be 0: a serial number is positive.
  certificate.serialNumber = `01${randomBytes(15).toString('hex')}`;
  certificate.validity.notBefore = new Date(Date.now() - DAY);
  certificate.validity.notAfter = new Date(Date.now() + 30 * DAY);
  const subject = [{ name: 'commonName', value: 'passport-social-networks-sandbox' }];
  certificate.setSubject(subject);
  certificate.setIssuer(subject);
  // Types 7 and 2 of RFC 5280, section 4.2.1.6: an IP address, or a DNS name.
  const altNames = [...new Set(['localhost', '127.0.0.1', '::1', host])].map((name) =>
    isIP(name) === 0 ? { type: 2, value: name } : { type: 7, ip: name },
  );
  certificate.setExtensions([
    { name: 'basicConstraints', cA: false, critical: true },
    { name: 'keyUsage', digitalSignature: true, keyEncipherment: true, critical: true },
    { name: 'extKeyUsage', serverAuth: true },
    { name: 'subjectAltName', altNames },
  ]);
  certificate.sign(privateKey, md.sha256.create());
  return { key: pki.privateKeyToPem(privateKey), cert: pki.certificateToPem(certificate) };
}
