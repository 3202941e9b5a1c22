import { expect } from 'chai';
import type { ProfileEmail } from '../../lib/index.js';
import { type Done, describeEach } from '../contract/harness.js';
import type { Subject } from '../contract/strategies.js';
import { logIn } from '../support/journey.js';
import { hostileScene } from './hostile-network.js';

const hasEmail = ({ email }: Subject) => email !== undefined;

function verifyEmails(_t: string, _r: unknown, profile: { emails?: ProfileEmail[] }, done: Done): void {
  done(null, { hasKey: 'emails' in profile, emails: profile.emails });
}

describeEach(
  'an e-mail address',
  (contract) => {
    const { subject, sandbox, strategy, app } = contract;
    const { provider } = subject;
    const trust = subject.email?.verified ? { verified: true } : {};

    it('S4: an e-mail address is verified only if the network documents it', async () => {
      const server = await app(strategy(await sandbox(), { includeEmail: true }, verifyEmails));
      const { emails } = (await logIn(server, provider)).json.user;
      expect(emails).to.deep.equal([{ value: 'alice@example.com', ...trust }]);
    });

    it('S4: a profile has no emails key if the user has no address or it was not requested', async () => {
      const asking = await app(strategy(await sandbox(), { includeEmail: true }, verifyEmails));
      expect((await logIn(asking, provider, 'ned')).json.user).to.deep.equal({ hasKey: false });
      const silent = await app(strategy(await sandbox(), {}, verifyEmails));
      expect((await logIn(silent, provider)).json.user).to.deep.equal({ hasKey: false });
    });

    it('S4: a record that claims to be verified does not make the address verified', async () => {
      const scene = await hostileScene(contract, { includeEmail: true }, verifyEmails);
      scene.meddle('profileURL', async (honest) => {
        const { body } = await honest();
        return { body: body.toString().replaceAll('{"', '{"email_verified":true,"verified_email":true,"') };
      });
      const { emails } = (await scene.attempt()).json.user;
      expect(emails).to.deep.equal([{ value: 'alice@example.com', ...trust }]);
    });

    it('S4: an e-mail address that is empty or not a string leaves no emails key', async () => {
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
  hasEmail,
);

describeEach(
  'a network without e-mail addresses',
  (contract) => {
    it('S4: a network without e-mail addresses gives none, even if its record contains one', async () => {
      const scene = await hostileScene(contract, {}, verifyEmails);
      scene.meddle('profileURL', async (honest) => {
        const text = (await honest()).body.toString();
        return { body: text.replaceAll('{"', '{"email":"alice@example.com","') };
      });
      expect((await scene.attempt()).json.user).to.deep.equal({ hasKey: false });
    });
  },
  (subject) => !hasEmail(subject),
);
