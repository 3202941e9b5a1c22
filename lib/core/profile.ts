import { identifierError, withMembers } from './answer.js';

/**
 * A person, in Passport's normalized form. What the network did not send is absent; nothing is invented.
 *
 * @typeParam P - The network's own record.
 * @see https://www.passportjs.org/reference/normalized-profile/ (read 2026-11)
 */
export interface Profile<P> {
  /** The strategy's name. */
  provider: string;
  /** The person's identifier at the network, never rounded. With `provider` the key of an account. */
  id: string;
  /** Free text, neither unique nor stable; empty when the network gave no name. */
  displayName: string;
  /** The handle, as the network spells it. It can change hands. */
  username?: string;
  /** The parts of the person's name, where the network keeps them apart. */
  name?: ProfileName;
  /** Only where the network knows one of the two. */
  gender?: 'female' | 'male';
  /** At most one; absent where none was asked for, granted or known. */
  emails?: ProfileEmail[];
  /** At most one: the largest picture that the answer names. */
  photos?: ProfilePhoto[];
  /** Address of the person's page at the network. */
  profileUrl?: string;
  /** The exact text of the network's answer. */
  _raw: string;
  /** The network's record, parsed. */
  _json: P;
}

/** Parts of a person's name. A part that the network did not send is absent, never empty. */
export interface ProfileName {
  /** Surname. */
  familyName?: string;
  /** First name. */
  givenName?: string;
  /** Patronymic or middle name. */
  middleName?: string;
}

/** An e-mail address, and whether it may be trusted. */
export interface ProfileEmail {
  /** The address, as the network spells it. */
  value: string;
  /** Present only where the network documents that it confirms addresses. Absent means: not known. */
  verified?: boolean;
}

/** A picture of the person. */
export interface ProfilePhoto {
  /** Its http or https address; networks sign theirs, so that they expire. */
  value: string;
}

/** A profile before the strategy adds its name and the network's answer. */
export type MappedProfile = Omit<Profile<unknown>, 'provider' | '_raw' | '_json'>;

/** `[{ value }]` for the first http or https address among the candidates, else nothing at all. */
export function photosFrom(...candidates: unknown[]): { photos?: ProfilePhoto[] } {
  const value = candidates.find(
    (candidate): candidate is string => typeof candidate === 'string' && /^https?:\/\/\S+$/.test(candidate),
  );
  return value === undefined ? {} : { photos: [{ value }] };
}

/** A copy without the members that are absent or empty text. */
export function withoutAbsent<T extends object>(members: { [K in keyof T]: T[K] | undefined }): Partial<T> {
  const present: Record<string, unknown> = {};
  for (const name of Object.keys(members)) {
    const value = members[name as keyof T];
    if (value !== undefined && value !== '') present[name] = value;
  }
  return present as Partial<T>;
}

/**
 * Puts a profile together from a network's record.
 *
 * @param mapped - What the network's mapping, or the option `profile`, made of the record.
 * @throws TypeError when an application's own mapping gives no identifier.
 */
export function assembleProfile<P>(
  provider: string,
  mapped: MappedProfile,
  record: P,
  raw: string,
): Profile<P> {
  if (typeof mapped?.id !== 'string' || mapped.id === '') {
    throw new TypeError(
      `${provider}: option profile must return an object with an id that is a non-empty text.`,
    );
  }
  // Databases store every lone surrogate as one and the same replacement: two people would be one.
  if (!mapped.id.isWellFormed()) {
    throw identifierError(
      { provider, step: 'profile' },
      'identifier_missing',
      'an identifier that is no valid text',
    );
  }
  return withMembers(mapped, { provider, _raw: raw, _json: record });
}
