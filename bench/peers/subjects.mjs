import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { NETWORKS } from './networks.mjs';

const require = createRequire(import.meta.url);
const root = new URL('../../', import.meta.url);

export const CLIENT_ID = 'client-of-the-bench';
export const CLIENT_SECRET = 'canary-client-secret-4f1d';

/**
 * A strategy with its settings.
 *
 * @typedef {new (options: object, verify: import('./verifies.mjs').Verify) => import('passport').Strategy} StrategyClass
 * @typedef {'readme' | 'safest' | 'pkce' | 'public'} Variant `readme`: what the package's README shows; `safest`: with every
 *   safer setting that it or its base documents; `pkce`: with a challenge that its network refuses; `public`: without a secret.
 * @typedef {(id: string) => Promise<boolean>} Claim Marks a login as used for all processes. Resolves to whether it was unused.
 *
 * `loginScope`: what an application has to request by itself; `deadlineOption`: the option, in milliseconds, for the longest time that a
 * request to the network may take; `inSeveralProcesses`: what its documentation adds for an application of several processes.
 *
 * @typedef {{
 *   readonly id: string,
 *   readonly package: string,
 *   readonly ours: boolean,
 *   readonly network: keyof typeof NETWORKS,
 *   readonly settings: string,
 *   readonly variants: Readonly<Partial<Record<Variant, Readonly<Record<string, unknown>>>>> & { readonly readme: object, readonly safest: object },
 *   readonly addresses: Readonly<Record<string, import('./networks.mjs').Step | 'authorization'>>,
 *   readonly loginScope?: readonly string[],
 *   readonly deadlineOption?: string,
 *   inSeveralProcesses?(claim: Claim): Readonly<Record<string, unknown>>,
 *   load(): StrategyClass,
 * }} Subject
 */

const OAUTH2_ADDRESSES = /** @type {const} */ ({ authorizationURL: 'authorization', tokenURL: 'token' });
const OAUTH1_ADDRESSES = /** @type {const} */ ({
  requestTokenURL: 'request token',
  userAuthorizationURL: 'authorization',
  accessTokenURL: 'token',
});
const client = { clientID: CLIENT_ID, clientSecret: CLIENT_SECRET };
const consumer = { consumerKey: CLIENT_ID, consumerSecret: CLIENT_SECRET };
const dist = () => require(fileURLToPath(new URL('dist/index.js', root)));

/** @type {readonly Subject[]} */
export const SUBJECTS = [
  {
    id: 'passport-tiktok-auth',
    package: 'passport-tiktok-auth',
    ours: false,
    network: 'short-video',
    settings:
      'README, plus `store: true`; no `pkce`: its challenge is base64url, and the network wants hex and refuses the login',
    variants: {
      readme: { ...client, scope: ['user.info.basic'] },
      safest: { ...client, scope: ['user.info.basic'], store: true },
      pkce: { ...client, scope: ['user.info.basic'], store: true, pkce: true },
    },
    addresses: { ...OAUTH2_ADDRESSES, profileURL: 'profile' },
    load: () => require('passport-tiktok-auth').Strategy,
  },
  {
    id: '@superfaceai/passport-twitter-oauth2',
    package: '@superfaceai/passport-twitter-oauth2',
    ours: false,
    network: 'microblog 2.0',
    settings:
      'README (`clientType: "confidential"`); it forces `state` and `pkce` itself, and leaves the scope to the application',
    variants: {
      readme: { ...client, clientType: 'confidential' },
      safest: { ...client, clientType: 'confidential' },
      public: { clientID: CLIENT_ID, clientType: 'public' },
    },
    addresses: { ...OAUTH2_ADDRESSES, userProfileURL: 'profile' },
    loginScope: ['tweet.read', 'users.read'],
    load: () => require('@superfaceai/passport-twitter-oauth2').Strategy,
  },
  {
    id: 'passport-twitter',
    package: 'passport-twitter',
    ours: false,
    network: 'microblog 1.0',
    settings: 'README, plus `store: true`, which carries the application’s state',
    variants: { readme: consumer, safest: { ...consumer, store: true } },
    addresses: { ...OAUTH1_ADDRESSES, userProfileURL: 'profile' },
    load: () => require('passport-twitter'),
  },
  {
    id: 'passport-vkontakte',
    package: 'passport-vkontakte',
    ours: false,
    network: 'social-network classic',
    settings: 'README, plus `store: true`',
    variants: { readme: client, safest: { ...client, store: true } },
    addresses: { ...OAUTH2_ADDRESSES, profileURL: 'profile' },
    load: () => require('passport-vkontakte').Strategy,
  },
  {
    id: 'passport-oauth2',
    package: 'passport-oauth2',
    ours: false,
    network: 'plain',
    settings: 'README, plus `store: true` and `pkce: true`; it has no profile request of its own',
    variants: { readme: client, safest: { ...client, store: true, pkce: true } },
    addresses: OAUTH2_ADDRESSES,
    load: () => require('passport-oauth2'),
  },
  ours('short-video', 'ShortVideoStrategy', client, OAUTH2_ADDRESSES),
  {
    ...ours('microblog 2.0', 'MicroblogStrategy', client, OAUTH2_ADDRESSES),
    variants: {
      readme: client,
      safest: client,
      // A client without a secret needs one of the application's own.
      get public() {
        return {
          clientID: CLIENT_ID,
          store: dist().cookieLogins({ secrets: 'the application’s own secret, long enough' }),
        };
      },
    },
  },
  ours('microblog 1.0', 'MicroblogStrategy', { ...consumer, version: '1.0' }, OAUTH1_ADDRESSES),
  ours('social-network classic', 'SocialNetworkStrategy', client, OAUTH2_ADDRESSES),
  ours('social-network VK ID', 'SocialNetworkStrategy', { ...client, version: '2.1' }, OAUTH2_ADDRESSES),
];

/**
 * One of this repository's strategies, with nothing but its credentials.
 *
 * @param {keyof typeof NETWORKS} network
 * @param {string} className
 * @param {Readonly<Record<string, unknown>>} options
 * @param {Subject['addresses']} addresses
 * @returns {Subject}
 */
function ours(network, className, options, addresses) {
  return {
    id: `ours: ${network}`,
    package: 'passport-social-networks',
    ours: true,
    network,
    settings: 'README: credentials only; for several processes (C26) its documented `claim`',
    variants: { readme: options, safest: options },
    addresses: { ...addresses, profileURL: 'profile' },
    deadlineOption: 'timeout',
    inSeveralProcesses: (claim) => ({ store: dist().cookieLogins({ claim }) }),
    load: () => dist()[className],
  };
}

/** @param {string} id @returns {Subject} */
export function subjectOf(id) {
  const subject = SUBJECTS.find((candidate) => candidate.id === id);
  if (!subject) throw new Error(`no subject is called ${id}`);
  return subject;
}

/** @param {Subject} subject */
export function networkOf(subject) {
  return /** @type {import('./networks.mjs').Network} */ (NETWORKS[subject.network]);
}

/** The version in the installed package.json. @param {string} name */
export function versionOf(name) {
  const file =
    name === 'passport-social-networks'
      ? new URL('package.json', root)
      : new URL(`node_modules/${name}/package.json`, import.meta.url);
  return String(JSON.parse(readFileSync(file, 'utf8')).version);
}
