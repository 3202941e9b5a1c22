import { OAUTH1_OPTIONS, OAUTH2_OPTIONS } from '../../lib/microblog/options.js';
import type { Sandbox } from '../../sandbox/lib/index.js';
import type { Exchange } from '../exchanges/exchange.js';
import { keyedLogins } from '../support/logins.js';
import type { NetworkDefinition, TokenRequestValues } from '../support/network-definition.js';

const INVALID_TOKEN = {
  networkCode: 'invalid_request',
  networkMessage: 'Value passed for the token was invalid.',
};
/** A public client has no secret from which the key of a pending login could be derived. */
const KEYED = { store: keyedLogins() };
const OFFLINE = { scope: 'tweet.read users.read offline.access' };

const oauth1Options = (sandbox: Sandbox) => sandbox.options('microblog', { version: '1.0' });

export const microblog: NetworkDefinition = {
  name: 'microblog',
  identify: ({ microblogId }) => microblogId,
  subjects: [
    {
      name: 'MicroblogStrategy',
      oauth: '2.0',
      table: OAUTH2_OPTIONS,
      options: (sandbox) => sandbox.options('microblog'),
      makes: {
        name: 'MicroblogOAuth2Strategy',
        options: (sandbox) => ({ ...sandbox.options('microblog', { client: 'public' }), ...KEYED }),
      },
      everything: { includeEmail: true, scope: 'tweet.read users.read offline.access' },
      authorization: { url: 'https://x.com/i/oauth2/authorize' },
      scope: 'tweet.read users.read',
      email: { scope: 'tweet.read users.read users.email', verified: true },
      challenge: 'base64url',
      tokenType: true,
      responseParameters: [],
      identity: {
        record: (id) => `{"data":{${id === undefined ? '' : `"id":${id},`}"name":"A","username":"a"}}`,
        large: '"9007199254740993"',
      },
      clients: [
        {
          title: 'a client with a secret sends its ID and secret only in the Basic header',
          options: { clientID: 'the-id', clientSecret: 's:c+/=&t' },
          body: tokenRequest,
          authorization: `Basic ${Buffer.from('the-id:s%3Ac%2B%2F%3D%26t').toString('base64')}`,
        },
        {
          title: 'a client without a secret sends its ID only in the body',
          options: { clientID: 'the-id', ...KEYED },
          body: (values) => `${tokenRequest(values)}&client_id=the-id`,
        },
      ],
      refreshTokens: {
        clients: [
          {
            options: (sandbox) => ({ ...sandbox.options('microblog'), ...OFFLINE }),
            credentials: { clientID: 'CLIENT-ID', clientSecret: 'CLIENT-SECRET' },
          },
          {
            title: 'public client',
            options: (sandbox) => ({
              ...sandbox.options('microblog', { client: 'public' }),
              ...OFFLINE,
              ...KEYED,
            }),
            credentials: { clientID: 'CLIENT-ID', ...KEYED },
          },
        ],
        revokes: 'token',
        spent: INVALID_TOKEN,
        ended: INVALID_TOKEN,
      },
      retries: 0,
      faults: { version: '2.0', token: 'token', profile: 'users lookup' },
      exchanges: {
        folder: '2.0',
        options: { clientID: 'CLIENT-ID', clientSecret: 'CLIENT-SECRET' },
        callback: { code: 'CODE-OF-LOGIN' },
        calls: {
          refresh: (strategy) => strategy.refresh('REFRESH-TOKEN'),
          revoke: (strategy) => strategy.revoke('ACCESS-TOKEN'),
        },
      },
    },
    {
      name: 'MicroblogStrategy',
      version: '1.0',
      oauth: '1.0a',
      table: OAUTH1_OPTIONS,
      options: oauth1Options,
      makes: { name: 'MicroblogOAuth1Strategy', options: oauth1Options },
      everything: { includeEmail: true },
      email: { verified: true },
      identity: {
        record: (id) =>
          `{${id === undefined ? '' : `"id_str":${id},`}"id":9007199254740993,"name":"A","screen_name":"a"}`,
        large: '"9007199254740993"',
        tokenField: 'user_id',
      },
      retries: 0,
      faults: {
        version: '1.0',
        token: 'access token',
        profile: 'verify credentials',
      },
      exchanges: {
        folder: '1.0',
        options: { consumerKey: 'CONSUMER-KEY', consumerSecret: 'CONSUMER-SECRET' },
        callback: { oauth_verifier: 'PIN-OF-LOGIN' },
        // The older record stays as it was sent.
        recordOf: (login, record) => {
          const { step, response } = login.at(-1) as Exchange & { response: object };
          return step === 'profile' ? { ...response, ...record } : record;
        },
        calls: { revoke: (strategy) => strategy.revoke('OAUTH-TOKEN', 'OAUTH-TOKEN-SECRET') },
      },
    },
  ],
};

function tokenRequest({ code, redirect, verifier }: TokenRequestValues): string {
  return `grant_type=authorization_code&code=${code}&redirect_uri=${redirect}&code_verifier=${verifier}`;
}
