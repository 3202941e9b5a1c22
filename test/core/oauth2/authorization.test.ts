import { expect } from 'chai';
import { type AttemptEnding, attempt, fakeRequest } from '../../support/attempt.js';
import { closesAfterEach } from '../../support/cleanup.js';
import { ExampleStrategy, exampleAnswers } from '../../support/example-networks.js';
import { realSockets } from '../../support/real-sockets.js';
import { network, type Reply } from '../../support/server.js';

type Done = (error: unknown, user?: object) => void;
const verify = (_t: string, _r: string, profile: { id: string }, done: Done) =>
  done(null, { id: profile.id });

describe('OAuth 2 authorization', () => {
  realSockets();
  const close = closesAfterEach();
  const started = async (replies?: Record<string, Reply>) => close(await network(exampleAnswers(replies)));

  /** Starts a login, and finishes it with an authorization response of these parameters. */
  async function respond(
    strategy: ExampleStrategy,
    parameters: (state: string) => Record<string, string>,
  ): Promise<AttemptEnding> {
    const session = {};
    const { redirect = '' } = await attempt(strategy, fakeRequest('/login', session));
    const state = new URL(redirect).searchParams.get('state') ?? '';
    const query = new URLSearchParams(parameters(state)).toString();
    return attempt(strategy, fakeRequest(`/callback?${query}`, session));
  }

  it('C7: a response with an error and a code is an error, and the code is not sent', async () => {
    const server = await started();
    const strategy = new ExampleStrategy(server.url, verify);
    const ending = await respond(strategy, (state) => ({
      code: 'c',
      error: 'access_denied',
      state,
      error_description: `You said no,\r\nto ${state}`,
    }));
    expect(ending.failure).to.deep.equal({
      message: 'The user declined the login at the network.',
      code: 'access_denied',
      networkMessage: 'You said no,  to [redacted]',
    });
    expect(server.requests).to.have.length(0);
  });

  it('C12: a response without code and error is a failure that uses up the login', async () => {
    const { url } = await started();
    const strategy = new ExampleStrategy(url, verify);
    for (const parameters of [{}, { hint: 'x' }, { error_description: 'x' }]) {
      const ending = await respond(strategy, (state) => ({ ...parameters, state }));
      expect([(ending.failure as { code: string }).code, ending.status]).to.deep.equal([
        'malformed_response',
        400,
      ]);
    }
  });

  it('a scope given to authenticate replaces that of the options; one that is no string or array is a TypeError', async () => {
    const strategy = new ExampleStrategy('https://n.example', verify);
    for (const [scope, expected] of [
      ['x,y x', 'x y'],
      [['x', 'y z'], 'x y z'],
      [[], null],
      ['', 'basic'],
      [null as never, 'basic'],
    ] as const) {
      const { redirect = '' } = await attempt(strategy, fakeRequest(), { scope });
      expect(new URL(redirect).searchParams.get('scope')).to.equal(expected);
    }
    const { error } = await attempt(strategy, fakeRequest(), { scope: [7] });
    expect(error).to.be.instanceOf(TypeError);
    expect((error as Error).message).to.include(
      'the scope given to authenticate must be a string or an array of strings',
    );
  });
});
