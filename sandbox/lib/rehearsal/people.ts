import { PEOPLE } from '../core/people.js';
import type { SandboxNetwork } from '../networks.js';

export const ONE_COLUMN =
  'Nothing but provider and profile.id may have to be unique: e-mail address, handle and name belong to several people.';

export const ANY_SCRIPT =
  'Names have letters of every script, and emoji: no btoa(), header or column takes only Latin-1.';

/** A form with the IDs of one person in the place of another's, if it has any. */
export function withIDsOf(mine: string, theirs: string, form: Readonly<Record<'to' | 'body', string>>) {
  const ids = ['openId', 'unionId', 'microblogId', 'socialNetworkId'] as const;
  const idsOf = (who: string) => ids.map((id) => String(personOf(who)?.[id] ?? `no ${id}`));
  const [own, other] = [idsOf(mine), idsOf(theirs)];
  // In one pass, because one ID may be a part of another.
  const forge = (text: string) =>
    text.replace(new RegExp(own.join('|'), 'g'), (found) => other[own.indexOf(found)] ?? found);
  const forged = { to: forge(form.to), body: forge(form.body) };
  return forged.to === form.to && forged.body === form.body ? undefined : forged;
}

/** Members that only a network's record has, or a profile with it. */
export const MEMBERS =
  /"(_json|_raw|open_id|union_id|avatar_url\w*|profile_image_url\w*|public_metrics|screen_name|photo_\w+|can_access_closed)"/g;

export const FIRST_PEOPLE = ['alice', 'anna'] as const;
/** People who differ in nothing but their names and what is easily lost of their IDs. */
export const TWINS = ['max', 'maxine'] as const;
/** People whose IDs are each other's at another network. */
export const SAME_ID = ['hanako', 'layla'] as const;
/** Everybody whose logins are linked, or take part. */
export const LINKED_PEOPLE: readonly string[] = ['ned', 'maxine', 'nora', 'dora', 'boris', ...SAME_ID];
/** People who differ in nothing but their IDs. */
export const NAMESAKES = ['alice', 'alison'] as const;

export const personOf = (id: string | undefined) => PEOPLE.find((one) => one.id === id);

/** A person's ID at a network. */
export function idAt(id: string | undefined, network: SandboxNetwork | undefined): string | undefined {
  const person = personOf(id);
  if (network === 'social-network') return person && String(person.socialNetworkId);
  return network === 'microblog' ? person?.microblogId : person?.openId;
}

/** Whose picture a URL of the sandbox leads to. */
export const pictureOf = (url: string): string | undefined =>
  PEOPLE.find(({ id }) => new RegExp(`/pictures/${id}(_[a-z]+)?\\.(svg|png|jpeg)`).test(url))?.id;

/** What a page may show of a person. @param isSure - Leaves out what pages have as an example, too. */
export function signsOf(id: string, isSure: boolean): readonly string[] {
  const person = personOf(id);
  if (!person) return [];
  const { displayName, givenName, handle, email, openId, unionId, microblogId, socialNetworkId } = person;
  const sure = [displayName, handle, openId, unionId, microblogId, String(socialNetworkId)];
  const all = [...sure, ...(isSure ? [] : [givenName, email])];
  // A short number counts something else as well.
  return all.filter((text) => text !== undefined && !/^\d{1,4}$/.test(text)) as string[];
}

/** What a page shows of a person whose data it is. */
export function privateSigns(id: string): readonly string[] {
  const { email, openId, unionId, microblogId, socialNetworkId } = personOf(id) ?? {};
  return [email, openId, unionId, microblogId, socialNetworkId && String(socialNetworkId)].filter(
    (sign) => sign !== undefined && sign !== 0,
  ) as string[];
}

/** Whether a page's words have a sign of one person that the other one has not. */
export function shows(words: ReadonlySet<string>, id: string, otherID: string, isSure = false): boolean {
  const others = signsOf(otherID, false);
  const signs = signsOf(id, isSure).filter((text) => !others.includes(text));
  return signs.some((text) => {
    const parts = text.match(/[\p{L}\p{N}@._-]{2,}/gu) ?? [];
    return parts.length > 0 && parts.every((part) => words.has(part));
  });
}

/** What the name of one person has, and that of another one has not. */
function ownNames(id: string, otherID: string): readonly string[] {
  const [own = [], other = []] = [id, otherID].map((who): readonly string[] => {
    const name = personOf(who)?.displayName;
    return name?.match(/[\p{L}\p{N}]{2,}/gu) ?? [];
  });
  return own.filter((part) => !other.includes(part));
}

/** Whether a page names one person, in words that the other one's name has not. */
export function showsName(words: ReadonlySet<string>, id: string, otherID: string): boolean {
  const own = ownNames(id, otherID);
  return own.length > 0 && own.every((part) => words.has(part));
}

/** How often a page names one person, in words that the other one's name has not. */
export const timesNamed = (text: string, id: string, otherID: string): number =>
  Math.min(...ownNames(id, otherID).map((part) => text.split(part).length - 1));

/** What is special about people whom careless software locks out. */
export const SPECIAL: Readonly<Record<string, string>> = {
  layla:
    'has no picture, and one name alone: photos, emails and familyName of a profile may be missing, as in profile.photos?.[0]?.value, and displayName may have no space.',
  maxine: `has another user's e-mail address and handle, and a name that is markup: none of them identifies a user. ${ONE_COLUMN}`,
  hubert:
    'has long names and a long ID: store them as text of any length, or cut names where you store them.',
  hanako:
    'has an emoji in the name, and no picture: let the database keep all of Unicode, such as utf8mb4 in MySQL, and let nothing remove letters beyond ASCII.',
  nora: 'has an apostrophe and quotation marks in the name: give values to the database as parameters, never in the text of SQL, and make JSON with JSON.stringify().',
  max: `has an ID beyond 2^53, and maxine's e-mail address and handle: store profile.id as text. ${ONE_COLUMN}`,
};

export const OTHER_PEOPLE = ['layla', 'maxine', 'hubert', 'hanako', 'nora'] as const;
