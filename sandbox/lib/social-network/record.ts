import type { SandboxPerson } from '../people.js';
import type { World } from '../world.js';

/** Picture of users who have none. */
const PLACEHOLDER = '/images/camera_b.gif';

const SEX = { female: 1, male: 2 } as const;

/** The user object of VK ID. `user_id` is a string here, but a number in the token response. */
export interface VkIdUser {
  readonly user_id: string;
  readonly first_name: string;
  readonly last_name: string;
  readonly avatar: string;
  readonly sex: 0 | 1 | 2;
  readonly verified: boolean;
  /** `DD.MM.YYYY`. */
  readonly birthday?: string;
  /** Missing when the scope was not granted, empty when the user has none. */
  readonly email?: string;
  /** Like `email`. */
  readonly phone?: string;
}

/**
 * A user of `users.get`: ID and name, and the requested fields that have a value.
 *
 * Unknown fields are ignored. A deactivated account has only its ID and name.
 */
export function socialNetworkUser(world: World, person: SandboxPerson, fields: readonly string[]): object {
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

/** The user object of VK ID's `user_info`. */
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

/**
 * The user object of VK ID's `public_info`: an initial in place of the last name, and digits and letters of phone number and e-mail
 * address masked. Both are empty unless granted.
 */
export function maskedVkIdUser(world: World, person: SandboxPerson, scopes: readonly string[]): object {
  const { user_id, first_name, last_name, avatar, phone = '', email = '' } = vkIdUser(world, person, scopes);
  return {
    user_id,
    first_name,
    last_name: last_name.replace(/^(.).*$/u, '$1.'),
    phone: phone && `+${phone.slice(0, 4)} *** ** ${phone.slice(-2)}`,
    avatar,
    email: email.replace(/^(.{1,2}).*@/u, '$1***@'),
  };
}

function optionalFields(world: World, person: SandboxPerson): object {
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

/** Square pictures by width. Leaves out those wider than the original. Without a picture, all are the placeholder. */
function pictures(world: World, person: SandboxPerson): object {
  const url = (pixels: number): string => world.picture(person, pixels) ?? `${world.url}${PLACEHOLDER}`;
  const small = { photo_50: url(50), photo_100: url(100) };
  if (person.picture === 'small') return { ...small, photo_max: url(100), photo_max_orig: url(100) };
  return {
    ...small,
    photo_200: url(200),
    photo_200_orig: url(200),
    photo_400_orig: url(400),
    photo_max: url(400),
    photo_max_orig: url(400),
  };
}

function sexOf(person: SandboxPerson): 0 | 1 | 2 {
  return person.sex ? SEX[person.sex] : 0;
}

/** `D.M.YYYY`, or `D.M` when the year is hidden. */
function shortBirthday({ birthday }: SandboxPerson): string | undefined {
  return (
    birthday && [birthday.day, birthday.month, birthday.year].filter((part) => part !== undefined).join('.')
  );
}

/** `DD.MM.YYYY`; `undefined` when the year is hidden. */
function fullBirthday({ birthday }: SandboxPerson): string | undefined {
  if (birthday?.year === undefined) return undefined;
  return [birthday.day, birthday.month, birthday.year].map((part) => String(part).padStart(2, '0')).join('.');
}
