import { expect } from 'chai';
import { MicroblogOAuth1Strategy } from '../../lib/microblog/index.js';
import { closesAfterEach } from '../support/cleanup.js';
import { realSockets } from '../support/real-sockets.js';
import {
  microblogNetwork,
  microblogStrategy,
  oauth1OptionsAt,
  playOAuth1Login,
  verifyProfile,
} from './network.js';

const CREDENTIALS = { clientID: 'the-client', clientSecret: 'the-secret' };

describe('microblog 1.0: options', () => {
  realSockets();
  const close = closesAfterEach();

  for (const [key, secret] of [
    ['consumerKey', 'consumerSecret'],
    ['clientID', 'clientSecret'],
    ['clientId', 'consumerSecret'],
  ] as const) {
    it(`${key} and ${secret} are the API key and its secret`, async () => {
      const server = close(await microblogNetwork());
      const { consumerKey: _, consumerSecret: __, ...urlOptions } = oauth1OptionsAt(server.url);
      await playOAuth1Login(microblogStrategy({ ...urlOptions, [key]: 'another', [secret]: 'its-secret' }));
      expect(server.requests[0]?.headers.authorization).to.include('oauth_consumer_key="another"');
    });
  }

  const urlOptions: Readonly<Record<string, readonly [string, string]>> = {
    requestTokenURL: ['requestTokenURL', '/request_token'],
    requestTokenUrl: ['requestTokenURL', '/request_token'],
    accessTokenURL: ['accessTokenURL', '/access_token'],
    accessTokenUrl: ['accessTokenURL', '/access_token'],
    profileURL: ['profileURL', '/credentials'],
    profileUrl: ['profileURL', '/credentials'],
    userProfileURL: ['profileURL', '/credentials'],
  };
  for (const [spelling, [option, path]] of Object.entries(urlOptions)) {
    it(`${spelling} is called with its own query`, async () => {
      const server = close(await microblogNetwork());
      const { [option]: url, ...options } = oauth1OptionsAt(server.url);
      const { ending } = await playOAuth1Login(
        microblogStrategy({ ...options, [spelling]: `${String(url)}?x=1` }),
      );
      expect(ending).to.have.property('user');
      expect(server.requests.find((request) => request.path === path)?.query.get('x')).to.equal('1');
    });
  }

  for (const spelling of ['userAuthorizationURL', 'authorizationUrl']) {
    it(`${spelling} is where the user is sent; its query is kept`, async () => {
      const server = close(await microblogNetwork());
      const { userAuthorizationURL: _, ...options } = oauth1OptionsAt(server.url);
      const { start } = await playOAuth1Login(
        microblogStrategy({ ...options, [spelling]: 'https://n.example/a?x=1' }),
      );
      expect(start.redirect).to.equal('https://n.example/a?x=1&oauth_token=the-request-token');
    });
  }

  it('lookupURL is called with its own query', async () => {
    const server = close(await microblogNetwork({ '/credentials': { status: 403, body: {} } }));
    const options = { ...oauth1OptionsAt(server.url), lookupURL: `${server.url}/lookup?x=1` };
    await playOAuth1Login(microblogStrategy(options));
    expect(server.requests[3]?.query.get('x')).to.equal('1');
  });

  it('revocationURL is where a token is revoked', async () => {
    const server = close(await microblogNetwork({ '/invalidate': { body: { access_token: 'the-token' } } }));
    const options = { ...CREDENTIALS, revocationURL: `${server.url}/invalidate?x=1` };
    await new MicroblogOAuth1Strategy(options, verifyProfile).revoke('the-token', 'the-secret');
    expect(server.requests[0]?.url).to.equal('/invalidate?x=1');
  });

  it('a query in profileURL overrides the default parameters', async () => {
    const server = close(await microblogNetwork());
    const options = {
      ...oauth1OptionsAt(server.url),
      profileURL: `${server.url}/credentials?skip_status=false`,
    };
    await playOAuth1Login(microblogStrategy(options));
    expect(server.requests[2]?.url).to.equal('/credentials?skip_status=false&include_entities=false');
  });
});
