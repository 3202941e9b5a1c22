import { expect } from 'chai';
import { MicroblogStrategy, SocialNetworkStrategy } from '../../lib/index.js';
import { addedOptions } from '../../sandbox/lib/core/clients.js';
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
      clientSecret: 'vkIdSandboxProtected',
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
        `sandbox.options: unknown combination of network, version and client: ${name}. There are ('${network}'`,
      );
    });
  }

  it('names every call of the network when there is no such combination', () => {
    expect(() => sandbox.options('microblog', { version: '2.1' })).to.throw(
      "There are ('microblog', { version: '2.0', client: 'confidential' }), ('microblog', { version: '2.0', client: 'public' }), ('microblog', { version: '1.0' }).",
    );
    expect(() => sandbox.options('short-video', { version: '2.0' })).to.throw("There are ('short-video').");
  });

  const otherNames: Readonly<Record<string, string>> = {
    tiktok: "sandbox.options('short-video')",
    TikTok: "sandbox.options('short-video')",
    ShortVideoStrategy: "sandbox.options('short-video')",
    x: "sandbox.options('microblog')",
    twitter: "sandbox.options('microblog')",
    vk: "sandbox.options('social-network')",
    socialNetwork: "sandbox.options('social-network')",
    'vk-id': "sandbox.options('social-network', { version: '2.1' })",
  };

  for (const [name, call] of Object.entries(otherNames)) {
    it(`name the right spelling for ${name}`, () => {
      expect(() => sandbox.options(name as 'microblog')).to.throw(
        TypeError,
        `sandbox.options: unknown network '${name}'. Did you mean ${call}?`,
      );
    });
  }

  for (const [name, shown] of [
    ['fax', "'fax'"],
    [undefined, 'undefined'],
    ['constructor', "'constructor'"],
  ] as const) {
    it(`name every network for ${name}`, () => {
      expect(() => sandbox.options(name as 'microblog')).to.throw(
        TypeError,
        `sandbox.options: unknown network ${shown}. There are 'short-video', 'microblog', 'social-network'.`,
      );
    });
  }

  it('of another version make the strategy say which call is right', () => {
    const verify = (): undefined => undefined;
    for (const [wrong, right] of [
      [
        { ...sandbox.options('microblog'), version: '1.0' },
        "sandbox.options('microblog', { version: '1.0' })",
      ],
      [
        { ...sandbox.options('microblog', { version: '1.0' }), version: '2.0' },
        "sandbox.options('microblog')",
      ],
    ] as const) {
      expect(() => new MicroblogStrategy(wrong as never, verify)).to.throw(
        TypeError,
        `The sandbox's options for this version are ${right}.`,
      );
    }
    const vkId = { ...sandbox.options('social-network', { version: '2.1' }), version: '2.0' };
    expect(() => new SocialNetworkStrategy(vkId as never, verify)).to.throw(
      TypeError,
      "The sandbox's options for this version are sandbox.options('social-network').",
    );
  });

  it('of a client without a secret need the store that the command and the console show', () => {
    const options = sandbox.options('microblog', { client: 'public' });
    const [[name, code] = []] = addedOptions(options);
    expect(() => new MicroblogStrategy(options, (): undefined => undefined)).to.throw(
      TypeError,
      `Add ${name}: ${code}`,
    );
    expect(addedOptions(sandbox.options('social-network', { version: '2.1' }))).to.deep.equal([]);
  });

  it('are a new object each time', () => {
    expect(sandbox.options('short-video')).not.to.equal(sandbox.options('short-video'));
  });
});
