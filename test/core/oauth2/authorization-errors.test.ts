import { inspect } from 'node:util';
import { expect } from 'chai';
import type { RefusedError } from '../../../lib/core/errors/index.js';
import { playLogin } from '../../support/attempt.js';
import { closesAfterEach } from '../../support/cleanup.js';
import { ExampleStrategy, exampleAnswers } from '../../support/example-networks.js';
import { realSockets } from '../../support/real-sockets.js';
import { network } from '../../support/server.js';

describe('an error in an authorization response', () => {
  realSockets();
  const close = closesAfterEach();

  async function errorOf(parameters: Record<string, string>): Promise<RefusedError> {
    const { url } = close(await network(exampleAnswers()));
    const { ending } = await playLogin(new ExampleStrategy(url, () => {}), parameters);
    expect(ending.error).to.include({ name: 'RefusedError', step: 'authorization', status: 502 });
    return ending.error as RefusedError;
  }

  it('C8: error and error_description become properties of the error, cleaned, and are not in its message', async () => {
    const error = await errorOf({
      error: 'call\r\n555-0100\u202e now',
      error_description: '<b>Your\u0000 account</b>\nis \u200blocked',
    });
    expect(error.networkCode).to.equal('call  555-0100 now');
    expect(error.networkMessage).to.equal('<b>Your account</b> is locked');
    expect(error.message).to.equal(
      'example, authorization: the network refused; networkCode and networkMessage have its reason.',
    );
    expect(error.stack?.split('\n    at ')[0]).to.equal(
      'RefusedError: example, authorization: the network refused; networkCode and networkMessage have its reason.',
    );
  });

  it('C8: a documented code is in the message, its description is not', async () => {
    const error = await errorOf({ error: 'server_error', error_description: 'Call 555-0100.' });
    expect(error).to.include({ networkCode: 'server_error', networkMessage: 'Call 555-0100.' });
    expect(error.message).to.equal(
      'example, authorization: the network refused: server_error. Try again later.',
    );
  });

  it('C8: a code that names a property of every object is unknown', async () => {
    for (const code of ['constructor', '__proto__', 'toString']) {
      const error = await errorOf({ error: code });
      expect(error.networkCode).to.equal(code);
      expect(error.message).to.equal(
        'example, authorization: the network refused; networkCode and networkMessage have its reason.',
      );
    }
  });

  it('S1: a code beside the error is not shown', async () => {
    const error = await errorOf({
      error: 'x',
      error_description: 'not the-code-0123456789',
      code: 'the-code-0123456789',
    });
    expect(error.networkMessage).to.equal('not [redacted]');
    expect(inspect(error, { depth: 9, showHidden: true })).to.not.include('the-code-0123456789');
  });

  it('S1: a client secret in the error is not shown', async () => {
    const error = await errorOf({
      error: 'code the-client-secret',
      error_description: 'not the-client-secret',
    });
    expect(error).to.include({ networkCode: 'code [redacted]', networkMessage: 'not [redacted]' });
    expect(inspect(error, { depth: 9, showHidden: true })).to.not.include('the-client-secret');
  });
});
