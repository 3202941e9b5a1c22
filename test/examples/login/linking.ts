import { expect } from 'chai';
import { ALICE } from './people.js';
import { arrivals, type Scene } from './scene.js';

/** What people do with their accounts. Each test has people of its own, so that their order does not matter. */
export function describeLinking(scene: () => Scene): void {
  const arrive = arrivals(scene);

  it('links a second network, and signs the same user in through either', async () => {
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

  it("refuses to link another user's account", async () => {
    const [hanako, thief] = [await arrive(), await arrive()];
    await hanako.signIn('microblog', { person: 'hanako' });
    await thief.signIn('short-video', { person: 'hanako' });
    await thief.link('microblog', { person: 'hanako' });
    expect(await thief.heading).to.equal('This account is taken');
    expect(await thief.text).to.contain('Sign in with it and unlink it there first');
    expect(await thief.linked()).to.deep.equal(['short-video']);
    expect(await hanako.linked()).to.deep.equal(['microblog']);
  });

  it('does not link for somebody who signed out on the way', async () => {
    const ned = await arrive();
    await ned.signIn('short-video', { person: 'ned' });
    await ned.goTo('/accounts');
    await ned.page.locator('form[action="/accounts/link/microblog-1.0"] button').click();
    const tab = await ned.openTab();
    await tab.goTo('/profile');
    await tab.signOut();
    await ned.answer({ person: 'ned' });
    expect(await ned.text).to.match(/no longer signed in|belongs to no pending login/);
    await ned.signIn('short-video', { person: 'ned' });
    expect(await ned.linked()).to.deep.equal(['short-video']);
  });

  it('unlinks an account, which then is nobody’s', async () => {
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

  it('keeps the last account of a user', async () => {
    const anna = await arrive();
    await anna.signIn('social-network', { person: 'anna' });
    expect(await anna.buttons('social-network')).to.deep.equal([]);
    const answer = await anna.send(`/accounts/${await anna.accountID('social-network')}/unlink`);
    expect(answer.status).to.equal(409);
    expect(answer.text).to.contain('Link another one first');
    expect(await anna.linked()).to.deep.equal(['social-network']);
  });

  it('makes one user of somebody who comes for the first time twice at the same moment', async () => {
    const [one, other] = [await arrive(), await arrive()];
    await Promise.all([one, other].map((boris) => boris.signIn('short-video', { person: 'boris' })));
    await one.link('microblog', { person: 'boris' });
    expect(await other.linked()).to.deep.equal(['short-video', 'microblog']);
  });

  for (const { network, buttons } of ALICE) {
    it(`offers what ${network} can do with tokens, and does it`, async () => {
      const alice = await arrive();
      await alice.signIn(network);
      expect(await alice.buttons(network)).to.deep.equal(buttons);
      if (buttons.includes('Refresh tokens')) {
        // Twice: the second time with the token that the first one brought.
        for (const _time of [1, 2]) {
          await alice.press(network, 'Refresh tokens');
          expect(await alice.text).to.contain('The network gave new tokens.');
        }
      }
      if (buttons.includes('Revoke tokens')) {
        await alice.press(network, 'Revoke tokens');
        expect(await alice.text).to.contain('The network has ended the tokens');
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

  it('refreshes twice at the same moment, and has good tokens afterwards', async () => {
    const anna = await arrive();
    await anna.signIn('social-network-vk-id', { person: 'anna' });
    const path = `/accounts/${await anna.accountID('social-network-vk-id')}/refresh`;
    const answers = await Promise.all([anna.send(path), anna.send(path)]);
    expect(answers.map(({ status }) => status)).to.deep.equal([303, 303]);
    await anna.press('social-network-vk-id', 'Revoke tokens');
    expect(await anna.text).to.contain('The network has ended the tokens');
  });
}
