// @ts-check
// The strategies, and their requests with tokens. Verify only says who logged in: app.js decides what that means.
import {
  expiryDate,
  MicroblogStrategy,
  ShortVideoStrategy,
  SocialNetworkStrategy,
} from 'passport-social-networks';
import { readSettings } from '../shared/networks.mjs';

/** @typedef {import('./tokens.js').Tokens} Tokens */
/** @typedef {import('./tokens.js').Key & { name: string, tokens: Tokens }} Login */
/** @typedef {import('passport-social-networks').Tokens} Refreshed */
/** @typedef {import('passport-social-networks').RefreshOptions} RefreshOptions */
/** @typedef {{ refresh(token: string, options: RefreshOptions): Promise<Refreshed>, revoke(token: string): Promise<void> }} Requests */

export const settings = await readSettings();
const { 'short-video': shortVideo, microblog, 'social-network-vk-id': vkID } = settings.networks;
const common = /** @type {const} */ ({ passParamsToCallback: true });
// X issues refresh tokens only with the scope offline.access.
const scope = 'tweet.read users.read offline.access';
export const strategies = [
  shortVideo && new ShortVideoStrategy({ ...shortVideo, ...common }, verify),
  microblog && new MicroblogStrategy({ ...microblog, ...common, scope }, verify),
  vkID && new SocialNetworkStrategy({ ...vkID, ...common, version: '2.1' }, verify),
].filter((strategy) => strategy !== undefined);
/** @type {Record<string, Requests>} */
const networks = Object.fromEntries(strategies.map((strategy) => [strategy.name, strategy]));

/** @param {string} accessToken @param {string | undefined} refreshToken @param {object & { device_id?: string }} params @param {import('passport-social-networks').Profile<unknown>} profile */
async function verify(accessToken, refreshToken, params, { provider, id, displayName }) {
  const expiresAt = expiryDate(params)?.getTime();
  const tokens = { accessToken, refreshToken, expiresAt, deviceID: params.device_id };
  return { provider, identifier: id, name: displayName.slice(0, 100), tokens };
}

/** @param {string} provider @param {Tokens} tokens @returns {Promise<Tokens | undefined>} */
export async function refresh(provider, { refreshToken = '', deviceID }) {
  const renewed = await networks[provider]?.refresh(refreshToken, { deviceID });
  if (!renewed) return undefined;
  const { expiresAt, params: _params, scope: _scope, ...tokens } = renewed;
  return { ...tokens, expiresAt: expiresAt?.getTime(), deviceID };
}

/** TikTok and VK revoke no access token that has expired. @param {string} provider @param {Tokens} tokens */
export async function revoke(provider, tokens) {
  const hasExpired = (tokens.expiresAt ?? Infinity) < Date.now();
  const { accessToken, refreshToken } = (hasExpired && (await refresh(provider, tokens))) || tokens;
  // At X, the refresh token would outlive the access token.
  await networks[provider]?.revoke((provider === 'microblog' && refreshToken) || accessToken);
}
