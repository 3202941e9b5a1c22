import { expect } from 'chai';
import type { Sandbox } from '../../sandbox/lib/index.js';
import { describeEach, verifyPerson } from '../contract/harness.js';
import { madeClassOf } from '../contract/strategies.js';
import { Browser } from '../support/browser.js';
import { allow, start } from '../support/journey.js';
import { thrownBy } from '../support/thrown.js';

/** Other spellings of the URL options; each strategy accepts some of them. */
const ALIASES =
  'authorizationUrl accessTokenUrl requestTokenUrl requestTokenURL profileUrl userProfileURL'.split(' ');

describeEach('URL options', ({ subject, sandbox, strategy, app }) => {
  const { provider } = subject;
  const Strategy = madeClassOf(subject);

  it('T1: every URL option rejects an http URL on another machine', async () => {
    const world = await sandbox();
    const names = Object.keys(subject.options(world)).filter((name) => name.endsWith('URL'));
    expect(names).to.have.length.above(2);
    for (const name of names) {
      const insecure = { [name]: 'http://example.com/path' };
      expect(() => strategy(world, insecure)).to.throw(TypeError, `option ${name} must begin with https://`);
      for (const unusable of ['/path', 'example.com/path', 7, '']) {
        expect(() => strategy(world, { [name]: unusable })).to.throw(TypeError, `option ${name} must be`);
      }
    }
  });

  it('T1: other spellings of a URL option reject an http URL too', async () => {
    const credentials = without(/URL$/, await sandbox());
    const messages = ALIASES.map((name) => {
      const options = { ...credentials, [name]: 'http://example.com/path' };
      const { message } = thrownBy(() => new Strategy(options, verifyPerson)) as Error;
      return message;
    });
    const known = messages.filter((message) => !/ is unknown\. | is not taken: /.test(message));
    expect(known).to.have.length.above(2);
    for (const message of known) expect(message).to.match(/ must begin with https:\/\//);
  });

  const forwarded = (host: string) => ({ 'x-forwarded-host': host, 'x-forwarded-proto': 'https' });

  for (const [title, hosts, cases, expected] of [
    [
      'forwarded headers are ignored by default',
      ['evil.example', 'evil.example, app.example'],
      [[{}, {}]],
      'the own one',
    ],
    [
      'one forwarded host is trusted with Express’s trust proxy or with the option proxy',
      ['app.example'],
      [
        [{}, { trustProxy: true }],
        [{ proxy: true }, {}],
      ],
      'https://app.example',
    ],
  ] as const) {
    it(`T3: ${title}`, async () => {
      for (const [options, settings] of cases) {
        for (const host of hosts) {
          const server = await app(strategy(await sandbox(), options), settings);
          const browser = new Browser();
          const callback = await allow(browser, await start(browser, server, provider, forwarded(host)));
          expect(new URL(callback).origin).to.equal(expected === 'the own one' ? server.url : expected);
        }
      }
    });
  }

  /** The sandbox's options without some of its URLs, because a callback URL at a sandbox is not checked. */
  function without(urls: RegExp, world: Sandbox): object {
    return Object.fromEntries(Object.entries(subject.options(world)).filter(([name]) => !urls.test(name)));
  }
});
