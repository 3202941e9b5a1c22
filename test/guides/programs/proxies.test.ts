import { expect } from 'chai';
import { type Sandbox, startSandbox } from '../../../sandbox/lib/index.js';
import { closesAfterEach } from '../../support/cleanup.js';
import { expectPage } from '../../support/page.js';
import { needs } from '../../support/requirements.js';
import {
  connectProxy,
  NETWORK_NAMES,
  type PrivateAuthority,
  privateAuthority,
  tlsFront,
} from '../../support/tls-front.js';
import { hasNginx, startNginx } from '../nginx.js';
import { blocksOf, tableAfter } from '../pages.js';
import {
  addressesOf,
  credentialsOf,
  type NetworkAddresses,
  type Program,
  type ProgramSettings,
  removePrograms,
  startProgram,
  writeProgram,
} from '../programs.js';
import { Visitor } from '../visitor.js';

const PAGE = 'docs/proxies.md';
const PLACE = 'proxies';

describe('The guide to proxies', function () {
  this.timeout(30_000);
  const closing = closesAfterEach();
  let authority: PrivateAuthority;
  let sandbox: Sandbox;

  before(() => {
    authority = privateAuthority(NETWORK_NAMES);
  });

  beforeEach(async () => {
    sandbox = closing(await startSandbox());
  });

  after(() => {
    authority.remove();
    removePrograms(PLACE);
  });

  async function program(file: string, settings: ProgramSettings): Promise<Program> {
    const block = blocksOf(PAGE).find(({ code }) => code.startsWith(`// ${file}`));
    const path = writeProgram(`${PLACE}/${file}`, block?.code ?? '');
    const env = { ...credentialsOf(sandbox), ...settings.env };
    const running = await startProgram(path, { ...settings, env });
    closing(running);
    return running;
  }

  async function network(): Promise<{ port: number }> {
    return closing(await tlsFront(authority, sandbox.url));
  }

  /** Replaces only the authorization endpoint; the proxy forwards the server's requests to the sandbox. */
  function browserAddress(): NetworkAddresses {
    const { AUTHORIZATION_URL = '' } = addressesOf(sandbox).microblog ?? {};
    return { microblog: { AUTHORIZATION_URL } };
  }

  describe('out through a proxy', () => {
    it('logs in at the networks’ real URLs, through a proxy with a password and a private certificate authority', async () => {
      const proxy = closing(await connectProxy((await network()).port, 'proxy-user:proxy-password'));
      const app = await program('behind-a-proxy.mjs', {
        addresses: browserAddress(),
        env: {
          HTTPS_PROXY: `http://proxy-user:proxy-password@127.0.0.1:${proxy.port}`,
          NODE_EXTRA_CA_CERTS: authority.file,
        },
      });
      const page = await new Visitor(app.url).logIn('/api/auth/signin/microblog');
      expect(page.json).to.deep.equal({ id: '2244994945', name: 'Alice Example' });
      expect(new Set(proxy.targets)).to.deep.equal(new Set(['api.x.com:443']));
      expect(sandbox.requests().map(({ endpoint }) => endpoint)).to.deep.equal([
        'authorization',
        'token',
        'users lookup',
      ]);
    });

    it('reports a wrong proxy password without showing it', async () => {
      const proxy = closing(await connectProxy((await network()).port, 'proxy-user:proxy-password'));
      const app = await program('behind-a-proxy.mjs', {
        addresses: browserAddress(),
        env: {
          HTTPS_PROXY: `http://proxy-user:wrong-password@127.0.0.1:${proxy.port}`,
          NODE_EXTRA_CA_CERTS: authority.file,
        },
      });
      const page = await new Visitor(app.url).logIn('/api/auth/signin/microblog');
      expect(page.status).to.equal(502);
      expectPage(page.text).toHave('microblog, token:');
      expect(page.text + app.output()).to.not.include('wrong-password');
      expect(proxy.targets).to.deep.equal([]);
    });

    it('names every host that the strategies send requests to', () => {
      const hosts = tableAfter(PAGE, '## Out through a proxy').flatMap(([, cell = '']) =>
        [...cell.matchAll(/`([a-z.]+\.[a-z]+)`/g)].map(([, host = '']) => `DNS:${host}`),
      );
      expect(NETWORK_NAMES).to.include.members(hosts);
      expect(new Set(hosts).size).to.equal(NETWORK_NAMES.length - 1);
    });
  });

  describe('a private certificate authority', () => {
    /** Sends the server's requests to a local TLS server. The browser uses the sandbox directly. */
    async function encryptedAddresses(): Promise<NetworkAddresses> {
      const { port } = await network();
      const { 'short-video': names = {} } = addressesOf(sandbox);
      const encrypted = (address = '') => address.replace(sandbox.url, `https://127.0.0.1:${port}`);
      return {
        'short-video': {
          ...names,
          TOKEN_URL: encrypted(names.TOKEN_URL),
          PROFILE_URL: encrypted(names.PROFILE_URL),
        },
      };
    }

    it('is trusted when the agent has it', async () => {
      const app = await program('private-authority.mjs', {
        addresses: await encryptedAddresses(),
        env: { COMPANY_CA: authority.file },
      });
      const page = await new Visitor(app.url).logIn('/api/auth/signin/short-video');
      expect(page.json).to.include({ name: 'Alice Example' });
    });

    it('is trusted when NODE_EXTRA_CA_CERTS names it', async () => {
      const [block] = blocksOf(PAGE).filter(({ code }) => code.startsWith('// private-authority.mjs'));
      const path = writeProgram(`${PLACE}/without-agent.mjs`, (block?.code ?? '').replace(', agent }', ' }'));
      const app = await startProgram(path, {
        addresses: await encryptedAddresses(),
        env: { ...credentialsOf(sandbox), NODE_EXTRA_CA_CERTS: authority.file },
      });
      closing(app);
      const page = await new Visitor(app.url).logIn('/api/auth/signin/short-video');
      expect(page.json).to.include({ name: 'Alice Example' });
    });

    it('is trusted behind a proxy when the agent gives it to each connection', async () => {
      const proxy = closing(await connectProxy((await network()).port, 'proxy-user:proxy-password'));
      const app = await program('proxy-and-authority.mjs', {
        addresses: browserAddress(),
        env: {
          HTTPS_PROXY: `http://proxy-user:proxy-password@127.0.0.1:${proxy.port}`,
          COMPANY_CA: authority.file,
        },
      });
      const page = await new Visitor(app.url).logIn('/api/auth/signin/microblog');
      expect(page.json).to.deep.equal({ id: '2244994945', name: 'Alice Example' });
      expect(new Set(proxy.targets)).to.deep.equal(new Set(['api.x.com:443']));
    });

    it('is not trusted behind a proxy when only the constructor of the agent has it', async () => {
      const proxy = closing(await connectProxy((await network()).port, 'proxy-user:proxy-password'));
      const [block] = blocksOf(PAGE).filter(({ code }) => code.startsWith('// proxy-and-authority.mjs'));
      const path = writeProgram(
        `${PLACE}/authority-of-the-proxy.mjs`,
        (block?.code ?? '').replace(
          'new TrustingProxyAgent(env.HTTPS_PROXY)',
          'new HttpsProxyAgent(env.HTTPS_PROXY, { ca })',
        ),
      );
      const env = {
        ...credentialsOf(sandbox),
        HTTPS_PROXY: `http://proxy-user:proxy-password@127.0.0.1:${proxy.port}`,
        COMPANY_CA: authority.file,
      };
      const app = closing(await startProgram(path, { addresses: browserAddress(), env }));
      const page = await new Visitor(app.url).logIn('/api/auth/signin/microblog');
      expect(page.status).to.equal(502);
      expectPage(page.text).toHave('NODE_EXTRA_CA_CERTS');
    });

    it('is not trusted otherwise, and the error says what to do', async () => {
      const app = await program('private-authority.mjs', { addresses: await encryptedAddresses() });
      const page = await new Visitor(app.url).logIn('/api/auth/signin/short-video');
      expect(page.status).to.equal(502);
      expectPage(page.text).toHave(
        /SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_(GET_ISSUER_CERT_LOCALLY|VERIFY_LEAF_SIGNATURE)/,
        'NODE_EXTRA_CA_CERTS',
      );
    });
  });

  describe('behind a proxy', () => {
    it('the redirect URI has the host that the browser sees', async () => {
      const app = await program('behind-nginx.mjs', { addresses: addressesOf(sandbox) });
      const consent = await new Visitor(app.url).start('/api/auth/signin/microblog', {
        'x-forwarded-proto': 'https',
        'x-forwarded-host': 'shop.example',
      });
      expect(new URL(consent).searchParams.get('redirect_uri')).to.equal(
        'https://shop.example/api/auth/callback/microblog',
      );
    });

    describe('nginx', () => {
      before(function () {
        needs(this, hasNginx, 'the test of nginx needs it: apt-get install nginx-light.');
      });

      it('as the guide configures it, passes on the host with its port, and replaces what a client forwards', async () => {
        const app = await program('behind-nginx.mjs', { addresses: addressesOf(sandbox) });
        const [block] = blocksOf(PAGE).filter(({ language }) => language === 'nginx');
        const nginx = closing(await startNginx(block?.code ?? '', authority, app.url));
        const { location = '', 'set-cookie': cookies = [] } = await nginx.get('/api/auth/signin/microblog', {
          host: `shop.example:${nginx.port}`,
          'x-forwarded-host': 'evil.example',
          'x-forwarded-proto': 'http',
        });
        expect(new URL(location).searchParams.get('redirect_uri')).to.equal(
          `https://shop.example:${nginx.port}/api/auth/callback/microblog`,
        );
        expect(cookies.map((cookie) => /; Secure/.test(cookie))).to.deep.equal([true]);
      });
    });

    it('a list of hosts is rejected', async () => {
      const app = await program('behind-nginx.mjs', { addresses: addressesOf(sandbox) });
      const page = await new Visitor(app.url).open('/api/auth/signin/microblog', {
        'x-forwarded-host': 'evil.example, shop.example',
      });
      expect(page.status).to.equal(500);
      expectPage(page.text).toHave('Pass an absolute callbackURL.');
    });
  });
});
