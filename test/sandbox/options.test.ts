import { expect } from 'chai';
import { MicroblogStrategy, SocialNetworkStrategy } from '../../lib/index.js';
import { addedOptions } from '../../sandbox/lib/core/clients.js';
import type { StrategyOptions } from '../../sandbox/lib/index.js';
import { eachSandbox } from './requests.js';

type Call = Parameters<StrategyOptions>;

const OTHER_NAMES: Readonly<Record<string, string>> = {
  tiktok: "'short-video'",
  TikTok: "'short-video'",
  ShortVideoStrategy: "'short-video'",
  x: "'microblog'",
  twitter: "'microblog'",
  vk: "'social-network'",
  socialNetwork: "'social-network'",
  'vk-id': "'social-network', { version: '2.1' }",
};

describe("The sandbox's options", () => {
  const sandbox = eachSandbox();
  const verify = (): undefined => undefined;

  /** Expects a call to have these credentials, and URLs at these paths. */
  function expectOptions(
    call: Call,
    credentials: Readonly<Record<string, string>>,
    paths: Readonly<Record<string, string>>,
  ): void {
    const urls = Object.entries(paths).map(([name, path]) => [name, `${sandbox.url}${path}`]);
    expect(sandbox.options(...call)).to.deep.equal({ ...credentials, ...Object.fromEntries(urls) });
  }

  it('for short-video', () => {
    for (const choice of [undefined, { client: 'confidential' }] as const) {
      expectOptions(
        ['short-video', choice],
        { clientID: 'sbawsandboxkey0001', clientSecret: 'short-video-sandbox-client-secret' },
        {
          authorizationURL: '/short-video/v2/auth/authorize/',
          tokenURL: '/short-video/v2/oauth/token/',
          profileURL: '/short-video/v2/user/info/',
          revocationURL: '/short-video/v2/oauth/revoke/',
        },
      );
    }
  });

  it('for microblog, with a version only when one was given', () => {
    const confidential = {
      clientID: 'c2FuZGJveC1jb25maWRlbnRpYWw6MTpjaQ',
      clientSecret: 'microblog-sandbox_client-secret_with-both',
    };
    const open = { clientID: 'c2FuZGJveC1wdWJsaWM6MTpuYQ' };
    for (const [choice, credentials] of [
      [undefined, confidential],
      [{ client: 'confidential' }, confidential],
      [{ version: '2.0' }, { version: '2.0', ...confidential }],
      [{ client: 'public' }, open],
      [
        { version: '2.0', client: 'public' },
        { version: '2.0', ...open },
      ],
    ] as const) {
      expectOptions(['microblog', choice], credentials, {
        authorizationURL: '/microblog/i/oauth2/authorize',
        tokenURL: '/microblog/2/oauth2/token',
        profileURL: '/microblog/2/users/me',
        revocationURL: '/microblog/2/oauth2/revoke',
      });
    }
  });

  it('for microblog with OAuth 1.0a', () => {
    expectOptions(
      ['microblog', { version: '1.0' }],
      {
        version: '1.0',
        clientID: 'sandboxConsumerKey000001',
        clientSecret: 'microblog-sandbox-consumer-secret-for-oauth1',
      },
      {
        requestTokenURL: '/microblog/oauth/request_token',
        accessTokenURL: '/microblog/oauth/access_token',
        userAuthorizationURL: '/microblog/oauth/authenticate',
        profileURL: '/microblog/1.1/account/verify_credentials.json',
        lookupURL: '/microblog/2/users/me',
        revocationURL: '/microblog/1.1/oauth/invalidate_token.json',
      },
    );
  });

  it('for social-network', () => {
    const credentials = { clientID: '51000001', clientSecret: 'socialNetworkSandbox' };
    for (const version of [undefined, '2.0'] as const) {
      expectOptions(
        ['social-network', version && { version }],
        { ...(version && { version }), ...credentials },
        {
          authorizationURL: '/social-network/authorize',
          tokenURL: '/social-network/access_token',
          profileURL: '/social-network/method/users.get',
        },
      );
    }
  });

  it('for social-network with VK ID, with a service token for the confidential client', () => {
    for (const [client, added] of [
      [undefined, {}],
      ['public', {}],
      ['confidential', { serviceToken: 'vk-id-sandbox-service-token' }],
    ] as const) {
      expectOptions(
        ['social-network', { version: '2.1', ...(client && { client }) }],
        { version: '2.1', clientID: '51000002', clientSecret: 'vkIdSandboxProtected', ...added },
        {
          authorizationURL: '/vk-id/authorize',
          tokenURL: '/vk-id/oauth2/auth',
          profileURL: '/vk-id/oauth2/user_info',
          lookupURL: '/social-network/method/users.get',
          revocationURL: '/vk-id/oauth2/revoke',
          logoutURL: '/vk-id/oauth2/logout',
        },
      );
    }
  });

  const unknown: readonly Call[] = [
    ['short-video', { version: '2.0' }],
    ['short-video', { client: 'public' }],
    ['microblog', { version: '2.1' }],
    ['microblog', { version: '1.0', client: 'public' }],
    ['social-network', { version: '1.0' }],
    ['social-network', { client: 'public' }],
  ];
  for (const [network, choice] of unknown) {
    const name = [network, ...Object.values(choice ?? {})].join(' ');
    it(`do not exist for ${name}`, () => {
      const message = `sandbox.options: unknown combination of network, version and client: ${name}. There are ('${network}'`;
      expect(() => sandbox.options(network, choice)).to.throw(TypeError, message);
    });
  }

  it('name every call of the network when there is no such combination', () => {
    expect(() => sandbox.options('microblog', { version: '2.1' })).to.throw(
      "There are ('microblog', { version: '2.0', client: 'confidential' }), ('microblog', { version: '2.0', client: 'public' }), ('microblog', { version: '1.0' }).",
    );
    expect(() => sandbox.options('short-video', { version: '2.0' })).to.throw("There are ('short-video').");
  });

  for (const [name, call] of Object.entries(OTHER_NAMES)) {
    it(`name the right spelling for ${name}`, () => {
      const message = `sandbox.options: unknown network '${name}'. Did you mean sandbox.options(${call})?`;
      expect(() => sandbox.options(name as 'microblog')).to.throw(TypeError, message);
    });
  }

  for (const name of ['fax', undefined, 'constructor']) {
    it(`name every network for ${name}`, () => {
      const shown = name === undefined ? 'undefined' : `'${name}'`;
      expect(() => sandbox.options(name as 'microblog')).to.throw(
        TypeError,
        `sandbox.options: unknown network ${shown}. There are 'short-video', 'microblog', 'social-network'.`,
      );
    });
  }

  it('of another version make the strategy say which call is right', () => {
    const microblog = (options: never) => new MicroblogStrategy(options, verify);
    const socialNetwork = (options: never) => new SocialNetworkStrategy(options, verify);
    const oauth1 = sandbox.options('microblog', { version: '1.0' });
    const vkId = sandbox.options('social-network', { version: '2.1' });
    for (const [make, options, version, call] of [
      [microblog, sandbox.options('microblog'), '1.0', "'microblog', { version: '1.0' }"],
      [microblog, oauth1, '2.0', "'microblog'"],
      [socialNetwork, vkId, '2.0', "'social-network'"],
    ] as const) {
      expect(() => make({ ...options, version } as never)).to.throw(
        TypeError,
        `The sandbox's options for this version are sandbox.options(${call}).`,
      );
    }
  });

  it('of a client without a secret need the store that the command and the console show', () => {
    const options = sandbox.options('microblog', { client: 'public' });
    const [[name, code] = []] = addedOptions(options);
    expect(() => new MicroblogStrategy(options, verify)).to.throw(TypeError, `Add ${name}: ${code}`);
    expect(addedOptions(sandbox.options('social-network', { version: '2.1' }))).to.deep.equal([]);
  });

  it('are a new object each time', () => {
    expect(sandbox.options('short-video')).not.to.equal(sandbox.options('short-video'));
  });
});
