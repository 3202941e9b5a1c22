import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import { Browser } from '../support/browser.js';
import { allow } from '../support/journey.js';
import { expectPage } from '../support/page.js';
import type { Serving } from '../support/process.js';
import { rehearsed } from '../support/rehearsal.js';
import { oneSandbox } from '../support/sandbox.js';
import { FOLDER, NETWORKS, runToEnd, startApp } from './app.js';
import { DATABASES, type Database } from './databases.js';

const SERVER = join(FOLDER, 'accounts', 'server.js');
const TOKEN_KEY = Buffer.alloc(32, 7).toString('base64');
process.env.TOKEN_KEY = TOKEN_KEY;

interface Encryption {
  readonly decrypt: (encrypted: string, login: object) => { accessToken: string; refreshToken: string };
  readonly encrypt: (tokens: object, login: object) => string;
}
const encryption = () => import(join(FOLDER, 'accounts', 'tokens.js')) as Promise<Encryption>;

for (const [kind, openDatabase] of Object.entries(DATABASES))
  describe(`the accounts of the login example with ${kind}`, function () {
    this.timeout(60_000);
    let database: Database;
    const sandbox = oneSandbox();
    let app: Serving;

    before(async function () {
      database = await openDatabase(this);
      await start();
    });
    after(async () => {
      await app?.close();
      await database?.close();
    });

    const environment = () => ({ SANDBOX_URL: sandbox.url, ...database.settings, TOKEN_KEY });
    const refresh = () => runToEnd(environment(), SERVER, 'refresh');
    const start = async () => {
      app = await startApp(environment(), SERVER);
    };
    const succeeded = (name: string) =>
      sandbox.requests().filter(({ endpoint, status, refused }) => endpoint === name && status && !refused)
        .length;
    const due = () => database.query('update logins set refresh_at = 1');
    const count = async (rows: string) => (await database.query(`select * from ${rows}`)).length;
    const pageOf = async (browser: Browser) => (await browser.get(`${app.url}/`)).text;
    const post = (browser: Browser, path: string, site = 'same-origin') =>
      browser.post(`${app.url}${path}`, { form: '' }, { 'sec-fetch-site': site });
    async function logIn(network: string, person: string, browser = new Browser()) {
      const { location } = await browser.get(`${app.url}/api/auth/signin/${network}`);
      await browser.get(await allow(browser, location, person));
      return browser;
    }
    async function link(browser: Browser, network: string, person: string) {
      const { location } = await post(browser, `/link/${network}`);
      return browser.get(await allow(browser, location, person));
    }

    /** Lets every access token expire, at the networks and in the rows. */
    async function expire() {
      sandbox.advance(3 * 60 * 60 * 1000);
      const { decrypt, encrypt } = await encryption();
      for (const row of await database.query('select * from logins where tokens is not null')) {
        const tokens = encrypt({ ...decrypt(row.tokens, row), expiresAt: 1 }, row);
        const key = `provider = '${row.provider}' and identifier = '${row.identifier}'`;
        await database.query(`update logins set tokens = '${tokens}' where ${key}`);
      }
    }

    it('finds the user of a second login, even of two at once', async () => {
      for (const network of NETWORKS) {
        await Promise.all([logIn(network, 'max'), logIn(network, 'max')]);
        expectPage(await pageOf(await logIn(network, 'max'))).toHave(`Max Bignumber: sandbox ${network} `);
      }
      expect([await count('users'), await count('logins')]).to.deep.equal([3, 3]);
    });

    it('links a login to the user who is signed in, and none of somebody else, whose tokens stay', async () => {
      const alice = await logIn('short-video', 'alice');
      expect((await link(alice, 'microblog', 'alice')).location).to.equal(`${app.url}/`);
      const page = await pageOf(alice);
      expectPage(page).toHave(
        'Alice Example: ',
        'sandbox short-video 723f24d7',
        'sandbox microblog 2244994945',
      );
      const anna = await logIn('social-network', 'anna');
      const kept = await database.query('select * from logins');
      const refused = await link(anna, 'microblog', 'alice');
      expect(await database.query('select * from logins')).to.have.deep.members(kept);
      expect(refused.status).to.equal(409);
      expectPage(refused.text).toHave('belongs to somebody else');
      expect(await pageOf(await logIn('microblog', 'alice'))).to.equal(page);
      for (const path of ['/link/social-network', '/delete'])
        expect((await post(alice, path, 'cross-site')).status).to.equal(403);
      expect((await post(new Browser(), '/link/microblog')).status).to.equal(403);
    });

    it('keeps tokens that nobody can read without the key, or move to another row', async () => {
      const { decrypt } = await encryption();
      const stored = await database.stored();
      for (const { provider, identifier, tokens } of await database.query('select * from logins')) {
        const { accessToken, refreshToken } = decrypt(tokens, { provider, identifier });
        expect(stored).to.include(tokens).and.not.include(accessToken).and.not.include(refreshToken);
        expect(() => decrypt(tokens, { provider, identifier: '1' })).to.throw();
      }
    });

    it('refreshes what is due, once although two processes try, and when it starts', async () => {
      const requests = succeeded('token');
      const remove = sandbox.fault({ endpoint: 'token', fault: { kind: 'delay', milliseconds: 200 } });
      await due();
      await Promise.all([refresh(), refresh()]);
      expect(succeeded('token')).to.equal(requests + (await count('logins')));
      remove();
      await due();
      await app.close();
      await start();
      while ((await count('logins where refresh_at = 1')) > 0) await setTimeout(50);
      expect(succeeded('token')).to.equal(requests + 2 * (await count('logins')));
    });

    if (kind === 'SQLite')
      it('E1: passes a rehearsal', async () => {
        await rehearsed(`${app.url}/api/auth/signin/social-network`, { people: ['ned', 'hubert'] });
      });

    it('C41: stores no tokens of a response that names another user', async () => {
      const { decrypt } = await encryption();
      const body = {
        access_token: 'MALLORY',
        refresh_token: 'MALLORY',
        open_id: 'mallory',
        token_type: 'Bearer',
      };
      const fault = { kind: 'answer', status: 200, body } as const;
      const remove = sandbox.fault({ network: 'short-video', endpoint: 'token', fault });
      await due();
      await refresh();
      remove();
      const rows = await database.query("select * from logins where provider = 'sandbox short-video'");
      expect(rows).to.have.length.above(0);
      for (const row of rows) expect(decrypt(row.tokens, row).accessToken).to.not.equal('MALLORY');
    });

    it('forgets tokens that are spent, and keeps those that could not be refreshed', async () => {
      await due();
      sandbox.fault({ network: 'microblog', endpoint: 'token', fault: { kind: 'revoked-token' } });
      sandbox.fault({ network: 'short-video', endpoint: 'token', fault: { kind: 'answer', status: 503 } });
      await refresh();
      expect(await count("logins where provider = 'sandbox microblog' and tokens is null")).to.equal(2);
      expect(await count("logins where provider = 'sandbox short-video' and refresh_at = 1")).to.equal(2);
    });

    it('deletes a user in every session, revokes the tokens after they expired, and says where it could not', async () => {
      sandbox.reset();
      const [anna, elsewhere] = [await logIn('microblog', 'anna'), await logIn('microblog', 'anna')];
      for (const network of ['short-video', 'social-network']) await link(anna, network, 'hanako');
      const others = await count('logins');
      await expire();
      sandbox.fault({ network: 'short-video', endpoint: 'revocation', fault: { kind: 'reset' } });
      expectPage((await post(anna, '/delete')).text).toHave('is deleted', 'settings at TikTok.');
      expect(succeeded('revocation')).to.equal(2);
      expect(await count('logins')).to.equal(others - 3);
      for (const browser of [anna, elsewhere]) expectPage(await pageOf(browser)).toHave('not logged in');
    });

    it('E2: links nothing for a user who signed out during the exchange', async () => {
      const dora = await logIn('microblog', 'dora');
      const kept = await count('logins');
      const fault = { kind: 'delay', milliseconds: 1_000 } as const;
      sandbox.fault({ network: 'short-video', endpoint: 'token', fault, times: 1 });
      const requests = succeeded('token');
      const linked = link(dora, 'short-video', 'dora');
      while (succeeded('token') === requests) await setTimeout(10);
      await post(dora, '/signout');
      expect((await linked).status).to.equal(409);
      expect(await count('logins')).to.equal(kept);
    });
  });
