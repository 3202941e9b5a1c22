import { expect } from 'chai';
import { reader } from '../support/options.js';

describe('options: addresses', () => {
  const endpoint = (tokenURL: unknown) => reader({ tokenURL }).endpoint('tokenURL');

  it('T1: https addresses, and http ones on this machine, are taken as they are', () => {
    for (const address of [
      'https://n.example/token/?v=1',
      'http://127.0.0.1:3000/token',
      'http://localhost/token',
      'http://[::1]:80/token',
      'http://n.localhost/token',
    ]) {
      expect(endpoint(address)).to.equal(address);
    }
  });

  it('T1: http beyond this machine, and other protocols, are mistakes', () => {
    for (const address of [
      'http://n.example/token',
      'http://127.0.0.1.example/token',
      'http://10.0.0.1/token',
      'ftp://127.0.0.1/token',
      'file:///token',
      'javascript:alert(1)',
    ]) {
      expect(() => endpoint(address), address).to.throw(
        TypeError,
        'TheStrategy: option tokenURL must begin with https:// (http is for a sandbox on this machine only).',
      );
    }
  });

  it('what is no absolute address is a mistake', () => {
    for (const address of ['/token', 'n.example/token', 'https://', '//n.example/token']) {
      expect(() => endpoint(address), address).to.throw(
        TypeError,
        'must be an absolute address such as https://example.com/path',
      );
    }
  });

  it('user names, passwords and fragments are mistakes', () => {
    for (const address of [
      'https://user@n.example/',
      'https://user:pass@n.example/',
      'https://n.example/#x',
    ]) {
      expect(() => endpoint(address), address).to.throw(
        TypeError,
        'option tokenURL must hold neither a user name, nor a password, nor a fragment.',
      );
    }
  });

  it('the spelling in a message is the one of the documentation', () => {
    expect(() => reader({ accessTokenUrl: 'http://n.example/' }).endpoint('tokenURL')).to.throw(
      TypeError,
      'option tokenURL',
    );
  });
});
