import type { Strategy } from 'passport';
import {
  type MicroblogOAuth1Strategy,
  type MicroblogOAuth2Strategy,
  MicroblogStrategy,
  ShortVideoStrategy,
  SocialNetworkStrategy,
} from '../../lib/index.js';
import type { Recording } from './recording.js';

/** The form of verify that the recorded logins use. */
export type RecordedVerify = (
  token: string,
  refreshToken: string | undefined,
  params: object,
  profile: object,
  done: (error: null, user: Express.User) => void,
) => void;

/** How to run the logins of one folder of recordings, and the calls after them. */
export interface RecordedNetwork {
  /** The name of the strategy. */
  readonly name: string;
  readonly strategy: (options: object, verify: RecordedVerify) => Strategy;
  /** The fixed values, as listed in the README. */
  readonly options: Readonly<Record<string, unknown>>;
  /** The parameters of the authorization response, besides `key`. */
  readonly callback: Readonly<Record<string, string>>;
  /** The parameter that connects the authorization response to its login. */
  readonly key: 'state' | 'oauth_token';
  /** The fields that the strategy adds to the token response. */
  readonly addedParams: Readonly<Record<string, string>>;
  /** How often a GET that gets 502, 503 or 504 is retried. */
  readonly retries: number;
  /** The exchange of a login whose response identifies the user; its body is `_raw`. */
  readonly profileOf: (login: readonly Recording[]) => Recording;
  /** The record that verify gets as `_json`. */
  readonly recordOf: (login: readonly Recording[]) => unknown;
  /** The calls after a login, with the fixed values. */
  readonly calls: Readonly<Record<string, (strategy: Strategy) => Promise<unknown>>>;
}

const CLIENT = { clientID: 'CLIENT-ID', clientSecret: 'CLIENT-SECRET' };

const usual = {
  key: 'state',
  addedParams: {},
  retries: 0,
  profileOf: lastOf,
  recordOf: (login: readonly Recording[]): unknown => lastOf(login).response,
} as const;

const microblog = {
  ...usual,
  name: 'microblog',
  strategy: (options: object, verify: RecordedVerify) =>
    new MicroblogStrategy(options as never, verify as never),
};

const socialNetwork = {
  ...usual,
  name: 'social-network',
  strategy: (options: object, verify: RecordedVerify) =>
    new SocialNetworkStrategy(options as never, verify as never),
};

export const NETWORKS: Readonly<Record<string, RecordedNetwork>> = {
  'short-video/2': {
    ...usual,
    name: 'short-video',
    strategy: (options, verify) => new ShortVideoStrategy(options as never, verify as never),
    options: { ...CLIENT, clientID: 'CLIENT-KEY', callbackURL: callbackURL('short-video') },
    callback: { code: 'AUTHORIZATION-CODE*1!4608.va' },
    retries: 2,
    calls: {
      refresh: (strategy) => (strategy as ShortVideoStrategy).refresh('REFRESH-TOKEN'),
      revoke: (strategy) => (strategy as ShortVideoStrategy).revoke('act.ACCESS-TOKEN!4608'),
    },
  },
  'microblog/2.0': {
    ...microblog,
    options: { ...CLIENT, callbackURL: callbackURL('microblog') },
    callback: { code: 'AUTHORIZATION-CODE' },
    calls: {
      refresh: (strategy) => (strategy as MicroblogOAuth2Strategy).refresh('REFRESH-TOKEN'),
      revoke: (strategy) => (strategy as MicroblogOAuth2Strategy).revoke('ACCESS-TOKEN'),
    },
  },
  'microblog/1.0': {
    ...microblog,
    options: {
      version: '1.0',
      consumerKey: 'CONSUMER-KEY',
      consumerSecret: 'CONSUMER-SECRET',
      callbackURL: callbackURL('microblog'),
    },
    callback: { oauth_verifier: 'OAUTH-VERIFIER' },
    key: 'oauth_token',
    calls: {
      revoke: (strategy) => (strategy as MicroblogOAuth1Strategy).revoke('OAUTH-TOKEN', 'OAUTH-TOKEN-SECRET'),
    },
  },
  'social-network/classic': {
    ...socialNetwork,
    options: { ...CLIENT, callbackURL: callbackURL('social-network') },
    callback: { code: 'AUTHORIZATION-CODE' },
    retries: 2,
    recordOf: (login) => firstRecord(lastOf(login)),
    calls: {},
  },
  'social-network/vk-id': {
    ...socialNetwork,
    options: { version: '2.1', clientID: 'CLIENT-ID', callbackURL: callbackURL('social-network') },
    callback: { code: 'AUTHORIZATION-CODE', device_id: 'DEVICE-ID' },
    addedParams: { device_id: 'DEVICE-ID' },
    profileOf: userInfoOf,
    recordOf: (login) => {
      const lookup = login.find(({ step, expected }) => step === 'lookup' && !('fallback' in expected));
      return { ...userInfoOf(login).response, ...(lookup && { lookup: firstRecord(lookup) }) };
    },
    calls: {
      refresh: (strategy) => (strategy as SocialNetworkStrategy).refresh('REFRESH-TOKEN', 'DEVICE-ID'),
      revoke: (strategy) => (strategy as SocialNetworkStrategy).revoke('ACCESS-TOKEN'),
      logout: (strategy) => (strategy as SocialNetworkStrategy).logout('ACCESS-TOKEN'),
    },
  },
};

function lastOf(login: readonly Recording[]): Recording {
  return login.at(-1) as Recording;
}

/** VK ID's lookup runs at the same time and does not identify the user. */
function userInfoOf(login: readonly Recording[]): Recording & { response: object } {
  return login.find(({ step }) => step === 'profile') as Recording & { response: object };
}

function firstRecord({ response }: Recording): unknown {
  return (response as { response: unknown[] }).response[0];
}

function callbackURL(network: string): string {
  return `https://app.example/api/auth/callback/${network}`;
}
