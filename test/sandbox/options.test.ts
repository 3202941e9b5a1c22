import { expect } from 'chai';
import { MicroblogStrategy, SocialNetworkStrategy } from '../../lib/index.js';
import { addedOptions } from '../../sandbox/lib/core/clients.js';
import { type StrategyOptions, sandboxOptions } from '../../sandbox/lib/index.js';
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

  for (const [choice, message] of [
    [{ verison: '2.1' }, 'unknown property "verison": did you mean version?'],
    [{ version: 2.1 }, "version must be a string: did you mean '2.1', in quotes?"],
    ['2.1', "the choice must be an object, such as { version: '2.1' }"],
  ] as const) {
    it(`refuse the choice ${JSON.stringify(choice)}`, () => {
      const call = () => sandbox.options('social-network', choice as never);
      expect(call).to.throw(TypeError, `sandbox.options: ${message}`);
    });
  }

  it('of a sandbox elsewhere are the same, without a request, with or without a slash at the end of its URL', () => {
    const calls: readonly Call[] = [
      ['short-video', undefined],
      ['microblog', { version: '1.0' }],
      ['social-network', { version: '2.1', client: 'confidential' }],
    ];
    for (const [network, choice] of calls) {
      const options = sandbox.options(network, choice);
      expect(sandboxOptions(sandbox.url, network, choice)).to.deep.equal(options);
      expect(sandboxOptions(`${sandbox.url}/`, network, choice)).to.deep.equal(options);
    }
    const typed = sandboxOptions('https://sandbox:9000', 'microblog', { version: '1.0' });
    expect(typed.requestTokenURL).to.equal('https://sandbox:9000/microblog/oauth/request_token');
    expect(() => sandboxOptions('https://sandbox:9000', 'tiktok' as 'microblog')).to.throw('short-video');
  });

  for (const url of ['sandbox:9000', 'http://', 'http://sandbox:9000/?a=b', 'http://u:SECRET@h', undefined]) {
    it(`are refused for ${url}, which is no URL of a sandbox`, () => {
      const message =
        /^sandboxOptions: the URL of a sandbox is such as 'https:\/\/sandbox:9000', without a user, a query or a fragment$/;
      expect(() => sandboxOptions(url as string, 'microblog')).to.throw(TypeError, message);
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
});
