import { expect } from 'chai';
import { isLocalURL } from '../lib/index.js';

describe('isLocalURL', () => {
  for (const url of [
    '/',
    '/cart',
    '/a/b?c=d&e=//evil.example#f',
    '/@user',
    '/über',
    '/a:b',
    '/%2F%2Fevil.example',
  ]) {
    it(`C22: ${url} is local`, () => {
      expect(isLocalURL(url)).to.equal(true);
    });
  }

  for (const url of [
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
    it(`C22: ${JSON.stringify(url) ?? 'undefined'} is not local`, () => {
      expect(isLocalURL(url)).to.equal(false);
    });
  }
});
