import { createServer } from 'node:http';
import { type AddressInfo, Socket } from 'node:net';
import { mock } from 'node:test';
import { inspect } from 'node:util';
import { expect } from 'chai';
import { ShortVideoStrategy, SocialNetworkStrategy } from '../../../lib/index.js';
import { TOKEN_ANSWER } from '../../short-video/network.js';
import { USER, TOKEN_ANSWER as VK_TOKENS, verifyProfile } from '../../social-network/network.js';
import { Browser, type Page } from '../../support/browser.js';
import { closesAfterEach } from '../../support/cleanup.js';
import { start } from '../../support/journey.js';
import { loginApp } from '../../support/login-app.js';
import { realSockets } from '../../support/real-sockets.js';
import { network, serveRaw, type TestServer } from '../../support/server.js';

import nock = require('nock');

describe('preconnect during a login', () => {
  realSockets();
  const close = closesAfterEach();

  it('there is no preconnect to the profile’s host if the profile may be skipped', async () => {
    let connections = 0;
    const profiles = close(
      await serveRaw(
        () => {},
        () => {
          connections += 1;
        },
      ),
    );
    const tokens = close(await network(() => ({ body: TOKEN_ANSWER })));
    const app = close(
      await loginApp(
        new ShortVideoStrategy(
          {
            clientID: 'CLIENT',
            clientSecret: 'CLIENT-SECRET',
            authorizationURL: `${tokens.url}/authorize`,
            tokenURL: `${tokens.url}/token`,
            profileURL: `${profiles.url}/profile`,
            skipUserProfile: async () => true,
          },
          (_token, _refresh, _profile, done) => done(null, { id: 'nobody knows' }),
        ),
      ),
    );
    const page = await logInAt(app, 'short-video');
    expect(page.json.user).to.deep.equal({ id: 'nobody knows' });
    expect(connections).to.equal(0);
  });

  it('the profile’s host, once a request has reached it, is preconnected while the token is requested', async () => {
    let connections = 0;
    const profiles = createServer((_request, response) => {
      response.setHeader('content-type', 'application/json').setHeader('connection', 'close');
      response.end(JSON.stringify({ data: { user: { open_id: 'PERSON' } }, error: { code: 'ok' } }));
    });
    profiles.on('connection', () => {
      connections += 1;
    });
    await new Promise<void>((resolve) => profiles.listen(0, '127.0.0.1', resolve));
    close({ close: async () => profiles.close().closeAllConnections() });
    const { port } = profiles.address() as AddressInfo;
    let isFirst = true;
    // Responds to the second login only after a connection to the other host.
    const tokens = close(
      await network(async () => {
        if (isFirst) expect(connections).to.equal(0);
        while (!isFirst && connections < 2) await new Promise((resolve) => setImmediate(resolve));
        isFirst = false;
        return { body: { ...TOKEN_ANSWER, open_id: 'PERSON' } };
      }),
    );
    const strategy = new ShortVideoStrategy(
      {
        clientID: 'CLIENT',
        clientSecret: 'CLIENT-SECRET',
        authorizationURL: `${tokens.url}/authorize`,
        tokenURL: `${tokens.url}/token`,
        profileURL: `http://127.0.0.1:${port}/profile`,
      },
      (_token, _refresh, { id }, done) => done(null, { id }),
    );
    const app = close(await loginApp(strategy));
    for (const login of [1, 2]) {
      const page = await logInAt(app, 'short-video');
      expect(page.json.user).to.deep.equal({ id: 'PERSON' });
      expect(connections).to.equal(login);
    }
  });
});

describe('preconnect beside a mock of node:http', () => {
  const close = closesAfterEach();

  it('a login at VK that nock plays opens no socket to another machine', async () => {
    const client = { clientID: '51000001', clientSecret: 'the-protected-key' };
    const app = close(await loginApp(new SocialNetworkStrategy(client, verifyProfile)));
    const connect = mock.method(Socket.prototype, 'connect');
    close({ close: async () => connect.mock.restore() });
    // The second login would show a connection to a host that the first one has reached.
    for (const _login of [1, 2]) {
      nock('https://oauth.vk.ru').post('/access_token').query(true).reply(200, VK_TOKENS);
      nock('https://api.vk.ru')
        .get('/method/users.get')
        .query(true)
        .reply(200, { response: [USER] });
      const page = await logInAt(app, 'social-network');
      expect(page.text).to.match(/"provider":"social-network"/);
    }
    const opened = connect.mock.calls.map((call) => inspect(call.arguments, { depth: 2 }));
    for (const options of opened) expect(options).to.include(new URL(app.url).port);
  });
});

async function logInAt({ url }: TestServer, name: string): Promise<Page> {
  const browser = new Browser();
  const { searchParams } = new URL(await start(browser, { url }, name));
  const query = new URLSearchParams({ code: 'CODE', state: searchParams.get('state') ?? '' });
  return browser.get(`${url}/api/auth/callback/${name}?${query.toString()}`);
}
