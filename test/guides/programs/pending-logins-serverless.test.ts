import { mock } from 'node:test';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { MicroblogStrategy } from '../../../lib/index.js';
import { Browser } from '../../support/browser.js';
import { expectPage } from '../../support/page.js';
import { textOf } from '../pages.js';
import { credentialsOf, programsOf, runProgram } from '../programs.js';

import passport = require('passport');

describe('The guide to serverless functions', function () {
  this.timeout(30_000);
  const { sandbox, start, write } = programsOf('docs/pending-logins.md');
  const instance = () => start('app.mjs', { isNew: true, env: { BASE_URL: 'https://shop.example' } });

  it('a login that starts at one instance finishes at another, and a third recognizes the user', async () => {
    const [first, second, third] = await Promise.all([instance(), instance(), instance()]);
    const address = 'https://shop.example';
    const forwarded = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'shop.example' };
    const browser = new Browser();
    const start = await browser.get(`${first.url}/api/auth/signin/microblog`, forwarded);
    const consent = await new Browser().get(`${start.location}&auto=allow&person=alice`);
    expect(consent.location).to.match(/^https:\/\/shop\.example\/api\/auth\/callback\/microblog\?/);
    const cookie = browser.cookieHeader(first.url);
    expect(cookie).to.match(/^__Host-login\.[\w-]{16}=/);
    const callback = await browser.get(consent.location.replace(address, second.url), {
      ...forwarded,
      cookie,
    });
    expect(callback.status).to.equal(302);
    const page = await browser.get(third.url, { cookie: browser.cookieHeader(second.url) });
    expectPage(page.text).toHave('<pre>{"id":"microblog:2244994945","name":"Alice Example"}</pre>');
  });

  it('a forged token is rejected', async () => {
    const { url } = await instance();
    const page = await new Browser().get(url, { cookie: 'account=eyJhbGciOiJub25lIn0.eyJzdWIiOiJ4In0.' });
    expectPage(page.text).toHave('Log in');
  });

  it('does not listen when the platform imports it', async () => {
    const env = { ...credentialsOf(sandbox()), SERVERLESS: '1' };
    expect(await runProgram(write('app.mjs'), { env })).to.deep.equal({ code: 0, output: '' });
  });
});

/** The function of the guide for hosts with a Fetch `Request`. */
type LogIn = (request: Request, network: string, signIn: (user: unknown) => Response) => Promise<Response>;

describe("The guide to hosts without Express's request and response", () => {
  const { sandbox, write } = programsOf('docs/pending-logins.md');
  const place = 'http://127.0.0.1:3000/api/auth';
  const signIn = () => new Response('Welcome', { headers: { 'set-cookie': 'account=ALICE' } });
  let logIn: LogIn;

  before(async () => {
    ({ logIn } = (await import(pathToFileURL(write('fetch-login.mjs')).href)) as { logIn: LogIn });
    const options = { ...sandbox().options('microblog'), baseURL: 'http://127.0.0.1:3000' };
    passport.use(new MicroblogStrategy(options, async (_token, _refreshToken, { id }) => ({ id })));
  });

  it('a login has its redirect, its cookies, once each, and the headers that keep its pages private', async () => {
    const begun = await logIn(new Request(`${place}/signin/microblog`), 'microblog', signIn);
    const [cookie = '', ...others] = begun.headers.getSetCookie();
    expect([begun.status, others]).to.deep.equal([302, []]);
    const consent = await new Browser().get(`${begun.headers.get('location')}&auto=allow&person=alice`);
    const headers = { cookie: cookie.split(';', 1)[0] ?? '' };
    const finished = await logIn(new Request(consent.location, { headers }), 'microblog', signIn);
    expect([finished.status, await finished.text()]).to.deep.equal([200, 'Welcome']);
    expect(finished.headers.getSetCookie()).to.have.length(2).and.include('account=ALICE');
    expect(finished.headers.getSetCookie()[0]).to.match(/^login\..*; Max-Age=0/);
    for (const response of [begun, finished]) {
      expect(response.headers.get('cache-control')).to.equal('no-store');
      expect(response.headers.get('referrer-policy')).to.equal('no-referrer');
    }
  });

  it('a failure and an unknown network have a response of their own', async () => {
    const logged = mock.method(console, 'error', () => {});
    const twice = new Request(`${place}/callback/microblog?code=CODE&code=CODE`);
    expect((await logIn(twice, 'microblog', signIn)).status).to.equal(400);
    expect((await logIn(new Request(`${place}/signin/session`), 'session', signIn)).status).to.equal(404);
    logged.mock.restore();
  });

  it('has the lines for hosts that the package tests run', () => {
    const plain = (code: string) => code.replace(/\s|,(?=\s*[)}\]])/g, '');
    const files = ['hosts.js', 'app/api/auth/[step]/[network]/route.app.js'];
    const run = plain(files.map((file) => textOf(`test/packaging/consumers/hosts/${file}`)).join('\n'));
    const lines = [...textOf('docs/pending-logins.md').matchAll(/^\|.*?`([^`|]*[;,])`/gm)].map(
      ([, line = '']) => plain(line),
    );
    expect(lines).to.have.length.above(5);
    for (const line of lines) expect(run).to.include(line.replace(/,$/, ''));
  });
});
