import { expect } from 'chai';
import { MicroblogStrategy, ShortVideoStrategy } from '../../lib/index.js';
import { closesAfterEach } from '../support/cleanup.js';
import { realSockets } from '../support/real-sockets.js';
import { network, type SeenRequest } from '../support/server.js';
import { describeEach } from './accounts.js';

const RESPONSE = { body: { access_token: 'NEW', token_type: 'bearer' } };
const never = () => undefined;

/** A request's body and its client authentication. */
function clientRequest({ body, headers }: SeenRequest): { body: string; authorization: string | undefined } {
  return { body, authorization: headers.authorization };
}

describe('the requests of a refresh and a revocation', () => {
  realSockets();
  const close = closesAfterEach();

  async function microblogRequests(credentials: { clientID: string; clientSecret?: string }) {
    const server = close(await network(() => RESPONSE));
    const urlOptions = { tokenURL: `${server.url}/token`, revocationURL: `${server.url}/revoke` };
    const strategy = new MicroblogStrategy({ ...credentials, ...urlOptions }, never);
    await strategy.refresh('REFRESH-TOKEN');
    await strategy.revoke('ACCESS-TOKEN');
    return server.requests.map(clientRequest);
  }

  it('a confidential microblog client sends Basic credentials and no client_id in the body', async () => {
    expect(await microblogRequests({ clientID: 'CLIENT-ID', clientSecret: 'CLIENT-SECRET' })).to.deep.equal([
      {
        body: 'grant_type=refresh_token&refresh_token=REFRESH-TOKEN',
        authorization: 'Basic Q0xJRU5ULUlEOkNMSUVOVC1TRUNSRVQ=',
      },
      { body: 'token=ACCESS-TOKEN', authorization: 'Basic Q0xJRU5ULUlEOkNMSUVOVC1TRUNSRVQ=' },
    ]);
  });

  it('a public microblog client sends client_id in the body and no credentials', async () => {
    expect(await microblogRequests({ clientID: 'CLIENT-ID' })).to.deep.equal([
      {
        body: 'grant_type=refresh_token&refresh_token=REFRESH-TOKEN&client_id=CLIENT-ID',
        authorization: undefined,
      },
      { body: 'token=ACCESS-TOKEN&client_id=CLIENT-ID', authorization: undefined },
    ]);
  });

  for (const [secret, spelled] of [
    ['with-hyphen_and_underscore', 'with-hyphen_and_underscore'],
    ['dots.and~tildes', 'dots.and~tildes'],
    ['colon:plus+percent%', 'colon%3Aplus%2Bpercent%25'],
    ['ключ', '%D0%BA%D0%BB%D1%8E%D1%87'],
  ] as const) {
    it(`a microblog client encodes the secret ${secret} as ${spelled}`, async () => {
      const [refresh] = await microblogRequests({ clientID: 'CLIENT-ID', clientSecret: secret });
      const [, credentials = ''] = refresh?.authorization?.split(' ') ?? [];
      expect(Buffer.from(credentials, 'base64').toString()).to.equal(`CLIENT-ID:${spelled}`);
    });
  }

  it('a short-video client sends client_key and client_secret in the body and no client_id', async () => {
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
});

describeEach('a token', ({ subject, played }) => {
  for (const token of ['rft.abc!4608', 'a.b-c_d~e', "it's*(odd)", '100%+/=&?#', 'жетон', '!!..']) {
    it(`${token} reaches the network unchanged`, async () => {
      const { strategy, network: server, refresh } = await played(() => RESPONSE);
      await refresh(token);
      await strategy.revoke(token);
      const [refreshed, revoked] = server.requests;
      expect(refreshed?.form.getAll('refresh_token')).to.deep.equal([token]);
      const name = subject.device === undefined ? 'token' : 'access_token';
      expect(revoked?.form.getAll(name)).to.deep.equal([token]);
      for (const { url, method, headers } of server.requests) {
        expect(url).to.match(/^\/(token|revoke)$/);
        expect(method).to.equal('POST');
        expect(headers['content-type']).to.equal('application/x-www-form-urlencoded');
      }
    });

    it(`${token} is returned from the network unchanged`, async () => {
      const response = { access_token: token, refresh_token: `${token}2`, token_type: 'bearer' };
      const { refresh } = await played(() => ({ body: response }));
      const { accessToken, refreshToken } = await refresh('OLD');
      expect({ accessToken, refreshToken }).to.deep.equal({ accessToken: token, refreshToken: `${token}2` });
    });
  }
});
