import { expect } from 'chai';
import { type Sandbox, startSandbox } from '../../sandbox/lib/index.js';
import type { Page } from '../support/browser.js';
import { blocksOf } from './pages.js';
import {
  addressesOf,
  credentialsOf,
  type Program,
  removePrograms,
  startProgram,
  writeProgram,
} from './programs.js';
import { Visitor } from './visitor.js';

const PLACE = 'account-linking';

describe('The guide to account linking', function () {
  this.timeout(30_000);
  let sandbox: Sandbox;
  let app: Program;

  before(async () => {
    sandbox = await startSandbox();
    const [block] = blocksOf('docs/account-linking.md').filter(({ language }) => language === 'js');
    const file = writeProgram(`${PLACE}/app.mjs`, block?.code ?? '');
    app = await startProgram(file, { addresses: addressesOf(sandbox), env: credentialsOf(sandbox) });
  });
  after(async () => {
    await app.close();
    await sandbox.close();
    removePrograms(PLACE);
  });

  /** Logs a visitor in and reads the CSRF token of the forms. */
  async function loggedIn(network: string, person: string): Promise<{ visitor: Visitor; formToken: string }> {
    const visitor = new Visitor(app.url);
    const page = await visitor.logIn(`/api/auth/signin/${network}`, `auto=allow&person=${person}`);
    const [, formToken = ''] =
      /action="\/link\/microblog">\s*<input type="hidden" name="formToken" value="([^"]+)">/.exec(
        page.text,
      ) ?? [];
    expect(formToken).to.not.equal('');
    return { visitor, formToken };
  }

  /** The logins of the account on a page. */
  function loginsOn({ text }: Page): string[] {
    const [, account = '{}'] = /<pre>(.*)<\/pre>/.exec(text) ?? [];
    return JSON.parse(account).logins;
  }

  it('links a second login, and both logins lead to the same account', async () => {
    const { visitor, formToken } = await loggedIn('short-video', 'anna');
    const start = await visitor.post('/link/microblog', { formToken });
    const callback = await visitor.consent(start.location, 'auto=allow&person=anna');
    const page = await visitor.follow(await visitor.open(callback));
    const logins = ['short-video:_Xq0tN5yD3kQm1vB8sLwZr2cHf7gJp9aUeKo4iYdTnM', 'microblog:783214'];
    expect(loginsOn(page)).to.deep.equal(logins);
    const later = await new Visitor(app.url).logIn('/api/auth/signin/microblog', 'auto=allow&person=anna');
    expect(loginsOn(later)).to.deep.equal(logins);
  });

  it('does not link a login that belongs to another account', async () => {
    await loggedIn('microblog', 'hanako');
    const { visitor, formToken } = await loggedIn('short-video', 'ned');
    const start = await visitor.post('/link/microblog', { formToken });
    const page = await visitor.open(await visitor.consent(start.location, 'auto=allow&person=hanako'));
    expect(page.status).to.equal(409);
    expect(page.text).to.equal('This login belongs to another account.');
  });

  it('does not change who is logged in when a link opens the sign-in route', async () => {
    const { visitor } = await loggedIn('short-video', 'max');
    const page = await visitor.open('/api/auth/signin/microblog');
    expect(page.location).to.match(/\/$/);
    expect(loginsOn(await visitor.open('/'))).to.have.length(1);
  });

  it('does not start linking without the CSRF token of the form', async () => {
    const { visitor } = await loggedIn('short-video', 'alice');
    expect((await visitor.post('/link/microblog')).status).to.equal(403);
    expect((await visitor.post('/link/microblog', { formToken: 'another' })).status).to.equal(403);
  });
});
