import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import type { Context } from 'mocha';
import { type Sandbox, type SandboxPerson, startSandbox } from '../../sandbox/lib/index.js';
import { type Subject, subjects } from '../contract/strategies.js';
import { Browser, type Page } from '../support/browser.js';
import type { Serving } from '../support/process.js';
import { realSockets } from '../support/real-sockets.js';
import { rehearsed } from '../support/rehearsal.js';
import { needs } from '../support/requirements.js';
import { serve } from '../support/server.js';
import { freePort, freePorts, hasNginx, hasServers, SERVERS_NEEDED, startNginx } from '../support/servers.js';
import { FOLDER, NETWORKS, startApp } from './app.js';
import { openPostgreSQL } from './databases.js';

const SESSIONLESS = join(FOLDER, '..', 'express', 'server.js');

/** Beyond 2^53, so that an ID rounded along the way belongs to another user. */
const MICROBLOG_BASE = 1_823_456_789_012_340_000n;
const PEOPLE: readonly SandboxPerson[] = Array.from({ length: 500 }, (_, index) => ({
  id: `person-${index}`,
  displayName: `Person ${index}`,
  givenName: 'Person',
  familyName: String(index),
  handle: `person_${index}`,
  openId: `open-id-of-person-${index}`,
  microblogId: String(MICROBLOG_BASE + BigInt(index)),
  socialNetworkId: 1_000_000 + index,
  email: `person-${index}@example.com`,
  picture: 'large',
}));
type Environment = Readonly<Record<string, string>>;

interface Cluster {
  readonly url: string;
  readonly log: () => string;
  readonly sandbox: Sandbox;
  readonly networks: readonly string[];
  readonly instances: readonly Instance[];
}

/** Attempts at one login before it counts as lost. nginx avoids a process that it took for dead for up to two seconds. */
const ATTEMPTS = 20;

describe('several processes behind nginx', function () {
  this.timeout(240_000);
  const opened = realSockets();

  before(function () {
    needs(this, hasNginx && hasServers, SERVERS_NEEDED);
  });

  /** Starts nginx with the configuration of the example, whose ports and log are replaced. @returns Its URL. */
  async function balance(ports: readonly number[], port: number) {
    const servers = ports.map((one) => `server 127.0.0.1:${one} max_fails=1 fail_timeout=1s;`).join('\n');
    const configuration = readFileSync(join(FOLDER, 'nginx.conf'), 'utf8')
      .replace(/server 127.0.0.1:3001 .*\n *server 127.0.0.1:3002 .*/, servers)
      .replace('listen 3000', `listen 127.0.0.1:${port}`)
      .replaceAll('/var/log/nginx/', '');
    const nginx = opened(await startNginx(configuration, port));
    const log = () => readFileSync(join(nginx.folder, 'login.log'), 'utf8');
    return { url: `http://127.0.0.1:${port}`, log };
  }

  /** Starts processes of the login example, with a database that they share. */
  async function startLogin(context: Context, count: number): Promise<Cluster> {
    const database = opened(await openPostgreSQL(context));
    return start(count, NETWORKS, { ...database.settings, LOGIN_LIMIT: '100000' });
  }

  /** Starts processes of the example without sessions, which share secrets and nothing else. */
  const startSessionless = (count: number, secrets: Environment) =>
    start(
      count,
      [...NETWORKS, 'microblog-1-0', 'social-network-vk-id'],
      { SESSION_SECRET: 'the-secret-that-signs-all-tokens', ...secrets },
      [SESSIONLESS, 'sessionless'],
    );

  async function start(
    count: number,
    networks: readonly string[],
    environment: Environment,
    command: readonly string[] = [],
  ): Promise<Cluster> {
    const sandbox = opened(await startSandbox({ people: PEOPLE }));
    // All at once: the first ones are still unused when the last is chosen.
    const [port = 0, ...ports] = await freePorts(count + 1);
    const balancer = await balance(ports, port);
    const shared = { ...environment, SANDBOX_URL: sandbox.url, BASE_URL: balancer.url, TRUST_PROXY: 'true' };
    const instances = ports.map((one) => new Instance({ ...shared, PORT: String(one) }, command));
    await Promise.all(instances.map((instance) => instance.start()));
    for (const instance of instances) opened({ close: () => instance.stop() });
    return { ...balancer, sandbox, networks, instances };
  }

  it("have nothing in common but secrets, and finish each other's logins through every network", async () => {
    const { networks, instances } = await startSessionless(2, {});
    const [one = '', other = ''] = instances.map(({ url }) => url);
    for (const name of networks) {
      for (const from of [one, other]) {
        const to = from === one ? other : one;
        const { browser, callback } = await begin(from, name);
        const page = await browser.get(to + callback, { cookie: browser.cookieHeader(from) });
        expect(`${page.status} ${page.text}`, name).to.match(/^200 \{"token":"/);
      }
    }
  });

  it('use a login once when two of them get its authorization response at once: one of them claims it', async function () {
    const { url, networks, instances, sandbox } = await startLogin(this, 2);
    const codes = () => sandbox.requests().filter(({ endpoint }) => endpoint === 'token').length;
    for (const name of networks) {
      for (let round = 0; round < 3; round += 1) {
        const { browser, callback } = await begin(url, name);
        const headers = { cookie: browser.cookieHeader(url) };
        const before = codes();
        const pages = instances.map((instance) => new Browser().get(instance.url + callback, headers));
        const statuses = (await Promise.all(pages)).map(({ status }) => status);
        expect(statuses, name).to.have.members([303, 403]);
        expect(codes() - before, `${name}, codes that were sent`).to.equal(1);
      }
    }
  });

  it('E1, E5: pass a rehearsal, and nginx logs no code', async function () {
    const { url, log } = await startLogin(this, 1);
    await rehearsed(`${url}/api/auth/signin/microblog`, { people: ['person-1', 'person-2'] });
    const { browser, callback } = await begin(url, 'microblog');
    await browser.get(url + callback);
    // The log is written after the response.
    while (!log().includes('"GET /api/auth/callback/microblog" 303 ')) await pause(20);
    expect(log()).to.not.match(/code|state|\?/);
  });

  it('lose no login and mix up no users while they are killed', async function () {
    const cluster = await startLogin(this, 3);
    await whileUsersLogIn(cluster, async () => {
      for (const instance of cluster.instances) await replace(cluster, instance);
    });
  });

  it('lose no login while they are killed and the secret of its cookies is rotated', async () => {
    const [current, next] = ['the-current-secret-of-32-characters', 'the-next-secret,-of-32-characters'];
    const cluster = await startSessionless(2, { LOGIN_SECRET: current });
    await whileUsersLogIn(cluster, async () => {
      for (const LOGIN_SECRET of [`${current} ${next}`, `${next} ${current}`])
        for (const instance of cluster.instances) await replace(cluster, instance, { LOGIN_SECRET });
    });
  });

  it('have a balancer that does not repeat an authorization response when the connection breaks', async () => {
    const seen: string[] = [];
    const dying = async () =>
      opened(
        await serve((request) => {
          seen.push(String(request.url));
          request.socket.destroy();
        }),
      ).port;
    const { url } = await balance([await dying(), await dying()], await freePort());
    expect((await new Browser().get(`${url}/callback?code=1`)).status).to.equal(502);
    expect(seen).to.deep.equal(['/callback?code=1']);
  });
});

class Instance {
  readonly url: string;
  app: Serving | undefined;

  constructor(
    private readonly environment: Environment,
    private readonly command: readonly string[],
  ) {
    this.url = `http://127.0.0.1:${environment.PORT}`;
  }

  async start(changes: Environment = {}): Promise<void> {
    this.app = await startApp({ ...this.environment, ...changes }, ...this.command);
  }

  /** @throws Error if it has crashed. */
  async stop(): Promise<void> {
    if (this.app?.hasEnded) throw new Error(`A process has crashed: ${this.app.text}`);
    await this.app?.close();
  }
}

/** Begins a login and gives consent. @returns The path and query of the callback. */
async function begin(url: string, name: string, person = 'person-1') {
  const browser = new Browser();
  const start = await browser.get(`${url}/api/auth/signin/${name}`);
  const consent = await browser.get(`${start.location}&auto=allow&person=${person}`);
  const { pathname, search } = new URL(consent.location);
  return { browser, callback: pathname + search };
}

/** Kills an instance, finishes logins that were begun before, and starts it again. */
async function replace(cluster: Cluster, instance: Instance, changes = {}) {
  const pending = await Promise.all(cluster.networks.map((name) => begin(cluster.url, name)));
  await instance.app?.kill('SIGKILL');
  await pause(300);
  for (const { browser, callback } of pending) {
    const load = () => browser.get(cluster.url + callback);
    let page = await load();
    // The balancer asks nobody for a second if it takes all for dead. The user reloads; a response that was used already would be a 403.
    for (let reloads = 0; page.status === 502 && reloads < ATTEMPTS; reloads += 1) {
      await pause(300);
      page = await load();
    }
    expect(page.status, `${callback}: ${page.text}`).to.be.oneOf([200, 303]);
  }
  await instance.start(changes);
  // The balancer avoids it for a second.
  await pause(1_000);
}

/** Four users at a time log in, each with a new browser, until `work` has ended. */
async function whileUsersLogIn(cluster: Cluster, work: () => Promise<void>): Promise<void> {
  let tried = 0;
  let isOver = false;
  const problems: string[] = [];
  const queue = async () => {
    while (!isOver) {
      const person = PEOPLE[tried % PEOPLE.length] as SandboxPerson;
      // Each user takes another network in the next round.
      const { networks } = cluster;
      const name = networks[(tried + Math.floor(tried / PEOPLE.length)) % networks.length] ?? '';
      tried += 1;
      const found = await logIn(cluster.url, name, person.id).catch(
        (error: Error) => `lost: ${error.message}`,
      );
      const { identify } = subjects().find(({ provider }) => name.startsWith(provider)) as Subject;
      if (found !== identify(person)) problems.push(`${name}, ${person.id}: ${found}`);
    }
  };
  const queues = Promise.all(Array.from({ length: 4 }, queue));
  await work().finally(() => {
    isOver = true;
  });
  await queues;
  console.log(`      ${tried} logins`);
  expect(problems).to.deep.equal([]);
  expect(tried).to.be.above(20);
}

/** What a user sees who can begin again: an error response, or the browser's own page for a response that was cut off. */
class ErrorPage extends Error {}

/** A user logs in, and begins again after an error. @returns Who it is, as the application says; nobody if it neither says so nor shows an error. */
async function logIn(url: string, name: string, person: string): Promise<string | undefined> {
  const browser = new Browser();
  const open = async (address: string, headers = {}): Promise<Page> => {
    const page = await browser.get(address, headers).catch((error: Error) => {
      throw error.message === 'aborted' ? new ErrorPage(error.message) : error;
    });
    if (page.status >= 400) throw new ErrorPage(`HTTP ${page.status}`);
    return page;
  };
  for (let attempt = 1; ; attempt += 1) {
    try {
      let page = await open(`${url}/api/auth/signin/${name}`);
      // Otherwise already logged in: an earlier attempt succeeded, but its response was cut off.
      if (!page.location.startsWith(`${url}/`)) {
        const consent = await open(`${page.location}&auto=allow&person=${person}`);
        page = await open(consent.location);
      }
      const token = page.json?.token as string | undefined;
      if (token !== undefined) {
        const me = await open(`${url}/api/me`, { authorization: `Bearer ${token}` });
        return (me.json as SandboxPerson).id;
      }
      return /<code>([^<]+)<\/code>/.exec((await open(`${url}/`)).text)?.[1];
    } catch (error) {
      if (!(error instanceof ErrorPage) || attempt === ATTEMPTS) throw error;
      await pause(500);
    }
  }
}
