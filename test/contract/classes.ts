import { expect } from 'chai';
import { logIn } from '../support/journey.js';
import { type Contract, type Done, verifyPerson } from './harness.js';
import { type AnyStrategy, classOf } from './strategies.js';

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

  it('a copy of the strategy, as Passport makes for each request, leaves the strategy as it is', async () => {
    const world = await sandbox();
    const made = strategy(world);
    const members = Object.getOwnPropertyNames(made);
    const server = await app(made);
    await logIn(server, provider);
    expect(Object.getOwnPropertyNames(made)).to.deep.equal(members);
  });
}
