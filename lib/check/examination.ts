import { type CheckedStrategy, checked } from '../core/checked.js';
import { absoluteCallback, callbackFindings } from './callback.js';
import { checkCredentials, notTried } from './credentials.js';
import { type CheckReport, overall } from './finding.js';
import { knowledgeOf } from './networks.js';
import { type Contact, clockFinding, contact, hostFinding, nodeFinding, originsOf } from './surroundings.js';

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
 * Checks a strategy.
 *
 * @param through - How findings call the strategy's agent.
 */
export async function examine(
  strategy: object,
  { callbackURL }: CheckOptions,
  through = 'the option agent',
): Promise<CheckReport> {
  if (!isCheckable(strategy)) {
    throw new TypeError('check: the first argument must be a strategy of passport-social-networks.');
  }
  if (callbackURL !== undefined && !URL.canParse(callbackURL)) {
    throw new TypeError(
      'check: option callbackURL must be an absolute URL such as https://your.domain/callback.',
    );
  }
  const subject = strategy[checked]();
  const knowledge = knowledgeOf(strategy, subject.version);
  const callback = absoluteCallback(subject.callbackURL, callbackURL);
  const contacts = await Promise.all(
    originsOf(subject).map((url) => contact(url, subject, subject.agent && through)),
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
    ...callbackFindings(callback, subject.callbackURL, knowledge, tried.callback),
    tried.credentials,
  ];
  const network = knowledge?.title ?? subject.name;
  return { provider: subject.name, network, verdict: overall(findings), findings };
}

/** Whether credentials can be sent: the host was reached, and proved who it is. */
function isReady({ failure, isVerified }: Contact): boolean {
  return isVerified !== false && (failure === undefined || failure.stage === 'response');
}

function isCheckable(strategy: object): strategy is { [checked](): CheckedStrategy } {
  return typeof strategy === 'object' && strategy !== null && checked in strategy;
}
