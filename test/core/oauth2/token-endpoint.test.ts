import { expect } from 'chai';
import { requireToken } from '../../../lib/core/errors/index.js';
import { expiryDate, type OAuth2Network, scopeList, type Tokens } from '../../../lib/core/oauth2/index.js';
import { type AttemptEnding, attempt, fakeRequest } from '../../support/attempt.js';
import { closesAfterEach } from '../../support/cleanup.js';
import { fakeClock } from '../../support/clock.js';
import { ExampleStrategy, exampleAnswers, TOKEN_ANSWER } from '../../support/example-networks.js';
import { realSockets } from '../../support/real-sockets.js';
import { network, type Reply } from '../../support/server.js';
import { rejectionOf } from '../../support/thrown.js';

type Done = (error: unknown, user?: object) => void;

describe('responses of an OAuth 2 network', () => {
  realSockets();
  const close = closesAfterEach();
  let verifications = 0;
  beforeEach(() => {
    verifications = 0;
  });
  const verify = (token: string, refresh: string | undefined, profile: { id: string }, done: Done) => {
    verifications += 1;
    done(null, { token, refresh, id: profile.id });
  };

  /** How a login ends at a network with these responses. */
  async function logIn(
    replies: Record<string, Reply>,
    properties: Partial<OAuth2Network> = {},
  ): Promise<AttemptEnding> {
    const server = close(await network(exampleAnswers(replies)));
    const strategy = new ExampleStrategy(server.url, verify, {}, properties);
    const session = {};
    const { redirect = '' } = await attempt(strategy, fakeRequest('/login', session));
    const state = new URL(redirect).searchParams.get('state');
    return attempt(strategy, fakeRequest(`/callback?code=the%2Acode&state=${state}`, session));
  }

  it('T9: the token type bearer is accepted in any letter case', async () => {
    for (const token_type of ['Bearer', 'bearer', 'BEARER']) {
      const ending = await logIn({ '/token': { body: { ...TOKEN_ANSWER, token_type } } });
      expect(ending).to.have.property('user');
    }
  });

  it('T9: a token of another type is an error, and verify is not called', async () => {
    for (const token_type of ['mac', 'DPoP', '', 7, ['Bearer'], true]) {
      const ending = await logIn(
        { '/token': { body: { ...TOKEN_ANSWER, token_type } } },
        { tokenTypeRequired: false },
      );
      expect(ending.error, JSON.stringify(token_type)).to.include({
        name: 'MalformedError',
        code: 'token_type_unknown',
        status: 502,
      });
    }
    expect(verifications).to.equal(0);
  });

  it('T9: whether a missing type is an error depends on the network', async () => {
    for (const token_type of [undefined, null]) {
      const replies = { '/token': { body: { ...TOKEN_ANSWER, token_type } } };
      const strict = await logIn(replies, { tokenTypeRequired: true });
      expect(strict.error).to.include({ code: 'token_type_unknown' });
      const lenient = await logIn(replies, { tokenTypeRequired: false });
      expect(lenient).to.have.property('user');
    }
  });

  it('T10: an access token that is no string, or empty, is an error, and verify is not called', async () => {
    for (const access_token of [undefined, null, '', 7, true, {}, ['the-access-token']]) {
      const ending = await logIn({ '/token': { body: { ...TOKEN_ANSWER, access_token } } });
      expect(ending.error, JSON.stringify(access_token)).to.include({
        name: 'MalformedError',
        code: 'token_missing',
        status: 502,
      });
    }
    expect(verifications).to.equal(0);
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
      it(`T8: a body of ${path} with HTTP ${status} that is no JSON object is a MalformedError`, async () => {
        for (const body of bodies) {
          const ending = await logIn({ [path]: { status, body } });
          expect(ending.error, body).to.include({
            name: 'MalformedError',
            code: 'unreadable_response',
            step: path.slice(1),
            networkStatus: status,
            status: 502,
          });
        }
        expect(verifications).to.equal(0);
      });
    }
  }

  it('T8: an error in the body is a RefusedError, whatever the status', async () => {
    for (const status of [200, 400, 401, 500]) {
      const body = { error: 'invalid_grant', error_description: 'Expired.' };
      const ending = await logIn({ '/token': { status, body } });
      expect(ending.error).to.include({
        name: 'RefusedError',
        code: 'refused',
        networkCode: 'invalid_grant',
        networkMessage: 'Expired.',
        networkStatus: status,
      });
    }
    expect(verifications).to.equal(0);
  });

  it('S7: status 429 is rate_limited with status 503 and the seconds to wait', async () => {
    const ending = await logIn({ '/profile': { status: 429, headers: { 'retry-after': '7' } } });
    expect(ending.error).to.include({ code: 'rate_limited', status: 503, retryAfter: 7, step: 'profile' });
  });
});

/** Makes the refresh that networks offer public. */
class RefreshingStrategy extends ExampleStrategy {
  refresh(refreshToken: string, boundTo?: string): Promise<Tokens> {
    return this.tokenEndpoint.refresh(refreshToken, {}, boundTo);
  }
}

describe('refreshing tokens', () => {
  realSockets();
  const close = closesAfterEach();
  const clock = fakeClock();

  /** A strategy at a network that responds with these token responses, the last one again and again. */
  async function refreshing(...bodies: object[]) {
    const replies = bodies.map((body) => ({ body: { token_type: 'Bearer', ...body } }));
    const server = close(await network(() => (replies.length > 1 ? replies.shift() : replies[0]) ?? {}));
    return { server, strategy: new RefreshingStrategy(server.url, () => {}) };
  }

  it('a token response becomes tokens, with a date instead of seconds', async () => {
    const params = { access_token: 'a', refresh_token: 'new', expires_in: 60, scope: 'x y' };
    const { strategy } = await refreshing(params);
    const now = clock.stop();
    expect(await strategy.refresh('old')).to.deep.equal({
      accessToken: 'a',
      refreshToken: 'new',
      expiresAt: new Date(now + 60_000),
      scope: ['x', 'y'],
      params: { token_type: 'Bearer', ...params },
    });
  });

  it('fields that the response lacks are absent, and the old refresh token is kept', async () => {
    const { strategy } = await refreshing({ access_token: 'a' });
    expect(await strategy.refresh('old')).to.deep.equal({
      accessToken: 'a',
      refreshToken: 'old',
      scope: [],
      params: { token_type: 'Bearer', access_token: 'a' },
    });
  });

  it('simultaneous refreshes of one token are one request; a later one is a new request', async () => {
    const bodies = ['1', '2', '3'].map((access_token) => ({ access_token, scope: 'x' }));
    const { server, strategy } = await refreshing(...bodies);
    const [one, other] = await Promise.all([strategy.refresh('a'), strategy.refresh('a')]);
    expect(one).to.deep.equal(other);
    expect(server.requests).to.have.length(1);
    // Each caller gets an object of its own.
    one.scope.push('y');
    Object.assign(one.params, { scope: 'y' });
    expect([other.scope, other.params.scope]).to.deep.equal([['x'], 'x']);
    await strategy.refresh('b');
    expect((await strategy.refresh('a')).accessToken).to.equal('3');
  });

  it('simultaneous refreshes of one token that is bound to two devices are two requests', async () => {
    const { server, strategy } = await refreshing({ access_token: 'a' });
    await Promise.all([strategy.refresh('a', 'phone'), strategy.refresh('a', 'laptop')]);
    expect(server.requests).to.have.length(2);
  });

  it('a refresh that failed is not repeated to later callers', async () => {
    const { strategy } = await refreshing({ error: 'server_error' }, { access_token: 'x' });
    const [one, other] = [strategy.refresh('a'), strategy.refresh('a')];
    for (const refresh of [one, other]) {
      expect(await rejectionOf(refresh)).to.include({ name: 'RefusedError', networkCode: 'server_error' });
    }
    expect(await strategy.refresh('a')).to.include({ accessToken: 'x' });
  });

  it('a token that is no string, or empty, is a TypeError that names the method', async () => {
    const { server, strategy } = await refreshing({ access_token: 'a' });
    for (const token of [undefined, null, '', 7, {}]) {
      expect(() => requireToken('network', 'revoke', token)).to.throw(
        TypeError,
        'network: revoke needs a token that is a non-empty string.',
      );
      const error = await rejectionOf(strategy.refresh(token as string));
      expect(error).to.be.instanceOf(TypeError);
      expect((error as Error).message).to.equal('example: refresh needs a token that is a non-empty string.');
    }
    requireToken('network', 'revoke', 'a-token');
    expect(server.requests).to.have.length(0);
  });

  it('an expires_in that is no positive number of seconds is ignored', () => {
    for (const expires_in of [undefined, null, 0, -1, 'soon', Number.NaN, 1e10, {}]) {
      expect(expiryDate({ expires_in })).to.equal(undefined);
    }
    const now = clock.stop();
    expect(expiryDate({ expires_in: '60' })).to.deep.equal(new Date(now + 60_000));
  });

  it('an expires_in of ten thousand nested arrays is ignored, and no error', () => {
    const deep = JSON.parse(`${'['.repeat(10_000)}60${']'.repeat(10_000)}`) as unknown;
    expect(expiryDate({ expires_in: deep })).to.equal(undefined);
    for (const expires_in of [[60], true, { valueOf: () => 60 }]) {
      expect(expiryDate({ expires_in })).to.equal(undefined);
    }
  });

  it('scopes are split at spaces and commas', () => {
    expect(scopeList('a b,c  d')).to.deep.equal(['a', 'b', 'c', 'd']);
    expect([scopeList(''), scopeList(undefined)]).to.deep.equal([[], []]);
  });
});
