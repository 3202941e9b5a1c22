import { requireAtOnce } from './application-code.js';
import { identifierError } from './errors/index.js';
import { isLoopback, parseURL } from './hosts.js';

/**
 * A user in Passport's normalized form. Fields that the network did not return are absent; none is invented.
 *
 * @see https://www.passportjs.org/reference/normalized-profile/ (read 2026-11)
 */
export interface Profile<P> {
  /** The strategy's name. */
  provider: string;
  /** The user's ID at the network, never rounded. With `provider` it is the key of an account. */
  id: string;
  /** Free text, neither unique nor stable; empty when the network gave no name. */
  displayName: string;
  /** The handle, as the network spells it. It can change hands. */
  username?: string;
  /** The parts of the user's name, if the network keeps them apart. */
  name?: ProfileName;
  /** Absent unless the network says one of the two. */
  gender?: 'female' | 'male';
  /** At most one; absent if it was not requested, not granted, or the account has none. */
  emails?: ProfileEmail[];
  /** At most one: the largest picture in the response. */
  photos?: ProfilePhoto[];
  /** https URL of the user's page at the network. */
  profileUrl?: string;
  /** The text of the profile response. Without one, `_json` as JSON. */
  _raw: string;
  /** The network's record. Its type says how it differs from the parsed response. */
  _json: P;
}

/** Parts of a user's name. A part that the network did not send is absent, never empty. */
export interface ProfileName {
  /** Surname. */
  familyName?: string;
  /** First name. */
  givenName?: string;
  /** Patronymic or middle name. */
  middleName?: string;
}

/** An e-mail address, and whether it is known to be the user's. */
export interface ProfileEmail {
  /** The address as the network spells it. */
  value: string;
  /** Present only if the network documents that it confirms addresses. Absent means unknown. */
  verified?: boolean;
}

/** A picture of the user. */
export interface ProfilePhoto {
  /** Its https URL. TikTok signs its URLs, and they expire. */
  value: string;
}

/** The names in lines of names, which one space separates. */
export type Names<Lines extends string> = Lines extends `${infer Name} ${infer Rest}`
  ? Name | Names<Rest>
  : Lines;

/** Members of one type, named in such lines, each of which a record may lack. */
export type Optional<Type, Lines extends string> = { [Name in Names<Lines>]?: Type };

export const namesIn = <Lines extends string>(lines: readonly Lines[]) =>
  lines.flatMap((line) => line.split(' ')) as Names<Lines>[];

/** What arrives where an application names no type of its own in place of the documented one. */
export type RecordOf<P, Documented, Arrived> = [P, Documented] extends [Documented, P] ? Arrived : P;

/** A profile without the strategy's name and the network's response. */
export type MappedProfile = Omit<Profile<unknown>, 'provider' | '_raw' | '_json'>;

/** `photos` with the first link among the candidates. @param placeholder - Pattern of the network's picture for users who have none. */
export function photosFrom(candidates: unknown[], placeholder?: RegExp): { photos?: ProfilePhoto[] } {
  for (const candidate of candidates) {
    const value = linkFrom(candidate);
    if (value !== undefined && !placeholder?.test(value)) return { photos: [{ value }] };
  }
  return {};
}

/** A URL that a page can link to: https, or http on this machine (a sandbox); `undefined` for anything else, such as `javascript:`. */
export function linkFrom(value: unknown): string | undefined {
  if (typeof value !== 'string' || !/^https?:\/\/\S+$/.test(value)) return undefined;
  const url = parseURL(value);
  return url?.protocol === 'https:' || (url && isLoopback(url)) ? value : undefined;
}

/**
 * Makes fields of another package's record throw when they are read: an application that looks up an account by `undefined` can find
 * anybody's. They are inherited, so that nothing that prints or copies a record reads them. An application may write them.
 *
 * @param places - Field -> where its value is.
 * @returns The prototype of such a record.
 */
export function withoutFields(places: Readonly<Record<string, string>>): object {
  const descriptors: PropertyDescriptorMap = { constructor: { value: Object } };
  for (const [name, place] of Object.entries(places)) {
    descriptors[name] = {
      get(): never {
        throw new TypeError(`profile._json has no ${name}: read ${place}, or JSON.parse(profile._raw).`);
      },
      set(value: unknown) {
        Object.defineProperty(this, name, { value, writable: true, enumerable: true, configurable: true });
      },
    };
  }
  return Object.freeze(Object.defineProperties({}, descriptors));
}

/** A text with the replacement character for what databases refuse: U+0000 and lone surrogates. */
export function storable(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\uFFFD');
}

/** Makes every text in a parsed response {@link storable}, in place. */
function makeStorable(response: object): void {
  const objects = [response];
  // The list grows while it is read.
  for (const object of objects) {
    for (const [name, value] of Object.entries(object) as [string, unknown][]) {
      if (typeof value === 'object' && value !== null) objects.push(value);
      const isRefused = typeof value === 'string' && (value.includes('\0') || !value.isWellFormed());
      if (isRefused) Object.defineProperty(object, name, { value: storable(value) });
    }
  }
}

/** A copy without the properties that are `undefined`, `null` or an empty string. */
export function withoutAbsent<T extends object>(properties: { [K in keyof T]: T[K] | null | undefined }) {
  const present: Partial<T> = {};
  for (const name of Object.keys(properties) as (keyof T)[]) {
    const value = properties[name];
    if (value !== undefined && value !== null && value !== '') present[name] = value;
  }
  return present;
}

/**
 * Makes sure that a profile response names a user, and the one whom the token response names.
 *
 * @param place - Where the response has the ID.
 * @throws {@link MalformedError} `identifier_missing` or `identifier_mismatch`.
 */
export function requireIdentifier(provider: string, id: string | undefined, place: string, expected = id) {
  if (id === undefined) throw identifierError(provider, 'profile', 'identifier_missing', `no ${place}`);
  if (id === expected) return id;
  const found = `another user's ${place.split('.').pop()}, not the one in the token response`;
  throw identifierError(provider, 'profile', 'identifier_mismatch', found);
}

/**
 * Makes a profile from a network's record.
 *
 * @param mapProfile - The option `profile`, which replaces the network's own mapping.
 * @param record - Belongs to the profile: its texts are made {@link storable}.
 * @throws TypeError if an application's own mapping gives no ID.
 */
export function assembleProfile<P extends object>(
  provider: string,
  mapProfile: ((record: never) => MappedProfile) | undefined,
  record: P,
  raw: string,
  builtIn: (record: P) => MappedProfile,
): Profile<P> {
  makeStorable(record);
  const mapped = mapProfile ? requireAtOnce('option profile', mapProfile(record as never)) : builtIn(record);
  if (typeof mapped?.id !== 'string' || mapped.id === '') {
    throw new TypeError(
      `${provider}: option profile must return an object with an id that is a non-empty string.`,
    );
  }
  // What became the same replacement character would make one user of two.
  if (storable(mapped.id).includes('\uFFFD')) {
    const found = 'an identifier that is not valid Unicode';
    throw identifierError(provider, 'profile', 'identifier_missing', found);
  }
  const { id, ...others } = mapped;
  return { id, ...others, provider, _raw: raw, _json: record };
}
