import { expect } from 'chai';
import { PEOPLE, type SandboxPerson, startSandbox } from '../../lib/sandbox/index.js';
import { checkPeople } from '../../lib/sandbox/people-check.js';
import { OAuth2Client } from './microblog/oauth2-client.js';
import { textIn } from './requests.js';

const PERSON: SandboxPerson = {
  id: 'zoe',
  displayName: 'Zoë',
  givenName: 'Zoë',
  familyName: '',
  handle: 'zoe',
  openId: 'zoe-open',
  microblogId: '7',
  socialNetworkId: 7,
};

describe("The sandbox's people", () => {
  it('have identifiers that break software', () => {
    const max = PEOPLE.find(({ id }) => id === 'max');
    expect(Number.isSafeInteger(Number(max?.microblogId))).to.equal(false);
    expect(max?.openId).to.match(/^-/);
  });

  it('have somebody for everything that breaks software', () => {
    const have = (what: (person: SandboxPerson) => boolean) =>
      PEOPLE.filter((person) => what(person)).map(({ id }) => id);
    expect(have(({ displayName }) => displayName.length > 64)).to.deep.equal(['hubert']);
    expect(have(({ openId, unionId = '' }) => openId.length > 64 && unionId.length > 64)).to.deep.equal([
      'hubert',
    ]);
    expect(have(({ email }) => email === undefined)).to.deep.equal(['ned', 'layla', 'dora']);
    expect(have(({ picture }) => picture === undefined)).to.deep.equal(['hanako', 'boris', 'layla', 'dora']);
    expect(have(({ unionId }) => unionId === undefined)).to.deep.equal(['ned', 'layla']);
    expect(have(({ familyName }) => familyName === '')).to.deep.equal(['layla']);
    expect(have(({ deactivated }) => deactivated === 'banned')).to.deep.equal(['boris']);
    expect(have(({ deactivated }) => deactivated === 'deleted')).to.deep.equal(['dora']);
    expect(have(({ displayName }) => /\p{Script=Cyrillic}/u.test(displayName))).to.deep.equal(['anna']);
    expect(have(({ displayName }) => /\p{Script=Arabic}/u.test(displayName))).to.deep.equal(['layla']);
    expect(have(({ displayName }) => /\p{Emoji_Presentation}/u.test(displayName))).to.deep.equal(['hanako']);
  });

  it('pass the check that those who are handed in must pass', () => {
    expect(() => checkPeople(JSON.parse(JSON.stringify(PEOPLE)), 'people.json')).not.to.throw();
  });

  it('can be handed in', async () => {
    const sandbox = await startSandbox({ people: [PERSON] });
    const client = new OAuth2Client(sandbox);
    const { json } = await client.exchange(await client.code());
    expect((await client.lookup(textIn(json, 'access_token'))).json).to.deep.equal({
      data: { id: '7', name: 'Zoë', username: 'zoe' },
    });
    expect(sandbox.people).to.deep.equal([PERSON]);
    await sandbox.close();
  });

  const refused: [what: string, people: readonly SandboxPerson[], message: string][] = [
    ['nobody', [], 'startSandbox: people is empty, so nobody could log in'],
    [
      'an id with a slash',
      [{ ...PERSON, id: 'a/b' }],
      'startSandbox: person "a/b": id takes lower-case letters, digits and hyphens',
    ],
    [
      'a microblogId that is no number',
      [{ ...PERSON, microblogId: '1e3' }],
      'startSandbox: person "zoe": microblogId takes 1 to 19 digits, as text',
    ],
    [
      'a socialNetworkId that is no integer',
      [{ ...PERSON, socialNetworkId: 0.5 }],
      'startSandbox: person "zoe": socialNetworkId takes an integer',
    ],
    [
      'two people of one openId',
      [PERSON, { ...PERSON, id: 'yan', microblogId: '8', socialNetworkId: 8 }],
      'startSandbox: two people have the same openId: person "zoe" and person "yan"',
    ],
  ];

  for (const [what, people, message] of refused) {
    it(`cannot be ${what}`, async () => {
      const error: unknown = await startSandbox({ people }).then(
        () => undefined,
        (reason: unknown) => reason,
      );
      expect(error).to.be.instanceOf(TypeError).with.property('message', message);
    });
  }
});
