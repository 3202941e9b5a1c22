import { Agent } from 'node:http';
import { inspect } from 'node:util';
import { expect } from 'chai';
import {
  type MalformedError,
  ProviderError,
  RefusedError,
  UnreachableError,
} from '../../../lib/core/errors/index.js';
import {
  type ErrorResponses,
  errorCode,
  hintFor,
  isError,
  type NetworkRequest,
  property,
  stringProperty,
  Transaction,
} from '../../../lib/core/http/index.js';
import { closesAfterEach } from '../../support/cleanup.js';
import { getRequest, networkClient } from '../../support/network-client.js';
import { realSockets } from '../../support/real-sockets.js';
import { network, type Reply } from '../../support/server.js';
import { rejectionOf } from '../../support/thrown.js';

describe('NetworkClient: requests', () => {
  realSockets();
  const close = closesAfterEach();

  it('returns status, headers and text of a response', async () => {
    for (const status of [200, 201, 204]) {
      const server = close(
        await network(() => ({ status, headers: { 'x-id': 'a' }, body: status === 204 ? '' : 'b' })),
      );
      const response = await networkClient().request(getRequest(server.url));
      expect(response).to.include({ status, text: status === 204 ? '' : 'b', wellFormed: true });
      expect(response.headers['x-id']).to.equal('a');
    }
  });

  it('returns the parsed body beside the text, and undefined if it is not JSON', async () => {
    const server = close(await network(({ path }) => ({ body: path === '/json' ? '{ "a": 1 }' : 'a=1' })));
    const json = await networkClient().request(getRequest(`${server.url}/json`));
    expect([json.text, json.body]).to.deep.equal(['{ "a": 1 }', { a: 1 }]);
    const form = await networkClient().request(getRequest(`${server.url}/form`));
    expect([form.text, form.body]).to.deep.equal(['a=1', undefined]);
  });

  it('requests each URL as it is given, however many there are', async () => {
    const server = close(await network(() => ({})));
    const client = networkClient();
    const paths = Array.from({ length: 70 }, (_, index) => `/people/${index}?page=${index}`);
    for (const path of [...paths, '/people/0?page=0']) await client.request(getRequest(server.url + path));
    expect(server.requests.map(({ url }) => url)).to.deep.equal([...paths, '/people/0?page=0']);
  });

  it('sends a GET without a body, and the usual headers', async () => {
    const server = close(await network(() => ({})));
    await networkClient().request(getRequest(`${server.url}/a?b=c`));
    const [request] = server.requests;
    expect(request).to.include({ method: 'GET', url: '/a?b=c', body: '' });
    expect(request?.headers).to.deep.equal({
      host: new URL(server.url).host,
      connection: 'keep-alive',
      'user-agent': 'passport-social-networks',
      accept: 'application/json',
      'accept-encoding': 'identity',
    });
  });

  it('sends a form with the bare content type, and its fields in order', async () => {
    const server = close(await network(() => ({})));
    const form = { b: 'x y', a: 'é&=', c: '' };
    await networkClient().request(getRequest(server.url, { method: 'POST', form }));
    const [request] = server.requests;
    expect(request?.body).to.equal('b=x%20y&a=%C3%A9%26%3D&c=');
    expect(request?.headers['content-type']).to.equal('application/x-www-form-urlencoded');
    expect(request?.headers['content-length']).to.equal('25');
  });

  it('sends an empty POST with a content-length of zero', async () => {
    const server = close(await network(() => ({})));
    await networkClient().request(getRequest(server.url, { method: 'POST' }));
    expect(server.requests[0]?.headers['content-length']).to.equal('0');
  });

  it('adds the headers of the options; those of the request win', async () => {
    const server = close(await network(() => ({})));
    const customHeaders = { 'x-app': 'a', 'user-agent': 'own', accept: 'own' };
    const request = getRequest(server.url, { headers: { accept: 'text/plain' } });
    await networkClient({ customHeaders }).request(request);
    expect(server.requests[0]?.headers).to.include({
      'x-app': 'a',
      'user-agent': 'own',
      accept: 'text/plain',
    });
  });

  it('uses the agent of the options, or the one that is set later', async () => {
    const server = close(await network(() => ({})));
    const used: string[] = [];
    const agentNamed = (name: string) => {
      const agent = new Agent();
      const { createConnection } = agent as unknown as { createConnection: (...args: unknown[]) => unknown };
      return Object.assign(agent, {
        createConnection(...args: unknown[]) {
          used.push(name);
          return createConnection.apply(agent, args);
        },
      });
    };
    const client = networkClient({ agent: agentNamed('first') });
    await client.request(getRequest(server.url));
    client.useAgent(agentNamed('second'));
    await client.request(getRequest(server.url));
    expect(used).to.deep.equal(['first', 'second']);
  });

  it('S2: printing a client shows neither its secrets nor its agent', () => {
    const agent = Object.assign(new Agent(), { proxy: 'http://user:proxy-password@proxy.example' });
    const client = networkClient({ agent, secrets: ['the-client-secret'] });
    const shown = inspect(client, { depth: 9, showHidden: true });
    expect(shown).to.not.match(/proxy-password|the-client-secret/);
    expect(JSON.stringify(client)).to.equal('{}');
  });
});

describe('NetworkClient: redirects', () => {
  realSockets();
  const close = closesAfterEach();

  it('T4: a redirect without a readable location, a 300 and a 304 are no usable responses either', async () => {
    for (const [status, location] of [
      [302, undefined],
      [302, 'http://['],
      [302, ''],
      [300, undefined],
      [304, undefined],
    ] as const) {
      const headers = location === undefined ? {} : { location };
      const server = close(await network(() => ({ status, headers })));
      const error = await rejectionOf(networkClient().request(getRequest(server.url)));
      expect(error).to.be.instanceOf(UnreachableError).and.include({ code: 'redirected' });
    }
  });
});

const errorResponses: ErrorResponses = {
  read({ body }, step) {
    const no = stringProperty(body, 'no');
    return no === undefined
      ? undefined
      : { networkCode: no, networkMessage: `${no} at ${step}`, requestId: no };
  },
  hints: { byCode: { known: 'A hint.' } },
};

describe('NetworkClient: error responses', () => {
  realSockets();
  const close = closesAfterEach();
  const send = async (reply: Reply, changes: Partial<NetworkRequest> = {}, secrets: string[] = []) => {
    const { url } = close(await network(() => reply));
    return networkClient({ errorResponses, secrets }).requestJSON(getRequest(url, changes));
  };

  it('a JSON object comes with its exact text', async () => {
    const { body, text } = await send({ body: '{ "a": 1 }' });
    expect(body).to.deep.equal({ a: 1 });
    expect(text).to.equal('{ "a": 1 }');
  });

  it('S1: no error of a request shows a secret of the client, even if the request does not send it', async () => {
    const secret = 'client-secret-0123456789';
    const replies: Reply[] = [
      { status: 302, headers: { location: `https://${secret}.example/` } },
      { status: 400, body: { no: secret } },
    ];
    for (const reply of replies) {
      const error = await rejectionOf(send(reply, {}, [secret]));
      expect(error).to.be.instanceOf(ProviderError);
      expect(inspect(error, { depth: 9, showHidden: true })).to.not.include(secret);
    }
  });

  it('an error response is found with any status, and knows its step', async () => {
    for (const status of [200, 400, 500]) {
      const error = (await rejectionOf(send({ status, body: { no: 'x' } }))) as RefusedError;
      expect(error).to.be.instanceOf(RefusedError);
      expect(error).to.include({
        networkCode: 'x',
        networkMessage: 'x at profile',
        requestId: 'x',
        networkStatus: status,
      });
    }
  });

  it('request rejects with an error response; sendForBaseClient throws its status and text', async () => {
    const { url } = close(await network(() => ({ status: 400, body: { no: 'x' } })));
    const client = networkClient({ errorResponses });
    expect(await rejectionOf(client.request(getRequest(url)))).to.include({ networkCode: 'x' });
    const thrown = await rejectionOf(client.sendForBaseClient(getRequest(url)));
    expect(thrown).to.deep.equal({ statusCode: 400, data: '{"no":"x"}' });
  });

  it('an error has the hint of the error response, otherwise that of its code', async () => {
    const own: ErrorResponses = {
      ...errorResponses,
      read: () => ({ networkCode: 'known', hint: 'Its own hint.' }),
    };
    const { url } = close(await network(() => ({ status: 400 })));
    const special = await rejectionOf(networkClient({ errorResponses: own }).request(getRequest(url)));
    expect(special).to.include({ message: 'network, profile: the network refused: known. Its own hint.' });

    const error = (await rejectionOf(send({ status: 400, body: { no: 'known' } }))) as RefusedError;
    expect(error.message).to.equal(
      'network, profile: the network refused: known "known at profile". A hint.',
    );
  });

  it('an error status with unknown JSON is a RefusedError that names the status', async () => {
    const error = (await rejectionOf(send({ status: 418, body: { teapot: true } }))) as RefusedError;
    expect(error.message).to.equal('network, profile: the network refused without a reason. HTTP 418.');
    expect(error).to.include({ networkStatus: 418, code: 'refused', status: 502 });
  });

  it('an error status without JSON is unreadable, but a 429 is a RefusedError', async () => {
    const error = (await rejectionOf(send({ status: 500, body: 'Oops' }))) as MalformedError;
    expect(error).to.include({ name: 'MalformedError', code: 'unreadable_response', networkStatus: 500 });
    const limited = (await rejectionOf(
      send({ status: 429, body: 'Slow down', headers: { 'retry-after': '9' } }),
    )) as RefusedError;
    expect(limited).to.include({ code: 'rate_limited', status: 503, retryAfter: 9 });
  });

  it('S1: secrets of the request, of the client and of the response itself are redacted', async () => {
    const body = { no: 'request-secret client-secret response-secret', access_token: 'response-secret' };
    const error = (await rejectionOf(
      send({ status: 400, body }, { transaction: new Transaction('request-secret') }, ['client-secret']),
    )) as RefusedError;
    expect(error.networkCode).to.equal('[redacted]');
    expect(error.requestId).to.equal('[redacted]');
    expect(error.stack).to.not.match(/(request|client|response)-secret/);
  });

  it('S1: the tokens of a response are secrets of the later requests of the login', async () => {
    const transaction = new Transaction();
    await send({ body: { access_token: 'the-first-token' } }, { transaction });
    const echo = { status: 400, body: { no: 'not the-first-token' } };
    const error = await rejectionOf(send(echo, { transaction }));
    expect(error).to.include({ networkCode: 'not [redacted]' });
  });

  it('an application’s own error for an error response wins; null leaves it to the strategy', async () => {
    const own = new RangeError('own');
    const parseErrorResponse = (text: string, status: number) =>
      status === 400 && text === '{"no":"x"}' ? own : null;
    expect(await rejectionOf(send({ status: 400, body: { no: 'x' } }, { parseErrorResponse }))).to.equal(own);
    expect(
      await rejectionOf(send({ status: 401, body: { no: 'x' } }, { parseErrorResponse })),
    ).to.be.instanceOf(RefusedError);
  });

  it('what validate throws for a JSON object is the error of the request', async () => {
    const problem = new RangeError('wrong');
    const seen: unknown[] = [];
    const validate: NetworkRequest['validate'] = ({ body }) => {
      seen.push(property(body, 'a'));
      throw problem;
    };
    expect(await rejectionOf(send({ body: { a: 1 } }, { validate }))).to.equal(problem);
    expect(await rejectionOf(send({ body: '[]' }, { validate }))).to.include({ code: 'unreadable_response' });
    expect(seen).to.deep.equal([1]);
  });

  it('a code has the hint of its step, otherwise the general one, and none that is inherited', () => {
    const hints = { byCode: { a: 'general' }, byStep: { refresh: { a: 'special' } } };
    expect(hintFor('a', 'token', hints)).to.equal('general');
    expect(hintFor('a', 'refresh', hints)).to.equal('special');
    expect(hintFor('constructor', 'token', hints)).to.equal(undefined);
    expect(hintFor('constructor', 'refresh', hints)).to.equal(undefined);
    expect(hintFor(undefined, 'token', hints)).to.equal(undefined);
  });

  it('an error code is a non-empty string or a number', () => {
    expect(['x', 453, 0, '', null, true, {}].map(errorCode)).to.deep.equal([
      'x',
      '453',
      '0',
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('T8: a property error reports an error unless it is empty', () => {
    expect([undefined, null, '', false].map(isError)).to.deep.equal([false, false, false, false]);
    expect(['x', 0, 7, true, {}, []].map(isError)).to.deep.equal([true, true, true, true, true, true]);
  });
});
