import type { Strategy } from 'passport';
import {
  MicroblogOAuth1Strategy,
  MicroblogStrategy,
  ShortVideoStrategy,
  SocialNetworkStrategy,
} from '../../lib/index.js';
import type { Sandbox } from '../../sandbox/lib/index.js';
import { keyedLogins } from '../support/logins.js';

const verify = () => false;

/** Options that tests change. */
export interface Changes {
  readonly clientID?: string;
  readonly clientSecret?: string;
  readonly serviceToken?: string;
  readonly callbackURL?: string;
  readonly timeout?: number;
}

/** A strategy at the sandbox, with a callback URL that its network accepts. */
export interface Subject {
  readonly title: string;
  /** The credentials. Each is an option. */
  readonly credentials: (sandbox: Sandbox) => Changes;
  readonly make: (sandbox: Sandbox, changes?: Changes) => Strategy;
}

const callbackURL = 'https://app.example/callback';

export const shortVideo: Subject = {
  title: 'TikTok',
  credentials: (sandbox) => pick(sandbox.options('short-video')),
  make: (sandbox, changes) =>
    new ShortVideoStrategy({ ...sandbox.options('short-video'), callbackURL, ...changes }, verify),
};

export const microblog: Subject = {
  title: 'X, OAuth 2.0',
  credentials: (sandbox) => pick(sandbox.options('microblog')),
  make: (sandbox, changes) =>
    new MicroblogStrategy({ ...sandbox.options('microblog'), callbackURL, ...changes }, verify),
};

export const publicMicroblog: Subject = {
  title: 'X, OAuth 2.0',
  credentials: (sandbox) => pick(sandbox.options('microblog', { client: 'public' })),
  make: (sandbox, changes) =>
    new MicroblogStrategy(
      {
        ...sandbox.options('microblog', { client: 'public' }),
        store: keyedLogins(),
        callbackURL,
        ...changes,
      },
      verify,
    ),
};

export const microblogOAuth1: Subject = {
  title: 'X, OAuth 1.0a',
  credentials: (sandbox) => pick(sandbox.options('microblog', { version: '1.0' })),
  make: (sandbox, changes) =>
    new MicroblogOAuth1Strategy(
      { ...sandbox.options('microblog', { version: '1.0' }), callbackURL, ...changes },
      verify,
    ),
};

export const classic: Subject = {
  title: 'VK, classic protocol',
  credentials: (sandbox) => pick(sandbox.options('social-network')),
  make: (sandbox, changes) =>
    new SocialNetworkStrategy({ ...sandbox.options('social-network'), callbackURL, ...changes }, verify),
};

export const vkId: Subject = {
  title: 'VK ID',
  credentials: (sandbox) => pick(sandbox.options('social-network', { version: '2.1' })),
  make: (sandbox, changes) =>
    new SocialNetworkStrategy(
      { ...sandbox.options('social-network', { version: '2.1' }), callbackURL, ...changes },
      verify,
    ),
};

export const confidentialVkId: Subject = {
  title: 'VK ID',
  credentials: (sandbox) =>
    pick(sandbox.options('social-network', { version: '2.1', client: 'confidential' })),
  make: (sandbox, changes) =>
    new SocialNetworkStrategy(
      {
        ...sandbox.options('social-network', { version: '2.1', client: 'confidential' }),
        callbackURL,
        ...changes,
      },
      verify,
    ),
};

export const SUBJECTS: Readonly<Record<string, Subject>> = {
  'short-video': shortVideo,
  microblog,
  'microblog, public client': publicMicroblog,
  'microblog 1.0': microblogOAuth1,
  'social-network': classic,
  'social-network 2.1': vkId,
  'social-network 2.1, confidential client': confidentialVkId,
};

function pick({ clientID, clientSecret, serviceToken }: Changes): Changes {
  return {
    ...(clientID !== undefined && { clientID }),
    ...(clientSecret !== undefined && { clientSecret }),
    ...(serviceToken !== undefined && { serviceToken }),
  };
}
