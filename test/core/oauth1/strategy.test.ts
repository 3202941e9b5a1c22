import { expect } from 'chai';
import { type AttemptEnding, attempt, fakeRequest } from '../../support/attempt.js';
import { closesAfterEach } from '../../support/cleanup.js';
import { ExampleOAuth1Strategy, exampleOAuth1Answers } from '../../support/example-networks.js';
import { realSockets } from '../../support/real-sockets.js';
import { network, type Reply, type SeenRequest, type TestNetwork } from '../../support/server.js';

type Done = (error: unknown, user?: object) => void;

interface OAuthSign {
  hmacsign(method: string, uri: string, parameters: object, secret: string, tokenSecret: string): string;
}
const oauthSign = require('oauth-sign') as OAuthSign;

const CALLBACK = '/callback?oauth_token=the-request-token&oauth_verifier=the-verifier';

/** The fields of a request's `Authorization` header, and whether its signature is that of exactly this request. */
function readHeader({ method, path, query, form, headers }: SeenRequest, tokenSecret: string) {
  const pairs = (headers.authorization ?? '')
    .replace(/^OAuth /, '')
    .split(', ')
    .map((field) => field.split(/="(.*)"/s).map(decodeURIComponent));
  const { oauth_signature, ...fields } = Object.fromEntries(pairs) as Record<string, string>;
  const parameters = { ...Object.fromEntries(query), ...Object.fromEntries(form), ...fields };
  const url = `http://${headers.host}${path}`;
  const expected = oauthSign.hmacsign(method, url, parameters, 'the-consumer-secret', tokenSecret);
  return { fields, isValid: oauth_signature === expected };
}

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

  it('verify gets token, token secret and profile', async () => {
    const { start, ending, server } = await logIn();
    expect(start.redirect).to.equal(`${server.url}/authenticate?oauth_token=the-request-token`);
    expect(ending.user).to.deep.equal({ token: 'the-token', secret: 'the-token-secret', id: 'person-1' });
  });

  it('O6: each request is signed for exactly the URL that is called, with the right secrets', async () => {
    const { server } = await logIn();
    const [first, second, third] = server.requests as [SeenRequest, SeenRequest, SeenRequest];
    for (const [request, secret, fields] of [
      [
        first,
        '',
        {
          oauth_consumer_key: 'the-consumer',
          oauth_callback: 'https://app.example/api/auth/callback/example',
        },
      ],
      [
        second,
        'the-request-token-secret',
        { oauth_token: 'the-request-token', oauth_verifier: 'the-verifier' },
      ],
      [third, 'the-token-secret', { oauth_token: 'the-token' }],
    ] as const) {
      const header = readHeader(request, secret);
      expect(header.isValid).to.equal(true);
      expect(header.fields).to.include(fields);
    }
    expect(third.url).to.equal('/profile?skip=true');
  });

  it('C7: a denial counts only for a request token with a pending login', async () => {
    for (const [callback, code, status] of [
      ['/callback?denied=foreign', 'unknown_login', 403],
      ['/callback?denied=the-request-token', 'access_denied', 401],
      [`${CALLBACK}&denied=foreign`, 'access_denied', 401],
    ] as const) {
      const { ending } = await logIn({}, { callback });
      expect([(ending.failure as { code: string }).code, ending.status]).to.deep.equal([code, status]);
    }
  });

  it('parameters that a subclass adds are signed and sent; oauth_token cannot be replaced', async () => {
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
    expect(readHeader(first, '').isValid).to.equal(true);
    expect(start.redirect).to.equal(
      `${server.url}/authenticate?lang=ru&force=true&oauth_token=the-request-token`,
    );
    expect(ending).to.have.property('user');
  });

  it('S7: an error response is a RefusedError of its step', async () => {
    const errorResponse = { status: 401, body: { error: 'bad_signature' } };
    const facts = { name: 'RefusedError', networkCode: 'bad_signature', networkStatus: 401 };
    const { start } = await logIn({ '/request_token': errorResponse });
    expect(start.error).to.include({ ...facts, step: 'request token' });
    const { ending } = await logIn({ '/access_token': errorResponse });
    expect(ending.error).to.include({ ...facts, step: 'token' });
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
