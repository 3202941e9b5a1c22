import { LoginFailure } from '../errors/index.js';
import { parseURL } from '../hosts.js';
import { type AuthorizationResponse, LONGEST_PARAMETER } from '../login/index.js';

/** A code that an app on a phone, or a network's SDK, brings to the server. */
export interface BroughtCode {
  /** The authorization code. */
  code: string;
  /** The PKCE code verifier that was made for this login, of 43 to 128 characters. The network without PKCE has none. */
  codeVerifier?: string | undefined;
  /** The redirect URI of the authorization request. A constant of the application, never a value that came with the code. */
  redirectURI: string;
  /** VK ID: the `device_id` that came with the code. */
  deviceID?: string | undefined;
}

/** What `strategy.exchange` takes besides the code. Never from a request. */
export interface ExchangeOptions {
  /** VK's classic protocol, which has no PKCE: `true` means that whoever got hold of a code may log in with it. @default false */
  withoutVerifier?: boolean | undefined;
}

/**
 * A brought code as an authorization response. Its values may be those of any request to the application.
 *
 * @throws TypeError for what the application itself decides; {@link LoginFailure} `malformed_response` for the others.
 */
export function readBroughtCode(
  { code, codeVerifier, redirectURI, deviceID }: BroughtCode,
  { withoutVerifier }: ExchangeOptions,
  name: string,
  hasPKCE: boolean,
): AuthorizationResponse & { readonly code: string } {
  if (typeof redirectURI !== 'string' || !parseURL(redirectURI)) {
    const must = 'a constant of the application, the absolute URL with which the app asked for the code';
    throw new TypeError(`${name}: exchange needs the redirectURI, ${must}.`);
  }
  if (!hasPKCE && (withoutVerifier !== true || codeVerifier !== undefined)) {
    throw new TypeError(
      `${name}: this network has no PKCE, so whoever got hold of a code, from a log or another app, can log in with it. Use VK ID (version: '2.1'), or call exchange({ code, redirectURI }, { withoutVerifier: true }).`,
    );
  }
  const isVerifier = typeof codeVerifier === 'string' && /^[\w.~-]{43,128}$/.test(codeVerifier);
  const isUsable = (value: unknown) =>
    typeof value === 'string' && value !== '' && value.length <= LONGEST_PARAMETER;
  const hasDevice = deviceID !== undefined;
  if (isUsable(code) && (isVerifier || !hasPKCE) && (!hasDevice || isUsable(deviceID)))
    return { code, ...(hasDevice && { device_id: deviceID }) };
  throw new LoginFailure(
    'malformed_response',
    'The code, or the code verifier or device ID with it, is missing, too long or not a string; a verifier has 43 to 128 letters, digits and "-._~". Start the login again.',
  );
}
