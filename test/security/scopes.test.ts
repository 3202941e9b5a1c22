import { expect } from 'chai';
import {
  backendRequests,
  type Contract,
  describeEach,
  isOAuth1,
  isOAuth2,
  verifyPerson,
} from '../contract/harness.js';
import { classOf, type Subject } from '../contract/strategies.js';
import { Browser } from '../support/browser.js';
import { allow, start } from '../support/journey.js';

/** The default scope for each network; OAuth 1.0a has no scopes. */
const LEAST: Readonly<Record<string, string | null>> = {
  'short-video': 'user.info.basic',
  microblog: 'tweet.read users.read',
  'microblog 1.0a': null,
  'social-network': null,
  'social-network 2.1': 'vkid.personal_info',
};
/** The scope with the e-mail address, for networks that have one. */
const EMAIL: Readonly<Record<string, string>> = {
  microblog: 'tweet.read users.read users.email',
  'social-network': 'email',
  'social-network 2.1': 'vkid.personal_info email',
};

const keyOf = ({ provider, version, oauth }: Subject) =>
  [provider, oauth === '1.0a' ? oauth : version].filter(Boolean).join(' ');
const hasEmail = (subject: Subject) => isOAuth2(subject) && keyOf(subject) in EMAIL;
const isShortVideo = ({ provider }: Subject) => provider === 'short-video';

describeEach('the scopes of a login', (contract) => {
  it('C23: the default scope is the smallest that covers the default fields', async () => {
    const { scope, requests, status } = await login(contract, {});
    expect(scope).to.equal(LEAST[keyOf(contract.subject)]);
    // The sandbox rejects a field without its scope; a second request with fewer fields would show here.
    expect([status, requests.length]).to.deep.equal([200, isOAuth1(contract.subject) ? 3 : 2]);
  });
});

describeEach(
  'the scope of the e-mail address',
  (contract) => {
    it('C23: includeEmail adds the scope of the e-mail address and nothing else', async () => {
      const { scope, requests, status } = await login(contract, { includeEmail: true });
      expect(scope).to.equal(EMAIL[keyOf(contract.subject)]);
      expect([status, requests.length]).to.deep.equal([200, 2]);
    });
  },
  hasEmail,
);

/** The fields of each scope, as the network documents them. */
const SHORT_VIDEO_FIELDS: Readonly<Record<string, readonly string[]>> = {
  'user.info.basic': [
    'open_id',
    'union_id',
    'avatar_url',
    'avatar_url_100',
    'avatar_large_url',
    'display_name',
  ],
  'user.info.profile': ['username', 'profile_deep_link', 'bio_description', 'is_verified'],
  'user.info.stats': ['follower_count', 'following_count', 'likes_count', 'video_count'],
};

describeEach(
  'fields and their scopes',
  (contract) => {
    const { subject, sandbox, strategy } = contract;

    for (const [scope, fields] of Object.entries(SHORT_VIDEO_FIELDS)) {
      for (const field of fields) {
        it(`C23: the field ${field} requests ${scope}, and is a TypeError without it`, async () => {
          const { scope: requested, requests, status } = await login(contract, { profileFields: field });
          expect(requested?.split(',')).to.have.members([...new Set(['user.info.basic', scope])]);
          expect([status, requests]).to.deep.equal([200, ['token', 'profile']]);
          const world = await sandbox();
          const others = Object.keys(SHORT_VIDEO_FIELDS).filter((other) => other !== scope);
          expect(() => strategy(world, { profileFields: [field], scope: others })).to.throw(
            TypeError,
            `option profileFields names '${field}', which needs the scope ${scope}.`,
          );
        });
      }
    }

    it('C23: a field that the network does not have is a TypeError', async () => {
      const world = await sandbox();
      const Strategy = classOf(subject);
      for (const profileFields of ['email', 'constructor', ['open_id', 'phone']]) {
        const options = { ...subject.options(world), profileFields };
        expect(() => new Strategy(options, verifyPerson)).to.throw(TypeError, /option profileFields names '/);
      }
    });
  },
  isShortVideo,
);

/** Runs a login. @returns The scope that it requested and its requests to the network. */
async function login({ subject, sandbox, strategy, app }: Contract, options: object) {
  const world = await sandbox({});
  const server = await app(strategy(world, options));
  const browser = new Browser();
  const authorization = await start(browser, server, subject.provider);
  const { status } = await browser.get(await allow(browser, authorization));
  const scope = new URL(authorization).searchParams.get('scope');
  return { scope, status, requests: backendRequests(world) };
}
