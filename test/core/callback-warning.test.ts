import { expect } from 'chai';
import { callbackWarning } from '../../lib/core/callback-warning.js';
import { collectsWarnings } from '../support/warnings.js';

const NETWORK = { text: 'The network takes https only.', authorizationURL: 'https://n.example/authorize' };

describe('callback-warning', () => {
  const warnings = collectsWarnings();

  it('T2: a callback address without TLS gets one warning that names the option', async () => {
    const warn = callbackWarning('TheStrategy', { ...NETWORK, loopback: true });
    warn('http://app.example/cb?secret=1');
    warn('http://app.example/cb');
    warn('http://other.example/cb');
    expect(await warnings.texts()).to.deep.equal([
      'TheStrategy: option callbackURL is http://app.example/cb. The network takes https only.',
    ]);
  });

  it('T2: https addresses, and relative ones, get none', async () => {
    const warn = callbackWarning('TheStrategy', { ...NETWORK, loopback: false });
    warn('https://app.example/cb');
    warn('/api/auth/callback/network');
    expect(await warnings.texts()).to.deep.equal([]);
  });

  it('T2: an address on this machine gets one where the network refuses it', async () => {
    callbackWarning('TheStrategy', { ...NETWORK, loopback: true })('http://127.0.0.1:3000/cb');
    expect(await warnings.texts()).to.deep.equal([]);
    callbackWarning('TheStrategy', { ...NETWORK, loopback: false })('http://127.0.0.1:3000/cb');
    expect(await warnings.texts()).to.have.length(1);
  });

  it('T2: with a sandbox on this machine there is none', async () => {
    const demand = { ...NETWORK, loopback: false, authorizationURL: 'http://127.0.0.1:4000/authorize' };
    callbackWarning('TheStrategy', demand)('http://app.example/cb');
    expect(await warnings.texts()).to.deep.equal([]);
  });
});
