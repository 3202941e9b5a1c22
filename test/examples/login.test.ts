import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import { PEOPLE, rehearse, type SandboxPerson } from '../../sandbox/lib/index.js';
import { Browser, type Page } from '../support/browser.js';
import { temporaryFolder } from '../support/cleanup.js';
import { allow, deny } from '../support/journey.js';
import { expectPage } from '../support/page.js';
import type { Serving } from '../support/process.js';
import { rehearsed } from '../support/rehearsal.js';
import { oneSandbox } from '../support/sandbox.js';
import { serve } from '../support/server.js';
import { freePort } from '../support/servers.js';
import { NETWORKS, runToEnd, startApp } from './app.js';
import { DATABASES, type Database } from './databases.js';

const FORMS = ['/signout', '/signout-everywhere', '/link/microblog', '/move', '/delete'];

const MARKUP: SandboxPerson = {
  ...(PEOPLE[0] as SandboxPerson),
  id: 'markup',
  openId: 'open-id-of-markup',
  microblogId: '1001',
  socialNetworkId: 1001,
  displayName: `<b title="it's">&`,
  handle: 'markup',
};

class Visitor {
  constructor(
    private readonly home: string,
    readonly browser = new Browser(),
  ) {}

  get(path: string): Promise<Page> {
    return this.browser.get(path.startsWith('/') ? this.home + path : path);
  }

  /** Submits a form with the token of a page. */
  async post(path: string, page = '/'): Promise<Page> {
    const token = /name="csrfToken" value="([^"]+)"/.exec((await this.get(page)).text)?.[1] ?? '';
    return this.browser.post(this.home + path, { csrfToken: token });
  }

  /** Starts a login at a network. @returns The authorization URL. */
  async begin(network: string): Promise<string> {
    return (await this.get(`/api/auth/signin/${network}`)).location;
  }

  async signIn(network: string, person: string): Promise<this> {
    const page = await this.get(await allow(this.browser, await this.begin(network), person));
    expect(page.location).to.equal(`${this.home}/`);
    return this;
  }

  /** Submits a form that begins a login, and allows it. @returns The response to the authorization response. */
  async allow(path: string, person: string): Promise<Page> {
    return this.get(await allow(this.browser, (await this.post(path)).location, person));
  }

  async link(network: string, person: string): Promise<this> {
    expect((await this.allow(`/link/${network}`, person)).location).to.equal(`${this.home}/`);
    return this;
  }

  /** The provider of each linked login; `undefined` if nobody is signed in. */
  async logins(): Promise<string[] | undefined> {
    const { text } = await this.get('/');
    if (text.includes('<h1>Sign in</h1>')) return undefined;
    return [...text.matchAll(/data-login="sandbox ([a-z-]+) /g)].map(([, provider = '']) => provider);
  }

  /** The path of the page that asks before a login is unlinked. */
  async unlinkPath(network: string): Promise<string> {
    const { text } = await this.get('/');
    return new RegExp(`"(/unlink/sandbox%20${network}/[^"]+)"`).exec(text)?.[1] ?? 'no such link';
  }

  /** Confirms with another login of the user, and unlinks. */
  async unlink(network: string, person: string): Promise<void> {
    const path = await this.unlinkPath(network);
    if ((await this.get(path)).text.includes('Sign in again')) await this.allow(path, person);
    expect((await this.post(path)).location).to.equal(`${this.home}/`);
  }
}

for (const [kind, open] of Object.entries(DATABASES))
  describe(`the login example with ${kind}`, function () {
    this.timeout(60_000);
    let database: Database;
    const sandbox = oneSandbox({ people: [...PEOPLE, MARKUP] });
    let app: Serving;

    const environment = (changes: Record<string, string> = {}) => ({
      ...database.settings,
      SANDBOX_URL: sandbox.url,
      LOGIN_LIMIT: '100000',
      ...changes,
    });
    const start = (changes?: Record<string, string>) => startApp(environment(changes));
    const arrive = () => new Visitor(app.url);
    const signIn = (network: string, person: string) => arrive().signIn(network, person);
    const sessions = async () => (await database.query('select * from sessions')).length;
    /** Delays the next response of TikTok. @returns Waits until its request has arrived. */
    function delay(endpoint: string): () => Promise<void> {
      const count = () => sandbox.requests().filter((request) => request.endpoint === endpoint).length;
      const before = count();
      const fault = { kind: 'delay', milliseconds: 1_500 } as const;
      sandbox.fault({ network: 'short-video', endpoint, fault, times: 1 });
      return async () => {
        while (count() === before) await setTimeout(10);
      };
    }

    before(async function () {
      database = await open(this);
      app = await start();
    });
    after(async () => {
      await app?.close();
      await database?.close();
    });
    beforeEach(() => database.query('delete from users'));

    it('escapes the names that users choose', async () => {
      const person = await signIn('microblog', 'markup');
      await person.link('short-video', 'markup');
      for (const path of ['/', await person.unlinkPath('microblog')]) {
        const { text } = await person.get(path);
        expectPage(text).toHave('&#60;b title=&#34;it&#39;s&#34;&#62;&#38;');
        expectPage(text).toLack('<b title');
      }
    });

    it('says once what has happened', async () => {
      const max = await signIn('short-video', 'max');
      await max.link('microblog', 'max');
      await max.link('microblog', 'max');
      const [first, second] = [await max.get('/'), await max.get('/')];
      expectPage(first.text).toHave('X login Max Bignumber connected again.');
      expectPage(second.text).toLack('connected again');
    });

    it('C44: trusts no state: a link that alice began ends if nobody is signed in by then, or max is', async () => {
      const browser = await signIn('short-video', 'alice');
      const callbacks: string[] = [];
      for (const _tab of [1, 2])
        callbacks.push(
          await allow(browser.browser, (await browser.post('/link/microblog')).location, 'hanako'),
        );
      await browser.post('/signout');
      for (const callback of callbacks) {
        const page = await browser.get(callback);
        expect(page.status).to.equal(409);
        expectPage(page.text).toHave('You are somebody else now');
        if (callback === callbacks[0]) await browser.signIn('short-video', 'max');
      }
      const logins = await database.query('select * from logins');
      expect(logins.map(({ provider }) => provider)).to.deep.equal(Array(2).fill('sandbox short-video'));
    });

    it('moves a login of another account after a login with it, and deletes an account without logins', async () => {
      const former = await signIn('microblog', 'layla');
      const layla = await signIn('short-video', 'layla');
      expect((await layla.post('/move')).status).to.equal(409);
      expect((await layla.allow('/link/microblog', 'layla')).location).to.equal(`${app.url}/move`);
      expect(await former.logins()).to.deep.equal(['microblog']);
      expectPage((await layla.get('/move')).text).toHave('only login of the other account');
      await layla.post('/move');
      expect(await layla.logins()).to.deep.equal(['microblog', 'short-video']);
      expect(await former.logins()).to.equal(undefined);
      expect(await database.query('select * from users')).to.have.length(1);
    });

    it('C44: moves no login that the session has not seen, nor for whoever signs in in between', async () => {
      await signIn('microblog', 'layla');
      const browser = await signIn('short-video', 'layla');
      await browser.allow('/link/microblog', 'layla');
      await browser.post('/signout');
      await browser.signIn('short-video', 'layla');
      expect((await browser.post('/move')).status).to.equal(409);
      expect(await browser.logins()).to.deep.equal(['short-video']);
    });

    it('unlinks a login after a fresh login with another one of the user, and revokes its tokens', async () => {
      const ned = await (await signIn('microblog', 'ned')).link('short-video', 'ned');
      const path = await ned.unlinkPath('microblog');
      expect((await ned.allow(path, 'dora')).status).to.equal(403);
      expect((await ned.get(await deny(ned.browser, (await ned.post(path)).location))).status).to.equal(401);
      expect(await ned.logins()).to.deep.equal(['microblog', 'short-video']);
      expect((await ned.allow(path, 'ned')).location).to.equal(`${app.url}${path}`);
      await ned.post(path);
      expect(await ned.logins()).to.deep.equal(['short-video']);
      const revoked = sandbox.requests().filter(({ endpoint }) => endpoint === 'revocation');
      expect(revoked.at(-1)).to.include({ network: 'microblog', status: 200 });
    });

    it("unlinks no user's only login, nor that of somebody else", async () => {
      const ned = await signIn('microblog', 'ned');
      const dora = await (await signIn('microblog', 'dora')).link('short-video', 'dora');
      const path = await dora.unlinkPath('short-video');
      expect((await ned.post(path)).status).to.equal(404);
      const [login] = await database.query("select * from logins where provider = 'sandbox microblog'");
      const { status } = await ned.post(`/unlink/sandbox%20microblog/${login?.identifier}`);
      expect(status).to.be.oneOf([404, 409]);
      expect(await ned.logins()).to.deep.equal(['microblog']);
      expect(await dora.logins()).to.deep.equal(['microblog', 'short-video']);
    });

    it('leaves one login to a user who unlinks both at once', async () => {
      for (let round = 0; round < 5; round += 1) {
        await database.query('delete from users');
        const one = await (await signIn('microblog', 'hubert')).link('short-video', 'hubert');
        const other = await signIn('short-video', 'hubert');
        const [first, second] = [await one.unlinkPath('short-video'), await other.unlinkPath('microblog')];
        await Promise.all([one.post(first), other.post(second)]);
        expect(await database.query('select * from logins')).to.have.length(1);
      }
    });

    it('E2: ends the sessions that a login gave when it is unlinked or moved, and no others; a link again, or a move back, does not bring them back', async () => {
      const hanako = await (await signIn('short-video', 'hanako')).link('social-network', 'hubert');
      const thief = await signIn('social-network', 'hubert');
      const elsewhere = await signIn('short-video', 'hanako');
      expect(await thief.logins()).to.deep.equal(['short-video', 'social-network']);
      await hanako.unlink('social-network', 'hanako');
      expect(await thief.logins()).to.equal(undefined);
      expect(await elsewhere.logins()).to.deep.equal(['short-video']);
      await hanako.link('social-network', 'hubert');
      const other = await signIn('social-network', 'hubert');
      expect(await thief.logins()).to.equal(undefined);
      expect(await other.logins()).to.deep.equal(['short-video', 'social-network']);
      for (const visitor of [await signIn('short-video', 'max'), hanako]) {
        expect((await visitor.allow('/link/social-network', 'hubert')).location).to.equal(`${app.url}/move`);
        expect((await visitor.post('/move', '/move')).location).to.equal(`${app.url}/`);
      }
      expect(await other.logins()).to.equal(undefined);
      expect(await hanako.logins()).to.deep.equal(['short-video', 'social-network']);
    });

    it('E2: a link whose exchange outlives the sign-out, the sign-out everywhere or the unlinking of its login links nothing, nor does the session come back', async () => {
      for (const [way, begun] of [
        ['/signout', ['microblog']],
        ['/signout-everywhere', ['microblog']],
        ['unlink', ['microblog', 'short-video']],
      ] as const) {
        await database.query('delete from users');
        const anna = await signIn('microblog', 'anna');
        const thief = arrive();
        if (way === 'unlink') {
          await anna.link('short-video', 'ned');
          await thief.signIn('short-video', 'ned');
        } else thief.browser.keepCookies(app.url, anna.browser.cookieHeader(app.url).split('; '));
        expect(await thief.logins(), way).to.deep.equal(begun);
        const callback = await allow(thief.browser, (await thief.post('/link/short-video')).location, 'ned');
        const arrives = delay('token');
        const held = thief.get(callback);
        await arrives();
        const path = way === 'unlink' ? await anna.unlinkPath('short-video') : way;
        expect((await anna.post(path)).status, way).to.equal(303);
        expect((await held).status, way).to.equal(409);
        expect(await thief.logins(), way).to.equal(undefined);
        const rows = await database.query('select * from logins');
        expect(
          rows.map(({ provider }) => provider),
          way,
        ).to.deep.equal(['sandbox microblog']);
      }
    });

    if (kind === 'SQLite')
      it('E2: a session that ended is not saved again by a request under way', async () => {
        const anna = await (await signIn('microblog', 'anna')).link('short-video', 'ned');
        const elsewhere = arrive();
        elsewhere.browser.keepCookies(app.url, anna.browser.cookieHeader(app.url).split('; '));
        const path = await anna.unlinkPath('short-video');
        const arrives = delay('revocation');
        const held = anna.post(path);
        await arrives();
        await elsewhere.post('/signout');
        expect((await held).status).to.equal(303);
        expect(await anna.logins()).to.equal(undefined);
      });

    it('E2: a form whose last byte comes after the sign-out is a form of nobody', async () => {
      for (const path of ['/signout', '/signout-everywhere']) {
        const anna = await signIn('microblog', 'anna');
        const cookie = anna.browser.cookieHeader(app.url);
        const [, token = ''] = /name="csrfToken" value="([^"]+)"/.exec((await anna.get('/')).text) ?? [];
        const body = `csrfToken=${token}`;
        const type = 'application/x-www-form-urlencoded';
        const headers = { cookie, 'content-type': type, 'content-length': body.length };
        const held = request(`${app.url}/delete`, { method: 'POST', headers });
        held.write(body.slice(0, -1));
        await setTimeout(300);
        await anna.post(path);
        held.end(body.slice(-1));
        const [response] = (await once(held, 'response')) as [IncomingMessage];
        expect(response.resume().statusCode, path).to.equal(403);
        expect(await database.query('select * from users')).to.have.length(1);
      }
    });

    it('gives the rights of a fresh login to a new session, not to a copy of the earlier one', async () => {
      const dora = await (await signIn('short-video', 'dora')).link('microblog', 'dora');
      const thief = arrive();
      thief.browser.keepCookies(app.url, dora.browser.cookieHeader(app.url).split('; '));
      expect(await thief.logins()).to.have.length(2);
      await dora.unlink('short-video', 'dora');
      expect(await dora.logins()).to.deep.equal(['microblog']);
      expect(await thief.logins()).to.equal(undefined);
    });

    it('signs a user out in every session, or deletes the user, and nobody else', async () => {
      const max = await signIn('microblog', 'max');
      for (const [path, said] of [
        ['/signout-everywhere', ''],
        ['/delete', 'Your account is deleted.'],
      ] as const) {
        const [one, other] = [await signIn('microblog', 'anna'), await signIn('microblog', 'anna')];
        expectPage((await one.post(path)).text).toHave(said);
        for (const visitor of [one, other]) expect(await visitor.logins()).to.equal(undefined);
        expect(await max.logins()).to.deep.equal(['microblog']);
      }
      expect(await database.query('select * from users')).to.have.length(1);
    });

    it('takes no form without the token of its session', async () => {
      const alice = await (await signIn('short-video', 'alice')).link('microblog', 'alice');
      const max = await signIn('short-video', 'max');
      const foreign = /name="csrfToken" value="([^"]+)"/.exec((await max.get('/')).text)?.[1] ?? '';
      for (const path of [...FORMS, await alice.unlinkPath('microblog')])
        for (const form of [{ other: '' }, { csrfToken: '' }, { csrfToken: foreign }]) {
          const { status, text } = await alice.browser.post(app.url + path, form as Record<string, string>);
          expect(status, `${path} ${JSON.stringify(form)}`).to.equal(403);
          expectPage(text).toHave('reload the page');
        }
      expect(await alice.logins()).to.deep.equal(['microblog', 'short-video']);
    });

    it('changes nobody who is signed in, by a link to a sign-in or callback route', async () => {
      const browser = await signIn('short-video', 'alice');
      for (const network of NETWORKS) {
        expect((await browser.get(`/api/auth/signin/${network}`)).location).to.equal(`${app.url}/`);
        expect((await browser.get(`/api/auth/callback/${network}`)).status).to.equal(400);
        for (const name of ['code', 'state', 'error', 'oauth_token', 'denied', 'payload'])
          for (const route of ['signin', 'callback']) {
            const page = await browser.get(`/api/auth/${route}/${network}?${name}=1`);
            expect(page.location, `${route} ${network} ${name}`).to.equal(`${app.url}/`);
          }
      }
      expectPage((await browser.get('/')).text).toHave('<h1>Alice Example</h1>');
    });

    it('says in words that a login was declined, has ended, or failed at the network', async () => {
      const visitor = arrive();
      const declined = await visitor.get(await deny(visitor.browser, await visitor.begin('microblog')));
      expect(declined.status).to.equal(401);
      expectPage(declined.text).toHave('You cancelled the sign-in with X', 'Try again with X');
      const restarted = await visitor.get('/api/auth/callback/microblog?code=CODE&state=STATE');
      expect(restarted.location).to.equal(`${app.url}/api/auth/signin/microblog?restarted=1`);
      const ended = await visitor.get('/api/auth/callback/microblog?code=CODE&state=STATE');
      expect(ended.status).to.equal(403);
      expectPage(ended.text).toHave('This sign-in has ended');
      sandbox.fault({ network: 'microblog', endpoint: 'token', fault: { kind: 'reset' }, times: 1 });
      const failed = await visitor.get(await allow(visitor.browser, await visitor.begin('microblog')));
      expect(failed.status).to.equal(502);
      expectPage(failed.text).toHave('The sign-in with X did not work', 'connection_failed');
      expect((await visitor.get('/nothing')).status).to.equal(404);
    });

    it('C50: begins a sign-in again, once, that comes back in another browser', async () => {
      const [one, other] = [arrive(), arrive()];
      const callback = await allow(one.browser, await one.begin('microblog'), 'max');
      const { location } = await other.get((await other.get(callback)).location);
      expect((await other.get(await allow(other.browser, location, 'max'))).location).to.equal(`${app.url}/`);
      expectPage((await other.get('/')).text).toHave('Max');
      // The first browser has begun nothing twice, and keeps its own login.
      expect((await one.get(callback)).location).to.equal(`${app.url}/`);
      await one.post('/signout');
      const used = await one.get(callback);
      expect([used.status, used.location]).to.deep.equal([403, '']);
      const third = arrive();
      const declined = await arrive().get(await deny(third.browser, await third.begin('microblog')));
      expect([declined.status, declined.location]).to.deep.equal([403, '']);
      const stuck = await arrive().get('/api/auth/signin/microblog?restarted=1');
      expect([stuck.status, stuck.location]).to.deep.equal([403, '']);
      expectPage(stuck.text).toHave('This browser keeps no cookies');
    });

    it('answers a request that nobody can understand with a page, and goes on', async () => {
      const visitor = await signIn('microblog', 'ned');
      const { status, text } = await visitor.get('/unlink/%E0%A4%A/1');
      expect(status).to.equal(400);
      expectPage(text).toHave('That did not work', 'Back to your account');
      expect(
        (await visitor.browser.post(`${app.url}/delete`, { csrfToken: 'x'.repeat(20_000) })).status,
      ).to.equal(413);
      expect(await visitor.logins()).to.deep.equal(['microblog']);
    });

    it('leads a user to the page that the network asks them to open', async () => {
      const userURL = 'https://id.vk.ru/check?one=1&two=2';
      const body = { error: 'need_validation', error_description: 'Validation', redirect_uri: userURL };
      sandbox.fault({
        network: 'social-network',
        endpoint: 'token',
        fault: { kind: 'answer', status: 401, body },
        times: 1,
      });
      const visitor = arrive();
      const page = await visitor.get(await allow(visitor.browser, await visitor.begin('social-network')));
      expectPage(page.text).toHave('href="https://id.vk.ru/check?one=1&#38;two=2"', 'Go on at VK');
    });

    it('E4: keeps no session for a start of a login, nor for a response that belongs to none', async () => {
      const before = await sessions();
      const visitor = arrive();
      const location = await visitor.begin('microblog');
      const pages = [
        await visitor.get('/'),
        await visitor.get('/api/auth/callback/microblog?code=CODE&state=STATE'),
        await visitor.get(await deny(visitor.browser, location)),
      ];
      for (const { headers } of pages)
        expect(String(headers['set-cookie'] ?? '')).to.not.match(/(^|,)session=/);
      expect(await sessions()).to.equal(before);
    });

    it('keeps the accounts of the sandbox apart, and ends their sessions when the real networks are there', async () => {
      const anna = await signIn('microblog', 'anna');
      await app.close();
      const PORT = new URL(app.url).port;
      const real = { MICROBLOG_CLIENT_ID: 'ID', MICROBLOG_CLIENT_SECRET: 'a-secret-of-twenty-characters' };
      app = await start({ PORT, ...real });
      expect(await anna.logins()).to.equal(undefined);
      await app.close();
      app = await start({ PORT });
      expect(await anna.logins()).to.equal(undefined);
      await anna.signIn('microblog', 'anna');
      const [login] = await database.query('select * from logins');
      expect(login?.provider).to.equal('sandbox microblog');
    });

    it('keeps users signed in, and finishes logins in progress, although its process was killed', async () => {
      const anna = await signIn('microblog', 'anna');
      const pending = await Promise.all(
        NETWORKS.map(async (network) => {
          const visitor = arrive();
          return { visitor, location: await visitor.begin(network) };
        }),
      );
      await app.kill('SIGKILL');
      app = await start({ PORT: new URL(app.url).port });
      expect(await anna.logins()).to.deep.equal(['microblog']);
      for (const { visitor, location } of pending) {
        await visitor.get(await allow(visitor.browser, location, 'max'));
        expectPage((await visitor.get('/')).text).toHave('<h1>Max Bignumber</h1>');
      }
    });

    it('limits the requests to its login routes, and says when to come back', async () => {
      const limited = await start({ LOGIN_LIMIT: '2' });
      const visitor = new Visitor(limited.url);
      const statuses = [];
      for (let count = 0; count < 3; count += 1)
        statuses.push((await visitor.get('/api/auth/signin/microblog')).status);
      expect(statuses).to.deep.equal([302, 302, 429]);
      expect((await visitor.get('/api/auth/signin/microblog')).headers).to.have.property('retry-after');
      await limited.close();
    });

    it('sends cookies over https only, behind a proxy that terminates TLS, and headers that restrict the page', async () => {
      const PORT = String(await freePort());
      const secure = await start({ PORT, BASE_URL: 'https://login.example' });
      const home = `http://127.0.0.1:${PORT}`;
      const headers = { 'x-forwarded-proto': 'https', host: 'login.example' };
      const browser = new Browser();
      const { location } = await browser.get(`${home}/api/auth/signin/microblog`, headers);
      const callback = new URL(await allow(browser, location, 'anna'));
      const cookie = browser.cookieHeader(home);
      const page = await browser.get(`${home}${callback.pathname}${callback.search}`, { ...headers, cookie });
      expect(String(page.headers['set-cookie'])).to.match(
        /__Host-session=.*; HttpOnly; Secure; SameSite=Lax/,
      );
      expect(page.headers['content-security-policy']).to.match(/^default-src 'none';style-src 'self';/);
      expect(page.headers).to.include({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' });
      expect(page.headers).to.have.property('strict-transport-security');
      await secure.close();
    });

    it('E1: passes a rehearsal', async () => {
      const skipped = await rehearsed(`${app.url}/api/auth/signin/social-network`);
      expect(skipped).to.deep.equal(['secrets in logs']);
      // The second time the database has accounts.
      for (const link of ['/link/microblog', '/link/microblog']) {
        const url = `${app.url}/api/auth/signin/short-video`;
        const { checks } = await rehearse(url, { only: ['linking'], link, delete: '/delete' });
        expect(checks.at(-1)).to.deep.equal({ name: 'linking', passed: true });
      }
    });
  });

describe('the login example ends with exit code 1, and one line that says what to do,', () => {
  const DATA_FOLDER = temporaryFolder();

  it('if its port is in use', async () => {
    const server = await serve(() => {});
    const { code, output } = await runToEnd({ DATA_FOLDER, PORT: String(server.port) });
    await server.close();
    expect(code).to.equal(1);
    expect(output).to.match(/EADDRINUSE.*PORT=3001 npm start/);
  });

  it('if a database that several processes share comes without the secrets that they share', async () => {
    const { code, output } = await runToEnd({ DATABASE_URL: 'postgresql://127.0.0.1/none', TOKEN_KEY: 'x' });
    expect([code, output]).to.deep.equal([
      1,
      'With DATABASE_URL, set SESSION_SECRET, LOGIN_SECRET, too: openssl rand -base64 32\n',
    ]);
  });

  it('if it is in production and has no credentials', async () => {
    const { code, output } = await runToEnd({ DATA_FOLDER, NODE_ENV: 'production' });
    expect(code).to.equal(1);
    expectPage(output).toHave('No network has credentials');
  });
});
