import type { ErrorRow, ProtocolFacts, RedirectURIVerdict } from '../../lib/core/facts.js';
import { isLoopback } from '../../lib/core/hosts.js';

/** URLs of the network. Nothing is at these ones: `.invalid` never resolves (RFC 6761). */
export const endpoints = {
  /** Where the user logs in. */
  AUTHORIZATION_URL: 'https://template-network.invalid/authorize',
  /** Token requests and refreshes. */
  TOKEN_URL: 'https://template-network.invalid/token',
  /** The user's record. */
  PROFILE_URL: 'https://template-network.invalid/userinfo',
  /** Revocation. */
  REVOCATION_URL: 'https://template-network.invalid/revoke',
};

/** The least that a login needs. @see OpenID Connect Core 1.0 section 5.4 */
export const DEFAULT_SCOPE: readonly string[] = ['openid', 'profile'];
export const EMAIL_SCOPE = 'email';

const AUTHORIZATION_ERRORS = 'supposed: RFC 6749 section 4.1.2.1';
const TOKEN_ERRORS = 'supposed: RFC 6749 section 5.2';
const BEARER_ERRORS = 'supposed: RFC 6750 section 3.1';

const ERROR_ROWS: readonly ErrorRow[] = [
  { code: 'access_denied', means: 'user declined', source: AUTHORIZATION_ERRORS },
  { code: 'unauthorized_client', means: 'application closed', source: AUTHORIZATION_ERRORS },
  { code: 'unsupported_response_type', means: 'request refused', source: AUTHORIZATION_ERRORS },
  { code: ['server_error', 'temporarily_unavailable'], means: 'network fault', source: AUTHORIZATION_ERRORS },
  { code: 'invalid_client', means: 'client refused', source: TOKEN_ERRORS },
  { code: 'invalid_grant', step: 'refresh', means: 'refresh token spent', source: TOKEN_ERRORS },
  { code: 'invalid_grant', means: 'code spent', source: TOKEN_ERRORS },
  { code: 'invalid_scope', means: 'scope refused', source: TOKEN_ERRORS },
  { code: 'invalid_request', means: 'request refused', source: TOKEN_ERRORS },
  { code: 'unsupported_grant_type', means: 'request refused', hint: 'Check tokenURL.', source: TOKEN_ERRORS },
  { code: 'invalid_token', step: 'revoke', means: 'access token spent', source: BEARER_ERRORS },
  { code: 'invalid_token', means: 'access token spent', source: BEARER_ERRORS },
  { code: 'insufficient_scope', means: 'scope refused', source: BEARER_ERRORS },
];

/** Supposed: https, and plain http on this machine only. @see RFC 9700 section 2.6 */
function judgeRedirectURI(url: URL): RedirectURIVerdict {
  if (url.protocol === 'https:' || isLoopback(url)) return { isAccepted: undefined, says: 'may accept it' };
  return { isAccepted: false, says: 'accepts no redirect URI that is plain http', remedy: 'Use https.' };
}

/** What is known of the network. */
export const facts: ProtocolFacts = {
  brand: 'Template Network',
  title: 'Template Network',
  portal: 'template-network.invalid',
  credentialNames: ['client ID', 'client secret'],
  judgeRedirectURI,
  suspect: () => undefined,
  inventCode: (random) => random,
  errorRows: ERROR_ROWS,
};
