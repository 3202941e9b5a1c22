import { request } from 'node:http';
import { expect } from 'chai';
import { type SandboxSettings, startSandbox } from '../../sandbox/lib/index.js';
import { realSockets } from '../support/real-sockets.js';

/** The status of a request with a `Host` header, as a web page sends it whose own name was made to point at this machine. */
async function statusFor(host: string, settings: SandboxSettings = {}): Promise<number | undefined> {
  const sandbox = await startSandbox(settings);
  const { port } = new URL(sandbox.url);
  try {
    return await new Promise((resolve, reject) => {
      const headers = { host: host.replace('PORT', port) };
      request({ host: '127.0.0.1', port, path: '/', headers }, (response) => {
        response.resume().on('end', () => resolve(response.statusCode));
      })
        .on('error', reject)
        .end();
    });
  } finally {
    await sandbox.close();
  }
}

describe('The sandbox and the names of its host', () => {
  realSockets();

  for (const host of ['127.0.0.1:PORT', 'localhost:PORT', 'app.localhost:PORT', '[::1]:PORT', 'LOCALHOST']) {
    it(`responds to ${host}`, async () => {
      expect(await statusFor(host)).to.equal(200);
    });
  }

  for (const host of [
    'rebound.example',
    'rebound.example:PORT',
    '127.0.0.1.rebound.example',
    'localhost.example',
    '0.0.0.0:PORT',
  ]) {
    it(`does not respond to ${host}: a web page could have made that name its own`, async () => {
      expect(await statusFor(host)).to.equal(421);
    });
  }

  it('responds to any name if it was told to listen on another address, for example in a container', async () => {
    expect(await statusFor('sandbox:4000', { host: '0.0.0.0' })).to.equal(200);
  });
});
