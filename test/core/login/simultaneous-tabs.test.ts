import { expect } from 'chai';
import { MemoryStore } from 'express-session';
import { MicroblogStrategy, ShortVideoStrategy } from '../../../lib/index.js';
import { startSandbox } from '../../../sandbox/lib/index.js';
import { Browser } from '../../support/browser.js';
import { closesAfterEach } from '../../support/cleanup.js';
import { allow, start } from '../../support/journey.js';
import { loginApp, type NamedStrategy } from '../../support/login-app.js';
import { realSockets } from '../../support/real-sockets.js';
import { SlowStore } from '../../support/slow-sessions.js';

type Verify = (token: string, refresh: unknown, profile: { displayName: string }) => Promise<object>;
type Sandbox = Awaited<ReturnType<typeof startSandbox>>;

const whoIs: Verify = async (_token, _refresh, { displayName }) => ({ displayName });

const STRATEGIES: Readonly<Record<string, (sandbox: Sandbox, verify: Verify) => NamedStrategy>> = {
  'OAuth 2': (sandbox, verify) => new ShortVideoStrategy(sandbox.options('short-video'), verify),
  'OAuth 1.0a': (sandbox, verify) =>
    new MicroblogStrategy<'1.0'>(sandbox.options('microblog', { version: '1.0' }), verify),
};
const STORES = { MemoryStore: () => new MemoryStore(), 'a slow store': () => new SlowStore() };

for (const [protocol, make] of Object.entries(STRATEGIES)) {
  for (const [storeName, newStore] of Object.entries(STORES)) {
    describe(`simultaneous tabs of one session, ${protocol}, ${storeName}`, () => {
      realSockets();
      const close = closesAfterEach();

      async function world(verify: Verify = whoIs) {
        const sandbox = close(await startSandbox());
        const strategy = make(sandbox, verify);
        const app = close(await loginApp(strategy, { sessions: newStore() }));
        const nameOf = (id: string) => sandbox.people.find((person) => person.id === id)?.displayName;
        return { app, name: strategy.name, nameOf };
      }

      it('C3: a tab that starts while another one finishes can finish as well', async () => {
        const browser = new Browser();
        const started: string[] = [];
        const { app, name, nameOf } = await world(async (...args) => {
          // The token request is done, and the new session has not begun yet.
          if (started.length === 0) started.push(await start(browser, app, name));
          return whoIs(...args);
        });
        const first = await allow(browser, await start(browser, app, name), 'alice');
        expect((await browser.get(first)).json.user).to.deep.equal({ displayName: nameOf('alice') });
        const second = await allow(browser, started[0] ?? '', 'anna');
        expect((await browser.get(second)).json.user).to.deep.equal({ displayName: nameOf('anna') });
      });
    });
  }
}
