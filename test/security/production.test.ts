import { expect } from 'chai';
import { cookieLogins } from '../../lib/index.js';
import { describeEach, verifyPerson } from '../contract/harness.js';
import { classOf } from '../contract/strategies.js';

describeEach('the secret that makes the key of a pending login', ({ subject, sandbox }) => {
  const { NODE_ENV: environment } = process.env;
  afterEach(() => {
    if (environment === undefined) delete process.env.NODE_ENV;
    else process.env.NODE_ENV = environment;
  });

  /** Makes a strategy with this client secret only, in an environment. */
  async function make(clientSecret: string | undefined, options: object = {}, mode = 'production') {
    const {
      clientSecret: _secret,
      serviceToken: _token,
      ...others
    } = {
      clientSecret: undefined,
      serviceToken: undefined,
      ...subject.options(await sandbox()),
    };
    process.env.NODE_ENV = mode;
    return new (classOf(subject))(
      { ...others, ...(clientSecret && { clientSecret }), ...options },
      verifyPerson,
    );
  }

  const failureOf = (making: Promise<unknown>) => making.then(String, (error: unknown) => error as Error);
  const REMEDY =
    "Add store: cookieLogins({ secrets: process.env.LOGIN_SECRET }). Make a secret with: node -p \"require('crypto').randomBytes(32).toString('base64url')\".";

  for (const [title, secret, reason] of [
    ['of fewer than 20 characters', 'k'.repeat(19), 'has fewer than 20 characters'],
    ['of the sandbox', 'secret-of-the-Sandbox-0123456789', "is the sandbox's, which everybody knows"],
  ] as const) {
    it(`C38: in production a client secret ${title} is a TypeError that prints the line to add`, async () => {
      const error = await failureOf(make(secret));
      expect(error).to.be.instanceOf(TypeError);
      expect((error as Error).message).to.match(/^\w+: option store is required: the secret of this client /);
      expect((error as Error).message).to.include(`this client ${reason}, so it cannot make the key`);
      expect((error as Error).message.endsWith(REMEDY)).to.equal(true);
      expect((error as Error).message).to.not.include(secret);
      // With secrets of its own the store needs no client secret, and a process on a developer's machine is not attacked.
      await make(secret, { store: cookieLogins({ secrets: 'k'.repeat(32) }) });
      await make(secret, {}, 'development');
    });
  }

  it('C38: in production a client secret of 20 characters makes the key', async () => {
    expect(await make('k'.repeat(20))).to.have.property('name', subject.provider);
  });

  if (subject.oauth === '1.0a' || !subject.clients.some(isPublic)) return;

  it('C38: a client without any secret is a TypeError that prints the line to add, in every environment', async () => {
    for (const mode of ['production', 'development']) {
      const error = (await failureOf(make(undefined, {}, mode))) as Error;
      expect(error).to.be.instanceOf(TypeError);
      expect(error.message).to.include(REMEDY);
    }
  });
});

function isPublic({ options }: { readonly options: object }): boolean {
  return !('clientSecret' in options || 'serviceToken' in options);
}
