import { expect } from 'chai';
import { type LoginStore, MicroblogStrategy } from '../../../lib/index.js';
import { type Sandbox, startSandbox } from '../../../sandbox/lib/index.js';
import { Browser } from '../../support/browser.js';
import { closesAfterEach } from '../../support/cleanup.js';
import { callbackOf, logIn } from '../../support/journey.js';
import { type LoginApp, loginApp } from '../../support/login-app.js';
import { blocksOf } from '../pages.js';
import { addressesOf, credentialsOf, removePrograms, startProgram, writeProgram } from '../programs.js';
import { Visitor } from '../visitor.js';

const PLACE = 'pending-logins';
const blocks = blocksOf('docs/pending-logins.md');
const codeWith = (words: string) => blocks.find(({ code }) => code.includes(words))?.code ?? '';

interface StoreModule {
  tableLogins(table: {
    put(key: string, text: string, expiresAt: number): Promise<void>;
    pull(key: string): Promise<string | undefined>;
  }): LoginStore;
}

describe('The guide to pending logins', function () {
  this.timeout(30_000);
  const closing = closesAfterEach();
  after(() => removePrograms(PLACE));

  describe('a custom store', () => {
    let rows: Map<string, string>;

    async function app(): Promise<LoginApp> {
      const guide = require(
        writeProgram(`${PLACE}/store.ts`, codeWith('export function tableLogins')),
      ) as StoreModule;
      rows = new Map();
      const store = guide.tableLogins({
        put: async (key, text) => void rows.set(key, text),
        pull: async (key) => {
          const text = rows.get(key);
          rows.delete(key);
          return text;
        },
      });
      const sandbox: Sandbox = closing(await startSandbox());
      const strategy = new MicroblogStrategy(
        { ...sandbox.options('microblog'), store },
        async (_token, _refresh, profile) => ({
          id: profile.id,
        }),
      );
      return closing(await loginApp(strategy));
    }

    it('logs users in and deletes the pending login', async () => {
      expect((await logIn(await app(), 'microblog')).json.user).to.deep.equal({ id: '2244994945' });
      expect(rows.size).to.equal(0);
    });

    it("does not give a browser another browser's login", async () => {
      const server = await app();
      const callback = await callbackOf(new Browser(), server, 'microblog');
      const page = await new Browser().get(callback);
      expect(page.json.failure).to.include({ code: 'unknown_login' });
    });

    it('keeps the logins of two tabs apart, until one of them is finished', async () => {
      const server = await app();
      const browser = new Browser();
      const first = await callbackOf(browser, server, 'microblog');
      const second = await callbackOf(browser, server, 'microblog', 'anna');
      expect(rows.size).to.equal(2);
      expect((await browser.get(first)).json.user).to.deep.equal({ id: '2244994945' });
      expect((await browser.get(second)).json.failure).to.include({ code: 'unknown_login' });
    });
  });

  it('returns users to the page they came from, but never to another site', async () => {
    const sandbox = closing(await startSandbox());
    const file = writeProgram(`${PLACE}/return-address.mts`, codeWith('// return-address.mts'));
    const app = await startProgram(file, { addresses: addressesOf(sandbox), env: credentialsOf(sandbox) });
    closing(app);
    for (const [returnTo, path] of [
      ['/cart', '/cart'],
      ['//evil.example', '/'],
      ['https://evil.example', '/'],
    ]) {
      const page = await new Visitor(app.url).logIn(`/api/auth/signin/microblog?returnTo=${returnTo}`);
      expect(page.json).to.deep.equal({ path, user: { id: '2244994945', name: 'Alice Example' } });
    }
  });
});
