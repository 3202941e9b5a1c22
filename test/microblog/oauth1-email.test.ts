import { expect } from 'chai';
import { MicroblogStrategy } from '../../lib/index.js';
import { closesAfterEach } from '../support/cleanup.js';
import { realSockets } from '../support/real-sockets.js';
import { network } from '../support/server.js';
import { verifyEmails } from '../support/verification.js';

describe('includeEmail in microblog 1.0', () => {
  realSockets();
  const close = closesAfterEach();

  /** The profile from a record with this e-mail address, and the query of its request. */
  async function emailsFor(email: unknown, includeEmail: boolean) {
    const server = close(await network(() => ({ body: { id_str: '1', email } })));
    const strategy = new MicroblogStrategy(
      {
        version: '1.0',
        consumerKey: 'KEY',
        consumerSecret: 'SECRET',
        profileURL: `${server.url}/me?include_entities=true`,
        includeEmail,
      },
      verifyEmails,
    );
    const profile = await new Promise<{ emails?: unknown }>((resolve, reject) => {
      strategy.userProfile('TOKEN', 'TOKEN-SECRET', {}, (error, found) =>
        found ? resolve(found) : reject(error),
      );
    });
    return { profile, query: Object.fromEntries(server.requests[0]?.query ?? []) };
  }

  for (const [what, email] of [
    ['null', null],
    ['absent', undefined],
    ['empty', ''],
  ] as const) {
    it(`the profile has no emails if the record's e-mail address is ${what}`, async () => {
      expect((await emailsFor(email, true)).profile).not.to.have.property('emails');
    });
  }

  it('the profile request adds include_email=true to the query of profileURL', async () => {
    const { profile, query } = await emailsFor('a@example.com', true);
    expect(query).to.deep.equal({ include_entities: 'true', skip_status: 'true', include_email: 'true' });
    expect(profile.emails).to.deep.equal([{ value: 'a@example.com', verified: true }]);
  });

  it('the profile request does not ask for the e-mail address if includeEmail is off', async () => {
    expect((await emailsFor(undefined, false)).query).to.deep.equal({
      include_entities: 'true',
      skip_status: 'true',
    });
  });
});
