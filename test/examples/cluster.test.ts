import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect } from 'chai';
import type * as Balancers from '../../examples/cluster/balancer.js';
import { hasServers, Servers } from '../../examples/cluster/servers.js';
import { Browser } from '../support/browser.js';
import { closesAfterEach } from '../support/cleanup.js';
import { needs } from '../support/requirements.js';
import { network, serve } from '../support/server.js';
import { FOLDER, load, startCluster } from './cluster/clusters.js';

const NEEDED =
  'the cluster example needs nginx, PostgreSQL and Redis: apt-get install nginx-light postgresql redis-server.';

const VARIANTS = ['sessions in Redis, accounts in PostgreSQL', 'tokens, nothing shared but secrets'] as const;

describe('the cluster example', function () {
  this.timeout(600_000);
  let balancers: typeof Balancers;

  before(async function () {
    balancers = await load<typeof Balancers>('balancer.js');
    needs(this, balancers.hasNginx && hasServers, NEEDED);
  });

  it('loses no login and mixes up no users while its processes are killed', async () => {
    const { code, output } = await run({ SECONDS: '5', KILLS: '3', VISITORS: '6' });
    console.log(output.replace(/^/gm, '      ').trimEnd());
    for (const title of VARIANTS) {
      const figures = figuresOf(output, title);
      expect(figures.lost, title).to.equal(0);
      expect(figures['wrong user'], title).to.equal(0);
      expect(figures['logins tried'], title).to.equal(figures.finished).and.to.be.greaterThan(0);
      expect(figures.kills, title).to.equal(3);
    }
    expect(code).to.equal(0);
  });

  it('reports the cost of a login in one, two and four processes', async () => {
    const { code, output } = await run({ MODE: 'measure', LOGINS: '10', VISITORS: '4' });
    console.log(output.replace(/^/gm, '      ').trimEnd());
    for (const title of [...VARIANTS, 'bare node:http, no logins']) {
      const rows = [
        ...output.matchAll(new RegExp(`^${title} +(\\d) +(\\d+) .* ([\\d.]+) ms +[\\d.]+$`, 'gm')),
      ];
      expect(rows.map(([, instances]) => instances)).to.deep.equal(['1', '2', '4']);
      for (const [, , logins, cost] of rows) {
        expect(Number(logins)).to.be.greaterThan(0);
        expect(Number(cost)).to.be.greaterThan(0);
      }
    }
    expect(code).to.equal(0);
  });

  it('reports an invalid setting in one line', async () => {
    const { code, output } = await run({ INSTANCES: '1' });
    expect(output).to.equal('INSTANCES must be a whole number of at least 2.\n');
    expect(code).to.equal(1);
  });

  describe('has a balancer that', () => {
    const opened = closesAfterEach();

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

describe('two processes with one Redis', function () {
  this.timeout(120_000);

  before(function () {
    needs(this, hasServers, 'PostgreSQL and Redis: apt-get install postgresql redis-server.');
  });

  const opened = closesAfterEach();

  it('use a login once when both get its authorization response at once: one of them claims it', async () => {
    const servers = await Servers.start();
    opened({ close: () => servers.stop() });
    const cluster = opened(await startCluster(VARIANTS[0], servers));
    for (const network of cluster.networks) {
      for (let round = 0; round < 3; round += 1) {
        const { statuses, codes } = await cluster.finishTwice(network);
        expect(statuses, network).to.have.members([200, 403]);
        expect(codes, `${network}, codes that were sent`).to.equal(1);
      }
    }
  });
});

/** Runs the example to its end. */
async function run(environment: Readonly<Record<string, string>>) {
  const child = spawn(process.execPath, ['--throw-deprecation', join(FOLDER, 'cluster.js')], {
    env: { PATH: process.env.PATH, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, output };
}

/** Parses the figures that the example prints below a title. */
function figuresOf(output: string, title: string): Readonly<Record<string, number>> {
  const [, kills, lines = ''] =
    new RegExp(`^${title}: (\\d+) kills .*\\n((?: .*\\n)+)`, 'm').exec(output) ?? [];
  const figures = [...lines.matchAll(/^ {2}(\w[\w ]*?) +(\d+)/gm)].map(([, name, count]) => [
    name,
    Number(count),
  ]);
  return { kills: Number(kills), ...Object.fromEntries(figures) };
}
