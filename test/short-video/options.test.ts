import { expect } from 'chai';
import shortVideo, { endpoints, ShortVideoStrategy, Strategy } from '../../lib/short-video/index.js';
import { playLogin, redirectOf } from '../support/attempt.js';
import { closesAfterEach } from '../support/cleanup.js';
import { realSockets } from '../support/real-sockets.js';
import { optionsAt, shortVideoNetwork, shortVideoStrategy } from './network.js';

const CREDENTIALS = { clientID: 'the-client-key', clientSecret: 'the-client-secret' };

describe('short-video: defaults', () => {
  it('the URLs are those of the network', () => {
    expect({ ...endpoints }).to.deep.include({
      AUTHORIZATION_URL: 'https://www.tiktok.com/v2/auth/authorize/',
      TOKEN_URL: 'https://open.tiktokapis.com/v2/oauth/token/',
      PROFILE_URL: 'https://open.tiktokapis.com/v2/user/info/',
      REVOCATION_URL: 'https://open.tiktokapis.com/v2/oauth/revoke/',
    });
  });

  it('only the two credentials are required', async () => {
    const url = await redirectOf(shortVideoStrategy(CREDENTIALS));
    expect(url.origin + url.pathname).to.equal('https://www.tiktok.com/v2/auth/authorize/');
    expect(url.searchParams.get('scope')).to.equal('user.info.basic');
    expect(url.searchParams.get('redirect_uri')).to.equal(
      'https://app.example/api/auth/callback/short-video',
    );
    expect(url.searchParams.has('disable_auto_auth')).to.equal(false);
  });

  it('the factory makes an instance of the class without new', () => {
    const made = shortVideo(CREDENTIALS, (_token, _refresh, _profile, done) => done(null, {}));
    expect(made).to.be.instanceOf(ShortVideoStrategy);
    expect(made.name).to.equal('short-video');
    expect(Strategy).to.equal(ShortVideoStrategy);
  });
});

describe('short-video: options', () => {
  realSockets();
  const close = closesAfterEach();

  for (const spelling of ['clientID', 'clientId', 'clientKey']) {
    it(`${spelling} is the client key`, async () => {
      const options = { [spelling]: 'another-key', clientSecret: 'the-client-secret' };
      expect((await redirectOf(shortVideoStrategy(options))).searchParams.get('client_key')).to.equal(
        'another-key',
      );
    });
  }

  it('scope is a string or an array, at construction and per request', async () => {
    const strategy = shortVideoStrategy({ ...CREDENTIALS, scope: 'user.info.basic, video.list' });
    expect((await redirectOf(strategy)).searchParams.get('scope')).to.equal('user.info.basic,video.list');
    const perRequest = await redirectOf(strategy, { scope: ['user.info.basic', 'user.info.stats'] });
    expect(perRequest.searchParams.get('scope')).to.equal('user.info.basic,user.info.stats');
  });

  it('without scope, the scopes are derived from profileFields', async () => {
    const strategy = shortVideoStrategy({
      ...CREDENTIALS,
      profileFields: ['likes_count', 'bio_description'],
    });
    expect((await redirectOf(strategy)).searchParams.get('scope')).to.equal(
      'user.info.basic,user.info.stats,user.info.profile',
    );
  });

  for (const spelling of ['authorizationURL', 'authorizationUrl']) {
    it(`${spelling} is where the user is sent; its query is kept`, async () => {
      const url = await redirectOf(
        shortVideoStrategy({ ...CREDENTIALS, [spelling]: 'https://n.example/a?x=1' }),
      );
      expect(url.origin + url.pathname).to.equal('https://n.example/a');
      expect(url.searchParams.get('x')).to.equal('1');
      expect(url.searchParams.get('client_key')).to.equal('the-client-key');
    });
  }

  for (const spelling of ['tokenURL', 'accessTokenUrl']) {
    it(`${spelling} is where the code is exchanged; its query is kept`, async () => {
      const server = close(await shortVideoNetwork());
      const { tokenURL, ...options } = optionsAt(server.url);
      await playLogin(shortVideoStrategy({ ...options, [spelling]: `${String(tokenURL)}?x=1` }));
      expect(server.requests[0]?.url).to.equal('/token?x=1');
    });
  }

  for (const spelling of ['profileURL', 'profileUrl', 'userProfileURL']) {
    it(`${spelling} is where the user record is requested; its query is kept`, async () => {
      const server = close(await shortVideoNetwork());
      const { profileURL, ...options } = optionsAt(server.url);
      await playLogin(shortVideoStrategy({ ...options, [spelling]: `${String(profileURL)}?x=1` }));
      expect(server.requests[1]?.path).to.equal('/profile');
      expect(server.requests[1]?.query.get('x')).to.equal('1');
      expect(server.requests[1]?.query.has('fields')).to.equal(true);
    });
  }

  it('revocationURL is where a token is revoked; its query is kept', async () => {
    const server = close(await shortVideoNetwork({ '/revoke': { body: {} } }));
    const revocationURL = `${server.url}/revoke?x=1`;
    await shortVideoStrategy({ ...optionsAt(server.url), revocationURL }).revoke('the-token');
    expect(server.requests[0]?.url).to.equal('/revoke?x=1');
  });
});
