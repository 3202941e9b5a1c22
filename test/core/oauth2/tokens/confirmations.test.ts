import { expect } from 'chai';
import { MicroblogStrategy, ShortVideoStrategy, SocialNetworkStrategy } from '../../../../lib/index.js';
import { closesAfterEach } from '../../../support/cleanup.js';
import { realSockets } from '../../../support/real-sockets.js';
import { network } from '../../../support/server.js';
import { rejectionOf } from '../../../support/thrown.js';

const PAGE = '<!doctype html><title>Welcome</title>';
const verify = () => {};

/** Each call that ends a token, and the responses by which its network confirms it. */
const CALLS: Readonly<
  Record<
    string,
    {
      call: (revocationURL: string) => Promise<void>;
      confirmed: readonly string[];
      doubtful: readonly string[];
    }
  >
> = {
  'revoke at short-video': {
    call: async (revocationURL) =>
      new ShortVideoStrategy({ clientID: 'KEY', clientSecret: 'SECRET', revocationURL }, verify).revoke(
        'TOKEN',
      ),
    confirmed: ['{}', ''],
    doubtful: ['[]', '"ok"'],
  },
  'revoke at microblog 2.0': {
    call: async (revocationURL) =>
      new MicroblogStrategy({ clientID: 'ID', clientSecret: 'SECRET', revocationURL }, verify).revoke(
        'TOKEN',
      ),
    confirmed: ['{"revoked":true}', '{}', ''],
    doubtful: ['{"revoked":false}', '[]'],
  },
  'revoke at microblog 1.0': {
    call: async (revocationURL) =>
      new MicroblogStrategy(
        { version: '1.0', consumerKey: 'KEY', consumerSecret: 'SECRET', revocationURL },
        verify,
      ).revoke('TOKEN', 'TOKEN-SECRET'),
    confirmed: ['{"access_token":"TOKEN"}'],
    doubtful: ['', '{}', '{"access_token":"ANOTHER"}'],
  },
  'revoke at VK ID': {
    call: async (revocationURL) =>
      new SocialNetworkStrategy(
        { version: '2.1', clientID: '1', clientSecret: 'SECRET', revocationURL },
        verify,
      ).revoke('TOKEN'),
    confirmed: ['{"response":1}'],
    doubtful: ['', '{}', '{"response":0}'],
  },
  'logout at VK ID': {
    call: async (logoutURL) =>
      new SocialNetworkStrategy(
        { version: '2.1', clientID: '1', clientSecret: 'SECRET', logoutURL },
        verify,
      ).logout('TOKEN'),
    confirmed: ['{"response":1}'],
    doubtful: ['', '{}', '{"response":0}'],
  },
};

describe('ending a token', () => {
  realSockets();
  const close = closesAfterEach();

  for (const [title, { call, confirmed, doubtful }] of Object.entries(CALLS)) {
    it(`${title} resolves only if the network confirms it`, async () => {
      let body = '';
      const server = close(await network(() => ({ body })));
      for (body of confirmed) await call(`${server.url}/revoke`);
      for (body of [...doubtful, PAGE, '{"response":']) {
        const error = await rejectionOf(call(`${server.url}/revoke`));
        expect(error, body).to.include({
          name: 'MalformedError',
          code: 'unreadable_response',
          step: 'revoke',
        });
      }
    });
  }
});
