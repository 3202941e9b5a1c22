import { CLASSIC_OPTIONS, VK_ID_OPTIONS } from '../../lib/social-network/options.js';
import type { Exchange } from '../exchanges/exchange.js';
import type { NetworkDefinition, TokenRequestValues } from '../support/network-definition.js';

/** No user has such a number. */
const NO_NUMBERS = '"abc" "01" "0743784474" 0 "0" -1 -7 "-5" 1e400'.split(' ');

export const socialNetwork: NetworkDefinition = {
  name: 'social-network',
  identify: ({ socialNetworkId }) => String(socialNetworkId),
  subjects: [
    {
      name: 'SocialNetworkStrategy',
      oauth: '2.0',
      table: CLASSIC_OPTIONS,
      options: (sandbox) => sandbox.options('social-network'),
      everything: { includeEmail: true, profileFields: ['city'] },
      authorization: { url: 'https://oauth.vk.ru/authorize', parameters: { v: '5.126' } },
      scope: null,
      email: { scope: 'email' },
      challenge: 'none',
      tokenType: false,
      responseParameters: ['error_reason'],
      identity: {
        record: (id) =>
          `{"response":[{${id === undefined ? '' : `"id":${id},`}"first_name":"A","last_name":"B"}]}`,
        large: '9007199254740993',
        tokenField: 'user_id',
        none: NO_NUMBERS,
      },
      clients: [
        {
          title: 'a client with a secret sends its ID and secret in the body',
          options: { clientID: 'the-id', clientSecret: 's&cret' },
          body: ({ code, redirect }) =>
            `grant_type=authorization_code&code=${code}&redirect_uri=${redirect}&client_id=the-id&client_secret=s%26cret`,
        },
      ],
      unusable: { boris: 'account_unusable', dora: 'account_unusable' },
      retries: 2,
      faults: {
        version: '2.0',
        token: 'token',
        profile: 'users.get',
      },
      exchanges: {
        folder: 'classic',
        options: { clientID: 'CLIENT-ID', clientSecret: 'CLIENT-SECRET' },
        callback: { code: 'CODE-OF-LOGIN' },
        recordOf: (login) => firstRecord(login.at(-1) as Exchange),
        calls: {},
      },
    },
    {
      name: 'SocialNetworkStrategy',
      version: '2.1',
      oauth: '2.0',
      table: VK_ID_OPTIONS,
      options: (sandbox) => sandbox.options('social-network', { version: '2.1', client: 'confidential' }),
      everything: { includeEmail: true, profileFields: ['city'] },
      authorization: { url: 'https://id.vk.ru/authorize' },
      scope: 'vkid.personal_info',
      email: { scope: 'vkid.personal_info email' },
      challenge: 'base64url',
      tokenType: false,
      responseParameters: ['device_id', 'payload', 'type', 'expires_in', 'ext_id'],
      identity: {
        record: (id) =>
          `{"user":{${id === undefined ? '' : `"user_id":${id},`}"first_name":"A","last_name":"B"}}`,
        large: '"9007199254740993"',
        tokenField: 'user_id',
        none: NO_NUMBERS,
      },
      clients: [
        {
          title: 'a client without a service token sends only its ID',
          options: { version: '2.1', clientID: 'the-id', clientSecret: 'never-sent' },
          body: (values) => `${vkIdTokenRequest(values)}&client_id=the-id`,
        },
        {
          title: 'a client with a service token sends it in the body',
          options: { version: '2.1', clientID: 'the-id', serviceToken: 's&rvice' },
          body: (values) => `service_token=s%26rvice&${vkIdTokenRequest(values)}&client_id=the-id`,
        },
      ],
      refreshTokens: {
        clients: [
          {
            options: (sandbox) => sandbox.options('social-network', { version: '2.1' }),
            credentials: { clientID: 'CLIENT-ID', clientSecret: 'CLIENT-SECRET', version: '2.1' },
          },
        ],
        device: 'DEVICE',
        revokes: 'access_token',
        spent: { networkCode: 'invalid_request', networkMessage: 'refresh_token is missing or invalid' },
        ended: { networkCode: 'invalid_token', networkMessage: 'access_token is missing or invalid' },
      },
      retries: 0,
      faults: { version: '2.1', token: 'token', profile: 'profile' },
      exchanges: {
        folder: 'vk-id',
        options: { clientID: 'CLIENT-ID' },
        callback: { code: 'CODE-OF-LOGIN', device_id: 'DEVICE-ID' },
        addedParams: { device_id: 'DEVICE-ID' },
        profileOf: userInfoOf,
        recordOf: (login) => {
          const lookup = login.find(({ step }) => step === 'lookup');
          return { ...userInfoOf(login).response, ...(lookup && { lookup: firstRecord(lookup) }) };
        },
        calls: {
          refresh: (strategy) => strategy.refresh('REFRESH-TOKEN', 'DEVICE-ID'),
          revoke: (strategy) => strategy.revoke('ACCESS-TOKEN'),
          logout: (strategy) => strategy.logout('ACCESS-TOKEN'),
        },
      },
    },
  ],
};

function vkIdTokenRequest({ code, redirect, verifier, device, state }: TokenRequestValues): string {
  return `device_id=${device}&state=${state}&grant_type=authorization_code&code=${code}&redirect_uri=${redirect}&code_verifier=${verifier}`;
}

/** VK ID's lookup runs at the same time and does not identify the user. */
function userInfoOf(login: readonly Exchange[]): Exchange & { response: object } {
  return login.find(({ step }) => step === 'profile') as Exchange & { response: object };
}

function firstRecord({ response }: Exchange): unknown {
  return (response as { response: unknown[] }).response[0];
}
