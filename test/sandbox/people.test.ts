import { expect } from 'chai';
import { PEOPLE, type SandboxPerson, startSandbox } from '../../lib/sandbox/index.js';
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
      'startSandbox: two people have the same openId',
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
