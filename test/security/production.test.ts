import { expect } from 'chai';
import { cookieLogins } from '../../lib/index.js';
import { describeEach, verifyPerson } from '../contract/harness.js';
import { classOf } from '../contract/strategies.js';
import { Browser } from '../support/browser.js';
import { callbackOf } from '../support/journey.js';
import { rejectionOf } from '../support/thrown.js';

describeEach('production and development', ({ subject, sandbox, strategy, app, warnings }) => {
  const { provider } = subject;
  const store = cookieLogins({ secrets: 'k'.repeat(32) });
  const { NODE_ENV: environment } = process.env;
  afterEach(() => {
    if (environment === undefined) delete process.env.NODE_ENV;
    else process.env.NODE_ENV = environment;
  });

  /** Makes a strategy with this client secret only, in an environment. */
  async function make(clientSecret: string | undefined, more: object = {}, mode = 'production') {
    const own = Object.entries(subject.options(await sandbox()));
    const options = Object.fromEntries(own.filter(([name]) => !/^(clientSecret|serviceToken)$/.test(name)));
    process.env.NODE_ENV = mode;
    return new (classOf(subject))(
      { ...options, ...(clientSecret && { clientSecret }), ...more },
      verifyPerson,
    );
  }

  const REMEDY =
    "Add store: cookieLogins({ secrets: process.env.LOGIN_SECRET }). Make a secret with: node -p \"require('crypto').randomBytes(32).toString('base64url')\".";

  for (const [title, secret, reason] of [
    ['of fewer than 20 characters', 'k'.repeat(19), 'has fewer than 20 characters'],
    ['of the sandbox', 'secret-of-the-Sandbox-0123456789', "is the sandbox's, which everybody knows"],
  ] as const) {
    it(`C38: in production a client secret ${title} is a TypeError that prints the line to add`, async () => {
      const error = (await rejectionOf(make(secret))) as Error;
      expect(error).to.be.instanceOf(TypeError);
      expect(error.message).to.match(/^\w+: option store is required: the secret of this client /);
      expect(error.message).to.include(`this client ${reason}, so it cannot make the key`);
      expect(error.message.endsWith(REMEDY)).to.equal(true);
      expect(error.message).to.not.include(secret);
      // With secrets of its own the store needs no client secret, and a process on a developer's machine is not attacked.
      await make(secret, { store });
      await make(secret, {}, 'development');
    });
  }

  it('C38: in production a client secret of 20 characters makes the key', async () => {
    expect(await make('k'.repeat(20))).to.have.property('name', provider);
  });

  const isPublic = ({ options }: { readonly options: object }) =>
    !('clientSecret' in options || 'serviceToken' in options);
  if (subject.oauth === '2.0' && subject.clients.some(isPublic)) {
    it('C38: a client without any secret is a TypeError that prints the line to add, in every environment', async () => {
      for (const mode of ['production', 'development']) {
        const error = (await rejectionOf(make(undefined, {}, mode))) as Error;
        expect(error).to.be.instanceOf(TypeError);
        expect(error.message).to.include(REMEDY);
      }
    });
  }

  for (const [title, mode, texts] of [
    ['says in the console why, once for each reason', environment, ['The browser sent no cookie: ']],
    ['says nothing in production, where anyone could fill the log', 'production', []],
  ] as const) {
    it(`S9: ${title}`, async () => {
      if (mode !== undefined) process.env.NODE_ENV = mode;
      const name = `lost-${provider}-${Math.random()}`;
      const server = await app(strategy(await sandbox(), { name, store }));
      for (let login = 0; login < 2; login += 1) {
        const callback = await callbackOf(new Browser(), server, name);
        expect((await new Browser().get(callback)).status).to.equal(403);
      }
      expect((await warnings()).filter((text) => text.includes(name))).to.deep.equal(
        texts.map(
          (text) =>
            `${name}: This callback belongs to no pending login of ${name}. ${text}the login started on another host name (localhost and 127.0.0.1 are two), or its cookie is Secure over http, has expired, or was removed by the host or a middleware. Start the login again.`,
        ),
      );
    });
  }
});
