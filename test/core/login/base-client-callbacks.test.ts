import { expect } from 'chai';
import { closesAfterEach } from '../../support/cleanup.js';
import { ExampleOAuth1Strategy, ExampleStrategy } from '../../support/example-networks.js';
import { realSockets } from '../../support/real-sockets.js';
import { network } from '../../support/server.js';
import { collectsWarnings } from '../../support/warnings.js';

type Callback = (error: unknown, ...results: unknown[]) => void;
type Get = (url: string, callback: Callback) => void;

const never = () => {};

const CLIENTS: Readonly<Record<string, (url: string) => Get>> = {
  'strategy._oauth2.get': (base) => {
    const strategy = new ExampleStrategy(base, never) as unknown as {
      readonly _oauth2: { get(url: string, token: string, callback: Callback): void };
    };
    return (url, callback) => strategy._oauth2.get(url, 'the-token', callback);
  },
  'strategy._oauth.get': (base) => {
    const client = new ExampleOAuth1Strategy(base, never)._oauth as unknown as {
      get(url: string, token: string, secret: string, callback: Callback): void;
    };
    return (url, callback) => client.get(url, 'the-token', 'the-token-secret', callback);
  },
};

for (const [title, clientAt] of Object.entries(CLIENTS)) {
  describe(`a callback given to ${title}`, () => {
    realSockets();
    const close = closesAfterEach();
    const warnings = collectsWarnings();
    const unhandled: unknown[] = [];
    const collect = (reason: unknown) => unhandled.push(reason);
    let others: NodeJS.UnhandledRejectionListener[] = [];
    beforeEach(() => {
      unhandled.length = 0;
      others = process.listeners('unhandledRejection');
      process.removeAllListeners('unhandledRejection');
      process.on('unhandledRejection', collect);
    });
    afterEach(() => {
      process.off('unhandledRejection', collect);
      for (const other of others) process.on('unhandledRejection', other);
    });

    /** Calls `get` with a callback that throws each value once. @returns The errors with which it was called. */
    async function errorsOf(status: number, thrown: readonly unknown[]): Promise<unknown[]> {
      const { url } = close(await network(() => ({ status, body: 'a response' })));
      const errors: unknown[] = [];
      await new Promise<void>((resolve) => {
        clientAt(url)(`${url}/api`, (error) => {
          errors.push(error);
          // Later than a second call and an unhandled rejection would come.
          if (errors.length === 1) setTimeout(resolve, 30);
          if (errors.length <= thrown.length) throw thrown[errors.length - 1];
        });
      });
      return errors;
    }

    it('T14: that throws is called once more, with its exception as the error', async () => {
      const bug = new RangeError('a bug');
      expect(await errorsOf(200, [bug])).to.deep.equal([null, bug]);
      expect(unhandled).to.deep.equal([]);
      expect(await warnings.texts()).to.deep.equal([]);
    });

    it('T14: that throws when it gets an error is not called again, and the process goes on', async () => {
      const bug = new RangeError('a bug');
      expect(await errorsOf(500, [bug])).to.deep.equal([{ statusCode: 500, data: 'a response' }]);
      expect(unhandled).to.deep.equal([]);
      expect(await warnings.texts()).to.deep.equal([
        'A callback of the application threw (RangeError) while it handled a login.',
      ]);
    });

    it('T14: that always throws is called twice, and the process goes on', async () => {
      const bug = new RangeError('a bug');
      expect(await errorsOf(200, [bug, bug, bug])).to.deep.equal([null, bug]);
      expect(unhandled).to.deep.equal([]);
      expect(await warnings.texts()).to.deep.equal([
        'A callback of the application threw (RangeError) while it handled a login.',
      ]);
    });
  });
}
