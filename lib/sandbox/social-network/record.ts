import type { SocialNetworkProfile } from '../../social-network/record.js';
import type { SandboxPerson } from '../people.js';
import type { World } from '../world.js';

/** Where the network points for somebody without a picture. */
const PLACEHOLDER = '/images/camera_b.gif';

const SEX = { female: 1, male: 2 } as const;

/** The user object of VK ID: its identifier is text here, though the token answer has it as a number. */
export interface VkIdUser {
  readonly user_id: string;
  readonly first_name: string;
  readonly last_name: string;
  readonly avatar: string;
  readonly sex: 0 | 1 | 2;
  readonly verified: boolean;
  /** `DD.MM.YYYY`. */
  readonly birthday?: string;
  /** Absent when not granted, empty when there is none. */
  readonly email?: string;
  /** As `email`. */
  readonly phone?: string;
}

/**
 * A record of `users.get`: name and identifier always, the rest when asked for and there is something to tell.
 *
 * Unknown fields are ignored. An account that was deactivated has nothing to tell but its name.
 */
export function socialNetworkUser(
  world: World,
  person: SandboxPerson,
  fields: readonly string[],
): Partial<SocialNetworkProfile> {
  const name = { id: person.socialNetworkId, first_name: person.givenName, last_name: person.familyName };
  if (person.deactivated) {
    const first_name = person.deactivated === 'deleted' ? 'DELETED' : person.givenName;
    return { ...name, first_name, deactivated: person.deactivated };
  }
  const wanted = Object.entries(optionalFields(world, person)).filter(
    ([field, value]) => fields.includes(field) && value !== undefined,
  );
  return {
    ...name,
    can_access_closed: true,
    is_closed: person.closed ?? false,
    ...Object.fromEntries(wanted),
  };
}

/** The answer to `user_info`. */
export function vkIdUser(world: World, person: SandboxPerson, scopes: readonly string[]): VkIdUser {
  const birthday = fullBirthday(person);
  return {
    user_id: String(person.socialNetworkId),
    first_name: person.givenName,
    last_name: person.familyName,
    avatar: world.picture(person, 50) ?? `${world.url}${PLACEHOLDER}`,
    sex: sexOf(person),
    verified: person.verified ?? false,
    ...(birthday !== undefined && { birthday }),
    ...(scopes.includes('email') && { email: person.email ?? '' }),
    ...(scopes.includes('phone') && { phone: person.phone ?? '' }),
  };
}

function optionalFields(
  world: World,
  person: SandboxPerson,
): { [F in keyof SocialNetworkProfile]?: unknown } {
  return {
    ...pictures(world, person),
    about: person.description ?? '',
    bdate: shortBirthday(person),
    city: person.location && { id: 1, title: person.location },
    country: person.location && { id: 1, title: 'Sandbox' },
    domain: person.handle,
    followers_count: 1200,
    has_mobile: person.phone ? 1 : 0,
    has_photo: person.picture ? 1 : 0,
    home_town: person.location ?? '',
    nickname: '',
    online: 0,
    screen_name: person.handle,
    sex: sexOf(person),
    site: person.website ?? '',
    status: person.description ?? '',
    timezone: 3,
    verified: person.verified ? 1 : 0,
  };
}

/** Square pictures by width. Those wider than the original are left out; without any, all are the placeholder. */
function pictures(world: World, person: SandboxPerson): Partial<SocialNetworkProfile> {
  const address = (pixels: number): string => world.picture(person, pixels) ?? `${world.url}${PLACEHOLDER}`;
  const small = { photo_50: address(50), photo_100: address(100) };
  if (person.picture === 'small') return { ...small, photo_max: address(100), photo_max_orig: address(100) };
  return {
    ...small,
    photo_200: address(200),
    photo_200_orig: address(200),
    photo_400_orig: address(400),
    photo_max: address(400),
    photo_max_orig: address(400),
  };
}

function sexOf(person: SandboxPerson): 0 | 1 | 2 {
  return person.sex ? SEX[person.sex] : 0;
}

/** `D.M.YYYY`, or `D.M` of somebody who hides the year. */
function shortBirthday({ birthday }: SandboxPerson): string | undefined {
  return (
    birthday && [birthday.day, birthday.month, birthday.year].filter((part) => part !== undefined).join('.')
  );
}

/** `DD.MM.YYYY`; absent when the year is hidden. */
function fullBirthday({ birthday }: SandboxPerson): string | undefined {
  if (birthday?.year === undefined) return undefined;
  return [birthday.day, birthday.month, birthday.year].map((part) => String(part).padStart(2, '0')).join('.');
}
