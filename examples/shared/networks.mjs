// @ts-check
// Strategies and settings of the examples for Express, Koa and Fastify.
import { randomBytes } from 'node:crypto';
import {
  cookieLogins,
  MicroblogStrategy,
  ShortVideoStrategy,
  SocialNetworkStrategy,
} from 'passport-social-networks';
import { endpoints as microblogEndpoints } from 'passport-social-networks/microblog';
import { endpoints as shortVideoEndpoints } from 'passport-social-networks/short-video';
import { endpoints as socialNetworkEndpoints } from 'passport-social-networks/social-network';
import { sandboxOptions, startSandbox } from 'passport-social-networks-sandbox';

const { env } = process;
/** They make the key of the cookies of logins in progress: several during a rotation, the current one first. */
const loginSecrets = env.LOGIN_SECRET?.split(' ');

/**
 * Reads PORT, HOST, BASE_URL (where browsers reach the application), SESSION_SECRET, LOGIN_SECRET, TRUST_PROXY (`true` behind a proxy) and the
 * credentials of each network from the environment: SHORT_VIDEO_CLIENT_ID and SHORT_VIDEO_CLIENT_SECRET, likewise MICROBLOG_...,
 * MICROBLOG_1_0_..., SOCIAL_NETWORK_... and SOCIAL_NETWORK_VK_ID_.... Without any credentials, the sandbox at SANDBOX_URL stands in for every
 * network, or one that is started here.
 */
export async function readSettings() {
  const port = Number(env.PORT ?? 3000);
  const configured = configuredNetworks();
  const hasCredentials = Object.values(configured).some((options) => options !== undefined);
  const sandboxURL = hasCredentials ? undefined : await findSandbox();
  const networks = sandboxURL === undefined ? configured : networksOfSandbox(sandboxURL);
  // Without a base URL, redirect URIs follow the Host header, which any client can set. Port 0 is any free port.
  const localURL = env.NODE_ENV === 'production' || port === 0 ? undefined : `http://127.0.0.1:${port}`;
  const baseURL = env.BASE_URL || localURL;
  const store = loginSecrets && { store: cookieLogins({ secrets: loginSecrets }) };
  const pairs = Object.entries(networks).map(([name, options]) => [
    name,
    options && { ...options, ...store, baseURL },
  ]);
  return {
    port,
    host: env.HOST ?? '127.0.0.1',
    baseURL,
    secret: env.SESSION_SECRET ?? randomBytes(32).toString('hex'),
    loginSecrets,
    // The examples listen without TLS, so with https a proxy is in front.
    trustProxy: env.TRUST_PROXY === 'true' || baseURL?.startsWith('https:') === true,
    sandboxURL,
    networks: /** @type {Networks} */ (Object.fromEntries(pairs)),
  };
}

/**
 * Creates one strategy for each configured network. The second version of a network needs its own strategy name.
 *
 * @param {Networks} networks
 * @param {Verify} [verify]
 */
export function createStrategies(networks, verify = identify) {
  const { 'short-video': shortVideo, microblog, 'social-network': socialNetwork } = networks;
  const { 'microblog-1-0': oauth1, 'social-network-vk-id': vkID } = networks;
  return [
    shortVideo && new ShortVideoStrategy(shortVideo, verify),
    microblog && new MicroblogStrategy(microblog, verify),
    oauth1 && new MicroblogStrategy({ ...oauth1, version: '1.0', name: 'microblog-1-0' }, verify),
    socialNetwork && new SocialNetworkStrategy(socialNetwork, verify),
    vkID && new SocialNetworkStrategy({ ...vkID, version: '2.1', name: 'social-network-vk-id' }, verify),
  ].filter((strategy) => strategy !== undefined);
}

/** Sources for `form-action` of the Content-Security-Policy. Browsers check it for each redirect of a form, also those to a network. @param {Networks} networks */
export function formActionSources(networks) {
  const replaced = Object.values(networks).flatMap((options) => {
    const { authorizationURL, userAuthorizationURL: url = authorizationURL } = /** @type {Endpoints} */ (
      options ?? {}
    );
    return url ? [new URL(url).origin] : [];
  });
  const real = [shortVideoEndpoints, microblogEndpoints, socialNetworkEndpoints];
  return [...new Set([...replaced, ...real.flatMap((endpoints) => endpoints.FORM_ACTION_SOURCES)])];
}

/** Only identifies the user, whose name may be long. The callback route decides what that means for the accounts. @type {Verify} */
const identify = (_token, _refreshToken, { provider, id, displayName }, done) =>
  done(null, { provider, id, displayName: Array.from(displayName).slice(0, 100).join('') });

function configuredNetworks() {
  return /** @type {Networks} */ ({
    'short-video': client('SHORT_VIDEO'),
    microblog: client('MICROBLOG', true),
    'microblog-1-0': client('MICROBLOG_1_0'),
    'social-network': client('SOCIAL_NETWORK'),
    'social-network-vk-id': client('SOCIAL_NETWORK_VK_ID', true),
  });
}

/** @param {string} network @param {boolean} [mayBePublic] At X, and at VK ID without its protected key. It needs LOGIN_SECRET. */
function client(network, mayBePublic) {
  const clientID = env[`${network}_CLIENT_ID`];
  const clientSecret = env[`${network}_CLIENT_SECRET`];
  if (clientID && clientSecret) return { clientID, clientSecret };
  return clientID && mayBePublic ? { clientID, store: cookieLogins({ secrets: loginSecrets }) } : undefined;
}

async function findSandbox() {
  // Anyone can log in at the sandbox as any of its people.
  if (env.NODE_ENV === 'production') throw new Error('No network has credentials in the environment.');
  const url = env.SANDBOX_URL ?? (await startSandbox()).url;
  console.log(`No credentials in the environment: using the sandbox at ${url}`);
  return url;
}

/** @param {string} url @returns {Networks} */
const networksOfSandbox = (url) => ({
  'short-video': sandboxOptions(url, 'short-video'),
  microblog: sandboxOptions(url, 'microblog'),
  'microblog-1-0': sandboxOptions(url, 'microblog', { version: '1.0' }),
  'social-network': sandboxOptions(url, 'social-network'),
  'social-network-vk-id': sandboxOptions(url, 'social-network', { version: '2.1' }),
});

/**
 * @typedef {object} AppSettings
 * @property {Networks} networks
 * @property {string} secret Signs sessions or tokens: 32 characters or more, the same on every machine
 * @property {boolean} [trustProxy] Whether the application runs behind a proxy
 * @property {Verify} [verify]
 * @property {(error: unknown) => void} [report] Logs an error, which has no secrets or tokens
 * @typedef {{ clientID: string, clientSecret: string }} Credentials May also contain any other option of the strategy.
 * @typedef {{ clientID: string, store: import('passport-social-networks').LoginStore }} PublicClient
 * @typedef {{ [name in 'short-video' | 'microblog-1-0' | 'social-network']?: Credentials | undefined }} Confidential
 * @typedef {Confidential & { [name in 'microblog' | 'social-network-vk-id']?: Credentials | PublicClient | undefined }} Networks
 * @typedef {import('passport-social-networks').Verify} Verify
 * @typedef {{ authorizationURL?: string, userAuthorizationURL?: string }} Endpoints Those that browsers open
 */
