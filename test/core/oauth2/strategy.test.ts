import { expect } from 'chai';
import type { OAuth2Network } from '../../../lib/core/oauth2/index.js';
import { type AttemptEnding, attempt, fakeRequest } from '../../support/attempt.js';
import { closesAfterEach } from '../../support/cleanup.js';
import { ExampleStrategy, exampleAnswers } from '../../support/example-networks.js';
import { realSockets } from '../../support/real-sockets.js';
import { network, type Reply, type TestNetwork } from '../../support/server.js';
import { collectsWarnings } from '../../support/warnings.js';

type Done = (error: unknown, user?: object) => void;

describe('an OAuth 2 strategy', () => {
  realSockets();
  const close = closesAfterEach();
  const warnings = collectsWarnings();
  const verify = (token: string, refresh: string | undefined, profile: { id: string }, done: Done) => {
    done(null, { token, refresh, id: profile.id });
  };

  /** A complete login at a network with these responses. */
  async function logIn(
    replies: Record<string, Reply>,
    {
      options = {},
      network: properties = {},
      Strategy = ExampleStrategy,
    }: { options?: object; network?: Partial<OAuth2Network>; Strategy?: typeof ExampleStrategy } = {},
  ): Promise<{ ending: AttemptEnding; server: TestNetwork; redirect: string }> {
    const server = close(await network(exampleAnswers(replies)));
    const strategy = new Strategy(server.url, verify, options, properties);
    const session = {};
    const { redirect = '' } = await attempt(strategy, fakeRequest('/login', session));
    const state = new URL(redirect).searchParams.get('state');
    const ending = await attempt(strategy, fakeRequest(`/callback?code=the%2Acode&state=${state}`, session));
    return { ending, server, redirect };
  }

  it('T14: an overridden parseErrorResponse makes the error; null leaves it to the strategy', async () => {
    class Own extends ExampleStrategy {
      override parseErrorResponse(body: string, status: number): Error | null {
        return status === 400 ? new RangeError(`own reading of ${body}`) : null;
      }
    }
    const own = await logIn({ '/token': { status: 400, body: 'words' } }, { Strategy: Own });
    expect((own.ending.error as Error).message).to.equal('own reading of words');
    const left = await logIn({ '/token': { status: 401, body: { error: 'x' } } }, { Strategy: Own });
    expect(left.ending.error).to.include({ name: 'RefusedError', networkCode: 'x' });
  });

  it('S1, T14: the exception of an overridden parseErrorResponse leaves the error to the strategy, and its text is not shown', async () => {
    class Own extends ExampleStrategy {
      override parseErrorResponse(body: string): Error | null {
        return JSON.parse(body) as Error;
      }
    }
    const { ending } = await logIn(
      { '/token': { status: 400, body: 'error=x&code=the*code' } },
      { Strategy: Own },
    );
    expect(ending.error).to.include({ name: 'MalformedError', code: 'unreadable_response' });
    const [warning] = await warnings.texts();
    expect(warning).to.equal("parseErrorResponse threw (SyntaxError); the strategy's own error stands.");
  });

  it('T14: an async override that must answer at once is a TypeError, and its rejection ends nothing', async () => {
    const rejects = async () => {
      throw new Error('too late');
    };
    for (const name of ['authorizationParams', 'tokenParams', 'parseErrorResponse'] as const) {
      class Own extends ExampleStrategy {}
      Object.assign(Own.prototype, { [name]: rejects });
      const server = close(
        await network(exampleAnswers({ '/token': { status: 400, body: { error: 'x' } } })),
      );
      const strategy = new Own(server.url, verify);
      const session = {};
      const begun = await attempt(strategy, fakeRequest('/login', session));
      const state = new URL(begun.redirect ?? server.url).searchParams.get('state');
      const finished = await attempt(strategy, fakeRequest(`/cb?code=c&state=${state}`, session));
      const error = (begun.error ?? finished.error) as Error;
      if (name === 'parseErrorResponse') expect(error).to.include({ networkCode: 'x' });
      else expect(error.message).to.include('must return its value at once, and returned a promise');
    }
    const { ending } = await logIn({}, { options: { profile: rejects } });
    expect((ending.error as Error).message).to.include('option profile must return its value at once');
  });

  it('parameters that a subclass adds are sent, but those of the protocol cannot be replaced', async () => {
    class Own extends ExampleStrategy {
      override authorizationParams(): object {
        return { prompt: 'login', state: 'mine', client_id: 'mine', response_type: 'token' };
      }
      override tokenParams(): object {
        return { audience: 'api', code: 'mine', client_secret: 'mine', grant_type: 'password' };
      }
    }
    const { server, redirect, ending } = await logIn({}, { Strategy: Own });
    const { searchParams } = new URL(redirect);
    expect(searchParams.get('prompt')).to.equal('login');
    expect([searchParams.get('client_id'), searchParams.get('response_type')]).to.deep.equal([
      'the-client',
      'code',
    ]);
    const form = server.requests[0]?.form;
    expect(form?.get('audience')).to.equal('api');
    expect([form?.get('code'), form?.get('client_secret'), form?.get('grant_type')]).to.deep.equal([
      'the*code',
      'the-client-secret',
      'authorization_code',
    ]);
    expect(ending).to.have.property('user');
  });
});
