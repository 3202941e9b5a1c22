import { formDecode, isObject, percentEncode } from '../../lib/core/http/index.js';
import { linkFrom } from '../../lib/core/profile.js';
import type { Exchange } from '../../test/exchanges/exchange.js';

/** Name -> the values that are harmless. Everything else is replaced. */
type Harmless = Readonly<Record<string, RegExp>>;

const SCOPES = /^[a-z][a-z._]*([ ,][a-z][a-z._]*)*$/;
const FIELDS = /^[\w.]+(,[\w.]+)*$/;

/** What a strategy sends. */
const HARMLESS_PARAMETERS: Harmless = {
  grant_type: /^(authorization_code|refresh_token)$/,
  fields: FIELDS,
  'user.fields': FIELDS,
  'tweet.fields': FIELDS,
  expansions: FIELDS,
  v: /^\d\.\d{1,3}$/,
  lang: /^[a-z]{2}$/,
  skip_status: /^(true|false)$/,
  include_entities: /^(true|false)$/,
  include_email: /^(true|false)$/,
};

/** What a network sends. */
const HARMLESS_MEMBERS: Harmless = {
  token_type: /^(bearer|mac)$/i,
  scope: SCOPES,
  oauth_callback_confirmed: /^(true|false)$/,
  expires_in: /^\d{1,9}$/,
  refresh_expires_in: /^\d{1,9}$/,
  code: /^ok$/,
  deactivated: /^(deleted|banned)$/,
  verified_type: /^(blue|business|government|none)$/,
  subscription_type: /^(Basic|Premium|PremiumPlus|None)$/,
};

/** Codes in error responses, in words or numbers. */
const CODE = /^([a-z]{2,20}(_[a-z]{2,20}){0,5}|\d{1,5})$/;
const HARMLESS_CODES: Harmless = {
  code: CODE,
  error: CODE,
  error_code: CODE,
  error_reason: CODE,
  error_subcode: CODE,
  error_type: CODE,
  status: /^\d{3}$/,
  type: /^about:blank$/,
};

const HARMLESS_HEADERS: Harmless = {
  'content-type': /^[\w.+-]+\/[\w.+-]+(; ?charset=[\w-]+)?$/,
  'retry-after': /^\d{1,6}$/,
  'x-access-level': /^(read|read-write|read-write-directmessages)$/,
  'x-challenge': /^required$/,
  'x-rate-limit-limit': /^\d{1,6}$/,
  'x-rate-limit-remaining': /^\d{1,6}$/,
};

/** Headers of a response that say something about the network; the others are left out. */
export const HEADERS: readonly string[] = [
  ...Object.keys(HARMLESS_HEADERS),
  'location',
  'www-authenticate',
  'x-rate-limit-reset',
  'x-tt-logid',
].sort();

/** Members of an error response in which the network explains it. */
const MESSAGES = 'error error_description error_msg error_text message detail title reason'.split(' ');

const CONFIDENTIAL =
  /token|secret|verifier|password|signature|nonce|session|cookie|ticket|^(sid|hash|key|code)$/i;

/** Readable values for what most records have. Others are named after their member. */
const READABLE: Readonly<Record<string, string>> = {
  first_name: 'GIVEN-NAME',
  last_name: 'FAMILY-NAME',
  name: 'DISPLAY-NAME',
  username: 'username',
  screen_name: 'username',
  domain: 'username',
};

/** Parts of the URLs of pictures that strategies and tests tell apart. */
const URL_WORDS =
  /^(images?|profile|avatar|default|normal|bigger|mini|original|camera|deactivated|size|jpe?g|png|gif|webp|svg|\d{2,4}x\d{2,4})$/i;

/** Where a value stands. */
interface Place {
  /** The step of the exchange: some tokens have fixed values. */
  readonly step: string;
  readonly harmless: Harmless;
  /** Whether it is in an error response, which explains itself in words. */
  readonly isError: boolean;
}

/** The epoch second of `x-rate-limit-reset` in the exchanges. */
const RESET = '1762300800';

/**
 * Replaces what is confidential or personal by fixed values, the same value everywhere by the same one. What is not known to be harmless is
 * replaced. The format stays: digits stay digits, IDs keep their length, URLs and dates their form.
 */
export class Redactor {
  private readonly replacements = new Map<string, string>();
  /** Replaced value -> the name of the first member that had it. */
  private readonly names = new Map<string, string>();
  private readonly counts = new Map<string, number>();
  private readonly vocabulary: ReadonlySet<string>;
  private readonly segments: ReadonlySet<string>;
  private readonly hosts: ReadonlySet<string>;

  private readonly documented: readonly Exchange[];

  /**
   * @param exchanges - All that are known already. Their values, and the words of their error messages, are public.
   * @param folder - `<network>/<version>` of the ones with the same hosts and tokens.
   */
  constructor(exchanges: readonly Exchange[], folder: string) {
    this.documented = exchanges.filter((exchange) => exchange.folder === folder);
    const urls = this.documented.flatMap(({ response }) => stringsIn(response)).filter((text) => isURL(text));
    const parsed = urls.map((url) => new URL(url));
    this.hosts = new Set([
      ...parsed.map(({ hostname }) => hostname),
      ...this.documented.map(({ scope }) => new URL(scope).hostname),
    ]);
    this.segments = new Set(parsed.flatMap(({ pathname }) => pathname.split('/')));
    const errors = exchanges.filter(({ status, expected }) => status >= 400 || expected.outcome === 'error');
    const messages = errors.flatMap(({ response }) => messagesIn(response));
    this.vocabulary = new Set(messages.flatMap(wordsOf).filter((word) => !/\d{4}/.test(word)));
  }

  /** Fixes the value that replaces another one. @returns It. */
  know(original: string, replacement: string, name: string): string {
    if (original !== '') {
      this.replacements.set(original, replacement);
      this.names.set(original, name);
    }
    return replacement;
  }

  /** Notes a value that no file should have. Short ones and scopes are words. */
  watch(value: string, name: string): void {
    if (value.length >= 8 && !SCOPES.test(value)) this.names.set(value, name);
  }

  /** Replaces in a response. */
  response(value: unknown, step: string, isError: boolean): string | object {
    const harmless = isError ? { ...HARMLESS_MEMBERS, ...HARMLESS_CODES } : HARMLESS_MEMBERS;
    const place = { step, harmless, isError };
    if (typeof value === 'object' && value !== null) return this.object(value, place);
    // nock reads a string as JSON if it can.
    if (typeof value !== 'string') return JSON.stringify(this.member('body', value, place));
    const form = /^[\w.%~+-]+=\S*$/.test(value) ? formDecode(value) : undefined;
    if (form === undefined) return this.plainText(value);
    return Object.entries(form)
      .map(([name, text]) => `${this.key(name)}=${percentEncode(this.text(name, text, place))}`)
      .join('&');
  }

  /** Replaces a parameter of a request. */
  parameter(name: string, value: string, step: string): string {
    const harmless = HARMLESS_PARAMETERS;
    if (isHarmless(name, value, harmless)) return value;
    return this.text(name, value, { step, harmless, isError: false });
  }

  /** Replaces in the query of a path. */
  path(path: string, step: string): string {
    const [bare = '', query] = path.split('?');
    if (query === undefined) return path;
    const parameters = [...new URLSearchParams(query)].map(
      ([name, value]) => `${percentEncode(name)}=${percentEncode(this.parameter(name, value, step))}`,
    );
    return `${bare}?${parameters.join('&')}`;
  }

  /** The headers to keep. */
  headers(headers: Readonly<Record<string, string>>, step: string): Record<string, string> {
    const place = { step, harmless: HARMLESS_HEADERS, isError: false };
    const replaced = (name: string, value: string) => {
      if (name === 'x-rate-limit-reset') return RESET;
      return name === 'www-authenticate' ? this.sentence(value) : this.text(name, value, place);
    };
    return Object.fromEntries(
      HEADERS.flatMap((name) => {
        const value = headers[name];
        return value === undefined ? [] : [[name, replaced(name, value)]];
      }),
    );
  }

  /**
   * Looks for the replaced values in a text, in several encodings. Values that the documented exchanges have too are public words.
   *
   * @returns The names of the members that had them.
   */
  leaksIn(text: string): string[] {
    const written = text.toLowerCase();
    const known = JSON.stringify(this.documented).toLowerCase();
    const leaks = [...this.names].filter(([original]) =>
      spellingsOf(original)
        .map((spelling) => spelling.toLowerCase())
        .some((spelling) => written.includes(spelling) && !known.includes(spelling)),
    );
    return [...new Set(leaks.map(([, name]) => name))];
  }

  private object(value: object, place: Place, name = 'body'): object {
    if (Array.isArray(value)) return value.map((item) => this.member(name, item, place));
    const members = Object.entries(value);
    return Object.fromEntries(members.map(([key, item]) => [this.key(key), this.member(key, item, place)]));
  }

  private member(name: string, value: unknown, place: Place): unknown {
    if (typeof value === 'object' && value !== null) return this.object(value, place, name);
    if (typeof value === 'number') return this.number(name, value, place);
    return typeof value === 'string' ? this.text(name, value, place) : value;
  }

  private key(name: string): string {
    const isName = /^[A-Za-z][A-Za-z0-9_.-]{0,39}$/.test(name) && !/\d{5}/.test(name);
    const known = this.replacements.get(name);
    return known ?? (isName ? name : this.replace(name, 'key', 'KEY'));
  }

  private number(name: string, value: number, { harmless }: Place): number {
    if (isHarmless(name, String(value), harmless) || value === 0) return value;
    if (!Number.isInteger(value)) return 1.5;
    const digits = String(Math.abs(value));
    // Parsing rounds long IDs, which come as strings as well.
    const known = [...this.replacements].find(
      ([original]) => /^\d+$/.test(original) && Number(original) === value,
    );
    if (known) return Number(known[1]);
    const isID = /(^|_)u?id$/i.test(name) && value > 0 && digits.length < 17;
    // 10625 -> 10000.
    const rounded = `1${'0'.repeat(digits.length - 1)}`;
    return Math.sign(value) * Number(isID ? this.identifier(digits, name) : rounded);
  }

  private text(name: string, value: string, { step, harmless, isError }: Place): string {
    const known = this.replacements.get(value);
    if (value === '' || (isHarmless(name, value, harmless) && known === undefined)) return value;
    if (known !== undefined) return known;
    if (isError && MESSAGES.includes(name)) return this.sentence(value);
    if (CONFIDENTIAL.test(name)) return this.replace(value, name, this.secret(name, step));
    if (isURL(value)) return this.url(value, name, isError);
    if (/^[^\s@*]+@[^\s@*]+$/.test(value)) return this.replace(value, name, 'person@example.com');
    const date = dateLike(name, value);
    if (date !== undefined) return this.know(value, date, name);
    // The address of an account at VK that chose none.
    const [, numbered] = /^id(\d+)$/.exec(value) ?? [];
    if (numbered !== undefined) {
      const id = this.replacements.get(numbered) ?? this.identifier(numbered, name);
      return this.know(value, `id${id}`, name);
    }
    const readable = READABLE[name.replace(/^display_/, '')];
    if (readable === undefined && isIdentifier(value)) return this.identifier(value, name);
    return this.replace(value, name, readable ?? capitals(name));
  }

  /** The value that the suite's exchanges have for a token. */
  private secret(name: string, step: string): string {
    const usual = this.documented.find((exchange) => exchange.name.endsWith(`/${step}.success`));
    const response = usual?.response;
    const members = typeof response === 'string' ? formDecode(response) : response;
    const value = isObject(members) && Object.hasOwn(members, name) ? members[name] : undefined;
    if (typeof value === 'string' && /[A-Z]-[A-Z]/.test(value)) return value;
    return `${step === 'refresh' ? 'NEW-' : ''}${capitals(name)}`;
  }

  /** Numbers a replacement if other values have it. */
  private replace(original: string, name: string, replacement: string): string {
    const number = this.count(replacement);
    const suffix = replacement === READABLE.username ? `${number}` : `-${number}`;
    return this.know(original, number === 1 ? replacement : replacement.replace(/(?=@|$)/, suffix), name);
  }

  /** How many values have had a replacement, with this one. */
  private count(replacement: string): number {
    const count = (this.counts.get(replacement) ?? 0) + 1;
    this.counts.set(replacement, count);
    return count;
  }

  /** An ID of the same length: digits for digits, letters for anything else. A leading hyphen stays, because it breaks careless software. */
  private identifier(original: string, name: string): string {
    const isUUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(original);
    const form = isUUID
      ? '00000000-0000-4000-8000-000000000000'
      : formOf(original).replaceAll(/(?<!^)[_-]/g, 'x');
    const number = String(this.count(form));
    const end = `${form.slice(0, Math.max(0, form.length - number.length))}${number}`;
    const isNumber = /^0+$/.test(form) && form.length > number.length;
    const replacement = isNumber ? `1${end.slice(1)}` : end;
    const isFree = replacement !== original || form.length === 1;
    return isFree ? this.know(original, replacement, name) : this.identifier(original, name);
  }

  /** @param isError - Whether it may be the type of a problem, which is named in words. */
  private url(original: string, name: string, isError: boolean): string {
    const { protocol, hostname, pathname, search, hash } = new URL(original);
    // A link to this machine is one for profiles. It stays one at the host that replaces it.
    const scheme = linkFrom(original) === undefined ? protocol : 'https:';
    const words = isError ? this.vocabulary : new Set<string>();
    const path = pathname
      .split('/')
      .map((segment) => (this.segments.has(segment) ? segment : partsOf(segment, words)));
    const query = search
      .slice(1)
      .split('&')
      .map((pair) => {
        const [parameter = '', value = ''] = pair.split('=', 2);
        const shown = /^[a-z][\w-]{0,30}$/i.test(parameter) ? parameter : formOf(parameter);
        return pair.includes('=') ? `${shown}=${partsOf(value)}` : shown;
      });
    const redacted = [
      `${scheme}//${this.host(hostname)}${path.join('/')}`,
      search && `?${query.join('&')}`,
      hash && '#x',
    ].join('');
    const count = this.count(redacted);
    const numbered = redacted.replace(/(?=(\.\w+)?([?#]|$))/, `-${count}`);
    return this.know(original, count === 1 ? redacted : numbered, name);
  }

  private host(hostname: string): string {
    if (this.hosts.has(hostname)) return hostname;
    const labels = hostname.split('.');
    const domain = labels.slice(-2).join('.');
    const isKnown = [...this.hosts].some((host) => host === domain || host.endsWith(`.${domain}`));
    if (!isKnown || /^[\d.]+$/.test(hostname)) return 'www.example.com';
    return [...labels.slice(0, -2).map(formOf), domain].join('.');
  }

  /** Keeps the words that known error messages have. */
  private sentence(text: string): string {
    // A terminal would obey control characters.
    return text.replace(/\p{C}+/gu, ' ').replace(/[\p{L}\p{N}_]+/gu, (word) => {
      if (this.vocabulary.has(word.toLowerCase())) return word;
      if (!/^[A-Za-z]+$/.test(word)) this.watch(word, 'an error message');
      return /^\d+$/.test(word) ? '0'.repeat(word.length) : 'WORD';
    });
  }

  private plainText(text: string): string {
    if (text.trim() === '') return text;
    if (/^\s*<(!doctype|html)/i.test(text)) return '<!DOCTYPE html><html><body>PAGE</body></html>';
    return text.length <= 1_000 ? this.sentence(text) : 'TEXT';
  }
}

function isHarmless(name: string, value: string, harmless: Harmless): boolean {
  return Object.hasOwn(harmless, name) && (harmless[name]?.test(value) ?? false);
}

function isURL(text: string): boolean {
  return /^https?:\/\/\S+$/i.test(text) && URL.canParse(text);
}

/** A long word, or digits: no name and no sentence. */
function isIdentifier(text: string): boolean {
  return /^\d+$/.test(text) || text.includes('*') || /^[\w~.!+/=-]{16,}$/.test(text);
}

/** `x` for a letter; for a digit as well, unless there are only digits: where an ID has digits and capitals could give it away. */
function formOf(text: string): string {
  const character = /\p{L}/u.test(text) ? 'x' : '0';
  return text
    .replaceAll(/%[\da-f]{2}/gi, 'x')
    .replaceAll(/[\p{L}\p{N}]/gu, character)
    .replaceAll(/[^x0\s~.!*+/=_@-]/gu, 'x');
}

/** Like {@link formOf}, but for these words and the parts that matter in URLs of pictures. */
function partsOf(segment: string, words: ReadonlySet<string> = new Set()): string {
  return segment.replaceAll(/[^_.~-]+/g, (part) =>
    URL_WORDS.test(part) || words.has(part.toLowerCase()) ? part : formOf(part),
  );
}

/** `access_token` -> `ACCESS-TOKEN`. */
function capitals(name: string): string {
  return name.toUpperCase().replaceAll(/[^A-Z0-9]+/g, '-');
}

/** The same moment in every format; `undefined` if it is no date. */
function dateLike(name: string, text: string): string | undefined {
  if (/^\d{4}-\d\d-\d\d(T[\d:.]+(Z|[+-]\d\d:?\d\d))?$/.test(text)) {
    return text
      .replace(/^\d{4}-\d\d-\d\d/, '2000-01-01')
      .replace(/T[\d:.]+/, (time) => time.replaceAll(/\d/g, '0'))
      .replace(/[+-]\d\d:?\d\d$/, (zone) => zone.replaceAll(/\d/g, '0'));
  }
  if (/^[A-Z][a-z]{2} [A-Z][a-z]{2} \d\d [\d:]{8} [+-]\d{4} \d{4}$/.test(text)) {
    return 'Sat Jan 01 00:00:00 +0000 2000';
  }
  if (!/^\d{1,2}\.\d{1,2}(\.\d{4})?$/.test(text)) return undefined;
  // Without leading zeros, the number of digits would tell something about the day.
  const day = name === 'bdate' ? '1.1' : '01.01';
  return /\d{4}$/.test(text) ? `${day}.2000` : day;
}

/** How a value could be written: as it is, in JSON, in a URL, in base64 and in hexadecimal. Short values are left out: they are in everything. */
function spellingsOf(original: string): string[] {
  if (original.length < 5) return [];
  const bytes = Buffer.from(original);
  const encoded = [0, 1, 2]
    .map((offset) => Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64'))
    .map((text, offset) => text.slice(offset === 0 ? 0 : 4).replace(/.{0,2}=*$/, ''))
    .filter((text) => text.length > 6);
  return [
    original,
    JSON.stringify(original).slice(1, -1),
    encodeURIComponent(original),
    percentEncode(original),
    bytes.toString('hex'),
    ...encoded,
    ...encoded.map((text) => text.replaceAll('+', '-').replaceAll('/', '_')),
  ];
}

function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}

/** The text of an error response, or its messages. */
function messagesIn(value: unknown, name = 'error'): string[] {
  if (typeof value === 'string') return MESSAGES.includes(name) || name === 'type' ? [value] : [];
  if (Array.isArray(value)) return value.flatMap((item) => messagesIn(item, name));
  return isObject(value) ? Object.entries(value).flatMap(([key, item]) => messagesIn(item, key)) : [];
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];
}
