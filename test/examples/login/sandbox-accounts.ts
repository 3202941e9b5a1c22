import { expect } from 'chai';
import { type Location, loginOf, type OpenedAccounts, openAccounts } from './open-accounts.js';

const SANDBOX = 'sandbox:microblog';

/** Anyone can sign in at the sandbox as any of its people, so its accounts must not open anything else. */
export function describeSandboxAccounts(location: () => Promise<Location>): void {
  let opened: OpenedAccounts;

  beforeEach(async () => {
    opened = await openAccounts(await location());
  });

  afterEach(() => opened.close());

  it("are never the network's, even with the same user ID", async () => {
    const alice = await opened.accounts.signIn(loginOf('1', SANDBOX));
    const real = await opened.accounts.signIn(loginOf('1'));
    expect(real.userID).to.not.equal(alice.userID);
  });

  it('are rejected by a database that has accounts at real networks', async () => {
    const { accounts } = opened;
    const alice = await accounts.signIn(loginOf('1', SANDBOX));
    expect(await accounts.hasRealAccounts()).to.equal(false);
    await accounts.signIn(loginOf('2'));
    expect(await accounts.hasRealAccounts()).to.equal(true);
    for (const attempt of [
      () => accounts.signIn(loginOf('1', SANDBOX)),
      () => accounts.signIn(loginOf('3', SANDBOX)),
      () => accounts.link(alice.userID, loginOf('3', SANDBOX)),
    ]) {
      expect(await attempt().catch((error: Error) => error)).to.include({ code: 'sandbox_closed' });
    }
  });

  it('cannot take over accounts at real networks', async () => {
    const { accounts } = opened;
    const alice = await accounts.signIn(loginOf('1', SANDBOX));
    const rejection = { code: 'sandbox_user' };
    expect(await accounts.link(alice.userID, loginOf('2')).catch((error: Error) => error)).to.include(
      rejection,
    );
    const real = await accounts.signIn(loginOf('2'));
    expect(await accounts.move(real.id, alice.userID).catch((error: Error) => error)).to.include(rejection);
    expect(await accounts.list(alice.userID)).to.have.length(1);
  });
}
