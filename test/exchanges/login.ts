import { type AttemptEnding, attempt, fakeRequest } from '../support/attempt.js';
import { keyedLogins } from '../support/logins.js';
import type { ExchangeNetwork } from './networks.js';

/** The arguments of a call to verify. */
export interface Verification {
  readonly token: string;
  readonly refreshToken: string | undefined;
  readonly params: object;
  readonly profile: object;
}

/** The result of a login, as an application sees it. */
export interface LoginResult {
  readonly outcome: 'success' | 'error' | 'failure';
  /** The status that a framework's error handler, or Passport, gives the response. */
  readonly status: number;
  /** The state or request token of the login; empty if there was no redirect. */
  readonly key: string;
  /** The error that the framework's error handler gets. */
  readonly error: unknown;
  readonly verifications: readonly Verification[];
}

/**
 * Runs a whole login through Passport, with the code or verifier of the exchanges.
 *
 * @param options - Strategy options of these exchanges besides the fixed values; `null` leaves an option out.
 */
export async function logIn(
  network: ExchangeNetwork,
  options: Readonly<Record<string, unknown>>,
): Promise<LoginResult> {
  const verifications: Verification[] = [];
  const strategy = network.strategy(
    strategyOptions(network, options),
    (token, refreshToken, params, profile, done) => {
      verifications.push({ token, refreshToken, params, profile });
      done(null, { name: 'USER' });
    },
  );
  const cookies = {};
  const { redirect, ...unfinished } = await attempt(strategy, fakeRequest('/login', cookies));
  if (redirect === undefined) return { ...resultOf(unfinished), key: '', verifications };
  const key = new URL(redirect).searchParams.get(network.key) ?? '';
  const callback = new URLSearchParams({ ...network.callback, [network.key]: key });
  const ending = await attempt(strategy, fakeRequest(`/callback?${callback.toString()}`, cookies));
  return { ...resultOf(ending), key, verifications };
}

function resultOf(ending: AttemptEnding): Pick<LoginResult, 'outcome' | 'status' | 'error'> {
  if ('user' in ending) return { outcome: 'success', status: 200, error: undefined };
  if (!('error' in ending)) return { outcome: 'failure', status: ending.status ?? 401, error: undefined };
  const { statusCode = 500 } = ending.error as { readonly statusCode?: number };
  return { outcome: 'error', status: statusCode, error: ending.error };
}

/** The fixed values with the strategy options of an exchange; `null` leaves an option out. */
export function strategyOptions(
  network: ExchangeNetwork,
  options: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const wanted = Object.entries({ ...network.options, ...options }).filter(([, value]) => value !== null);
  // Request tokens are the same in every exchange, and a store lets each log in once. Some clients have no secret.
  return { store: keyedLogins(), ...Object.fromEntries(wanted) };
}
