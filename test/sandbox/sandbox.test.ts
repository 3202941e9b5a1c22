import { request } from 'node:http';
import { expect } from 'chai';
import { type SandboxSettings, startSandbox } from '../../sandbox/lib/index.js';
import { Browser } from '../support/browser.js';
import { realSockets } from '../support/real-sockets.js';
import { rejectionOf } from '../support/thrown.js';
import { collectsWarnings } from '../support/warnings.js';
import { ClassicClient, OAuth1Client, OAuth2Client, ShortVideoClient, VkIdClient } from './clients.js';
import { eachSandbox, get, REDIRECT_URI, withSandbox } from './requests.js';

describe('The sandbox', () => {
  const sandbox = eachSandbox();

  it('listens on a free port of this machine', async () => {
    expect(sandbox.url).to.match(/^http:\/\/127\.0\.0\.1:\d+$/);
    await withSandbox({}, async (other) => expect(other.url).not.to.equal(sandbox.url));
  });

  it('listens on the given host and port', async () => {
    const { port } = new URL(sandbox.url);
    await sandbox.close();
    await withSandbox({ port: Number(port), host: 'localhost' }, async ({ url }) => {
      expect(url).to.equal(`http://localhost:${port}`);
      expect((await get(url)).status).to.equal(200);
    });
  });

  it('does not start on a port that is in use', async () => {
    const port = Number(new URL(sandbox.url).port);
    const error = await rejectionOf(startSandbox({ port }));
    expect(error).to.be.an('error').that.includes({ code: 'EADDRINUSE', port });
    const next = port === 65_535 ? 1_024 : port + 1;
    expect((error as Error).message).to.equal(
      `startSandbox: port ${port} is in use. Take another, such as startSandbox({ port: ${next} }), or leave port out for any free one.`,
    );
  });

  it('stops even while a client keeps its connection open', async () => {
    const other = await startSandbox();
    const response = await fetch(other.url, { headers: { Connection: 'keep-alive' } });
    await response.text();
    await other.close();
    expect(await rejectionOf(fetch(other.url))).to.be.an('error');
    await other.close();
  });

  it('does not name its framework, and lets nothing be cached', async () => {
    const { headers } = await get(sandbox.url);
    expect(headers.get('x-powered-by')).to.equal(null);
    expect(headers.get('cache-control')).to.equal('no-store');
  });

  it('lists its people', () => {
    expect(sandbox.people.map(({ id }) => id).join(' ')).to.equal(
      'alice anna hanako ned max boris hubert layla dora',
    );
  });

  describe('requests', () => {
    it('are logged with network, endpoint, method, path and status, newest last', async () => {
      const before = Date.now();
      await new ShortVideoClient(sandbox).tokens('alice');
      await get(new VkIdClient(sandbox).authorization());
      const requests = sandbox.requests().map(({ time, ...request }) => {
        expect(time).to.be.within(before, Date.now());
        return request;
      });
      expect(requests).to.deep.equal([
        {
          network: 'short-video',
          endpoint: 'authorization',
          method: 'GET',
          path: '/short-video/v2/auth/authorize/',
          status: 302,
        },
        {
          network: 'short-video',
          endpoint: 'token',
          method: 'POST',
          path: '/short-video/v2/oauth/token/',
          status: 200,
        },
        {
          network: 'social-network',
          endpoint: 'authorization',
          method: 'GET',
          path: '/vk-id/authorize',
          status: 200,
        },
      ]);
    });

    it('are limited to the latest thousand', async () => {
      for (let n = 0; n < 1005; n += 1) await new Browser().get(`${sandbox.url}/microblog/${n}`);
      expect(sandbox.requests()).to.have.length(1000);
      expect(sandbox.requests()[0]?.path).to.equal('/microblog/5');
      expect(sandbox.requests().at(-1)?.path).to.equal('/microblog/1004');
    });

    it('hold no secret, code or token', async () => {
      const { clientSecret } = sandbox.options('short-video');
      const client = new ShortVideoClient(sandbox);
      const code = await client.code();
      await client.exchange(code, { client_key: clientSecret });
      await client.exchange(code, { redirect_uri: clientSecret });
      await get(client.authorization({ client_key: clientSecret }));
      await client.profile(code, clientSecret);
      expect(sandbox.requests()).to.have.length(5);
      expect(JSON.stringify(sandbox.requests())).not.to.include(clientSecret).and.not.to.include(code);
    });

    it('cannot be changed by the caller', async () => {
      await get(`${sandbox.url}/microblog/x`);
      (sandbox.requests() as unknown[]).pop();
      expect(sandbox.requests()).to.have.length(1);
      expect(sandbox.requests()[0]).to.satisfy(Object.isFrozen);
    });

    it('to the pictures and the root page are not logged', async () => {
      await get(sandbox.url);
      await get(`${sandbox.url}/pictures/alice.svg`);
      await get(`${sandbox.url}/nowhere`);
      expect(sandbox.requests()).to.deep.equal([]);
    });
  });

  describe('reset', () => {
    it('deletes codes, request tokens and tokens', async () => {
      const [shortVideo, classic] = [new ShortVideoClient(sandbox), new ClassicClient(sandbox)];
      const [oauth2, oauth1] = [new OAuth2Client(sandbox), new OAuth1Client(sandbox)];
      const vkId = new VkIdClient(sandbox);
      const [first, second] = [await shortVideo.code(), await classic.code()];
      const { token: pending } = await oauth1.requestToken();
      const { accessToken, refreshToken } = await oauth2.tokens();
      const token = await oauth1.accessToken();
      const { access_token } = await vkId.tokens();
      sandbox.reset();
      expect((await shortVideo.exchange(first)).json).to.include({ error: 'invalid_grant' });
      expect((await classic.exchange(second)).json).to.include({ error: 'invalid_grant' });
      expect((await get(oauth1.authorization(pending))).status).to.equal(403);
      expect((await oauth2.lookup(accessToken)).status).to.equal(401);
      expect((await oauth2.refresh(refreshToken)).status).to.equal(400);
      expect((await oauth1.verifyCredentials(token)).status).to.equal(401);
      expect((await vkId.userInfo({ access_token })).json).to.include({ error: 'invalid_token' });
    });

    it('deletes nonces and requests', async () => {
      const oauth1 = new OAuth1Client(sandbox);
      const oauth_timestamp = String(Math.floor(Date.now() / 1000));
      const oauth = { oauth_callback: REDIRECT_URI, oauth_nonce: 'same', oauth_timestamp };
      await oauth1.start(oauth);
      sandbox.reset();
      expect(sandbox.requests()).to.deep.equal([]);
      expect((await oauth1.start(oauth)).status).to.equal(200);
    });
  });

  describe('advance', () => {
    it('adds up', async () => {
      const client = new ShortVideoClient(sandbox);
      const code = await client.code();
      sandbox.advance(30_000);
      sandbox.advance(30_000);
      expect((await client.exchange(code)).json).to.include({ error: 'invalid_grant' });
    });

    for (const milliseconds of [-1, Number.NaN, Number.POSITIVE_INFINITY, 1e20]) {
      it(`rejects ${milliseconds}`, () => {
        expect(() => sandbox.advance(milliseconds)).to.throw(RangeError, 'takes zero or more milliseconds');
      });
    }
  });
});

/** The status of a request with a `Host` header, as a web page sends it whose own name was made to point at this machine. */
function statusFor(host: string, settings: SandboxSettings = {}): Promise<number | undefined> {
  return withSandbox(settings, ({ url }) => {
    const { port } = new URL(url);
    const headers = { host: host.replace('PORT', port) };
    return new Promise((resolve, reject) => {
      request({ host: '127.0.0.1', port, path: '/', headers }, (response) => {
        response.resume().on('end', () => resolve(response.statusCode));
      })
        .on('error', reject)
        .end();
    });
  });
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

describe('The sandbox in production', () => {
  const warnings = collectsWarnings();
  const { NODE_ENV: mode } = process.env;

  afterEach(() => {
    if (mode === undefined) delete process.env.NODE_ENV;
    else process.env.NODE_ENV = mode;
  });

  async function startAndClose(): Promise<void> {
    const sandbox = await startSandbox();
    await sandbox.close();
  }

  it('warns once, and only there', async () => {
    process.env.NODE_ENV = 'test';
    await startAndClose();
    expect(await warnings.texts()).to.deep.equal([]);
    process.env.NODE_ENV = 'production';
    await startAndClose();
    await startAndClose();
    expect(await warnings.texts()).to.deep.equal([
      'The sandbox was started with NODE_ENV=production. Anyone who can reach it can log in as anyone: use it for development and tests only.',
    ]);
  });
});
