import { OPTIONS } from '../../lib/short-video/options.js';
import type { NetworkDefinition } from '../support/network-definition.js';

export const shortVideo: NetworkDefinition = {
  name: 'short-video',
  identify: ({ openId }) => openId,
  subjects: [
    {
      name: 'ShortVideoStrategy',
      oauth: '2.0',
      table: OPTIONS,
      options: (sandbox) => sandbox.options('short-video'),
      everything: { profileFields: ['username', 'follower_count'] },
      authorization: { url: 'https://www.tiktok.com/v2/auth/authorize/', clientParameter: 'client_key' },
      scope: 'user.info.basic',
      challenge: 'hex',
      tokenType: true,
      responseParameters: ['scopes', 'errCode', 'error_type'],
      identity: {
        record: (id) =>
          `{"data":{"user":{${id === undefined ? '' : `"open_id":${id},`}"display_name":"A"}},"error":{"code":"ok"}}`,
        large: '"9007199254740993"',
        tokenField: 'open_id',
      },
      clients: [
        {
          title:
            'a client with a secret sends its ID and secret in the body, as client_key and client_secret',
          options: { clientID: 'the-id', clientSecret: 's&cret' },
          body: ({ code, redirect, verifier }) =>
            `grant_type=authorization_code&code=${code}&redirect_uri=${redirect}&code_verifier=${verifier}&client_key=the-id&client_secret=s%26cret`,
        },
      ],
      refreshTokens: {
        clients: [
          {
            options: (sandbox) => sandbox.options('short-video'),
            credentials: { clientID: 'CLIENT-KEY', clientSecret: 'CLIENT-SECRET' },
          },
        ],
        revokes: 'token',
        spent: { networkCode: 'invalid_grant', networkMessage: 'Refresh token is invalid or expired.' },
        ended: { networkCode: 'invalid_grant', networkMessage: 'Access token is invalid or expired.' },
      },
      retries: 2,
      faults: { token: 'token', profile: 'profile' },
      exchanges: {
        folder: '2',
        options: { clientID: 'CLIENT-KEY', clientSecret: 'CLIENT-SECRET' },
        callback: { code: 'CODE-OF-LOGIN*1!4608.va' },
        calls: {
          refresh: (strategy) => strategy.refresh('REFRESH-TOKEN'),
          revoke: (strategy) => strategy.revoke('act.ACCESS-TOKEN!4608'),
        },
      },
    },
  ],
};
