import type { Move } from '../generators/interleavings.js';
import { SUBJECTS, type Subject } from '../world/subjects.js';
import type { ModelLogin } from './login-model.js';
import { callbackQuery } from './logins.js';

/** A callback request that no network sent. */
export interface ForgedCallback {
  readonly browser: number;
  readonly subject: Subject;
  readonly query: Record<string, string>;
}

const INVENTED = 'invented-state-0123456789-0123456789-012345';

/** Creates a forged callback request. @returns `undefined` if it would equal the login's own authorization response. */
export function forgedQuery(
  move: Extract<Move, { do: 'forge' }>,
  login: ModelLogin | undefined,
): ForgedCallback | undefined {
  const subject = SUBJECTS[move.subject] as Subject;
  const here = { browser: move.browser, subject };
  switch (move.as) {
    case 'an invented state':
      return { ...here, query: callbackQuery(subject, INVENTED, 99) };
    case 'no state': {
      const { state: _state, oauth_token: _token, ...query } = callbackQuery(subject, INVENTED, 99);
      return { ...here, query };
    }
    case 'an error without a state':
      return { ...here, query: subject.oauth1 ? { denied: INVENTED } : { error: 'access_denied' } };
    case 'a state and nothing else':
      return { ...here, query: subject.oauth1 ? { oauth_token: INVENTED } : { state: INVENTED } };
    case 'the state of another browser':
      if (!login) return undefined;
      return {
        browser: (login.browser + 1) % 3,
        subject: login.subject,
        query: callbackQuery(login.subject, login.key, 99),
      };
    default:
      if (!login || login.subject === subject) return undefined;
      return { browser: login.browser, subject, query: callbackQuery(subject, login.key, 99) };
  }
}
