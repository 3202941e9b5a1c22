import { type Agent, validateHeaderName, validateHeaderValue } from 'node:http';
import { isLoopback } from './addresses.js';
import { explainUnknown, suggestion } from './suggestion.js';

/** Spellings of an option that mean another one: `{ clientId: 'clientID' }`. */
export type OptionAliases = Readonly<Record<string, string>>;

/**
 * Reads the options of one strategy. Nothing is written to the caller's object; every mistake is a `TypeError` that names
 * strategy, option and remedy.
 */
export class OptionReader {
  readonly strategy: string;
  private readonly values: Readonly<Record<string, unknown>>;
  /** Options that are there without a value: usually from an environment variable that is not set. */
  private readonly undefinedNames = new Set<string>();

  /**
   * @param strategy - The class's name, for messages.
   * @param known - The options there are, in the spelling of the documentation.
   * @param notes - What to say about an option that this strategy deliberately lacks.
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
    // Without a prototype: what somebody put on Object.prototype is no option.
    const values = Object.create(null) as Record<string, unknown>;
    for (const [spelling, value] of optionsOf(given, [...known, ...Object.keys(aliases)])) {
      const name = Object.hasOwn(aliases, spelling) ? (aliases[spelling] as string) : spelling;
      if (value === undefined) {
        this.undefinedNames.add(name);
        continue;
      }
      if (!known.includes(name)) throw this.mistake(spelling, explainUnknown(spelling, known, notes));
      if (Object.hasOwn(values, name) && values[name] !== value) {
        throw this.mistake(spelling, `is another spelling of ${name}, and the two differ. Give one of them`);
      }
      values[name] = value;
    }
    this.values = values;
  }

  /** The error for an option that cannot be used. `problem` continues the sentence "option NAME ...". */
  mistake(option: string, problem: string): TypeError {
    return new TypeError(`${this.strategy}: option ${option} ${problem}${problem.endsWith('?') ? '' : '.'}`);
  }

  raw(option: string): unknown {
    return this.values[option];
  }

  text(option: string): string | undefined {
    const value = this.values[option];
    if (value === undefined) return undefined;
    if (typeof value !== 'string' || value === '') throw this.mistake(option, 'must be a non-empty text');
    return value;
  }

  /** A credential that some applications have: absent it may be, but not without a value. */
  optionalCredential(option: string): string | undefined {
    if (this.undefinedNames.has(option)) {
      const problem =
        'is undefined. Is the environment variable set? Leave the option out where there is none';
      throw this.mistake(option, problem);
    }
    return this.credential(option);
  }

  requiredCredential(option: string, remedy: string): string {
    const value = this.credential(option);
    if (value === undefined) throw this.mistake(option, `is required. ${remedy}`);
    return value;
  }

  /** A text without white space: a key copied with its line end is the usual mistake. */
  credential(option: string): string | undefined {
    const value = this.text(option);
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

  flag(option: string): boolean | undefined {
    const value = this.values[option];
    if (value !== undefined && typeof value !== 'boolean')
      throw this.mistake(option, 'must be true or false');
    return value;
  }

  /** A text or an array of texts; texts are split at commas and white space, doubles removed. */
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

  /** A list of names that the network knows. */
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

  /** An address of the network: https, or http on this machine (a sandbox). RFC 6749 section 3.1. */
  endpoint(option: string): string | undefined {
    const value = this.text(option);
    if (value === undefined) return undefined;
    if (!URL.canParse(value))
      throw this.mistake(option, 'must be an absolute address such as https://example.com/path');
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
    // Proxy agents do not all extend http.Agent, but all of them schedule requests with addRequest.
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
      throw this.mistake(option, 'must be an object of header names and texts');
    }
    try {
      for (const [name, header] of Object.entries(value)) {
        validateHeaderName(name);
        validateHeaderValue(name, header as string);
      }
    } catch {
      throw this.mistake(option, 'has a name or value that no header can have');
    }
    // Lower case, so that a header is not sent twice in two spellings.
    return Object.fromEntries(
      Object.entries(value).map(([name, header]) => [name.toLowerCase(), header as string]),
    );
  }

  callable<T>(option: string): T | undefined {
    const value = this.values[option];
    if (value !== undefined && typeof value !== 'function') throw this.mistake(option, 'must be a function');
    return value as T | undefined;
  }
}

const LIST_PROBLEM = 'must be a text or an array of texts';

/** Own members, and of a class instance the inherited ones that are options: a getter must not be passed over silently. */
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

/** Splits a text, or each text of an array, at commas and white space, and removes doubles. */
export function splitList(value: unknown, problem: () => TypeError): string[] {
  const texts: unknown[] = Array.isArray(value) ? value : [value];
  const words = texts.flatMap((text) => {
    if (typeof text !== 'string') throw problem();
    return text.split(/[\s,]+/).filter(Boolean);
  });
  return [...new Set(words)];
}
