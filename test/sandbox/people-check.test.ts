import { expect } from 'chai';
import { checkPeople } from '../../lib/sandbox/people-check.js';

const ZOE = {
  id: 'zoe',
  displayName: 'Zoë',
  givenName: 'Zoë',
  familyName: '',
  handle: 'zoe',
  openId: 'zoe-open',
  microblogId: '7',
  socialNetworkId: 7,
};

const ADDRESS = 'takes text without white space';
const BIRTHDAY = 'takes { "day", "month" } or { "day", "month", "year" }, numbers of a real date';
const POST = 'takes { "id" } or { "id", "text" }; its id takes 1 to 19 digits, as text';
const DIGITS = 'takes 1 to 19 digits, as text';

describe('The check of people', () => {
  const check = (people: unknown) => () => checkPeople(people, 'people.json');

  it('takes everything that a person can have', () => {
    const everything = {
      ...ZOE,
      unionId: 'zoe-union',
      email: 'zoe@example.com',
      phone: '79991234567',
      picture: 'small',
      description: 'Zoë.',
      location: 'Lisbon',
      website: 'https://zoe.example.com/',
      sex: 'female',
      birthday: { day: 29, month: 2, year: 2004 },
      verified: true,
      closed: false,
      pinnedPost: { id: '1', text: 'Hello.' },
      deactivated: 'deleted',
    };
    expect(check([everything])).not.to.throw();
    expect(check([{ ...ZOE, birthday: { day: 29, month: 2 }, pinnedPost: { id: '1' } }])).not.to.throw();
  });

  const refused: readonly (readonly [member: string, value: unknown, takes: string])[] = [
    ['id', 'Zoe', 'takes lower-case letters, digits and hyphens'],
    ['displayName', 7, 'takes text'],
    ['givenName', null, 'takes text'],
    ['familyName', ['Z'], 'takes text'],
    ['handle', '@zoe', 'takes letters, digits, underscores and dots, without "@"'],
    ['openId', 'a b', ADDRESS],
    ['openId', '', ADDRESS],
    ['unionId', '', ADDRESS],
    ['microblogId', 7, DIGITS],
    ['microblogId', '12345678901234567890', DIGITS],
    ['socialNetworkId', '7', 'takes an integer'],
    ['socialNetworkId', 2 ** 53, 'takes an integer'],
    ['email', 'zoe', 'takes an e-mail address'],
    ['phone', '+7 999', 'takes digits, country code first'],
    ['picture', 'huge', 'takes "small" or "large"'],
    ['description', {}, 'takes text'],
    ['location', 1, 'takes text'],
    ['website', 'javascript:alert(1)', 'takes an http or https address'],
    ['sex', 'f', 'takes "female" or "male"'],
    ['birthday', '1.2.2003', BIRTHDAY],
    ['birthday', { day: 30, month: 2 }, BIRTHDAY],
    ['birthday', { day: 29, month: 2, year: 2003 }, BIRTHDAY],
    ['birthday', { day: 1, month: 13 }, BIRTHDAY],
    ['birthday', { day: 1, month: 1, age: 7 }, BIRTHDAY],
    ['verified', 'yes', 'takes true or false'],
    ['closed', 1, 'takes true or false'],
    ['pinnedPost', '1', POST],
    ['pinnedPost', { id: 1 }, POST],
    ['pinnedPost', { id: '1', text: null }, POST],
    ['deactivated', true, 'takes "banned" or "deleted"'],
  ];

  for (const [member, value, takes] of refused) {
    it(`refuses ${JSON.stringify(value)} as ${member}`, () => {
      const person = member === 'id' ? String(value) : 'zoe';
      const message = `people.json: person "${person}": ${member} ${takes}`;
      expect(check([{ ...ZOE, [member]: value }]))
        .to.throw(TypeError)
        .with.property('message', message);
    });
  }

  for (const member of Object.keys(ZOE)) {
    it(`refuses somebody without ${member}`, () => {
      const person = member === 'id' ? '1' : '"zoe"';
      expect(check([{ ...ZOE, [member]: undefined }])).to.throw(
        TypeError,
        `people.json: person ${person}: ${member} is missing; it takes `,
      );
    });
  }

  it('names a member that does not exist, and those that do', () => {
    expect(check([{ ...ZOE, mail: 'zoe@example.com' }])).to.throw(
      TypeError,
      'people.json: person "zoe": there is no member mail; there are id, displayName, givenName, familyName, handle, openId, unionId, microblogId, socialNetworkId, email,',
    );
  });

  it('names the place of somebody who is no object', () => {
    expect(check([ZOE, 'yan'])).to.throw(TypeError, 'people.json: person 2: is no object');
    expect(check([null])).to.throw(TypeError, 'people.json: person 1: is no object');
    expect(check([[]])).to.throw(TypeError, 'people.json: person 1: is no object');
  });

  for (const member of ['id', 'openId', 'microblogId', 'socialNetworkId'] as const) {
    it(`refuses two people of the same ${member}`, () => {
      const yan = { ...ZOE, id: 'yan', openId: 'yan-open', microblogId: '8', socialNetworkId: 8 };
      const other = { ...yan, [member]: ZOE[member] };
      expect(check([ZOE, other])).to.throw(
        TypeError,
        `people.json: two people have the same ${member}: person "zoe" and person "${other.id}"`,
      );
    });
  }
});
