import { join } from 'node:path';
import { expect } from 'chai';
import { expectPage } from '../../support/page.js';
import { FOLDER } from './app.js';
import { factsOf } from './logins.js';
import { ALICE } from './people.js';
import { arrivals, type Scene } from './scene.js';

/** What the pages say and offer. Each test has its own sandbox users. */
export function describePages(scene: () => Scene): void {
  const arrive = arrivals(scene);

  it('names the networks as people do, once each, with the other protocols folded', async () => {
    const alice = await arrive();
    await alice.goTo('/signin');
    const choices = alice.page.locator('a.choice:visible');
    expect(
      await Promise.all([0, 1, 2].map((index) => choices.nth(index).getAttribute('href'))),
    ).to.deep.equal(
      ['short-video', 'microblog', 'social-network-vk-id'].map(
        (network) => `/api/auth/signin/${network}?returnTo=%2Fprofile`,
      ),
    );
    const names = ['Continue with TikTok', 'Continue with X', 'Continue with VK'];
    expect(await choices.locator('.label').allInnerTexts()).to.deep.equal(names);
    expect(await alice.page.locator('.mark:visible').allInnerTexts()).to.deep.equal(['T', 'X', 'V']);
    await alice.page.getByText('Other protocols').click();
    expect((await choices.locator('.label').allInnerTexts()).map((name) => name.split('\n'))).to.deep.equal([
      ...names.map((name) => [name]),
      ['Continue with X', 'OAuth 1.0a'],
      ['Continue with VK', 'classic OAuth 2.0'],
    ]);
  });

  it('chooses the protocol that has credentials as the entry of a network', async () => {
    const { groupNetworks } = await import(join(FOLDER, 'networks/index.js'));
    const vkID = { family: 'social-network', usesSandbox: true };
    const classic = { family: 'social-network', usesSandbox: false };
    const real = { ...vkID, usesSandbox: false };
    expect(groupNetworks([vkID, classic])).to.deep.equal({ entries: [classic], others: [vkID] });
    expect(groupNetworks([real, classic])).to.deep.equal({ entries: [real], others: [classic] });
  });

  it('leads nowhere from the profile of a person of the sandbox, whose handle may be a stranger at the network', async () => {
    const alice = await arrive();
    for (const { network } of ALICE) {
      await alice.signIn(network);
      expect((await factsOf(alice))['Profile page'], network).to.match(/^(@\w+|none), only in the sandbox$/);
      const targets = await alice.page
        .locator('a[href]')
        .evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''));
      expect(
        targets.filter((target) => !/^[/#]/.test(target)),
        network,
      ).to.deep.equal([]);
      await alice.signOut();
    }
  });

  it('links the profile page of a person at the real network, but no address that could run a script', async () => {
    const { profilePage } = await import(join(FOLDER, 'pages/profile-page.js'));
    const date = new Date(0);
    const dates = { signedInAt: date, createdAt: date, expiresAt: null, revokedAt: null };
    const shown = (profileUrl: string): string =>
      profilePage({ path: '/profile' }, [], {
        ...dates,
        provider: 'microblog',
        network: 'microblog',
        identifier: '1',
        profile: { displayName: 'Ada', profileUrl },
        record: {},
        scope: [],
      });
    expectPage(shown('https://x.com/ada')).toHave('<a href="https://x.com/ada" rel="noreferrer">');
    expectPage(shown('javascript:alert(1)')).toLack('href="javascript:');
  });

  it('offers only networks that have no account yet', async () => {
    const ned = await arrive();
    await ned.signIn('microblog-1.0', { person: 'ned' });
    const offers = ned.page.locator('.links .label');
    await ned.goTo('/accounts');
    const offered = async () => (await offers.allInnerTexts()).map((text) => text.replace('\n', ', '));
    await ned.page.getByText('Other protocols').click();
    expect(await offered()).to.deep.equal(['Link TikTok', 'Link VK', 'Link VK, classic OAuth 2.0']);
    await ned.link('social-network', { person: 'ned' });
    expect(await offered()).to.deep.equal(['Link TikTok']);
    expect(await ned.page.getByText('Other protocols').count()).to.equal(0);
    await ned.link('short-video', { person: 'ned' });
    expect(await offered()).to.deep.equal([]);
    expectPage(await ned.text).toHave('You have linked an account of every network.');
  });

  it('asks before unlinking, with the account to sign in with, and changes nothing for who cancels', async () => {
    const layla = await arrive();
    await layla.signIn('social-network-vk-id', { person: 'max' });
    await layla.link('short-video', { person: 'max' });
    const before = await layla.linked();
    await layla.press('social-network-vk-id', 'Unlink');
    expect(await layla.heading).to.equal('Unlink this VK account?');
    expectPage(await layla.text).toHave(
      'revoke the tokens first',
      'sign in again with your TikTok account Max Bignumber.',
    );
    await layla.page.getByRole('link', { name: 'Cancel' }).click();
    expect(await layla.linked()).to.deep.equal(before);
    await layla.unlink('social-network-vk-id', { person: 'max', decision: 'Deny' });
    expect(await layla.heading).to.equal('You cancelled the sign-in with TikTok');
    await layla.page.getByRole('link', { name: 'Try again with TikTok' }).click();
    expect(await layla.heading).to.equal('Unlink this VK account?');
    expect(await layla.linked()).to.deep.equal(before);
  });

  it('offers to try again when the user declines to link an account', async () => {
    const hanako = await arrive();
    await hanako.signIn('social-network', { person: 'hanako' });
    await hanako.link('short-video', { person: 'hubert', decision: 'Deny' });
    expect(await hanako.heading).to.equal('You cancelled the sign-in with TikTok');
    await hanako.page.getByRole('button', { name: 'Try again with TikTok' }).click();
    await hanako.consent({ person: 'hubert' });
    expectPage(await hanako.text).toHave(/^TikTok account Hubert .+ linked\.$/m);
  });

  it('keeps the height of the header from page to page, in a narrow window and a wide one', async () => {
    const alice = await arrive();
    const heights = new Set<number | undefined>();
    for (const width of [320, 360, 1280]) {
      await alice.page.setViewportSize({ width, height: 800 });
      const measure = async () => heights.add((await alice.page.locator('header').boundingBox())?.height);
      await alice.goTo('/signin');
      await measure();
      await alice.signIn('microblog', { person: 'dora' });
      await measure();
      await alice.goTo('/accounts');
      await measure();
      await alice.goTo('/no-such-page');
      await measure();
      await alice.signOut();
      await measure();
    }
    expect([...heights]).to.have.length(1);
  });
}
