import { expect } from 'chai';
import { Browser } from '../../support/browser.js';
import { closesAfterEach } from '../../support/cleanup.js';
import { ExampleOAuth1Strategy, exampleOAuth1Answers } from '../../support/example-oauth1.js';
import { ExampleStrategy, exampleAnswers } from '../../support/example-oauth2.js';
import { loginApp } from '../../support/login-app.js';
import { realSockets } from '../../support/real-sockets.js';
import { network } from '../../support/server.js';
import { collectsWarnings } from '../../support/warnings.js';

const never = () => {};

describe('the port of a forwarded host in Express', () => {
  realSockets();
  const close = closesAfterEach();
  collectsWarnings();

  /** The origin of the redirect URI of a login that starts behind a proxy. */
  async function originAfter(trustProxy: boolean, forwarded: Record<string, string>, options: object = {}) {
    const server = close(await network(exampleAnswers()));
    const app = close(await loginApp(new ExampleStrategy(server.url, never, options), { trustProxy }));
    const page = await new Browser().get(`${app.url}/login/example`, forwarded);
    const { origin } = new URL(new URL(page.location).searchParams.get('redirect_uri') ?? '');
    return { origin, own: app.url };
  }
  const https = (host: string) => ({ 'x-forwarded-proto': 'https', 'x-forwarded-host': host });

  for (const [host, expected] of [
    ['app.example:8443', 'https://app.example:8443'],
    ['app.example', 'https://app.example'],
    ['app.example:443', 'https://app.example'],
    ['[2001:db8::1]:8443', 'https://[2001:db8::1]:8443'],
    // The same name as the application's own, with the port that the browser sees.
    ['127.0.0.1:8443', 'https://127.0.0.1:8443'],
    ['127.0.0.1', 'https://127.0.0.1'],
  ] as const) {
    it(`T3: with trust proxy, ${host} gives a redirect URI at ${expected}`, async () => {
      expect((await originAfter(true, https(host))).origin).to.equal(expected);
    });

    it(`T3: with the option proxy, ${host} gives a redirect URI at ${expected}`, async () => {
      expect((await originAfter(false, https(host), { proxy: true })).origin).to.equal(expected);
    });

    it(`T3: without trust, ${host} changes nothing`, async () => {
      const { origin, own } = await originAfter(false, https(host));
      expect(origin).to.equal(own);
    });
  }

  it('T3: with trust proxy and no forwarded host, the request’s own host and port stay', async () => {
    const { origin, own } = await originAfter(true, { 'x-forwarded-proto': 'https' });
    expect(origin).to.equal(own.replace('http:', 'https:'));
  });

  it('T3: OAuth 1.0a sends the forwarded host and port as well', async () => {
    const server = close(await network(exampleOAuth1Answers()));
    for (const [trustProxy, host] of [
      [true, 'https://app.example:8443'],
      [false, ''],
    ] as const) {
      const app = close(await loginApp(new ExampleOAuth1Strategy(server.url, never), { trustProxy }));
      await new Browser().get(`${app.url}/login/example`, https('app.example:8443'));
      const signed = server.requests.at(-1)?.headers.authorization ?? '';
      const callback = /oauth_callback="([^"]*)"/.exec(signed)?.[1] ?? '';
      expect(decodeURIComponent(callback)).to.equal(`${host || app.url}/api/auth/callback/example`);
    }
  });
});
