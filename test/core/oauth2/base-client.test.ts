import { Agent } from 'node:http';
import { inspect } from 'node:util';
import { expect } from 'chai';
import type { TokenEndpoint } from '../../../lib/core/oauth2/token-endpoint.js';
import { playLogin } from '../../support/attempt.js';
import { closesAfterEach } from '../../support/cleanup.js';
import { ExampleStrategy, exampleAnswers } from '../../support/example-networks.js';
import { realSockets } from '../../support/real-sockets.js';
import { network, type Reply } from '../../support/server.js';
import { collectsWarnings } from '../../support/warnings.js';

type Callback = (error: unknown, ...results: unknown[]) => void;

/** passport-oauth2's client, as applications and passport-oauth2-refresh use it. */
interface Client {
  get(url: string, token: string, done: Callback): void;
  getOAuthAccessToken(code: string, params: object, done: Callback): void;
  setAgent(agent: Agent): void;
  _request(
    method: string,
    url: string,
    headers: object | null,
    body: unknown,
    token: string | null,
    done: Callback,
  ): void;
}

/** `_oauth2` is protected in the types, but applications use it. */
const clientOf = (strategy: object) => (strategy as { _oauth2: Client })._oauth2;

describe('the _oauth2 of an OAuth 2 strategy', () => {
  realSockets();
  const close = closesAfterEach();
  const warnings = collectsWarnings();

  async function client(replies: Record<string, Reply> = {}) {
    const server = close(await network(exampleAnswers({ '/api': { body: 'a response' }, ...replies })));
    const strategy = new ExampleStrategy(server.url, () => {});
    return { ...server, requests: server.requests, client: clientOf(strategy) };
  }
  const called = (start: (done: Callback) => void) =>
    new Promise<unknown[]>((resolve) => start((...args) => resolve(args)));

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
    const strategy = new ExampleStrategy(server.url, (_token, _refresh, profile, done) =>
      done(null, profile),
    );
    strategy.name = 'renamed';
    const { ending } = await playLogin(strategy);
    expect(ending.user).to.include({ provider: 'renamed' });
  });

  it('S2: a printed token endpoint shows no refresh token under way', async () => {
    const server = close(await network(exampleAnswers()));
    const { tokenEndpoint } = new ExampleStrategy(server.url, () => {}) as unknown as {
      tokenEndpoint: TokenEndpoint;
    };
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
    const server = close(await network(exampleAnswers()));
    const strategy = new ExampleStrategy(server.url, () => {});
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

  it('setAgent changes the agent of the strategy’s own requests', async () => {
    const { url, client: http } = await client();
    let used = 0;
    const agent = new Agent();
    const { createConnection } = agent as unknown as { createConnection: (...args: unknown[]) => unknown };
    Object.assign(agent, {
      createConnection(...args: unknown[]) {
        used += 1;
        return createConnection.apply(agent, args);
      },
    });
    http.setAgent(agent);
    await called((done) => http.get(`${url}/api`, 'the-token', done));
    expect(used).to.equal(1);
  });
});
