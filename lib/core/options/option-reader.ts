import { type Agent, validateHeaderName, validateHeaderValue } from 'node:http';
import { isThisMachine, parseURL } from '../hosts.js';
import { isObject, stringProperty } from '../http/index.js';
import { missingIn, mostEditsOf, nearest } from '../spelling.js';

/** Options of other packages, and what to write instead. */
const OTHER_PACKAGES: Readonly<Record<string, string>> = {
  clientType: 'the client is confidential with a clientSecret, and public without one',
  fields: 'it is profileFields here, and replaces the default list',
  includeEntities: 'give profileURL with this in its query',
  includeStatus: 'give profileURL with this in its query',
  lang_id: 'give langId to passport.authenticate, when a login starts',
  photoSize: "name the picture in profileFields, for example 'photo_200'",
  ...Object.fromEntries(
    ['prompt', 'provider', 'scheme'].map((name) => [
      name,
      'give it to passport.authenticate, when a login starts',
    ]),
  ),
  requestTokenStore: 'it is store here, with the methods save and take',
  scopeSeparator: 'the network requires one, which is always used',
  session: 'it belongs to passport.authenticate(name, { session: false })',
  sessionKey:
    'a pending login is kept in a cookie of its own, not in the session. To keep two applications on one host apart, give store: cookieLogins({ name })',
  skipExtendedUserProfile: 'it is skipUserProfile here, and profile is then undefined',
};

const UNSET = 'Is the environment variable set?';

/** Reads the options of one strategy. Every mistake is a `TypeError` that names strategy, option and what to do. */
export class OptionReader {
  // No prototype, so that a property added to Object.prototype is not taken for an option.
  private readonly values: Record<string, unknown> = Object.create(null);
  /** Options given as `undefined`, usually from an environment variable that is not set, as they were spelt. */
  private readonly unset = new Map<string, string>();

  /** @param aliases - Other spellings: `{ clientId: 'clientID' }`. @param notes - Explains options that this strategy lacks on purpose. */
  constructor(
    readonly strategy: string,
    given: unknown,
    known: readonly string[],
    aliases: Readonly<Record<string, string>>,
    notes: Readonly<Record<string, string>> = {},
  ) {
    if (!isObject(given)) {
      throw new TypeError(
        `${strategy} requires an options object as its first argument: { clientID, clientSecret, ... }`,
      );
    }
    // The getters of a class instance are inherited, and must not be ignored silently.
    const inherited = [...known, ...Object.keys(aliases)].filter(
      (name) => name in given && !(name in Object.prototype),
    );
    const spellings = new Map<string, string>();
    for (const spelling of new Set([...Object.keys(given), ...inherited])) {
      const name = stringProperty(aliases, spelling) ?? spelling;
      const value = given[spelling];
      if (value === undefined) {
        this.unset.set(name, spelling);
        continue;
      }
      // As in passport-oauth2, also where a protocol has no scopes.
      if (name === 'scope' && (value === null || value === '')) continue;
      if (!known.includes(name)) {
        const note = noteOn(spelling, { ...OTHER_PACKAGES, ...notes });
        const problem = note === undefined ? `unknown. ${suggestion(spelling, known)}` : `not taken: ${note}`;
        throw this.mistake(spelling, `is ${problem}`);
      }
      const other = spellings.get(name);
      if (other !== undefined && this.values[name] !== value) {
        throw new TypeError(
          `${strategy}: options ${other} and ${spelling} are two spellings of one option, and their values differ. Give one of them.`,
        );
      }
      spellings.set(name, spelling);
      this.values[name] = value;
    }
  }

  /** @param problem - Completes the sentence "option NAME ...". */
  mistake(option: string, problem: string): TypeError {
    return new TypeError(`${this.strategy}: option ${option} ${problem}${problem.endsWith('?') ? '' : '.'}`);
  }

  raw(option: string): unknown {
    return this.values[option];
  }

  /** The value of an option, if it is given. @param problem - As for {@link mistake}. */
  read<T>(option: string, isValid: (value: unknown) => boolean, problem: string): T | undefined {
    const value = this.values[option];
    if (value !== undefined && !isValid(value)) throw this.mistake(option, problem);
    return value as T | undefined;
  }

  readonly string = this.kind<string>(
    (value) => typeof value === 'string' && value !== '',
    'must be a non-empty string',
  );
  readonly boolean = this.kind<boolean>((value) => typeof value === 'boolean', 'must be true or false');
  readonly count = this.kind<number>(
    (value) => Number.isInteger(value) && Number(value) >= 0,
    'must be a whole number of at least 0',
  );
  readonly milliseconds = this.kind<number>(
    // setTimeout takes no more than 2^31 - 1.
    (value) => typeof value === 'number' && value > 0 && value <= 2_147_483_647,
    'must be a positive number of milliseconds',
  );
  readonly agent = this.kind<Agent>(
    // Not every proxy agent extends http.Agent, but all of them have its addRequest.
    (value) => typeof (value as { addRequest?: unknown } | null)?.addRequest === 'function',
    'must be an http.Agent or https.Agent',
  );

  private kind<T>(isValid: (value: unknown) => boolean, problem: string) {
    return (option: string) => this.read<T>(option, isValid, problem);
  }

  /** A credential that may be left out, but not given as `undefined`. */
  optionalCredential(option: string): string | undefined {
    const spelling = this.unset.get(option);
    if (spelling === undefined) return this.credential(option);
    throw this.mistake(spelling, `is undefined. ${UNSET} Leave the option out where there is none`);
  }

  requiredCredential(option: string, hint: string): string {
    const value = this.credential(option);
    if (value !== undefined) return value;
    const spelling = this.unset.get(option);
    const problem = spelling === undefined ? 'is required.' : `is undefined. ${UNSET}`;
    throw this.mistake(spelling ?? option, `${problem} ${hint}`);
  }

  /** Like {@link requiredCredential}, for a network whose IDs are numbers: a whole number that JavaScript does not round becomes its digits. */
  requiredNumericID(option: string, hint: string): string {
    const value = this.values[option];
    if (typeof value === 'number' && Number.isSafeInteger(value) && value > 0) return String(value);
    return this.requiredCredential(option, hint);
  }

  /** A string without white space: a key copied with its line end is the usual mistake. */
  credential(option: string): string | undefined {
    const value = this.string(option);
    if (value === undefined) return undefined;
    const missing = missingIn(value);
    if (missing !== undefined) throw this.mistake(option, missing);
    const again = 'Copy it from the network again';
    if (/\s/.test(value)) {
      throw this.mistake(option, `contains white space. ${again}, without spaces or line ends`);
    }
    if (value.isWellFormed()) return value;
    throw this.mistake(option, `contains half of a character, which cannot be sent. ${again}`);
  }

  /** A string or an array of strings, split at commas and white space, without duplicates. `''` and `null` mean "left out", as in passport-oauth2. */
  list(option: string): string[] | undefined {
    const value = this.values[option];
    if (value === undefined || value === null || value === '') return undefined;
    return splitList(value, () => this.mistake(option, 'must be a string or an array of strings'));
  }

  oneOf<T extends string | boolean>(
    option: string,
    allowed: readonly T[],
    problem = `must be one of ${allowed.map((word) => `'${word}'`).join(', ')}`,
  ): T | undefined {
    return this.read(option, (value) => allowed.includes(value as T), problem);
  }

  /** A list of names that the network documents. @param notes - For names that other packages have: the network's own, or a sentence. */
  names(
    option: string,
    known: readonly string[],
    notes: Readonly<Record<string, string>> = {},
  ): string[] | undefined {
    const list = this.list(option);
    const unknown = list?.find((name) => !known.includes(name));
    if (unknown === undefined) return list;
    const note = noteOn(unknown, notes) ?? suggestion(unknown, known);
    const remedy = known.includes(note) ? `The network calls it '${note}'` : note;
    throw this.mistake(option, `names '${unknown}', which the network does not have. ${remedy}`);
  }

  /** Throws for what contradicts the network's rules; another server may have others, so there it warns. @param urls - Option -> the network's own. */
  throwUnlessElsewhere(mistake: TypeError, urls: Readonly<Record<string, string>>): void {
    const hostOf = (url: string) => new URL(url).host;
    const isOwn = (option: string, url: string) => hostOf(this.endpoint(option) ?? url) === hostOf(url);
    if (Object.entries(urls).every(([option, url]) => isOwn(option, url))) throw mistake;
    process.emitWarning(mistake.message);
  }

  /** A URL of the network: https, or http on this machine (a sandbox). RFC 6749 section 3.1. @param isLocal - Which hosts that is. */
  endpoint(option: string, isLocal: (url: URL) => boolean = isThisMachine): string | undefined {
    const value = this.string(option);
    if (value === undefined) return undefined;
    const missing = missingIn(value);
    if (missing !== undefined) throw this.mistake(option, missing);
    const url = parseURL(value);
    if (!url) throw this.mistake(option, 'must be an absolute URL such as https://example.com/path');
    if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLocal(url))) {
      throw this.mistake(option, 'must begin with https:// (http is for a sandbox on this machine only)');
    }
    if (url.username || url.password || url.hash) {
      throw this.mistake(option, 'must hold neither a user name, nor a password, nor a fragment');
    }
    return value;
  }

  /** Header names in lower case, so that no header is sent twice in two spellings. */
  headers(option: string): Record<string, string> {
    const problem = 'must be an object of header names and strings';
    const headers = this.read<Record<string, string> | null>(option, isStringRecord, problem) ?? {};
    try {
      for (const [name, header] of Object.entries(headers)) {
        validateHeaderName(name);
        validateHeaderValue(name, header);
      }
    } catch {
      throw this.mistake(option, 'has a name or value that no header can have');
    }
    return Object.fromEntries(Object.entries(headers).map(([name, header]) => [name.toLowerCase(), header]));
  }

  function<T>(option: string): T | undefined {
    return this.read(option, (value) => typeof value === 'function', 'must be a function');
  }
}

function isStringRecord(value: unknown): boolean {
  if (typeof value !== 'object' || Array.isArray(value)) return false;
  return Object.values(value ?? {}).every((text) => typeof text === 'string');
}

/** Splits a string, or each string of an array, at commas and white space, and removes duplicates. */
export function splitList(value: unknown, problem: () => TypeError): string[] {
  const words = [value].flat().flatMap((text) => {
    if (typeof text !== 'string') throw problem();
    return text.split(/[\s,]+/).filter(Boolean);
  });
  return [...new Set(words)];
}

/** What to write in place of a name. Some have fields called `custom_field_1`. */
function noteOn(name: string, notes: object): string | undefined {
  const isCustom = name.startsWith('custom_field_');
  return isCustom ? 'It is no field of the network: leave it out' : stringProperty(notes, name);
}

/** "Did you mean ...?" for a misspelt name or another library's, otherwise the whole list. */
function suggestion(word: string, known: readonly string[]): string {
  // What other libraries and the networks call it.
  const callback = known.find((name) => name === 'callbackURL' && /^redirect[\W_]*ur[il]$/i.test(word));
  const meant = callback ?? nearest(word, known, mostEditsOf(word));
  return meant === undefined ? `There are ${known.join(', ')}` : `Did you mean ${meant}?`;
}
