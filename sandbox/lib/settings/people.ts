import { readFileSync } from 'node:fs';
import type { SandboxPerson } from '../core/people.js';

type Check = readonly [isValid: (value: unknown) => boolean, requirement: string];

const STRING: Check = [(value) => typeof value === 'string', 'must be a string'];
const BOOLEAN: Check = [(value) => typeof value === 'boolean', 'must be true or false'];
const DIGITS: Check = [matches(/^[0-9]{1,19}$/), 'must be a string of 1 to 19 digits'];
const OPAQUE: Check = [matches(/^\S+$/), 'must be a string without white space'];

/** Properties of a person; a question mark makes one optional. */
const PROPERTIES: Readonly<Record<string, Check>> = {
  id: [matches(/^[a-z0-9-]+$/), 'must be lower-case letters, digits and hyphens'],
  displayName: STRING,
  givenName: STRING,
  familyName: STRING,
  handle: [matches(/^[A-Za-z0-9_.]+$/), 'must be letters, digits, underscores and dots, without "@"'],
  openId: OPAQUE,
  'unionId?': OPAQUE,
  microblogId: DIGITS,
  socialNetworkId: [Number.isSafeInteger, 'must be an integer'],
  'email?': [matches(/^[^\s@]+@[^\s@]+$/), 'must be an e-mail address'],
  'phone?': [matches(/^[0-9]+$/), 'must be digits, country code first'],
  'picture?': oneOf('small', 'large'),
  'description?': STRING,
  'location?': STRING,
  'website?': [isWebsite, 'must be an http or https URL'],
  'sex?': oneOf('female', 'male'),
  'birthday?': [
    isBirthday,
    'must be { "day", "month" } or { "day", "month", "year" }, the numbers of a real date',
  ],
  'verified?': BOOLEAN,
  'closed?': BOOLEAN,
  'pinnedPost?': [isPost, `must be { "id" } or { "id", "text" }; its id ${DIGITS[1]}`],
  'deactivated?': oneOf('banned', 'deleted'),
};

const NAMES = Object.keys(PROPERTIES).map((property) => property.replace('?', ''));

/**
 * Checks people at run time, because their values end up in URLs and records.
 *
 * @param source - Where the people come from, for the message: a function or a file.
 * @throws TypeError naming the person and the property, when a property is missing, unknown or not in the network's format,
 *   or when two people have the same identifier.
 */
export function checkPeople(people: unknown, source: string): asserts people is readonly SandboxPerson[] {
  if (!Array.isArray(people)) throw new TypeError(`${source}: people must be a list of people`);
  if (people.length === 0) throw new TypeError(`${source}: people is empty, so nobody could log in`);
  for (const [index, person] of people.entries()) checkPerson(person, index, source);
  for (const property of ['id', 'openId', 'microblogId', 'socialNetworkId']) {
    const values = people.map((person: SandboxPerson) => Reflect.get(person, property));
    const second = values.findIndex((value, index) => values.indexOf(value) < index);
    const first = values.indexOf(values[second]);
    if (second < 0) continue;
    const [one, other] = [nameOf(people[first], first), nameOf(people[second], second)];
    throw new TypeError(`${source}: two people have the same ${property}: ${one} and ${other}`);
  }
}

function checkPerson(person: unknown, index: number, source: string): void {
  const mistake = (problem: string): TypeError =>
    new TypeError(`${source}: ${nameOf(person, index)}: ${problem}`);
  if (!isObject(person)) throw mistake('must be an object');
  for (const [property, [isValid, requirement]] of Object.entries(PROPERTIES)) {
    const name = property.replace('?', '');
    const value: unknown = Reflect.get(person, name);
    if (value === undefined && property !== name) continue;
    if (value === undefined) throw mistake(`${name} is missing; it ${requirement}`);
    if (!isValid(value)) throw mistake(`${name} ${requirement}`);
  }
  const extra = Object.keys(person).find((name) => !NAMES.includes(name));
  if (extra !== undefined) throw mistake(`unknown property "${extra}" (known: ${NAMES.join(', ')})`);
}

/** The `id` of a person if there is one, otherwise the position in the list, from 1. */
function nameOf(person: unknown, index: number): string {
  const id: unknown = isObject(person) ? Reflect.get(person, 'id') : undefined;
  return `person ${typeof id === 'string' ? `"${id}"` : index + 1}`;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function matches(pattern: RegExp): (value: unknown) => boolean {
  return (value) => typeof value === 'string' && pattern.test(value);
}

function oneOf(...values: readonly string[]): Check {
  const list = values.map((value) => `"${value}"`).join(' or ');
  return [(value) => typeof value === 'string' && values.includes(value), `must be ${list}`];
}

function isWebsite(value: unknown): boolean {
  return typeof value === 'string' && /^https?:\/\//.test(value) && URL.canParse(value);
}

function isBirthday(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { day, month, year = 2000, ...others } = value as Readonly<Record<string, unknown>>;
  if (![day, month, year].every(Number.isSafeInteger) || Object.keys(others).length > 0) return false;
  const date = new Date(0);
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  return date.getUTCMonth() + 1 === month && date.getUTCDate() === day;
}

function isPost(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { id, text = '', ...others } = value as Readonly<Record<string, unknown>>;
  return DIGITS[0](id) && typeof text === 'string' && Object.keys(others).length === 0;
}

/**
 * Reads people from a JSON file: a list of objects with the properties of `SandboxPerson`.
 *
 * @throws Error naming the file, and the person and property that are wrong.
 */
export function readPeople(file: string): readonly SandboxPerson[] {
  const people = parse(read(file), file);
  checkPeople(people, file);
  return people;
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new Error(`${file} cannot be read (${code}): check the path after --people`, { cause: error });
  }
}

function parse(content: string, file: string): unknown {
  try {
    return JSON.parse(content);
  } catch (error) {
    throw new Error(`${file} is not JSON: it must be a list of people, [{ "id": "zoe", ... }]`, {
      cause: error,
    });
  }
}
