import { expect } from 'chai';
import { endpoints as microblog } from '../../../lib/microblog/index.js';
import { endpoints as shortVideo } from '../../../lib/short-video/index.js';
import { endpoints as socialNetwork } from '../../../lib/social-network/index.js';
import { Browser } from '../../support/browser.js';
import { tableAfter } from '../pages.js';
import { programsOf } from '../programs.js';

const PAGE = 'docs/deploying.md';
const SIGN_IN = '/api/auth/signin/microblog';

describe('The guide to deploying, its headers and limits', function () {
  this.timeout(30_000);
  const { sandbox, start } = programsOf(PAGE);

  describe('lists the sources for form-action, which', () => {
    const networks = { 'short-video': shortVideo, microblog, 'social-network': socialNetwork };

    it('are those that the networks’ modules export', () => {
      const rows = Object.entries(networks).map(([name, { FORM_ACTION_SOURCES }]) => [
        `\`${name}\``,
        FORM_ACTION_SOURCES.map((source) => `\`${source}\``).join(', '),
      ]);
      expect(tableAfter(PAGE, "## The form does nothing: helmet's `form-action`")).to.deep.equal(rows);
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
    const { url } = await start('deployed.mjs', { env: { PROXIES: '1' } });
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

  it('says what a forged callback costs: nothing without a pending login, and one request to the network with one', async () => {
    const { url } = await start('deployed.mjs');
    const endpoints = () =>
      sandbox()
        .requests()
        .map(({ endpoint }) => endpoint);
    const browser = new Browser();
    await browser.get(`${url}/api/auth/callback/microblog?code=CODE&state=STATE`);
    expect(endpoints()).to.deep.equal([]);
    const { location } = await browser.get(`${url}${SIGN_IN}`);
    const state = new URL(location).searchParams.get('state');
    for (const status of [502, 403]) {
      const page = await browser.get(`${url}/api/auth/callback/microblog?code=INVENTED&state=${state}`);
      expect(page.status).to.equal(status);
      expect(endpoints()).to.deep.equal(['token']);
    }
  });
});
