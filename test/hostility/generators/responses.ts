import { brotliCompressSync, constants, deflateSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import type { RenderedResponse, WireResponse } from '../world/network.js';
import { spellOut } from '../world/secrets.js';
import { bodyText, type HonestBody, type Step, type Subject, user } from '../world/subjects.js';
import { either, fraction, type Generated, just, mostly, one, words } from './arbitraries.js';
import { bodiesOf, deepBodies, echoed, NUMBERS } from './bodies.js';

type Headers = readonly (readonly [string, string])[];

const FAST_BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } };
const labelled = (name: string): Headers => [['Content-Encoding', name]];

/** Bytes of a body, and the headers for them. */
type Wrapped = (body: Buffer) => [Buffer, Headers];

const ENCODINGS: Readonly<Record<string, Wrapped>> = {
  identity: (body) => [body, []],
  gzip: (body) => [gzipSync(body), labelled('GZip ')],
  deflate: (body) => [deflateSync(body), labelled('deflate')],
  br: (body) => [brotliCompressSync(body, FAST_BROTLI), labelled('br')],
  'gzip broken': (body) => {
    const bytes = gzipSync(body);
    const middle = bytes.length >> 1;
    bytes[middle] = (bytes[middle] as number) ^ 0xff;
    return [bytes, labelled('gzip')];
  },
  'gzip cut': (body) => [gzipSync(body).subarray(0, -9), labelled('gzip')],
  'gzip as br': (body) => [gzipSync(body), labelled('br')],
  'gzip twice': (body) => [gzipSync(gzipSync(body)), labelled('gzip, gzip')],
  unknown: (body) => [body, labelled('__proto__')],
};
const SOUND_ENCODINGS = ['identity', 'gzip', 'deflate', 'br'];

const length = (bytes: number) => ['Content-Length', String(bytes)] as const;
const CHUNKED = ['Transfer-Encoding', 'chunked'] as const;
const LAST = Buffer.from('0\r\nX-Trailer: 1\r\n\r\n');
const chunk = (bytes: Buffer) =>
  bytes.length === 0
    ? bytes
    : Buffer.concat([Buffer.from(`${bytes.length.toString(16)};x=1\r\n`), bytes, Buffer.from('\r\n')]);

const FRAMINGS: Readonly<Record<string, Wrapped>> = {
  length: (body) => [body, [length(body.length)]],
  chunked: (body) => [Buffer.concat([chunk(body), LAST]), [CHUNKED]],
  'chunked in pieces': (body) => [Buffer.concat([...split(body, 5).map(chunk), LAST]), [CHUNKED]],
  'chunked broken': (body) => [Buffer.concat([chunk(body), Buffer.from('zz\r\n')]), [CHUNKED]],
  'until close': (body) => [body, []],
  'length too long': (body) => [body, [length(body.length + 7)]],
  'length too short': (body) => [body, [length(body.length >> 1)]],
  'length and chunked': (body) => [Buffer.concat([chunk(body), LAST]), [length(body.length), CHUNKED]],
  'two lengths': (body) => [body, [length(body.length), length(body.length)]],
};
const SOUND_FRAMINGS = ['length', 'chunked', 'chunked in pieces'];

function split(bytes: Buffer, pieces: number): Buffer[] {
  const size = Math.max(1, Math.ceil(bytes.length / pieces));
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
    bytes.subarray(index * size, (index + 1) * size),
  );
}

const status = either<number>(
  [14, just(200)],
  [6, one(400, 401, 403, 404, 410, 429, 500, 502, 503, 504)],
  [2, one(201, 204, 205, 206, 299, 301, 302, 303, 304, 307, 308)],
  [1, one(100, 101, 102, 103, 199, 399, 418, 599, 600, 700, 999, 0, 99, -1, 1000)],
);

const characters = (text: string) => one(...Array.from(text));
const text = fc.string({ unit: characters('abcXYZ019 ,;=/"\'()<>@[]{}?.\t~!é\u00ff'), maxLength: 24 });
const MEDIA_TYPES = words(
  'application/json text/html application/x-www-form-urlencoded x a/b;charset=utf-16',
);
const DATE = 'Thu, 01 Jan 1970 00:00:00 GMT';

const header: fc.Arbitrary<readonly [string, string]> = fc.oneof(
  fc.tuple(just('Content-Type'), one(...MEDIA_TYPES, '')),
  fc.tuple(just('Retry-After'), one(...words('1 0 -1 1e9 soon 999999999999 NaN'), DATE)),
  fc.tuple(
    just('Location'),
    fc.oneof(one(...words('http:// //evil.example / javascript:1 http://[::')), echoed),
  ),
  fc.tuple(just('X-Rate-Limit-Reset'), one(...words('0 1e12 99999999999 x -5'))),
  fc.tuple(one(...words('x-tt-logid X-Challenge WWW-Authenticate Set-Cookie')), fc.oneof(text, echoed)),
  just(['x-challenge', 'required']),
  fc.tuple(
    one(...words('Connection Upgrade Keep-Alive Trailer __proto__ Date Vary')),
    fc.oneof(text, one(...words('close keep-alive upgrade timeout=0 websocket'))),
  ),
  fc.tuple(fc.string({ unit: characters('abc-_9 :\t'), minLength: 1, maxLength: 8 }), text),
);

/** `keep` keeps the connection open for the next request, if the response is self-delimiting. One response in four hundred never ends. */
const ending = either<WireResponse['ending']>(
  [294, just('keep')],
  [76, just('end')],
  [29, just('destroy')],
  [1, just('hang')],
);

const bytes = fc.record({
  kind: just('raw'),
  bytes: fc.oneof(
    fc.string({ unit: 'binary-ascii', maxLength: 80 }),
    fc.uint8Array({ maxLength: 120 }).map((array) => Buffer.from(array).toString('latin1')),
    one(
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
  ending,
});

/** What resembles HTTP, as plain data so that counterexamples are readable. */
const http = (honest: HonestBody) =>
  fc.record({
    kind: just('http'),
    version: mostly(
      20,
      'HTTP/1.1',
      one('HTTP/1.0', 'http/1.1', 'HTTP/1.7', 'HTTP/2', 'ICY', ' HTTP/1.1', ''),
    ),
    status,
    headers: fc.array(header, { maxLength: 3, size: 'xsmall' }),
    /** Contains secrets as `«name:spelling»`. With `latin1`, each character is a byte. */
    body: bodiesOf(honest),
    charset: mostly<'utf8' | 'latin1'>(12, 'utf8', just('latin1')),
    encoding: mostly(5, 'identity', one(...Object.keys(ENCODINGS))),
    framing: mostly(2, 'length', one(...Object.keys(FRAMINGS))),
    /** The fraction of the bytes to send; 1 for all. */
    cut: mostly(9, 1, fraction),
    pieces: mostly(4, 1, fc.integer({ min: 2, max: 6 })),
    ending,
  });
type HTTPResponse = Generated<ReturnType<typeof http>>;
export type HostileResponse = HTTPResponse | Generated<typeof bytes>;

function responsesTo(honest: HonestBody): fc.Arbitrary<HostileResponse> {
  return either<HostileResponse>([12, http(honest)], [1, bytes]);
}

function plainResponse(body: string): HTTPResponse {
  const head = { version: 'HTTP/1.1', status: 200 } as const;
  const wire = { charset: 'utf8', encoding: 'identity', framing: 'length', ending: 'keep' } as const;
  return { kind: 'http', ...head, headers: [], body, ...wire, cut: 1, pieces: 1 };
}

/** Renders a response. @param secrets - Secrets by name, for its echoes. */
export function render(
  response: HostileResponse,
  secrets: Readonly<Record<string, string>>,
): RenderedResponse {
  const { ending: asked } = response;
  if (response.kind === 'raw') {
    const after = asked === 'keep' ? 'end' : asked;
    const chunks = [Buffer.from(response.bytes, 'latin1')];
    return { chunks, ending: after, status: 0, text: undefined, hasLength: false };
  }
  const plain = Buffer.from(spellOut(response.body, secrets, /^[[{]/.test(response.body)), response.charset);
  const [encoded, encodingHeader] = (ENCODINGS[response.encoding] as Wrapped)(plain);
  const [framed, framingHeaders] = (FRAMINGS[response.framing] as Wrapped)(encoded);
  const lines = [...response.headers, ...encodingHeader, ...framingHeaders]
    .map(([name, value]) => `${name}: ${spellOut(value, secrets, false).replace(/\p{C}/gu, '')}\r\n`)
    .join('');
  const head = Buffer.from(`${response.version} ${response.status} X\r\n${lines}\r\n`, 'latin1');
  const whole = Buffer.concat([head, framed]);
  // A hanging response withholds its last byte. Otherwise it would be complete.
  const most = asked === 'hang' ? whole.length - 1 : whole.length;
  const sent = whole.subarray(0, Math.min(most, Math.ceil(whole.length * response.cut)));
  // The library ignores a byte order mark, as RFC 8259 section 8.1 allows.
  const read = readable(response, plain, sent.length - head.length, whole.length - sent.length);
  const endsItself =
    SOUND_FRAMINGS.includes(response.framing) && response.cut === 1 && response.status >= 200;
  return {
    chunks: split(sent, response.pieces),
    ending: asked === 'keep' && !endsItself ? 'end' : asked,
    status: response.status,
    text: read?.replace(/^\ufeff/, ''),
    hasLength: response.framing !== 'until close',
  };
}

/** The text that a client reads. For ambiguous framing, the text that a client would read if it accepts the framing. */
function readable(response: HTTPResponse, plain: Buffer, bodyBytes: number, missing: number) {
  const { framing, encoding, status: sent } = response;
  const isPlain = encoding === 'identity';
  if (sent < 200 || bodyBytes < 0) return undefined;
  if (sent === 204 || sent === 304) return '';
  if (!SOUND_ENCODINGS.includes(encoding)) return plain.length === 0 ? '' : undefined;
  if (framing === 'length too short')
    return isPlain ? plain.subarray(0, plain.length >> 1).toString() : undefined;
  if (framing === 'length too long' || framing === 'chunked broken') return undefined;
  if (missing === 0) return plain.toString();
  return framing === 'until close' && isPlain ? plain.subarray(0, bodyBytes).toString() : undefined;
}

type Plan = Readonly<Partial<Record<Step, readonly HostileResponse[]>>>;

/** A login, or a call with a token, with generated responses from the network. */
export interface ResponsesRun {
  /** Index among the subject's calls; -1 for a login. */
  readonly call: number;
  readonly plan: Plan;
  readonly allowsRetries: boolean;
  /** Whether the user logs in whenever the responses allow it; otherwise a failure is fine, too. */
  readonly isExact?: boolean;
}

/** Replacements for an ID: invalid IDs, and IDs that a parser could change. */
const IDENTIFIERS = [
  ...NUMBERS,
  ...words('4503599627370496.4 9007199254740993.0 0900719925474099 null true [1] {"a":1} "1" constructor'),
  '1 ',
  '\\u0031',
  '\\ud800',
  '',
];

/** Honest responses with every ID replaced by the same string, so that comparing the IDs does not detect it. */
function wrongIDs(subject: Subject): fc.Arbitrary<Plan> {
  const steps = subject.steps.filter((step) => step !== 'request-token');
  return fc
    .record({ identifier: one(...IDENTIFIERS), isNamed: fc.boolean() })
    .map(({ identifier, isNamed }) => {
      const responses = steps.map((step) => {
        const honest = bodyText(subject.honest[step]?.(1) ?? {});
        const isAnonymous = step === 'token' && !isNamed;
        const body = isAnonymous ? honest.replace(/"(user_id|open_id)":/, '"nobody":') : honest;
        return [step, [plainResponse(body.replaceAll(user(1).id, () => identifier))]];
      });
      return Object.fromEntries(responses) as Plan;
    });
}

/** An honest response with a new token each time. */
const FRESH_REQUEST_TOKEN =
  'oauth_token=«newToken:plain»&oauth_token_secret=x0123456789&oauth_callback_confirmed=true';

/** Runs with hostile responses from a random step on. The earlier steps are honest. */
export function responseRuns(subject: Subject): fc.Arbitrary<ResponsesRun> {
  const responses = (step: Step) => {
    const honest = step === 'request-token' ? FRESH_REQUEST_TOKEN : (subject.honest[step]?.(1) ?? {});
    return fc.array(responsesTo(honest), { minLength: 1, maxLength: 2 });
  };
  const allowsRetries = mostly(3_999, false, just(true));
  const runs = (call: number, plan: fc.Arbitrary<Plan>) =>
    fc.record({ call: just(call), plan, allowsRetries });
  const logins = subject.steps.map((step, index) => {
    const later = subject.steps.slice(index + 1);
    const rest = later.map((name) => [name, fc.option(responses(name), { nil: undefined, freq: 2 })]);
    const plan = fc
      .record({ [step]: responses(step), ...Object.fromEntries(rest) })
      .map((all) => Object.fromEntries(Object.entries(all).filter(([, list]) => list !== undefined)));
    return [20, runs(-1, plan as fc.Arbitrary<Plan>)] as const;
  });
  const calls = subject.calls.map(({ step }, call) => {
    const plan = fc.record({ [step]: responses(step) }) as fc.Arbitrary<Plan>;
    return [8, runs(call, plan)] as const;
  });
  const honest = just(exactly({}));
  return either<ResponsesRun>(...logins, ...calls, [2, runs(-1, wrongIDs(subject))], [2, honest]);
}

/** The network has to be asked for the first step of the plan. */
const exactly = (plan: Plan, call = -1): ResponsesRun => ({ call, plan, allowsRetries: true, isExact: true });

/** An endpoint of OAuth 1.0a that the application may not use. */
const CLOSED = [{ ...plainResponse('{}'), status: 403 }];

/** Runs in which one response is nested to about the most levels that are read, or far beyond, and the others are honest. */
export function depthRuns(subject: Subject): fc.Arbitrary<ResponsesRun> {
  const wire = { framing: one(...SOUND_FRAMINGS), encoding: one(...SOUND_ENCODINGS) };
  const steps = [...subject.steps, ...subject.calls.map(({ step }) => step)];
  const places = steps.flatMap((step, index) => {
    const call = index < subject.steps.length ? -1 : index - subject.steps.length;
    const honest = subject.honest[step]?.(1);
    if (typeof honest !== 'object') return [];
    const isFallback = subject.oauth1 && step === 'lookup';
    return fc.tuple(deepBodies(honest), fc.record(wire)).map(([body, framed]) => {
      const response = { ...plainResponse(body), ...framed };
      return exactly({ ...(isFallback && { profile: CLOSED }), [step]: [response] }, call);
    });
  });
  return fc.oneof(...places);
}

/** Logins over OAuth 1.0a in which a form ends too early, or one of these forms is whole. */
export function cutRuns({ honest }: Subject): fc.Arbitrary<ResponsesRun> {
  return fc
    .record({
      step: one<Step>('request-token', 'token'),
      order: fc.shuffledSubarray([0, 1, 2, 3], { minLength: 4 }),
      framing: one('until close', 'until close', ...SOUND_FRAMINGS),
      /** The fraction of the bytes to send, and that of the form for which whoever cut it gives the length. */
      cut: mostly(1, 1, fraction),
      length: mostly(2, 1, fraction),
      ending: one<WireResponse['ending']>('end', 'destroy'),
      /** Whether only the token response tells who the user is. */
      isClosed: fc.boolean(),
    })
    .map(({ step, order, length: part, isClosed, ...wire }) => {
      const isFirst = step === 'request-token';
      const pairs = (isFirst ? FRESH_REQUEST_TOKEN : bodyText(honest[step]?.(1) ?? '')).split('&');
      const form = order.flatMap((index) => pairs[index] ?? []).join('&');
      const text = isFirst ? form : form.slice(0, Math.ceil(form.length * part));
      const response = { ...plainResponse(text), ...wire };
      const closed = isClosed && { profile: CLOSED, lookup: CLOSED };
      return exactly({ [step]: [response], ...closed });
    });
}
