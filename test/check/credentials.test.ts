import { expect } from 'chai';
import { check } from '../../check/lib/index.js';
import { MicroblogOAuth1Strategy, ShortVideoStrategy } from '../../lib/index.js';
import { type Sandbox, startSandbox } from '../../sandbox/lib/index.js';
import { realSockets } from '../support/real-sockets.js';
import { rejectionOf } from '../support/thrown.js';
import { findingOn, SUBJECTS, type Subject, verdictsOf } from './subjects.js';

const microblogOAuth1 = SUBJECTS['microblog 1.0'];

const X_ID = /^X does not know the client ID: invalid_client "Value passed for the client id was invalid\."$/;
const TIKTOK_PAIR =
  /^TikTok does not accept this pair of client key and client secret: invalid_client "Client key or secret is incorrect\."$/;
const X_SECRET =
  /^X knows the client ID, but the client secret is missing or wrong: unauthorized_client "Missing valid authorization header"$/;
const X_PAIR =
  /^X does not accept this pair of API key and API key secret: 32 "Could not authenticate you\."$/;
const VK_KEY =
  /^VK knows the application number, but the protected key is wrong, or the application belongs to VK ID: invalid_client "client_secret is incorrect"$/;
const VK_NUMBER = /^VK does not know the application number: invalid_client "client_id is incorrect"$/;
const VK_ID = /^VK ID does not accept the application: invalid_client "client_id is missing"$/;
const VK_ID_TOKEN = /^VK ID does not accept the application: invalid_client "service_token is invalid"$/;

/** ID and secret change places. */
const SWAPPED = Symbol('swapped');

describe('check at the sandbox', () => {
  realSockets();
  let sandbox: Sandbox;
  before(async () => {
    sandbox = await startSandbox();
  });
  beforeEach(() => sandbox.reset());
  after(() => sandbox.close());

  for (const [name, subject] of Object.entries<Subject>(SUBJECTS)) {
    const isProven = subject === microblogOAuth1;

    it(`${name}: right credentials pass, only a login can tell the rest, and no login is begun`, async () => {
      const report = await check(subject.make(sandbox));
      expect(verdictsOf(report)).to.deep.equal({
        Node: 'passed',
        [new URL(sandbox.url).host]: 'passed',
        clock: 'passed',
        callbackURL: 'passed',
        registration: isProven ? 'passed' : 'unknown',
        credentials: 'passed',
      });
      const verdict = isProven ? 'passed' : 'unknown';
      expect(report).to.include({ network: subject.title, verdict });
      const seen = sandbox.requests();
      const expected = isProven ? ['request token'] : ['token', 'token'];
      expect(seen.map(({ endpoint }) => endpoint)).to.deep.equal(expected);
      if (!isProven) for (const { refused } of seen) expect(refused).to.be.a('string');
    });
  }

  it('a class that extends a strategy is checked like the strategy', async () => {
    const parseErrorResponse = () => new Error('an error of the application');
    class Own extends ShortVideoStrategy {
      override parseErrorResponse = parseErrorResponse;
    }
    const own = new Own({ ...sandbox.options('short-video'), name: 'own' }, () => false);
    const report = await check(own);
    expect(report).to.include({ provider: 'own', network: 'TikTok' });
    expect(findingOn(report, 'credentials').verdict).to.equal('passed');
    class OwnOAuth1 extends MicroblogOAuth1Strategy {
      override parseErrorResponse = parseErrorResponse;
    }
    const options = { ...sandbox.options('microblog', { version: '1.0' }), clientSecret: 'WRONG-SECRET' };
    const oauth1 = await check(new OwnOAuth1(options, () => false));
    expect(findingOn(oauth1, 'credentials').message).to.include('32 "Could not authenticate you."');
  });

  it('credentials of capitals or of digits alone are told from wrong ones', async () => {
    for (const clientSecret of ['CAPITALSOFONESECRET', '73041958260137495028']) {
      const own = await startSandbox({ applications: [{ network: 'short-video', clientSecret }] });
      const report = await check(new ShortVideoStrategy(own.options('short-video'), () => false));
      await own.close();
      expect(verdictsOf(report)).to.include({ credentials: 'passed' });
    }
  });

  const WRONG = { clientSecret: 'WRONG-SECRET' };
  const NAMED = { clientID: 'my-application' };
  const KEY_OF_1_0 = {
    clientID: 'sandboxConsumerKey000001',
    clientSecret: 'microblog-sandbox-consumer-secret',
  };
  const ID_OF_2_0 = { clientID: 'c2FuZGJveC1jb25maWRlbnRpYWw6MTpjaQ', clientSecret: 'client-secret' };
  const idOf = (text: string) => ({ clientID: Buffer.from(text).toString('base64url') });
  /** Strategy and case -> credentials that are wrong, what the finding says, and what leads to the mistake. */
  const mistakes: Readonly<
    Record<string, readonly [change: object | symbol, message: RegExp, remedy: RegExp]>
  > = {
    'short-video: a wrong secret': [
      WRONG,
      TIKTOK_PAIR,
      /^clientID begins with sbaw, .* secret of that sandbox\./,
    ],
    'short-video: a key of production': [{ clientID: 'awPRODUCTION' }, TIKTOK_PAIR, /sandbox and production/],
    'short-video: key and secret swapped': [
      SWAPPED,
      TIKTOK_PAIR,
      /^clientSecret begins with sbaw, .* swapped\./,
    ],
    'microblog: a wrong secret': [
      WRONG,
      X_SECRET,
      /^Copy clientID and clientSecret again from console\.x\.com/,
    ],
    'microblog: ID and secret swapped': [
      SWAPPED,
      X_ID,
      /^clientSecret has the form of a Client ID: .* swapped\./,
    ],
    'microblog: an unknown ID and secret': [idOf('unknown:1:ci'), X_ID, /settings are at console\.x\.com\.$/],
    'microblog: the API key of OAuth 1.0a': [
      KEY_OF_1_0,
      X_ID,
      /^clientID does not have .* belongs to OAuth 1\.0a/,
    ],
    'microblog, public client: a confidential client without its secret': [
      { clientID: ID_OF_2_0.clientID },
      X_SECRET,
      /A Web App, Automated App or Bot is a confidential client, which needs its secret/,
    ],
    'microblog, public client: an unknown client': [
      idOf('unknown:1:na'),
      X_ID,
      /those of OAuth 1\.0a and of OAuth 2\.0/,
    ],
    'microblog 1.0: a wrong secret': [
      { clientSecret: 'WRONG-SECRET-WRONG-SECRET-WRONG-SECRET-WRONG' },
      X_PAIR,
      /^Check key and secret: /,
    ],
    'microblog 1.0: key and secret swapped': [
      SWAPPED,
      X_PAIR,
      /^clientID is longer than clientSecret, .* swapped\./,
    ],
    'microblog 1.0: the credentials of OAuth 2.0': [
      ID_OF_2_0,
      X_PAIR,
      /^clientID has the form of an OAuth 2\.0 Client ID\. OAuth 1\.0a needs the API Key and its secret\./,
    ],
    'social-network: a wrong protected key, or an application of VK ID': [
      WRONG,
      VK_KEY,
      /^Copy clientSecret again: the protected key, .* made for VK ID logs in with version: '2\.1'/,
    ],
    'social-network: a wrong number': [{ clientID: '51000009' }, VK_NUMBER, /the application number/],
    'social-network: number and key swapped': [
      SWAPPED,
      VK_NUMBER,
      /^clientSecret is a number .* are swapped\./,
    ],
    'social-network: a name in place of the number': [NAMED, VK_NUMBER, /^clientID is no number, /],
    'social-network 2.1: the number of a classic application': [
      { clientID: '51000001' },
      VK_ID,
      /An application uses one of the two protocols: version says which\./,
    ],
    'social-network 2.1: a name in place of the number': [NAMED, VK_ID, /^clientID is no number, /],
    'social-network 2.1, confidential client: a wrong service key': [
      { serviceToken: 'WRONG-SERVICE-KEY' },
      VK_ID_TOKEN,
      /Check clientID and, if there is one, serviceToken\./,
    ],
  };

  for (const [title, [change, message, remedy]] of Object.entries(mistakes)) {
    const subject: Subject = SUBJECTS[title.split(': ')[0] as keyof typeof SUBJECTS];
    it(`${title}: the finding leads to the mistake`, async () => {
      const { clientID, clientSecret = '' } = subject.options(sandbox) as Readonly<{
        clientID: string;
        clientSecret?: string;
      }>;
      const swapped = { clientID: clientSecret, clientSecret: clientID };
      const report = await check(subject.make(sandbox, typeof change === 'symbol' ? swapped : change));
      const finding = findingOn(report, 'credentials');
      expect(finding, finding.message).to.include({
        verdict: 'failed',
        guide: 'docs/troubleshooting.md#wrong-secret',
      });
      expect(finding.message).to.match(message);
      expect(finding.remedy).to.match(remedy);
      expect(finding.evidence).to.match(/^(documented|observed): /);
      expect(report.verdict).to.equal('failed');
    });
  }

  it('anything but a strategy of this package, or a relative callback URL, is a TypeError', async () => {
    for (const strategy of [undefined, null, 'text', {}, { authenticate() {} }]) {
      const error = await rejectionOf(check(strategy as never));
      expect(error).to.be.instanceOf(TypeError);
      expect((error as Error).message).to.equal(
        'check: the first argument must be a strategy of passport-social-networks.',
      );
    }
    const relative = await rejectionOf(check(microblogOAuth1.make(sandbox), { callbackURL: '/callback' }));
    expect(relative).to.be.instanceOf(TypeError);
    expect((relative as Error).message).to.match(/^check: option callbackURL must be an absolute URL/);
  });

  it('microblog 1.0: without an absolute callback URL the credentials are checked alone', async () => {
    const report = await check(microblogOAuth1.make(sandbox, { callbackURL: '/callback' }));
    expect(verdictsOf(report)).to.include({
      callbackURL: 'unknown',
      registration: 'unknown',
      credentials: 'passed',
    });
  });

  it('the address of a relative callback URL can be given', async () => {
    const strategy = microblogOAuth1.make(sandbox, { callbackURL: '/callback' });
    const report = await check(strategy, { callbackURL: 'https://shop.example/callback' });
    expect(verdictsOf(report)).to.include({ callbackURL: 'passed', registration: 'passed' });
    expect(findingOn(report, 'callbackURL').message).to.equal('https://shop.example/callback: X accepts it');
  });

  it('a machine whose clock is an hour off fails OAuth 1.0a, and the credentials are not blamed', async () => {
    const ahead = await startSandbox();
    try {
      ahead.advance(3_600_000);
      const report = await check(microblogOAuth1.make(ahead));
      expect(findingOn(report, 'clock')).to.include({
        verdict: 'failed',
        remedy: "Set this machine's clock, and let it follow a time server (NTP).",
      });
      expect(findingOn(report, 'clock').message).to.match(
        /^X refuses the timestamp of the request: 135 "Timestamp out of bounds\."/,
      );
      expect(findingOn(report, 'credentials')).to.include({
        verdict: 'unknown',
        message: 'cannot tell before the clock is right',
      });
    } finally {
      await ahead.close();
    }
  });
});
