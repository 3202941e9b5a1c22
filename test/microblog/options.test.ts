import { expect } from 'chai';
import microblog, {
  endpoints,
  MicroblogOAuth2Strategy,
  MicroblogStrategy,
  Strategy,
} from '../../lib/microblog/index.js';
import { playLogin, redirectOf } from '../support/attempt.js';
import { closesAfterEach } from '../support/cleanup.js';
import { realSockets } from '../support/real-sockets.js';
import { microblogNetwork, microblogStrategy, optionsAt, verifyProfile } from './network.js';

const CREDENTIALS = { clientID: 'the-client', clientSecret: 'the-secret' };

describe('microblog: defaults', () => {
  it('the URLs are those of the network', () => {
    expect({ ...endpoints }).to.deep.include({
      AUTHORIZATION_URL: 'https://x.com/i/oauth2/authorize',
      TOKEN_URL: 'https://api.x.com/2/oauth2/token',
      REVOCATION_URL: 'https://api.x.com/2/oauth2/revoke',
      LOOKUP_URL: 'https://api.x.com/2/users/me',
      REQUEST_TOKEN_URL: 'https://api.x.com/oauth/request_token',
      ACCESS_TOKEN_URL: 'https://api.x.com/oauth/access_token',
      USER_AUTHORIZATION_URL: 'https://api.x.com/oauth/authenticate',
      VERIFY_CREDENTIALS_URL: 'https://api.x.com/1.1/account/verify_credentials.json',
      INVALIDATE_TOKEN_URL: 'https://api.x.com/1.1/oauth/invalidate_token.json',
    });
  });

  it('the default version is 2.0', async () => {
    for (const options of [
      CREDENTIALS,
      { ...CREDENTIALS, version: '2.0' },
      { ...CREDENTIALS, version: undefined },
    ]) {
      const url = await redirectOf(microblogStrategy(options));
      expect(url.origin + url.pathname).to.equal('https://x.com/i/oauth2/authorize');
      expect(url.searchParams.get('code_challenge_method')).to.equal('S256');
    }
  });

  it('the factory makes an instance of the class without new', () => {
    const made = microblog(CREDENTIALS, (_token, _refresh, _profile, done) => done(null, {}));
    expect(made).to.be.instanceOf(MicroblogStrategy);
    expect(made.name).to.equal('microblog');
    expect(Strategy).to.equal(MicroblogStrategy);
  });
});

describe('microblog 2.0: options', () => {
  realSockets();
  const close = closesAfterEach();

  for (const spelling of ['clientID', 'clientId']) {
    it(`${spelling} is the OAuth 2.0 client ID`, async () => {
      const url = await redirectOf(
        microblogStrategy({ ...CREDENTIALS, clientID: undefined, [spelling]: 'another' }),
      );
      expect(url.searchParams.get('client_id')).to.equal('another');
    });
  }

  it('scope is a string or an array, at construction and per request', async () => {
    const strategy = microblogStrategy({ ...CREDENTIALS, scope: 'users.read,tweet.read offline.access' });
    expect((await redirectOf(strategy)).searchParams.get('scope')).to.equal(
      'users.read tweet.read offline.access',
    );
    const perRequest = await redirectOf(strategy, { scope: ['users.read'] });
    expect(perRequest.searchParams.get('scope')).to.equal('users.read');
  });

  for (const spelling of ['authorizationURL', 'authorizationUrl']) {
    it(`${spelling} is where the user is sent; its query is kept`, async () => {
      const url = await redirectOf(
        microblogStrategy({ ...CREDENTIALS, [spelling]: 'https://n.example/a?x=1' }),
      );
      expect(url.origin + url.pathname).to.equal('https://n.example/a');
      expect(url.searchParams.get('x')).to.equal('1');
    });
  }

  for (const spelling of ['tokenURL', 'accessTokenUrl']) {
    it(`${spelling} is where the code is exchanged; its query is kept`, async () => {
      const server = close(await microblogNetwork());
      const { tokenURL, ...options } = optionsAt(server.url);
      await playLogin(microblogStrategy({ ...options, [spelling]: `${String(tokenURL)}?x=1` }));
      expect(server.requests[0]?.url).to.equal('/token?x=1');
    });
  }

  for (const spelling of ['profileURL', 'profileUrl', 'userProfileURL']) {
    it(`${spelling} is where the user record is requested; its query is kept`, async () => {
      const server = close(await microblogNetwork());
      const { profileURL, ...options } = optionsAt(server.url);
      await playLogin(microblogStrategy({ ...options, [spelling]: `${String(profileURL)}?x=1` }));
      expect(server.requests[1]?.path).to.equal('/profile');
      expect(server.requests[1]?.query.get('x')).to.equal('1');
    });
  }

  it('revocationURL is where a token is revoked', async () => {
    const server = close(await microblogNetwork({ '/revoke': { body: {} } }));
    const strategy = new MicroblogOAuth2Strategy(
      { ...CREDENTIALS, revocationURL: `${server.url}/revoke?x=1` },
      verifyProfile,
    );
    await strategy.revoke('the-token');
    expect(server.requests[0]?.url).to.equal('/revoke?x=1');
  });
});
