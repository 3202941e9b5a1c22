import { expect } from 'chai';
import { check } from '../../check/lib/index.js';
import { MicroblogOAuth1Strategy, ShortVideoStrategy } from '../../lib/index.js';
import { startSandbox } from '../../sandbox/lib/index.js';
import { realSockets } from '../support/real-sockets.js';
import { oneSandbox } from '../support/sandbox.js';
import { mistakeOf } from '../support/thrown.js';
import { findingOn, SUBJECTS, type Subject, verdictsOf } from './subjects.js';

const microblogOAuth1 = SUBJECTS['microblog 1.0'];

/** ID and secret change places. */
const SWAPPED = Symbol('swapped');

describe('check at the sandbox', () => {
  const close = realSockets();
  const sandbox = oneSandbox();
  beforeEach(() => sandbox.reset());

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
      const own = close(await startSandbox({ applications: [{ network: 'short-video', clientSecret }] }));
      const report = await check(new ShortVideoStrategy(own.options('short-video'), () => false));
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
  /** Strategy and case -> credentials that are wrong, and what leads to the mistake. */
  const mistakes: Readonly<Record<string, readonly [change: object | symbol, leads: RegExp]>> = {
    'short-video: a wrong secret': [
      WRONG,
      /^TikTok does not accept the client key and client secret.* secret of that sandbox\./,
    ],
    'short-video: a key of production': [{ clientID: 'awPRODUCTION' }, /sandbox and production/],
    'short-video: key and secret swapped': [SWAPPED, /clientSecret begins with sbaw, .* swapped\./],
    'microblog: a wrong secret': [WRONG, /^X knows the client ID, .* Copy clientID and clientSecret again/],
    'microblog: ID and secret swapped': [SWAPPED, /clientSecret has the form of a Client ID: .* swapped\./],
    'microblog: an unknown ID': [
      idOf('unknown:1:ci'),
      /^X does not know the client ID: .*console\.x\.com\.$/,
    ],
    'microblog: the API key of OAuth 1.0a': [KEY_OF_1_0, /clientID does not have .* belongs to OAuth 1\.0a/],
    'microblog, public client: a confidential client without its secret': [
      { clientID: ID_OF_2_0.clientID },
      /A Web App, Automated App or Bot is a confidential client, which needs its secret/,
    ],
    'microblog, public client: an unknown ID': [
      idOf('unknown:1:na'),
      /key and secret of OAuth 1\.0a and of OAuth 2\.0/,
    ],
    'microblog 1.0: a wrong secret': [
      { clientSecret: 'WRONG-SECRET'.repeat(4) },
      /: 32 .* Check clientID and clientSecret: /,
    ],
    'microblog 1.0: key and secret swapped': [SWAPPED, /clientID is longer than clientSecret, .* swapped\./],
    'microblog 1.0: the credentials of OAuth 2.0': [
      ID_OF_2_0,
      /OAuth 1\.0a needs the API Key and its secret\./,
    ],
    'social-network: a wrong protected key, or an application of VK ID': [
      WRONG,
      /the protected key is wrong, or .* made for VK ID logs in with version: '2\.1'/,
    ],
    'social-network: a wrong number': [
      { clientID: '51000009' },
      /^VK does not know the application number: /,
    ],
    'social-network: number and key swapped': [SWAPPED, /clientSecret is a number .* are swapped\./],
    'social-network: a name in place of the number': [NAMED, /clientID is no number, /],
    'social-network 2.1: the number of a classic application': [
      { clientID: '51000001' },
      /^VK ID does not accept the application number: .* one of the two protocols: version says which\./,
    ],
    'social-network 2.1: a name in place of the number': [NAMED, /clientID is no number, /],
    'social-network 2.1, confidential client: a wrong service key': [
      { serviceToken: 'WRONG-SERVICE-KEY' },
      /"service_token is invalid" Check clientID and, if there is one, serviceToken\./,
    ],
  };

  for (const [title, [change, leads]] of Object.entries(mistakes)) {
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
      expect(`${finding.message} ${finding.remedy}`).to.match(leads);
      expect(finding.evidence).to.match(/^(documented|observed): /);
      expect(report.verdict).to.equal('failed');
    });
  }

  it('anything but a strategy of this package, or a relative callback URL, is a TypeError', async () => {
    for (const strategy of [undefined, null, 'text', {}, { authenticate() {} }]) {
      expect(await mistakeOf(check(strategy as never))).to.equal(
        'check: the first argument must be a strategy of passport-social-networks.',
      );
    }
    const relative = check(microblogOAuth1.make(sandbox), { callbackURL: '/callback' });
    expect(await mistakeOf(relative)).to.match(/^check: option callbackURL must be an absolute URL/);
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
    const ahead = close(await startSandbox());
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
  });
});
