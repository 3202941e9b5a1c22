import { inspect } from 'node:util';
import { expect } from 'chai';
import { type LoginRequest, PendingLogins } from '../../../lib/core/login/index.js';
import type { LoginOwner } from '../../../lib/core/login/pending-login.js';
import { cookieLogins } from '../../../lib/index.js';
import { fakeClock } from '../../support/clock.js';
import { LOGIN } from '../../support/logins.js';
import { rejectionOf, thrownBy } from '../../support/thrown.js';

const SECRET = 'a-secret-of-at-least-thirty-two-characters';
const OTHER_SECRET = 'another-secret-of-at-least-thirty-two-characters';
const OWNER: LoginOwner = {
  strategy: 'network',
  clientID: 'client',
  authorizationURL: 'https://network.example/',
};

/** A request of a browser, and the cookies that its response sets. */
class CookieRequest implements LoginRequest {
  readonly lines: string[] = [];
  readonly headers: { cookie: string };
  readonly res = {
    headersSent: false,
    setHeader: () => {},
    appendHeader: (_name: string, line: string) => this.lines.push(line),
  };

  constructor(cookie = '') {
    this.headers = { cookie };
  }

  /** The browser's next request, with the cookies that the response to this one set. */
  next(): CookieRequest {
    const gone = this.lines.filter((line) => line.includes('Max-Age=0')).map((line) => line.split('=', 1)[0]);
    const kept = this.headers.cookie.split('; ').filter((pair) => !gone.includes(pair.split('=', 1)[0]));
    const set = this.lines.filter((line) => !line.includes('Max-Age=0')).map((line) => line.split(';', 1)[0]);
    return new CookieRequest([...kept, ...set].filter(Boolean).join('; '));
  }
}

const logins = (options: Partial<Parameters<typeof cookieLogins>[0]> = {}, owner = OWNER) =>
  new PendingLogins(cookieLogins({ secrets: SECRET, ...options }), owner, 10_000);

describe('cookieLogins', () => {
  fakeClock();

  it('C18: a login with an https callback gets a cookie with every protection that browsers offer', async () => {
    const request = new CookieRequest();
    await logins().begin(request, LOGIN);
    expect(request.lines).to.have.length(1);
    expect(request.lines[0]).to.match(
      /^__Host-login\.[\w-]{16}=[\w-]+; Max-Age=600; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    );
  });

  it('C18: a login with an http callback gets a cookie that is sent over http', async () => {
    const request = new CookieRequest();
    await logins({ name: 'pending', lifetime: 1_500 }).begin(request, {
      ...LOGIN,
      callbackURL: 'http://127.0.0.1:3000/cb',
    });
    expect(request.lines[0]).to.match(
      /^pending\.[\w-]{16}=[\w-]+; Max-Age=2; Path=\/; HttpOnly; SameSite=Lax$/,
    );
  });

  it('a login is restored completely, and its cookie is removed', async () => {
    const request = new CookieRequest();
    const stored = logins();
    const state = await stored.begin(request, LOGIN);
    const callback = request.next();
    const {
      callbackURL,
      scope,
      secret,
      state: appState,
      strategy,
      clientID,
    } = await stored.take(callback, state);
    expect({ callbackURL, scope, secret, state: appState }).to.deep.equal(LOGIN);
    expect({ strategy, clientID }).to.deep.equal({ strategy: 'network', clientID: 'client' });
    expect(callback.lines).to.have.length(1);
    expect(callback.lines[0]).to.match(/^__Host-login\.[\w-]{16}=; Max-Age=0; Path=\//);
  });

  it('C18: the cookie shows neither the state nor the verifier nor the client', async () => {
    const request = new CookieRequest();
    const state = await logins().begin(request, LOGIN);
    const [line = ''] = request.lines;
    const value = line.split(';', 1)[0]?.split('=')[1] ?? '';
    for (const text of [line, Buffer.from(value, 'base64url').toString('latin1')]) {
      for (const secret of [state, LOGIN.secret ?? '', 'client', '/cart'])
        expect(text).to.not.include(secret);
    }
  });

  it('C18: a cookie of another login, strategy, client, network or secret is not accepted', async () => {
    const request = new CookieRequest();
    const state = await logins().begin(request, LOGIN);
    const value = request.next().headers.cookie.split('=')[1] ?? '';
    const other = new CookieRequest();
    const otherState = await logins().begin(other, LOGIN);
    const otherName = other.next().headers.cookie.split('=')[0] ?? '';
    const attempts: [PendingLogins, CookieRequest, string][] = [
      [logins(), new CookieRequest(`${otherName}=${value}`), otherState],
      [logins({}, { ...OWNER, strategy: 'other' }), request.next(), state],
      [logins({}, { ...OWNER, clientID: 'other' }), request.next(), state],
      [logins({}, { ...OWNER, authorizationURL: 'https://other.example/' }), request.next(), state],
      [logins({ secrets: [OTHER_SECRET] }), request.next(), state],
      [logins({ name: 'other' }), request.next(), state],
      [logins(), new CookieRequest(), state],
    ];
    for (const [stored, callback, key] of attempts) {
      expect(await rejectionOf(stored.take(callback, key))).to.include({
        code: 'unknown_login',
        status: 403,
      });
      expect(callback.lines).to.deep.equal([]);
    }
    expect(await logins({ secrets: [OTHER_SECRET, SECRET] }).take(request.next(), state)).to.include({
      strategy: 'network',
    });
  });

  it('C18: a cookie of an https login is not accepted without its prefix, which a sibling host cannot set', async () => {
    const request = new CookieRequest();
    const stored = logins();
    const state = await stored.begin(request, LOGIN);
    const planted = new CookieRequest(request.next().headers.cookie.replace('__Host-', ''));
    expect(await rejectionOf(stored.take(planted, state))).to.include({ code: 'unknown_login' });
    expect(await stored.take(request.next(), state)).to.include({ strategy: 'network' });
  });

  it('a cookie that another version of this package encrypted is no login', async () => {
    const request = new CookieRequest();
    const store = cookieLogins({ secrets: SECRET });
    await store.save(request, {
      id: 'an-identifier-of-a-login',
      callbackURL: 'https://app.example/',
    } as never);
    expect(await store.take(request.next(), 'an-identifier-of-a-login')).to.equal(undefined);
  });

  it('the largest logins are removed before the Cookie header gets too large for servers', async () => {
    const stored = logins();
    let request = new CookieRequest('sid=1');
    for (let tab = 0; tab < 3; tab += 1) {
      await stored.begin(request, { ...LOGIN, state: 'x'.repeat(2_000) });
      const gone = request.lines.filter((line) => line.includes('Max-Age=0')).length;
      expect(gone).to.equal(tab < 2 ? 0 : 1);
      request = request.next();
    }
  });

  it('the cookies of the application count in that size', async () => {
    const request = new CookieRequest(`sid=${'1'.repeat(4_000)}`);
    const stored = logins();
    await stored.begin(request, { ...LOGIN, state: 'x'.repeat(1_500) });
    const second = request.next();
    await stored.begin(second, LOGIN);
    expect(second.lines.filter((line) => line.includes('Max-Age=0'))).to.deep.equal([]);
    const third = second.next();
    await stored.begin(third, { ...LOGIN, state: 'x'.repeat(1_000) });
    expect(third.lines.filter((line) => line.includes('Max-Age=0'))).to.have.length(1);
  });

  it('C27: starts with a long state drop each other, not a login with a short one, while the cookies of the application leave room for both', async () => {
    for (const [room, isKept] of [
      [4_500, true],
      [6_300, false],
    ] as const) {
      const stored = logins();
      let request = new CookieRequest(`sid=${'1'.repeat(room)}`);
      const own = await stored.begin(request, LOGIN);
      for (let link = 0; link < 5; link += 1) {
        request = request.next();
        await stored.begin(request, { ...LOGIN, state: 'x'.repeat(1_000) });
      }
      const taken = await stored.take(request.next(), own).catch(() => undefined);
      expect(Boolean(taken), `${room} bytes`).to.equal(isKept);
    }
  });

  it('cookies of the application, and of a store with a longer name, are kept', async () => {
    const others = 'login=1; loginx.a=2; sid=3; login.theme=4; login.admin.0123456789abcdef=5; login.é=6';
    for (const callbackURL of [LOGIN.callbackURL, 'http://127.0.0.1/cb']) {
      const request = new CookieRequest(others);
      await logins({ limit: 1 }).begin(request, { ...LOGIN, callbackURL });
      expect(request.lines).to.have.length(1);
    }
  });

  it('C18: cookies that a sibling host can plant do not push out cookies with the prefix', async () => {
    const stored = logins({ limit: 2 });
    const first = new CookieRequest();
    const state = await stored.begin(first, LOGIN);
    const planted = Array.from({ length: 30 }, (_, index) => `login.${String(index).padStart(16, '0')}=x`);
    const second = new CookieRequest([...planted, first.next().headers.cookie].join('; '));
    await stored.begin(second, LOGIN);
    expect(second.lines).to.have.length(1);
    expect(await stored.take(second.next(), state)).to.include({ strategy: 'network' });
  });

  it('an inspected store shows no secret', () => {
    const store = cookieLogins({ secrets: SECRET });
    for (const text of [
      inspect(store, { depth: 9, showHidden: true }),
      JSON.stringify(store),
      `${Object.entries(store).join()}`,
    ]) {
      expect(text).to.not.include(SECRET);
    }
  });

  describe('mistakes in the options or the surroundings', () => {
    for (const secrets of [
      undefined,
      null,
      '',
      'short',
      [],
      ['short'],
      [SECRET, ''],
      42,
      'x'.repeat(31),
      Object.assign([], { length: 3 }),
      Object.assign([], { 1: SECRET }),
    ]) {
      it(`secrets of ${JSON.stringify(secrets) ?? 'undefined'} are a TypeError`, () => {
        const error = thrownBy(() => cookieLogins({ secrets: secrets as string })) as TypeError;
        expect(error).to.be.instanceOf(TypeError);
        expect(error.message).to.match(/^cookieLogins: secrets must be a string of at least 32 characters/);
        expect(error.message).to.not.include('short');
      });
    }

    it('other options that cannot be used are a TypeError that names them', () => {
      for (const [name, value] of Object.entries({
        name: 'a;b',
        claim: 'redis',
        limit: 0,
        lifetime: Number.POSITIVE_INFINITY,
      })) {
        const error = thrownBy(() => cookieLogins({ secrets: SECRET, [name]: value })) as TypeError;
        expect(error).to.be.instanceOf(TypeError);
        expect(error.message).to.match(new RegExp(`^cookieLogins: ${name} must be `));
      }
      expect((thrownBy(() => cookieLogins(undefined as never)) as TypeError).message).to.match(
        /^cookieLogins: secrets must be/,
      );
    });

    it('a state of the application that makes the cookie too large for browsers is a TypeError', async () => {
      const request = new CookieRequest();
      const error = await rejectionOf(logins().begin(request, { ...LOGIN, state: 'x'.repeat(3_900) }));
      expect(error).to.be.instanceOf(TypeError);
      expect((error as Error).message).to.match(
        /^cookieLogins: the login would need a cookie of \d{4} bytes, and browsers accept 3900\. Give passport\.authenticate a smaller state/,
      );
      expect(request.lines).to.deep.equal([]);
    });

    it('a framework that offers no response gets a TypeError that says what to do', async () => {
      const error = await rejectionOf(logins().begin({ headers: {} }, LOGIN));
      expect(error).to.be.instanceOf(TypeError);
      expect(error)
        .to.have.property('message')
        .that.includes('request.res = reply')
        .and.includes('sessionLogins()');
    });

    it('a response that was sent already is a TypeError', async () => {
      const request = new CookieRequest();
      request.res.headersSent = true;
      const error = await rejectionOf(logins().begin(request, LOGIN));
      expect(error).to.have.property(
        'message',
        'cookieLogins: a cookie must be set, and the response was sent already.',
      );
    });
  });
});
