import { expect } from 'chai';
import type { OAuth2Network } from '../../lib/core/oauth2-network.js';
import { type AttemptEnding, attempt, fakeRequest } from '../support/attempt.js';
import { closesAfterEach } from '../support/cleanup.js';
import { ExampleStrategy, exampleAnswers, TOKEN_ANSWER } from '../support/example-oauth2.js';
import { realSockets } from '../support/real-sockets.js';
import { network, type Reply, type TestNetwork } from '../support/server.js';

type Done = (error: unknown, user?: object) => void;

describe('oauth2-strategy: tokens', () => {
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

  it('verify gets both tokens and the profile', async () => {
    const { ending } = await logIn({});
    expect(ending.user).to.deep.equal({ token: 'the-access-token', refresh: 'the-refresh-token', id: 'person-1' });
  });

  it('a refresh token that is absent is undefined', async () => {
    const { refresh_token: _, ...body } = TOKEN_ANSWER;
    const { ending } = await logIn({ '/token': { body } });
    expect(ending.user).to.deep.equal({ token: 'the-access-token', refresh: undefined, id: 'person-1' });
  });

  it('T12: a client with a secret in the form sends identifier and secret there, and no header', async () => {
    const { server, redirect } = await logIn({});
    const [{ body = '', form, headers } = {}] = server.requests as [{ body: string; form: URLSearchParams; headers: object }];
    expect(body).to.equal(
      `grant_type=authorization_code&code=the*code&redirect_uri=https%3A%2F%2Fapp.example%2Fapi%2Fauth%2Fcallback%2Fexample&code_verifier=${form?.get('code_verifier')}&client_id=the-client&client_secret=the-client-secret`,
    );
    expect(headers).to.not.have.property('authorization');
    expect(redirect).to.not.include('the-client-secret');
  });

  it('T12: a client with Basic sends both in the header, form-encoded, and neither in the form', async () => {
    const options = { clientID: 'a:b', clientSecret: 's-_.e+c/r=et' };
    const { server } = await logIn({}, { options, network: { clientAuthentication: 'basic' } });
    const [request] = server.requests;
    expect(request?.headers.authorization).to.equal(
      `Basic ${Buffer.from('a%3Ab:s-_.e%2Bc%2Fr%3Det').toString('base64')}`,
    );
    expect([...(request?.form.keys() ?? [])]).to.deep.equal(['grant_type', 'code', 'redirect_uri', 'code_verifier']);
  });

  it('T12: a public client sends its identifier, and neither a header nor an empty secret', async () => {
    for (const clientAuthentication of ['basic', 'form'] as const) {
      const { server } = await logIn({}, { options: { clientSecret: undefined }, network: { clientAuthentication } });
      const [request] = server.requests;
      expect(request?.form.get('client_id')).to.equal('the-client');
      expect(request?.form.has('client_secret')).to.equal(false);
      expect(request?.headers).to.not.have.property('authorization');
    }
  });

  it('T11: no address has a token, code, secret or verifier in it', async () => {
    const { server } = await logIn({});
    expect(server.requests.map(({ url }) => url)).to.deep.equal(['/token', '/profile']);
    expect(server.requests[1]?.headers.authorization).to.equal('Bearer the-access-token');
  });

  it('T9: a bearer token in any letter case is fine', async () => {
    for (const token_type of ['Bearer', 'bearer', 'BEARER']) {
      expect((await logIn({ '/token': { body: { ...TOKEN_ANSWER, token_type } } })).ending).to.have.property('user');
    }
  });

  it('T9: a token of another type is an error, and verify is not asked', async () => {
    for (const token_type of ['mac', 'DPoP', '', 7, ['Bearer'], true]) {
      const { ending } = await logIn({ '/token': { body: { ...TOKEN_ANSWER, token_type } } }, { network: { tokenTypeRequired: false } });
      expect(ending.error, String(token_type)).to.include({ name: 'MalformedError', code: 'token_type_unknown', status: 502 });
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
      expect(ending.error, String(access_token)).to.include({ name: 'MalformedError', code: 'token_missing', status: 502 });
    }
    expect(asked).to.equal(0);
  });

  const bodies = ['<html>access_token=x</html>', 'null', '[]', '"x"', '42', '', 'access_token=x&token_type=Bearer', '{"a":'];
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

  it('T14: a parseErrorResponse that is overridden makes the error; null leaves it to the strategy', async () => {
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

  it('parameters that a subclass adds go out, but those of the protocol cannot be replaced', async () => {
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
    expect([searchParams.get('client_id'), searchParams.get('response_type')]).to.deep.equal(['the-client', 'code']);
    const form = server.requests[0]?.form;
    expect(form?.get('audience')).to.equal('api');
    expect([form?.get('code'), form?.get('client_secret'), form?.get('grant_type')]).to.deep.equal([
      'the*code',
      'the-client-secret',
      'authorization_code',
    ]);
    expect(ending).to.have.property('user');
  });

  it('the scope of a request replaces that of the options; a wrong one is a TypeError', async () => {
    const strategy = new ExampleStrategy('https://n.example', verify);
    for (const [scope, expected] of [
      ['x,y x', 'x y'],
      [['x', 'y z'], 'x y z'],
      ['', null],
    ] as const) {
      const { redirect = '' } = await attempt(strategy, fakeRequest(), { scope });
      expect(new URL(redirect).searchParams.get('scope')).to.equal(expected);
    }
    const { error } = await attempt(strategy, fakeRequest(), { scope: [7] });
    expect(error).to.be.instanceOf(TypeError);
    expect((error as Error).message).to.include('the scope given to authenticate must be a text or an array of texts');
  });

  it('a request without a session is a TypeError that names express-session', async () => {
    const request = { ...fakeRequest(), session: undefined } as never;
    const { error } = await attempt(new ExampleStrategy('https://n.example', verify), request);
    expect(error).to.be.instanceOf(TypeError);
    expect((error as Error).message).to.include('express-session');
  });
});
