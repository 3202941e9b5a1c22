import type { LoginStore, NewLogin, PendingLogin } from '../../lib/core/login/pending-login.js';

/** What a strategy knows of a login when it begins. */
export const LOGIN: NewLogin = {
  callbackURL: 'https://app.example/cb',
  scope: ['basic'],
  secret: 'the-code-verifier',
  state: { returnTo: '/cart' },
};

/** A request with a session in it. */
export interface SessionRequest {
  session: Record<string, unknown>;
  headers: { cookie: string };
}

export function sessionRequest(session: Record<string, unknown> = {}): SessionRequest {
  return { session, headers: { cookie: 'sid=1' } };
}

/** A login store in memory, with its logins open to see. */
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

/** The response of a request, and the request's headers: cookies that the response sets come back with them, as in a browser. */
export function cookieJar() {
  const cookies = new Map<string, string>();
  const headers: Record<string, string> = {};
  const res = {
    headersSent: false,
    setHeader: () => {},
    appendHeader(_name: string, line: string) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (/Max-Age=0/.test(line)) cookies.delete(name);
      else cookies.set(name, value);
      headers.cookie = [...cookies].map((pair) => pair.join('=')).join('; ');
    },
  };
  return { headers, res };
}
