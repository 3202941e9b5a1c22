import { expect } from 'chai';
import { type Program, programsOf, Visitor } from '../programs.js';

const SIGN_IN = 'api/auth/signin/microblog';

describe('The guide to tenants', function () {
  this.timeout(30_000);
  const { sandbox, start: startBlock } = programsOf('docs/deploying.md');
  let server: Program;
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
      const consent = new URL(await new Visitor(server.url).start(`/${tenant}/${SIGN_IN}`));
      expect(consent.searchParams.get('client_id')).to.equal(clients[tenant]?.clientID);
      expect(consent.searchParams.get('redirect_uri')).to.equal(
        `${server.url}/${tenant}/api/auth/callback/microblog`,
      );
    }
  });

  it('logs users in at both tenants at the same moment, each to an account of the tenant', async () => {
    const logIn = async (tenant: string) =>
      (await new Visitor(server.url).logIn(`/${tenant}/${SIGN_IN}`)).json as object;
    const pages = await Promise.all(['red', 'blue', 'red', 'blue'].map(logIn));
    const account = (tenant: string) => ({
      user: { tenant, account: `${tenant}:microblog:2244994945`, name: 'Alice Example' },
    });
    expect(pages).to.deep.equal(['red', 'blue', 'red', 'blue'].map(account));
  });

  it('rejects a login of one tenant at the other, before any request to the network', async () => {
    for (const [one, other] of [
      ['red', 'blue'],
      ['blue', 'red'],
    ] as const) {
      sandbox().reset();
      const visitor = new Visitor(server.url);
      const callback = await visitor.consent(await visitor.start(`/${one}/${SIGN_IN}`));
      const page = await visitor.open(callback.replace(`/${one}/`, `/${other}/`));
      expect(page.status).to.equal(403);
      expect(
        sandbox()
          .requests()
          .map(({ endpoint }) => endpoint),
      ).to.deep.equal(['authorization']);
      expect((await visitor.open(`/${other}`)).json).to.deep.equal({});
    }
  });

  for (const [what, named] of [
    ['one name', ''],
    ['a name each', ' name: tenant,'],
  ] as const) {
    it(`with one client for both tenants, and ${what}, a login of one does not finish at the other`, async () => {
      const { red = { clientID: '' } } = clients;
      clients = { red, blue: red };
      const { url } = await start((code) => code.replace('...client,', `...client,${named}`));
      const visitor = new Visitor(url);
      const callback = await visitor.consent(await visitor.start(`/red/${SIGN_IN}`));
      expect((await visitor.open(callback.replace('/red/', '/blue/'))).status).to.equal(403);
    });
  }

  it('E1, C29: a login that began before does not change who is signed in at a tenant, and BASE_URL is in the callback URL', async () => {
    const [page, later] = await new Visitor(server.url).logInTwice(`/red/${SIGN_IN}`);
    expect(later.json).to.deep.equal(page.json);
    const env = { TENANTS: JSON.stringify(clients), BASE_URL: 'https://shop.example' };
    const { url } = await startBlock('tenants.mjs', { env, change: withStore });
    const consent = new URL(await new Visitor(url).start(`/red/${SIGN_IN}`, { host: 'evil.example' }));
    expect(consent.searchParams.get('redirect_uri')).to.match(/^https:\/\/shop\.example\/red\//);
  });

  it('shows a user of one tenant nothing at the other, and knows no third tenant', async () => {
    const visitor = new Visitor(server.url);
    await visitor.logIn(`/red/${SIGN_IN}`);
    expect((await visitor.open('/blue')).json).to.deep.equal({});
    expect((await visitor.open('/red')).json).to.have.nested.property('user.tenant', 'red');
    expect((await visitor.open(`/green/${SIGN_IN}`)).status).to.equal(404);
  });
});

/** The program, with the same store for all tenants. */
function withStore(code: string): string {
  return code
    .replace('{ MicroblogStrategy }', '{ cookieLogins, MicroblogStrategy }')
    .replace('...client,', '...client, store: cookieLogins({ secrets: env.SESSION_SECRET }),');
}
