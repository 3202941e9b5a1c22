import type { Strategy } from 'passport';
import { MicroblogStrategy, ShortVideoStrategy, SocialNetworkStrategy } from '../../lib/index.js';

/** Verify as the recordings' logins use it. */
export type RecordedVerify = (
  token: string,
  refreshToken: string | undefined,
  params: object,
  profile: object,
  done: (error: null, user: Express.User) => void,
) => void;

/** How the logins of one folder of recordings go. */
export interface RecordedNetwork {
  /** The strategy's own. */
  readonly name: string;
  readonly strategy: (options: object, verify: RecordedVerify) => Strategy;
  /** The fixed values of the README. */
  readonly options: Readonly<Record<string, unknown>>;
  /** What the network's redirect brings back, beside the state. */
  readonly callback: Readonly<Record<string, string>>;
  /** What the redirect to the network and the callback have in common. */
  readonly key: 'state' | 'oauth_token';
  /** How often a GET that is answered with 502, 503 or 504 is repeated. */
  readonly retries: number;
  /** The record as verify gets it. */
  readonly recordOf: (answer: object) => unknown;
}

const CLIENT = { clientID: 'CLIENT-ID', clientSecret: 'CLIENT-SECRET' };
const wholeAnswer = (answer: object) => answer;

const microblog: Pick<RecordedNetwork, 'name' | 'strategy' | 'retries' | 'recordOf'> = {
  name: 'microblog',
  strategy: (options, verify) => new MicroblogStrategy(options as never, verify),
  retries: 0,
  recordOf: wholeAnswer,
};

export const NETWORKS: Readonly<Record<string, RecordedNetwork>> = {
  'short-video/2': {
    name: 'short-video',
    strategy: (options, verify) => new ShortVideoStrategy(options as never, verify),
    options: { ...CLIENT, clientID: 'CLIENT-KEY', callbackURL: callbackURL('short-video') },
    callback: { code: 'AUTHORIZATION-CODE*1!4608.va' },
    key: 'state',
    retries: 2,
    recordOf: wholeAnswer,
  },
  'microblog/2.0': {
    ...microblog,
    options: { ...CLIENT, callbackURL: callbackURL('microblog') },
    callback: { code: 'AUTHORIZATION-CODE' },
    key: 'state',
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
  },
  'social-network/classic': {
    name: 'social-network',
    strategy: (options, verify) => new SocialNetworkStrategy(options as never, verify),
    options: { ...CLIENT, callbackURL: callbackURL('social-network') },
    callback: { code: 'AUTHORIZATION-CODE' },
    key: 'state',
    retries: 2,
    recordOf: (answer) => (answer as { response: unknown[] }).response[0],
  },
};

function callbackURL(network: string): string {
  return `https://app.example/api/auth/callback/${network}`;
}
