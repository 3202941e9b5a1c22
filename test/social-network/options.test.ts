import { expect } from 'chai';
import socialNetworkFactory, {
  endpoints,
  SocialNetworkStrategy,
  Strategy,
} from '../../lib/social-network/index.js';
import { playLogin, redirectOf } from '../support/attempt.js';
import { closesAfterEach } from '../support/cleanup.js';
import { realSockets } from '../support/real-sockets.js';
import { optionsAt, socialNetwork, socialNetworkStrategy } from './network.js';

const CREDENTIALS = { clientID: '51000001', clientSecret: 'the-protected-key' };

describe('social-network: defaults', () => {
  it('the URLs are those of the network', () => {
    expect({ ...endpoints }).to.deep.include({
      AUTHORIZATION_URL: 'https://oauth.vk.ru/authorize',
      TOKEN_URL: 'https://oauth.vk.ru/access_token',
      PROFILE_URL: 'https://api.vk.ru/method/users.get',
      API_VERSION: '5.126',
    });
  });

  it('only the two credentials are required', async () => {
    const url = await redirectOf(socialNetworkStrategy(CREDENTIALS));
    expect(url.origin + url.pathname).to.equal('https://oauth.vk.ru/authorize');
    expect(url.searchParams.get('v')).to.equal('5.126');
    expect(url.searchParams.has('scope')).to.equal(false);
  });

  it('the factory makes an instance of the class without new', () => {
    const made = socialNetworkFactory(CREDENTIALS, (_token, _refresh, _profile, done) => done(null, {}));
    expect(made).to.be.instanceOf(SocialNetworkStrategy);
    expect(made.name).to.equal('social-network');
    expect(Strategy).to.equal(SocialNetworkStrategy);
  });
});

describe('social-network 2.0: options', () => {
  realSockets();
  const close = closesAfterEach();
  const requestsWith = async (changes: (url: string) => object) => {
    const server = close(await socialNetwork());
    const { ending, authorization } = await playLogin(
      socialNetworkStrategy({ ...optionsAt(server.url), ...changes(server.url) }),
    );
    if (ending.error) throw ending.error;
    return { authorization, requests: server.requests };
  };

  for (const spelling of ['clientID', 'clientId']) {
    it(`${spelling} is the application's ID`, async () => {
      const options = { [spelling]: '7', clientSecret: 'x' };
      expect((await redirectOf(socialNetworkStrategy(options))).searchParams.get('client_id')).to.equal('7');
    });
  }

  it('apiVersion is sent as v to all three URLs', async () => {
    const { authorization, requests } = await requestsWith(() => ({ apiVersion: '5.199' }));
    expect(authorization.searchParams.get('v')).to.equal('5.199');
    expect(requests.map(({ query }) => query.get('v'))).to.deep.equal(['5.199', '5.199']);
  });

  it('a v in a custom URL overrides apiVersion for that URL', async () => {
    const { authorization, requests } = await requestsWith((url) => ({
      apiVersion: '5.150',
      authorizationURL: `${url}/authorize?v=5.101&response_type=code`,
      tokenURL: `${url}/access_token?v=5.102`,
      profileURL: `${url}/users.get?v=5.103`,
    }));
    expect(authorization.searchParams.getAll('v')).to.deep.equal(['5.101']);
    expect(authorization.searchParams.getAll('response_type')).to.deep.equal(['code']);
    expect(requests.map(({ query }) => query.getAll('v'))).to.deep.equal([['5.102'], ['5.103']]);
  });

  for (const spelling of ['authorizationURL', 'authorizationUrl']) {
    it(`${spelling} is where the user is sent; its query is kept`, async () => {
      const options = { ...CREDENTIALS, [spelling]: 'https://n.example/a?x=1' };
      const url = await redirectOf(socialNetworkStrategy(options));
      expect(url.origin + url.pathname).to.equal('https://n.example/a');
      expect([url.searchParams.get('x'), url.searchParams.get('v')]).to.deep.equal(['1', '5.126']);
    });
  }

  for (const spelling of ['tokenURL', 'accessTokenUrl']) {
    it(`${spelling} is where the code is exchanged; its query is kept`, async () => {
      const server = close(await socialNetwork());
      const { tokenURL, ...options } = optionsAt(server.url);
      await playLogin(socialNetworkStrategy({ ...options, [spelling]: `${String(tokenURL)}?x=1` }));
      expect(server.requests[0]?.url).to.equal('/access_token?x=1&v=5.126');
    });
  }

  for (const spelling of ['profileURL', 'profileUrl', 'userProfileURL']) {
    it(`${spelling} is where the user record is requested; its query is kept`, async () => {
      const server = close(await socialNetwork());
      const { profileURL, ...options } = optionsAt(server.url);
      await playLogin(socialNetworkStrategy({ ...options, [spelling]: `${String(profileURL)}?x=1` }));
      expect(server.requests[1]?.url).to.equal('/users.get?x=1&fields=photo_100&v=5.126');
    });
  }

  for (const spelling of ['requestTokenURL', 'requestTokenUrl']) {
    it(`${spelling} is accepted but never called`, async () => {
      const { requests } = await requestsWith((url) => ({ [spelling]: `${url}/request_token?v=5.126` }));
      expect(requests.map(({ path }) => path)).to.deep.equal(['/access_token', '/users.get']);
    });
  }

  it('profileFields are added to photo_100, or to the fields of a custom profileURL', async () => {
    const fields = async (changes: (url: string) => object) =>
      (await requestsWith(changes)).requests[1]?.query.get('fields');
    expect(await fields(() => ({ profileFields: 'screen_name, sex' }))).to.equal('photo_100,screen_name,sex');
    expect(await fields(() => ({ profileFields: ['photo_100', 'bdate'] }))).to.equal('photo_100,bdate');
    expect(
      await fields((url) => ({
        profileURL: `${url}/users.get?fields=photo_max,city`,
        profileFields: 'city sex',
      })),
    ).to.equal('photo_max,city,sex');
  });

  it('lang is the language of the user record', async () => {
    const { requests } = await requestsWith(() => ({ lang: 'en' }));
    expect(requests[1]?.query.get('lang')).to.equal('en');
  });

  it('scope is a string or an array, joined with commas, at construction and per request', async () => {
    const strategy = socialNetworkStrategy({ ...CREDENTIALS, scope: ['friends', 'photos'] });
    expect((await redirectOf(strategy)).searchParams.get('scope')).to.equal('friends,photos');
    expect((await redirectOf(strategy, { scope: 'email' })).searchParams.get('scope')).to.equal('email');
  });
});
