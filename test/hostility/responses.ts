import { brotliCompressSync, constants, deflateSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { ProviderError } from '../../lib/index.js';
import { shownBy } from '../contract/eavesdropper.js';
import { Browser } from '../support/browser.js';
import type { NamedStrategy } from '../support/login-app.js';
import {
  bodiesOf,
  echoed,
  either,
  fraction,
  type Generated,
  just,
  mostly,
  NUMBERS,
  one,
  words,
} from './arbitraries.js';
import { Application, type Ending, verifyAnyone } from './world/application.js';
import type { RenderedResponse, ServedResponse, WireResponse } from './world/network.js';
import { CANARIES, secretsShown, spellOut } from './world/secrets.js';
import {
  belongingTo,
  bodyText,
  callbackQuery,
  type HonestBody,
  idOf,
  keyOf,
  type Step,
  type Subject,
  stepsOf,
  strategyOf,
  type TokenCall,
  textOf,
} from './world/subjects.js';
import { expectNoSecrets, nextTurns, Violation, type World } from './world/world.js';

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
type HostileResponse = HTTPResponse | Generated<typeof bytes>;

function plainResponse(body: string): HTTPResponse {
  const head = { version: 'HTTP/1.1', status: 200 } as const;
  const wire = { charset: 'utf8', encoding: 'identity', framing: 'length', ending: 'keep' } as const;
  return { kind: 'http', ...head, headers: [], body, ...wire, cut: 1, pieces: 1 };
}

/** Renders a response. @param secrets - Secrets by name, for its echoes. */
function render(response: HostileResponse, secrets: Readonly<Record<string, string>>): RenderedResponse {
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
  const steps = stepsOf(subject).filter((step) => step !== 'request-token');
  return fc
    .record({ identifier: one(...IDENTIFIERS), isNamed: fc.boolean() })
    .map(({ identifier, isNamed }) => {
      const responses = steps.map((step) => {
        const honest = bodyText(subject.honest[step]?.(1) ?? {});
        const isAnonymous = step === 'token' && !isNamed;
        const body = isAnonymous ? honest.replace(/"(user_id|open_id)":/, '"nobody":') : honest;
        return [step, [plainResponse(body.replaceAll(idOf(1), () => identifier))]];
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
    const hostile = either<HostileResponse>([12, http(honest)], [1, bytes]);
    return fc.array(hostile, { minLength: 1, maxLength: 2 });
  };
  const allowsRetries = mostly(3_999, false, just(true));
  const runs = (call: number, plan: fc.Arbitrary<Plan>) =>
    fc.record({ call: just(call), plan, allowsRetries });
  const steps = stepsOf(subject);
  const logins = steps.map((step, index) => {
    const later = steps.slice(index + 1);
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
  const honest = just<ResponsesRun>({ call: -1, plan: {}, allowsRetries: true, isExact: true });
  return either<ResponsesRun>(...logins, ...calls, [2, runs(-1, wrongIDs(subject))], [2, honest]);
}

/** Determines which user a network's responses log in. @returns The only token that verify may receive and the only user, or the reason why no user may log in. */
function expectedLogin(title: string, served: readonly ServedResponse[]) {
  const last = (step: ServedResponse['step']) => served.findLast((response) => response.step === step);
  const token = success(last('token'));
  const profile = success(last('profile'));
  if (token === undefined) return 'no usable token response';
  if (title === 'microblog-1-0' && !last('token')?.hasLength) return 'a form without a length';
  if (title === 'microblog-1-0')
    return expectedOAuth1Login(token, profile, last('profile'), success(last('lookup')));
  const [tokenResponse, record] = [exactJSON(token), exactJSON(profile ?? '')];
  const accessToken = at(tokenResponse, 'access_token');
  if (typeof accessToken !== 'string' || accessToken === '') return 'no access token';
  const named = at(tokenResponse, title === 'short-video' ? 'open_id' : 'user_id');
  // Without scopes that need the record, the strategy skips the profile request and uses the token response.
  const isSkipped = title === 'short-video' && last('profile') === undefined;
  const id = isSkipped ? identifier(title, named) : identifierIn(title, record);
  if (typeof id !== 'string' || id === '' || !id.isWellFormed()) return 'no ID in the record';
  const isNamed = named !== undefined && named !== null;
  const hasNoID = title === 'microblog' || (!isNamed && title !== 'short-video');
  if (!hasNoID && identifier(title, named) !== id) return 'another ID in the token response';
  return { token: accessToken, id };
}

function identifierIn(title: string, record: unknown): string | undefined {
  if (title === 'short-video') return identifier(title, at(record, 'data', 'user', 'open_id'));
  if (title === 'microblog') return identifier(title, at(record, 'data', 'id'));
  if (title === 'social-network') return identifier(title, at(record, 'response', 0, 'id'));
  return identifier(title, at(record, 'user', 'user_id'));
}

/** Opaque string at two networks; positive integer, as number or string, at the third. */
function identifier(title: string, value: unknown): string | undefined {
  const text = value instanceof Literal ? wholeNumber(value) : value;
  if (title === 'short-video' || title === 'microblog') return typeof value === 'string' ? value : undefined;
  return typeof text === 'string' && /^[1-9]\d*$/.test(text) ? text : undefined;
}

function expectedOAuth1Login(
  token: string,
  profile: string | undefined,
  profileResponse: ServedResponse | undefined,
  lookup: string | undefined,
) {
  const form = new URLSearchParams(token);
  if (new Set(form.keys()).size !== [...form].length) return 'a form with a duplicate name';
  const named = form.get('user_id') ?? '';
  const accessToken = form.get('oauth_token') ?? '';
  if (accessToken === '' || !form.get('oauth_token_secret')) return 'no token credentials';
  const isClosed = [403, 404, 410].includes(profileResponse?.status ?? 0);
  const found = isClosed
    ? (at(exactJSON(lookup ?? ''), 'data', 'id') ?? (lookup === undefined ? wholeID(form) : undefined))
    : credentialsID(exactJSON(profile ?? ''));
  if (typeof found !== 'string' || found === '' || !found.isWellFormed()) return 'no ID';
  if (named !== '' && named !== found) return 'another ID in the token response';
  return { token: accessToken, id: found };
}

/** The ID in a token response: what follows it shows that it was not cut. */
function wholeID(form: URLSearchParams): string | undefined {
  const names = [...form.keys()];
  const isFollowed = names.indexOf('screen_name') > names.indexOf('user_id') && form.get('screen_name');
  const named = form.get('user_id') ?? '';
  return isFollowed && /^\d+$/.test(named) ? named : undefined;
}

/** `id_str`; without it `id`, if JavaScript cannot have rounded it. */
function credentialsID(record: unknown): unknown {
  const text = at(record, 'id_str');
  if (text !== undefined) return text;
  const id = at(record, 'id');
  const isExact =
    id instanceof Literal && /^[1-9]\d*$/.test(id.text) && Number.isSafeInteger(Number(id.text));
  return isExact ? id.text : undefined;
}

function success(response: ServedResponse | undefined): string | undefined {
  return response && response.status >= 200 && response.status <= 299 ? response.text : undefined;
}

/** A number as written, because JavaScript rounds some numbers. */
class Literal {
  constructor(readonly text: string) {}
}

const isContainer = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** A response that is nested deeper is not read. */
const MOST_LEVELS = 64;

/** Parses JSON without recursion and keeps numbers as written. The last property of a name wins. Invalid or too deep: `undefined`. */
function exactJSON(text: string): unknown {
  try {
    let level: unknown[] = [JSON.parse(text)];
    for (let depth = 0; depth < MOST_LEVELS; depth += 1)
      level = level.filter(isContainer).flatMap((value) => Object.values(value));
    if (level.some(isContainer)) return undefined;
  } catch {
    return undefined;
  }
  const root: unknown[] = [];
  const open: (unknown[] | Map<string, unknown>)[] = [root];
  let name: string | undefined;
  const put = (value: unknown) => {
    const owner = open.at(-1) as unknown[] | Map<string, unknown>;
    if (Array.isArray(owner)) owner.push(value);
    else owner.set(name as string, value);
    name = undefined;
  };
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|[-\d][\d.eE+-]*|true|false|null|[{}[\]]/g)) {
    const owner = open.at(-1);
    if (token === '{' || token === '[') {
      const begun = token === '{' ? new Map<string, unknown>() : [];
      put(begun);
      open.push(begun);
    } else if (token === '}' || token === ']') {
      open.pop();
    } else if (owner instanceof Map && name === undefined) {
      name = JSON.parse(token) as string;
    } else {
      put(/^[-\d]/.test(token) ? new Literal(token) : JSON.parse(token));
    }
  }
  return root[0];
}

function at(value: unknown, ...path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>((found, step) => {
    if (found instanceof Map) return found.get(String(step));
    return Array.isArray(found) ? found[step as number] : undefined;
  }, value);
}

/** The exact integer value of a literal; `undefined` if it has a fraction or is huge. */
function wholeNumber({ text }: Literal): string | undefined {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? [];
  const shift = Number(exponent) - fraction.length;
  if (Math.abs(shift) > 400) return undefined;
  const all = whole + fraction;
  const moved = shift >= 0 ? all + '0'.repeat(shift) : all.padStart(1 - shift, '0').slice(0, shift);
  const rest = shift >= 0 ? '' : all.padStart(1 - shift, '0').slice(shift);
  return /[^0]/.test(rest) ? undefined : sign + String(BigInt(moved));
}

/** Request timeouts in milliseconds. `usual` is too short for a retry. */
const DEADLINES = { usual: 190, hanging: 40, retrying: 2_000 };
/** Milliseconds after which a call counts as hanging, and a connection as left. */
const TIME_LIMIT = 16_000;
const OWNER = 1;

export function checksOfResponses(world: World, subject: Subject) {
  const { network, agent } = world;
  let verified: { readonly token: string; readonly id: string }[] = [];

  const make = (timeout: number): readonly [Application, NamedStrategy] => {
    const verify = verifyAnyone((token, id) => verified.push({ token, id }));
    const strategy = strategyOf(subject, network.url, verify, { timeout, agent });
    return [new Application([strategy]), strategy];
  };
  const { usual, hanging, retrying } = DEADLINES;
  const applications = { usual: make(usual), hanging: make(hanging), retrying: make(retrying) };

  const checkLogin = async (application: Application, { isExact = false }: ResponsesRun) => {
    const { title } = subject;
    const browser = new Browser();
    const start = await application.run(title, { url: '/login', browser });
    const key = start.kind === 'redirect' ? keyOf(start.location) : undefined;
    const isComplete = network.served().every(({ text, hasLength }) => hasLength && text !== undefined);
    if (isExact && (key !== undefined) !== isComplete)
      throw new Violation('wrongOutcomes', `a login starts: ${!isComplete}; ${shownBy(start.error)}`);
    if (key === undefined) return checkEnding(start, start);
    network.registerState(key);
    const url = `/callback?${textOf(callbackQuery(subject, key, OWNER))}`;
    const ending = await application.run(title, { url, browser });
    checkEnding(start, ending);
    checkUser(ending, isExact);
    // A repeated or overlong request token does not use up the pending login.
    const { code } = (ending.info ?? {}) as { code?: string };
    const isUsed = code !== 'used_login' && code !== 'malformed_response';
    if (isUsed && browser.cookies().length > 0) {
      throw new Violation('wrongOutcomes', 'the browser keeps the cookie of a used login');
    }
  };

  const checkEnding = (start: Ending, { kind, error, info, headers }: Ending) => {
    const fresh = network.fresh();
    const requests = network.requests();
    const verifiers = requests.map(({ form }) => form.get('code_verifier') ?? '').filter(Boolean);
    expectNoSecrets('the start', secretsShown(withoutKey(start.location), verifiers));
    expectNoSecrets('a URL', secretsShown(requests.map(({ url }) => url).join('\n'), fresh));
    if (kind !== 'success' && kind !== 'redirect') {
      const shown = [error, info, { ...headers }].map(shownBy).join('\n');
      expectNoSecrets('the outcome', secretsShown(shown, fresh));
    }
    if (kind === 'error') expectProviderError(error);
    if (kind === 'passed') throw new Violation('wrongOutcomes', 'the request passed without a login');
  };

  const checkUser = (ending: Ending, isExact: boolean) => {
    const [login, ...others] = verified;
    if (others.length > 0) throw new Violation('wrongOutcomes', 'verify was called twice');
    const expected = expectedLogin(subject.title, network.served());
    const isRight =
      typeof expected !== 'string' && expected.token === login?.token && expected.id === login.id;
    if (login && !isRight) {
      throw new Violation('wrongUsers', `${JSON.stringify(login)} logged in; ${JSON.stringify(expected)}`);
    }
    if ((ending.kind === 'success') !== (login !== undefined)) {
      const called = `verify ${login ? 'was' : 'was not'} called`;
      throw new Violation('wrongOutcomes', `${called}, and the outcome is ${ending.kind}`);
    }
    if (!isExact || login) return;
    const { code } = (ending.error ?? {}) as { code?: string };
    // On a busy machine.
    if (code !== 'timeout' && typeof expected !== 'string')
      throw new Violation('wrongOutcomes', `a login ends in ${shownBy(ending)}; ${JSON.stringify(expected)}`);
  };

  const checkCall = async ({ name, call }: TokenCall, strategy: NamedStrategy) => {
    const token = name === 'refresh' ? CANARIES.refreshToken : CANARIES.accessToken;
    let timer: NodeJS.Timeout | undefined;
    const onTime = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Violation('hangs', 'a call did not end')), TIME_LIMIT);
    });
    const ended = call(strategy, belongingTo(token, OWNER)).then(
      () => undefined,
      (thrown: unknown) => ({ thrown }),
    );
    const failed = await Promise.race([ended, onTime]).finally(() => clearTimeout(timer));
    if (!failed) return;
    expectNoSecrets("a call's error", secretsShown(shownBy(failed.thrown), network.fresh()));
    expectProviderError(failed.thrown);
  };

  return async (run: ResponsesRun): Promise<void> => {
    const all = Object.entries(run.plan);
    const script = all.map(([step, list]) => [
      step,
      list.map((response) => (secrets: Record<string, string>) => render(response, secrets)),
    ]);
    network.startRun(Object.fromEntries(script), subject.title);
    verified = [];
    const hangs = all.some(([, list]) => list.some(({ ending }) => ending === 'hang'));
    const [application, strategy] =
      applications[hangs ? 'hanging' : run.allowsRetries ? 'retrying' : 'usual'];
    const call = subject.calls[run.call];
    if (call) await checkCall(call, strategy);
    else await checkLogin(application, run);
    const end = Date.now() + TIME_LIMIT;
    const isBusy = () => Object.keys(agent.sockets).length > 0;
    while (isBusy() && Date.now() < end) await nextTurns();
    if (isBusy()) throw new Violation('socketsLeft', 'a connection stays busy');
    if (network.hostileResponses() > 0) agent.destroy();
    await world.settle(application.secondOutcomes, network.fresh());
    world.counted += network.hostileResponses();
  };
}

export function expectProviderError(error: unknown): void {
  if (!(error instanceof ProviderError))
    throw new Violation('wrongOutcomes', `not a ProviderError: ${shownBy(error)}`);
}

/** A redirect's URL without the request token, which the network chooses. */
function withoutKey(location: string): string {
  if (location === '') return '';
  const url = new URL(location);
  url.searchParams.delete('oauth_token');
  return url.href;
}
