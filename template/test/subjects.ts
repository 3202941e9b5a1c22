import type { NetworkDefinition } from '../../test/support/network-definition.js';
import { OPTIONS } from '../lib/options.js';

/** The network, for the shared tests. */
export const templateNetwork: NetworkDefinition = {
  name: 'template-network' as never,
  identify: ({ id }) => `template-network-${id}`,
  subjects: [
    {
      name: 'TemplateNetworkStrategy',
      oauth: '2.0',
      table: OPTIONS,
      options: (sandbox) => sandbox.options('template-network' as never),
      everything: { includeEmail: true },
      authorization: { url: 'https://template-network.invalid/authorize' },
      scope: 'openid profile',
      challenge: 'base64url',
      tokenType: true,
      responseParameters: [],
      email: { scope: 'openid profile email' },
      identity: {
        record: (id) => `{${id === undefined ? '' : `"sub":${id},`}"name":"A"}`,
        large: '"9007199254740993"',
      },
      clients: [
        {
          title: 'a client with a secret sends its ID and secret in the body',
          options: { clientID: 'the-id', clientSecret: 's&cret' },
          body: ({ code, redirect, verifier }) =>
            `grant_type=authorization_code&code=${code}&redirect_uri=${redirect}&code_verifier=${verifier}&client_id=the-id&client_secret=s%26cret`,
        },
      ],
      refreshTokens: {
        clients: [
          {
            options: (sandbox) => sandbox.options('template-network' as never),
            credentials: { clientID: 'CLIENT-ID', clientSecret: 'CLIENT-SECRET' },
          },
        ],
        revokes: 'token',
        spent: { networkCode: 'invalid_grant', networkMessage: 'invalid grant' },
        ended: { networkCode: 'invalid_token', networkMessage: 'invalid token' },
      },
      retries: 2,
      faults: { token: 'token', profile: 'profile' },
      exchanges: {
        folder: '2',
        options: { clientID: 'CLIENT-ID', clientSecret: 'CLIENT-SECRET' },
        callback: { code: 'CODE-OF-LOGIN' },
        calls: {
          refresh: (strategy) => strategy.refresh('REFRESH-TOKEN'),
          revoke: (strategy) => strategy.revoke('ACCESS-TOKEN'),
        },
      },
    },
  ],
};
