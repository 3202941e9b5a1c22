import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import type * as Balancers from '../../examples/cluster/balancer.js';
import type * as Clusters from '../../examples/cluster/cluster.js';
import { freePorts } from '../../examples/cluster/ports.js';
import { hasServers, Servers } from '../../examples/cluster/servers.js';
import { type SandboxPerson, startSandbox } from '../../sandbox/lib/index.js';
import { Browser, type Page } from '../support/browser.js';
import { closesAfterEach } from '../support/cleanup.js';
import { rehearsed } from '../support/rehearsal.js';
import { needs } from '../support/requirements.js';
import { network, serve } from '../support/server.js';

type Cluster = Awaited<ReturnType<typeof Clusters.startCluster>>;

const FOLDER = join(__dirname, '..', '..', 'examples', 'cluster');
const NEEDED =
  'the cluster example needs nginx, PostgreSQL and Redis: apt-get install nginx-light postgresql redis-server.';

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
/** Attempts at one login before it counts as lost. */
const ATTEMPTS = 6;

describe('the cluster example', function () {
  this.timeout(120_000);
  const opened = closesAfterEach();
  let balancers: typeof Balancers;
  let clusters: typeof Clusters;

  before(async function () {
    // As Node does: the example's own modules are ES modules with a top-level await.
    const load = (name: string) => import(pathToFileURL(join(FOLDER, name)).href);
    balancers = (await load('balancer.js')) as typeof Balancers;
    clusters = (await load('cluster.js')) as typeof Clusters;
    needs(this, balancers.hasNginx && hasServers, NEEDED);
  });

  /** Instances of the login example with servers, of the sessionless example without. */
  async function start(count: number, servers?: Servers, environment = {}) {
    const sandbox = opened(await startSandbox({ people: PEOPLE }));
    const settings = { sandbox, count, environment, ...(servers && { servers }) };
    const cluster = opened(await clusters.startCluster(settings));
    expect(cluster.networks).to.have.length(5);
    return { sandbox, cluster };
  }

  async function startServers(): Promise<Servers> {
    const servers = await Servers.start();
    opened({ close: () => servers.stop() });
    return servers;
  }

  it("has processes that share nothing but secrets and finish each other's logins through every network", async () => {
    const { cluster } = await start(2);
    const [one = '', other = ''] = cluster.instances.map(({ url }) => url);
    for (const name of cluster.networks) {
      for (const [from, to] of [
        [one, other],
        [other, one],
      ] as const) {
        const { browser, callback } = await begin(from, name);
        const page = await browser.get(to + callback, { cookie: browser.cookieHeader(from) });
        expect(`${page.status} ${page.text}`, name).to.match(/^200 \{"token":"/);
      }
    }
  });

  it('uses a login once when two processes get its authorization response at once: one of them claims it', async () => {
    const { cluster, sandbox } = await start(2, await startServers());
    /** How many codes and verifiers the networks got. */
    const codes = () =>
      sandbox.requests().filter(({ endpoint }) => ['token', 'access token'].includes(endpoint)).length;
    for (const name of cluster.networks) {
      for (let round = 0; round < 3; round += 1) {
        const { browser, callback } = await begin(cluster.url, name);
        const headers = { cookie: browser.cookieHeader(cluster.url) };
        const before = codes();
        const pages = cluster.instances.map(({ url }) => new Browser().get(url + callback, headers));
        const statuses = (await Promise.all(pages)).map(({ status }) => status);
        expect(statuses, name).to.have.members([302, 403]);
        expect(codes() - before, `${name}, codes that were sent`).to.equal(1);
      }
    }
  });

  it('E1: passes a rehearsal with the login example, one process behind its balancer', async () => {
    const { cluster } = await start(1, await startServers());
    await rehearsed(`${cluster.url}/api/auth/signin/microblog`, { people: ['person-1', 'person-2'] });
  });

  it('loses no login and mixes up no users while its processes are killed', async () => {
    const { cluster } = await start(3, await startServers());
    await whileUsersLogIn(cluster, async () => {
      for (const instance of cluster.instances) await replace(cluster, instance);
    });
  });

  it('loses no login while its processes are killed and the secret of its cookies is rotated', async () => {
    const [current, next] = ['the current secret of 32 characters', 'the next secret, of 32 characters'].map(
      (secret) => secret.replaceAll(' ', '-'),
    );
    const { cluster } = await start(2, undefined, { LOGIN_SECRETS: current });
    await whileUsersLogIn(cluster, async () => {
      for (const LOGIN_SECRETS of [`${current} ${next}`, `${next} ${current}`])
        for (const instance of cluster.instances) await replace(cluster, instance, { LOGIN_SECRETS });
    });
  });

  it('starts with npm start, and ends with its process', async () => {
    const words = ['--throw-deprecation', join(FOLDER, 'cluster.js'), 'sessionless'];
    const child = spawn(process.execPath, words, { env: { PATH: process.env.PATH } });
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    const [, url = ''] = /^Log in at (\S+), and kill/.exec(String(line)) ?? [];
    const browser = new Browser();
    const start = await browser.get(`${url}/api/auth/signin/microblog`);
    const consent = await browser.get(`${start.location}&auto=allow`);
    expect((await browser.get(consent.location)).json).to.have.property('token');
    await rehearsed(`${url}/api/auth/signin/short-video`, { session: false });
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).to.deep.equal([143, null]);
    expect(await browser.get(url).catch((error: { code?: string }) => error.code)).to.equal('ECONNREFUSED');
  });

  it('has free, distinct ports outside the range of outgoing connections', async () => {
    const ports = await freePorts(100);
    expect(new Set(ports)).to.have.length(100);
    for (const port of ports) {
      expect(port).to.be.within(1_024, 32_767);
      const server = createServer().listen(port, '127.0.0.1');
      await once(server, 'listening');
      await once(server.close(), 'close');
    }
  });

  describe('has a balancer that', () => {
    async function balance(...ports: readonly number[]): Promise<string> {
      return opened(await balancers.startBalancer(ports)).url;
    }

    it('sends each request to the next process, with the host that the browser sees', async () => {
      const [one, other] = [opened(await network(() => ({}))), opened(await network(() => ({})))];
      const home = await balance(one.port, other.port);
      for (let count = 0; count < 4; count += 1) await new Browser().get(`${home}/path?query=1`);
      for (const { requests } of [one, other]) {
        expect(requests.map(({ url }) => url)).to.deep.equal(['/path?query=1', '/path?query=1']);
        expect(requests[0]?.headers).to.include({
          host: new URL(home).host,
          'x-forwarded-host': new URL(home).host,
          'x-forwarded-proto': 'http',
        });
      }
    });

    for (const method of ['GET', 'POST'] as const) {
      it(`passes a ${method} request on when an instance is unreachable`, async () => {
        const gone = await serve(() => {});
        await gone.close();
        const there = opened(await network((request) => ({ body: `${request.method} ${request.body}` })));
        const address = `${await balance(gone.port, there.port)}/callback?code=1`;
        const browser = new Browser();
        const page = await (method === 'GET' ? browser.get(address) : browser.post(address, { a: 'b' }));
        expect(`${page.status} ${page.text}`).to.equal(method === 'GET' ? '200 GET ' : '200 POST a=b');
      });
    }

    it('does not repeat an authorization response when the connection breaks', async () => {
      const seen: string[] = [];
      const dying = () =>
        serve((request) => {
          seen.push(String(request.url));
          request.socket.destroy();
        });
      const [one, other] = [opened(await dying()), opened(await dying())];
      const home = await balance(one.port, other.port);
      const { status } = await new Browser().get(`${home}/callback?code=1`);
      expect(status).to.equal(502);
      expect(seen).to.deep.equal(['/callback?code=1']);
    });

    it("passes an application's own error through unchanged", async () => {
      const app = opened(await network(() => ({ status: 502, body: 'The network failed.' })));
      const page = await new Browser().get(await balance(app.port, app.port));
      expect(page).to.include({ status: 502, text: 'The network failed.' });
      expect(app.requests).to.have.length(1);
    });
  });
});

/** Begins a login and gives consent. @returns The path and query of the callback. */
async function begin(url: string, name: string, person = 'person-1') {
  const browser = new Browser();
  const start = await browser.get(`${url}/api/auth/signin/${name}`);
  const consent = await browser.get(`${start.location}&auto=allow&person=${person}`);
  const { pathname, search } = new URL(consent.location);
  return { browser, callback: pathname + search };
}

/** Kills an instance, finishes logins that were begun before, and starts it again. */
async function replace(cluster: Cluster, instance: Cluster['instances'][number], changes = {}) {
  const pending = await Promise.all(cluster.networks.map((name) => begin(cluster.url, name)));
  await instance.kill();
  await pause(300);
  for (const { browser, callback } of pending) {
    let page = await browser.get(cluster.url + callback);
    // The balancer asks nobody for a second if it takes all for dead. The user reloads; a response that was used already would be a 403.
    for (let reloads = 0; page.status === 502 && reloads < ATTEMPTS; reloads += 1) {
      await pause(300);
      page = await browser.get(cluster.url + callback);
    }
    expect(page.status, `${callback}: ${page.text}`).to.be.oneOf([200, 302]);
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
      const name = cluster.networks[(tried + Math.floor(tried / PEOPLE.length)) % 5] ?? '';
      tried += 1;
      const found = await logIn(cluster.url, name, person.id).catch(
        (error: Error) => `lost: ${error.message}`,
      );
      if (found !== identifierOf(person, name)) problems.push(`${name}, ${person.id}: ${found}`);
    }
  };
  const queues = Promise.all(Array.from({ length: 4 }, queue));
  await work().finally(() => {
    isOver = true;
  });
  await queues;
  console.log(`      ${tried} logins`);
  expect(problems).to.deep.equal([]);
  expect(tried).to.be.above(50);
}

/** A user's ID at a network, by the name of the strategy. */
function identifierOf({ openId, microblogId, socialNetworkId }: SandboxPerson, name: string): string {
  if (name.startsWith('short-video')) return openId;
  return name.startsWith('microblog') ? microblogId : String(socialNetworkId);
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
      const profile = await open(`${url}/profile`);
      return /<code id="identifier">([^<]+)<\/code>/.exec(profile.text)?.[1];
    } catch (error) {
      if (!(error instanceof ErrorPage) || attempt === ATTEMPTS) throw error;
      await pause(500);
    }
  }
}
