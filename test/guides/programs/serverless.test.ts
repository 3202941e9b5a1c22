import { expect } from 'chai';
import { Browser } from '../../support/browser.js';
import { expectPage } from '../../support/page.js';
import { credentialsOf, programsOf, runProgram, Visitor } from '../programs.js';

describe('The guide to serverless functions', function () {
  this.timeout(30_000);
  const { sandbox, start, write } = programsOf('docs/serverless.md');
  const instance = () => start('app.mjs', { isNew: true });

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

  it('a user who declines sees the reason, without a session', async () => {
    const program = await instance();
    const page = await new Visitor(program.url).logIn('/api/auth/signin/microblog', 'auto=deny');
    expect(page.status).to.equal(401);
    expect(page.text).to.equal('The user declined the login at the network.');
    // When it has ended, all of its output is here.
    await program.close();
    expect(program.output()).to.equal(`${page.text}\n`);
  });

  it('logging out ends the login', async () => {
    const visitor = new Visitor((await instance()).url);
    const page = await visitor.logIn('/api/auth/signin/microblog');
    expectPage(page.text).toHave('action="/signout"');
    expectPage((await visitor.follow(await visitor.post('/signout'))).text).toHave('Log in');
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
