import { brotliCompressSync, constants, deflateSync, gzipSync } from 'node:zlib';
import type { WireResponse } from './raw-network.js';
import { spellOut } from './spellings.js';

/** A generated response, as plain data so that counterexamples are readable. */
export type HostileResponse = RawResponse | HTTPResponse;

/** Arbitrary bytes, not necessarily HTTP. */
export interface RawResponse {
  readonly kind: 'raw';
  readonly bytes: string;
  readonly ending: Ending;
}

/** `keep` keeps the connection open for the next request, if the response is self-delimiting. */
type Ending = 'keep' | 'end' | 'destroy' | 'hang';

/** A response that resembles HTTP. */
export interface HTTPResponse {
  readonly kind: 'http';
  readonly version: string;
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  /** Contains secrets as `«name:spelling»`. With `latin1`, each character is a byte. */
  readonly body: string;
  readonly charset: 'utf8' | 'latin1';
  readonly encoding: Encoding;
  readonly framing: Framing;
  /** The fraction of the bytes to send; 1 for all. */
  readonly cut: number;
  /** The number of chunks to write the bytes in. */
  readonly pieces: number;
  readonly ending: Ending;
}

export const ENCODINGS = [
  'identity',
  'gzip',
  'deflate',
  'br',
  'gzip broken',
  'gzip cut',
  'gzip as br',
  'gzip twice',
  'unknown',
] as const;
export type Encoding = (typeof ENCODINGS)[number];

export const FRAMINGS = [
  'length',
  'chunked',
  'chunked in pieces',
  'chunked broken',
  'until close',
  'length too long',
  'length too short',
  'length and chunked',
  'two lengths',
] as const;
export type Framing = (typeof FRAMINGS)[number];

/** A well-formed response with the given body. */
export function plainResponse(body: string): HTTPResponse {
  return {
    kind: 'http',
    version: 'HTTP/1.1',
    status: 200,
    headers: [],
    body,
    charset: 'utf8',
    encoding: 'identity',
    framing: 'length',
    cut: 1,
    pieces: 1,
    ending: 'keep',
  };
}

/** The bytes of a response and the text that an HTTP client reads from it. */
export interface RenderedResponse extends WireResponse {
  readonly status: number;
  readonly text: string | undefined;
}

/** Renders a response. @param secrets - Secrets by name, for its echoes. */
export function render(
  response: HostileResponse,
  secrets: Readonly<Record<string, string>>,
): RenderedResponse {
  const { ending } = response;
  if (response.kind === 'raw') {
    const after = ending === 'keep' ? 'end' : ending;
    return { chunks: [Buffer.from(response.bytes, 'latin1')], ending: after, status: 0, text: undefined };
  }
  const plain = Buffer.from(spellOut(response.body, secrets, /^[[{]/.test(response.body)), response.charset);
  const [encoded, encodingHeader] = encode(plain, response.encoding);
  const [framed, framingHeaders] = frame(encoded, response.framing);
  const lines = [...response.headers, ...encodingHeader, ...framingHeaders]
    .map(([name, value]) => `${name}: ${spellOut(value, secrets, false).replace(/\p{C}/gu, '')}\r\n`)
    .join('');
  const head = Buffer.from(`${response.version} ${response.status} X\r\n${lines}\r\n`, 'latin1');
  const whole = Buffer.concat([head, framed]);
  // A hanging response withholds its last byte. Otherwise it would be complete.
  const most = ending === 'hang' ? whole.length - 1 : whole.length;
  const bytes = whole.subarray(0, Math.min(most, Math.ceil(whole.length * response.cut)));
  // The library ignores a byte order mark, as RFC 8259 section 8.1 allows.
  const read = readable(response, plain, bytes.length - head.length, whole.length - bytes.length);
  const endsItself =
    ['length', 'chunked', 'chunked in pieces'].includes(response.framing) && response.cut === 1;
  const after = ending === 'keep' && !(endsItself && response.status >= 200) ? 'end' : ending;
  return {
    chunks: split(bytes, response.pieces),
    ending: after,
    status: response.status,
    text: read?.replace(/^\ufeff/, ''),
  };
}

/** The text that a client reads. For ambiguous framing, the text that a client would read if it accepts the framing. */
function readable(
  response: HTTPResponse,
  plain: Buffer,
  bodyBytes: number,
  missing: number,
): string | undefined {
  const { framing, encoding, status } = response;
  if (status < 200 || bodyBytes < 0) return undefined;
  if (status === 204 || status === 304) return '';
  if (encoding !== 'identity' && !['gzip', 'deflate', 'br'].includes(encoding))
    return plain.length === 0 ? '' : undefined;
  if (framing === 'length too short')
    return encoding === 'identity' ? plain.subarray(0, plain.length >> 1).toString() : undefined;
  if (framing === 'length too long' || framing === 'chunked broken') return undefined;
  if (missing === 0) return plain.toString();
  return framing === 'until close' && encoding === 'identity'
    ? plain.subarray(0, bodyBytes).toString()
    : undefined;
}

type Headers = readonly (readonly [string, string])[];

function encode(body: Buffer, encoding: Encoding): [Buffer, Headers] {
  const labelled = (name: string): Headers => [['Content-Encoding', name]];
  switch (encoding) {
    case 'identity':
      return [body, []];
    case 'deflate':
      return [deflateSync(body), labelled('deflate')];
    case 'br':
      return [brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }), labelled('br')];
    case 'gzip broken': {
      const bytes = gzipSync(body);
      const middle = bytes.length >> 1;
      bytes[middle] = (bytes[middle] as number) ^ 0xff;
      return [bytes, labelled('gzip')];
    }
    case 'gzip cut':
      return [gzipSync(body).subarray(0, -9), labelled('gzip')];
    case 'gzip as br':
      return [gzipSync(body), labelled('br')];
    case 'gzip twice':
      return [gzipSync(gzipSync(body)), labelled('gzip, gzip')];
    case 'unknown':
      return [body, labelled('__proto__')];
    default:
      return [gzipSync(body), labelled('GZip ')];
  }
}

function frame(body: Buffer, framing: Framing): [Buffer, Headers] {
  const length = (bytes: number) => ['Content-Length', String(bytes)] as const;
  const isChunked = ['Transfer-Encoding', 'chunked'] as const;
  const chunk = (bytes: Buffer) =>
    Buffer.concat([Buffer.from(`${bytes.length.toString(16)};x=1\r\n`), bytes, Buffer.from('\r\n')]);
  const last = Buffer.from('0\r\nX-Trailer: 1\r\n\r\n');
  const whole = body.length > 0 ? chunk(body) : Buffer.alloc(0);
  switch (framing) {
    case 'chunked':
      return [Buffer.concat([whole, last]), [isChunked]];
    case 'chunked in pieces':
      return [
        Buffer.concat([
          ...split(body, 5)
            .filter((piece) => piece.length > 0)
            .map(chunk),
          last,
        ]),
        [isChunked],
      ];
    case 'chunked broken':
      return [Buffer.concat([whole, Buffer.from('zz\r\n')]), [isChunked]];
    case 'until close':
      return [body, []];
    case 'length too long':
      return [body, [length(body.length + 7)]];
    case 'length too short':
      return [body, [length(body.length >> 1)]];
    case 'length and chunked':
      return [Buffer.concat([whole, last]), [length(body.length), isChunked]];
    case 'two lengths':
      return [body, [length(body.length), length(body.length)]];
    default:
      return [body, [length(body.length)]];
  }
}

/** Splits bytes into pieces of about equal size. */
function split(bytes: Buffer, pieces: number): Buffer[] {
  const size = Math.max(1, Math.ceil(bytes.length / pieces));
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
    bytes.subarray(index * size, (index + 1) * size),
  );
}
