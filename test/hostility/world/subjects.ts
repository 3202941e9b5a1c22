import { randomUUID } from 'node:crypto';
import { classOf } from '../../contract/strategies.js';
import type { NamedStrategy } from '../../support/login-app.js';
import type { AnyFunction } from '../../support/verification.js';
import { CANARIES } from './secrets.js';

export type Step = 'request-token' | 'token' | 'profile' | 'lookup' | 'revoke' | 'logout';

/** A response body: objects are sent as JSON, strings as they are. */
export type HonestBody = object | string;

/** A strategy method that an application calls with a token after the login. */
export interface TokenCall {
  readonly name: string;
  readonly step: Step;
  readonly call: (strategy: NamedStrategy, token: string) => Promise<unknown>;
}

export interface Subject {
  readonly title: string;
  readonly className: 'ShortVideoStrategy' | 'MicroblogStrategy' | 'SocialNetworkStrategy';
  readonly options: object;
  readonly addresses: Readonly<Record<string, Step>>;
  /** The responses of an honest network, by user number, or about another user, in the order of the steps. */
  readonly honest: Readonly<Partial<Record<Step, (number: number, id?: string) => HonestBody>>>;
  readonly calls: readonly TokenCall[];
  /** OAuth 1.0a, in which the network's request token is the key of the pending login. */
  readonly oauth1?: true;
}

const FIRST_IDENTIFIER = 9_007_199_254_740_993n;

/** The ID of a user of the networks. They are beyond 2^53, so that a rounded one belongs to another user. */
export const idOf = (number: number): string => String(FIRST_IDENTIFIER + BigInt(number) * 2n);

export function belongingTo(secret: string, number: number): string {
  return `${secret}.${number}.`;
}

/** The user's number in a marked string. @returns `undefined` for an unmarked string. */
export function ownerOf(text: string): number | undefined {
  const [, digits] = /\.(\d{1,9})\.$/.exec(text) ?? [];
  return digits === undefined ? undefined : Number(digits);
}

/** Marks a number that JavaScript would round, to be sent with all its digits. */
export function digits(text: string): string {
  return `@digits:${text}@`;
}

/** Serializes a body and restores numbers from {@link digits}. */
export function bodyText(body: HonestBody): string {
  if (typeof body === 'string') return body;
  return JSON.stringify(body).replace(/"@digits:([^"@]*)@"/g, '$1');
}

type Calls = NamedStrategy & Record<'refresh' | 'revoke' | 'logout', (...args: string[]) => Promise<unknown>>;

const callOf = (name: 'refresh' | 'revoke' | 'logout', step: Step, ...more: string[]): TokenCall => ({
  name,
  step,
  call: (strategy, token) => (strategy as Calls)[name](token, ...more),
});
const refresh = callOf('refresh', 'token', 'the-device');
const revoke = callOf('revoke', 'revoke', CANARIES.tokenSecret);
const logout = callOf('logout', 'logout');

const OAUTH2_ADDRESSES = { tokenURL: 'token', profileURL: 'profile' } as const;
const { clientSecret, serviceToken, tokenSecret, requestTokenSecret } = CANARIES;
const USERNAME = 'good_answer';
const NAME = 'Good Answer';
const [first_name, last_name] = NAME.split(' ');
const EMAIL = 'a@b.example';
const PICTURE = 'https://p.example/a';

const accessToken = (number: number) => belongingTo(CANARIES.accessToken, number);
const tokenResponse = (number: number) => ({
  access_token: accessToken(number),
  refresh_token: belongingTo(CANARIES.refreshToken, number),
  expires_in: 7_200,
  token_type: 'Bearer',
});

export const SUBJECTS: readonly Subject[] = [
  {
    title: 'short-video',
    className: 'ShortVideoStrategy',
    options: { clientSecret },
    addresses: { ...OAUTH2_ADDRESSES, revocationURL: 'revoke' },
    honest: {
      token: (number, id = idOf(number)) => ({
        ...tokenResponse(number),
        open_id: id,
        scope: 'user.info.basic',
        refresh_expires_in: 86_400,
      }),
      profile: (number, open_id = idOf(number)) => ({
        data: { user: { open_id, display_name: NAME, avatar_url: PICTURE } },
        error: { code: 'ok', message: '', log_id: '1' },
      }),
      revoke: () => ({}),
    },
    calls: [refresh, revoke],
  },
  {
    title: 'microblog',
    className: 'MicroblogStrategy',
    options: { clientSecret, includeEmail: true },
    addresses: { ...OAUTH2_ADDRESSES, revocationURL: 'revoke' },
    honest: {
      token: (number) => ({
        ...tokenResponse(number),
        token_type: 'bearer',
        scope: 'users.read tweet.read users.email',
      }),
      profile: (number, id = idOf(number)) => ({
        data: { id, name: NAME, username: USERNAME, confirmed_email: EMAIL },
      }),
      revoke: () => ({ revoked: true }),
    },
    calls: [refresh, revoke],
  },
  {
    title: 'microblog-1-0',
    className: 'MicroblogStrategy',
    options: { version: '1.0', clientSecret },
    addresses: {
      requestTokenURL: 'request-token',
      accessTokenURL: 'token',
      profileURL: 'profile',
      lookupURL: 'lookup',
      revocationURL: 'revoke',
    },
    honest: {
      'request-token': () =>
        new URLSearchParams({
          oauth_token: randomUUID(),
          oauth_token_secret: requestTokenSecret,
          oauth_callback_confirmed: 'true',
        }).toString(),
      token: (number, id = idOf(number)) =>
        new URLSearchParams({
          oauth_token: accessToken(number),
          oauth_token_secret: tokenSecret,
          user_id: id,
          screen_name: USERNAME,
        }).toString(),
      profile: (number, id = idOf(number)) => ({
        id: digits(id),
        id_str: id,
        name: NAME,
        screen_name: USERNAME,
      }),
      lookup: (number, id = idOf(number)) => ({ data: { id, name: NAME, username: USERNAME } }),
      revoke: (number) => ({ access_token: accessToken(number) }),
    },
    calls: [revoke],
    oauth1: true,
  },
  {
    title: 'social-network',
    className: 'SocialNetworkStrategy',
    options: { clientSecret, includeEmail: true },
    addresses: OAUTH2_ADDRESSES,
    honest: {
      token: (number, id = idOf(number)) => ({
        access_token: accessToken(number),
        expires_in: 86_400,
        user_id: digits(id),
        email: EMAIL,
      }),
      profile: (number, id = idOf(number)) => ({
        response: [{ id: digits(id), first_name, last_name, sex: 1 }],
      }),
    },
    calls: [],
  },
  {
    title: 'vk-id',
    className: 'SocialNetworkStrategy',
    options: { version: '2.1', serviceToken, profileFields: ['screen_name', 'photo_100'] },
    addresses: { ...OAUTH2_ADDRESSES, lookupURL: 'lookup', revocationURL: 'revoke', logoutURL: 'logout' },
    honest: {
      token: (number, id = idOf(number)) => ({
        ...tokenResponse(number),
        user_id: digits(id),
        scope: 'vkid.personal_info',
      }),
      profile: (number, user_id = idOf(number)) => ({
        user: { user_id, first_name, last_name, verified: false },
      }),
      lookup: (number, id = idOf(number)) => ({
        response: [{ id: digits(id), screen_name: USERNAME, photo_100: PICTURE }],
      }),
      revoke: () => ({ response: 1 }),
      logout: () => ({ response: 1 }),
    },
    calls: [refresh, revoke, logout],
  },
];

export function stepsOf({ honest }: Subject): Step[] {
  return (Object.keys(honest) as Step[]).filter((step) => step !== 'revoke' && step !== 'logout');
}

export function subjectCalled(title: string): Subject {
  const found = SUBJECTS.find((subject) => subject.title === title);
  if (!found) throw new Error(`unknown subject ${title}`);
  return found;
}

/** The URLs of a subject's endpoints: `/<title>/<step>`. */
export function endpointsAt(url: string, { title, addresses, oauth1 }: Subject): Record<string, string> {
  const urls = Object.entries(addresses).map(([option, step]) => [option, `${url}/${title}/${step}`]);
  const page = oauth1 ? 'userAuthorizationURL' : 'authorizationURL';
  return Object.fromEntries([...urls, [page, `${url}/${title}/authorize`]]);
}

/** Creates a subject's strategy, named by its title. */
export function strategyOf(
  subject: Subject,
  url: string,
  verify: AnyFunction,
  options: object = {},
): NamedStrategy {
  const { title } = subject;
  const common = {
    name: title,
    clientID: `client-of-${title}`,
    callbackURL: `https://app.example/api/auth/callback/${title}`,
    customHeaders: { 'x-key': CANARIES.customHeader },
  };
  const merged = { ...common, ...subject.options, ...endpointsAt(url, subject), ...options };
  return new (classOf({ name: subject.className }))(merged, verify);
}

export function keyOf(location: string): string | undefined {
  const { searchParams } = new URL(location);
  return searchParams.get('state') ?? searchParams.get('oauth_token') ?? undefined;
}

export function callbackQuery(subject: Subject, key: string, owner: number): Record<string, string> {
  if (subject.oauth1) return { oauth_token: key, oauth_verifier: belongingTo(CANARIES.verifier, owner) };
  const device = subject.title === 'vk-id' ? { device_id: 'the-device' } : {};
  return { code: belongingTo(CANARIES.code, owner), state: key, ...device };
}

export function denialQuery(subject: Subject, key: string): Record<string, string> {
  return subject.oauth1 ? { denied: key } : { error: 'access_denied', error_description: 'no', state: key };
}

export function textOf(query: Readonly<Record<string, string>>): string {
  return new URLSearchParams(query).toString();
}
