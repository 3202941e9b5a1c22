import { type Agent, validateHeaderName, validateHeaderValue } from 'node:http';
import { asciiURL, isOnlyHere, isThisMachine, parseURL } from '../hosts.js';
import { isObject } from '../http/index.js';
import { BLANK, missingIn, nearest, problemInURL } from '../spelling.js';

/** Rejects a value. @param problem - Completes the sentence "option NAME ...". */
type Refuse = (problem: string) => never;

/** Makes a setting of a value that is not `undefined`; returns `undefined` where the value means "left out". */
export type Kind<T> = (value: unknown, refuse: Refuse) => T | undefined;

export interface Option<T> {
  readonly kind: Kind<T>;
  readonly spellings: readonly string[];
  readonly standard: T | undefined;
  /** What it is, as a sentence without its full stop, if it must not be left out. */
  readonly required: string | undefined;
  /** Whether it sets nothing, so that no other name is a misspelling of it. */
  readonly isInert: boolean;
  /** Whether a value is meant for this option: other configurations have its name, too. */
  readonly isMeant: (value: unknown) => boolean;
}

export type OptionTable = Readonly<Record<string, Option<unknown>>>;

export type Settings<Table extends OptionTable> = {
  [Name in keyof Table]: Table[Name] extends Option<infer T> ? T : never;
};

/** Everything is there, so that nothing is looked up on Object.prototype. */
const OPTION = {
  spellings: [],
  standard: undefined,
  required: undefined,
  isInert: false,
  isMeant: (_value: unknown) => true,
};

export function optional<T>(kind: Kind<T>, ...spellings: string[]): Option<T | undefined> {
  return { ...OPTION, kind, spellings };
}

export function withDefault<T>(kind: Kind<T>, standard: T, ...spellings: string[]): Option<T> {
  return { ...OPTION, kind, standard, spellings };
}

/** @param what - What it is, as a sentence without its full stop. */
export function required<T>(kind: Kind<T>, what: string, ...spellings: string[]): Option<T> {
  return { ...OPTION, kind, required: what, spellings };
}

/** @param problem - Of any other value. */
export function constant(allowed: readonly unknown[], problem: string): Option<undefined> {
  const kind: Kind<undefined> = (value, refuse) => (allowed.includes(value) ? undefined : refuse(problem));
  return { ...OPTION, kind, isInert: true };
}

/** An option of others whose loss would change what a login does or protects. @param note - What to write instead. */
export function notTaken(note: string, isMeant = OPTION.isMeant): Option<undefined> {
  return { ...constant([null, ''], `is not taken: ${note}`), isMeant };
}

/** @param strategy - The class's name. @param problem - Completes the sentence "option NAME ...". */
export function mistake(strategy: string, option: string, problem: string): TypeError {
  return new TypeError(`${strategy}: option ${option} ${problem}${problem.endsWith('?') ? '' : '.'}`);
}

/**
 * Reads the options of one strategy. Names that resemble no option are ignored with a warning, because some frameworks hand a strategy all of
 * their configuration.
 *
 * @throws TypeError that names strategy, option and what to do.
 */
export function readOptions<Table extends OptionTable>(strategy: string, given: unknown, table: Table) {
  if (!isObject(given))
    throw new TypeError(
      `${strategy} requires an options object as its first argument: { clientID, clientSecret, ... }`,
    );
  const options = Object.entries(table);
  const spellings = options.flatMap(spellingsOf);
  // The getters of a class instance are inherited. A property added to Object.prototype is no option.
  const inherited = spellings.filter((name) => name in given && !(name in Object.prototype));
  const names = new Set([...Object.keys(given), ...inherited]);
  const values = new Map(Array.from(names, (name) => [name, given[name]]));
  const isGiven = (name: string) => values.get(name) !== undefined;
  const ignored = [...names].filter((name) => isGiven(name) && !spellings.includes(name));
  const known = options.filter(([, { isInert }]) => !isInert).flatMap(spellingsOf);
  for (const name of ignored) {
    // What other libraries and the networks call it.
    const meant = /^redirect[\W_]*ur[il]$/i.test(name) ? 'callbackURL' : nearest(name, known);
    if (meant !== undefined) throw mistake(strategy, name, `is unknown. Did you mean ${meant}?`);
  }
  const settings: Record<string, unknown> = {};
  for (const [name, option] of options) {
    const spelt = [...names].filter((spelling) => spellingsOf([name, option]).includes(spelling));
    const [first = name, ...others] = spelt.filter(isGiven);
    const value = values.get(first);
    const other = others.find((spelling) => values.get(spelling) !== value);
    if (other !== undefined) {
      throw new TypeError(
        `${strategy}: options ${first} and ${other} are two spellings of one option, and their values differ. Give one of them.`,
      );
    }
    const refuse: Refuse = (problem) => {
      throw mistake(strategy, name, problem);
    };
    const isOurs = value !== undefined && option.isMeant(value);
    if (value !== undefined && !isOurs) ignored.push(first);
    settings[name] = (isOurs ? option.kind(value, refuse) : undefined) ?? option.standard;
    if (settings[name] !== undefined || option.required === undefined) continue;
    const problem = spelt.length > 0 ? 'is undefined. Is the environment variable set?' : 'is required.';
    throw mistake(strategy, spelt[0] ?? name, `${problem} ${option.required}`);
  }
  if (settings.allowSandbox !== true && process.env.NODE_ENV === 'production')
    rejectSandbox(strategy, settings, table);
  if (ignored.length > 0) {
    process.emitWarning(
      `${strategy} has no option ${ignored.join(', ')}, and ignores what it does not know. What is meant for passport.authenticate, such as session, has to be given there.`,
    );
  }
  return settings as Settings<Table>;
}

const spellingsOf = ([name, { spellings }]: [string, Option<unknown>]) => [name, ...spellings];

/** Everybody has the sandbox's credentials, and anyone logs in there as anyone. One of its IDs is Base64. */
const OF_SANDBOX = /sandbox|c2FuZGJveC/i;

function rejectSandbox(strategy: string, settings: object, table: OptionTable): void {
  const remedy =
    'and NODE_ENV is production. Give the credentials and URLs of the network, or, if a sandbox is meant, allowSandbox: true';
  for (const [name, value] of Object.entries(settings)) {
    const kind = table[name]?.kind;
    if (typeof value !== 'string') continue;
    if (kind === endpoint && isOnlyHere(new URL(value)))
      throw mistake(strategy, name, `is on this machine, ${remedy}`);
    if ((kind === credential || kind === numericID) && OF_SANDBOX.test(value))
      throw mistake(strategy, name, `is the sandbox's, ${remedy}`);
  }
}

type Ruled<T> = Readonly<Record<'authorizationURL' | 'tokenURL' | 'profileURL', T>>;
/** Throws for what contradicts the network's rules; another server may have others, so there it warns. @param table - Has the network's URLs. */
export function throwUnlessElsewhere(error: Error, settings: Ruled<string>, table: Ruled<Option<string>>) {
  const isOwn = (name: keyof Ruled<string>) =>
    new URL(settings[name]).host === new URL(table[name].standard ?? '').host;
  if (isOwn('authorizationURL') && isOwn('tokenURL') && isOwn('profileURL')) throw error;
  process.emitWarning(error.message);
}

export function valid<T>(isValid: (value: unknown) => boolean, problem: string): Kind<T> {
  return (value, refuse) => (isValid(value) ? (value as T) : refuse(problem));
}

export const flag = valid<boolean>((value) => typeof value === 'boolean', 'must be true or false');

export const count = valid<number>(
  (value) => Number.isInteger(value) && Number(value) >= 0,
  'must be a whole number of at least 0',
);

export const milliseconds = valid<number>(
  // setTimeout takes no more than 2^31 - 1.
  (value) => typeof value === 'number' && value > 0 && value <= 2_147_483_647,
  'must be a positive number of milliseconds',
);

export const agent = valid<Agent>(
  // Not every proxy agent extends http.Agent, but all of them have its addRequest.
  (value) => typeof (value as { addRequest?: unknown } | null)?.addRequest === 'function',
  'must be an http.Agent or https.Agent',
);

export const callable = <T>() => valid<T>((value) => typeof value === 'function', 'must be a function');

export const oneOf = <T extends string>(...allowed: readonly T[]) =>
  valid<T>(
    (value) => allowed.includes(value as T),
    `must be one of ${allowed.map((word) => `'${word}'`).join(', ')}`,
  );

/** A string that was not made of a missing value. */
export const text: Kind<string> = (value, refuse) => {
  if (typeof value !== 'string' || value.trim() === '') return refuse('must be a non-empty string');
  const missing = missingIn(value);
  return missing === undefined ? value : refuse(missing);
};

/** A string without white space: a key copied with its line end is the usual mistake. */
export const credential: Kind<string> = (value, refuse) => {
  const given = text(value, refuse) ?? '';
  const again = 'Copy it from the network again';
  if (/\s/.test(given)) return refuse(`contains white space. ${again}, without spaces or line ends`);
  if (given.isWellFormed()) return given;
  return refuse(`contains half of a character, which cannot be sent. ${again}`);
};

/** Of a network whose IDs are numbers: a whole number that JavaScript does not round becomes its digits. */
export const numericID: Kind<string> = (value, refuse) =>
  Number.isSafeInteger(value) && Number(value) > 0 ? String(value) : credential(value, refuse);

/** A string or an array of strings, split at commas and white space, without duplicates. `''` and `null` mean "left out", as in passport-oauth2. */
export const list: Kind<readonly string[]> = (value, refuse) => {
  if (value === null || value === '') return undefined;
  const words = [value].flat().flatMap((part) => {
    if (typeof part !== 'string') return refuse('must be a string or an array of strings');
    return part.split(/[\s,]+/).filter(Boolean);
  });
  const missing = words.map(missingIn).find((problem) => problem !== undefined);
  return missing === undefined ? [...new Set(words)] : refuse(missing);
};

/** A list of names that the network documents. @param notes - The network's own name, or a sentence -> names that other packages have. */
export const namesOf =
  (known: readonly string[], notes: Readonly<Record<string, string>> = {}): Kind<readonly string[]> =>
  (value, refuse) => {
    const found = list(value, refuse);
    const unknown = found?.find((name) => !known.includes(name));
    if (unknown === undefined) return found;
    const note = unknown.startsWith('custom_field_')
      ? 'It is no field of the network: leave it out'
      : Object.keys(notes).find((text) => notes[text]?.split(' ').includes(unknown));
    const meant = nearest(unknown, known);
    const otherwise = meant === undefined ? `There are ${known.join(', ')}` : `Did you mean ${meant}?`;
    const remedy = note && known.includes(note) ? `The network calls it '${note}'` : (note ?? otherwise);
    return refuse(`names '${unknown}', which the network does not have. ${remedy}`);
  };

/** A URL: https, or http on this machine. @param isLocal - Which hosts that is. */
const address =
  (isLocal: (url: URL) => boolean): Kind<string> =>
  (value, refuse) => {
    const given = text(value, refuse) ?? '';
    const problem = problemInURL(given);
    if (problem !== undefined) return refuse(problem);
    const url = BLANK.test(given) ? undefined : parseURL(given);
    if (!url) return refuse('must be an absolute URL such as https://example.com/path');
    if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLocal(url)))
      return refuse('must begin with https:// (http is for a sandbox on this machine only)');
    if (url.username || url.password || url.hash)
      return refuse('must hold neither a user name, nor a password, nor a fragment');
    return asciiURL(given);
  };

/** RFC 6749 section 3.1. */
export const endpoint = address(isThisMachine);

export const url = (standard: string, ...spellings: string[]) =>
  withDefault(endpoint, standard, ...spellings);

/** The origin of an application. @param isLocal - Hosts that may have http. */
export const origin =
  (isLocal: (url: URL) => boolean): Kind<string> =>
  (value, refuse) => {
    const url = new URL(address(isLocal)(value, refuse) ?? '');
    if (url.pathname === '/' && url.search === '') return url.origin;
    return refuse('must be an origin without a path or a query, such as https://your.domain');
  };

/** Header names in lower case, so that no header is sent twice in two spellings. `null` means "left out". */
export const headers: Kind<Readonly<Record<string, string>>> = (value, refuse) => {
  if (value === null) return undefined;
  if (!isObject(value) || !Object.values(value).every((header) => typeof header === 'string'))
    return refuse('must be an object of header names and strings');
  const entries = Object.entries(value as Record<string, string>);
  try {
    for (const [name, header] of entries) {
      validateHeaderName(name);
      validateHeaderValue(name, header);
    }
  } catch {
    return refuse('has a name or value that no header can have');
  }
  return Object.fromEntries(entries.map(([name, header]) => [name.toLowerCase(), header]));
};
