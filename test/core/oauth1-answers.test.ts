import { expect } from 'chai';
import { type AttemptEnding, attempt, fakeRequest } from '../support/attempt.js';
import { closesAfterEach } from '../support/cleanup.js';
import {
  ACCESS_TOKEN_ANSWER,
  ExampleOAuth1Strategy,
  exampleOAuth1Answers,
  formReply,
  REQUEST_TOKEN_ANSWER,
} from '../support/example-oauth1.js';
import { realSockets } from '../support/real-sockets.js';
import { network, type Reply, type TestNetwork } from '../support/server.js';

type Done = (error: unknown, user?: object) => void;

const CALLBACK = '/callback?oauth_token=the-request-token&oauth_verifier=the-verifier';

describe('oauth1-strategy: answers', () => {
  realSockets();
  const close = closesAfterEach();
  let asked = 0;
  beforeEach(() => {
    asked = 0;
  });
  const verify = (token: string, secret: string, profile: { id: string }, done: Done) => {
    asked += 1;
    done(null, { token, secret, id: profile.id });
  };

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

  it('O1: a callback that is not confirmed is an error, and nobody is sent away', async () => {
    for (const confirmed of [undefined, 'false', '', 'TRUE', '1']) {
      const { oauth_callback_confirmed: _, ...answer } = REQUEST_TOKEN_ANSWER;
      const members = confirmed === undefined ? answer : { ...answer, oauth_callback_confirmed: confirmed };
      const { start, server } = await logIn({ '/request_token': formReply(members) });
      expect(start.redirect).to.equal(undefined);
      expect(start.error).to.include({
        name: 'MalformedError',
        code: 'callback_unconfirmed',
        step: 'request token',
      });
      expect(server.requests).to.have.length(1);
    }
  });

  for (const [path, answer] of Object.entries({
    '/request_token': REQUEST_TOKEN_ANSWER,
    '/access_token': ACCESS_TOKEN_ANSWER,
  })) {
    it(`O4: at ${path} a token or secret that is missing or empty is an error`, async () => {
      for (const name of ['oauth_token', 'oauth_token_secret']) {
        for (const value of [undefined, '']) {
          const { [name]: _, ...rest } = answer as Record<string, string>;
          const members: Record<string, string> = value === undefined ? rest : { ...rest, [name]: value };
          const { start, ending } = await logIn({ [path]: formReply(members) });
          expect(path === '/request_token' ? start.error : ending.error).to.include({
            name: 'MalformedError',
            code: 'token_missing',
            status: 502,
          });
        }
      }
      expect(asked).to.equal(0);
    });

    it(`T8: at ${path} what is no form with a token is a typed error`, async () => {
      const bodies = [
        '<html>a</html>',
        'null',
        '[]',
        '"x"',
        '42',
        '',
        '{"oauth_token":"a","oauth_token_secret":"b"}',
      ];
      for (const body of [...bodies, 'oauth_token=a&oauth_token=b&oauth_token_secret=c']) {
        const { start, ending } = await logIn({ [path]: { body } });
        expect(path === '/request_token' ? start.error : ending.error, body).to.include({
          name: 'MalformedError',
          status: 502,
        });
      }
      expect(asked).to.equal(0);
    });
  }

  it('S7: a refusal is a RefusedError of its step', async () => {
    const refusal = { status: 401, body: { error: 'bad_signature' } };
    const facts = { name: 'RefusedError', networkCode: 'bad_signature', networkStatus: 401 };
    const { start } = await logIn({ '/request_token': refusal });
    expect(start.error).to.include({ ...facts, step: 'request token' });
    const { ending } = await logIn({ '/access_token': refusal });
    expect(ending.error).to.include({ ...facts, step: 'token' });
  });

  it('C13: a request token is exchanged once, also when the network answers 503', async () => {
    const { ending, server } = await logIn({ '/access_token': { status: 503 } });
    expect(ending.error).to.include({ step: 'token', networkStatus: 503 });
    expect(server.requests.filter(({ path }) => path === '/access_token')).to.have.length(1);
  });

  it('T14: a parseErrorResponse that is overridden makes the error of either step', async () => {
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
