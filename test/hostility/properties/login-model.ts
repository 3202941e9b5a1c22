import { isDeepStrictEqual } from 'node:util';
import type { Figures } from '../figures.js';
import type { Ending } from '../world/application.js';
import type { AppBrowser } from '../world/browser.js';
import { secretsShown } from '../world/canaries.js';
import type { Subject } from '../world/subjects.js';
import { user } from '../world/users.js';
import { shownBy } from './exposure.js';
import { Violation } from './violation.js';

/** The expected state of a login. */
export interface ModelLogin {
  readonly subject: Subject;
  readonly browser: number;
  readonly key: string;
  readonly owner: number;
  readonly state: unknown;
  readonly expiresAt: number;
  /** The user who was signed in when it began to link an account. */
  readonly linksTo: string | undefined;
  /** A copy of its browser, from when it began. */
  readonly copy: AppBrowser;
  pending: boolean;
  /** Whether its code was sent to the network. */
  sent: boolean;
}

/** Checks that a login ends with its own user and state. */
export function expectUser(
  figures: Figures,
  { owner, state, subject }: Pick<ModelLogin, 'owner' | 'state' | 'subject'>,
  ending: Ending,
): void {
  const { kind, user: loggedIn, info } = ending;
  if (kind !== 'success') {
    if ((ending.error as { code?: string } | undefined)?.code === 'timeout') figures.late += 1;
    else throw new Violation('wrongOutcomes', `a pending ${subject.title} login ends in ${shownBy(ending)}`);
    return;
  }
  figures.logins += 1;
  if ((loggedIn as { id?: string }).id !== user(owner).id) {
    throw new Violation('wrongUsers', `${JSON.stringify(loggedIn)} logs in instead of ${user(owner).id}`);
  }
  if (!isDeepStrictEqual((info as { state?: unknown }).state, state)) {
    throw new Violation('wrongUsers', `the state of another login is returned: ${JSON.stringify(info)}`);
  }
}

/** Checks that a request ends in a Passport failure that shows no secret. */
export function expectFailure(ending: Ending, what: string, keys: readonly string[], code?: string): void {
  const { kind, info, status, error } = ending;
  const found = (info as { code?: string } | undefined)?.code;
  if (kind === 'success') throw new Violation('wrongUsers', `${what} logs ${JSON.stringify(ending.user)} in`);
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

/** Marks a login as used. @returns Whether it could still be finished. */
export function markUsed(login: ModelLogin): boolean {
  const isPending = login.pending && login.expiresAt > Date.now();
  login.pending = false;
  return isPending;
}
