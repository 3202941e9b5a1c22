import { isDeepStrictEqual } from 'node:util';
import type { Figures } from '../figures.js';
import type { Ending } from '../world/application.js';
import { secretsShown } from '../world/canaries.js';
import { person } from '../world/people.js';
import type { Subject } from '../world/subjects.js';
import { shownBy } from './exposure.js';
import { Violation } from './violation.js';

/** A login as it should be. */
export interface ModelLogin {
  readonly subject: Subject;
  readonly browser: number;
  readonly key: string;
  readonly owner: number;
  readonly state: unknown;
  readonly expiresAt: number;
  pending: boolean;
}

/** That a login ends with its own person and state. */
export function expectPerson(figures: Figures, { owner, state, subject }: ModelLogin, ending: Ending): void {
  const { kind, user, info } = ending;
  if (kind !== 'success') {
    if ((ending.error as { code?: string } | undefined)?.code === 'timeout') figures.late += 1;
    else
      throw new Violation(
        'wrongOutcomes',
        `a login of ${subject.title} that is due ends in ${shownBy(ending)}`,
      );
    return;
  }
  figures.logins += 1;
  if ((user as { id?: string }).id !== person(owner).id) {
    throw new Violation('wrongPersons', `${JSON.stringify(user)} logs in in place of ${person(owner).id}`);
  }
  if (!isDeepStrictEqual((info as { state?: unknown }).state, state)) {
    throw new Violation('wrongPersons', `the state of another login comes back: ${JSON.stringify(info)}`);
  }
}

/** That a request ends in a failure of Passport's that shows nothing. */
export function expectRefusal(ending: Ending, what: string, keys: readonly string[], code?: string): void {
  const { kind, info, status, error } = ending;
  const found = (info as { code?: string } | undefined)?.code;
  if (kind === 'success')
    throw new Violation('wrongPersons', `${what} logs ${JSON.stringify(ending.user)} in`);
  if (
    kind !== 'failure' ||
    (code !== undefined && code !== found) ||
    ![400, 401, 403].includes(status ?? 0)
  ) {
    throw new Violation('wrongOutcomes', `${what} ends in ${kind} ${found ?? ''} ${shownBy(error)}`);
  }
  const shown = secretsShown(shownBy(info), keys);
  if (shown.length > 0) throw new Violation('leaks', `${what} shows ${shown.join(', ')}`);
}

/** Marks a login as spent. @returns Whether it could be finished. */
export function spend(login: ModelLogin): boolean {
  const isDue = login.pending && login.expiresAt > Date.now();
  login.pending = false;
  return isDue;
}
