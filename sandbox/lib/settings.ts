import { readFileSync } from 'node:fs';
import type { Check, Shape } from './core/checks.js';
import * as check from './core/checks.js';
import { isObject, namesOf, SettingError, shapeProblem, shapeProblems } from './core/checks.js';
import { parsedJSON } from './core/http.js';
import { clientFor } from './core/network.js';
import type { SandboxPerson } from './core/people.js';
import { redirectUriProblem } from './core/redirect-uri.js';
import { type Application, VK_ID_CALLBACKS } from './core/world.js';
import type { SandboxChoice, SandboxNetwork } from './networks.js';
import { NETWORKS, unknownNetwork, versionMistake } from './networks.js';

const LIST: Check = [Array.isArray, 'must be a list'];

/** The settings of a file, and of `startSandbox`. What is in the lists has checks of its own. */
export const SETTINGS: Shape = {
  'port?': check.integer(0, 65_535, 'must be a number from 0 to 65535'),
  'host?': [check.STRING[0], 'must be an address such as 127.0.0.1'],
  'strict?': check.BOOLEAN,
  'https?': check.BOOLEAN,
  'vkIdCallback?': [check.oneOf(...VK_ID_CALLBACKS)[0], `must be ${VK_ID_CALLBACKS.join(' or ')}`],
  'applications?': LIST,
  'people?': LIST,
  'faults?': LIST,
};

export const settingMistakes = (given: object, settings: Shape = SETTINGS): readonly SettingError[] =>
  shapeProblems(given, settings, '', 'setting').map(([name, sentence]) => new SettingError(sentence, [name]));

export function readSettings(file: string, option: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new Error(`${file} cannot be read (${code}): check the path after ${option}`, { cause: error });
  }
}

const DIGITS: Check = check.text(/^[0-9]{1,19}$/, 'must be a string of 1 to 19 digits');
const OPAQUE: Check = check.text(/^\S+$/, 'must be a string without white space');

const PERSON: Shape = {
  id: check.text(/^[a-z0-9-]+$/, 'must be lower-case letters, digits and hyphens'),
  displayName: check.STRING,
  givenName: check.STRING,
  familyName: check.STRING,
  handle: check.text(/^[A-Za-z0-9_.]+$/, 'must be letters, digits, underscores and dots, without "@"'),
  openId: OPAQUE,
  'unionId?': OPAQUE,
  microblogId: DIGITS,
  socialNetworkId: [Number.isSafeInteger, 'must be an integer'],
  'email?': check.text(/^[^\s@]+@[^\s@]+$/, 'must be an e-mail address'),
  'phone?': check.text(/^[0-9]+$/, 'must be digits, country code first'),
  'picture?': check.oneOf('small', 'large'),
  'description?': check.STRING,
  'location?': check.STRING,
  'website?': check.address('must be an http or https URL', /^https?:\/\//),
  'sex?': check.oneOf('female', 'male'),
  'birthday?': [
    isBirthday,
    'must be { "day", "month" } or { "day", "month", "year" }, the numbers of a real date',
  ],
  'verified?': check.BOOLEAN,
  'closed?': check.BOOLEAN,
  'pinnedPost?': [isPost, `must be { "id" } or { "id", "text" }; its id ${DIGITS[1]}`],
  'deactivated?': check.oneOf('banned', 'deleted'),
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
    if (second < 0) continue;
    const both = [values.indexOf(values[second]), second].map((index) => nameOf(people[index], index));
    throw new TypeError(`${source}: two people have the same ${property}: ${both.join(' and ')}`);
  }
}

function nameOf(person: unknown, index: number): string {
  const { id } = Object(person);
  return `person ${typeof id === 'string' ? `"${id}"` : index + 1}`;
}

function isBirthday(value: unknown): boolean {
  const number: Check = [Number.isSafeInteger, ''];
  if (!isObject(value) || shapeProblem(value, { day: number, month: number, 'year?': number })) return false;
  const date = new Date(0);
  date.setUTCFullYear(Number(value.year ?? 2000), Number(value.month) - 1, Number(value.day));
  return date.getUTCMonth() + 1 === value.month && date.getUTCDate() === value.day;
}

function isPost(value: unknown): boolean {
  return isObject(value) && shapeProblem(value, { id: DIGITS, 'text?': check.STRING }) === undefined;
}

export function readPeople(file: string): readonly SandboxPerson[] {
  const people = parsedJSON(readSettings(file, '--people'));
  if (people === undefined)
    throw new Error(`${file} is not JSON: it must be a list of people, [{ "id": "zoe", ... }]`);
  checkPeople(people, file);
  return people;
}

/** Changes to an application that the sandbox has registered with a network. Missing properties stay as they are. */
export interface SandboxApplication extends SandboxChoice {
  readonly network: SandboxNetwork;
  /** Name on the consent page. */
  readonly name?: string | undefined;
  /** Client key or consumer key, too. At the social network, digits. */
  readonly clientID?: string | undefined;
  readonly clientSecret?: string | undefined;
  /** Only of a confidential VK ID application. */
  readonly serviceToken?: string | undefined;
  /** The redirect URIs that are registered, compared exactly. Default: any. */
  readonly redirectAddresses?: readonly string[] | undefined;
}

const VISIBLE: Check = check.text(/^[\x21-\x7e]+$/, 'must be a string of visible ASCII characters');
const CREDENTIALS: Shape = { 'clientID?': VISIBLE, 'clientSecret?': VISIBLE, 'serviceToken?': VISIBLE };
const APPLICATION: Shape = {
  'network?': check.ANY,
  'version?': check.ANY,
  'client?': check.ANY,
  'name?': check.text(/./, 'must be a string'),
  ...CREDENTIALS,
  'redirectAddresses?': LIST,
};

/** Changes, by the identifier that the network's folder gives the application. @throws SettingError */
export function changedApplications(applications: unknown): ReadonlyMap<string, Partial<Application>> {
  if (!Array.isArray(applications)) throw new SettingError('applications must be a list', []);
  const changed = new Map<string, Partial<Application>>();
  for (const [index, application] of applications.entries()) {
    const [id, change] = changeOf(application, index);
    changed.set(id, { ...changed.get(id), ...change });
  }
  return changed;
}

function changeOf(given: unknown, index: number): readonly [id: string, change: Partial<Application>] {
  const mistake = (problem: string, ...path: (string | number)[]) =>
    new SettingError(`application ${index + 1}: ${problem}`, path);
  if (!isObject(given)) throw mistake('must be an object');
  const { network, version, client, ...change } = given;
  const number = { 'clientID?': check.text(/^[1-9]\d{0,15}$/, 'must be digits, in quotes') };
  const problem = shapeProblem(given, { ...APPLICATION, ...(network === 'social-network' && number) });
  if (problem) throw mistake(problem[1], problem[0]);
  const known = NETWORKS.find((other) => other.name === network);
  if (!known) throw mistake(unknownNetwork(network), 'network');
  const wrongType = versionMistake(version);
  if (wrongType !== undefined) throw mistake(wrongType, 'version');
  // As the network's folder has them.
  const options = clientFor(known.clients, { version, client })?.options('');
  const place = version === undefined ? 'client' : 'version';
  if (!options) throw mistake(`${known.name} has no such version or client`, place);
  const absent = namesOf(CREDENTIALS).find((key) => given[key] !== undefined && !Object.hasOwn(options, key));
  if (absent !== undefined) throw mistake(`this client has no ${absent}`, absent);
  for (const [at, address] of [change.redirectAddresses ?? []].flat().entries()) {
    const wrong = typeof address === 'string' ? redirectUriProblem(address) : 'it is no string';
    if (wrong === undefined) continue;
    const reason = wrong.replace('redirect_uri', 'it');
    throw mistake(`redirect address ${at + 1} is not possible: ${reason}`, 'redirectAddresses', at);
  }
  const changed = Object.entries(change).filter(([, value]) => value !== undefined);
  return [options.clientID, Object.fromEntries(changed)];
}
