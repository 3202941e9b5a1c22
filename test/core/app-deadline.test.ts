import { mock } from 'node:test';
import { expect } from 'chai';
import { type AttemptEnding, attempt, fakeRequest } from '../support/attempt.js';
import { closesAfterEach } from '../support/cleanup.js';
import { ExampleOAuth1Strategy, exampleOAuth1Answers } from '../support/example-oauth1.js';
import { ExampleStrategy, exampleAnswers } from '../support/example-oauth2.js';
import type { NamedStrategy } from '../support/login-app.js';
import { memoryLogins } from '../support/logins.js';
import { realSockets } from '../support/real-sockets.js';
import { network } from '../support/server.js';

type Done = (error?: unknown, value?: unknown) => void;

const admit = (_token: string, _refresh: unknown, _profile: unknown, done: Done) => done(null, { id: 1 });

const PROTOCOLS = {
  'OAuth 2': { Strategy: ExampleStrategy, answers: exampleAnswers(), query: 'code=c&state=' },
  'OAuth 1.0a': {
    Strategy: ExampleOAuth1Strategy,
    answers: exampleOAuth1Answers(),
    query: 'oauth_verifier=v&oauth_token=',
  },
};

for (const [protocol, { Strategy, answers, query }] of Object.entries(PROTOCOLS)) {
  describe(`an application that never answers, ${protocol}`, () => {
    realSockets();
    const close = closesAfterEach();
    afterEach(() => mock.timers.reset());

    /** Something that never answers, and a promise for the moment when it is asked. */
    function silence() {
      let asked: () => void = () => {};
      const wasAsked = new Promise<void>((resolve) => {
        asked = resolve;
      });
      const silent = () => {
        asked();
        return new Promise<never>(() => {});
      };
      return { silent, asked: wasAsked };
    }
    const strategyWith = async (options: object) => {
      const server = close(await network(answers));
      return new Strategy(server.url, admit, options) as NamedStrategy;
    };
    const keyOf = ({ redirect = '' }: AttemptEnding) => {
      const { searchParams } = new URL(redirect);
      return searchParams.get('state') ?? searchParams.get('oauth_token') ?? '';
    };

    /** What a request ends in when the deadline has passed; nothing before that. */
    async function overdue(ending: Promise<AttemptEnding>, asked: Promise<void>): Promise<unknown> {
      await asked;
      let ended: AttemptEnding | undefined;
      const noted = ending.then((found) => {
        ended = found;
      });
      mock.timers.tick(59_999);
      await new Promise((resolve) => setImmediate(resolve));
      expect(ended).to.equal(undefined);
      mock.timers.tick(1);
      await noted;
      return ended?.error;
    }

    function expectOverdue(error: unknown, what: string) {
      expect(error).to.be.instanceOf(TypeError);
      expect((error as Error).message).to.equal(`${what} within 60 seconds.`);
    }

    it('T14: a store that never keeps a login ends it in an error after a minute', async () => {
      mock.timers.enable({ apis: ['setTimeout'] });
      const { silent, asked } = silence();
      const strategy = await strategyWith({ store: { ...memoryLogins(), save: silent } });
      expectOverdue(await overdue(attempt(strategy), asked), 'The login store did not answer');
    });

    it('T14: a store that never gives a login back ends it in an error after a minute', async () => {
      mock.timers.enable({ apis: ['setTimeout'] });
      const { silent, asked } = silence();
      const strategy = await strategyWith({ store: { ...memoryLogins(), take: silent } });
      const key = keyOf(await attempt(strategy));
      const ending = attempt(strategy, fakeRequest(`/callback?${query}${key}`));
      expectOverdue(await overdue(ending, asked), 'The login store did not answer');
    });

    for (const [title, question, what] of [
      ['without arguments', (silent: () => unknown) => () => silent(), 'skipUserProfile did not answer'],
      [
        'with arguments',
        (silent: () => unknown) => (_token: string, _done: Done) => silent(),
        'skipUserProfile did not call back',
      ],
    ] as const) {
      it(`T14: a skipUserProfile ${title} that never answers ends the login in an error after a minute`, async () => {
        mock.timers.enable({ apis: ['setTimeout'] });
        const { silent, asked } = silence();
        const strategy = await strategyWith({ store: memoryLogins(), skipUserProfile: question(silent) });
        const key = keyOf(await attempt(strategy));
        const ending = attempt(strategy, fakeRequest(`/callback?${query}${key}`));
        expectOverdue(await overdue(ending, asked), what);
      });
    }
  });
}
