import * as lib from '../../../lib/index.js';
import type { AnyVerify, StrategyClass } from '../../contract/strategies.js';
import type { NamedStrategy } from '../../support/login-app.js';
import { CANARIES } from './canaries.js';
import {
  type HonestResponses,
  MICROBLOG,
  MICROBLOG_1,
  SHORT_VIDEO,
  SOCIAL_NETWORK,
  type Step,
  VK_ID,
} from './honest-responses.js';
import type { Library } from './library.js';

/** A strategy method that an application calls with a token after the login. */
export interface TokenCall {
  readonly name: string;
  readonly step: Step;
  readonly call: (strategy: NamedStrategy, token: string) => Promise<unknown>;
}

/** One version of a network. */
export interface Subject {
  readonly title: string;
  readonly className: 'ShortVideoStrategy' | 'MicroblogStrategy' | 'SocialNetworkStrategy';
  readonly options: object;
  readonly addresses: Readonly<Record<string, Step>>;
  readonly honest: HonestResponses;
  /** The requests of a login, in order. */
  readonly steps: readonly Step[];
  readonly calls: readonly TokenCall[];
  /** OAuth 1.0a, in which the network's request token is the key of the pending login. */
  readonly oauth1: boolean;
  /** Whether a login returns a refresh token. */
  readonly refreshes: boolean;
}

type Calls = NamedStrategy & Record<'refresh' | 'revoke' | 'logout', (...args: string[]) => Promise<unknown>>;

const refresh: TokenCall = {
  name: 'refresh',
  step: 'token',
  call: (strategy, token) => (strategy as Calls).refresh(token, 'the-device'),
};
const revoke: TokenCall = {
  name: 'revoke',
  step: 'revoke',
  call: (strategy, token) => (strategy as Calls).revoke(token, CANARIES.tokenSecret),
};
const logout: TokenCall = {
  name: 'logout',
  step: 'logout',
  call: (strategy, token) => (strategy as Calls).logout(token),
};

const OAUTH2_ADDRESSES = { tokenURL: 'token', profileURL: 'profile' } as const;

/** Every network in every version. */
export const SUBJECTS: readonly Subject[] = [
  {
    title: 'short-video',
    className: 'ShortVideoStrategy',
    options: { clientSecret: CANARIES.clientSecret },
    addresses: { ...OAUTH2_ADDRESSES, revocationURL: 'revoke' },
    honest: SHORT_VIDEO,
    steps: ['token', 'profile'],
    calls: [refresh, revoke],
    oauth1: false,
    refreshes: true,
  },
  {
    title: 'microblog',
    className: 'MicroblogStrategy',
    options: { clientSecret: CANARIES.clientSecret, includeEmail: true },
    addresses: { ...OAUTH2_ADDRESSES, revocationURL: 'revoke' },
    honest: MICROBLOG,
    steps: ['token', 'profile'],
    calls: [refresh, revoke],
    oauth1: false,
    refreshes: true,
  },
  {
    title: 'microblog-1.0',
    className: 'MicroblogStrategy',
    options: { version: '1.0', clientSecret: CANARIES.clientSecret },
    addresses: {
      requestTokenURL: 'request-token',
      accessTokenURL: 'token',
      profileURL: 'profile',
      lookupURL: 'lookup',
      revocationURL: 'revoke',
    },
    honest: MICROBLOG_1,
    steps: ['request-token', 'token', 'profile', 'lookup'],
    calls: [revoke],
    oauth1: true,
    refreshes: false,
  },
  {
    title: 'social-network',
    className: 'SocialNetworkStrategy',
    options: { clientSecret: CANARIES.clientSecret, includeEmail: true },
    addresses: OAUTH2_ADDRESSES,
    honest: SOCIAL_NETWORK,
    steps: ['token', 'profile'],
    calls: [],
    oauth1: false,
    refreshes: false,
  },
  {
    title: 'vk-id',
    className: 'SocialNetworkStrategy',
    options: {
      version: '2.1',
      serviceToken: CANARIES.serviceToken,
      profileFields: ['screen_name', 'photo_100'],
    },
    addresses: { ...OAUTH2_ADDRESSES, lookupURL: 'lookup', revocationURL: 'revoke', logoutURL: 'logout' },
    honest: VK_ID,
    steps: ['token', 'profile', 'lookup'],
    calls: [refresh, revoke, logout],
    oauth1: false,
    refreshes: true,
  },
];

export function subjectCalled(title: string): Subject {
  const found = SUBJECTS.find((subject) => subject.title === title);
  if (!found) throw new Error(`unknown subject ${title}`);
  return found;
}

export function classOf({ className }: Subject, library: Library = lib): StrategyClass {
  return library[className] as unknown as StrategyClass;
}

/** The URLs of a subject's endpoints: `/<title>/<step>`. */
export function endpointsAt(url: string, { title, addresses, oauth1 }: Subject): Record<string, string> {
  const urls = Object.entries(addresses).map(([option, step]) => [option, `${url}/${title}/${step}`]);
  const page = oauth1 ? 'userAuthorizationURL' : 'authorizationURL';
  return Object.fromEntries([...urls, [page, `${url}/${title}/authorize`]]);
}

/** Creates a subject's strategy, named by its title. @param library - A copy of the library that has the strategy's class. */
export function strategyOf(
  subject: Subject,
  url: string,
  verify: AnyVerify,
  options: object = {},
  library?: Library,
): NamedStrategy {
  const { title } = subject;
  const common = {
    name: title,
    clientID: `client-of-${title}`,
    callbackURL: callbackURL(subject),
    customHeaders: { 'x-key': CANARIES.customHeader },
  };
  const merged = { ...common, ...subject.options, ...endpointsAt(url, subject), ...options };
  return new (classOf(subject, library))(merged, verify);
}

export function callbackURL({ title }: Subject): string {
  return `https://app.example/api/auth/callback/${title}`;
}
