import { setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import { hasReached } from '../../../lib/core/http/transport.js';
import { ShortVideoStrategy } from '../../../lib/index.js';
import { TOKEN_ANSWER } from '../../short-video/network.js';
import { Browser } from '../../support/browser.js';
import { closesAfterEach } from '../../support/cleanup.js';
import { start } from '../../support/journey.js';
import { loginApp } from '../../support/login-app.js';
import { realSockets } from '../../support/real-sockets.js';
import { network, serveRaw } from '../../support/server.js';

import http = require('node:http');
import https = require('node:https');
import net = require('node:net');
import tls = require('node:tls');
import nock = require('nock');

describe('preconnect during a login', () => {
  realSockets();
  const close = closesAfterEach();

  /** An application whose profiles come from another host than its tokens. That host closes each connection. */
  async function twoHosts(options: object = {}) {
    const counted = { connections: 0, early: 0, patience: 0 };
    const serveProfiles = () =>
      serveRaw(
        (socket) =>
          socket.end('HTTP/1.1 200 OK\r\n\r\n{"data":{"user":{"open_id":"PERSON"}},"error":{"code":"ok"}}'),
        () => {
          counted.connections += 1;
        },
      );
    let profiles = close(await serveProfiles());
    // Another test may have had the same port.
    while (hasReached(profiles.url)) profiles = close(await serveProfiles());
    const tokens = close(
      await network(async () => {
        const { connections } = counted;
        for (; counted.patience > 0 && connections === counted.connections; counted.patience -= 5)
          await setTimeout(5);
        counted.early = counted.connections;
        return { body: { ...TOKEN_ANSWER, open_id: 'PERSON' } };
      }),
    );
    const urls = {
      authorizationURL: `${tokens.url}/authorize`,
      tokenURL: `${tokens.url}/token`,
      profileURL: `${profiles.url}/profile`,
    };
    const strategy = new ShortVideoStrategy(
      { clientID: 'CLIENT', clientSecret: 'CLIENT-SECRET', ...urls, ...options },
      (_token, _refresh, profile, done) => done(null, { id: profile?.id ?? 'nobody knows' }),
    );
    const { url } = close(await loginApp(strategy));
    /** @param patience - Milliseconds to wait for a connection in advance. @returns The connections before the tokens are sent, and after the login. */
    return async (patience: number) => {
      counted.patience = patience;
      const browser = new Browser();
      const { searchParams } = new URL(await start(browser, { url }, strategy.name));
      const page = await browser.get(
        `${url}/api/auth/callback/${strategy.name}?code=CODE&state=${searchParams.get('state')}`,
      );
      expect(page.json.user.id).to.equal('skipUserProfile' in options ? 'nobody knows' : 'PERSON');
      return [counted.early, counted.connections];
    };
  }

  it('there is no preconnect to the profile’s host if the profile may be skipped', async () => {
    const logIn = await twoHosts({ skipUserProfile: async () => true });
    expect(await logIn(20)).to.deep.equal([0, 0]);
  });

  it('the profile’s host, once a request has reached it, is preconnected while the token is requested', async () => {
    const logIn = await twoHosts();
    expect(await logIn(20)).to.deep.equal([0, 1]);
    expect(await logIn(1_500)).to.deep.equal([2, 2]);
  });

  const replaced = Object.entries({ http, https, net, tls }).flatMap(([title, module]) => {
    const names = ['request', 'globalAgent', 'connect', 'createConnection'].filter((name) => name in module);
    return names.map((name) => [title, module, name] as const);
  });
  for (const [title, module, name] of replaced) {
    it(`the profile’s host is not preconnected once ${title}.${name} is replaced, although a request has reached it`, async () => {
      const logIn = await twoHosts();
      await logIn(0);
      const real: unknown = Reflect.get(module, name);
      close({ close: async () => void Reflect.set(module, name, real) });
      const wrapper = (...values: unknown[]) => (real as (...all: unknown[]) => unknown)(...values);
      Reflect.set(module, name, name === 'globalAgent' ? new http.Agent() : wrapper);
      expect(await logIn(20)).to.deep.equal([1, 2]);
    });
  }

  it('the profile’s host is not preconnected once nock is active, which may let a request through and forbid the next', async () => {
    const logIn = await twoHosts();
    await logIn(0);
    nock.activate();
    close({ close: async () => nock.restore() });
    for (const login of [1, 2]) expect(await logIn(20)).to.deep.equal([login, login + 1]);
  });
});
