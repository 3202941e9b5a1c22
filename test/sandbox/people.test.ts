import { expect } from 'chai';
import { parseURL } from '../../sandbox/lib/core/checks.js';
import { type SandboxPerson, startSandbox } from '../../sandbox/lib/index.js';
import { checkPeople } from '../../sandbox/lib/settings/people.js';
import { rejectionOf } from '../support/thrown.js';
import { OAuth2Client } from './clients.js';
import { withSandbox } from './requests.js';

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

describe("The sandbox's people", () => {
  it('can be replaced', () =>
    withSandbox({ people: [ZOE] }, async (sandbox) => {
      const client = new OAuth2Client(sandbox);
      const { json } = await client.lookup((await client.tokens()).accessToken);
      expect(json).to.deep.equal({ data: { id: '7', name: 'Zoë', username: 'zoe' } });
      expect(sandbox.people).to.deep.equal([ZOE]);
    }));

  it('are checked before the sandbox starts', async () => {
    const people = [{ ...ZOE, microblogId: '1e3' }];
    expect(await rejectionOf(startSandbox({ people })))
      .to.be.instanceOf(TypeError)
      .with.property('message', 'startSandbox: person "zoe": microblogId must be a string of 1 to 19 digits');
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

  it('names an unknown property, and the one that was meant', () => {
    expect(check([{ ...ZOE, mail: 'zoe@example.com' }])).to.throw(
      TypeError,
      'people.json: person "zoe": unknown property "mail": did you mean email?',
    );
  });

  it('gives the position of a person that is not an object', () => {
    expect(check([ZOE, 'yan'])).to.throw(TypeError, 'people.json: person 2: must be an object');
    expect(check([null])).to.throw(TypeError, 'people.json: person 1: must be an object');
    expect(check([[]])).to.throw(TypeError, 'people.json: person 1: must be an object');
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
