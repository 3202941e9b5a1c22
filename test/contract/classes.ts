import { expect } from 'chai';
import { logIn } from '../support/journey.js';
import { type Contract, type Done, personOf, verifyPerson } from './harness.js';
import { type AnyStrategy, baseOf, classOf, madeClassOf } from './strategies.js';

/** Tests of the strategy classes themselves, for every network. */
export function classes({ subject, sandbox, strategy, app }: Contract): void {
  const { provider, makes } = subject;
  const Strategy = madeClassOf(subject);
  const Base = baseOf(subject);

  it('the strategy is an instance of its own class and of its base class', async () => {
    const made = strategy(await sandbox());
    expect(made).to.be.instanceOf(Strategy);
    expect(made).to.be.instanceOf(Base);
  });

  it('the class has its own userProfile', () => {
    const { userProfile } = Strategy.prototype as Partial<AnyStrategy>;
    expect(userProfile).to.be.a('function');
    expect(userProfile).to.not.equal(Base.prototype.userProfile);
  });

  it('a subclass can override userProfile and call super.userProfile', async () => {
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

  if (!makes) return;

  it(`the constructor makes a ${makes.name}, the class that the package exports`, async () => {
    const made = strategy(await sandbox());
    expect(made).to.be.instanceOf(classOf(makes));
    expect(made.constructor).to.be.oneOf([classOf(subject), classOf(makes)]);
  });

  it(`a user logs in with a ${makes.name} of the application's own`, async () => {
    const world = await sandbox();
    const made = new Strategy(makes.options(world), verifyPerson);
    const page = await logIn(await app(made), provider);
    expect(page.json.user).to.deep.equal(personOf(subject, world, 'alice'));
  });
}
