import { expect } from 'chai';
import { isLocalURL } from '../lib/index.js';

const LOCAL = '/ /cart /a/b?c=d&e=//evil.example#f /@user /über /a:b /%2F%2Fevil.example'.split(' ');

const CONTROLS = [
  '',
  ' /cart',
  '/\t/evil.example',
  '/\n/evil.example',
  '/\r\nSet-Cookie: a=b',
  '\t//evil.example',
  '/\0',
];
const OTHERS = ['/\x7F', '/\u0085/evil.example', undefined, null, 42, ['/cart'], { toString: () => '/cart' }];

const FOREIGN: readonly unknown[] = [
  ...String.raw`//evil.example ///evil.example \\evil.example /\evil.example /\/evil.example /a\..\evil.example`.split(
    ' ',
  ),
  ...'https:evil.example https://evil.example javascript:alert(1) evil.example /.//evil.example /a/..//evil.example'.split(
    ' ',
  ),
  ...'/%2e%2e//evil.example ./cart ?next=/'.split(' '),
  ...CONTROLS,
  ...OTHERS,
];

describe('isLocalURL', () => {
  for (const [urls, verdict, isLocal] of [
    [LOCAL, 'is local', true],
    [FOREIGN, 'is not local', false],
  ] as const) {
    for (const url of urls) {
      it(`C22: ${JSON.stringify(url) ?? 'undefined'} ${verdict}`, () => {
        expect(isLocalURL(url)).to.equal(isLocal);
      });
    }
  }
});
