import { expect } from 'chai';
import type { JSONObject } from '../../../lib/core/http/index.js';
import type { OAuth2Network } from '../../../lib/core/oauth2/index.js';
import { assembleProfile, type MappedProfile } from '../../../lib/core/profile.js';
import { ShortVideoStrategy, SocialNetworkStrategy } from '../../../lib/index.js';
import { readLookup } from '../../../lib/microblog/responses.js';
import { type AttemptEnding, attempt, fakeRequest, playLogin } from '../../support/attempt.js';
import { closesAfterEach } from '../../support/cleanup.js';
import { ExampleStrategy, exampleAnswers } from '../../support/example-networks.js';
import { realSockets } from '../../support/real-sockets.js';
import { network, type Reply, type TestNetwork } from '../../support/server.js';
import { collectsWarnings } from '../../support/warnings.js';

type Done = (error: unknown, user?: object) => void;

describe('an OAuth 2 strategy', () => {
  realSockets();
  const close = closesAfterEach();
  const warnings = collectsWarnings();
  const verify = (token: string, refresh: string | undefined, profile: { id: string }, done: Done) => {
    done(null, { token, refresh, id: profile.id });
  };

  /** A complete login at a network with these responses. */
  async function logIn(
    replies: Record<string, Reply>,
    {
      options = {},
      network: properties = {},
      Strategy = ExampleStrategy,
    }: { options?: object; network?: Partial<OAuth2Network>; Strategy?: typeof ExampleStrategy } = {},
  ): Promise<{ ending: AttemptEnding; server: TestNetwork; redirect: string }> {
    const server = close(await network(exampleAnswers(replies)));
    const strategy = new Strategy(server.url, verify, options, properties);
    const session = {};
    const { redirect = '' } = await attempt(strategy, fakeRequest('/login', session));
    const state = new URL(redirect).searchParams.get('state');
    const ending = await attempt(strategy, fakeRequest(`/callback?code=the%2Acode&state=${state}`, session));
    return { ending, server, redirect };
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
      const strategy = new Own(server.url, verify);
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
    const { server, redirect, ending } = await logIn({}, { Strategy: Own });
    const { searchParams } = new URL(redirect);
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

const verify = (_t: string, _r: string, profile: { id: string }, done: Done) =>
  done(null, { id: profile.id });

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

const POISON = '"__proto__":{"id":"another","refresh_token":"another","scope":"another"}';
const CLIENT = { clientID: 'the-client', clientSecret: 'the-client-secret' };

/** A copy of a response must keep the property, and must not get it as its prototype. */
function expectOwnProperty(copy: object, name: string): void {
  expect(Object.getPrototypeOf(copy), name).to.not.have.property('refresh_token');
  expect(Object.keys(copy), name).to.include('__proto__');
  expect((copy as { scope?: unknown }).scope, name).to.not.equal('another');
}

describe('a property __proto__ in a response', () => {
  realSockets();
  const close = closesAfterEach();

  it('S3: is a property like any other of a mapped record and of a profile', () => {
    const lookup = readLookup(
      JSON.parse(`{${POISON},"data":{${POISON},"name":"A"},"includes":{${POISON}}}`) as JSONObject,
    );
    for (const [name, copy] of Object.entries({
      lookup,
      data: lookup.data,
      includes: lookup.includes ?? {},
    })) {
      expectOwnProperty(copy, name);
    }
    const mapped = JSON.parse(`{${POISON},"id":"1","displayName":"A"}`) as MappedProfile;
    const profile = assembleProfile(
      'network',
      () => mapped,
      {},
      '{}',
      () => mapped,
    );
    expectOwnProperty(profile, 'profile');
    expect(profile.id).to.equal('1');
  });

  it('S3: is a property like any other of a login’s params and record', async () => {
    const server = close(
      await network(({ path }) => ({
        body:
          path === '/token'
            ? `{${POISON},"access_token":"the-token","user_id":7}`
            : `{${POISON},"user":{"user_id":"7","first_name":"Anna"}}`,
      })),
    );
    const given: Record<string, object> = {};
    const strategy = new SocialNetworkStrategy(
      {
        clientID: 'the-client',
        clientSecret: 'SECRET',
        version: '2.1',
        passParamsToCallback: true,
        authorizationURL: `${server.url}/authorize`,
        tokenURL: `${server.url}/token`,
        profileURL: `${server.url}/profile`,
      },
      (_token, refreshToken, params, profile, done) => {
        Object.assign(given, { params, record: profile._json });
        done(null, { id: profile.id, refreshToken });
      },
    );
    const { ending } = await playLogin(strategy, { code: 'the-code', device_id: 'the-device' });
    expect(ending.user).to.deep.equal({ id: '7', refreshToken: undefined });
    expect(given.params).to.include({ device_id: 'the-device' });
    for (const [name, copy] of Object.entries(given)) expectOwnProperty(copy, name);
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
