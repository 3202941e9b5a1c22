import { secretsShown } from '../world/canaries.js';
import { Violation } from './violation.js';

/**
 * Checks that a request caused no second outcome, crash or warning.
 *
 * @param second - Second outcomes. Emptied by this function.
 * @param problems - Crashes and warnings of the process.
 * @param fresh - Secrets of the login in addition to the canaries.
 */
export function checkAftermath(
  second: string[],
  problems: readonly string[],
  fresh: readonly string[] = [],
): void {
  const outcomes = second.splice(0);
  const crash = problems.find((problem) => problem.startsWith('crash'));
  if (crash !== undefined) throw new Violation('crashes', crash);
  const shown = secretsShown(problems.join('\n'), fresh);
  if (shown.length > 0) throw new Violation('leaks', `a warning shows ${shown.join(', ')}`);
  if (outcomes.length > 0) throw new Violation('wrongOutcomes', outcomes.join('; '));
  if (problems.length > 0) throw new Violation('wrongOutcomes', problems.join('; '));
}
