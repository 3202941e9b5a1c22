import { join } from 'node:path';
import { expect } from 'chai';
import { login } from '../../sandbox/lib/index.js';
import { Browser } from '../support/browser.js';
import { expectPage } from '../support/page.js';
import { rehearsed } from '../support/rehearsal.js';
import { variablesOf } from '../support/sandbox.js';
import { opened } from '../support/stand-in.js';
import { runToEnd, startApp } from './app.js';

const FILE = join(__dirname, '..', '..', 'examples', 'minimal', 'app.mjs');
const ANNA = {
  'short-video': '_Xq0tN5yD3kQm1vB8sLwZr2cHf7gJp9aUeKo4iYdTnM',
  microblog: '783214',
  'microblog-1-0': '783214',
  'social-network': '743784474',
};

describe('the minimal example', function () {
  this.timeout(60_000);
  const app = opened(() => startApp({}, FILE));
  const logIn = (network: string, person: string) =>
    login(`${app.url}/api/auth/signin/${network}`, { person });

  for (const [network, id] of Object.entries(ANNA)) {
    it(`logs in a user with a Cyrillic name through ${network}, with name, picture and ID`, async () => {
      const { response } = await logIn(network, 'anna');
      expectPage(await response.text()).toHave(
        '<strong id="name">Анна Примерова</strong>',
        `<code id="id">${id}</code>`,
        /<img src="http:\/\/127\.0\.0\.1:\d+\/pictures\/anna(_normal\.png|\.svg|\.jpeg)/,
      );
    });
  }

  it('E1: passes a rehearsal', async () => {
    const skipped = await rehearsed(`${app.url}/api/auth/signin/social-network`);
    expect(skipped).to.deep.equal(['secrets in logs']);
  });

  it('shows a message to a user who declines, and cuts a long name', async () => {
    const declined = await login(`${app.url}/api/auth/signin/microblog`, { deny: true });
    expectPage(await declined.response.text()).toHave(
      '<p role="alert">The user declined the login at the network.</p>',
    );
    const hubert = await logIn('microblog', 'hubert');
    const text = await hubert.response.text();
    expect(/<strong id="name">(.*)<\/strong>/.exec(text)?.[1]).to.have.length(100);
  });

  it('keeps no session before somebody has logged in', async () => {
    for (const path of ['signin/microblog', 'callback/microblog?code=FORGED&state=FORGED']) {
      const { headers } = await new Browser().get(`${app.url}/api/auth/${path}`);
      expect(String(headers['set-cookie'])).to.not.include('connect.sid');
    }
  });

  it('starts no sandbox if every network has credentials', async () => {
    const names = ['SHORT_VIDEO', 'MICROBLOG', 'MICROBLOG_1_0', 'SOCIAL_NETWORK'];
    const client = { clientID: 'ID', clientSecret: 'a-secret-of-twenty-characters' };
    const credentials = variablesOf(Object.fromEntries(names.map((name) => [name, client])));
    const BASE_URL = 'https://your.domain';
    const real = await startApp({ NODE_ENV: 'production', BASE_URL, ...credentials }, FILE);
    await real.close();
    expect(real.text).to.include('(sandbox: none)').and.to.not.include('SandboxWarning');
  });

  for (const [title, environment, complaint] of [
    [
      'does not start with the sandbox in production',
      { PORT: '0', NODE_ENV: 'production' },
      /^SHORT_VIDEO_CLIENT_ID.*sandbox/,
    ],
    ['says what to do when its port is in use', {}, /^(?=.*EADDRINUSE).*PORT=/],
  ] as const) {
    it(title, async () => {
      const { code, output } = await runToEnd({ PORT: new URL(app.url).port, ...environment }, FILE);
      expect(output).to.match(complaint).and.to.not.contain('Log in at');
      expect(code).to.equal(1);
    });
  }
});
