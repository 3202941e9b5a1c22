import { expect } from 'chai';
import { PEOPLE, type SandboxPerson, startSandbox } from '../../sandbox/lib/index.js';
import { checkPeople } from '../../sandbox/lib/settings/people.js';
import { OAuth2Client } from './microblog/oauth2-client.js';
import { stringIn } from './requests.js';

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
  it('include identifiers that break careless software', () => {
    const max = PEOPLE.find(({ id }) => id === 'max');
    expect(Number.isSafeInteger(Number(max?.microblogId))).to.equal(false);
    expect(max?.openId).to.match(/^-/);
  });

  it('include a person for each value that breaks careless software', () => {
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

  it('pass the check for custom people', () => {
    expect(() => checkPeople(JSON.parse(JSON.stringify(PEOPLE)), 'people.json')).not.to.throw();
  });

  it('can be replaced', async () => {
    const sandbox = await startSandbox({ people: [PERSON] });
    const client = new OAuth2Client(sandbox);
    const { json } = await client.exchange(await client.code());
    expect((await client.lookup(stringIn(json, 'access_token'))).json).to.deep.equal({
      data: { id: '7', name: 'Zoë', username: 'zoe' },
    });
    expect(sandbox.people).to.deep.equal([PERSON]);
    await sandbox.close();
  });

  const rejected: [what: string, people: readonly SandboxPerson[], message: string][] = [
    ['nobody', [], 'startSandbox: people is empty, so nobody could log in'],
    [
      'an id with a slash',
      [{ ...PERSON, id: 'a/b' }],
      'startSandbox: person "a/b": id must be lower-case letters, digits and hyphens',
    ],
    [
      'a microblogId that is not a number',
      [{ ...PERSON, microblogId: '1e3' }],
      'startSandbox: person "zoe": microblogId must be a string of 1 to 19 digits',
    ],
    [
      'a socialNetworkId that is not an integer',
      [{ ...PERSON, socialNetworkId: 0.5 }],
      'startSandbox: person "zoe": socialNetworkId must be an integer',
    ],
    [
      'two people with one openId',
      [PERSON, { ...PERSON, id: 'yan', microblogId: '8', socialNetworkId: 8 }],
      'startSandbox: two people have the same openId: person "zoe" and person "yan"',
    ],
  ];

  for (const [what, people, message] of rejected) {
    it(`are rejected: ${what}`, async () => {
      const error: unknown = await startSandbox({ people }).then(
        () => undefined,
        (reason: unknown) => reason,
      );
      expect(error).to.be.instanceOf(TypeError).with.property('message', message);
    });
  }
});
