import { expect } from 'chai';
import type { OAuth2Network } from '../../lib/core/oauth2-network.js';
import { type AttemptEnding, attempt, fakeRequest } from '../support/attempt.js';
import { closesAfterEach } from '../support/cleanup.js';
import { ExampleStrategy, exampleAnswers, TOKEN_ANSWER } from '../support/example-oauth2.js';
import { realSockets } from '../support/real-sockets.js';
import { network, type Reply, type TestNetwork } from '../support/server.js';

type Done = (error: unknown, user?: object) => void;

describe('oauth2-strategy: answers', () => {
  realSockets();
  const close = closesAfterEach();
  let asked = 0;
  beforeEach(() => {
    asked = 0;
  });
  const verify = (token: string, refresh: string | undefined, profile: { id: string }, done: Done) => {
    asked += 1;
    done(null, { token, refresh, id: profile.id });
  };

  /** A whole login at a network that answers as told. */
  async function logIn(
    replies: Record<string, Reply>,
    settings: { options?: object; network?: Partial<OAuth2Network>; Strategy?: typeof ExampleStrategy } = {},
  ): Promise<{ ending: AttemptEnding; server: TestNetwork; redirect: string }> {
    const { options = {}, network: facts = {}, Strategy = ExampleStrategy } = settings;
    const server = close(await network(exampleAnswers(replies)));
    const strategy = new Strategy(server.url, verify, options, facts);
    const session = {};
    const { redirect = '' } = await attempt(strategy, fakeRequest('/login', session));
    const state = new URL(redirect).searchParams.get('state');
    const ending = await attempt(strategy, fakeRequest(`/callback?code=the%2Acode&state=${state}`, session));
    return { ending, server, redirect };
  }

  it('T9: a bearer token in any letter case is fine', async () => {
    for (const token_type of ['Bearer', 'bearer', 'BEARER']) {
      expect((await logIn({ '/token': { body: { ...TOKEN_ANSWER, token_type } } })).ending).to.have.property(
        'user',
      );
    }
  });

  it('T9: a token of another type is an error, and verify is not asked', async () => {
    for (const token_type of ['mac', 'DPoP', '', 7, ['Bearer'], true]) {
      const { ending } = await logIn(
        { '/token': { body: { ...TOKEN_ANSWER, token_type } } },
        { network: { tokenTypeRequired: false } },
      );
      expect(ending.error, JSON.stringify(token_type)).to.include({
        name: 'MalformedError',
        code: 'token_type_unknown',
        status: 502,
      });
    }
    expect(asked).to.equal(0);
  });

  it('T9: whether a missing type is an error depends on the network', async () => {
    for (const token_type of [undefined, null]) {
      const replies = { '/token': { body: { ...TOKEN_ANSWER, token_type } } };
      const strict = await logIn(replies, { network: { tokenTypeRequired: true } });
      expect(strict.ending.error).to.include({ code: 'token_type_unknown' });
      const lenient = await logIn(replies, { network: { tokenTypeRequired: false } });
      expect(lenient.ending).to.have.property('user');
    }
  });

  it('T10: an access token that is no text is an error, and verify is not asked', async () => {
    for (const access_token of [undefined, null, '', 7, true, {}, ['the-access-token']]) {
      const { ending } = await logIn({ '/token': { body: { ...TOKEN_ANSWER, access_token } } });
      expect(ending.error, JSON.stringify(access_token)).to.include({
        name: 'MalformedError',
        code: 'token_missing',
        status: 502,
      });
    }
    expect(asked).to.equal(0);
  });

  const bodies = [
    '<html>access_token=x</html>',
    'null',
    '[]',
    '"x"',
    '42',
    '',
    'access_token=x&token_type=Bearer',
    '{"a":',
  ];

  for (const path of ['/token', '/profile']) {
    for (const status of [200, 400, 500]) {
      it(`T8: at ${path} with HTTP ${status}, what is no JSON object is a MalformedError`, async () => {
        for (const body of bodies) {
          const { ending } = await logIn({ [path]: { status, body } });
          expect(ending.error, body).to.include({
            name: 'MalformedError',
            code: 'unreadable_answer',
            step: path.slice(1),
            networkStatus: status,
            status: 502,
          });
        }
        expect(asked).to.equal(0);
      });
    }
  }

  it('T8: an error in the body is a refusal, whatever the status', async () => {
    for (const status of [200, 400, 401, 500]) {
      const body = { error: 'invalid_grant', error_description: 'Expired.' };
      const { ending } = await logIn({ '/token': { status, body } });
      expect(ending.error).to.include({
        name: 'RefusedError',
        code: 'refused',
        networkCode: 'invalid_grant',
        networkMessage: 'Expired.',
        networkStatus: status,
      });
    }
    expect(asked).to.equal(0);
  });

  it('S7: a 429 is rate_limited with status 503 and the time to wait', async () => {
    const { ending } = await logIn({ '/profile': { status: 429, headers: { 'retry-after': '7' } } });
    expect(ending.error).to.include({ code: 'rate_limited', status: 503, retryAfter: 7, step: 'profile' });
  });
});
