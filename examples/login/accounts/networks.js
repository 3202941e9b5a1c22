// @ts-check
// The strategies, and their requests with tokens. Verify only says who logged in: the routes decide what that means.
import {
  cookieLogins,
  expiryDate,
  MicroblogStrategy,
  ShortVideoStrategy,
  SocialNetworkStrategy,
} from 'passport-social-networks';
import { readSettings } from '../../shared/networks.mjs';
import { query } from './database.js';

/** @typedef {import('./tokens.js').Tokens} Tokens */
/** @typedef {import('./tokens.js').Key} Key */
/** @typedef {{ name: string, username?: string | undefined, picture?: string | undefined }} LoginProfile */
/** @typedef {Key & { profile: LoginProfile, tokens: Tokens }} Login */
/** @typedef {import('passport-social-networks').Tokens} Refreshed */
/** @typedef {import('passport-social-networks').RefreshOptions} RefreshOptions */
/** @typedef {{ refresh(token: string, options: RefreshOptions): Promise<Refreshed>, revoke(token: string): Promise<void> }} Requests */

export const settings = await readSettings();
const { 'short-video': shortVideo, microblog, 'social-network-vk-id': vkID } = settings.networks;
// One store, which counts the logins in progress of a browser together. Without LOGIN_SECRET, each strategy makes its key from the client
// secret: whoever knows that can make the state of a login.
const store = cookieLogins({ claim, ...(settings.loginSecrets && { secrets: settings.loginSecrets }) });
const common = /** @type {const} */ ({ store, passParamsToCallback: true });
// X issues refresh tokens only with the scope offline.access.
const scope = 'tweet.read users.read offline.access';
export const strategies = [
  shortVideo && new ShortVideoStrategy({ ...shortVideo, ...common }, verify),
  microblog && new MicroblogStrategy({ ...microblog, ...common, scope }, verify),
  vkID && new SocialNetworkStrategy({ ...vkID, ...common, version: '2.1' }, verify),
].filter((strategy) => strategy !== undefined);

/** What people call each network, and the options with which it asks them to sign in again. */
const NETWORKS = /** @type {Record<string, { title: string, freshLogin: object }>} */ ({
  'short-video': { title: 'TikTok', freshLogin: { disableAutoAuth: true } },
  microblog: { title: 'X', freshLogin: {} },
  'social-network': { title: 'VK', freshLogin: { prompt: 'login' } },
});

// Anyone can log in at the sandbox as any of its people, whose identifiers may exist at the network.
const SANDBOX = 'sandbox ';
const prefix = settings.sandboxURL ? SANDBOX : '';

/** The name of the strategy for the logins of a provider. @param {string} provider */
export const strategyName = (provider) => provider.replace(SANDBOX, '');

/** @param {string} provider Also the name of a strategy */
export const titleOf = (provider) => NETWORKS[strategyName(provider)]?.title ?? provider;

/** Options of `passport.authenticate`. @param {string} name */
export const freshLoginOf = (name) => NETWORKS[name]?.freshLogin;

/** The strategy for the logins of a provider, if this application still uses it. @param {string} provider */
export const strategyOf = (provider) => strategies.find(({ name }) => prefix + name === provider);

/** @param {string} provider */
const requestsOf = (provider) => /** @type {Requests | undefined} */ (strategyOf(provider));

/** Uses a login once, also if two processes get its response. @param {string} id @param {number} expiresAt */
async function claim(id, expiresAt) {
  const statement = 'insert into used_logins values (?, ?) on conflict do nothing returning id';
  return (await query(statement, id, expiresAt)).length === 1;
}

/** @param {string} accessToken @param {string | undefined} refreshToken @param {object & { device_id?: string }} params @param {import('passport-social-networks').Profile<unknown>} profile @returns {Promise<Login>} */
async function verify(accessToken, refreshToken, params, profile) {
  const { provider, id, displayName, username, photos } = profile;
  const expiresAt = expiryDate(params)?.getTime();
  return {
    provider: prefix + provider,
    identifier: id,
    // Users choose names of any length.
    profile: { name: Array.from(displayName).slice(0, 100).join(''), username, picture: photos?.[0]?.value },
    tokens: { accessToken, refreshToken, expiresAt, deviceID: params.device_id },
  };
}

/** The response must be about the user of the login. @param {Key} login @param {Tokens} tokens @returns {Promise<Tokens | undefined>} */
export async function refresh({ provider, identifier: userID }, { refreshToken = '', deviceID }) {
  const renewed = await requestsOf(provider)?.refresh(refreshToken, { deviceID, userID });
  if (!renewed) return undefined;
  const { expiresAt, params: _params, scope: _scope, ...tokens } = renewed;
  return { ...tokens, expiresAt: expiresAt?.getTime(), deviceID };
}

/** TikTok and VK revoke no access token that has expired. @param {Key} login @param {Tokens} tokens */
export async function revoke(login, tokens) {
  const hasExpired = (tokens.expiresAt ?? Infinity) < Date.now();
  const { accessToken, refreshToken } = (hasExpired && (await refresh(login, tokens))) || tokens;
  // At X, the refresh token would outlive the access token.
  const isMicroblog = login.provider === `${prefix}microblog`;
  await requestsOf(login.provider)?.revoke((isMicroblog && refreshToken) || accessToken);
}
