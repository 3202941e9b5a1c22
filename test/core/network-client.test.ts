import { inspect } from 'node:util';
import { expect } from 'chai';
import { type MalformedError, ProviderError, RefusedError } from '../../lib/core/errors.js';
import {
  codeText,
  isError,
  NetworkClient,
  type RefusalReader,
  remedyFor,
} from '../../lib/core/network-client.js';
import { closesAfterEach } from '../support/cleanup.js';
import { realSockets } from '../support/real-sockets.js';
import { network, type Reply } from '../support/server.js';
import { rejectionOf } from '../support/thrown.js';
import { getRequest, transport } from '../support/transport.js';

const readRefusal: RefusalReader = (_answer, body, step) => {
  const { no } = (body ?? {}) as { no?: string };
  return no === undefined
    ? undefined
    : { networkCode: no, networkMessage: `${no} at ${step}`, requestId: no };
};

describe('network-client', () => {
  realSockets();
  const close = closesAfterEach();
  const send = async (reply: Reply, changes = {}, secrets: string[] = []) => {
    const { url } = close(await network(() => reply));
    return new NetworkClient('network', transport(), readRefusal, secrets).sendForJSON(
      getRequest(url, changes),
    );
  };

  it('a JSON object comes with its exact text', async () => {
    const { body, text } = await send({ body: '{ "a": 1 }' });
    expect(body).to.deep.equal({ a: 1 });
    expect(text).to.equal('{ "a": 1 }');
  });

  it('S1: no error of a request shows a secret of the client, even of one that does not bring it', async () => {
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

  it('a refusal is found on any status, and knows its step', async () => {
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

  it('an error status with JSON that no reader knows is a refusal that names the status', async () => {
    const error = (await rejectionOf(send({ status: 418, body: { teapot: true } }))) as RefusedError;
    expect(error.message).to.equal('network, profile: the network refused without a reason. HTTP 418.');
    expect(error).to.include({ networkStatus: 418, code: 'refused', status: 502 });
  });

  it('an error status without JSON is unreadable, but a 429 is a refusal', async () => {
    const error = (await rejectionOf(send({ status: 500, body: 'Oops' }))) as MalformedError;
    expect(error).to.include({ name: 'MalformedError', code: 'unreadable_answer', networkStatus: 500 });
    const limited = (await rejectionOf(
      send({ status: 429, body: 'Slow down', headers: { 'retry-after': '9' } }),
    )) as RefusedError;
    expect(limited).to.include({ code: 'rate_limited', status: 503, retryAfter: 9 });
  });

  it('S1: secrets of the request, of the client and of the answer itself are redacted', async () => {
    const body = { no: 'request-secret client-secret answer-secret', access_token: 'answer-secret' };
    const error = (await rejectionOf(
      send({ status: 400, body }, { secrets: () => ['request-secret'] }, ['client-secret']),
    )) as RefusedError;
    expect(error.networkCode).to.equal('[redacted] [redacted] [redacted]');
    expect(error.requestId).to.equal('[redacted] [redacted] [redacted]');
    expect(error.stack).to.not.match(/(request|client|answer)-secret/);
  });

  it('an application’s own reading of an error comes first; what is null is left to us', async () => {
    const own = new RangeError('own');
    const parseErrorResponse = (text: string, status: number) =>
      status === 400 && text === '{"no":"x"}' ? own : null;
    expect(await rejectionOf(send({ status: 400, body: { no: 'x' } }, { parseErrorResponse }))).to.equal(own);
    expect(
      await rejectionOf(send({ status: 401, body: { no: 'x' } }, { parseErrorResponse })),
    ).to.be.instanceOf(RefusedError);
  });

  it('a code has the remedy of its step, else the general one, and none that it inherits', () => {
    const remedies = { byCode: { a: 'general' }, byStep: { refresh: { a: 'special' } } };
    expect(remedyFor('a', 'token', remedies)).to.equal('general');
    expect(remedyFor('a', 'refresh', remedies)).to.equal('special');
    expect(remedyFor('constructor', 'token', remedies)).to.equal(undefined);
    expect(remedyFor('constructor', 'refresh', remedies)).to.equal(undefined);
    expect(remedyFor(undefined, 'token', remedies)).to.equal(undefined);
  });

  it('a code is a text that is not empty, or a number', () => {
    expect(['x', 453, 0, '', null, true, {}].map(codeText)).to.deep.equal([
      'x',
      '453',
      '0',
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('T8: a member error says that something went wrong, unless it is empty', () => {
    expect([undefined, null, '', false].map(isError)).to.deep.equal([false, false, false, false]);
    expect(['x', 0, 7, true, {}, []].map(isError)).to.deep.equal([true, true, true, true, true, true]);
  });
});
