import { expect } from 'chai';
import { closesAfterEach } from '../../support/cleanup.js';
import { ExampleStrategy, exampleAnswers } from '../../support/example-oauth2.js';
import { playLogin } from '../../support/oauth2-login.js';
import { realSockets } from '../../support/real-sockets.js';
import { network } from '../../support/server.js';

type Done = (error: unknown, user: object, info?: unknown) => void;

/** Logs a user in with this info. */
const verifyWith =
  (info: unknown) => (_token: string, _refreshToken: unknown, _profile: unknown, done: Done) =>
    done(null, { id: 1 }, info);

describe('the info of a login', () => {
  realSockets();
  const close = closesAfterEach();

  for (const [info, expected] of [
    ['Welcome back', { message: 'Welcome back' }],
    [{ message: 'Welcome' }, { message: 'Welcome' }],
    [undefined, {}],
  ] as const) {
    it(`${JSON.stringify(info) ?? 'nothing'} given to done is ${JSON.stringify(expected)}`, async () => {
      const { url } = close(await network(exampleAnswers()));
      const { ending } = await playLogin(new ExampleStrategy(url, verifyWith(info)));
      expect(ending).to.deep.equal({ user: { id: 1 }, info: expected });
    });
  }

  it('a string given to done is returned with the application’s state', async () => {
    const { url } = close(await network(exampleAnswers()));
    const { ending } = await playLogin(new ExampleStrategy(url, verifyWith('Welcome back')), undefined, {
      state: '/cart',
    });
    expect(ending.info).to.deep.equal({ message: 'Welcome back', state: '/cart' });
  });
});
