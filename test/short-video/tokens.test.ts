import { expect } from 'chai';
import { ShortVideoStrategy } from '../../lib/index.js';
import { grantedScopes } from '../../lib/short-video/index.js';
import { closesAfterEach } from '../support/cleanup.js';
import { realSockets } from '../support/real-sockets.js';
import { network, type SeenRequest } from '../support/server.js';

const RESPONSE = { body: { access_token: 'NEW', token_type: 'bearer' } };
const never = () => undefined;

/** A request's body and its client authentication. */
function clientRequest({ body, headers }: SeenRequest): { body: string; authorization: string | undefined } {
  return { body, authorization: headers.authorization };
}

describe('the tokens of the short-video network', () => {
  realSockets();
  const close = closesAfterEach();

  it('a refresh and a revocation send client_key and client_secret in the body and no client_id', async () => {
    const server = close(await network(() => RESPONSE));
    const strategy = new ShortVideoStrategy(
      {
        clientKey: 'CLIENT-KEY',
        clientSecret: 'CLIENT-SECRET',
        tokenURL: `${server.url}/token`,
        revocationURL: `${server.url}/revoke`,
      },
      never,
    );
    await strategy.refresh('rft.TOKEN!4608');
    await strategy.revoke('act.TOKEN!4608');
    expect(server.requests.map(clientRequest)).to.deep.equal([
      {
        body: 'grant_type=refresh_token&refresh_token=rft.TOKEN%214608&client_key=CLIENT-KEY&client_secret=CLIENT-SECRET',
        authorization: undefined,
      },
      {
        body: 'token=act.TOKEN%214608&client_key=CLIENT-KEY&client_secret=CLIENT-SECRET',
        authorization: undefined,
      },
    ]);
  });

  it('grantedScopes splits scope at commas', () => {
    expect(grantedScopes({ scope: 'user.info.basic,user.info.profile' })).to.deep.equal([
      'user.info.basic',
      'user.info.profile',
    ]);
  });

  for (const params of [{}, { scope: '' }, { scope: ' , ' }]) {
    it(`grantedScopes of ${JSON.stringify(params)} is an empty list`, () => {
      expect(grantedScopes(params)).to.deep.equal([]);
    });
  }
});
