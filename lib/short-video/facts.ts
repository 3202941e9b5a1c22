import { type ErrorRow, OTHER_REDIRECT_URI, type ProtocolFacts, rowsFrom } from '../core/facts.js';

/** URLs of the network. */
export const endpoints = {
  /** Where the user logs in. @see https://developers.tiktok.com/doc/login-kit-web (read 2026-11) */
  AUTHORIZATION_URL: 'https://www.tiktok.com/v2/auth/authorize/',
  /**
   * Token requests and refreshes. The trailing slash is part of the URL: without it the network redirects.
   * @see https://developers.tiktok.com/doc/oauth-get-a-user-access-token (read 2026-11)
   */
  TOKEN_URL: 'https://open.tiktokapis.com/v2/oauth/token/',
  /** The user's record. @see https://developers.tiktok.com/doc/tiktok-api-v2-get-user-info (read 2026-11) */
  PROFILE_URL: 'https://open.tiktokapis.com/v2/user/info/',
  /** Revocation: removes the application from the user's list of connected apps. @see https://developers.tiktok.com/docs/en/oauth-revoke-a-user-access-token (read 2026-11) */
  REVOCATION_URL: 'https://open.tiktokapis.com/v2/oauth/revoke/',
  /** Sources for `form-action` of the Content-Security-Policy: all hosts that a browser may open on the way; the network documents no list. */
  FORM_ACTION_SOURCES: ['https://*.tiktok.com'] as readonly string[],
};

/** The scope that every application of the network has. */
export const BASIC_SCOPE = 'user.info.basic';

/**
 * The scope that each field of the record needs. One field outside the granted scopes fails the whole request. There is no `email`: the network
 * never sends one.
 *
 * @see https://developers.tiktok.com/doc/tiktok-api-v2-get-user-info (read 2026-11)
 */
export const FIELD_SCOPES: Readonly<Record<string, string>> = {
  open_id: BASIC_SCOPE,
  union_id: BASIC_SCOPE,
  avatar_url: BASIC_SCOPE,
  avatar_url_100: BASIC_SCOPE,
  avatar_large_url: BASIC_SCOPE,
  display_name: BASIC_SCOPE,
  username: 'user.info.profile',
  profile_deep_link: 'user.info.profile',
  bio_description: 'user.info.profile',
  is_verified: 'user.info.profile',
  follower_count: 'user.info.stats',
  following_count: 'user.info.stats',
  likes_count: 'user.info.stats',
  video_count: 'user.info.stats',
};

export const FIELDS: readonly string[] = Object.keys(FIELD_SCOPES);

/** The fields within the scopes. */
export function fieldsWithin(fields: readonly string[], scopes: readonly string[]): string[] {
  return fields.filter((field) => scopes.includes(FIELD_SCOPES[field] as string));
}

const OAUTH_ERRORS = 'documented: https://developers.tiktok.com/doc/oauth-error-handling (read 2026-11)';
const API_ERRORS =
  'documented: https://developers.tiktok.com/doc/tiktok-api-v2-error-handling (read 2026-11)';
const PAGE_REPORTS = 'observed: ComposioHQ/composio#3980 and public reports of the page of the network';
const OLDER_FORM = 'observed: bodies of the older form, also from the current endpoints';

const ERROR_ROWS: readonly ErrorRow[] = [
  { code: 'invalid_grant', step: 'refresh', means: 'refresh token spent', source: OAUTH_ERRORS },
  {
    code: 'invalid_request',
    step: 'refresh',
    means: 'request refused',
    hint: 'Check the stored refresh token: it must be whole, and as the network sent it.',
    source: 'supposed',
  },
  {
    code: ['invalid_grant', 'access_token_invalid'],
    step: 'revoke',
    means: 'access token spent',
    source: 'observed: an expired access token is refused, and the application stays connected',
  },
  { code: 'invalid_request', step: 'revoke', means: 'request refused', source: 'supposed' },
  {
    code: 'invalid_client',
    means: 'client refused',
    hint: 'Check client key and client secret: sandbox and production have different ones, and those of the Business or Shop portals do not work here.',
    source: `${OAUTH_ERRORS}; observed: ComposioHQ/composio#3980`,
  },
  {
    code: 'invalid_request',
    words: ['code verifier', 'code challenge', 'code_verifier', 'code_challenge'],
    means: 'code spent',
    hint: "The code challenge was refused, or the code verifier is another login's. The strategy sends the challenge in hex; for an https callbackURL try codeChallengeEncoding: 'base64url'.",
    source:
      'observed: mystery-man/passport-tiktok#9, SocialiteProviders/Providers#1368, better-auth/better-auth#3114',
  },
  {
    code: 'invalid_request',
    words: ['redirect_uri', 'redirect uri'],
    means: 'code spent',
    hint: OTHER_REDIRECT_URI,
    source: OAUTH_ERRORS,
  },
  {
    code: 'invalid_request',
    words: ['content-type'],
    means: 'request refused',
    hint: 'The network reads forms only: look for a proxy in between, or for customHeaders that change the content type.',
    source: 'observed: public reports of JSON bodies',
  },
  ...rowsFrom(OAUTH_ERRORS, [
    ['access_denied', 'user declined'],
    [
      'invalid_request',
      'request refused',
      'Compare callbackURL with the redirect URI registered with the network, slash for slash, and codeChallengeEncoding with what the network requires.',
    ],
    ['invalid_grant', 'code spent'],
    ['invalid_scope', 'scope refused', 'Enable each scope for the application at the network.'],
    [
      ['unsupported_grant_type', 'unsupported_response_type'],
      'request refused',
      'Check authorizationURL and tokenURL.',
    ],
    [['server_error', 'temporarily_unavailable'], 'network fault'],
  ]),
  ...rowsFrom(PAGE_REPORTS, [
    [
      'unauthorized_client',
      'application closed',
      'The application is not approved, the redirect URI is not registered, or the account is not a target user of the sandbox.',
    ],
    [
      'param_error',
      'request refused',
      'errCode 10003 means client_key, 10006 and 10028 the redirect URI, 10007 the code challenge: compare each with what is registered.',
    ],
    ['non_sandbox_target', 'application closed', "Add the account to the sandbox's target users."],
  ]),
  ...rowsFrom(API_ERRORS, [
    ['access_token_invalid', 'access token spent'],
    [
      ['scope_not_authorized', 'scope_permission_missed'],
      'scope refused',
      'A requested field needs a scope that scope lacks or the user did not grant; add it, or ask for fewer profileFields.',
    ],
    ['invalid_params', 'request refused', 'A requested field does not exist; check profileFields.'],
    ['internal_error', 'network fault'],
  ]),
  {
    code: 'rate_limit_exceeded',
    step: 'profile',
    means: 'limit',
    hint: 'The network allows 600 profile requests a minute; slow down.',
    source: 'documented: https://developers.tiktok.com/docs/zh-Hans/tiktok-api-v2-rate-limit (2026-08)',
  },
  { code: 'rate_limit_exceeded', means: 'limit', source: API_ERRORS },
  // The bodies of older versions have numbers, of which no list is published, and a description.
  { words: ['system is busy', 'try again later'], means: 'network fault', source: OLDER_FORM },
  { words: ['access token', 'access_token'], means: 'access token spent', source: OLDER_FORM },
  { words: ['authorization code', 'code is expired'], means: 'code spent', source: OLDER_FORM },
  { words: ['client key', 'client_key', 'client secret'], means: 'client refused', source: OLDER_FORM },
  {
    words: ['request error', 'parameter error'],
    means: 'request refused',
    hint: 'The address answers in the form of an older version; compare tokenURL and profileURL with the default ones.',
    source: OLDER_FORM,
  },
];

const LOCAL_HOSTS = ['localhost', '127.0.0.1'];

/**
 * Web redirect URIs are https; Desktop ones are on this machine and have a port.
 *
 * @see https://developers.tiktok.com/doc/login-kit-web (read 2026-11)
 * @see https://developers.tiktok.com/doc/login-kit-desktop/ (read 2026-11)
 */
const judgeRedirectURI: ProtocolFacts['judgeRedirectURI'] = ({ protocol, hostname }, written) => {
  if (written.includes('?')) return refused('has a query', 'Register and use a URL without "?".');
  if (written.length >= 512) return refused('has 512 characters or more', 'Use a shorter URL.');
  if (LOCAL_HOSTS.includes(hostname)) {
    return /^https?:\/\/[^/?#]+:\d+(?:[/?#]|$)/i.test(written)
      ? { isAccepted: true, says: 'accepts such URLs as Desktop redirect URIs' }
      : refused(
          'is on this machine and names no port',
          'Use http://127.0.0.1 with a port, registered as a Desktop redirect URI.',
        );
  }
  if (protocol === 'https:') return { isAccepted: true, says: 'accepts such URLs as Web redirect URIs' };
  return refused(
    'is plain http',
    'Use https; on your own machine http://127.0.0.1 with a port, registered as a Desktop redirect URI.',
  );
};

function refused(problem: string, remedy: string) {
  return { isAccepted: false, says: `accepts no redirect URI that ${problem}`, remedy };
}

/** Observed, not documented: every client key of a sandbox that was seen begins with these letters. */
const SANDBOX_KEY = 'sbaw';

/** What is known of TikTok's Login Kit v2. */
export const facts: ProtocolFacts = {
  brand: 'TikTok',
  title: 'TikTok',
  portal: 'developers.tiktok.com',
  credentialNames: ['client key', 'client secret'],
  judgeRedirectURI,
  // `*`, a digit, `!`, four digits and a region end every code that was seen (SocialiteProviders/Providers#1198).
  inventCode: (random) => `${random}*0!0000.va`,
  errorRows: ERROR_ROWS,

  suspect({ clientID, secret = '' }) {
    const begins = `begins with ${SANDBOX_KEY}, as client keys of TikTok's sandboxes do`;
    if (clientID.startsWith(SANDBOX_KEY)) return `clientID ${begins}: it needs the secret of that sandbox.`;
    return secret.startsWith(SANDBOX_KEY)
      ? `clientSecret ${begins}: the two are probably swapped.`
      : undefined;
  },
};
