import { scopeList } from '../core/oauth2/index.js';
import { BASIC_SCOPE, FIELD_SCOPES } from './facts.js';

/** The fields that exist, but for `email`: the network never sends one. */
export const FIELDS: readonly string[] = Object.keys(FIELD_SCOPES);

const NO_EMAIL = 'It has no e-mail address to give';

/** What to write for the names that a profile or another package has. */
export const FIELD_NOTES: Readonly<Record<string, string>> = {
  id: 'The profile always has it: leave it out',
  name: 'display_name',
  displayName: 'display_name',
  email: NO_EMAIL,
  emails: NO_EMAIL,
  photo: 'avatar_url',
  photos: 'avatar_url',
  profileUrl: 'profile_deep_link',
};

/** The default of `profileFields` besides `open_id`: name and pictures; if their scope was granted, handle and page as well. */
export const DEFAULT_FIELDS: readonly string[] = [
  'union_id',
  'avatar_url',
  'avatar_url_100',
  'avatar_large_url',
  'display_name',
  'username',
  'profile_deep_link',
];

/** Adds `open_id`, and for the large avatar the field with which the network delivers it. */
export function completeFields(fields: readonly string[]): string[] {
  const large = fields.includes('avatar_large_url') ? ['avatar_url_100'] : [];
  return [...new Set(['open_id', ...fields, ...large])];
}

/** The scopes that fields need, the basic one first. */
export function scopesFor(fields: readonly string[]): string[] {
  return [...new Set([BASIC_SCOPE, ...fields.map((field) => FIELD_SCOPES[field] as string)])];
}

/** The fields within the scopes. */
export function fieldsWithin(fields: readonly string[], scopes: readonly string[]): string[] {
  return fields.filter((field) => scopes.includes(FIELD_SCOPES[field] as string));
}

/** The first field outside the scopes, with the scope that it needs. */
export function fieldOutside(
  fields: readonly string[],
  scopes: readonly string[],
): { field: string; scope: string } | undefined {
  const field = fields.find((name) => !scopes.includes(FIELD_SCOPES[name] as string));
  return field === undefined ? undefined : { field, scope: FIELD_SCOPES[field] as string };
}

/** The scopes that the user granted, from the token response (`params` of verify). The network joins them with commas. */
export function grantedScopes(params: { readonly scope?: string }): string[] {
  return scopeList(params.scope);
}
