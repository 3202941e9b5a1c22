// @ts-check
import { expiryDate, MicroblogStrategy } from 'passport-social-networks';
import { endpoints, grantedScopes } from 'passport-social-networks/microblog';
import { readLogin, readRefreshedTokens } from './network.js';

const FAMILY = /** @type {const} */ ({
  family: 'microblog',
  title: 'X',
  hosts: endpoints.FORM_ACTION_SOURCES,
});

/** @type {import('./network.js').Network} */
export const microblog = {
  ...FAMILY,
  name: 'microblog',
  protocol: 'OAuth 2.0',
  variable: 'MICROBLOG',
  freshLogin: {},
  sandboxOptions: (sandbox) => ({
    ...sandbox.options('microblog'),
    // The real network returns e-mail addresses only if this is enabled for the application.
    includeEmail: true,
  }),

  connect(/** @type {import('passport-social-networks').MicroblogOptions<'2.0'>} */ options) {
    const scope = 'tweet.read users.read offline.access';
    const strategy = new MicroblogStrategy({ ...options, scope, passParamsToCallback: true }, verify);
    return {
      strategy,
      refresh: async ({ refreshToken = '' }) => readRefreshedTokens(await strategy.refresh(refreshToken)),
      revoke: ({ accessToken = '' }) => strategy.revoke(accessToken),
    };
  },
};

/** @type {import('./network.js').Network} */
export const microblogOAuth1 = {
  ...FAMILY,
  name: 'microblog-1-0',
  protocol: 'OAuth 1.0a',
  variable: 'MICROBLOG_1_0',
  freshLogin: { forceLogin: true },
  sandboxOptions: (sandbox) => ({
    ...sandbox.options('microblog', { version: '1.0' }),
    includeEmail: true,
  }),

  connect(/** @type {import('passport-social-networks').MicroblogOptions<'1.0'>} */ options) {
    const strategy = new MicroblogStrategy({ ...options, version: '1.0' }, verifyOAuth1);
    return {
      strategy,
      revoke: ({ oauthToken = '', oauthTokenSecret = '' }) => strategy.revoke(oauthToken, oauthTokenSecret),
    };
  },
};

/**
 * @type {import('passport-social-networks').Verify<import('passport-social-networks').MicroblogValues<'2.0'>, false, true>}
 */
function verify(accessToken, refreshToken, params, profile, done) {
  const expiresAt = expiryDate(params);
  const tokens = {
    accessToken,
    scope: grantedScopes(params),
    ...(refreshToken && { refreshToken }),
    ...(expiresAt && { expiresAt }),
  };
  return done(null, readLogin(profile, tokens));
}

/** @type {import('passport-social-networks').Verify<import('passport-social-networks').MicroblogValues<'1.0'>>} */
function verifyOAuth1(oauthToken, oauthTokenSecret, profile, done) {
  return done(null, readLogin(profile, { oauthToken, oauthTokenSecret }));
}
