/**
 * Checks the credentials, the addresses and the surroundings of a strategy before the first login, without a user. No login loads this
 * module. `npx passport-social-networks check` does the same on the command line.
 *
 * @module passport-social-networks/check
 */
import type { Strategy } from 'passport';
import { type CheckOptions, examine } from './examination.js';
import type { CheckReport } from './finding.js';

export type { CheckOptions } from './examination.js';
export type { CheckReport, Finding, Verdict } from './finding.js';

/**
 * Checks a strategy: the version of Node; DNS, TCP, TLS and time of each host that a login requests, through the strategy's agent; the
 * clock; the callback URL; the credentials, by an attempt that changes nothing at the network.
 *
 * It sends one request to each host, and one or two attempts with the credentials, each within the strategy's `timeout`. A network that
 * hangs or is down is a finding, not an error.
 *
 * @example
 * const { verdict, findings } = await check(strategy, { callbackURL: 'https://your.domain/api/auth/callback/microblog' });
 * @param strategy - A strategy of this package, or of a class that extends one.
 * @throws TypeError for anything else, and for a `callbackURL` that is not absolute.
 */
export function check(strategy: Strategy, options: CheckOptions = {}): Promise<CheckReport> {
  return examine(strategy, options);
}
