import { inspect } from 'node:util';
import { expect } from 'chai';
import type { OAuth2 } from 'oauth';
import type { JSONObject } from '../../../lib/core/http/index.js';
import type { TokenService } from '../../../lib/core/oauth2/tokens.js';
import { assembleProfile, type MappedProfile } from '../../../lib/core/profile.js';
import { ShortVideoStrategy } from '../../../lib/index.js';
import { readLookup } from '../../../lib/microblog/responses.js';
import { loggingIn, verifiedIn } from '../../social-network/vk-id/network.js';
import { attempt, called, fakeRequest, playLogin } from '../../support/attempt.js';
import { ExampleStrategy, exampleAnswers } from '../../support/example-networks.js';
import { realSockets } from '../../support/real-sockets.js';
import { network, type Reply } from '../../support/server.js';
import { verifyProfile } from '../../support/verification.js';
import { collectsWarnings } from '../../support/warnings.js';

describe('an OAuth 2 strategy', () => {
  const close = realSockets();
  const warnings = collectsWarnings();

  async function logIn(replies: Record<string, Reply>, { options = {}, Strategy = ExampleStrategy } = {}) {
    const server = close(await network(exampleAnswers(replies)));
    const login = await playLogin(new Strategy(server.url, verifyProfile, options), { code: 'the*code' });
    return { ...login, server };
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
      const strategy = new Own(server.url, verifyProfile);
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
    const { server, authorization, ending } = await logIn({}, { Strategy: Own });
    const { searchParams } = authorization;
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

describe('OAuth 2 authorization', () => {
  const close = realSockets();
  const started = async (replies?: Record<string, Reply>) => close(await network(exampleAnswers(replies)));

  it('C7: a response with an error and a code is an error, and the code is not sent', async () => {
    const server = await started();
    const strategy = new ExampleStrategy(server.url, verifyProfile);
    const { ending } = await playLogin(strategy, (state) => ({
      state,
      code: 'c',
      error: 'access_denied',
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
    const strategy = new ExampleStrategy(url, verifyProfile);
    for (const parameters of [{}, { hint: 'x' }, { error_description: 'x' }]) {
      const { ending } = await playLogin(strategy, parameters);
      expect([(ending.failure as { code: string }).code, ending.status]).to.deep.equal([
        'malformed_response',
        400,
      ]);
    }
  });

  it('a scope given to authenticate replaces that of the options; one that is no string or array is a TypeError', async () => {
    const strategy = new ExampleStrategy('https://n.example', verifyProfile);
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

const POISON = '"__proto__":{"id":"another","refresh_token":"another","scope":"another"}';
const CLIENT = { clientID: 'the-client', clientSecret: 'the-client-secret' };

/** A copy of a response must keep the property, and must not get it as its prototype. */
function expectOwnProperty(copy: object, name: string): void {
  expect(Object.getPrototypeOf(copy), name).to.not.have.property('refresh_token');
  expect(Object.keys(copy), name).to.include('__proto__');
  expect((copy as { scope?: unknown }).scope, name).to.not.equal('another');
}

describe('a property __proto__ in a response', () => {
  const close = realSockets();

  it('S3: is a property like any other of a mapped record and of a profile', () => {
    const { data, includes, ...lookup } = readLookup(
      JSON.parse(`{${POISON},"data":{${POISON},"name":"A"},"includes":{${POISON}}}`) as JSONObject,
    );
    const mapped = JSON.parse(`{${POISON},"id":"1","displayName":"A"}`) as MappedProfile;
    const profile = assembleProfile('network', undefined, {}, '{}', () => mapped);
    for (const [name, copy] of Object.entries({ lookup, data, includes, profile }))
      expectOwnProperty(copy ?? {}, name);
    expect(profile.id).to.equal('1');
  });

  it('S3: is a property like any other of a login’s params and record', async () => {
    const replies = {
      '/oauth2/auth': { body: `{${POISON},"access_token":"the-token","user_id":7}` },
      '/oauth2/user_info': { body: `{${POISON},"user":{"user_id":"7","first_name":"Anna"}}` },
    };
    const { params, profile, refreshToken } = verifiedIn((await loggingIn(close)({}, { replies })).ending);
    expect([profile.id, refreshToken]).to.deep.equal(['7', undefined]);
    expect(params).to.include({ device_id: 'DEVICE' });
    for (const [name, copy] of Object.entries({ params, record: profile._json }))
      expectOwnProperty(copy, name);
  });

  it('S3: is a property like any other of refreshed tokens', async () => {
    const { url } = close(
      await network(() => ({ body: `{${POISON},"access_token":"the-token","token_type":"bearer"}` })),
    );
    const strategy = new ShortVideoStrategy({ ...CLIENT, tokenURL: `${url}/token` }, () => {});
    const tokens = await strategy.refresh('the-refresh-token');
    expect(tokens).to.deep.include({ refreshToken: 'the-refresh-token', scope: [] });
    expectOwnProperty(tokens.params, 'params');
  });
});

/** passport-oauth2's client, as applications and passport-oauth2-refresh use it. */
type Client = Pick<OAuth2, 'get' | 'getOAuthAccessToken'> & { _request(...args: unknown[]): void };

/** `_oauth2` is protected in the types, but applications use it. */
const clientOf = (strategy: object) => (strategy as { _oauth2: Client })._oauth2;

describe('the _oauth2 of an OAuth 2 strategy', () => {
  const close = realSockets();
  const warnings = collectsWarnings();

  async function client(replies: Record<string, Reply> = {}) {
    const server = close(await network(exampleAnswers({ '/api': { body: 'a response' }, ...replies })));
    const strategy = new ExampleStrategy(server.url, () => {});
    return { ...server, strategy, client: clientOf(strategy) };
  }

  it('T11: get sends the token in a header, never in the URL', async () => {
    const { url, requests, client: http } = await client();
    const [error, text, response] = await called((done) => http.get(`${url}/api?a=b`, 'the-token', done));
    expect([error, text]).to.deep.equal([null, 'a response']);
    expect(response).to.include({ statusCode: 200 });
    expect(requests[0]).to.include({ method: 'GET', url: '/api?a=b' });
    expect(requests[0]?.headers.authorization).to.equal('Bearer the-token');
  });

  it('T11: a client that its constructor makes, as Backstage does, sends requests in the same way', async () => {
    const { url, requests, client: http } = await client();
    const Client = http.constructor as new (...args: string[]) => Client;
    expect(() => new Client('another', 'secret')).to.throw(TypeError, /needs a strategy of its own/);
    const made = new Client('the-client', 'the-client-secret', '', '/authorize', `${url}/token`);
    expect(made).to.be.instanceOf(Client);
    expect(http).to.be.instanceOf(Client);
    const params = { grant_type: 'refresh_token' };
    const [error, token] = await called((done) => made.getOAuthAccessToken('the-old-token', params, done));
    expect([error, token]).to.deep.equal([null, 'the-access-token']);
    await called((done) => made.get(`${url}/api`, 'the-token', done));
    expect(requests[1]?.url).to.equal('/api');
  });

  it('T14: an async callback that rejects is a warning', async () => {
    const { url, client: http } = await client();
    const error = await called((done) =>
      http.get(`${url}/api`, 'the-token', async () => {
        done(null);
        throw new Error('the-token');
      }),
    );
    expect(error).to.deep.equal([null]);
    const [warning] = await warnings.texts();
    expect(warning).to.equal('A callback of the application threw (Error) while it handled a login.');
  });

  it('T14: a callback may return a thenable that demands both functions, as the reply of Fastify does', async () => {
    const { url, client: http } = await client();
    const sent = Promise.resolve();
    const reply = new Proxy(sent, {
      get: (_target, name) =>
        name !== 'then'
          ? undefined
          : (fulfilled: () => void, rejected: () => void) => {
              if (typeof fulfilled !== 'function') throw new TypeError('fulfilled is not a function');
              void sent.then(fulfilled, rejected);
            },
    });
    const ended = await called((done) =>
      http.get(`${url}/api`, 'the-token', () => {
        done(null);
        return reply;
      }),
    );
    expect(ended).to.deep.equal([null]);
    expect(await warnings.texts()).to.deep.equal([]);
  });

  it('T18: a token is not sent over plain http to another machine', async () => {
    const { client: http } = await client();
    const [error] = await called((done) => http.get('http://network.example/api', 'the-token', done));
    expect(error).to.be.instanceOf(TypeError);
    expect((error as Error).message).to.equal(
      'example: http://network.example is not https, and credentials are sent in the clear only to this machine.',
    );
  });

  it('a token request that the network rejects is an error with statusCode and data, as in passport-oauth2', async () => {
    const body = { error: 'invalid_grant', error_description: 'the-old-token was used before' };
    const { client: http } = await client({ '/token': { status: 401, body } });
    const params = { grant_type: 'refresh_token' };
    const [error] = await called((done) => http.getOAuthAccessToken('the-old-token', params, done));
    expect(error).to.be.instanceOf(Error).and.include({ statusCode: 401 });
    const { data } = error as { data: string };
    expect(JSON.parse(data)).to.deep.equal({
      error: 'invalid_grant',
      error_description: '[redacted] was used before',
    });
    expect(error).to.include({
      name: 'RefusedError',
      status: 502,
      networkCode: 'invalid_grant',
      networkStatus: 401,
    });
  });

  it('an error status is an error with statusCode and data, as in passport-oauth2', async () => {
    const { url, client: http } = await client({ '/api': { status: 403, body: 'no' } });
    const [error, ...rest] = await called((done) => http.get(`${url}/api`, 'the-token', done));
    expect(error).to.deep.equal({ statusCode: 403, data: 'no' });
    expect(rest).to.deep.equal([]);
    const last = await client({ '/api': { status: 299, body: 'yes' } });
    expect((await called((done) => last.client.get(`${last.url}/api`, 'the-token', done)))[1]).to.equal(
      'yes',
    );
  });

  it('a request keeps its method, headers and body', async () => {
    const { url, requests, client: http } = await client();
    const headers = { 'content-type': 'application/json' };
    await called((done) => http._request('PUT', `${url}/api`, headers, '{"a":1}', null, done));
    expect(requests[0]).to.include({ method: 'PUT', body: '{"a":1}' });
    await called((done) => http._request('PUT', `${url}/api`, headers, 'x', null, done));
    expect(requests[1]).to.include({ body: 'x' });
    expect(requests[0]?.headers).to.include(headers).and.not.have.property('authorization');
  });

  it('getOAuthAccessToken writes parameters that are no strings as URLSearchParams does', async () => {
    const { requests, client: http } = await client();
    const params = { grant_type: 'refresh_token', scope: ['a', 'b'], size: 1e21 };
    const [error] = await called((done) => http.getOAuthAccessToken('old-token', params, done));
    expect(error).to.equal(null);
    expect(requests[0]?.form.get('scope')).to.equal('a,b');
    expect(requests[0]?.form.get('size')).to.equal('1e+21');
  });

  it('S1: an overridden userProfile with a token of its own shows it in no error', async () => {
    const OWN = 'own-token-of-the-application';
    class Own extends ExampleStrategy {
      override userProfile(_token: string, done: Parameters<ExampleStrategy['userProfile']>[1]): void {
        super.userProfile(OWN, done);
      }
    }
    const body = { error: 'invalid_token', error_description: `bad token ${OWN}` };
    const server = close(await network(exampleAnswers({ '/profile': { status: 401, body } })));
    const { ending } = await playLogin(new Own(server.url, () => {}));
    expect((ending.error as Error).message).to.include('"bad token [redacted]"');
  });

  it('the profile’s provider is the name that the strategy has now', async () => {
    const server = close(await network(exampleAnswers()));
    const strategy = new ExampleStrategy(server.url, verifyProfile);
    strategy.name = 'renamed';
    const { ending } = await playLogin(strategy);
    expect(ending.user).to.include({ provider: 'renamed' });
  });

  it('S2: a printed token endpoint shows no refresh token under way', async () => {
    const { strategy } = await client();
    const { tokenEndpoint } = strategy as unknown as { tokenEndpoint: TokenService };
    const refreshing = tokenEndpoint.refresh('refresh-token-under-way');
    expect(inspect(tokenEndpoint, { depth: 9, showHidden: true })).to.not.include('refresh-token-under-way');
    await refreshing;
  });

  it('getOAuthAccessToken with a code reports the step token', async () => {
    const { client: http } = await client({ '/token': { status: 400, body: { error: 'invalid_grant' } } });
    const [error] = await called((done) =>
      http.getOAuthAccessToken('the-code', { grant_type: 'authorization_code' }, done),
    );
    expect(error).to.include({ name: 'RefusedError', step: 'token' });
  });

  it('T14: a userProfile callback that throws is called once more with that error', async () => {
    const { strategy } = await client();
    const seen: unknown[] = [];
    await new Promise<void>((resolve) => {
      strategy.userProfile('a-token', (error) => {
        seen.push(error);
        if (seen.length === 2) resolve();
        else throw new RangeError('a mistake of the application');
      });
    });
    expect(seen[0]).to.equal(null);
    expect(seen[1]).to.be.instanceOf(RangeError);
  });
});
