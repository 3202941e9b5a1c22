import type { Move } from '../generators/interleavings.js';
import { AppBrowser } from '../world/browser.js';
import { SUBJECTS, type Subject } from '../world/subjects.js';
import type { ModelLogin } from './login-model.js';
import { callbackQuery } from './logins.js';

/** A callback request that no network sent, or that another browser repeats. */
export interface ForgedCallback {
  readonly browser: AppBrowser;
  readonly subject: Subject;
  readonly query: Record<string, string>;
}

const INVENTED = 'invented-state-0123456789-0123456789-012345';

/** Creates a forged callback request. @returns `undefined` if it would equal the login's own authorization response. */
export function forgedCallback(
  move: Extract<Move, { do: 'forge' }>,
  login: ModelLogin | undefined,
  browsers: readonly AppBrowser[],
): ForgedCallback | undefined {
  const subject = SUBJECTS[move.subject] as Subject;
  const browserOf = (index: number) => browsers[index % browsers.length] as AppBrowser;
  const here = { browser: browserOf(move.browser), subject };
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
        browser: browserOf(login.browser + 1),
        subject: login.subject,
        query: callbackQuery(login.subject, login.key, 99),
      };
    case 'a copied session':
    case 'a copied session and logins of its own': {
      if (!login) return undefined;
      const other = move.as === 'a copied session' ? new AppBrowser() : browserOf(login.browser + 1);
      return {
        browser: other.withSessionOf(browserOf(login.browser)),
        subject: login.subject,
        query: callbackQuery(login.subject, login.key, login.owner),
      };
    }
    default:
      if (!login || login.subject === subject) return undefined;
      return { browser: browserOf(login.browser), subject, query: callbackQuery(subject, login.key, 99) };
  }
}
