import { secretsShown } from '../world/canaries.js';
import { Violation } from './violation.js';

/**
 * That nothing came after the outcome of a request: no second one, no crash, no warning.
 *
 * @param second - Second outcomes; emptied.
 * @param troubles - Crashes and warnings of the process.
 * @param fresh - Secrets of the login beside the canaries.
 */
export function checkAftermath(
  second: string[],
  troubles: readonly string[],
  fresh: readonly string[] = [],
): void {
  const outcomes = second.splice(0);
  const crash = troubles.find((trouble) => trouble.startsWith('crash'));
  if (crash !== undefined) throw new Violation('crashes', crash);
  const shown = secretsShown(troubles.join('\n'), fresh);
  if (shown.length > 0) throw new Violation('leaks', `a warning shows ${shown.join(', ')}`);
  if (outcomes.length > 0) throw new Violation('wrongOutcomes', outcomes.join('; '));
  if (troubles.length > 0) throw new Violation('wrongOutcomes', troubles.join('; '));
}
