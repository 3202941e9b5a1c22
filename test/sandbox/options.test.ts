import { expect } from 'chai';
import { type Sandbox, type StrategyOptions, startSandbox } from '../../sandbox/lib/index.js';

describe("The sandbox's options", () => {
  let sandbox: Sandbox;
  let url: string;

  before(async () => {
    sandbox = await startSandbox();
    ({ url } = sandbox);
  });

  after(() => sandbox.close());

  it('for short-video', () => {
    const expected = {
      clientID: 'sbawsandboxkey0001',
      clientSecret: 'short-video-sandbox-client-secret',
      authorizationURL: `${url}/short-video/v2/auth/authorize/`,
      tokenURL: `${url}/short-video/v2/oauth/token/`,
      profileURL: `${url}/short-video/v2/user/info/`,
      revocationURL: `${url}/short-video/v2/oauth/revoke/`,
    };
    expect(sandbox.options('short-video')).to.deep.equal(expected);
    expect(sandbox.options('short-video', { client: 'confidential' })).to.deep.equal(expected);
  });

  it('for microblog, with a version only when one was given', () => {
    const addresses = {
      authorizationURL: `${url}/microblog/i/oauth2/authorize`,
      tokenURL: `${url}/microblog/2/oauth2/token`,
      profileURL: `${url}/microblog/2/users/me`,
      revocationURL: `${url}/microblog/2/oauth2/revoke`,
    };
    const confidential = {
      clientID: 'c2FuZGJveC1jb25maWRlbnRpYWw6MTpjaQ',
      clientSecret: 'microblog-sandbox_client-secret_with-both',
      ...addresses,
    };
    const open = { clientID: 'c2FuZGJveC1wdWJsaWM6MTpuYQ', ...addresses };
    expect(sandbox.options('microblog')).to.deep.equal(confidential);
    expect(sandbox.options('microblog', { client: 'confidential' })).to.deep.equal(confidential);
    expect(sandbox.options('microblog', { version: '2.0' })).to.deep.equal({
      version: '2.0',
      ...confidential,
    });
    expect(sandbox.options('microblog', { client: 'public' })).to.deep.equal(open);
    expect(sandbox.options('microblog', { version: '2.0', client: 'public' })).to.deep.equal({
      version: '2.0',
      ...open,
    });
  });

  it('for microblog with OAuth 1.0a', () => {
    expect(sandbox.options('microblog', { version: '1.0' })).to.deep.equal({
      version: '1.0',
      clientID: 'sandboxConsumerKey000001',
      clientSecret: 'microblog-sandbox-consumer-secret-for-oauth1',
      requestTokenURL: `${url}/microblog/oauth/request_token`,
      accessTokenURL: `${url}/microblog/oauth/access_token`,
      userAuthorizationURL: `${url}/microblog/oauth/authenticate`,
      profileURL: `${url}/microblog/1.1/account/verify_credentials.json`,
      lookupURL: `${url}/microblog/2/users/me`,
      revocationURL: `${url}/microblog/1.1/oauth/invalidate_token.json`,
    });
  });

  it('for social-network', () => {
    const expected = {
      clientID: '51000001',
      clientSecret: 'socialNetworkSandbox',
      authorizationURL: `${url}/social-network/authorize`,
      tokenURL: `${url}/social-network/access_token`,
      profileURL: `${url}/social-network/method/users.get`,
    };
    expect(sandbox.options('social-network')).to.deep.equal(expected);
    expect(sandbox.options('social-network', { version: '2.0' })).to.deep.equal({
      version: '2.0',
      ...expected,
    });
  });

  it('for social-network with VK ID, with a service token for the confidential client', () => {
    const expected = {
      version: '2.1',
      clientID: '51000002',
      authorizationURL: `${url}/vk-id/authorize`,
      tokenURL: `${url}/vk-id/oauth2/auth`,
      profileURL: `${url}/vk-id/oauth2/user_info`,
      lookupURL: `${url}/social-network/method/users.get`,
      revocationURL: `${url}/vk-id/oauth2/revoke`,
      logoutURL: `${url}/vk-id/oauth2/logout`,
    };
    expect(sandbox.options('social-network', { version: '2.1' })).to.deep.equal(expected);
    expect(sandbox.options('social-network', { version: '2.1', client: 'public' })).to.deep.equal(expected);
    expect(sandbox.options('social-network', { version: '2.1', client: 'confidential' })).to.deep.equal({
      ...expected,
      serviceToken: 'vk-id-sandbox-service-token',
    });
  });

  const unknown: Parameters<StrategyOptions>[] = [
    ['short-video', { version: '2.0' }],
    ['short-video', { client: 'public' }],
    ['microblog', { version: '2.1' }],
    ['microblog', { version: '1.0', client: 'public' }],
    ['social-network', { version: '1.0' }],
    ['social-network', { client: 'public' }],
  ];

  for (const [network, which] of unknown) {
    const name = [network, ...Object.values(which ?? {})].join(' ');
    it(`do not exist for ${name}`, () => {
      expect(() => sandbox.options(network, which)).to.throw(
        TypeError,
        `sandbox.options: unknown combination of network, version and client: ${name}`,
      );
    });
  }

  it('are a new object each time', () => {
    expect(sandbox.options('short-video')).not.to.equal(sandbox.options('short-video'));
  });
});
