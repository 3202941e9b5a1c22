import { expect } from 'chai';
import { Transaction } from '../../../lib/core/http/index.js';
import type { OAuth2Network, OAuth2Settings } from '../../../lib/core/oauth2/index.js';
import { TokenEndpoint } from '../../../lib/core/oauth2/token-endpoint.js';
import { closesAfterEach } from '../../support/cleanup.js';
import { NETWORK, TOKEN_ANSWER } from '../../support/example-networks.js';
import { networkClient } from '../../support/network-client.js';
import { realSockets } from '../../support/real-sockets.js';
import { network } from '../../support/server.js';

const FORM = { grant_type: 'authorization_code', code: 'the-code', redirect_uri: 'https://app.example/cb' };

describe('client authentication', () => {
  realSockets();
  const close = closesAfterEach();

  /** A token endpoint of a client called `the client`, at a network that issues a token for every request. */
  async function endpoint(clientSecret: string | undefined, changes: Partial<OAuth2Network> = {}) {
    const server = close(await network(() => ({ body: TOKEN_ANSWER })));
    const settings = {
      name: 'network',
      clientID: 'the client',
      clientSecret,
      tokenURL: `${server.url}/token`,
    } as OAuth2Settings;
    const tokens = new TokenEndpoint(networkClient(), settings, { ...NETWORK, ...changes }, () => null);
    return { tokens, server };
  }

  it('T12: a revocation authenticates the client in the same way', async () => {
    for (const [clientAuthentication, form, header] of [
      ['form', { token: 'the-token', client_id: 'the client', client_secret: 's+' }, undefined],
      ['basic', { token: 'the-token' }, `Basic ${Buffer.from('the%20client:s%2B').toString('base64')}`],
    ] as const) {
      const { tokens, server } = await endpoint('s+', { clientAuthentication });
      await tokens.revoke(`${server.url}/revoke`, { token: 'the-token' });
      const [request] = server.requests;
      expect(Object.fromEntries(request?.form ?? [])).to.deep.equal(form);
      expect(request?.headers.authorization).to.equal(header);
    }
  });

  it('S1: the confidential fields of a form are secrets, and the others are not', async () => {
    const { tokens } = await endpoint(undefined);
    const transaction = new Transaction();
    await tokens.request('token', { ...FORM, code_verifier: 'v', state: 's' }, transaction);
    expect(transaction.secrets()).to.include.members([
      'the-code',
      'v',
      's',
      'the-access-token',
      'the-refresh-token',
    ]);
    for (const open of ['authorization_code', 'https://app.example/cb', 'the client']) {
      expect(transaction.secrets()).to.not.include(open);
    }
  });

  it('S1: the Basic credentials are a secret', async () => {
    const { tokens } = await endpoint('s+', { clientAuthentication: 'basic' });
    const transaction = new Transaction();
    await tokens.request('token', FORM, transaction);
    expect(transaction.secrets()).to.include('the%20client:s%2B');
  });
});
