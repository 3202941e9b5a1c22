import crypto = require('node:crypto');

import { expect } from 'chai';
import { cookieLogins } from '../../lib/index.js';
import { type Contract, describeEach, expectRefused } from '../contract/harness.js';
import { Browser } from '../support/browser.js';
import { allow } from '../support/journey.js';
import { hostileScene } from './hostile-network.js';

const OLD = 'the old secret of the tests, of thirty-two characters or more';

describeEach('a pending login in a cookie', (contract) => {
  const { subject, sandbox, app, strategy, begin } = contract;
  const { provider } = subject;

  const appWith = async (secrets: string | string[], options: object = {}) =>
    app(strategy(await sandbox(), { store: cookieLogins({ secrets }), ...options }));

  it('C18: the cookie reveals nothing of the login without the key', async () => {
    const store = cookieLogins({ secrets: OLD });
    const state = 'app-state-of-the-test';
    const scene = await hostileScene(contract, { store }, undefined, { start: { state } });
    let requestToken = new URLSearchParams();
    scene.meddle('requestTokenURL', async (honest) => {
      const reply = await honest();
      requestToken = new URLSearchParams(reply.body.toString());
      return reply;
    });
    const { browser, authorization, cookie } = await pending(contract, scene.app);
    await browser.get(await allow(browser, authorization));
    const confidential = [
      state,
      new URL(authorization).searchParams.get('state') ?? requestToken.get('oauth_token'),
      requestToken.get('oauth_token_secret') ?? scene.network.requests[0]?.form.get('code_verifier'),
      subject.options(await sandbox()).clientID,
      scene.app.url,
    ].filter((text): text is string => typeof text === 'string');
    expect(confidential).to.have.length.above(3);
    for (const text of [cookie.value, Buffer.from(cookie.value, 'base64url').toString('latin1')]) {
      for (const secret of confidential) expect(text).to.not.include(secret);
    }
  });

  it('C18: a cookie with any change, even of one bit, is 403, with no request to the network', async () => {
    const server = await appWith(OLD);
    const { browser, authorization, cookie } = await pending(contract, server);
    const callback = await allow(browser, authorization);
    const { value } = cookie;
    // Every eleventh character, each time another of its six bits, and the last characters.
    const flips = Array.from(value, (_, position) => flipped(value, position)).filter(
      (_, position) => position % 11 === 0 || position > value.length - 5,
    );
    for (const altered of [...flips, value.slice(0, -1), `${value}A`, value.slice(0, 40), '', '.']) {
      const header = { cookie: `${cookie.name}=${altered}` };
      await expectRefused(await sandbox(), () => new Browser().get(callback, header));
    }
    expect((await browser.get(callback)).status).to.equal(200);
  });

  it('S11: a forged authorization response decrypts at most one cookie, however many there are', async () => {
    const world = await sandbox();
    const server = await appWith(OLD);
    const forged = subject.oauth === '2.0' ? 'code=x&state=forged' : 'oauth_token=forged&oauth_verifier=x';
    const browser = new Browser();
    for (let count = 0; count < 100; count += 1) {
      browser.keepCookies(server.url, [`login.${String(count).padStart(16, '0')}=${'A'.repeat(40)}`]);
    }
    const { createDecipheriv } = crypto;
    let decryptions = 0;
    Object.assign(crypto, {
      createDecipheriv(...args: Parameters<typeof createDecipheriv>) {
        decryptions += 1;
        return createDecipheriv(...args);
      },
    });
    try {
      await expectRefused(world, () => browser.get(`${server.url}/api/auth/callback/${provider}?${forged}`));
    } finally {
      Object.assign(crypto, { createDecipheriv });
    }
    expect(decryptions).to.be.at.most(1);
  });

  const authorizationURL = subject.oauth === '1.0a' ? 'userAuthorizationURL' : 'authorizationURL';
  for (const [title, options] of [
    [
      "one client's authorization response is 403 at another client with the same strategy name",
      { clientID: 'another-client' },
    ],
    [
      "one network's authorization response is 403 at another network with the same client",
      { [authorizationURL]: 'https://another.example/authorize' },
    ],
  ] as const) {
    it(`C4: ${title}`, async () => {
      // One redirect URI for both: another would be refused anyway.
      const common = { store: cookieLogins({ secrets: OLD }), baseURL: 'http://127.0.0.1:3000' };
      const { world, server, browser, callback } = await begin(common);
      const other = await app(strategy(world, { ...common, ...options }));
      const { pathname, search } = new URL(callback);
      const header = { cookie: browser.cookieHeader(server.url) };
      const at = ({ url }: { readonly url: string }) =>
        new Browser().get(`${url}${pathname}${search}`, header);
      await expectRefused(world, () => at(other));
      expect((await at(server)).status).to.equal(200);
    });
  }

  const relative = (host: string, protocol?: string): Place => ({
    headers: { host, ...(protocol && { 'x-forwarded-proto': protocol }) },
    options: { proxy: protocol !== undefined },
  });
  const absolute = (option: string, url: string): Place => ({ headers: {}, options: { [option]: url } });
  for (const [title, staging, production] of [
    [
      'with absolute redirect URIs',
      absolute('callbackURL', 'https://staging.example/cb'),
      absolute('callbackURL', 'https://app.example/cb'),
    ],
    [
      'with baseURL',
      absolute('baseURL', 'https://staging.example'),
      absolute('baseURL', 'https://app.example'),
    ],
    ['with relative redirect URIs', relative('localhost:3000'), relative('127.0.0.1:3000')],
    [
      'with a relative redirect URI, over another protocol',
      relative('localhost:3000', 'http'),
      relative('localhost:3000', 'https'),
    ],
    [
      'with an absolute and a relative one',
      absolute('callbackURL', 'http://localhost:3000/cb'),
      relative('localhost:3000'),
    ],
  ] as const) {
    it(`C35: a login that began at staging is 403 in production, ${title}, with the same secret`, async () => {
      const world = await sandbox();
      // Whoever may choose the state at staging would choose it in production.
      const start = { state: { role: 'admin' } };
      const there = await app(strategy(world, staging.options), { start, sessionless: true });
      const here = await app(strategy(world, production.options), { sessionless: true });
      const begun = await new Browser().get(`${there.url}/login/${provider}`, staging.headers);
      const [cookie = ''] = begun.headers['set-cookie']?.[0]?.split(';', 1) ?? [];
      const { search } = new URL(await allow(new Browser(), begun.location));
      const at = `${here.url}/api/auth/callback/${provider}${search}`;
      await expectRefused(world, () => new Browser().get(at, { ...production.headers, cookie }));
    });
  }
});

/** Where an application runs. */
interface Place {
  readonly headers: Readonly<Record<string, string>>;
  readonly options: object;
}

/** Starts a login. @returns Its browser and its cookie. */
async function pending({ subject }: Contract, server: { url: string }, provider: string = subject.provider) {
  const browser = new Browser();
  const page = await browser.get(`${server.url}/login/${provider}`);
  const lines = (page.headers['set-cookie'] ?? []).filter((line) => /^(__Host-)?login\./.test(line));
  expect(lines).to.have.length(1);
  const [line = ''] = lines;
  const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
  return { browser, authorization: page.location, cookie: { line, name, value } };
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** A base64url string with one bit of one character flipped; which bit depends on the position. */
function flipped(value: string, position: number): string {
  const letter = ALPHABET[ALPHABET.indexOf(value[position] ?? '') ^ (1 << (position % 6))];
  return `${value.slice(0, position)}${letter}${value.slice(position + 1)}`;
}
