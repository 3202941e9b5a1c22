import { randomUUID } from 'node:crypto';
import { CANARIES } from './canaries.js';
import type { WireRequest } from './raw-network.js';
import { belongingTo, ownerOf, user } from './users.js';

/** A response body: objects are sent as JSON, strings as they are. */
export type HonestBody = object | string;

/** The step of a login that a request belongs to. */
export type Step = 'request-token' | 'token' | 'profile' | 'lookup' | 'revoke' | 'logout';

/** The responses of an honest network, by user number. */
export type HonestResponses = Readonly<Partial<Record<Step, (number: number) => HonestBody>>>;

/** Marks a number that JavaScript would round, to be sent with all its digits. */
export function digits(text: string): string {
  return `@digits:${text}@`;
}

/** Serializes a body and restores numbers from {@link digits}. */
export function bodyText(body: HonestBody): string {
  if (typeof body === 'string') return body;
  return JSON.stringify(body).replace(/"@digits:([^"@]*)@"/g, '$1');
}

/** The user that a request belongs to, read from its code, verifier or token. */
export function ownerOfRequest({ head, form }: WireRequest): number {
  const bearer = /^authorization: *bearer (\S+)/im.exec(head)?.[1];
  const signed = ['oauth_verifier', 'oauth_token'].map((name) =>
    decodeURIComponent(new RegExp(`${name}="([^"]*)"`).exec(head)?.[1] ?? ''),
  );
  const sent = ['code', 'access_token', 'refresh_token', 'token'].map((name) => form.get(name) ?? '');
  for (const text of [...sent, ...signed, bearer ?? '']) {
    const owner = ownerOf(text);
    if (owner !== undefined) return owner;
  }
  return 0;
}

const accessToken = (number: number) => belongingTo(CANARIES.accessToken, number);
const tokenResponse = (number: number) => ({
  access_token: accessToken(number),
  refresh_token: belongingTo(CANARIES.refreshToken, number),
  expires_in: 7_200,
});

export const SHORT_VIDEO: HonestResponses = {
  token: (number) => ({
    ...tokenResponse(number),
    open_id: user(number).id,
    scope: 'user.info.basic',
    refresh_expires_in: 86_400,
    token_type: 'Bearer',
  }),
  profile: (number) => ({
    data: {
      user: {
        open_id: user(number).id,
        display_name: user(number).name,
        avatar_url: 'https://p.example/a',
      },
    },
    error: { code: 'ok', message: '', log_id: '1' },
  }),
  revoke: () => ({}),
};

export const MICROBLOG: HonestResponses = {
  token: (number) => ({
    ...tokenResponse(number),
    scope: 'users.read tweet.read users.email',
    token_type: 'bearer',
  }),
  profile: (number) => ({
    data: {
      id: user(number).id,
      name: user(number).name,
      username: 'somebody',
      confirmed_email: 'a@b.example',
    },
  }),
  revoke: () => ({ revoked: true }),
};

export const MICROBLOG_1: HonestResponses = {
  'request-token': () =>
    new URLSearchParams({
      oauth_token: randomUUID(),
      oauth_token_secret: CANARIES.requestTokenSecret,
      oauth_callback_confirmed: 'true',
    }).toString(),
  token: (number) =>
    new URLSearchParams({
      oauth_token: accessToken(number),
      oauth_token_secret: CANARIES.tokenSecret,
      user_id: user(number).id,
      screen_name: 'somebody',
    }).toString(),
  profile: (number) => ({
    id: digits(user(number).id),
    id_str: user(number).id,
    name: user(number).name,
    screen_name: 'somebody',
  }),
  lookup: (number) => ({ data: { id: user(number).id, name: user(number).name, username: 'somebody' } }),
  revoke: (number) => ({ access_token: accessToken(number) }),
};

export const SOCIAL_NETWORK: HonestResponses = {
  token: (number) => ({
    access_token: accessToken(number),
    expires_in: 86_400,
    user_id: digits(user(number).id),
    email: 'a@b.example',
  }),
  profile: (number) => ({
    response: [{ id: digits(user(number).id), first_name: user(number).name, last_name: '', sex: 1 }],
  }),
};

export const VK_ID: HonestResponses = {
  token: (number) => ({
    ...tokenResponse(number),
    user_id: digits(user(number).id),
    scope: 'vkid.personal_info',
    token_type: 'Bearer',
  }),
  profile: (number) => ({
    user: { user_id: user(number).id, first_name: user(number).name, last_name: 'X', verified: false },
  }),
  lookup: (number) => ({
    response: [{ id: digits(user(number).id), screen_name: 'somebody', photo_100: 'https://p.example/a' }],
  }),
  revoke: () => ({ response: 1 }),
  logout: () => ({ response: 1 }),
};
