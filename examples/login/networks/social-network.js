// @ts-check
import { expiryDate, SocialNetworkStrategy } from 'passport-social-networks';
import { endpoints, grantedScopes } from 'passport-social-networks/social-network';
import { readLogin, readRefreshedTokens } from './network.js';

const FAMILY = /** @type {const} */ ({
  family: 'social-network',
  title: 'VK',
  hosts: endpoints.FORM_ACTION_SOURCES,
});

/** @type {import('./network.js').Network} */
export const socialNetwork = {
  ...FAMILY,
  name: 'social-network',
  protocol: 'classic OAuth 2.0',
  variable: 'SOCIAL_NETWORK',
  freshLogin: { revoke: true },
  sandboxOptions: (sandbox) => sandbox.options('social-network'),

  connect(/** @type {import('passport-social-networks').SocialNetworkOptions<ClassicRecord>} */ options) {
    const strategy = new SocialNetworkStrategy({ ...options, ...PROFILE_OPTIONS }, verify);
    return {
      strategy,
    };
  },
};

/** @type {import('./network.js').Network} */
export const socialNetworkVkId = {
  ...FAMILY,
  name: 'social-network-vk-id',
  protocol: 'VK ID',
  variable: 'SOCIAL_NETWORK_VK_ID',
  freshLogin: { prompt: 'login' },
  sandboxOptions: (sandbox) => sandbox.options('social-network', { version: '2.1' }),

  connect(/** @type {import('passport-social-networks/social-network').VkIdOptions} */ options) {
    const strategy = new SocialNetworkStrategy(
      { ...options, ...PROFILE_OPTIONS, version: '2.1' },
      verifyVkId,
    );
    return {
      strategy,
      refresh: async ({ refreshToken = '', deviceID }) =>
        readRefreshedTokens(await strategy.refresh(refreshToken, deviceID)),
      revoke: ({ accessToken = '' }) => strategy.revoke(accessToken),
    };
  },
};

/** Requested in both versions, in addition to name and picture. */
const PROFILE_OPTIONS = /** @type {const} */ ({
  passParamsToCallback: true,
  includeEmail: true,
  profileFields: 'screen_name',
});

/** @typedef {import('passport-social-networks').SocialNetworkProfile} ClassicRecord */
/** @typedef {import('passport-social-networks').VkIdProfile} VkIdRecord */

/**
 * @type {import('passport-social-networks').Verify<import('passport-social-networks').SocialNetworkValues<ClassicRecord>, false, true>}
 */
function verify(accessToken, _refreshToken, params, profile, done) {
  return done(null, readLogin(profile, { accessToken, ...granted(params) }));
}

/**
 * @type {import('passport-social-networks').Verify<import('passport-social-networks').SocialNetworkValues<VkIdRecord, '2.1'>, false, true>}
 */
function verifyVkId(accessToken, refreshToken, params, profile, done) {
  const tokens = { accessToken, deviceID: params.device_id, ...(refreshToken && { refreshToken }) };
  return done(null, readLogin(profile, { ...tokens, ...granted(params) }));
}

/** @param {import('passport-social-networks').SocialNetworkParams} params */
function granted(params) {
  const expiresAt = expiryDate(params);
  const { scope } = params;
  return { scope: grantedScopes({ scope }), ...(expiresAt && { expiresAt }) };
}
