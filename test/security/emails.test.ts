import { expect } from 'chai';
import type { ProfileEmail } from '../../lib/index.js';
import { type Done, describeEach } from '../contract/harness.js';
import type { Subject } from '../contract/strategies.js';
import { logIn } from '../support/journey.js';
import { hostileScene } from './hostile-network.js';

const isShortVideo = ({ provider }: Subject) => provider === 'short-video';

/** What is documented of the address: the microblog network confirms it, the social network says nothing of it. */
const TRUST: Readonly<Record<string, object>> = { microblog: { verified: true }, 'social-network': {} };

function verifyEmails(_t: string, _r: unknown, profile: { emails?: ProfileEmail[] }, done: Done): void {
  done(null, { hasKey: 'emails' in profile, emails: profile.emails });
}

describeEach(
  'an e-mail address',
  (contract) => {
    const { subject, sandbox, strategy, app } = contract;
    const { provider } = subject;

    it('S4: is as verified as the network documents, or not known to be', async () => {
      const server = await app(strategy(await sandbox(), { includeEmail: true }, verifyEmails));
      const { emails } = (await logIn(server, provider)).json.user;
      expect(emails).to.deep.equal([{ value: 'alice@example.com', ...TRUST[provider] }]);
    });

    it('S4: that the person does not have, or that was not asked for, leaves no key', async () => {
      const asking = await app(strategy(await sandbox(), { includeEmail: true }, verifyEmails));
      expect((await logIn(asking, provider, 'ned')).json.user).to.deep.equal({ hasKey: false });
      const silent = await app(strategy(await sandbox(), {}, verifyEmails));
      expect((await logIn(silent, provider)).json.user).to.deep.equal({ hasKey: false });
    });

    it('S4: is not taken from a record that says of itself that it is verified', async () => {
      const scene = await hostileScene(contract, { includeEmail: true }, verifyEmails);
      scene.meddle('profileURL', async (honest) => {
        const { body } = await honest();
        const claim = '"email_verified":true,"verified_email":true,';
        return { body: body.toString().replace(/"(id|user_id|first_name|name)":/, `${claim}"$1":`) };
      });
      const { emails } = (await scene.attempt()).json.user;
      expect(emails).to.deep.equal([{ value: 'alice@example.com', ...TRUST[provider] }]);
    });

    it('S4: that is empty or no text leaves no key', async () => {
      const scene = await hostileScene(contract, { includeEmail: true }, verifyEmails);
      for (const email of ['""', 'null', '7', '{}', '["alice@example.com"]']) {
        const emptied = async (honest: () => Promise<{ body: Buffer }>) => {
          const text = (await honest()).body.toString();
          return { body: text.replace(/("(?:confirmed_)?email":)"[^"]*"/, `$1${email}`) };
        };
        const both = { profileURL: emptied, ...(subject.oauth === '2.0' && { tokenURL: emptied }) };
        expect((await scene.attemptWith(both)).json.user).to.deep.equal({ hasKey: false });
      }
    });
  },
  (subject) => !isShortVideo(subject),
);

describeEach(
  'a network without e-mail addresses',
  (contract) => {
    it('S4: gives none, even when its record has one', async () => {
      const scene = await hostileScene(contract, {}, verifyEmails);
      scene.meddle('profileURL', async (honest) => {
        const text = (await honest()).body.toString();
        return { body: text.replace('"open_id":', '"email":"alice@example.com","open_id":') };
      });
      expect((await scene.attempt()).json.user).to.deep.equal({ hasKey: false });
    });
  },
  isShortVideo,
);
