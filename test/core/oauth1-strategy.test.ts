import { expect } from 'chai';
import { type AttemptEnding, attempt, fakeRequest } from '../support/attempt.js';
import { closesAfterEach } from '../support/cleanup.js';
import { ExampleOAuth1Strategy, exampleOAuth1Answers } from '../support/example-oauth1.js';
import { realSockets } from '../support/real-sockets.js';
import { network, type Reply, type SeenRequest, type TestNetwork } from '../support/server.js';

type Done = (error: unknown, user?: object) => void;

interface OAuthSign {
  hmacsign(method: string, uri: string, parameters: object, secret: string, tokenSecret: string): string;
}
const oauthSign = require('oauth-sign') as OAuthSign;

const CALLBACK = '/callback?oauth_token=the-request-token&oauth_verifier=the-verifier';

/** The signed members of a request's header, and whether its signature holds for exactly that request. */
function readHeader({ method, path, query, form, headers }: SeenRequest, tokenSecret: string) {
  const pairs = (headers.authorization ?? '')
    .replace(/^OAuth /, '')
    .split(', ')
    .map((member) => member.split(/="(.*)"/s).map(decodeURIComponent));
  const { oauth_signature, ...members } = Object.fromEntries(pairs) as Record<string, string>;
  const parameters = { ...Object.fromEntries(query), ...Object.fromEntries(form), ...members };
  const address = `http://${headers.host}${path}`;
  const expected = oauthSign.hmacsign(method, address, parameters, 'the-consumer-secret', tokenSecret);
  return { members, isSound: oauth_signature === expected };
}

describe('oauth1-strategy', () => {
  realSockets();
  const close = closesAfterEach();
  const verify = (token: string, secret: string, profile: { id: string }, done: Done) => {
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

  it('verify gets token, token secret and profile', async () => {
    const { start, ending, server } = await logIn();
    expect(start.redirect).to.equal(`${server.url}/authenticate?oauth_token=the-request-token`);
    expect(ending.user).to.deep.equal({ token: 'the-token', secret: 'the-token-secret', id: 'person-1' });
  });

  it('O6: each request is signed for exactly the address that is called, with the right secrets', async () => {
    const { server } = await logIn();
    const [first, second, third] = server.requests as [SeenRequest, SeenRequest, SeenRequest];
    const requestToken = readHeader(first, '');
    expect(requestToken.isSound).to.equal(true);
    expect(requestToken.members).to.include({
      oauth_consumer_key: 'the-consumer',
      oauth_callback: 'https://app.example/api/auth/callback/example',
    });
    const accessToken = readHeader(second, 'the-request-token-secret');
    expect(accessToken.isSound).to.equal(true);
    expect(accessToken.members).to.include({
      oauth_token: 'the-request-token',
      oauth_verifier: 'the-verifier',
    });
    const profile = readHeader(third, 'the-token-secret');
    expect(profile.isSound).to.equal(true);
    expect(profile.members).to.include({ oauth_token: 'the-token' });
    expect(third.url).to.equal('/profile?skip=true');
  });

  it('T11: no address has a token, secret or verifier in it', async () => {
    const { server } = await logIn();
    expect(server.requests.map(({ method, url, body }) => [method, url, body])).to.deep.equal([
      ['POST', '/request_token', ''],
      ['POST', '/access_token', ''],
      ['GET', '/profile?skip=true', ''],
    ]);
  });

  it('O2: a callback with the token only is a failure, and the network is not asked', async () => {
    const { ending, server } = await logIn({}, { callback: '/callback?oauth_token=the-request-token' });
    expect(ending.failure).to.deep.equal({
      message: 'The callback brought no oauth_verifier. Start the login again.',
      code: 'malformed_callback',
    });
    expect(ending.status).to.equal(400);
    expect(server.requests).to.have.length(1);
  });

  it('O2: an empty verifier, or one that comes twice, is a failure, and the network is not asked', async () => {
    for (const verifiers of ['oauth_verifier=', 'oauth_verifier=a&oauth_verifier=b']) {
      const { ending, server } = await logIn(
        {},
        { callback: `/callback?oauth_token=the-request-token&${verifiers}` },
      );
      expect((ending.failure as { code: string }).code).to.equal('malformed_callback');
      expect(server.requests).to.have.length(1);
    }
  });

  it('O3: a request token that was not given to this browser is a failure, and the network is not asked', async () => {
    const { ending, server } = await logIn(
      {},
      { callback: '/callback?oauth_token=foreign&oauth_verifier=v' },
    );
    expect([(ending.failure as { code: string }).code, ending.status]).to.deep.equal(['unknown_login', 403]);
    expect(server.requests).to.have.length(1);
  });

  it('C12: a verifier alone is a failure, and starts no login', async () => {
    const { ending, server } = await logIn({}, { callback: '/callback?oauth_verifier=v' });
    expect((ending.failure as { code: string }).code).to.equal('unknown_login');
    expect(server.requests).to.have.length(1);
  });

  it('C7: a denial is believed for a pending request token only', async () => {
    const wrong = await logIn({}, { callback: '/callback?denied=foreign' });
    expect([(wrong.ending.failure as { code: string }).code, wrong.ending.status]).to.deep.equal([
      'unknown_login',
      403,
    ]);
    const right = await logIn({}, { callback: '/callback?denied=the-request-token' });
    expect([(right.ending.failure as { code: string }).code, right.ending.status]).to.deep.equal([
      'access_denied',
      401,
    ]);
    const mixed = await logIn({}, { callback: `${CALLBACK}&denied=foreign` });
    expect((mixed.ending.failure as { code: string }).code).to.equal('access_denied');
  });

  it('parameters that a subclass adds are signed and sent; the token of the address cannot be replaced', async () => {
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
    expect(readHeader(first, '').isSound).to.equal(true);
    expect(start.redirect).to.equal(
      `${server.url}/authenticate?lang=ru&force=true&oauth_token=the-request-token`,
    );
    expect(ending).to.have.property('user');
  });
});
