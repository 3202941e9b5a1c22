/**
 * Checks the credentials, the addresses and the surroundings of a strategy before the first login, without a user. No login loads this
 * module. `npx passport-social-networks check` does the same on the command line.
 *
 * @module passport-social-networks/check
 */
import type { Strategy } from 'passport';
import { isLoopback } from '../core/hosts.js';
import { MicroblogOAuth1Strategy, MicroblogOAuth2Strategy } from '../microblog/index.js';
import { ShortVideoStrategy } from '../short-video/index.js';
import { SocialNetworkStrategy } from '../social-network/index.js';
import { absoluteCallback, callbackFindings } from './callback.js';
import { checkCredentials, notTried } from './credentials.js';
import { microblogOAuth1, microblogOAuth2 } from './microblog.js';
import type { NetworkKnowledge } from './network-knowledge.js';
import { ProxyAgent } from './proxy.js';
import { type CheckReport, overall } from './report.js';
import { shortVideo } from './short-video.js';
import { classic, vkId } from './social-network.js';
import { type CheckedStrategy, subjectOf } from './subject.js';
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
  const subject = subjectOf(strategy);
  if (!subject) {
    throw new TypeError('check: the first argument must be a strategy of passport-social-networks.');
  }
  if (callbackURL !== undefined && !URL.canParse(callbackURL)) {
    throw new TypeError(
      'check: option callbackURL must be an absolute URL such as https://your.domain/callback.',
    );
  }
  const knowledge = knowledgeOf(strategy, subject.version);
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

/** What is known about a strategy's network; `undefined` for one that no line here names. */
function knowledgeOf(strategy: object, version: string | undefined): NetworkKnowledge | undefined {
  if (strategy instanceof ShortVideoStrategy) return shortVideo;
  if (strategy instanceof MicroblogOAuth2Strategy) return microblogOAuth2;
  if (strategy instanceof MicroblogOAuth1Strategy) return microblogOAuth1;
  if (strategy instanceof SocialNetworkStrategy) return version === '2.1' ? vkId : classic;
  return undefined;
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
