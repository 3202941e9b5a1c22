import fc from 'fast-check';
import type { HonestBody } from '../world/honest-responses.js';
import { ENCODINGS, FRAMINGS, type HostileResponse } from '../world/hostile-response.js';
import { bodiesOf } from './bodies.js';
import { echoed } from './json.js';

const status = fc.oneof(
  { weight: 14, arbitrary: fc.constant(200) },
  { weight: 6, arbitrary: fc.constantFrom(400, 401, 403, 404, 410, 429, 500, 502, 503, 504) },
  { weight: 2, arbitrary: fc.constantFrom(201, 204, 205, 206, 299, 301, 302, 303, 304, 307, 308) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(100, 101, 102, 103, 199, 399, 418, 599, 600, 700, 999, 0, 99, -1, 1000),
  },
);

const text = fc.string({
  unit: fc.constantFrom(...Array.from('abcXYZ019 ,;=/"\'()<>@[]{}?.\t~!é\u00ff')),
  maxLength: 24,
});

const header: fc.Arbitrary<readonly [string, string]> = fc.oneof(
  fc.tuple(
    fc.constant('Content-Type'),
    fc.constantFrom(
      'application/json',
      'text/html',
      'application/x-www-form-urlencoded',
      'x',
      'a/b;charset=utf-16',
      '',
    ),
  ),
  fc.tuple(
    fc.constant('Retry-After'),
    fc.constantFrom('1', '0', '-1', '1e9', 'Thu, 01 Jan 1970 00:00:00 GMT', 'soon', '999999999999', 'NaN'),
  ),
  fc.tuple(
    fc.constant('Location'),
    fc.oneof(fc.constantFrom('http://', '//evil.example', '/', 'javascript:1', 'http://[::'), echoed),
  ),
  fc.tuple(fc.constant('X-Rate-Limit-Reset'), fc.constantFrom('0', '1e12', '99999999999', 'x', '-5')),
  fc.tuple(
    fc.constantFrom('x-tt-logid', 'X-Challenge', 'WWW-Authenticate', 'Set-Cookie'),
    fc.oneof(text, echoed),
  ),
  fc.tuple(fc.constant('x-challenge'), fc.constant('required')),
  fc.tuple(
    fc.constantFrom('Connection', 'Upgrade', 'Keep-Alive', 'Trailer', '__proto__', 'Date', 'Vary'),
    fc.oneof(text, fc.constantFrom('close', 'keep-alive', 'upgrade', 'timeout=0', 'websocket')),
  ),
  fc.tuple(
    fc.string({ unit: fc.constantFrom(...Array.from('abc-_9 :\t')), minLength: 1, maxLength: 8 }),
    text,
  ),
);

const ending = fc.oneof(
  { weight: 70, arbitrary: fc.constant('keep' as const) },
  { weight: 18, arbitrary: fc.constant('end' as const) },
  { weight: 7, arbitrary: fc.constant('destroy' as const) },
);

/** One response in four hundred never ends. */
const orHang = <T>(other: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 399, arbitrary: other }, { weight: 1, arbitrary: fc.constant('hang' as const) });

const bytes: fc.Arbitrary<HostileResponse> = fc.record({
  kind: fc.constant('raw' as const),
  bytes: fc.oneof(
    fc.string({ unit: 'binary-ascii', maxLength: 80 }),
    fc.uint8Array({ maxLength: 120 }).map((array) => Buffer.from(array).toString('latin1')),
    fc.constantFrom(
      '',
      '\r\n',
      'HTTP/1.1',
      'HTTP/1.1 200',
      'HTTP/1.1 200 OK\r\n',
      'HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n{}',
      'HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\n{}',
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\n',
      'HTTP/1.1 200 OK\r\n: x\r\n\r\n',
      `HTTP/1.1 200 OK\r\n${'x: y\r\n'.repeat(3_000)}\r\n`,
      `HTTP/1.1 200 OK\r\nx: ${'y'.repeat(70_000)}\r\n\r\n`,
      `HTTP/1.1 200 ${'O'.repeat(70_000)}\r\n\r\n`,
      'HTTP/1.1 100 Continue\r\n\r\n'.repeat(50),
      'HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\nbytes',
      'HTTP/2 200\r\n\r\n',
      '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
    ),
  ),
  ending: orHang(ending),
});

/** Arbitrary responses to a request for which an honest network would send the given body. */
export function responsesTo(honest: HonestBody): fc.Arbitrary<HostileResponse> {
  const http = fc.record({
    kind: fc.constant('http' as const),
    version: mostly(
      20,
      'HTTP/1.1',
      fc.constantFrom('HTTP/1.0', 'http/1.1', 'HTTP/1.7', 'HTTP/2', 'ICY', ' HTTP/1.1', ''),
    ),
    status,
    headers: fc.array(header, { maxLength: 3, size: 'xsmall' }),
    body: bodiesOf(honest),
    charset: mostly<'utf8' | 'latin1'>(12, 'utf8', fc.constant('latin1')),
    encoding: mostly(5, 'identity', fc.constantFrom(...ENCODINGS)),
    framing: mostly(2, 'length', fc.constantFrom(...FRAMINGS)),
    cut: mostly(9, 1, fc.double({ min: 0, max: 1, noNaN: true })),
    pieces: mostly(4, 1, fc.integer({ min: 2, max: 6 })),
    ending: orHang(ending),
  });
  return fc.oneof({ weight: 12, arbitrary: http }, { weight: 1, arbitrary: bytes });
}

function mostly<T>(weight: number, usual: T, other: fc.Arbitrary<T>): fc.Arbitrary<T> {
  return fc.oneof({ weight, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: other });
}
