import { supposed } from '../../sandbox/lib/core/evidence.js';

const OAUTH = 'https://www.rfc-editor.org/rfc/rfc6749';
const PKCE = 'https://www.rfc-editor.org/rfc/rfc7636';

/** What the sandbox holds requests to. Each is supposed until a page or a report of the network says so. */
export const BELIEFS = {
  client: supposed`client_id names an application. | ${OAUTH}#section-4.1.1`,
  responseType: supposed`response_type is code. | ${OAUTH}#section-4.1.1`,
  scope: supposed`scope names only scopes that the network has, separated by spaces. | ${OAUTH}#section-3.3`,
  redirectUri: supposed`redirect_uri is an absolute https address without a fragment, or one of this machine. | ${OAUTH}#section-3.1.2`,
  challenge: supposed`code_challenge is the SHA-256 of the verifier in base64url, and code_challenge_method S256. | ${PKCE}#section-4.3`,
  credentials: supposed`client_id and client_secret are in the body, and belong to one application. | ${OAUTH}#section-2.3.1`,
  grantType: supposed`grant_type is authorization_code or refresh_token. | ${OAUTH}#section-4.1.3`,
  code: supposed`A code works once, with the redirect_uri and the client of the authorization request. | ${OAUTH}#section-4.1.2`,
  verifier: supposed`code_verifier matches code_challenge. | ${PKCE}#section-4.6`,
  refreshToken: supposed`A refresh token works once. | ${OAUTH}#section-6`,
  revocation: supposed`A revocation needs a token that has not ended. | https://www.rfc-editor.org/rfc/rfc7009#section-2.2, which says the opposite`,
  bearer: supposed`The record needs a valid access token. | https://www.rfc-editor.org/rfc/rfc6750#section-3.1`,
  rateLimit: supposed`The endpoints have a limit. The sandbox counts none; it plays the fault rate-limit. | https://www.rfc-editor.org/rfc/rfc6585#section-4`,
};

export const UNKNOWN: readonly string[] = ['What the network itself says: nobody has read its pages yet.'];
