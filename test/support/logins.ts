import type { LoginStore, NewLogin, PendingLogin } from '../../lib/core/pending-login.js';

/** A login as a strategy describes it. */
export const LOGIN: NewLogin = {
  callbackURL: 'https://app.example/cb',
  scope: ['basic'],
  secret: 'the-code-verifier',
  state: { returnTo: '/cart' },
};

/** A request with a session. */
export interface SessionRequest {
  session: Record<string, unknown>;
  headers: { cookie: string };
}

export function sessionRequest(session: Record<string, unknown> = {}): SessionRequest {
  return { session, headers: { cookie: 'sid=1' } };
}

/** A login store in memory that exposes its logins. */
export function memoryLogins(lifetime?: number): LoginStore & { readonly logins: Map<string, PendingLogin> } {
  const logins = new Map<string, PendingLogin>();
  return {
    logins,
    ...(lifetime !== undefined && { lifetime }),
    async save(_req, login) {
      logins.set(login.id, login);
    },
    async take(_req, id) {
      const login = logins.get(id);
      logins.delete(id);
      return login;
    },
  };
}
