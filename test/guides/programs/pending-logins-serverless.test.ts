import { mock } from 'node:test';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { MicroblogStrategy } from '../../../lib/index.js';
import { Browser } from '../../support/browser.js';
import { textOf } from '../pages.js';
import { programsOf } from '../programs.js';

import passport = require('passport');

const SECRET = 'a-session-secret-of-more-than-32-characters';

/** The cookie of the guide. */
type AccountCookie = {
  readonly signedIn: (user: object) => Promise<string>;
  readonly userOf: (header?: string) => Promise<unknown>;
};

describe('The guide to serverless functions', () => {
  const { write } = programsOf('docs/pending-logins.md');

  it('has a cookie that says who is signed in, and for which a forged token counts for nothing', async () => {
    const { signedIn, userOf } = (await import(
      pathToFileURL(
        write('account-cookie.mjs', (code) => code.replace('process.env.SESSION_SECRET', `'${SECRET}'`)),
      ).href
    )) as AccountCookie;
    const user = { account: 'microblog:2244994945', name: 'Alice Example' };
    const [pair = '', ...attributes] = (await signedIn(user)).split('; ');
    expect(attributes).to.include.members(['HttpOnly', 'SameSite=Lax', 'Path=/']);
    expect(await userOf(`other=1; ${pair}`)).to.deep.equal(user);
    for (const header of [undefined, 'account=eyJhbGciOiJub25lIn0.eyJzdWIiOiJ4In0.', `${pair}x`])
      expect(await userOf(header)).to.equal(undefined);
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
