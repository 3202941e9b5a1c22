/**
 * Checks the credentials, the addresses and the surroundings of a strategy before the first login, without a user.
 * `npx passport-social-networks-check` does the same on the command line.
 *
 * @module passport-social-networks-check
 */
import type { Strategy } from 'passport';
import { isLoopback, parseURL } from 'passport-social-networks/internal';
import { callbackFindings, callbackOf, notTried, tryCredentials } from './credentials.js';
import { type CheckReport, overall } from './report.js';
import { checkedOf } from './subject.js';
import { clockFinding, contact, hostFinding, isReady, nodeFinding, originsOf } from './surroundings.js';

export type { CheckReport, Finding, Verdict } from './report.js';

/** Settings of `check`. */
export interface CheckOptions {
  /**
   * Absolute URL under which browsers reach the callback, for a strategy whose own `callbackURL` is relative.
   *
   * @default the strategy's
   */
  readonly callbackURL?: string | undefined;
}

/**
 * Checks a strategy: the version of Node; DNS, TCP, TLS and time of each host that a login requests, through the strategy's agent; the
 * clock; the callback URL; the credentials, by an attempt that changes nothing at the network.
 *
 * It sends one request to each host, and one or two attempts with the credentials, each within the strategy's `timeout`. A network that
 * hangs or is down is a finding, not an error.
 *
 * @example
 * const { verdict, findings } = await check(strategy, { callbackURL: 'https://your.domain/api/auth/callback/microblog' });
 * @param strategy - A strategy of passport-social-networks, or of a class that extends one.
 * @throws TypeError for anything else, and for a `callbackURL` that is not absolute.
 */
export async function check(strategy: Strategy, { callbackURL }: CheckOptions = {}): Promise<CheckReport> {
  const subject = checkedOf(strategy);
  if (!subject) {
    throw new TypeError('check: the first argument must be a strategy of passport-social-networks.');
  }
  if (callbackURL !== undefined && !parseURL(callbackURL)) {
    throw new TypeError(
      'check: option callbackURL must be an absolute URL such as https://your.domain/callback.',
    );
  }
  const { settings, facts, protocol, urls, agent } = subject;
  const { name: provider, timeout } = settings;
  const callback = callbackOf(subject, callbackURL);
  const contacts = await Promise.all(originsOf(urls).map((url) => contact(url, { agent, timeout })));
  const [first] = contacts;
  const tried =
    first && isReady(first)
      ? await tryCredentials(subject, callback)
      : notTried(first?.url.host ?? 'the network');
  const isLocal = urls.every((url) => isLoopback(new URL(url)));
  const findings = [
    nodeFinding(),
    ...contacts.map((found) => hostFinding(found, facts, found === first ? tried : { hasResponse: false })),
    clockFinding(contacts, protocol, tried.clock),
    ...callbackFindings(subject, callback, tried.registration, isLocal),
    ...(tried.login ? [tried.login] : []),
    tried.credentials,
  ];
  return { provider, network: facts.title, verdict: overall(findings), findings };
}
