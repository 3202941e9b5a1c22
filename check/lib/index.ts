/**
 * Checks the credentials, the addresses and the surroundings of a strategy before the first login, without a user.
 * `npx passport-social-networks-check` does the same on the command line.
 *
 * @module passport-social-networks-check
 */

import type { Strategy } from 'passport';
import { type CheckedStrategy, checked, isLoopback } from 'passport-social-networks/internal';
import { absoluteCallback, callbackFindings } from './callback.js';
import { checkCredentials, notTried } from './credentials.js';
import { microblogOAuth1, microblogOAuth2 } from './microblog.js';
import type { NetworkKnowledge } from './network-knowledge.js';
import { ProxyAgent } from './proxy.js';
import { type CheckReport, overall } from './report.js';
import { shortVideo } from './short-video.js';
import { classic, vkId } from './social-network.js';
import { type Contact, clockFinding, contact, hostFinding, nodeFinding, originsOf } from './surroundings.js';

export type { CheckReport, Finding, Verdict } from './report.js';

/** Settings of `check`. */
export interface CheckOptions {
  /**
   * Absolute URL under which browsers reach the callback, for a strategy whose own `callbackURL` is relative.
   *
   * @default the strategy's
   */
  readonly callbackURL?: string;
}

const KNOWLEDGE: readonly NetworkKnowledge[] = [shortVideo, microblogOAuth1, microblogOAuth2, classic, vkId];

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
export async function check(strategy: Strategy, { callbackURL }: CheckOptions = {}): Promise<CheckReport> {
  const subject = checkedOf(strategy);
  if (!subject) {
    throw new TypeError('check: the first argument must be a strategy of passport-social-networks.');
  }
  if (callbackURL !== undefined && !URL.canParse(callbackURL)) {
    throw new TypeError(
      'check: option callbackURL must be an absolute URL such as https://your.domain/callback.',
    );
  }
  const knowledge = KNOWLEDGE.find(({ title }) => title === subject.facts.title);
  const callback = absoluteCallback(subject.callbackURL, callbackURL);
  const contacts = await Promise.all(
    originsOf(subject).map((url) => contact(url, subject, nameOf(subject.agent))),
  );
  const [first] = contacts;
  const tried =
    first && isReady(first)
      ? await checkCredentials(subject, knowledge, callback)
      : notTried(first?.url.host ?? 'the network');
  const findings = [
    nodeFinding(),
    ...contacts.map((found) =>
      hostFinding(found, knowledge, found === first ? tried : { hasResponse: false }),
    ),
    clockFinding(contacts, knowledge, tried.clock),
    ...callbackFindings(
      callback,
      subject.callbackURL,
      knowledge,
      tried.callback,
      subject.urls.every((url) => isLoopback(new URL(url))),
    ),
    ...(tried.login ? [tried.login] : []),
    tried.credentials,
  ];
  const network = knowledge?.title ?? subject.name;
  return { provider: subject.name, network, verdict: overall(findings), findings };
}

/** The strategy as it shows itself; `undefined` for anything but a strategy of the package, of this or of another copy. */
function checkedOf(strategy: unknown): CheckedStrategy | undefined {
  const show = (strategy as { [checked]?: () => CheckedStrategy } | null | undefined)?.[checked];
  return show?.call(strategy);
}

/** How findings call an agent. */
function nameOf(agent: CheckedStrategy['agent']): string | undefined {
  if (agent instanceof ProxyAgent) return 'the proxy of HTTPS_PROXY';
  return agent && 'the option agent';
}

/** Whether credentials can be sent: the host was reached, and proved who it is. */
function isReady({ url, failure, isVerified }: Contact): boolean {
  const isProved = url.protocol === 'http:' || isVerified === true;
  return isProved && (failure === undefined || failure.stage === 'response');
}
