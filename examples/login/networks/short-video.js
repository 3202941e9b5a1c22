// @ts-check
import { expiryDate, ShortVideoStrategy } from 'passport-social-networks';
import { endpoints, grantedScopes } from 'passport-social-networks/short-video';
import { readLogin, readRefreshedTokens } from './network.js';

/** @type {import('./network.js').Network} */
export const shortVideo = {
  name: 'short-video',
  family: 'short-video',
  title: 'TikTok',
  protocol: 'OAuth 2.0',
  variable: 'SHORT_VIDEO',
  freshLogin: { disableAutoAuth: true },
  hosts: endpoints.FORM_ACTION_SOURCES,
  sandboxOptions: (sandbox) => ({
    ...sandbox.options('short-video'),
    // The real network must approve the second scope for your application. Users can untick it.
    scope: 'user.info.basic user.info.profile',
  }),

  connect(/** @type {import('passport-social-networks').ShortVideoOptions} */ options) {
    const strategy = new ShortVideoStrategy({ ...options, passParamsToCallback: true }, verify);
    return {
      strategy,
      refresh: async ({ refreshToken = '' }) => readRefreshedTokens(await strategy.refresh(refreshToken)),
      revoke: ({ accessToken = '' }) => strategy.revoke(accessToken),
    };
  },
};

/** @type {import('passport-social-networks').Verify<import('passport-social-networks').ShortVideoValues, false, true>} */
function verify(accessToken, refreshToken, params, profile, done) {
  const expiresAt = expiryDate(params);
  const tokens = { accessToken, refreshToken, scope: grantedScopes(params), ...(expiresAt && { expiresAt }) };
  return done(null, readLogin(profile, tokens));
}
