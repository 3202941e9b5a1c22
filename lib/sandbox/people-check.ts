import type { SandboxPerson } from './people.js';

type Check = readonly [is: (value: unknown) => boolean, takes: string];

const TEXT: Check = [(value) => typeof value === 'string', 'takes text'];
const FLAG: Check = [(value) => typeof value === 'boolean', 'takes true or false'];
const POST_ID: Check = [matches(/^[0-9]{1,19}$/), 'takes 1 to 19 digits, as text'];

/** What each member takes; one without a question mark must be there. */
const MEMBERS: Readonly<Record<string, Check>> = {
  id: [matches(/^[a-z0-9-]+$/), 'takes lower-case letters, digits and hyphens'],
  displayName: TEXT,
  givenName: TEXT,
  familyName: TEXT,
  handle: [matches(/^[A-Za-z0-9_.]+$/), 'takes letters, digits, underscores and dots, without "@"'],
  openId: [matches(/^\S+$/), 'takes text without white space'],
  'unionId?': [matches(/^\S+$/), 'takes text without white space'],
  microblogId: [matches(/^[0-9]{1,19}$/), 'takes 1 to 19 digits, as text'],
  socialNetworkId: [Number.isSafeInteger, 'takes an integer'],
  'email?': [matches(/^[^\s@]+@[^\s@]+$/), 'takes an e-mail address'],
  'phone?': [matches(/^[0-9]+$/), 'takes digits, country code first'],
  'picture?': oneOf('small', 'large'),
  'description?': TEXT,
  'location?': TEXT,
  'website?': [isWebsite, 'takes an http or https address'],
  'sex?': oneOf('female', 'male'),
  'birthday?': [isBirthday, 'takes { "day", "month" } or { "day", "month", "year" }, numbers of a real date'],
  'verified?': FLAG,
  'closed?': FLAG,
  'pinnedPost?': [isPost, `takes { "id" } or { "id", "text" }; its id ${POST_ID[1]}`],
  'deactivated?': oneOf('banned', 'deleted'),
};

const NAMES = Object.keys(MEMBERS).map((member) => member.replace('?', ''));

/**
 * Checks people who were handed in, in code or in a file, because they end up in addresses and records.
 *
 * @param source - What the messages begin with: a function, or a file.
 * @throws TypeError naming the person and the member, when a member is missing, unknown or not spelled as its network
 *   spells it, or an identifier is somebody else's too.
 */
export function checkPeople(people: unknown, source: string): asserts people is readonly SandboxPerson[] {
  if (!Array.isArray(people)) throw new TypeError(`${source}: people takes a list of people`);
  if (people.length === 0) throw new TypeError(`${source}: people is empty, so nobody could log in`);
  for (const [index, person] of people.entries()) checkPerson(person, index, source);
  for (const member of ['id', 'openId', 'microblogId', 'socialNetworkId']) {
    const values = people.map((person: SandboxPerson) => Reflect.get(person, member));
    const second = values.findIndex((value, index) => values.indexOf(value) < index);
    const first = values.indexOf(values[second]);
    if (second < 0) continue;
    const [one, other] = [nameOf(people[first], first), nameOf(people[second], second)];
    throw new TypeError(`${source}: two people have the same ${member}: ${one} and ${other}`);
  }
}

function checkPerson(person: unknown, index: number, source: string): void {
  const mistake = (problem: string): TypeError =>
    new TypeError(`${source}: ${nameOf(person, index)}: ${problem}`);
  if (!isObject(person)) throw mistake('is no object');
  for (const [member, [is, takes]] of Object.entries(MEMBERS)) {
    const name = member.replace('?', '');
    const value: unknown = Reflect.get(person, name);
    if (value === undefined && member !== name) continue;
    if (value === undefined) throw mistake(`${name} is missing; it ${takes}`);
    if (!is(value)) throw mistake(`${name} ${takes}`);
  }
  const unknown = Object.keys(person).find((name) => !NAMES.includes(name));
  if (unknown !== undefined) throw mistake(`there is no member ${unknown}; there are ${NAMES.join(', ')}`);
}

/** By the identifier where there is one, else by the place in the list, from 1 on. */
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
  return [(value) => typeof value === 'string' && values.includes(value), `takes ${list}`];
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
  return POST_ID[0](id) && typeof text === 'string' && Object.keys(others).length === 0;
}
