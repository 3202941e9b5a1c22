import { expect } from 'chai';
import { isLocalURL } from '../../lib/index.js';

describe('isLocalURL', () => {
  for (const address of [
    '/',
    '/cart',
    '/a/b?c=d&e=//evil.example#f',
    '/@user',
    '/über',
    '/a:b',
    '/%2F%2Fevil.example',
  ]) {
    it(`C22: ${address} stays here`, () => {
      expect(isLocalURL(address)).to.equal(true);
    });
  }

  for (const address of [
    '//evil.example',
    '///evil.example',
    '\\\\evil.example',
    '/\\evil.example',
    '/\\/evil.example',
    '/a\\..\\evil.example',
    'https:evil.example',
    'https://evil.example',
    'javascript:alert(1)',
    'evil.example',
    '/.//evil.example',
    '/a/..//evil.example',
    '/%2e%2e//evil.example',
    './cart',
    '?next=/',
    '',
    ' /cart',
    '/\t/evil.example',
    '/\n/evil.example',
    '/\r\nSet-Cookie: a=b',
    '\t//evil.example',
    '/\0',
    '/\x7F',
    '/\u0085/evil.example',
    undefined,
    null,
    42,
    ['/cart'],
    { toString: () => '/cart' },
  ]) {
    it(`C22: ${JSON.stringify(address) ?? 'nothing'} is refused`, () => {
      expect(isLocalURL(address)).to.equal(false);
    });
  }
});
