import { expect } from 'chai';
import { type AttemptEnding, attempt, fakeRequest } from '../../support/attempt.js';
import { closesAfterEach } from '../../support/cleanup.js';
import { ExampleOAuth1Strategy, exampleOAuth1Answers } from '../../support/example-networks.js';
import { realSockets } from '../../support/real-sockets.js';
import { network, type Reply, type SeenRequest, type TestNetwork } from '../../support/server.js';

type Done = (error: unknown, user?: object) => void;

const CALLBACK = '/callback?oauth_token=the-request-token&oauth_verifier=the-verifier';

describe('an OAuth 1.0a strategy', () => {
  realSockets();
  const close = closesAfterEach();
  const verify = (token: string, secret: string, profile: { id: string }, done: Done) => {
    done(null, { token, secret, id: profile.id });
  };

  /** A complete login at a network with these responses. */
  async function logIn(
    replies: Record<string, Reply> = {},
    { callback = CALLBACK, Strategy = ExampleOAuth1Strategy, options = {} } = {},
  ): Promise<{ start: AttemptEnding; ending: AttemptEnding; server: TestNetwork }> {
    const server = close(await network(exampleOAuth1Answers(replies)));
    const strategy = new Strategy(server.url, verify);
    const session = {};
    const start = await attempt(strategy, fakeRequest('/login', session), options);
    const ending = await attempt(strategy, fakeRequest(callback, session), options);
    return { start, ending, server };
  }

  it('parameters that a subclass adds are sent; oauth_token cannot be replaced', async () => {
    class Own extends ExampleOAuth1Strategy {
      override requestTokenParams(options: object): object {
        return { x_access: (options as { access: string }).access, skipped: undefined };
      }
      override userAuthorizationParams(): object {
        return { lang: 'ru', force: true, oauth_token: 'mine' };
      }
    }
    const { start, ending, server } = await logIn({}, { Strategy: Own, options: { access: 'read' } });
    const [first] = server.requests as [SeenRequest];
    expect(first.body).to.equal('x_access=read');
    expect(start.redirect).to.equal(
      `${server.url}/authenticate?lang=ru&force=true&oauth_token=the-request-token`,
    );
    expect(ending).to.have.property('user');
  });

  it('T14: an overridden parseErrorResponse makes the error of both token requests', async () => {
    class Own extends ExampleOAuth1Strategy {
      override parseErrorResponse(body: string, status: number): Error | null {
        return status === 400 ? new RangeError(`own reading of ${body}`) : null;
      }
    }
    const { start } = await logIn({ '/request_token': { status: 400, body: 'words' } }, { Strategy: Own });
    expect((start.error as Error).message).to.equal('own reading of words');
    const { ending } = await logIn(
      { '/access_token': { status: 401, body: { error: 'x' } } },
      { Strategy: Own },
    );
    expect(ending.error).to.include({ name: 'RefusedError', networkCode: 'x' });
  });
});
