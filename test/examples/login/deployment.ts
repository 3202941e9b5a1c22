import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import type { Servers } from '../../../examples/cluster/servers.js';
import { expectPage } from '../../support/page.js';
import { type DataFolders, FOLDER, freePort, RunningApp } from '../app.js';
import { ALICE } from './logins.js';
import { arrivals, type Scene, Visitor } from './visitor.js';

const TOKENS = ['access_token', 'refresh_token', 'oauth_token', 'oauth_token_secret'];

type Row = Readonly<Record<string, string | null>>;

/** The app across restarts, behind a proxy, and with credentials for real networks. */
export function describeDeployment(
  folders: DataFolders,
  template: () => string,
  browser: () => Browser,
): void {
  describe('a process that was killed, and then', () => {
    let app: RunningApp;
    let max: Visitor;
    let consenting: Visitor[];
    let returning: { network: string; visitor: Visitor; callback: string }[];

    before(async () => {
      const environment = { PORT: String(await freePort()), DATA_FOLDER: await folders.copy(template()) };
      const first = await RunningApp.start(environment);
      const arrive = () => Visitor.arrive(browser(), first.url);
      max = await arrive();
      await max.signIn('microblog', { person: 'max' });
      consenting = [];
      returning = [];
      for (const { network } of ALICE) {
        const visitor = await arrive();
        returning.push({ network, visitor, callback: await visitor.stopBefore(network) });
        // Not OAuth 1.0a: the sandbox dies with the app and loses the request token.
        if (network === 'microblog-1-0') continue;
        const alice = await arrive();
        await alice.goTo('/signin');
        await alice.choose(network);
        consenting.push(alice);
      }
      await first.stop('SIGKILL');
      app = await RunningApp.start(environment);
    });

    after(() => app?.stop());

    it('finishes the logins that were in progress', async () => {
      for (const alice of consenting) {
        await alice.consent();
        expect(await alice.page.locator('#name').innerText()).to.equal('Alice Example');
        await alice.leave();
      }
    });

    it('says at which step the network rejected a login', async () => {
      // The browser still has the pending login, but the new sandbox does not know the code.
      for (const { network, visitor, callback } of returning) {
        expect(await visitor.goTo(callback), network).to.equal(502);
        expectPage(await visitor.text).toHave(`${network}, token: the network refused`);
        await visitor.leave();
      }
    });

    it('keeps users signed in, and shows a hint when the network rejects an old token', async () => {
      await max.press('microblog', 'Refresh tokens');
      expect(await max.heading).to.equal('X rejected the request');
      expectPage(await max.text).toHave(
        'Sign in with X again to get new tokens.',
        'microblog, refresh: the network refused',
        'let the user log in again',
        /HTTP status\s+502/,
      );
      expect(app.output())
        .to.contain('POST /accounts/')
        .and.to.contain('microblog, refresh: the network refused');
      await max.page.getByRole('button', { name: 'Sign in with X again' }).click();
      await max.consent({ person: 'max' });
      expectPage(await max.text).toHave('X account Max Bignumber connected again.');
      expect(await max.linked()).to.deep.equal(['microblog']);
      await max.leave();
    });
  });

  it('makes its secrets readable by their owner only', async () => {
    const folder = template();
    expect(statSync(folder).mode & 0o777).to.equal(0o700);
    for (const name of ['encryption-key', 'session-secret'])
      expect(statSync(join(folder, name)).mode & 0o777, name).to.equal(0o600);
  });

  describe('behind a proxy, and with credentials for some networks', () => {
    let app: RunningApp;
    let home: string;
    let firstPage: string;

    before(async () => {
      const port = await freePort();
      home = `http://127.0.0.1:${port}`;
      const starting = RunningApp.start({
        PORT: String(port),
        DATA_FOLDER: await folders.copy(template()),
        BASE_URL: 'https://login.example.com',
        SHORT_VIDEO_CLIENT_ID: 'KEY',
        SHORT_VIDEO_CLIENT_SECRET: 'SECRET',
        SOCIAL_NETWORK_VK_ID_CLIENT_ID: '51000000',
        SOCIAL_NETWORK_VK_ID_CLIENT_SECRET: 'PROTECTED-KEY',
      });
      firstPage = await firstResponse(`${home}/signin`);
      app = await starting;
    });

    after(() => app?.stop());

    it('lets requests wait until it is ready', () => {
      expectPage(firstPage).toHave('<h1>Sign in</h1>');
    });

    it('uses https throughout, with its base URL in the redirect URI', async () => {
      expect(app.url).to.equal('https://login.example.com');
      const { headers } = await begin('microblog');
      const { searchParams } = new URL(headers.get('location') ?? '');
      expect(searchParams.get('redirect_uri')).to.equal(`${app.url}/api/auth/callback/microblog`);
      const cookies = headers.getSetCookie();
      expect(cookies).to.have.length(1);
      expect(cookies[0]).to.match(/^__Host-[^=]+=[^;]*;/);
      for (const attribute of ['Path=/', 'HttpOnly', 'Secure', 'SameSite=Lax'])
        expect(cookies[0]?.split('; ')).to.include(attribute);
      expect(headers.get('strict-transport-security')).to.contain('max-age=');
    });

    it('uses the real networks, and the sandbox otherwise', async () => {
      const choices = firstPage.split('<li>').filter((choice) => choice.includes('badge'));
      expect(choices.map((choice) => /signin\/([^?]+)/.exec(choice)?.[1])).to.deep.equal([
        'microblog',
        'microblog-1-0',
        'social-network',
      ]);
      for (const [network, address] of [
        ['short-video', /^https:\/\/www\.tiktok\.com\/v2\/auth\/authorize\/\?.*client_key=KEY/],
        ['social-network-vk-id', /^https:\/\/id\.vk\.ru\/authorize\?/],
        ['microblog', /^http:\/\/127\.0\.0\.1:\d+\/microblog\//],
      ] as const) {
        expect((await begin(network)).headers.get('location')).to.match(address);
      }
      const { headers } = await fetch(`${home}/signin`);
      expect(headers.get('content-security-policy')).to.match(
        /form-action 'self' https:\/\/\*\.tiktok\.com https:\/\/\*\.vk\.ru https:\/\/\*\.vk\.com http:\/\/127/,
      );
    });

    function begin(network: string): Promise<Response> {
      const headers = { 'x-forwarded-proto': 'https' };
      return fetch(`${home}/api/auth/signin/${network}`, { headers, redirect: 'manual' });
    }
  });
}

/** The content of the database, and a Redis that is away for a while. */
export function describeStorage(scene: () => Scene, servers: () => Servers): void {
  const arrive = arrivals(scene);
  const query = (text: string, values: readonly string[] = []) =>
    queryDatabase(servers().databaseURL, text, values);

  it('stores tokens only in encrypted form', async () => {
    const hubert = await arrive();
    await hubert.signIn('microblog-1-0', { person: 'hubert' });
    await hubert.link('social-network-vk-id', { person: 'hubert' });
    const rows = await query(
      `select network, ${TOKENS.join(', ')} from accounts where identifier = any($1)`,
      ['{9223372036854775807,9007199254740991}'],
    );
    const columns = rows.flatMap((row) =>
      TOKENS.map((name) => [`${row.network} ${name}`, row[name]] as const),
    );
    const encrypted = columns.filter(([, token]) => token !== null);
    expect(encrypted.map(([name]) => name)).to.include.members([
      'microblog-1-0 oauth_token',
      'microblog-1-0 oauth_token_secret',
      'social-network-vk-id access_token',
      'social-network-vk-id refresh_token',
    ]);
    // A compact JWE has five parts. The second, the encrypted key, is empty.
    for (const [name, token] of encrypted)
      expect(token, name).to.match(/^eyJ[\w-]+\.\.[\w-]+\.[\w-]+\.[\w-]+$/);
  });

  it('E4: keeps no session for a start of a login, nor for a response that belongs to none', async () => {
    const port = new URL(servers().redisURL).port;
    const count = () => execFileSync('redis-cli', ['-p', port, 'dbsize'], { encoding: 'utf8' });
    const before = count();
    for (const { network } of ALICE)
      for (const path of [`signin/${network}?returnTo=%2Faccounts`, `callback/${network}?code=1&state=1`]) {
        const { status } = await fetch(`${scene().url}/api/auth/${path}`, { redirect: 'manual' });
        expect(status, path).to.equal(path.startsWith('signin') ? 302 : 403);
      }
    expect(count()).to.equal(before);
  });

  it("does not decrypt a token that was copied into another user's row", async () => {
    const [hanako, ned] = [await arrive(), await arrive()];
    await hanako.signIn('social-network-vk-id', { person: 'hanako' });
    await ned.signIn('social-network-vk-id', { person: 'ned' });
    await query(
      `update accounts set refresh_token = (select refresh_token from accounts where network = $1 and identifier = '66748')
       where network = $1 and identifier = '12345678'`,
      ['social-network-vk-id'],
    );
    await ned.press('social-network-vk-id', 'Refresh tokens');
    expect(await ned.heading).to.equal('Something went wrong');
    expectPage(await ned.text).toHave('The server log has the details');
  });

  it('has one row for each user ID at a provider, with keys of their own for the sandbox', async () => {
    const rows = await query('select distinct provider from accounts order by provider');
    const families = ['microblog', 'short-video', 'social-network'];
    expect(rows.map(({ provider }) => provider)).to.deep.equal(families.map((name) => `sandbox:${name}`));
    const columns = 'user_id, provider, identifier, network, profile, record, scope';
    const failure = await query(
      `insert into accounts (${columns}) select ${columns} from accounts limit 1`,
    ).catch((error: Error) => error);
    expect(failure).to.be.an('error').with.property('constraint', 'accounts_provider_identifier');
  });

  it('shows an error page while Redis is down, and signs users in when it is back', async () => {
    const alice = await arrive();
    await alice.signIn('microblog');
    await servers().stopRedis();
    expect(await alice.goTo('/profile')).to.equal(500);
    expect(await alice.heading).to.equal('Something went wrong');
    await servers().startRedis();
    while ((await alice.goTo('/signin')) === 500) await new Promise((resolve) => setTimeout(resolve, 100));
    await alice.signIn('microblog');
    expect(alice.path).to.equal('/profile');
  });
}

/** Two processes that start at once on an empty database, with the sessions in it. */
export function describeSharing(folders: DataFolders, servers: () => Servers, browser: () => Browser): void {
  let databaseURL: string;
  let apps: RunningApp[];
  let alice: Visitor;

  before(async () => {
    databaseURL = await servers().createDatabase('shared');
    const start = async () =>
      RunningApp.start({
        PORT: '0',
        DATABASE_URL: databaseURL,
        ENCRYPTION_KEY: key,
        SESSION_SECRET: key,
        DATA_FOLDER: await folders.empty(),
      });
    const key = randomBytes(32).toString('base64');
    apps = await Promise.all([start(), start()]);
    alice = await Visitor.arrive(browser(), apps[0]?.url ?? '');
  });

  after(async () => {
    await alice?.leave();
    for (const app of apps ?? []) await app.stop();
  });

  it('both recognize the signed-in user', async () => {
    await alice.signIn('short-video');
    // Cookies are shared between the ports of a host.
    await alice.page.goto(`${apps[1]?.url}/accounts`);
    expectPage(await alice.text).toHave('Alice Example');
  });

  it('asks for a fresh login before linking, if the last login is more than ten minutes ago', async () => {
    await queryDatabase(
      databaseURL,
      `update sessions set sess = jsonb_set(sess::jsonb, '{confirmedAt}', to_jsonb((sess->>'confirmedAt')::bigint - 600000))`,
    );
    // Somebody else at the computer, with an account of their own.
    await alice.link('microblog', { person: 'max' });
    expect(await alice.heading).to.equal('That is a different account');
    expect(await alice.linked()).to.deep.equal(['short-video']);
    await alice.link('microblog', { person: 'alice' });
    await alice.page.getByText('You have signed in again.').waitFor();
    expect(await alice.linked()).to.deep.equal(['short-video']);
    await alice.link('microblog', { person: 'alice' });
    expect(await alice.linked()).to.deep.equal(['short-video', 'microblog']);
  });

  it('redirects only when the session is saved, however slow its store is', async () => {
    await queryDatabase(
      databaseURL,
      `create function wait_for_notice() returns trigger language plpgsql as $$
         begin
           if new.sess::jsonb ? 'notice' then perform pg_sleep(1); end if;
           return new;
         end $$;
       create trigger slow before insert or update on sessions for each row execute function wait_for_notice()`,
    );
    await alice.link('social-network');
    await alice.page.getByText('VK account Alice Example linked.').waitFor();
    await alice.press('microblog', 'Refresh tokens');
    await alice.page.getByText('X account Alice Example has new tokens.').waitFor();
  });
}

/** Repeats a request until the server listens. */
async function firstResponse(url: string): Promise<string> {
  for (;;) {
    const response = await fetch(url).catch(() => undefined);
    if (response) return response.text();
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** Runs a query on a PostgreSQL server. */
async function queryDatabase(
  url: string,
  text: string,
  values: readonly string[] = [],
): Promise<readonly Row[]> {
  const { Client } = createRequire(join(FOLDER, 'server.js'))('pg');
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text, values)).rows;
  } finally {
    await client.end();
  }
}
