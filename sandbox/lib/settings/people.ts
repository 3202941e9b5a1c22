import type { Check, Shape } from '../core/checks.js';
import {
  BOOLEAN,
  isObject,
  oneOf,
  parseURL,
  SettingError,
  STRING,
  shapeProblem,
  text,
} from '../core/checks.js';
import { parsedJSON } from '../core/http.js';
import type { SandboxPerson } from '../core/people.js';
import { readSettings } from './settings.js';

const DIGITS: Check = text(/^[0-9]{1,19}$/, 'must be a string of 1 to 19 digits');
const OPAQUE: Check = text(/^\S+$/, 'must be a string without white space');

const BIRTHDAY_FORM = 'must be { "day", "month" } or { "day", "month", "year" }, the numbers of a real date';

const PERSON: Shape = {
  id: text(/^[a-z0-9-]+$/, 'must be lower-case letters, digits and hyphens'),
  displayName: STRING,
  givenName: STRING,
  familyName: STRING,
  handle: text(/^[A-Za-z0-9_.]+$/, 'must be letters, digits, underscores and dots, without "@"'),
  openId: OPAQUE,
  'unionId?': OPAQUE,
  microblogId: DIGITS,
  socialNetworkId: [Number.isSafeInteger, 'must be an integer'],
  'email?': text(/^[^\s@]+@[^\s@]+$/, 'must be an e-mail address'),
  'phone?': text(/^[0-9]+$/, 'must be digits, country code first'),
  'picture?': oneOf('small', 'large'),
  'description?': STRING,
  'location?': STRING,
  'website?': [isWebsite, 'must be an http or https URL'],
  'sex?': oneOf('female', 'male'),
  'birthday?': [isBirthday, BIRTHDAY_FORM],
  'verified?': BOOLEAN,
  'closed?': BOOLEAN,
  'pinnedPost?': [isPost, `must be { "id" } or { "id", "text" }; its id ${DIGITS[1]}`],
  'deactivated?': oneOf('banned', 'deleted'),
};

/** People's values end up in URLs and records. @param source - Where the people come from, for the message. */
export function checkPeople(people: unknown, source: string): asserts people is readonly SandboxPerson[] {
  if (!Array.isArray(people)) throw new TypeError(`${source}: people must be a list of people`);
  if (people.length === 0) throw new TypeError(`${source}: people is empty, so nobody could log in`);
  for (const [index, person] of people.entries()) {
    const problem = isObject(person) ? shapeProblem(person, PERSON) : (['', 'must be an object'] as const);
    if (problem) throw new SettingError(`${source}: ${nameOf(person, index)}: ${problem[1]}`, [problem[0]]);
  }
  for (const property of ['id', 'openId', 'microblogId', 'socialNetworkId']) {
    const values = people.map((person: SandboxPerson) => Reflect.get(person, property));
    const second = values.findIndex((value, index) => values.indexOf(value) < index);
    const first = values.indexOf(values[second]);
    if (second < 0) continue;
    const [one, other] = [nameOf(people[first], first), nameOf(people[second], second)];
    throw new TypeError(`${source}: two people have the same ${property}: ${one} and ${other}`);
  }
}

/** The `id` of a person if there is one, otherwise the position in the list, from 1. */
function nameOf(person: unknown, index: number): string {
  const id = isObject(person) ? person.id : undefined;
  return `person ${typeof id === 'string' ? `"${id}"` : index + 1}`;
}

function isWebsite(value: unknown): boolean {
  return typeof value === 'string' && /^https?:\/\//.test(value) && parseURL(value) !== undefined;
}

function isBirthday(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { day, month, year = 2000, ...others } = value;
  if (![day, month, year].every(Number.isSafeInteger) || Object.keys(others).length > 0) return false;
  const date = new Date(0);
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  return date.getUTCMonth() + 1 === month && date.getUTCDate() === day;
}

function isPost(value: unknown): boolean {
  return isObject(value) && shapeProblem(value, { id: DIGITS, 'text?': STRING }) === undefined;
}

/** @throws Error naming the file, and the person and property that are wrong. */
export function readPeople(file: string): readonly SandboxPerson[] {
  const people = parsedJSON(readSettings(file, '--people'));
  if (people === undefined)
    throw new Error(`${file} is not JSON: it must be a list of people, [{ "id": "zoe", ... }]`);
  checkPeople(people, file);
  return people;
}
