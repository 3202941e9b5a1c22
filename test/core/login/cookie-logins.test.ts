import crypto = require('node:crypto');

import { createDecipheriv, hash, hkdfSync } from 'node:crypto';
import { mock } from 'node:test';
import { expect } from 'chai';
import type { CookieLoginsOptions, LoginRequest } from '../../../lib/core/login/index.js';
import { type PendingLogin, PendingLogins } from '../../../lib/core/login/pending-logins.js';
import { cookieLogins, type LoginStore } from '../../../lib/index.js';
import { attempt, fakeRequest } from '../../support/attempt.js';
import { ExampleStrategy } from '../../support/example-networks.js';
import { LOGIN, OWNER } from '../../support/logins.js';
import { mistakeBy, rejectionOf } from '../../support/thrown.js';

const SECRET = 'a-secret-of-at-least-thirty-two-characters';
const OTHER_SECRET = 'another-secret-of-at-least-thirty-two-characters';
const PURPOSE = 'passport-social-networks pending login';
/** A login as it is by default: everything else follows from the settings. */
const USUAL: Omit<PendingLogin, 'id' | 'expiresAt'> = {
  isSecure: true,
  isCrossSite: false,
  codeVerifier: 'v'.repeat(43),
};

/** A browser, whose cookies the responses change, in the order in which they were set. */
class CookieBrowser {
  readonly cookies = new Map<string, string>();
  /** The `Set-Cookie` lines of the last response. */
  lines: string[] = [];

  constructor(cookies: Readonly<Record<string, string>> = {}) {
    for (const [name, value] of Object.entries(cookies)) this.cookies.set(name, value);
  }

  get names(): string[] {
    return [...this.cookies.keys()];
  }

  /** The next request. */
  request() {
    this.lines = [];
    const cookie = [...this.cookies].map((pair) => pair.join('=')).join('; ');
    const appendHeader = (_name: string, line: string) => {
      this.lines.push(line);
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (line.includes('Max-Age=0')) this.cookies.delete(name);
      else this.cookies.set(name, value);
    };
    return { headers: { cookie }, res: { headersSent: false, setHeader() {}, appendHeader } };
  }
}

/** The logins of a strategy, in one browser. */
function scene(
  options: CookieLoginsOptions = {},
  browser = new CookieBrowser(),
  owner: Partial<typeof OWNER> = {},
  store: LoginStore = cookieLogins({ secrets: SECRET, ...options }),
) {
  const logins = new PendingLogins(store, { ...OWNER, ...owner });
  return {
    browser,
    begin: (key: string, login: Partial<Omit<PendingLogin, 'id' | 'expiresAt'>> = {}) =>
      logins.save(browser.request(), key, { ...USUAL, ...login }),
    take: (key: string) => logins.take(browser.request(), key),
    finishes: (key: string) =>
      logins.take(browser.request(), key).then(
        () => true,
        () => false,
      ),
  };
}

function onlyCookie({ cookies }: CookieBrowser): { name: string; value: string } {
  expect(cookies.size).to.equal(1);
  const [[name, value]] = [...cookies] as [[string, string]];
  return { name, value };
}

/** Decrypts a cookie by hand. Cookies of a running application depend on this layout: random value, tag, ciphertext. */
function decrypted(
  { name, value }: { name: string; value: string },
  secret: string,
  info: string,
  key: string,
): unknown {
  const bytes = Buffer.from(value, 'base64url');
  const aesKey = new Uint8Array(hkdfSync('sha256', secret, '', info, 32));
  const decipher = createDecipheriv('aes-256-gcm', aesKey, bytes.subarray(0, 12));
  const id = hash('sha256', key, 'base64url');
  expect(name).to.equal(`__Host-login.${id.slice(0, 16)}`);
  decipher.setAAD(Buffer.from(`${name}${id}`)).setAuthTag(bytes.subarray(12, 28));
  return JSON.parse(Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString());
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** A base64url string with one bit of one character flipped. */
function flipped(value: string, position: number, bit: number): string {
  const letter = ALPHABET[ALPHABET.indexOf(value[position] ?? '') ^ (1 << bit)];
  return `${value.slice(0, position)}${letter}${value.slice(position + 1)}`;
}

const unknown = { code: 'unknown_login', status: 403 };

describe('the cookie of a pending login', () => {
  it('C18, C46: has every protection that browsers offer, over plain http all but Secure and the prefix; and it outlives its login by ten minutes, so that a user who comes late reads why', async () => {
    for (const [options, login, line] of [
      [{}, {}, /^__Host-login\.[\w-]{16}=[\w-]+; Max-Age=1200; Path=\/; HttpOnly; Secure; SameSite=Lax$/],
      [
        { name: 'pending.1', lifetime: 1_500 },
        { isSecure: false },
        /^pending\.1\.[\w-]{16}=[\w-]+; Max-Age=602; Path=\/; HttpOnly; SameSite=Lax$/,
      ],
      [{}, { isCrossSite: true }, /^__Host-login\.x\.1=/],
    ] as const) {
      const { browser, begin } = scene(options);
      await begin('key', login);
      expect(browser.lines).to.have.length(1);
      expect(browser.lines[0]).to.match(line);
    }
  });

  it('C34: only what a login can be moves to the other place of foreign logins', async () => {
    const browser = new CookieBrowser({ 'login.x.2': 'a"planted"text' });
    await scene({}, browser).begin('key', { isSecure: false, isCrossSite: true });
    expect(browser.lines.map((line) => line.split('=')[0])).to.deep.equal(['login.x.1']);
    expect(browser.lines.join()).to.not.include('planted');
  });

  it('C18: is AES-256-GCM under a key from HKDF-SHA-256, bound to its name and the complete ID', async () => {
    const { browser, begin, take } = scene();
    await begin('key', LOGIN);
    const cookie = onlyCookie(browser);
    const owner = JSON.stringify(Object.values(OWNER));
    const { codeVerifier, redirectURI, scope, state } = LOGIN;
    const stored = decrypted(cookie, SECRET, PURPOSE, `${owner}key`);
    const { expiresAt } = await take('key');
    const none = null;
    expect(stored).to.deep.equal([expiresAt, codeVerifier, redirectURI, none, none, none, scope, state]);
  });

  it('C18: its key comes from the client secret by default, with strategy and client ID', async () => {
    const callbackURL = 'https://app.example/cb';
    // As in passport-oauth2, true means the usual store.
    for (const store of [undefined, true]) {
      const cookies: Record<string, string> = {};
      const strategy = new ExampleStrategy('https://n.example', () => {}, { callbackURL, store });
      const { redirect = '' } = await attempt(strategy, fakeRequest('/login', cookies));
      const owner = JSON.stringify(['example', 'the-client', 'https://n.example/authorize', callbackURL]);
      const state = new URL(redirect).searchParams.get('state') ?? '';
      const info = hash('sha256', JSON.stringify([PURPOSE, 'example', 'the-client']), 'base64url');
      const login = decrypted(
        onlyCookie(new CookieBrowser(cookies)),
        'the-client-secret',
        info,
        `${owner}${state}`,
      );
      expect(login).to.have.length(2);
    }
  });

  it('C18: is not accepted under another name, such as without its prefix', async () => {
    const { browser, begin, take } = scene();
    await begin('key');
    const { name, value } = onlyCookie(browser);
    // Without its prefix a sibling host could have set it; from another site it would be another kind of login.
    for (const planted of [name.replace('__Host-', ''), name.replace(/login\..*/, 'login.x.1')]) {
      browser.cookies.clear();
      browser.cookies.set(planted, value);
      expect(await rejectionOf(take('key'))).to.include(unknown);
    }
    browser.cookies.set(name, value);
    expect(await take('key')).to.include(USUAL);
  });

  it('C18: is not accepted with any change, even of one bit', async () => {
    // Of three sizes, because the last character of base64url has bits to spare in two of them.
    for (const state of ['', 'x', 'xx']) {
      const { browser, begin, finishes } = scene();
      await begin('key', { state });
      const { name, value } = onlyCookie(browser);
      const flips = Array.from(value, (_, position) => flipped(value, position, position % 6));
      const last = [0, 1, 2, 3, 4, 5].map((bit) => flipped(value, value.length - 1, bit));
      const others = [value.slice(0, -1), `${value}A`, value.slice(0, 40), '', '.'];
      for (const altered of [...flips, ...last, ...others]) {
        browser.cookies.set(name, altered);
        expect(await finishes('key'), altered).to.equal(false);
      }
      browser.cookies.set(name, value);
      expect(await finishes('key')).to.equal(true);
    }
  });

  it('S11: is the only one that its response decrypts, however many there are, and a forged one none', async () => {
    const { browser, begin, finishes } = scene();
    await begin('key');
    for (let count = 0; count < 100; count += 1)
      browser.cookies.set(`__Host-login.${String(count).padStart(16, '0')}`, 'A'.repeat(40));
    const { mock: decryptions } = mock.method(crypto, 'createDecipheriv');
    try {
      expect([await finishes('forged'), await finishes('key')]).to.deep.equal([false, true]);
      expect(decryptions.callCount()).to.equal(1);
    } finally {
      decryptions.restore();
    }
  });

  it('C18: the first secret encrypts, all of them decrypt', async () => {
    const opens = async (begun: CookieLoginsOptions, finished: CookieLoginsOptions) => {
      const { browser, begin } = scene(begun);
      await begin('key');
      return scene(finished, browser).finishes('key');
    };
    const [old, fresh] = [{ secrets: SECRET }, { secrets: [OTHER_SECRET] }];
    const rotating = { secrets: [OTHER_SECRET, SECRET] };
    expect(await opens(old, rotating)).to.equal(true);
    expect(await opens(rotating, fresh)).to.equal(true);
    expect(await opens(rotating, old)).to.equal(false);
    expect(await opens(old, fresh)).to.equal(false);
  });

  it('C37: has at most 300 bytes for a link with a resolved redirect URI, under a host name of 30 characters, and 220 for a login at an absolute one', async () => {
    const redirectURI = `https://${'h'.repeat(26)}.com/api/auth/callback/social-network`;
    for (const [login, least, most] of [
      [{ redirectURI, isResolved: true, linksTo: 'a'.repeat(22) }, 250, 300],
      [{}, 100, 220],
    ] as const) {
      const { browser, begin } = scene();
      await begin('key', login);
      const { name, value } = onlyCookie(browser);
      expect(`${name}=${value}`.length).to.be.within(least, most);
    }
  });
});

describe('the room for cookies of pending logins', () => {
  /** Begins a login with a state of this size. */
  const sized = (bytes: number): Partial<Omit<PendingLogin, 'id' | 'expiresAt'>> => ({
    state: 'x'.repeat(bytes),
  });
  const app = (bytes: number) => new CookieBrowser({ sid: '1'.repeat(bytes) });
  const total = ({ cookies }: CookieBrowser) =>
    [...cookies].reduce((sum, [name, value]) => sum + name.length + value.length + 3, 0);

  it('C27, C37: is 7,400 bytes for all cookies of a request; the largest other logins go first', async () => {
    const { browser, begin, finishes } = scene({}, app(3_000));
    await begin('small');
    await begin('large', sized(2_000));
    await begin('medium', sized(800));
    expect(browser.names).to.have.length(4);
    await begin('new', sized(1_000));
    expect(total(browser)).to.be.at.most(7_400);
    expect(await finishes('large')).to.equal(false);
    for (const key of ['small', 'new']) expect(await finishes(key)).to.equal(true);
  });

  it('is not taken from cookies of the application, nor from a store with another name', async () => {
    const names = 'login loginx.a sid login.theme login.admin.0123456789abcdef loginX0123456789abcdef'.split(
      ' ',
    );
    const others = Object.fromEntries([...names, 'my.login.0123456789abcdef'].map((name) => [name, '1']));
    for (const isSecure of [true, false]) {
      const { browser, begin } = scene({ limit: 1 }, new CookieBrowser(others));
      for (const key of ['first', 'second']) await begin(key, { isSecure });
      expect(browser.names.slice(0, -1)).to.deep.equal(Object.keys(others));
    }
  });

  it('C18: is not taken by cookies that a sibling host can plant', async () => {
    const { browser, begin, finishes } = scene({ limit: 2 });
    for (let index = 0; index < 30; index += 1) {
      browser.cookies.set(`login.${String(index).padStart(16, '0')}`, 'x');
    }
    for (const key of ['first', 'second']) await begin(key);
    expect(browser.lines).to.have.length(1);
    for (const key of ['first', 'second']) expect(await finishes(key)).to.equal(true);
  });

  it('is at most 3,900 bytes for one: a larger state is a TypeError', async () => {
    const browser = new CookieBrowser();
    const store = cookieLogins({ secrets: SECRET });
    const login = { ...USUAL, ...sized(3_000), id: 'i'.repeat(43), expiresAt: 1 };
    expect(mistakeBy(() => store.save(browser.request(), login))).to.match(
      /^cookieLogins: the login would need a cookie of 4\d{3} bytes, and browsers accept 3900\. Give passport\.authenticate a smaller state, for example an identifier\.$/,
    );
    expect(browser.lines).to.deep.equal([]);
  });
});

describe('mistakes with cookieLogins', () => {
  const HOW = "Make a secret with: node -p \"require('crypto').randomBytes(32).toString('base64url')\".";

  it('C38: secrets that are missing or shorter than 32 characters say how to make one, and are not shown', () => {
    const wrong: unknown[] = [null, '', 'short', [], ['short'], [SECRET, ''], 42, 'x'.repeat(31)];
    const problem = 'cookieLogins: secrets must be a string of at least 32 characters, or several.';
    for (const secrets of [...wrong, Object.assign([], { length: 3 }), Object.assign([], { 1: SECRET })]) {
      expect(mistakeBy(() => cookieLogins({ secrets: secrets as string }))).to.equal(`${problem} ${HOW}`);
    }
    const absent = `${problem} It is undefined: is the environment variable set? ${HOW}`;
    expect(mistakeBy(() => cookieLogins({ secrets: undefined as never }))).to.equal(absent);
  });

  const day = 'lifetime must be a positive number of milliseconds, at most a day';
  it('the option lifetime may be a day', () =>
    expect(cookieLogins({ lifetime: 86_400_000 }).lifetime).to.equal(86_400_000));

  for (const [name, values, problem] of [
    ['limit', [0, 1.5, -1, Infinity, '8', null], 'limit must be a whole number of at least 1'],
    ['lifetime', [0, -1, Infinity, Number.NaN, 86_400_001, '600', null], day],
    ['claim', ['redis', null, {}], 'claim must be a function'],
    [
      'name',
      ['', 'a;b', 'a b', 'ü', 7, null, '__Host-a', 'a.x'],
      'name must be a string of letters, digits, ".", "-" and "_", without __Host- before and .x behind',
    ],
    ['secret', [SECRET], 'there is no option secret. Its options are secrets, lifetime, limit, name, claim'],
  ] as const) {
    it(`the option ${name} that cannot be used is a TypeError that says what is`, () => {
      for (const value of values) {
        expect(mistakeBy(() => cookieLogins({ [name]: value }))).to.equal(`cookieLogins: ${problem}.`);
      }
    });
  }

  it('a store without secrets has a key only inside a strategy', () => {
    const store = cookieLogins();
    const browser = new CookieBrowser();
    const login = { ...USUAL, id: 'i'.repeat(43), expiresAt: 1 };
    expect(mistakeBy(() => store.save(browser.request(), login))).to.equal(
      'cookieLogins: this store has no key: give secrets, or give the store to a strategy as it is.',
    );
    expect(browser.lines).to.deep.equal([]);
  });

  it('a response that is out of reach, or was sent already, is a TypeError that says what to do', () => {
    const store = cookieLogins({ secrets: SECRET });
    const why = 'cookieLogins: a cookie must be set, and the framework offers no response at req.res. Add';
    const from = 'before Passport, with exposeResponse from passport-social-networks.';
    for (const [req, message] of [
      [{ headers: {} }, `${why} app.use(exposeResponse) ${from}`],
      [{ headers: {}, raw: {} }, `${why} app.addHook('onRequest', exposeResponse) ${from}`],
      [
        { res: { headersSent: true, setHeader() {}, appendHeader() {} } },
        'cookieLogins: a cookie must be set, and the response was sent already.',
      ],
    ] as const) {
      const request = req as LoginRequest;
      const login = { ...USUAL, id: 'i'.repeat(43), expiresAt: 1 };
      expect(mistakeBy(() => store.save(request, login))).to.equal(message);
      const browser = new CookieBrowser();
      void store.save(browser.request(), login);
      const callback = { ...request, headers: browser.request().headers };
      expect(mistakeBy(() => store.take(callback, login.id))).to.equal(message);
    }
  });
});
