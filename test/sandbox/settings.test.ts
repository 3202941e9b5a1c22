import { expect } from 'chai';
import { MicroblogStrategy } from '../../lib/index.js';
import { parseURL } from '../../sandbox/lib/core/checks.js';
import { addedOptions } from '../../sandbox/lib/core/network.js';
import { type SandboxPerson, type StrategyOptions, sandboxOptions } from '../../sandbox/lib/index.js';
import { checkPeople } from '../../sandbox/lib/settings.js';
import { eachSandbox } from '../support/sandbox.js';
import { rows } from './requests.js';

type Call = Parameters<StrategyOptions>;

describe("The sandbox's options", () => {
  const sandbox = eachSandbox();
  const verify = (): undefined => undefined;

  for (const [network, choice = '', message] of rows(`
    short-video    | {"version":"2.0"}    | unknown combination of network, version and client: short-video 2.0. There are ('short-video').
    short-video    | {"client":"public"}  | unknown combination of network, version and client: short-video public. There are ('short-video').
    microblog      | {"version":"2.1"}    | unknown combination of network, version and client: microblog 2.1. There are ('microblog', { version: '2.0', client: 'confidential' }), ('microblog', { version: '2.0', client: 'public' }), ('microblog', { version: '1.0' }).
    microblog | {"version":"1.0","client":"public"} | unknown combination of network, version and client: microblog 1.0 public. There are ('microblog'
    social-network | {"version":"1.0"}    | unknown combination of network, version and client: social-network 1.0. There are ('social-network'
    social-network | {"client":"public"}  | unknown combination of network, version and client: social-network public. There are ('social-network'
    tiktok             |                  | unknown network 'tiktok'. Did you mean sandbox.options('short-video')?
    TikTok             |                  | unknown network 'TikTok'. Did you mean sandbox.options('short-video')?
    ShortVideoStrategy |                  | unknown network 'ShortVideoStrategy'. Did you mean sandbox.options('short-video')?
    x                  |                  | unknown network 'x'. Did you mean sandbox.options('microblog')?
    twitter            |                  | unknown network 'twitter'. Did you mean sandbox.options('microblog')?
    vk                 |                  | unknown network 'vk'. Did you mean sandbox.options('social-network')?
    socialNetwork      |                  | unknown network 'socialNetwork'. Did you mean sandbox.options('social-network')?
    vk-id              |                  | unknown network 'vk-id'. Did you mean sandbox.options('social-network', { version: '2.1' })?
    fax                |                  | unknown network 'fax'. There are 'short-video', 'microblog', 'social-network'.
    constructor        |                  | unknown network 'constructor'. There are 'short-video', 'microblog', 'social-network'.
                       |                  | unknown network undefined. There are 'short-video', 'microblog', 'social-network'.
    social-network     | {"verison":"2.1"} | unknown property "verison": did you mean version?
    social-network     | {"version":2.1}   | version must be a string: did you mean '2.1', in quotes?
    social-network     | "2.1"             | the choice must be an object, such as { version: '2.1' }`)) {
    it(`are refused for ${network} ${choice}`, () => {
      const call = () => sandbox.options((network || undefined) as 'microblog', choice && JSON.parse(choice));
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

  it('of a client without a secret need the store that the command and the console show', () => {
    const options = sandbox.options('microblog', { client: 'public' });
    const [[name, code] = []] = addedOptions(options);
    expect(() => new MicroblogStrategy(options, verify)).to.throw(TypeError, `Add ${name}: ${code}`);
    expect(addedOptions(sandbox.options('social-network', { version: '2.1' }))).to.deep.equal([]);
  });
});

const ZOE: SandboxPerson = {
  id: 'zoe',
  displayName: 'Zoë',
  givenName: 'Zoë',
  familyName: '',
  handle: 'zoe',
  openId: 'zoe-open',
  microblogId: '7',
  socialNetworkId: 7,
};

const OPAQUE = 'must be a string without white space';
const BIRTHDAY = 'must be { "day", "month" } or { "day", "month", "year" }, the numbers of a real date';
const POST = 'must be { "id" } or { "id", "text" }; its id must be a string of 1 to 19 digits';
const DIGITS = 'must be a string of 1 to 19 digits';

describe('a URL in the settings', () => {
  it('may have a host beyond ASCII, however often the engine has looked at such hosts', () => {
    for (let count = 0; count < 20_000; count += 1)
      expect(parseURL('https://bücher.example/')?.host === 'xn--bcher-kva.example', `${count}`).to.equal(
        true,
      );
    expect(parseURL('https://')).to.equal(undefined);
  });
});

describe('The check of people', () => {
  const check = (people: unknown) => () => checkPeople(people, 'people.json');

  const rejected: readonly (readonly [property: string, value: unknown, requirement: string])[] = [
    ['id', 'a/b', 'must be lower-case letters, digits and hyphens'],
    ['id', 'Zoe', 'must be lower-case letters, digits and hyphens'],
    ['displayName', 7, 'must be a string'],
    ['givenName', null, 'must be a string'],
    ['familyName', ['Z'], 'must be a string'],
    ['handle', '@zoe', 'must be letters, digits, underscores and dots, without "@"'],
    ['openId', 'a b', OPAQUE],
    ['openId', '', OPAQUE],
    ['unionId', '', OPAQUE],
    ['microblogId', 7, DIGITS],
    ['microblogId', '12345678901234567890', DIGITS],
    ['socialNetworkId', '7', 'must be an integer'],
    ['socialNetworkId', 0.5, 'must be an integer'],
    ['socialNetworkId', 2 ** 53, 'must be an integer'],
    ['email', 'zoe', 'must be an e-mail address'],
    ['phone', '+7 999', 'must be digits, country code first'],
    ['picture', 'huge', 'must be "small" or "large"'],
    ['description', {}, 'must be a string'],
    ['location', 1, 'must be a string'],
    ['website', 'javascript:alert(1)', 'must be an http or https URL'],
    ['sex', 'f', 'must be "female" or "male"'],
    ['birthday', '1.2.2003', BIRTHDAY],
    ['birthday', { day: 30, month: 2 }, BIRTHDAY],
    ['birthday', { day: 29, month: 2, year: 2003 }, BIRTHDAY],
    ['birthday', { day: 1, month: 13 }, BIRTHDAY],
    ['birthday', { day: 1, month: 1, age: 7 }, BIRTHDAY],
    ['verified', 'yes', 'must be true or false'],
    ['closed', 1, 'must be true or false'],
    ['pinnedPost', '1', POST],
    ['pinnedPost', { id: 1 }, POST],
    ['pinnedPost', { id: '1', text: null }, POST],
    ['deactivated', true, 'must be "banned" or "deleted"'],
  ];

  for (const [property, value, requirement] of rejected) {
    it(`rejects ${JSON.stringify(value)} as ${property}`, () => {
      const person = property === 'id' ? String(value) : 'zoe';
      const message = `people.json: person "${person}": ${property} ${requirement}`;
      expect(check([{ ...ZOE, [property]: value }]))
        .to.throw(TypeError)
        .with.property('message', message);
    });
  }

  for (const property of Object.keys(ZOE)) {
    it(`rejects a person without ${property}`, () => {
      const person = property === 'id' ? '1' : '"zoe"';
      expect(check([{ ...ZOE, [property]: undefined }])).to.throw(
        TypeError,
        `people.json: person ${person}: ${property} is missing; it must be `,
      );
    });
  }

  it('gives the position of a person that is not an object', () => {
    expect(check([ZOE, 'yan'])).to.throw(TypeError, 'people.json: person 2: must be an object');
  });

  for (const property of ['id', 'openId', 'microblogId', 'socialNetworkId'] as const) {
    it(`rejects two people with the same ${property}`, () => {
      const yan = { ...ZOE, id: 'yan', openId: 'yan-open', microblogId: '8', socialNetworkId: 8 };
      const other = { ...yan, [property]: ZOE[property] };
      expect(check([ZOE, other])).to.throw(
        TypeError,
        `people.json: two people have the same ${property}: person "zoe" and person "${other.id}"`,
      );
    });
  }
});
