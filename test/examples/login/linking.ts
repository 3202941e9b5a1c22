import { expect } from 'chai';
import { ALICE } from './people.js';
import { arrivals, type Scene } from './scene.js';

/** Actions on linked accounts. Each test has its own sandbox users, so the order of the tests does not matter. */
export function describeLinking(scene: () => Scene): void {
  const arrive = arrivals(scene);

  it('links a second network and signs the same user in through either', async () => {
    const anna = await arrive();
    await anna.signIn('short-video', { person: 'anna' });
    await anna.link('microblog', { person: 'anna' });
    expect(await anna.text).to.contain('Your account at the microblog network is linked.');
    expect(await anna.linked()).to.deep.equal(['short-video', 'microblog']);
    const elsewhere = await arrive();
    await elsewhere.signIn('microblog', { person: 'anna' });
    expect(await elsewhere.linked()).to.deep.equal(['short-video', 'microblog']);
    expect(await anna.text).to.not.contain('is linked.');
  });

  it('never links by e-mail address', async () => {
    const [one, other] = [await arrive(), await arrive()];
    await one.signIn('microblog', { person: 'max' });
    await other.signIn('social-network', { person: 'max' });
    expect(await one.linked()).to.deep.equal(['microblog']);
    expect(await other.linked()).to.deep.equal(['social-network']);
  });

  it("does not link another user's account", async () => {
    const [hanako, attacker] = [await arrive(), await arrive()];
    await hanako.signIn('microblog', { person: 'hanako' });
    await attacker.signIn('short-video', { person: 'hanako' });
    await attacker.link('microblog', { person: 'hanako' });
    expect(await attacker.heading).to.equal('This account is already linked');
    expect(await attacker.text).to.contain('Sign in with it and unlink it first');
    expect(await attacker.linked()).to.deep.equal(['short-video']);
    expect(await hanako.linked()).to.deep.equal(['microblog']);
  });

  it('does not link for a user who signed out in the meantime', async () => {
    const ned = await arrive();
    await ned.signIn('short-video', { person: 'ned' });
    await ned.goTo('/accounts');
    await ned.page.locator('form[action="/accounts/link/microblog-1.0"] button').click();
    const tab = await ned.openTab();
    await tab.goTo('/profile');
    await tab.signOut();
    await ned.consent({ person: 'ned' });
    expect(await ned.text).to.match(/no longer signed in|belongs to no pending login/);
    await ned.signIn('short-video', { person: 'ned' });
    expect(await ned.linked()).to.deep.equal(['short-video']);
  });

  it('unlinks an account, which then belongs to no user', async () => {
    const ned = await arrive();
    await ned.signIn('social-network', { person: 'ned' });
    await ned.link('microblog', { person: 'ned' });
    await ned.press('microblog', 'Unlink');
    expect(await ned.text).to.contain('The account is unlinked.');
    expect(await ned.linked()).to.deep.equal(['social-network']);
    const again = await arrive();
    await again.signIn('microblog', { person: 'ned' });
    expect(await again.linked()).to.deep.equal(['microblog']);
  });

  it("does not unlink a user's last account", async () => {
    const anna = await arrive();
    await anna.signIn('social-network', { person: 'anna' });
    expect(await anna.buttons('social-network')).to.deep.equal([]);
    const response = await anna.send(`/accounts/${await anna.accountID('social-network')}/unlink`);
    expect(response.status).to.equal(409);
    expect(response.text).to.contain('Link another account first');
    expect(await anna.linked()).to.deep.equal(['social-network']);
  });

  it('creates one user for two concurrent first logins with the same account', async () => {
    const [one, other] = [await arrive(), await arrive()];
    await Promise.all([one, other].map((boris) => boris.signIn('short-video', { person: 'boris' })));
    await one.link('microblog', { person: 'boris' });
    expect(await other.linked()).to.deep.equal(['short-video', 'microblog']);
  });

  for (const { network, buttons } of ALICE) {
    it(`offers and performs the token actions of ${network}`, async () => {
      const alice = await arrive();
      await alice.signIn(network);
      expect(await alice.buttons(network)).to.deep.equal(buttons);
      if (buttons.includes('Refresh tokens')) {
        // Twice: the second refresh uses the refresh token of the first.
        for (const _time of [1, 2]) {
          await alice.press(network, 'Refresh tokens');
          expect(await alice.text).to.contain('The network issued new tokens.');
        }
      }
      if (buttons.includes('Revoke tokens')) {
        await alice.press(network, 'Revoke tokens');
        expect(await alice.text).to.contain('The network revoked the tokens');
        expect(await alice.buttons(network)).to.deep.equal([]);
        expect(await alice.text).to.match(/revoked \d+ \w+ \d+/);
      }
      const id = await alice.accountID(network);
      expect(await alice.send(`/accounts/${id}/refresh`)).to.include({ status: 409 });
      await alice.signOut();
      await alice.signIn(network);
      expect(await alice.buttons(network)).to.deep.equal(buttons);
    });
  }

  it('has valid tokens after two concurrent refreshes', async () => {
    const anna = await arrive();
    await anna.signIn('social-network-vk-id', { person: 'anna' });
    const path = `/accounts/${await anna.accountID('social-network-vk-id')}/refresh`;
    const responses = await Promise.all([anna.send(path), anna.send(path)]);
    expect(responses.map(({ status }) => status)).to.deep.equal([303, 303]);
    await anna.press('social-network-vk-id', 'Revoke tokens');
    expect(await anna.text).to.contain('The network revoked the tokens');
  });
}
