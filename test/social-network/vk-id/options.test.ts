import { expect } from 'chai';
import socialNetwork, { endpoints } from '../../../lib/social-network/index.js';
import { redirectOf } from '../../support/attempt.js';
import { network } from '../../support/server.js';
import { thrownBy } from '../../support/thrown.js';
import { TOKENS, USER } from './network.js';
import { comeBack, onlyLogin, vkIdStrategy, vkIdTests } from './vk-id.js';

function mistakeOf(options: object): string {
  const error = thrownBy(() => vkIdStrategy(options));
  expect(error).to.be.instanceOf(TypeError);
  return (error as TypeError).message;
}

describe("VK ID's options", () => {
  const { atNetwork } = vkIdTests();

  it('put no secret into an error message', () => {
    expect(mistakeOf({ clientSecret: 'SECRET CANARY' })).not.to.include('CANARY');
    expect(mistakeOf({ serviceToken: 'SERVICE TOKEN-CANARY' })).not.to.include('CANARY');
  });

  for (const [option, value] of [
    ['clientID', ''],
    ['clientID', ' 51000002'],
    ['clientSecret', ''],
    ['serviceToken', ''],
    ['serviceToken', 'line\nend'],
    ['authorizationURL', 'http://id.example/authorize'],
    ['tokenURL', '/oauth2/auth'],
    ['profileURL', 'https://user:password@id.example/'],
    ['lookupURL', 'http://api.example/method/users.get'],
    ['revocationURL', 'ftp://id.example/revoke'],
    ['logoutURL', 'http://id.example/logout'],
    ['apiVersion', ''],
    ['profileFields', ['scren_name']],
    ['profileFields', ['email']],
    ['lang', 3],
    ['includeEmail', 'yes'],
    ['version', '2.2'],
    ['requestTokenUrl', 'https://id.example/'],
    ['pkce', false],
    ['state', false],
  ] as const) {
    it(`reject ${option}: ${JSON.stringify(value)}`, () => {
      expect(mistakeOf({ [option]: value })).to.match(
        new RegExp(`^SocialNetworkStrategy: option ${option} `),
      );
    });
  }

  it('may be spelled clientId, authorizationUrl, accessTokenUrl, and profileUrl or userProfileURL', async () => {
    for (const spelling of ['profileUrl', 'userProfileURL']) {
      const { network: server, ...vkId } = await atNetwork({}, {});
      const { authorizationURL, tokenURL, profileURL } = server.options;
      const strategy = vkIdStrategy({
        clientID: undefined,
        clientId: 'OTHER-ID',
        authorizationUrl: `${authorizationURL}-spelled`,
        accessTokenUrl: tokenURL,
        [spelling]: profileURL,
      });
      const url = await redirectOf(strategy);
      expect(url.origin + url.pathname).to.equal(`${authorizationURL}-spelled`);
      expect(url.searchParams.get('client_id')).to.equal('OTHER-ID');
      await strategy.refresh('REFRESH-TOKEN', 'DEVICE');
      const profile = await new Promise((resolve, reject) => {
        strategy.userProfile('ACCESS-TOKEN', (error, found) => (error ? reject(error) : resolve(found)));
      });
      expect(profile).to.include({ id: '1234567890' });
      expect(server.requests.map(({ path }) => path)).to.deep.equal(['/oauth2/auth', '/oauth2/user_info']);
      expect(vkId.verified).to.deep.equal([]);
    }
  });

  it('set every URL, and keep its query', async () => {
    const server = await network(({ path }) => {
      if (path === '/own/token') return { body: TOKENS };
      if (path === '/own/user') return { body: { user: USER } };
      return { body: { response: path === '/own/lookup' ? [{ id: 1234567890 }] : 1 } };
    });
    const own = (name: string) => `${server.url}/own/${name}?brand=app`;
    const vkId = await atNetwork(
      {},
      {
        options: {
          authorizationURL: own('authorize'),
          tokenURL: own('token'),
          profileURL: own('user'),
          lookupURL: own('lookup'),
          revocationURL: own('revoke'),
          logoutURL: own('logout'),
          profileFields: 'sex',
        },
      },
    );
    await comeBack(vkId);
    await vkId.strategy.refresh('REFRESH-TOKEN', 'DEVICE');
    await vkId.strategy.revoke('ACCESS-TOKEN');
    await vkId.strategy.logout('ACCESS-TOKEN');
    await server.close();

    expect(onlyLogin(vkId).profile._json.lookup).to.deep.equal({ id: 1234567890 });
    expect(server.requests.map(({ url }) => url).sort()).to.deep.equal([
      '/own/logout?brand=app',
      '/own/lookup?brand=app',
      '/own/revoke?brand=app',
      '/own/token?brand=app',
      '/own/token?brand=app',
      '/own/user?brand=app',
    ]);
    expect(vkId.network.requests).to.deep.equal([]);
  });

  it('send apiVersion and lang to the lookup, but a version in lookupURL overrides apiVersion', async () => {
    const forms: Record<string, string>[] = [];
    for (const query of ['', '?v=5.131']) {
      const { network: server, ...vkId } = await atNetwork({}, { options: { profileFields: 'sex' } });
      const { options } = server;
      const strategy = vkIdStrategy({
        ...options,
        lookupURL: options.lookupURL + query,
        profileFields: ['sex', 'city'],
        apiVersion: '5.207',
        lang: 'de',
      });
      await new Promise((resolve) => strategy.userProfile('ACCESS-TOKEN', resolve));
      const lookup = server.requests.find(({ path }) => path === '/method/users.get');
      forms.push({ ...Object.fromEntries(lookup?.query ?? []), ...Object.fromEntries(lookup?.form ?? []) });
      expect(vkId.verified).to.deep.equal([]);
    }
    expect(forms).to.deep.equal([
      { fields: 'sex,city', v: '5.207', lang: 'de' },
      { fields: 'sex,city', v: '5.131', lang: 'de' },
    ]);
  });

  it('default to URLs at id.vk.ru and api.vk.ru', () => {
    expect(endpoints).to.include({
      VK_ID_AUTHORIZATION_URL: 'https://id.vk.ru/authorize',
      VK_ID_TOKEN_URL: 'https://id.vk.ru/oauth2/auth',
      VK_ID_PROFILE_URL: 'https://id.vk.ru/oauth2/user_info',
      VK_ID_REVOCATION_URL: 'https://id.vk.ru/oauth2/revoke',
      VK_ID_LOGOUT_URL: 'https://id.vk.ru/oauth2/logout',
      PROFILE_URL: 'https://api.vk.ru/method/users.get',
      VK_ID_API_VERSION: '5.199',
    });
  });

  it('give the option profile and verify the types of the VK ID record', () => {
    const strategy = socialNetwork(
      {
        clientID: 'CLIENT-ID',
        clientSecret: 'PROTECTED-KEY',
        version: '2.1',
        profile: ({ user, lookup }) => ({ id: user.user_id, displayName: lookup?.screen_name ?? '' }),
      },
      (_token, _refreshToken, profile, done) => done(null, { phone: profile._json.user.phone }),
    );
    expect(strategy.name).to.equal('social-network');
  });
});
