import type { Callback } from './callback.js';
import { LoginFailure, RefusedError } from './errors.js';
import { remedyFor } from './network-client.js';
import type { OAuth2Network, OAuth2Settings } from './oauth2-network.js';
import type { PendingLogin } from './pending-login.js';
import { cleanText } from './redaction.js';

/**
 * The code that a network's answer brings. Believed only because the answer's pending login was taken already.
 *
 * @throws {@link LoginFailure} `wrong_issuer`, `access_denied` or `malformed_callback`.
 * @throws {@link RefusedError} for every other error than the person's "no".
 */
export function authorizationCode(
  callback: Callback,
  settings: OAuth2Settings,
  network: OAuth2Network,
  pending: PendingLogin,
): string {
  const { iss, error, code } = callback;
  // RFC 9207: an answer that names its issuer must name the one that was asked.
  if (iss !== undefined && iss !== new URL(settings.authorizationURL).origin) {
    throw new LoginFailure(
      'wrong_issuer',
      403,
      'This callback comes from another server than the one that was asked. Start the login again.',
    );
  }
  if (error === 'access_denied') {
    throw new LoginFailure('access_denied', 401, 'The person declined the login at the network.');
  }
  if (error !== undefined) throw refused(callback, error, settings, network, pending);
  if (code !== undefined) return code;
  throw new LoginFailure('malformed_callback', 400, 'The callback brought no code. Start the login again.');
}

function refused(
  { error_description, state = '', code = '' }: Callback,
  error: string,
  settings: OAuth2Settings,
  { remedies }: OAuth2Network,
  { secret = '' }: PendingLogin,
): RefusedError {
  const secrets = [state, code, secret, settings.clientSecret ?? ''];
  return new RefusedError({
    provider: settings.name,
    step: 'authorization',
    networkCode: cleanText(error, secrets),
    networkMessage: cleanText(error_description, secrets),
    remedy: remedyFor(error, 'authorization', remedies),
  });
}
