import { expect } from 'chai';
import type { Sandbox } from '../../sandbox/lib/index.js';
import { backendRequests, describeEach, verifyPerson } from '../contract/harness.js';
import { madeClassOf } from '../contract/strategies.js';
import { attempt, fakeRequest } from '../support/attempt.js';
import { Browser } from '../support/browser.js';
import { allow, start } from '../support/journey.js';
import { thrownBy } from '../support/thrown.js';

const INSECURE = [
  'http://example.com/path',
  'HTTP://EXAMPLE.COM/path',
  'http://127.0.0.1.example.com/path',
  'http://localhost.example.com/path',
  'http://0.0.0.0/path',
  'http://10.0.0.1/path',
  'http://[::2]/path',
  'ftp://127.0.0.1/path',
];
const SECURE = [
  'https://example.com/path',
  'http://127.0.0.1:3000/path',
  'http://localhost/path',
  'http://[::1]:3000/path',
];
/** Other spellings of the URL options; each strategy accepts some of them. */
const ALIASES =
  'authorizationUrl accessTokenUrl requestTokenUrl requestTokenURL profileUrl userProfileURL'.split(' ');

describeEach('URL options', ({ subject, sandbox, strategy, app, warnings }) => {
  const { provider } = subject;
  const Strategy = madeClassOf(subject);

  it('T1: every URL option rejects an http URL on another machine', async () => {
    const world = await sandbox();
    const names = Object.keys(subject.options(world)).filter((name) => name.endsWith('URL'));
    expect(names).to.have.length.above(2);
    for (const name of names) {
      for (const insecure of INSECURE) {
        const error = thrownBy(() => strategy(world, { [name]: insecure })) as Error;
        expect(error).to.be.instanceOf(TypeError);
        expect(error.message).to.include(`option ${name} must begin with https://`);
      }
      for (const unusable of ['/path', 'example.com/path', 7, '']) {
        expect(() => strategy(world, { [name]: unusable })).to.throw(TypeError, `option ${name} must be`);
      }
      for (const secure of SECURE) expect(strategy(world, { [name]: secure })).to.be.instanceOf(Strategy);
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

  it('T2: an http callback URL on another machine causes one warning that names the option', async () => {
    const options = {
      ...without(/authorizationURL$/i, await sandbox()),
      callbackURL: 'http://app.example/cb',
    };
    const made = new Strategy(options, verifyPerson);
    expect(made).to.be.instanceOf(Strategy);
    // The outcome of these logins does not matter; they must not repeat the warning.
    for (const callbackURL of [undefined, 'http://other.example/cb']) {
      await attempt(made, fakeRequest(), { callbackURL });
    }
    // A request to another address than the callback URL's has a warning of its own.
    const about = (await warnings()).filter((text) => text.includes('option callbackURL is'));
    const [warning, ...others] = about;
    expect(warning).to.match(/^\w+Strategy: option callbackURL is http:\/\/app\.example\/cb\. .*https/);
    expect(others).to.deep.equal([]);
  });

  it('T2: an https callback URL or a path causes no warning', async () => {
    const credentials = without(/URL$/, await sandbox());
    for (const callbackURL of ['https://app.example/cb', '/cb']) {
      expect(new Strategy({ ...credentials, callbackURL }, verifyPerson)).to.be.instanceOf(Strategy);
    }
    expect(await warnings()).to.deep.equal([]);
  });

  const forwarded = (host: string) => ({ 'x-forwarded-host': host, 'x-forwarded-proto': 'https' });
  const LIST = 'evil.example, app.example';

  for (const [title, hosts, cases, expected] of [
    ['forwarded headers are ignored by default', ['evil.example', LIST], [[{}, {}]], 'the own one'],
    [
      'one forwarded host is trusted with Express’s trust proxy or with the option proxy',
      ['app.example'],
      [
        [{}, { trustProxy: true }],
        [{ proxy: true }, {}],
      ],
      'https://app.example',
    ],
    [
      'forwarded headers do not change an absolute callbackURL',
      ['evil.example', LIST],
      [[{ callbackURL: 'https://app.example/cb', proxy: true }, { trustProxy: true }]],
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

  it('T3: several forwarded hosts, or an invalid one, end the login in a failure that says what to do', async () => {
    const world = await sandbox();
    const invalid = ['evil.example/path', 'user@evil.example', '256.256.256.256', 'evil.example?'];
    for (const proxy of [false, true]) {
      const server = await app(strategy(world, { proxy }), { trustProxy: !proxy });
      for (const host of [LIST, ...invalid]) {
        const page = await new Browser().get(`${server.url}/login/${provider}`, forwarded(host));
        expect([host, page.status, page.location]).to.deep.equal([host, 400, '']);
      }
    }
    expect(backendRequests(world)).to.deep.equal([]);
  });

  /** The sandbox's options without some of its URLs, because a callback URL at a sandbox is not checked. */
  function without(urls: RegExp, world: Sandbox): object {
    return Object.fromEntries(Object.entries(subject.options(world)).filter(([name]) => !urls.test(name)));
  }
});
