import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import { Browser } from '../../support/browser.js';
import { closesAfterEach } from '../../support/cleanup.js';
import { expectPage } from '../../support/page.js';
import { needs } from '../../support/requirements.js';
import { freePorts, hasNginx, startNginx } from '../../support/servers.js';
import { connectProxy, NETWORK_NAMES, oneAuthority, tlsFront } from '../../support/tls-front.js';
import { blocksOf, tableAfter } from '../pages.js';
import { addressesOf, programsOf, Visitor } from '../programs.js';

const PAGE = 'docs/deploying.md';
const SIGN_IN = '/api/auth/signin/microblog';
const PASSWORD = 'proxy-password';
const ALICE = { id: '2244994945', name: 'Alice Example' };

describe('The guide to proxies', function () {
  this.timeout(30_000);
  const { endpoints, sandbox, start, write } = programsOf(PAGE);
  const closing = closesAfterEach();
  const authority = oneAuthority(NETWORK_NAMES);

  const network = async () => closing(await tlsFront(authority, sandbox().url));

  /** Logs in through a proxy. Only the browser's URL is replaced: the proxy forwards the server's requests to the sandbox. */
  async function throughProxy(
    file: string,
    { password = PASSWORD, ...env }: { password?: string; [name: string]: string } = {},
  ) {
    const proxy = closing(await connectProxy((await network()).port, `proxy-user:${PASSWORD}`));
    const { AUTHORIZATION_URL = '' } = addressesOf(sandbox()).microblog ?? {};
    const app = await start(file, {
      addresses: { microblog: { AUTHORIZATION_URL } },
      env: {
        HTTPS_PROXY: `http://proxy-user:${password}@127.0.0.1:${proxy.port}`,
        ...env,
      },
    });
    const page = await new Visitor(app.url).logIn(SIGN_IN);
    return { app, page, targets: new Set(proxy.targets) };
  }

  describe('out through a proxy', () => {
    it('logs in at the networks’ real URLs, through a proxy with a password and a private certificate authority', async () => {
      const { page, targets } = await throughProxy('deployed.mjs', {
        NODE_EXTRA_CA_CERTS: authority.file,
      });
      expect(page.json).to.deep.equal(ALICE);
      expect(targets).to.deep.equal(new Set(['api.x.com:443']));
      expect(endpoints()).to.deep.equal(['authorization', 'token', 'users lookup']);
    });

    it('reports a wrong proxy password without showing it', async () => {
      const { app, page, targets } = await throughProxy('deployed.mjs', {
        NODE_EXTRA_CA_CERTS: authority.file,
        password: 'wrong-password',
      });
      expect(page.status).to.equal(502);
      expectPage(app.text).toHave('microblog, token:');
      expect(page.text + app.text).to.not.include('wrong-password');
      expect(targets).to.deep.equal(new Set());
    });

    it('names every host that the strategies send requests to', () => {
      const hosts = tableAfter(PAGE, '## Out through a proxy').flatMap(([, cell = '']) =>
        [...cell.matchAll(/`([a-z.]+\.[a-z]+)`/g)].map(([, host = '']) => `DNS:${host}`),
      );
      expect(NETWORK_NAMES).to.include.members(hosts);
      expect(new Set(hosts).size).to.equal(NETWORK_NAMES.length - 1);
    });
  });

  it('a private certificate authority is trusted when the agent has it, and otherwise the error says what to do', async () => {
    const { port } = await network();
    const { microblog: names = {} } = addressesOf(sandbox());
    // The browser uses the sandbox directly.
    const overTLS = (address = '') => address.replace(sandbox().url, `https://127.0.0.1:${port}`);
    const own = { TOKEN_URL: overTLS(names.TOKEN_URL), LOOKUP_URL: overTLS(names.LOOKUP_URL) };
    const addresses = { microblog: { ...names, ...own } };
    const { url } = await start('deployed.mjs', {
      addresses,
      env: { COMPANY_CA: authority.file },
      change: (code) =>
        code.replace(/^const agent = .*$/m, `import { agent } from '${write('private-authority.mjs')}';`),
    });
    expect((await new Visitor(url).logIn(SIGN_IN)).json).to.deep.equal(ALICE);
    const usual = await start('deployed.mjs', { addresses });
    expect((await new Visitor(usual.url).logIn(SIGN_IN)).status).to.equal(502);
    expectPage(usual.text).toHave('NODE_EXTRA_CA_CERTS');
  });

  describe('behind a proxy', () => {
    const newBrowser = () => new Browser({ ca: readFileSync(authority.file, 'utf8') });

    it('nginx, as the guide configures it, passes on the host with its port, and replaces what a client forwards', async function () {
      needs(this, hasNginx, 'the test of nginx needs it: apt-get install nginx-light.');
      const change = (code: string) => code.replace(/^const baseURL = .*$/m, 'const baseURL = undefined;');
      const app = await start('deployed.mjs', { env: { PROXIES: '1' }, change });
      const { port } = await nginx(app.url);
      const headers = {
        host: `shop.example:${port}`,
        'x-forwarded-host': 'evil.example',
        'x-forwarded-proto': 'http',
      };
      const page = await newBrowser().get(`https://127.0.0.1:${port}${SIGN_IN}`, headers);
      expect(new URL(page.location).searchParams.get('redirect_uri')).to.equal(
        `https://shop.example:${port}/api/auth/callback/microblog`,
      );
      expect(page.headers['set-cookie']?.map((cookie) => /; Secure/.test(cookie))).to.deep.equal([true]);
    });

    it('E5: nginx, as the guide configures it, logs no code', async function () {
      needs(this, hasNginx, 'the test of nginx needs it: apt-get install nginx-light.');
      const app = await start('deployed.mjs', { env: { PROXIES: '1' } });
      const { port, log } = await nginx(app.url);
      const url = `https://127.0.0.1:${port}/api/auth/callback/microblog?code=THE-CODE&state=THE-STATE`;
      const open = async () => (await newBrowser().get(url)).status;
      expect(await open()).to.equal(403);
      await app.close();
      // nginx logs such a failure with the whole request, unless its log has the gravest errors only.
      expect(await open()).to.equal(502);
      // The log is written after the response.
      while (!log().includes('"GET /api/auth/callback/microblog" 502 ')) await setTimeout(20);
      expect(log()).to.not.match(/THE-CODE|THE-STATE/);
    });
  });

  /** Starts nginx with the `server` block of the guide, whose port, files and application are replaced. */
  async function nginx(application: string) {
    const [block] = blocksOf(PAGE).filter(({ language }) => language === 'nginx');
    const [port = 0] = await freePorts(1);
    const server = (block?.code ?? '')
      .replace('listen 443', `listen 127.0.0.1:${port}`)
      .replaceAll('/etc/ssl/shop.example', 'server')
      .replaceAll('/var/log/nginx/', '')
      .replace('http://127.0.0.1:3000', application);
    const files = { 'server.key': authority.key, 'server.pem': authority.cert };
    const { folder } = closing(await startNginx(server, port, files));
    const log = () =>
      ['access.log', 'error.log'].map((name) => readFileSync(join(folder, name), 'utf8')).join('');
    return { port, log };
  }
});
