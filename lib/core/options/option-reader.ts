import { type Agent, validateHeaderName, validateHeaderValue } from 'node:http';
import { isLoopback } from '../http/index.js';

/** Explains options of other packages and former versions. */
const NOTES: Readonly<Record<string, string>> = {
  sessionKey:
    'a pending login is kept in a cookie of its own, not in the session. To keep two applications on one host apart, give store: cookieLogins({ name })',
};

/** Other spellings of options: `{ clientId: 'clientID' }`. */
type OptionAliases = Readonly<Record<string, string>>;

/**
 * Reads the options of one strategy. The caller's object is never written to; every mistake is a `TypeError` that names strategy,
 * option and what to do.
 */
export class OptionReader {
  readonly strategy: string;
  private readonly values: Readonly<Record<string, unknown>>;
  /** Options given as `undefined`, usually from an environment variable that is not set. */
  private readonly undefinedNames = new Set<string>();

  /**
   * @param strategy - The class's name, for messages.
   * @param known - The options that exist, in the documentation's spelling.
   * @param notes - Explains options that this strategy lacks on purpose.
   */
  constructor(
    strategy: string,
    given: unknown,
    known: readonly string[],
    aliases: OptionAliases,
    notes: Readonly<Record<string, string>> = {},
  ) {
    this.strategy = strategy;
    if (typeof given !== 'object' || given === null || Array.isArray(given)) {
      throw new TypeError(
        `${strategy} requires an options object as its first argument: { clientID, clientSecret, ... }`,
      );
    }
    // No prototype, so that a property added to Object.prototype is not taken for an option.
    const values = Object.create(null) as Record<string, unknown>;
    const spellings = new Map<string, string>();
    for (const [spelling, value] of optionsOf(given, [...known, ...Object.keys(aliases)])) {
      const name = Object.hasOwn(aliases, spelling) ? (aliases[spelling] as string) : spelling;
      if (value === undefined) {
        this.undefinedNames.add(name);
        continue;
      }
      if (!known.includes(name))
        throw this.mistake(spelling, explainUnknown(spelling, known, { ...NOTES, ...notes }));
      const other = spellings.get(name);
      if (other !== undefined && values[name] !== value) {
        throw new TypeError(
          `${strategy}: options ${other} and ${spelling} are two spellings of one option, and their values differ. Give one of them.`,
        );
      }
      spellings.set(name, spelling);
      values[name] = value;
    }
    this.values = values;
  }

  /** @param problem - Completes the sentence "option NAME ...". */
  mistake(option: string, problem: string): TypeError {
    return new TypeError(`${this.strategy}: option ${option} ${problem}${problem.endsWith('?') ? '' : '.'}`);
  }

  raw(option: string): unknown {
    return this.values[option];
  }

  string(option: string): string | undefined {
    const value = this.values[option];
    if (value === undefined) return undefined;
    if (typeof value !== 'string' || value === '') throw this.mistake(option, 'must be a non-empty string');
    return value;
  }

  /** A credential that may be left out, but not given as `undefined`. */
  optionalCredential(option: string): string | undefined {
    if (this.undefinedNames.has(option)) {
      const problem =
        'is undefined. Is the environment variable set? Leave the option out where there is none';
      throw this.mistake(option, problem);
    }
    return this.credential(option);
  }

  requiredCredential(option: string, hint: string): string {
    const value = this.credential(option);
    if (value === undefined) throw this.mistake(option, `is required. ${hint}`);
    return value;
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
    if (/\s/.test(value)) {
      throw this.mistake(
        option,
        'contains white space. Copy it from the network again, without spaces or line ends',
      );
    }
    if (!value.isWellFormed()) {
      throw this.mistake(
        option,
        'contains half of a character, which cannot be sent. Copy it from the network again',
      );
    }
    return value;
  }

  boolean(option: string): boolean | undefined {
    const value = this.values[option];
    if (value !== undefined && typeof value !== 'boolean')
      throw this.mistake(option, 'must be true or false');
    return value;
  }

  /** A string or an array of strings, split at commas and white space, without duplicates. */
  list(option: string): string[] | undefined {
    const value = this.values[option];
    return value === undefined ? undefined : splitList(value, () => this.mistake(option, LIST_PROBLEM));
  }

  oneOf<T extends string>(option: string, allowed: readonly T[]): T | undefined {
    const value = this.values[option];
    if (value === undefined) return undefined;
    const found = allowed.find((candidate) => candidate === value);
    if (found === undefined) {
      throw this.mistake(option, `must be one of ${allowed.map((word) => `'${word}'`).join(', ')}`);
    }
    return found;
  }

  /** A list of names that the network documents. */
  names(option: string, known: readonly string[]): string[] | undefined {
    const list = this.list(option);
    for (const name of list ?? []) {
      if (!known.includes(name)) {
        throw this.mistake(
          option,
          `names '${name}', which the network does not have. ${suggestion(name, known)}`,
        );
      }
    }
    return list;
  }

  milliseconds(option: string): number | undefined {
    const value = this.values[option];
    if (value === undefined) return undefined;
    // setTimeout takes no more than 2^31 - 1.
    if (typeof value !== 'number' || !(value > 0) || value > 2_147_483_647) {
      throw this.mistake(option, 'must be a positive number of milliseconds');
    }
    return value;
  }

  count(option: string): number | undefined {
    const value = this.values[option];
    if (value === undefined) return undefined;
    if (typeof value === 'number' && Number.isInteger(value) && value >= 0) return value;
    throw this.mistake(option, 'must be a whole number of at least 0');
  }

  /** A URL of the network: https, or http on this machine (a sandbox). RFC 6749 section 3.1. */
  endpoint(option: string): string | undefined {
    const value = this.string(option);
    if (value === undefined) return undefined;
    if (!URL.canParse(value))
      throw this.mistake(option, 'must be an absolute URL such as https://example.com/path');
    const url = new URL(value);
    if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback(url))) {
      throw this.mistake(option, 'must begin with https:// (http is for a sandbox on this machine only)');
    }
    if (url.username || url.password || url.hash) {
      throw this.mistake(option, 'must hold neither a user name, nor a password, nor a fragment');
    }
    return value;
  }

  agent(option: string): Agent | undefined {
    const value = this.values[option];
    // Not every proxy agent extends http.Agent, but all of them have its addRequest.
    if (value !== undefined && typeof (value as { addRequest?: unknown } | null)?.addRequest !== 'function') {
      throw this.mistake(option, 'must be an http.Agent or https.Agent');
    }
    return value as Agent | undefined;
  }

  headers(option: string): Record<string, string> {
    const value = this.values[option] ?? {};
    if (
      typeof value !== 'object' ||
      Array.isArray(value) ||
      !Object.values(value).every((header) => typeof header === 'string')
    ) {
      throw this.mistake(option, 'must be an object of header names and strings');
    }
    try {
      for (const [name, header] of Object.entries(value)) {
        validateHeaderName(name);
        validateHeaderValue(name, header as string);
      }
    } catch {
      throw this.mistake(option, 'has a name or value that no header can have');
    }
    // In lower case, so that no header is sent twice in two spellings.
    return Object.fromEntries(
      Object.entries(value).map(([name, header]) => [name.toLowerCase(), header as string]),
    );
  }

  function<T>(option: string): T | undefined {
    const value = this.values[option];
    if (value !== undefined && typeof value !== 'function') throw this.mistake(option, 'must be a function');
    return value as T | undefined;
  }
}

const LIST_PROBLEM = 'must be a string or an array of strings';

/** Own properties, and inherited ones that are options: the getters of a class instance must not be ignored silently. */
function optionsOf(given: object, names: readonly string[]): [string, unknown][] {
  const own = Object.entries(given);
  const inherited = names.filter(
    (name) => !Object.hasOwn(given, name) && !(name in Object.prototype) && name in given,
  );
  return [
    ...own,
    ...inherited.map((name): [string, unknown] => [name, (given as Record<string, unknown>)[name]]),
  ];
}

/** Splits a string, or each string of an array, at commas and white space, and removes duplicates. */
export function splitList(value: unknown, problem: () => TypeError): string[] {
  const strings: unknown[] = Array.isArray(value) ? value : [value];
  const words = strings.flatMap((one) => {
    if (typeof one !== 'string') throw problem();
    return one.split(/[\s,]+/).filter(Boolean);
  });
  return [...new Set(words)];
}

/** Why an option does not exist, or which one was meant. */
function explainUnknown(
  option: string,
  known: readonly string[],
  notes: Readonly<Record<string, string>>,
): string {
  if (Object.hasOwn(notes, option)) return `is not taken: ${notes[option]}`;
  return `is unknown. ${suggestion(option, known)}`;
}

/** What other libraries and the networks call an option, letters only -> its name here. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  redirecturi: 'callbackURL',
  redirecturl: 'callbackURL',
};

/** "Did you mean ...?" for a misspelt name or another library's, otherwise the whole list. */
function suggestion(word: string, known: readonly string[]): string {
  const meant = OTHER_NAMES[word.toLowerCase().replace(/[^a-z]/g, '')];
  if (meant !== undefined && known.includes(meant)) return `Did you mean ${meant}?`;
  const [nearest] = known
    .map((name) => ({ name, distance: editDistance(word.toLowerCase(), name.toLowerCase()) }))
    .sort((a, b) => a.distance - b.distance);
  return nearest && nearest.distance <= 3 ? `Did you mean ${nearest.name}?` : `There are ${known.join(', ')}`;
}

/** Levenshtein distance. */
function editDistance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [index, letter] of Array.from(one).entries()) {
    const next = [index + 1];
    for (const [column, otherLetter] of Array.from(other).entries()) {
      const replaced = (row[column] ?? 0) + (letter === otherLetter ? 0 : 1);
      next.push(Math.min(replaced, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1));
    }
    row = next;
  }
  return row[other.length] ?? 0;
}
