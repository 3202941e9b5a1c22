import type { LoginStore, PendingLogin } from '../../lib/core/login/pending-logins.js';
import { cookieLogins } from '../../lib/index.js';

/** What a strategy knows of a login when it begins. */
export const LOGIN: Omit<PendingLogin, 'id' | 'expiresAt'> = {
  isSecure: true,
  isCrossSite: false,
  codeVerifier: 'the-code-verifier',
  redirectURI: 'https://app.example/cb',
  scope: ['basic'],
  state: { returnTo: '/cart' },
};

/** Whose logins they are: of a strategy of one client. */
export const OWNER = {
  strategy: 'network',
  clientID: 'client',
  authorizationURL: 'https://network.example/',
  redirectURI: 'https://app.example/cb',
};

export function memoryLogins(): LoginStore & { readonly logins: Map<string, PendingLogin> } {
  const logins = new Map<string, PendingLogin>();
  return {
    logins,
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

/** A store with a key of its own, for a client without a secret from which one could be derived. */
export function keyedLogins(): LoginStore {
  return cookieLogins({ secrets: 'a-secret-of-at-least-thirty-two-characters' });
}
