import { expect } from 'chai';
import { cookieLogins } from '../../lib/index.js';
import { describeEach } from '../contract/harness.js';
import { Browser } from '../support/browser.js';
import { callbackOf } from '../support/journey.js';

describeEach('a lost login', ({ subject: { provider }, sandbox, strategy, app, warnings }) => {
  const { NODE_ENV: environment } = process.env;
  afterEach(() => {
    if (environment === undefined) delete process.env.NODE_ENV;
    else process.env.NODE_ENV = environment;
  });

  async function losesLogins(name: string): Promise<void> {
    const store = cookieLogins({ secrets: 'k'.repeat(32) });
    const server = await app(strategy(await sandbox(), { name, store }));
    for (let login = 0; login < 2; login += 1) {
      const callback = await callbackOf(new Browser(), server, name);
      expect((await new Browser().get(callback)).status).to.equal(403);
    }
  }

  it('S9: says in the console why, once for each reason', async () => {
    const name = `lost-${provider}-${Math.random()}`;
    await losesLogins(name);
    expect((await warnings()).filter((text) => text.includes(name))).to.deep.equal([
      `${name}: This callback belongs to no pending login of ${name}. The browser sent no cookie: the login started on another host name (localhost and 127.0.0.1 are two), or the cookie is Secure over http. Start the login again.`,
    ]);
  });

  it('S9: says nothing in production, where anyone could fill the log', async () => {
    process.env.NODE_ENV = 'production';
    const name = `lost-${provider}-${Math.random()}`;
    await losesLogins(name);
    expect((await warnings()).filter((text) => text.includes(name))).to.deep.equal([]);
  });
});
