import { expect } from 'chai';
import { endpoints as microblog } from '../../../lib/microblog/index.js';
import { endpoints as shortVideo } from '../../../lib/short-video/index.js';
import { endpoints as socialNetwork } from '../../../lib/social-network/index.js';
import { Browser } from '../../support/browser.js';
import { FOREIGN } from '../../support/journey.js';
import type { Serving } from '../../support/process.js';
import { programsOf, Visitor } from '../programs.js';

const PAGE = 'docs/deploying.md';
const SIGN_IN = '/api/auth/signin/microblog';

describe('The guide to deploying, its headers and limits', function () {
  this.timeout(30_000);
  const { start } = programsOf(PAGE);

  it('has sources for form-action that allow every URL to which a strategy sends the browser', () => {
    for (const endpoints of [shortVideo, microblog, socialNetwork]) {
      const urls = Object.entries(endpoints).filter(([name]) => name.endsWith('AUTHORIZATION_URL'));
      expect(urls).to.have.length.above(0);
      for (const [name, url] of urls) {
        const { host } = new URL(String(url));
        const sources = [`https://${host}`, `https://*.${host.split('.').slice(-2).join('.')}`];
        const isAllowed = endpoints.FORM_ACTION_SOURCES.some((source) => sources.includes(source));
        expect(isAllowed, name).to.equal(true);
      }
    }
  });

  it('limits start and callback together, and each address alone', async () => {
    const { url } = await start('deployed.mjs', { env: { PROXIES: '1', LOGIN_LIMIT: '60' } });
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
});

describe('The guide to tenants', function () {
  this.timeout(30_000);
  const { endpoints, sandbox, start: startBlock } = programsOf(PAGE);
  let server: Serving;
  let clients: Readonly<Record<string, { readonly clientID: string; readonly clientSecret?: string }>>;
  const start = (change = withStore) =>
    startBlock('tenants.mjs', { env: { TENANTS: JSON.stringify(clients) }, change });

  beforeEach(async () => {
    const { clientID, clientSecret } = sandbox().options('microblog');
    // Another application at the same network: the sandbox has one that is a public client, which has no secret for a key.
    clients = {
      red: { clientID, clientSecret },
      blue: { clientID: sandbox().options('microblog', { client: 'public' }).clientID },
    };
    server = await start();
  });

  it('sends each tenant’s users to the network with the credentials of the tenant', async () => {
    for (const tenant of ['red', 'blue']) {
      const consent = new URL(await new Visitor(server.url).start(`/${tenant}${SIGN_IN}`));
      expect(consent.searchParams.get('client_id')).to.equal(clients[tenant]?.clientID);
      expect(consent.searchParams.get('redirect_uri')).to.equal(
        `http://127.0.0.1:3000/${tenant}/api/auth/callback/microblog`,
      );
    }
  });

  it('logs users in at both tenants at the same moment, each to an account of the tenant', async () => {
    const logIn = async (tenant: string) =>
      (await new Visitor(server.url).logIn(`/${tenant}${SIGN_IN}`)).json as object;
    const pages = await Promise.all(['red', 'blue', 'red', 'blue'].map(logIn));
    const account = (tenant: string) => ({
      user: { tenant, account: `${tenant}:microblog:2244994945`, name: 'Alice Example' },
    });
    expect(pages).to.deep.equal(['red', 'blue', 'red', 'blue'].map(account));
  });

  it('rejects a login of one tenant at the other, before any request to the network', async () => {
    for (const one of ['red', 'blue']) {
      const other = one === 'red' ? 'blue' : 'red';
      sandbox().reset();
      const visitor = new Visitor(server.url);
      const callback = await visitor.consent(await visitor.start(`/${one}${SIGN_IN}`));
      const page = await visitor.open(callback.replace(`/${one}/`, `/${other}/`));
      expect(page.status).to.equal(403);
      expect(endpoints()).to.deep.equal(['authorization']);
      expect((await visitor.open(`/${other}`)).json).to.deep.equal({});
    }
  });

  it('E1, C29: a login that began before does not change who is signed in at a tenant, and BASE_URL is in the callback URL', async () => {
    const [page, later] = await new Visitor(server.url).logInTwice(`/red${SIGN_IN}`);
    expect(later.json).to.deep.equal(page.json);
    const env = { TENANTS: JSON.stringify(clients), BASE_URL: 'https://shop.example' };
    const { url } = await startBlock('tenants.mjs', { env, change: withStore });
    const consent = new URL(await new Visitor(url).start(`/red${SIGN_IN}`, { host: 'evil.example' }));
    expect(consent.searchParams.get('redirect_uri')).to.match(/^https:\/\/shop\.example\/red\//);
  });

  it('E3: a login at one tenant, which a link on another site begins, signs nobody out of another', async () => {
    const visitor = new Visitor(server.url);
    const { json: user } = await visitor.logIn(`/red${SIGN_IN}`);
    await visitor.open(await visitor.consent(await visitor.start(`/blue${SIGN_IN}`, FOREIGN)));
    expect((await visitor.open('/blue')).json).to.have.nested.property('user.tenant', 'blue');
    expect((await visitor.open('/red')).json).to.deep.equal(user);
  });

  it('keeps to its tenant a session whose cookie is copied to another, also with one store for all', async () => {
    const { url } = await start((code) =>
      withStore(code)
        .replace('const app =', 'const shared = new session.MemoryStore();\nconst app =')
        .replace('secret: env.SESSION_SECRET, resave', 'store: shared, secret: env.SESSION_SECRET, resave'),
    );
    const visitor = new Visitor(url);
    const { json } = await visitor.logIn(`/red${SIGN_IN}`);
    expect(json).to.have.nested.property('user.tenant', 'red');
    const cookie = visitor.cookies.replace('session-red=', 'session-blue=');
    expect((await new Visitor(url).open('/blue', { cookie })).json).to.deep.equal({});
  });
});

function withStore(code: string): string {
  return code
    .replace('{ MicroblogStrategy }', '{ cookieLogins, MicroblogStrategy }')
    .replace('...client,', '...client, store: cookieLogins({ secrets: env.SESSION_SECRET }),');
}
