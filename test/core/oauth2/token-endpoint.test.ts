import { expect } from 'chai';
import { expiryDate, type OAuth2Network, scopeList, type Tokens } from '../../../lib/core/oauth2/index.js';
import { type AttemptEnding, attempt, fakeRequest } from '../../support/attempt.js';
import { closesAfterEach } from '../../support/cleanup.js';
import { fakeClock } from '../../support/clock.js';
import { ExampleStrategy, exampleAnswers, TOKEN_ANSWER } from '../../support/example-networks.js';
import { realSockets } from '../../support/real-sockets.js';
import { network, type Reply } from '../../support/server.js';

type Done = (error: unknown, user?: object) => void;

describe('responses of an OAuth 2 network', () => {
  realSockets();
  const close = closesAfterEach();
  let _verifications = 0;
  beforeEach(() => {
    _verifications = 0;
  });
  const verify = (token: string, refresh: string | undefined, profile: { id: string }, done: Done) => {
    _verifications += 1;
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

  it('T9: whether a missing type is an error depends on the network', async () => {
    for (const token_type of [undefined, null]) {
      const replies = { '/token': { body: { ...TOKEN_ANSWER, token_type } } };
      const strict = await logIn(replies, { tokenTypeRequired: true });
      expect(strict.error).to.include({ code: 'token_type_unknown' });
      const lenient = await logIn(replies, { tokenTypeRequired: false });
      expect(lenient).to.have.property('user');
    }
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

  it('simultaneous refreshes of one token that is bound to two devices are two requests', async () => {
    const { server, strategy } = await refreshing({ access_token: 'a' });
    await Promise.all([strategy.refresh('a', 'phone'), strategy.refresh('a', 'laptop')]);
    expect(server.requests).to.have.length(2);
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
