import { expect } from 'chai';
import { cookieLogins } from '../../lib/index.js';
import { describeEach, verifyPerson } from '../contract/harness.js';
import { classOf } from '../contract/strategies.js';
import { Browser } from '../support/browser.js';
import { restoresMode } from '../support/cleanup.js';
import { callbackOf } from '../support/journey.js';
import { mistakeOf } from '../support/thrown.js';

describeEach('production and development', ({ subject, sandbox, strategy, app, warnings }) => {
  const { provider } = subject;
  const store = cookieLogins({ secrets: 'k'.repeat(32) });
  restoresMode();

  /** Makes a strategy with this client secret only, in an environment. */
  async function make(clientSecret: string, more: object = {}, mode = 'production') {
    const own = Object.entries(subject.options(await sandbox()));
    const options = Object.fromEntries(own.filter(([name]) => !/^(clientSecret|serviceToken)$/.test(name)));
    process.env.NODE_ENV = mode;
    return new (classOf(subject))({ ...options, clientSecret, allowSandbox: true, ...more }, verifyPerson);
  }

  const REMEDY =
    "Add store: cookieLogins({ secrets: process.env.LOGIN_SECRET }). Make a secret with: node -p \"require('crypto').randomBytes(32).toString('base64url')\".";

  it('C38: in production a client secret of fewer than 20 characters is a TypeError that prints the line to add', async () => {
    const secret = 'k'.repeat(19);
    const mistake = await mistakeOf(make(secret));
    expect(mistake).to.match(/^\w+: option store is required: the secret of this client /);
    expect(mistake).to.include('this client has fewer than 20 characters, so it cannot make the key');
    expect(mistake.endsWith(REMEDY)).to.equal(true);
    expect(mistake).to.not.include(secret);
    expect(await make(`${secret}k`)).to.have.property('name', provider);
    // With secrets of its own the store needs no client secret, and a process on a developer's machine is not attacked.
    await make(secret, { store });
    await make(secret, {}, 'development');
  });

  it('C43: in production the sandbox, its credentials and other endpoints on this machine are a TypeError, whatever the store', async () => {
    const world = await sandbox();
    const options = Object.entries(subject.options(world));
    const urls = options.filter(([name]) => name.endsWith('URL'));
    const others = options.filter(([name]) => !/URL$|^clientSecret$|^clientID$/.test(name));
    /** The credentials of somebody who has applied at the network. */
    const own = { ...Object.fromEntries(others), clientID: '51234567', clientSecret: 'k'.repeat(20), store };
    const message = (given: object) => mistakeOf(made(given));
    const made = async (given: object) => new (classOf(subject))(given, verifyPerson);
    process.env.NODE_ENV = 'production';
    const remedy =
      'and NODE_ENV is production. Give the credentials and URLs of the network, or, if a sandbox is meant, allowSandbox: true.';
    expect(await message({ ...subject.options(world), store })).to.include(remedy);
    for (const [name] of urls) {
      for (const host of [
        'localhost',
        'LOCALHOST.',
        'sandbox.localhost',
        '127.0.0.1:8080',
        '127.1',
        '0.0.0.0',
        '[::1]',
        '[::ffff:127.0.0.1]',
        '[::]',
      ]) {
        const local = { ...own, serviceToken: undefined, [name]: `https://${host}/path` };
        expect(await message(local), host).to.include(`option ${name} is on this machine, ${remedy}`);
        await made({ ...local, allowSandbox: true });
      }
      for (const host of ['127.example', '127.0.0.1.example', 'localhost.example'])
        await made({ ...own, serviceToken: undefined, [name]: `https://${host}/path` });
    }
    for (const [name, value] of options.filter(([option]) => /Secret$|Token$/.test(option))) {
      const given = { ...own, serviceToken: undefined, [name]: value };
      const text = await message(given);
      expect(text).to.include(`option ${name} is the sandbox's, ${remedy}`).and.not.include(String(value));
      await made({ ...given, allowSandbox: true });
      process.env.NODE_ENV = 'development';
      await made(given);
      process.env.NODE_ENV = 'production';
    }
  });

  it('S9: says in the console why, once for each reason', async () => {
    const name = `lost-${provider}-${Math.random()}`;
    const server = await app(strategy(await sandbox(), { name, store }));
    for (let login = 0; login < 2; login += 1) {
      const callback = await callbackOf(new Browser(), server, name);
      expect((await new Browser().get(callback)).status).to.equal(403);
    }
    expect((await warnings()).filter((text) => text.includes(name))).to.deep.equal([
      `${name}: This callback belongs to no pending login of ${name}. The browser sent no cookie: the login started on another host name (localhost and 127.0.0.1 are two), or its cookie is Secure over http, has expired, or was removed by the host or a middleware. Start the login again.`,
    ]);
  });
});
