import { expect } from 'chai';
import { expectPage } from '../../support/page.js';
import { ALICE } from './logins.js';
import { arrivals, type Choices, type Scene } from './visitor.js';

/** Actions on linked accounts. Each test has its own sandbox users, so the order of the tests does not matter. */
export function describeLinking(scene: () => Scene): void {
  const arrive = arrivals(scene);

  it('links a second network and signs the same user in through either', async () => {
    const anna = await arrive();
    await anna.signIn('short-video', { person: 'anna' });
    await anna.link('microblog', { person: 'anna' });
    expectPage(await anna.text).toHave('X account Анна Примерова linked.');
    expect(await anna.linked()).to.deep.equal(['short-video', 'microblog']);
    const elsewhere = await arrive();
    await elsewhere.signIn('microblog', { person: 'anna' });
    expect(await elsewhere.linked()).to.deep.equal(['short-video', 'microblog']);
    expectPage(await anna.text).toLack('linked.');
  });

  it('never links by e-mail address', async () => {
    const [one, other] = [await arrive(), await arrive()];
    await one.signIn('microblog', { person: 'max' });
    await other.signIn('social-network', { person: 'max' });
    expect(await one.linked()).to.deep.equal(['microblog']);
    expect(await other.linked()).to.deep.equal(['social-network']);
  });

  for (const [one, other] of [
    ['microblog', 'microblog-1-0'],
    ['social-network', 'social-network-vk-id'],
  ] as const) {
    it(`has one account for a person at ${one} and ${other}`, async () => {
      const [alice, again] = [await arrive(), await arrive()];
      await alice.signIn(one);
      const id = await alice.accountID(one);
      await again.signIn(other);
      expect(await again.accountID(other)).to.equal(id);
      expect(await alice.linked()).to.deep.equal([other]);
    });
  }

  it("moves another user's only account after a fresh login with it and with an account of the new user", async () => {
    const [former, layla] = [await arrive(), await arrive()];
    await former.signIn('microblog', { person: 'layla' });
    await layla.signIn('short-video', { person: 'layla' });
    await layla.link('microblog-1-0', { person: 'layla' });
    expect(await layla.heading).to.equal('This account belongs to another user');
    expect(await former.linked()).to.deep.equal(['microblog']);
    expectPage(await layla.text).toHave('It is the only account of the other user, who will be deleted.');
    const move = layla.page.locator('.primary.danger');
    expect(await move.innerText()).to.match(/ and move$/);
    await layla.confirm(/ and move$/);
    await layla.consent({ person: 'layla' });
    expectPage(await layla.text).toHave(/^X account .+ moved here\.$/m);
    expect(await layla.linked()).to.have.members(['short-video', 'microblog']);
    await former.goTo('/accounts');
    expect(former.path).to.equal('/signin?returnTo=%2Faccounts');
    await former.signIn('microblog', { person: 'layla' });
    expect(await former.linked()).to.have.members(['short-video', 'microblog']);
  });

  it('moves no account without a fresh login with an account of the new user', async () => {
    const [former, layla] = [await arrive(), await arrive()];
    await former.signIn('social-network', { person: 'layla' });
    await layla.signIn('short-video', { person: 'hubert' });
    await layla.goTo('/accounts');
    expect(await layla.send('/accounts/move')).to.include({ status: 409 });
    await layla.link('social-network', { person: 'layla' });
    await layla.confirm(/ and move$/);
    await layla.consent({ person: 'dora' });
    expect(await layla.heading).to.equal('That is a different account');
    await layla.link('social-network', { person: 'layla' });
    await layla.confirm(/ and move$/);
    await layla.consent({ person: 'hubert', decision: 'Deny' });
    expect(await layla.heading).to.equal('You cancelled the sign-in with TikTok');
    expect(await layla.linked()).to.deep.equal(['short-video']);
    expect(await former.linked()).to.deep.equal(['social-network']);
  });

  it('does not link for a user who signed out in the meantime', async () => {
    const ned = await arrive();
    await ned.signIn('short-video', { person: 'ned' });
    await ned.goTo('/accounts');
    await ned.beginLink('microblog-1-0');
    const tab = await ned.openTab();
    await tab.goTo('/profile');
    await tab.signOut();
    await ned.consent({ person: 'ned' });
    expectPage(await ned.text).toHave(/no longer signed in|belongs to no pending login/);
    await ned.signIn('short-video', { person: 'ned' });
    expect(await ned.linked()).to.deep.equal(['short-video']);
  });

  it('unlinks an account, which then belongs to no user', async () => {
    const ned = await arrive();
    await ned.signIn('social-network', { person: 'ned' });
    await ned.link('microblog', { person: 'ned' });
    await ned.unlink('microblog', { person: 'ned' });
    expectPage(await ned.text).toHave('X account Ned Noaddress unlinked.');
    expect(await ned.linked()).to.deep.equal(['social-network']);
    const again = await arrive();
    await again.signIn('microblog', { person: 'ned' });
    expect(await again.linked()).to.deep.equal(['microblog']);
  });

  it('unlinks no account without a fresh login with another account of the user', async () => {
    const dora = await arrive();
    await dora.signIn('microblog', { person: 'hubert' });
    const kept = await dora.accountID('microblog');
    // Networks with an account are not offered. Whoever connects one again can still choose another account there.
    await dora.revoke('microblog');
    await dora.press('microblog', 'Connect again');
    await dora.consent({ person: 'dora' });
    const ids = await dora.accountIDs();
    const id = ids.find((other) => other !== kept) ?? '';
    const unlink = async (choices: Choices) => {
      await dora.goTo(`/accounts/${id}/unlink`);
      await dora.confirm(/ and unlink$/);
      await dora.consent(choices);
    };
    for (const [choices, heading] of [
      [{ person: 'hubert', decision: 'Deny' }, 'You cancelled the sign-in with X'],
      [{ person: 'dora' }, 'That is a different account'],
      [{ person: 'ned' }, 'That is a different account'],
    ] as const) {
      await unlink(choices);
      expect(await dora.heading, choices.person).to.equal(heading);
    }
    expect(await dora.accountIDs()).to.deep.equal(ids);
    await unlink({ person: 'hubert' });
    expectPage(await dora.text).toHave(/^X account Dora .+ unlinked\.$/m);
    expect(await dora.accountIDs()).to.deep.equal([kept]);
  });

  it('gives the rights of a fresh login to a new session, not to a copy of the earlier one', async () => {
    const [dora, thief] = [await arrive(), await arrive()];
    await dora.signIn('short-video', { person: 'dora' });
    await dora.link('microblog', { person: 'dora' });
    expect(await dora.linked()).to.deep.equal(['short-video', 'microblog']);
    await thief.page.context().addCookies(await dora.page.context().cookies());
    expect(await thief.linked()).to.deep.equal(['short-video', 'microblog']);
    await dora.unlink('microblog', { person: 'dora' });
    expect(await dora.linked()).to.deep.equal(['short-video']);
    await thief.goTo('/accounts');
    expect(thief.path).to.equal('/signin?returnTo=%2Faccounts');
  });

  it('deletes a user in every session after a fresh login, and revokes the tokens', async () => {
    const [ned, elsewhere] = [await arrive(), await arrive()];
    await ned.signIn('microblog-1-0', { person: 'hanako' });
    await ned.link('social-network', { person: 'hanako' });
    await elsewhere.signIn('microblog-1-0', { person: 'hanako' });
    const remove = async (choices: Choices) => {
      await ned.goTo('/accounts');
      await ned.page.getByText('Delete account').click();
      await ned.confirm(/ and delete$/);
      await ned.consent(choices);
    };
    await remove({ person: 'hanako', decision: 'Deny' });
    await ned.page.getByRole('link', { name: 'Try again with X' }).click();
    expect(await ned.heading).to.equal('Delete your account?');
    await remove({ person: 'anna' });
    expect(await ned.heading).to.equal('That is a different account');
    expect(await elsewhere.linked()).to.deep.equal(['microblog-1-0', 'social-network']);
    await remove({ person: 'hanako' });
    expect(ned.path).to.equal('/signed-out');
    expectPage(await ned.text).toHave('Your account has been deleted.', 'access at VK, remove it');
    await elsewhere.goTo('/accounts');
    expect(elsewhere.path).to.equal('/signin?returnTo=%2Faccounts');
    await ned.signIn('microblog-1-0', { person: 'hanako' });
    expect(await ned.linked()).to.deep.equal(['microblog-1-0']);
  });

  it('E2: ends the sessions that an account gave when it is unlinked, and no others', async () => {
    const [hubert, thief, elsewhere] = [await arrive(), await arrive(), await arrive()];
    await hubert.signIn('short-video', { person: 'hanako' });
    await hubert.link('social-network', { person: 'hubert' });
    await thief.signIn('social-network', { person: 'hubert' });
    await elsewhere.signIn('short-video', { person: 'hanako' });
    expect(await thief.linked()).to.deep.equal(['short-video', 'social-network']);
    await hubert.unlink('social-network', { person: 'hanako' });
    await thief.goTo('/accounts');
    expect(thief.path).to.equal('/signin?returnTo=%2Faccounts');
    expect(await elsewhere.linked()).to.deep.equal(['short-video']);
  });

  it('C44: moves only the account that the session knows, whatever the state of the login says', async () => {
    const [former, layla] = [await arrive(), await arrive()];
    await former.signIn('social-network', { person: 'max' });
    await layla.signIn('short-video', { person: 'max' });
    await layla.link('social-network', { person: 'max' });
    await layla.confirm(/ and move$/);
    // Another tab signs in anew: the login in progress keeps its state, and the new session knows of no move.
    const tab = await layla.openTab();
    await tab.goTo('/profile');
    await tab.signOut();
    await tab.signIn('short-video', { person: 'max' });
    await layla.consent({ person: 'max' });
    expect(await layla.heading).to.equal('That did not work');
    expect(await former.linked()).to.deep.equal(['social-network']);
  });

  it("does not unlink a user's last account", async () => {
    const anna = await arrive();
    await anna.signIn('social-network', { person: 'anna' });
    expect(await anna.buttons('social-network')).to.deep.equal(['Connect again']);
    expect(await anna.goTo(`/accounts/${await anna.accountID('social-network')}/unlink`)).to.equal(409);
    await anna.goTo('/accounts');
    const response = await anna.send(`/accounts/${await anna.accountID('social-network')}/unlink`);
    expect(response.status).to.equal(409);
    expectPage(response.text).toHave('Link another account first');
    expect(await anna.linked()).to.deep.equal(['social-network']);
  });

  it('creates one user for two concurrent first logins with the same account', async () => {
    const [one, other] = [await arrive(), await arrive()];
    await Promise.all([one, other].map((boris) => boris.signIn('short-video', { person: 'boris' })));
    await one.link('microblog', { person: 'boris' });
    expect(await other.linked()).to.deep.equal(['short-video', 'microblog']);
  });

  for (const { network, title, buttons } of ALICE) {
    it(`offers and performs the token actions of ${network}`, async () => {
      const alice = await arrive();
      await alice.signIn(network);
      expect(await alice.buttons(network)).to.deep.equal(buttons);
      if (buttons.includes('Refresh tokens')) {
        // Twice: the second refresh uses the refresh token of the first.
        for (const _time of [1, 2]) {
          await alice.press(network, 'Refresh tokens');
          expectPage(await alice.text).toHave(`${title} account Alice Example has new tokens.`);
        }
      }
      if (buttons.includes('Revoke tokens')) {
        await alice.press(network, 'Revoke tokens');
        expect(await alice.heading).to.equal(`Revoke the tokens of this ${title} account?`);
        await alice.page.getByRole('link', { name: 'Cancel' }).click();
        expect(await alice.buttons(network)).to.deep.equal(buttons);
        await alice.revoke(network);
        expectPage(await alice.text).toHave(`Tokens of ${title} account Alice Example revoked and deleted.`);
        expect(await alice.buttons(network)).to.deep.equal(['Connect again']);
        expectPage(await alice.text).toHave(/^revoked on \d+ \w+ \d+/m);
        expect(await alice.goTo(`/accounts/${await alice.accountID(network)}/revoke`)).to.equal(409);
        await alice.press(network, 'Connect again');
        await alice.consent();
        expectPage(await alice.text).toHave(`${title} account Alice Example connected again.`);
        expect(await alice.buttons(network)).to.deep.equal(buttons);
        await alice.revoke(network);
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
    // The second one is rejected if it arrives during the first.
    const statuses = responses.map(({ status }) => status);
    expect(statuses).to.include(303);
    for (const status of statuses) expect(status).to.be.oneOf([303, 409]);
    await anna.revoke('social-network-vk-id');
    expectPage(await anna.text).toHave(/^Tokens of VK account .+ revoked and deleted\.$/m);
  });
}
