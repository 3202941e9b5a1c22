import crypto = require('node:crypto');

import { expect } from 'chai';
import { cookieLogins } from '../../lib/index.js';
import { type Contract, describeEach, expectRefused, personOf } from '../contract/harness.js';
import { Browser } from '../support/browser.js';
import { fakeClock } from '../support/clock.js';
import { allow } from '../support/journey.js';
import { hostileScene } from './hostile-network.js';

const OLD = 'the old secret of the tests, of thirty-two characters or more';
const NEW = 'the new secret of the tests, of thirty-two characters or more';

describeEach('a pending login in a cookie', (contract) => {
  const { subject, sandbox, app, strategy } = contract;
  const { provider } = subject;
  const clock = fakeClock();

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
      (subject.options(await sandbox()) as { clientID: string }).clientID,
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
    const flips = Array.from(value, (_, position) => flipped(value, position));
    for (const altered of [...flips, value.slice(0, -1), `${value}A`, value.slice(0, 40), '', '.']) {
      const header = { cookie: `${cookie.name}=${altered}` };
      await expectRefused(await sandbox(), () => new Browser().get(callback, header));
    }
    expect((await browser.get(callback)).status).to.equal(200);
  });

  it('C18: the cookie of another login or another strategy is 403', async () => {
    const world = await sandbox();
    const store = cookieLogins({ secrets: OLD });
    const server = await app([strategy(world, { store }), strategy(world, { store, name: 'second-app' })]);
    const mine = await pending(contract, server);
    const callback = await allow(mine.browser, mine.authorization);
    for (const name of [provider, 'second-app']) {
      const other = await pending(contract, server, name);
      for (const { cookie } of [mine, other]) {
        const header = { cookie: `${cookie.name}=${other.cookie.value}` };
        await expectRefused(world, () => new Browser().get(callback, header));
      }
    }
    expect((await mine.browser.get(callback)).json.user).to.deep.equal(personOf(subject, world, 'alice'));
  });

  /** Finishes a login at another process. The pending login holds the redirect_uri, so finishing at another port works. */
  const finishAt = async (server: { url: string }, { browser, authorization, cookie }: Pending) => {
    const { pathname, search } = new URL(await allow(browser, authorization));
    const header = { cookie: `${cookie.name}=${cookie.value}` };
    return (await new Browser().get(`${server.url}${pathname}${search}`, header)).status;
  };

  it('C18: a rotation in three deployments, each while processes are replaced, loses no login', async () => {
    const secrets = [[OLD], [OLD, NEW], [NEW, OLD], [NEW]];
    for (const [deployment, after] of secrets.entries()) {
      const before = secrets[deployment - 1] ?? after;
      const [replaced, current] = [await appWith(before), await appWith(after)];
      expect(await finishAt(current, await pending(contract, replaced))).to.equal(200);
      // The last deployment waits until the logins of the old secret have expired.
      if (deployment < 3) expect(await finishAt(replaced, await pending(contract, current))).to.equal(200);
    }
    expect(await finishAt(await appWith(NEW), await pending(contract, await appWith(OLD)))).to.equal(403);
  });

  it('C18: the cookie expires at the time encrypted inside it, even if the browser keeps it', async () => {
    const server = await appWith(OLD);
    clock.stop();
    const { browser, authorization } = await pending(contract, server);
    clock.advance(10 * 60_000);
    const page = await browser.get(await allow(browser, authorization));
    expect([page.status, page.json.failure.code]).to.deep.equal([403, 'expired_login']);
  });

  it('C18: the cookie is HttpOnly, Lax and has path /; with an https callback URL it is also Secure and __Host-', async () => {
    const plain = await pending(contract, await appWith(OLD));
    expect(plain.cookie.line).to.match(
      /^login\.[\w-]{16}=[\w-]+; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/,
    );
    const secure = await pending(contract, await appWith(OLD, { callbackURL: 'https://app.example/cb' }));
    expect(secure.cookie.line).to.match(
      /^__Host-login\.[\w-]{16}=[\w-]+; Max-Age=600; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    );
  });

  it('C18: a cookie without the __Host- prefix is 403 if the callback URL is https', async () => {
    const server = await appWith(OLD, { callbackURL: 'https://app.example/cb' });
    const { browser, authorization, cookie } = await pending(contract, server);
    const { search } = new URL(await allow(browser, authorization));
    const callback = `${server.url}/api/auth/callback/${provider}${search}`;
    const planted = cookie.name.replace('__Host-', '');
    const page = await new Browser().get(callback, { cookie: `${planted}=${cookie.value}` });
    expect([page.status, page.json.failure.code]).to.deep.equal([403, 'unknown_login']);
    const own = await new Browser().get(callback, { cookie: `${cookie.name}=${cookie.value}` });
    expect(own.status).to.equal(200);
  });

  it('C2, C18: the cookie is removed when its login is used, and a copy of it is 403 afterwards', async () => {
    const world = await sandbox();
    const { browser, authorization, cookie } = await pending(contract, await appWith(OLD));
    const callback = await allow(browser, authorization);
    const used = await browser.get(callback);
    expect(used.status).to.equal(200);
    expect(used.headers['set-cookie']?.join()).to.include(`${cookie.name}=; Max-Age=0; Path=/`);
    const copy = { cookie: `${cookie.name}=${cookie.value}` };
    await expectRefused(world, () => new Browser().get(callback, copy), 'used_login');
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

  for (const [title, staging, production] of [
    [
      'with absolute redirect URIs',
      { options: { callbackURL: 'https://staging.example/cb' } },
      { options: { callbackURL: 'https://app.example/cb' } },
    ],
    [
      'with baseURL',
      { options: { baseURL: 'https://staging.example' } },
      { options: { baseURL: 'https://app.example' } },
    ],
    ['with relative redirect URIs', { host: 'localhost:3000' }, { host: '127.0.0.1:3000' }],
    [
      'with a relative redirect URI, over another protocol',
      { host: 'localhost:3000', options: { proxy: true }, protocol: 'http' },
      { host: 'localhost:3000', options: { proxy: true }, protocol: 'https' },
    ],
    [
      'with an absolute and a relative one',
      { options: { callbackURL: 'http://localhost:3000/cb' } },
      { host: 'localhost:3000' },
    ],
  ] as readonly (readonly [string, Place, Place])[]) {
    it(`C35: a login that began at staging is 403 in production, ${title}, with the same secret`, async () => {
      const world = await sandbox();
      // Whoever may choose the state at staging would choose it in production.
      const start = { state: { role: 'admin' } };
      const there = await app(strategy(world, staging.options), { start, sessionless: true });
      const here = await app(strategy(world, production.options), { sessionless: true });
      const { location, headers } = await new Browser().get(
        `${there.url}/login/${provider}`,
        headersOf(staging),
      );
      const [cookie = ''] = headers['set-cookie']?.[0]?.split(';', 1) ?? [];
      const { search } = new URL(await allow(new Browser(), location));
      const at = `${here.url}/api/auth/callback/${provider}${search}`;
      await expectRefused(world, () => new Browser().get(at, { ...headersOf(production), cookie }));
    });
  }
});

/** Where an application runs. */
interface Place {
  readonly options?: object;
  readonly host?: string;
  readonly protocol?: string;
}

function headersOf({ host, protocol }: Place): Record<string, string> {
  return { ...(host && { host }), ...(protocol && { 'x-forwarded-proto': protocol }) };
}

type Pending = Awaited<ReturnType<typeof pending>>;

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
