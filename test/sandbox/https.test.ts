import { X509Certificate } from 'node:crypto';
import { Agent } from 'node:https';
import { expect } from 'chai';
import { type Sandbox, startSandbox } from '../../sandbox/lib/index.js';
import { Browser } from '../../sandbox/lib/rehearsal/browser.js';
import { subjects, titleOf } from '../contract/strategies.js';
import { loginApp } from '../support/login-app.js';
import { realSockets } from '../support/real-sockets.js';
import { strategyFor } from './fault-logins.js';
import { withSandbox } from './requests.js';

/** Whose certificate is checked, unlike `fetch` here. */
const secureGet = async (url: string, ca?: string) => {
  const browser = new Browser(ca === undefined ? {} : { ca });
  const { response, location = '' } = await browser.visit(url);
  return { status: response.status, location, text: await response.text() };
};

describe('The sandbox with https', () => {
  realSockets();

  let sandbox: Sandbox;

  before(async () => {
    sandbox = await startSandbox({ https: true });
  });

  after(() => sandbox.close());

  const ca = () => sandbox.certificate ?? '';

  it('has a certificate of its own for localhost, 127.0.0.1 and ::1, which clients can trust', async () => {
    const { protocol, port } = new URL(sandbox.url);
    expect(protocol).to.equal('https:');
    for (const name of ['127.0.0.1', 'localhost']) {
      const { status, text } = await secureGet(`https://${name}:${port}/`, ca());
      expect(status).to.equal(200);
      expect(text).to.include(`<code>${sandbox.url}</code>`);
    }
    const certificate = new X509Certificate(ca());
    expect(certificate.subjectAltName).to.equal(
      'DNS:localhost, IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1',
    );
    expect(certificate.ca).to.equal(false);
    expect(certificate.verify(certificate.publicKey)).to.equal(true);
  });

  it('is not trusted by a client that was not told to', async () => {
    const error: unknown = await secureGet(sandbox.url).catch((reason: unknown) => reason);
    expect(error).to.have.property('code', 'DEPTH_ZERO_SELF_SIGNED_CERT');
  });

  it('makes another key at every start, also for a name of the host', async () => {
    await withSandbox({ https: true, host: 'localhost' }, async (other) => {
      expect(other.certificate).not.to.equal(sandbox.certificate);
    });
  });

  it('has no certificate without it', () =>
    withSandbox({}, async ({ certificate }) => expect(certificate).to.equal(undefined)));

  for (const subject of subjects()) {
    it(`logs in with ${titleOf(subject)}, through an agent that trusts the certificate`, async () => {
      const agent = new Agent({ ca: ca() });
      const app = await loginApp(strategyFor(subject, sandbox, 5_000, { agent }));
      const start = await fetch(`${app.url}/login/${subject.provider}`, { redirect: 'manual' });
      const consent = await secureGet(`${start.headers.get('location')}&auto=allow&person=alice`, ca());
      const cookie = start.headers.getSetCookie().map((line) => line.split(';')[0]);
      const end = await fetch(consent.location, { headers: { Cookie: cookie.join('; ') } });
      expect(end.status).to.equal(200);
      await app.close();
      agent.destroy();
    });
  }

  it('tries a login from the console', async () => {
    const start = await secureGet(`${sandbox.url}/try/microblog/3`, ca());
    const consent = await secureGet(`${start.location}&auto=allow`, ca());
    expect((await secureGet(consent.location, ca())).text).to.include('What the application gets');
  });
});
