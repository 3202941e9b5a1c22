import { expect } from 'chai';
import { authenticateClient } from '../../lib/core/client-authentication.js';
import type { OAuth2Settings } from '../../lib/core/oauth2-network.js';
import { NETWORK } from '../support/example-oauth2.js';

const FORM = { grant_type: 'authorization_code', code: 'the-code', redirect_uri: 'https://app.example/cb' };
const settings = (clientSecret?: string) =>
  ({ clientID: 'the client', clientSecret }) as unknown as OAuth2Settings;

describe('client-authentication', () => {
  it('T12: identifier and secret go into the form, under the network’s name', () => {
    const network = { ...NETWORK, clientParameter: 'client_key' };
    const { form, headers } = authenticateClient(settings('s+/='), network, FORM);
    expect(form).to.deep.equal({ ...FORM, client_key: 'the client', client_secret: 's+/=' });
    expect(headers).to.deep.equal({});
  });

  it('T12: with Basic both go into the header, each encoded, and the form stays as it is', () => {
    const network = { ...NETWORK, clientAuthentication: 'basic' } as const;
    const { form, headers } = authenticateClient(settings('s+/=-_'), network, FORM);
    expect(form).to.deep.equal(FORM);
    expect(headers).to.deep.equal({
      authorization: `Basic ${Buffer.from('the%20client:s%2B%2F%3D-_').toString('base64')}`,
    });
  });

  it('T12: a client without a secret sends its identifier alone', () => {
    for (const clientAuthentication of ['basic', 'form'] as const) {
      const { form, headers } = authenticateClient(settings(), { ...NETWORK, clientAuthentication }, FORM);
      expect(form).to.deep.equal({ ...FORM, client_id: 'the client' });
      expect(headers).to.deep.equal({});
    }
  });

  it('S1: all that is confidential in a form is known as a secret, and nothing else', () => {
    const { secrets } = authenticateClient(settings(), NETWORK, { ...FORM, code_verifier: 'v', state: 's' });
    expect(secrets()).to.include.members(['the-code', 'v', 's']);
    expect(secrets()).to.not.include.members(['authorization_code', 'https://app.example/cb']);
  });

  it('the given form is not written to', () => {
    const given = Object.freeze({ ...FORM });
    authenticateClient(settings('secret'), NETWORK, given);
    expect(given).to.deep.equal(FORM);
  });
});
