import { expect } from 'chai';
import { endpoints as microblog } from '../../lib/microblog/index.js';
import { endpoints as shortVideo } from '../../lib/short-video/index.js';
import { endpoints as socialNetwork } from '../../lib/social-network/index.js';
import { type Sandbox, startSandbox } from '../../sandbox/lib/index.js';
import { Browser } from '../support/browser.js';
import { closesAfterEach } from '../support/cleanup.js';
import { blocksOf, tableAfter } from './pages.js';
import {
  addressesOf,
  credentialsOf,
  type Program,
  removePrograms,
  startProgram,
  writeProgram,
} from './programs.js';
import { Visitor } from './visitor.js';

const PAGE = 'docs/web-security.md';
const PLACE = 'web-security';
const SIGN_IN = '/api/auth/signin/microblog';
const APP = 'https://app.shop.example';

describe('The guide to web security', function () {
  this.timeout(30_000);
  const closing = closesAfterEach();
  let sandbox: Sandbox;

  beforeEach(async () => {
    sandbox = closing(await startSandbox());
  });

  after(() => removePrograms(PLACE));

  async function program(file: string, env: Readonly<Record<string, string>> = {}): Promise<Program> {
    const block = blocksOf(PAGE).find(({ code }) => code.startsWith(`// ${file}`));
    const running = await startProgram(writeProgram(`${PLACE}/${file}`, block?.code ?? ''), {
      addresses: addressesOf(sandbox),
      env: { ...credentialsOf(sandbox), ...env },
    });
    closing(running);
    return running;
  }

  describe('lists the sources for form-action, which', () => {
    const networks = { 'short-video': shortVideo, microblog, 'social-network': socialNetwork };

    it('are those that the networks’ modules export', () => {
      const rows = Object.entries(networks).map(([name, { FORM_ACTION_SOURCES }]) => [
        `\`${name}\``,
        FORM_ACTION_SOURCES.map((source) => `\`${source}\``).join(', '),
      ]);
      expect(tableAfter(PAGE, '## The link form and helmet')).to.deep.equal(rows);
    });

    it('allow every URL to which a strategy sends the browser', () => {
      for (const endpoints of Object.values(networks)) {
        const urls = Object.entries(endpoints).filter(([name]) => name.endsWith('AUTHORIZATION_URL'));
        expect(urls).to.have.length.above(0);
        for (const [name, url] of urls) {
          const { host } = new URL(String(url));
          const sources = [`https://${host}`, `https://*.${host.split('.').slice(-2).join('.')}`];
          expect(
            endpoints.FORM_ACTION_SOURCES.some((source) => sources.includes(source)),
            name,
          ).to.equal(true);
        }
      }
    });
  });

  it('limits start and callback together, and each address alone', async () => {
    const { url } = await program('rate-limit.mjs', { PROXIES: '1' });
    const visit = async (path: string, address: string) =>
      (await new Browser().get(`${url}${path}`, { 'x-forwarded-for': address })).status;
    const callback = '/api/auth/callback/microblog?code=CODE&state=STATE';
    for (let count = 0; count < 30; count += 1) {
      expect(await visit(SIGN_IN, '192.0.2.1')).to.equal(302);
      expect(await visit(callback, '192.0.2.1')).to.equal(403);
    }
    expect(await visit(SIGN_IN, '192.0.2.1')).to.equal(429);
    expect(await visit(callback, '192.0.2.1')).to.equal(429);
    expect(await visit(SIGN_IN, '192.0.2.2')).to.equal(302);
  });

  describe('has an API for a single-page application on another origin, which', () => {
    it('returns users to its own pages and to the origins in its list, and nowhere else', async () => {
      const { url } = await program('spa-api.mjs', { APP_ORIGINS: `${APP} https://www.shop.example` });
      for (const [returnTo, expected] of [
        ['/api/me', `${url}/api/me`],
        [`${APP}/cart?item=1#top`, `${APP}/cart?item=1#top`],
        ['https://www.shop.example', 'https://www.shop.example/'],
        ['https://evil.example/', `${url}/`],
        [`${APP}.evil.example/`, `${url}/`],
        [`${APP}@evil.example/`, `${url}/`],
        ['http://app.shop.example/', `${url}/`],
        [`${APP}:8443/`, `${url}/`],
        [`blob:${APP}/1`, `${url}/`],
        ['//evil.example', `${url}/`],
        ['javascript:alert(1)', `${url}/`],
        [`${APP}/${'x'.repeat(500)}`, `${url}/`],
        [`/${'x'.repeat(2_000)}`, `${url}/`],
        ['https://somebody:password@app.shop.example/', `${url}/`],
        ['', `${url}/`],
      ] as const) {
        const visitor = new Visitor(url);
        const start = await visitor.start(`${SIGN_IN}?returnTo=${encodeURIComponent(returnTo)}`);
        const { location } = await visitor.open(await visitor.consent(start));
        expect(location, returnTo).to.equal(expected);
      }
    });

    it('returns users to its first page after a login that began at the bare callback', async () => {
      const { url } = await program('spa-api.mjs');
      const visitor = new Visitor(url);
      const start = await visitor.start('/api/auth/callback/microblog');
      const { location } = await visitor.open(await visitor.consent(start));
      expect(location).to.equal(`${url}/`);
    });

    it('takes changes from those origins and from its own pages only', async () => {
      const { url } = await program('spa-api.mjs', { APP_ORIGINS: APP });
      for (const [origin, status] of [
        [APP, 204],
        [url, 204],
        ['https://evil.example', 403],
        ['null', 403],
        [undefined, 403],
      ] as const) {
        const page = await new Browser().post(
          `${url}/api/signout`,
          {},
          origin === undefined ? {} : { origin },
        );
        expect(page.status, origin).to.equal(status);
      }
    });
  });
});
