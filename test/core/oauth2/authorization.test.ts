import { expect } from 'chai';
import { codeChallenge } from '../../../lib/core/oauth2/strategy.js';
import { type AttemptEnding, attempt, fakeRequest } from '../../support/attempt.js';
import { closesAfterEach } from '../../support/cleanup.js';
import { ExampleStrategy, exampleAnswers } from '../../support/example-networks.js';
import { realSockets } from '../../support/real-sockets.js';
import { network, type Reply, type TestNetwork } from '../../support/server.js';

type Done = (error: unknown, user?: object) => void;
const verify = (_t: string, _r: string, profile: { id: string }, done: Done) =>
  done(null, { id: profile.id });

describe('the PKCE code challenge', () => {
  const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';

  it('C15: in base64url is that of RFC 7636 appendix B', () => {
    expect(codeChallenge(VERIFIER, 'base64url')).to.equal('E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM');
  });

  it('C15: in hex, as the short-video network wants it, is the same digest', () => {
    expect(codeChallenge(VERIFIER, 'hex')).to.equal(
      '13d31e961a1ad8ec2f16b10c4c982e0876a878ad6df144566ee1894acb70f9c3',
    );
  });
});

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

  it('the authorization request has the parameters of the standard, and no others', async () => {
    const strategy = new ExampleStrategy('https://n.example', verify, { scope: 'a b' });
    const { redirect = '' } = await attempt(strategy);
    const { state, code_challenge, ...rest } = Object.fromEntries(new URL(redirect).searchParams);
    expect(rest).to.deep.equal({
      response_type: 'code',
      client_id: 'the-client',
      redirect_uri: 'https://app.example/api/auth/callback/example',
      scope: 'a b',
      code_challenge_method: 'S256',
    });
    expect(state).to.match(/^[A-Za-z0-9_-]{43}$/);
    expect(code_challenge).to.match(/^[A-Za-z0-9_-]{43}$/);
  });

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
    for (const name of ['hint', 'error_description', 'error_uri', 'iss', 'code', 'state']) {
      const ending = await attempt(strategy, fakeRequest(`/callback?${name}=x`));
      expect([name, (ending.failure as { code: string }).code]).to.deep.equal([name, 'unknown_login']);
    }
  });

  it('C14: the token request repeats the redirect URI of the start, whatever the callback request says', async () => {
    const redirects: [object, object, string][] = [
      [{}, {}, 'https://app.example/api/auth/callback/example'],
      [{ callbackURL: 'https://other.example/cb' }, {}, 'https://other.example/cb'],
      [{ callbackURL: '/cb?tenant=7' }, { callbackURL: '/elsewhere' }, 'https://app.example/cb?tenant=7'],
    ];
    for (const [atStart, atCallback, expected] of redirects) {
      const server: TestNetwork = await started();
      const strategy = new ExampleStrategy(server.url, verify);
      const session = {};
      const { redirect = '' } = await attempt(strategy, fakeRequest('/login', session), atStart);
      const { searchParams } = new URL(redirect);
      const request = fakeRequest(`/callback?code=c&state=${searchParams.get('state')}`, session);
      // An absolute URL may be behind a proxy that changes the host.
      if ('callbackURL' in atStart && URL.canParse(String(atStart.callbackURL)))
        request.headers.host = 'another.example';
      await attempt(strategy, request, atCallback);
      expect(searchParams.get('redirect_uri')).to.equal(expected);
      expect(server.requests[0]?.form.get('redirect_uri')).to.equal(expected);
    }
  });

  it('C25: a login that began under another host or protocol does not finish with a relative callback URL', async () => {
    for (const change of [{ protocol: 'http' }, { headers: { host: 'another.example' } }]) {
      const server: TestNetwork = await started();
      const strategy = new ExampleStrategy(server.url, verify);
      const session = {};
      const { redirect = '' } = await attempt(strategy, fakeRequest('/login', session), {});
      const state = new URL(redirect).searchParams.get('state');
      const request = Object.assign(fakeRequest(`/callback?code=c&state=${state}`, session), change);
      const { failure } = await attempt(strategy, request, {});
      expect(failure).to.include({ code: 'unknown_login' });
      expect(server.requests).to.deep.equal([]);
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
