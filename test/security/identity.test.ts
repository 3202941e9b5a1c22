import { expect } from 'chai';
import { MalformedError, type ProfileEmail } from '../../lib/index.js';
import { type Done, describeEach } from '../contract/harness.js';
import type { Subject } from '../contract/strategies.js';
import { logIn } from '../support/journey.js';
import { changedText, failedLogin, hostileScene, neverCalled } from './hostile-network.js';

/** JSON that is no ID at any network; `undefined`: there is none. */
const NONE = [undefined, ...'null "" {} [] [1] true false 1.5 1e3000 1.0 "\\ud83d"'.split(' ')];

describeEach('the identifier of a user record', (contract) => {
  const { subject } = contract;
  const { record, large, tokenField, none = [] } = subject.identity;

  it('S3: a record with a missing or invalid identifier logs nobody in', async () => {
    const scene = await hostileScene(contract, {}, neverCalled);
    for (const identifier of [...NONE, ...none]) {
      scene.meddle('profileURL', () => ({ body: record(identifier) }));
      const { error, page } = await failedLogin(scene);
      expect([identifier, page.status]).to.deep.equal([identifier, 502]);
      expect(error).to.be.instanceOf(MalformedError);
      // The token response names somebody else.
      const codes = [
        'identifier_missing',
        ...(none.includes(identifier ?? '') ? [] : ['identifier_mismatch']),
      ];
      expect(error.code, identifier).to.be.oneOf(codes);
    }
  });

  it('S3: a record that is empty at any depth logs nobody in', async () => {
    const scene = await hostileScene(contract, {}, neverCalled);
    const empty = ['{}', '{"data":null}', '{"data":{}}', '{"data":{"user":null}}', '{"response":[]}'];
    const odd = ['{"response":[null]}', '{"response":null}', '{"response":{"id":1}}', '{"user":null}'];
    for (const body of [...empty, ...odd, '{"__proto__":{"id_str":"1","data":{"id":"1"}}}']) {
      scene.meddle('profileURL', () => ({ body }));
      const { error, page } = await failedLogin(scene);
      expect([body, page.status, error.code]).to.deep.equal([body, 502, 'identifier_missing']);
    }
  });

  it('S3: an identifier beyond 2^53 is a string that keeps every digit and is compared in full', async () => {
    const scene = await hostileScene(contract);
    const value = new RegExp(`("?${tokenField}"?[:=]"?)[^",&}]+`);
    // What the token response names: this user, one who differs in the last digit, and the sandbox's own.
    for (const named of ['9007199254740993', '9007199254740992', undefined]) {
      const { status, json } = await scene.attemptWith({
        profileURL: () => ({ body: record(large) }),
        ...(named !== undefined && {
          [scene.endpoints.at(-2) ?? '']: changedText((text) => text.replace(value, `$1${named}`)),
        }),
      });
      if (tokenField === undefined || named === '9007199254740993') {
        expect(json.user).to.include({ id: '9007199254740993' });
      } else expect([status, json.code]).to.deep.equal([502, 'identifier_mismatch']);
    }
  });
});

describeEach(
  'the identifier in a token response',
  (contract) => {
    const { oauth, identity } = contract.subject;
    const endpoint = oauth === '1.0a' ? 'accessTokenURL' : 'tokenURL';
    const value = new RegExp(`("?)${identity.tokenField}("?[:=])("[^"]*"|[^",&}]+)`);

    it('S3: logs nobody in if it is none, or that of another user than the record names', async () => {
      const scene = await hostileScene(contract, {}, neverCalled);
      for (const identifier of [...NONE.slice(2), ...(identity.none ?? []), '8']) {
        scene.meddle(
          endpoint,
          changedText((text) => text.replace(value, `$1${identity.tokenField}$2${identifier}`)),
        );
        const { error, page } = await failedLogin(scene);
        expect([identifier, page.status]).to.deep.equal([identifier, 502]);
        expect(error.code, identifier).to.be.oneOf(['identifier_missing', 'identifier_mismatch']);
        if (error.code === 'identifier_mismatch')
          expect(error.message).to.include(', not the one in the token response');
      }
    });

    it('S3: logs nobody in without a profile if it does not name the user', async () => {
      const options = { skipUserProfile: true, passParamsToCallback: true };
      const scene = await hostileScene(contract, options, neverCalled);
      const bad =
        oauth === '1.0a' ? ['', 'undefined'] : ['null', '""', '{}', '[]', 'true', '9007199254740993'];
      for (const meddling of [
        '$1other$2$3',
        ...bad.map((identifier) => `$1${identity.tokenField}$2${identifier}`),
      ]) {
        scene.meddle(
          endpoint,
          changedText((text) => text.replace(value, meddling)),
        );
        const { error, page } = await failedLogin(scene);
        expect([meddling, page.status, error.code]).to.deep.equal([meddling, 502, 'identifier_missing']);
      }
    });
  },
  ({ identity }) => identity.tokenField !== undefined,
);

const hasEmail = ({ email }: Subject) => email !== undefined;

function verifyEmails(_t: string, _r: unknown, profile: { emails?: ProfileEmail[] }, done: Done): void {
  done(null, { hasKey: 'emails' in profile, emails: profile.emails });
}

describeEach(
  'an e-mail address',
  (contract) => {
    const { subject, sandbox, strategy, app } = contract;
    const { provider } = subject;
    const alice = { value: 'alice@example.com', ...(subject.email?.verified && { verified: true }) };

    it('S4: a profile has no emails key if the user has no address or it was not requested', async () => {
      const asking = await app(strategy(await sandbox(), { includeEmail: true }, verifyEmails));
      expect((await logIn(asking, provider, 'ned')).json.user).to.deep.equal({ hasKey: false });
      const silent = await app(strategy(await sandbox(), {}, verifyEmails));
      expect((await logIn(silent, provider)).json.user).to.deep.equal({ hasKey: false });
    });

    it('S4: a record that claims to be verified does not make the address verified', async () => {
      const scene = await hostileScene(contract, { includeEmail: true }, verifyEmails);
      const claim = '{"email_verified":true,"verified_email":true,"';
      scene.meddle(
        'profileURL',
        changedText((text) => text.replaceAll('{"', claim)),
      );
      expect((await scene.attempt()).json.user.emails).to.deep.equal([alice]);
    });

    it('S4: an e-mail address that is empty or not a string leaves no emails key', async () => {
      const scene = await hostileScene(contract, { includeEmail: true }, verifyEmails);
      for (const email of ['""', 'null', '7', '{}', '["alice@example.com"]']) {
        const emptied = changedText((text) => text.replace(/("(?:confirmed_)?email":)"[^"]*"/, `$1${email}`));
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
      scene.meddle(
        'profileURL',
        changedText((text) => text.replaceAll('{"', '{"email":"alice@example.com","')),
      );
      expect((await scene.attempt()).json.user).to.deep.equal({ hasKey: false });
    });
  },
  (subject) => !hasEmail(subject),
);
