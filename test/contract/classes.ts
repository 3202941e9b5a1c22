import { expect } from 'chai';
import { Browser } from '../support/browser.js';
import { logIn, start } from '../support/journey.js';
import { type Contract, type Done, verifyPerson } from './harness.js';
import { type AnyStrategy, classOf } from './strategies.js';

type UserProfile = (...args: unknown[]) => void;

/** What applications do with the classes themselves, whatever the network. */
export function classes({ subject, sandbox, strategy, app }: Contract): void {
  const { provider } = subject;
  const Strategy = classOf(subject);

  it('is an instance of its own class and of the base package', async () => {
    const made = strategy(await sandbox());
    expect(made).to.be.instanceOf(Strategy);
    expect(made).to.be.instanceOf(subject.base);
  });

  it('has a userProfile of its own', () => {
    const { userProfile } = Strategy.prototype as Partial<AnyStrategy>;
    expect(userProfile).to.be.a('function');
    expect(userProfile).to.not.equal(subject.base.prototype.userProfile);
  });

  it("a subclass's userProfile is asked, and can ask its super's", async () => {
    const world = await sandbox();
    class Renamed extends Strategy {
      override userProfile(...args: unknown[]): void {
        const done = args.at(-1) as Done;
        super.userProfile(...args.slice(0, -1), (error: unknown, profile: object) =>
          done(error, profile && { ...profile, displayName: 'Renamed' }),
        );
      }
    }
    const renamed = new Renamed(subject.options(world), verifyPerson);
    const page = await logIn(await app(renamed), provider);
    expect(page.json.user).to.include({ displayName: 'Renamed', provider });
    expect(renamed).to.be.instanceOf(Strategy);
  });

  it('T14: a userProfile that throws, calls back with an error or rejects is one Passport error', async () => {
    const failure = new Error('the override has a bug');
    const overrides: UserProfile[] = [
      () => {
        throw failure;
      },
      (...args) => (args.at(-1) as Done)(failure),
      async () => {
        throw failure;
      },
    ];
    for (const userProfile of overrides) {
      const world = await sandbox();
      const server = await app(Object.assign(strategy(world), { userProfile }));
      expect((await logIn(server, provider)).status).to.equal(500);
      expect(server.endings).to.deep.equal([{ error: failure }]);
    }
  });

  it('a copy of the strategy, as Passport makes for each request, leaves the strategy as it is', async () => {
    const world = await sandbox();
    const made = strategy(world);
    const members = Object.getOwnPropertyNames(made);
    const server = await app(made);
    await logIn(server, provider);
    expect(Object.getOwnPropertyNames(made)).to.deep.equal(members);
  });

  it('C5: every login has a state or request token of its own', async () => {
    const world = await sandbox();
    const server = await app(strategy(world));
    const seen = new Set<string | null>();
    for (let count = 0; count < 50; count += 1) {
      const { searchParams } = new URL(await start(new Browser(), server, provider));
      seen.add(searchParams.get('state') ?? searchParams.get('oauth_token'));
    }
    expect(seen.size).to.equal(50);
    expect(seen.has(null)).to.equal(false);
  });
}
