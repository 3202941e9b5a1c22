import { inspect } from 'node:util';
import { expect } from 'chai';
import { type LoginOwner, type LoginRequest, StoredLogins } from '../../lib/core/pending-login.js';
import { cookieLogins } from '../../lib/index.js';
import { fakeClock } from '../support/clock.js';
import { LOGIN } from '../support/logins.js';
import { rejectionOf, thrownBy } from '../support/thrown.js';

const SECRET = 'a-secret-of-at-least-thirty-two-characters';
const OTHER_SECRET = 'another-secret-of-at-least-thirty-two-characters';
const OWNER: LoginOwner = {
  strategy: 'network',
  clientID: 'client',
  authorizationURL: 'https://network.example/',
};

/** A request of one browser, with what the response adds to its cookies. */
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

  /** The next request of the browser, with the cookies that this one's response set. */
  next(): CookieRequest {
    const pairs = this.lines.map((line) => line.split(';', 1)[0]);
    return new CookieRequest([this.headers.cookie, ...pairs].filter(Boolean).join('; '));
  }
}

const logins = (options: Partial<Parameters<typeof cookieLogins>[0]> = {}, owner = OWNER) =>
  new StoredLogins(cookieLogins({ secrets: SECRET, ...options }), owner);

describe('cookie-logins', () => {
  const clock = fakeClock();

  it('C18: an https callback gets a cookie with every protection browsers have', async () => {
    const request = new CookieRequest();
    await logins().begin(request, LOGIN);
    expect(request.lines).to.have.length(1);
    expect(request.lines[0]).to.match(
      /^__Host-login\.[\w-]{16}=[\w-]+; Max-Age=600; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    );
  });

  it('C18: a plain callback gets a cookie that plain connections carry', async () => {
    const request = new CookieRequest();
    await logins({ name: 'pending', lifetime: 1_500 }).begin(request, {
      ...LOGIN,
      callbackURL: 'http://127.0.0.1:3000/cb',
    });
    expect(request.lines[0]).to.match(
      /^pending\.[\w-]{16}=[\w-]+; Max-Age=2; Path=\/; HttpOnly; SameSite=Lax$/,
    );
  });

  it('a login comes back whole, and its cookie goes', async () => {
    const request = new CookieRequest();
    const stored = logins();
    const state = await stored.begin(request, LOGIN);
    const callback = request.next();
    const { callbackURL, scope, secret, state: own, strategy, clientID } = await stored.take(callback, state);
    expect({ callbackURL, scope, secret, state: own }).to.deep.equal(LOGIN);
    expect({ strategy, clientID }).to.deep.equal({ strategy: 'network', clientID: 'client' });
    expect(callback.lines).to.have.length(1);
    expect(callback.lines[0]).to.match(/^__Host-login\.[\w-]{16}=; Max-Age=0; Path=\//);
  });

  it('C18: the state, the verifier and the client are nowhere to be read in the cookie', async () => {
    const request = new CookieRequest();
    const state = await logins().begin(request, LOGIN);
    const [line = ''] = request.lines;
    const value = line.split(';', 1)[0]?.split('=')[1] ?? '';
    for (const text of [line, Buffer.from(value, 'base64url').toString('latin1')]) {
      for (const secret of [state, LOGIN.secret ?? '', 'client', '/cart'])
        expect(text).to.not.include(secret);
    }
  });

  it('C18: a cookie of another login, strategy, client, network or secret finds nothing', async () => {
    const request = new CookieRequest();
    const state = await logins().begin(request, LOGIN);
    const value = request.next().headers.cookie.split('=')[1] ?? '';
    const other = new CookieRequest();
    const otherState = await logins().begin(other, LOGIN);
    const otherName = other.next().headers.cookie.split('=')[0] ?? '';
    const attempts: [StoredLogins, CookieRequest, string][] = [
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

  it('C18: a cookie of an https login is not believed without its prefix, which a neighbouring host cannot set', async () => {
    const request = new CookieRequest();
    const stored = logins();
    const state = await stored.begin(request, LOGIN);
    const planted = new CookieRequest(request.next().headers.cookie.replace('__Host-', ''));
    expect(await rejectionOf(stored.take(planted, state))).to.include({ code: 'unknown_login' });
    expect(await stored.take(request.next(), state)).to.include({ strategy: 'network' });
  });

  it('what another version of the package sealed is no login', async () => {
    const request = new CookieRequest();
    const store = cookieLogins({ secrets: SECRET });
    await store.save(request, {
      id: 'an-identifier-of-a-login',
      callbackURL: 'https://app.example/',
    } as never);
    expect(await store.take(request.next(), 'an-identifier-of-a-login')).to.equal(undefined);
  });

  it('large logins leave room: older ones go before a server refuses the header', async () => {
    const stored = logins();
    let request = new CookieRequest('sid=1');
    for (let tab = 0; tab < 3; tab += 1) {
      await stored.begin(request, { ...LOGIN, state: 'x'.repeat(2_000) });
      const gone = request.lines.filter((line) => line.includes('Max-Age=0')).length;
      expect(gone).to.equal(tab < 2 ? 0 : 1);
      request = request.next();
    }
  });

  it('cookies of the application, and of a store with a longer name, are left alone', async () => {
    const others = 'login=1; loginx.a=2; sid=3; login.theme=4; login.admin.0123456789abcdef=5; login.é=6';
    for (const callbackURL of [LOGIN.callbackURL, 'http://127.0.0.1/cb']) {
      const request = new CookieRequest(others);
      await logins({ limit: 1 }).begin(request, { ...LOGIN, callbackURL });
      expect(request.lines).to.have.length(1);
    }
  });

  it('C18: cookies that a neighbouring host can plant push out none with the prefix', async () => {
    const stored = logins({ limit: 2 });
    const first = new CookieRequest();
    const state = await stored.begin(first, LOGIN);
    const planted = Array.from({ length: 30 }, (_, index) => `login.${String(index).padStart(16, '0')}=x`);
    const second = new CookieRequest([...planted, first.next().headers.cookie].join('; '));
    await stored.begin(second, LOGIN);
    expect(second.lines).to.have.length(1);
    expect(await stored.take(second.next(), state)).to.include({ strategy: 'network' });
  });

  it('a claim that says no, or fails, ends the login and its cookie all the same', async () => {
    for (const claim of [() => false, () => Promise.reject(new Error('no connection'))]) {
      const request = new CookieRequest();
      const stored = logins({ claim });
      const state = await stored.begin(request, LOGIN);
      const callback = request.next();
      await rejectionOf(stored.take(callback, state));
      expect(callback.lines[0]).to.match(/Max-Age=0/);
    }
  });

  it('an expired login is not claimed', async () => {
    const claimed: string[] = [];
    const request = new CookieRequest();
    const stored = logins({ lifetime: 1_000, claim: (id) => claimed.push(id) > 0 });
    const state = await stored.begin(request, LOGIN);
    clock.advance(1_001);
    expect(await rejectionOf(stored.take(request.next(), state))).to.include({ code: 'expired_login' });
    expect(claimed).to.deep.equal([]);
  });

  it('prints no secret', () => {
    const store = cookieLogins({ secrets: SECRET });
    for (const text of [
      inspect(store, { depth: 9, showHidden: true }),
      JSON.stringify(store),
      `${Object.entries(store).join()}`,
    ]) {
      expect(text).to.not.include(SECRET);
    }
  });

  describe('mistakes', () => {
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
      it(`secrets of ${JSON.stringify(secrets) ?? 'nothing'}`, () => {
        const error = thrownBy(() => cookieLogins({ secrets: secrets as string })) as TypeError;
        expect(error).to.be.instanceOf(TypeError);
        expect(error.message).to.match(/^cookieLogins: secrets must be a text of at least 32 characters/);
        expect(error.message).to.not.include('short');
      });
    }

    it('options that cannot be used', () => {
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

    it('a framework that shows no response is told what to do', async () => {
      const error = await rejectionOf(logins().begin({ headers: {} }, LOGIN));
      expect(error).to.be.instanceOf(TypeError);
      expect(error)
        .to.have.property('message')
        .that.includes('request.res = reply')
        .and.includes('sessionLogins()');
    });

    it('a response that was sent already', async () => {
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
