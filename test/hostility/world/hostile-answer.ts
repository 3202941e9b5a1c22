import { brotliCompressSync, constants, deflateSync, gzipSync } from 'node:zlib';
import type { WireAnswer } from './raw-network.js';
import { spellOut } from './spellings.js';

/** An answer as it was generated: plain data, so that a counter-example can be read. */
export type HostileAnswer = RawAnswer | HTTPAnswer;

/** Bytes that need not be HTTP. */
export interface RawAnswer {
  readonly kind: 'raw';
  readonly bytes: string;
  readonly ending: Ending;
}

/** `keep` leaves the connection to the next request, where the answer says itself where it ends. */
type Ending = 'keep' | 'end' | 'destroy' | 'hang';

/** Something like HTTP. */
export interface HTTPAnswer {
  readonly kind: 'http';
  readonly version: string;
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  /** With secrets as `«name:spelling»`. Characters stand for themselves in UTF-8, or, with `latin1`, for bytes. */
  readonly body: string;
  readonly charset: 'utf8' | 'latin1';
  readonly encoding: Encoding;
  readonly framing: Framing;
  /** Where the bytes end, as a part of the whole; 1 for all of them. */
  readonly cut: number;
  /** Into how many pieces the bytes fall. */
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

/** An answer with nothing wrong but its body. */
export function plainAnswer(body: string): HTTPAnswer {
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

/** What goes out, and what a reader of HTTP makes of it. */
export interface RenderedAnswer extends WireAnswer {
  readonly status: number;
  readonly text: string | undefined;
}

/** Writes an answer. @param secrets - By name, for the echoes in it. */
export function render(answer: HostileAnswer, secrets: Readonly<Record<string, string>>): RenderedAnswer {
  const { ending } = answer;
  if (answer.kind === 'raw') {
    const after = ending === 'keep' ? 'end' : ending;
    return { chunks: [Buffer.from(answer.bytes, 'latin1')], ending: after, status: 0, text: undefined };
  }
  const plain = Buffer.from(spellOut(answer.body, secrets, /^[[{]/.test(answer.body)), answer.charset);
  const [encoded, encodingHeader] = encode(plain, answer.encoding);
  const [framed, framingHeaders] = frame(encoded, answer.framing);
  const lines = [...answer.headers, ...encodingHeader, ...framingHeaders]
    .map(([name, value]) => `${name}: ${spellOut(value, secrets, false).replace(/\p{C}/gu, '')}\r\n`)
    .join('');
  const head = Buffer.from(`${answer.version} ${answer.status} X\r\n${lines}\r\n`, 'latin1');
  const whole = Buffer.concat([head, framed]);
  // One that stays silent keeps its last byte to itself: else it would be an answer like any other.
  const most = ending === 'hang' ? whole.length - 1 : whole.length;
  const bytes = whole.subarray(0, Math.min(most, Math.ceil(whole.length * answer.cut)));
  // A reader may pass over a byte order mark (RFC 8259 section 8.1), and ours does.
  const read = readable(answer, plain, bytes.length - head.length, whole.length - bytes.length);
  const endsItself = ['length', 'chunked', 'chunked in pieces'].includes(answer.framing) && answer.cut === 1;
  const after = ending === 'keep' && !(endsItself && answer.status >= 200) ? 'end' : ending;
  return {
    chunks: split(bytes, answer.pieces),
    ending: after,
    status: answer.status,
    text: read?.replace(/^\ufeff/, ''),
  };
}

/** The text that arrives. Where it is open whether a reader accepts the framing, the text that it would read. */
function readable(answer: HTTPAnswer, plain: Buffer, bodyBytes: number, missing: number): string | undefined {
  const { framing, encoding, status } = answer;
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

/** Cuts bytes into so many pieces of about one size. */
function split(bytes: Buffer, pieces: number): Buffer[] {
  const size = Math.max(1, Math.ceil(bytes.length / pieces));
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
    bytes.subarray(index * size, (index + 1) * size),
  );
}
