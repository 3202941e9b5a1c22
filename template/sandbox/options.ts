import type { Appearance, Client } from '../../sandbox/lib/core/network.js';

/** What users see. */
export const APPEARANCE: Appearance = {
  brand: 'Template Network',
  scopes: ['openid', 'profile', 'email'],
};

export const APPLICATION = {
  clientID: 'sandbox-client-0001',
  clientSecret: 'template-network-secret-of-the-sandbox',
};

export const CLIENTS = [
  {
    title: 'template-network',
    kind: 'confidential',
    trial: {
      authorization: { scope: 'openid profile' },
      challenge: 'base64url',
      profileQuery: {},
    },
    options: (url) => ({
      ...APPLICATION,
      authorizationURL: `${url}/template-network/authorize`,
      tokenURL: `${url}/template-network/token`,
      profileURL: `${url}/template-network/userinfo`,
      revocationURL: `${url}/template-network/revoke`,
    }),
  },
] as const satisfies readonly Client[];
