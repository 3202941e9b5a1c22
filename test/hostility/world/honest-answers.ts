import { randomUUID } from 'node:crypto';
import { CANARIES } from './canaries.js';
import { belongingTo, ownerOf, person } from './people.js';
import type { WireRequest } from './raw-network.js';

/** An answer before it is written as HTTP: an object goes out as JSON, a text as it is. */
export type HonestBody = object | string;

/** What a request of a login asks for. */
export type Step = 'request-token' | 'token' | 'profile' | 'lookup' | 'revoke' | 'logout';

/** The answers of a network that does nothing wrong, for one person. */
export type HonestAnswers = Readonly<Partial<Record<Step, (number: number) => HonestBody>>>;

/** A number that JavaScript would round; it goes out digit by digit. */
export function digits(text: string): string {
  return `@digits:${text}@`;
}

/** Writes a body: what {@link digits} made becomes a number again. */
export function bodyText(body: HonestBody): string {
  if (typeof body === 'string') return body;
  return JSON.stringify(body).replace(/"@digits:([^"@]*)@"/g, '$1');
}

/** Whose login a request belongs to: codes, verifiers and tokens name their person. */
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
const tokenAnswer = (number: number) => ({
  access_token: accessToken(number),
  refresh_token: belongingTo(CANARIES.refreshToken, number),
  expires_in: 7_200,
});

export const SHORT_VIDEO: HonestAnswers = {
  token: (number) => ({
    ...tokenAnswer(number),
    open_id: person(number).id,
    scope: 'user.info.basic',
    refresh_expires_in: 86_400,
    token_type: 'Bearer',
  }),
  profile: (number) => ({
    data: {
      user: {
        open_id: person(number).id,
        display_name: person(number).name,
        avatar_url: 'https://p.example/a',
      },
    },
    error: { code: 'ok', message: '', log_id: '1' },
  }),
  revoke: () => ({}),
};

export const MICROBLOG: HonestAnswers = {
  token: (number) => ({
    ...tokenAnswer(number),
    scope: 'users.read tweet.read users.email',
    token_type: 'bearer',
  }),
  profile: (number) => ({
    data: {
      id: person(number).id,
      name: person(number).name,
      username: 'somebody',
      confirmed_email: 'a@b.example',
    },
  }),
  revoke: () => ({ revoked: true }),
};

export const MICROBLOG_1: HonestAnswers = {
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
      user_id: person(number).id,
      screen_name: 'somebody',
    }).toString(),
  profile: (number) => ({
    id: digits(person(number).id),
    id_str: person(number).id,
    name: person(number).name,
    screen_name: 'somebody',
  }),
  lookup: (number) => ({ data: { id: person(number).id, name: person(number).name, username: 'somebody' } }),
  revoke: (number) => ({ access_token: accessToken(number) }),
};

export const SOCIAL_NETWORK: HonestAnswers = {
  token: (number) => ({
    access_token: accessToken(number),
    expires_in: 86_400,
    user_id: digits(person(number).id),
    email: 'a@b.example',
  }),
  profile: (number) => ({
    response: [{ id: digits(person(number).id), first_name: person(number).name, last_name: '', sex: 1 }],
  }),
};

export const VK_ID: HonestAnswers = {
  token: (number) => ({
    ...tokenAnswer(number),
    user_id: digits(person(number).id),
    scope: 'vkid.personal_info',
    token_type: 'Bearer',
  }),
  profile: (number) => ({
    user: { user_id: person(number).id, first_name: person(number).name, last_name: 'X', verified: false },
  }),
  lookup: (number) => ({
    response: [{ id: digits(person(number).id), screen_name: 'somebody', photo_100: 'https://p.example/a' }],
  }),
  revoke: () => ({ response: 1 }),
  logout: () => ({ response: 1 }),
};
