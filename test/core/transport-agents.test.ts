import { Agent } from 'node:http';
import { inspect } from 'node:util';
import { expect } from 'chai';
import { UnreachableError } from '../../lib/core/errors.js';
import { realSockets } from '../support/real-sockets.js';
import { rejectionOf } from '../support/thrown.js';
import { getRequest, transport } from '../support/transport.js';

/** An agent that fails before it connects, as those of proxies do. */
function failingAgent(error: Error): Agent {
  return Object.assign(new Agent(), {
    createConnection() {
      throw error;
    },
  });
}

async function failureOf(error: Error, secrets: readonly string[] = []): Promise<UnreachableError> {
  const sending = transport({ agent: failingAgent(error) }).send(
    getRequest('http://n.example/', { secrets: () => secrets }),
  );
  const failure = await rejectionOf(sending);
  expect(failure).to.be.instanceOf(UnreachableError);
  return failure as UnreachableError;
}

describe('transport: what agents say', () => {
  realSockets();
  const SPOKEN = 'tunnel through http://proxy-user:proxy-password@proxy.example:8080/ failed';

  it('S1: user and password of a proxy are neither in the message nor in the cause', async () => {
    const failure = await failureOf(new Error(SPOKEN));
    expect(failure.message).to.equal(
      'network, profile: no usable answer from n.example: tunnel through http://proxy.example:8080/ failed.',
    );
    expect((failure.cause as Error).message).to.equal('tunnel through http://proxy.example:8080/ failed');
    for (const secret of ['proxy-user', 'proxy-password']) {
      expect(inspect(failure, { depth: 9, showHidden: true })).to.not.include(secret);
    }
  });

  it('S1: a code that is no system’s word is neither in the message nor in the cause', async () => {
    for (const code of ['the-secret-0123456789', 'proxy-user:proxy-password', 'Ebad secret', '']) {
      const failure = await failureOf(Object.assign(new Error('refused'), { code }));
      expect(failure.message).to.equal('network, profile: no usable answer from n.example: refused.');
      expect(failure.cause).to.be.instanceOf(Error).and.not.have.property('code');
    }
  });

  it('a code that is a system’s word is in both', async () => {
    const failure = await failureOf(Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }));
    expect(failure.message).to.equal(
      'network, profile: no usable answer from n.example: refused (ECONNREFUSED).',
    );
    expect(failure.cause).to.include({ message: 'refused', code: 'ECONNREFUSED' });
  });

  it('S1: other members of an agent’s error, and its own cause, do not come along', async () => {
    const agents = Object.assign(new Error('refused', { cause: new Error('cause-0123456789') }), {
      options: { auth: 'member-0123456789' },
    });
    const shown = inspect(await failureOf(agents), { depth: 9, showHidden: true });
    expect(shown).to.not.include('0123456789');
  });

  it('S1: a secret of the request is in neither', async () => {
    const failure = await failureOf(new Error('no: the-token-0123456789'), ['the-token-0123456789']);
    expect(failure.message).to.include('no: [redacted]');
    expect((failure.cause as Error).message).to.equal('no: [redacted]');
  });
});
