import { join } from 'node:path';
import { expect } from 'chai';
import { expectPage } from '../../support/page.js';
import { FOLDER } from '../app.js';
import { arrivals, type Scene, type Visitor } from './visitor.js';

const REFRESH = 'Refresh tokens';
const REVOKE = 'Revoke tokens';

/** A network, what people call it, and what the sandbox's user Alice sees after a login. */
interface Expectation {
  readonly network: string;
  readonly title: string;
  readonly identifier: string;
  readonly email?: string;
  readonly scopes: readonly string[];
  /** A row of the record. */
  readonly row: readonly [field: string, value: string];
  /** Whether tokens expire. */
  readonly expires: boolean;
  readonly buttons: readonly string[];
}

export const ALICE: readonly Expectation[] = [
  {
    network: 'short-video',
    title: 'TikTok',
    identifier: '723f24d7-e717-40f8-a2b6-cb8464cd23b4',
    scopes: ['user.info.basic', 'user.info.profile'],
    row: ['data.user.username', 'alice_example'],
    expires: true,
    buttons: [REFRESH, REVOKE],
  },
  {
    network: 'microblog',
    title: 'X',
    identifier: '2244994945',
    email: 'alice@example.com verified by the network',
    scopes: ['tweet.read', 'users.read', 'offline.access', 'users.email'],
    row: ['data.username', 'alice_example'],
    expires: true,
    buttons: [REFRESH, REVOKE],
  },
  {
    network: 'microblog-1-0',
    title: 'X',
    identifier: '2244994945',
    email: 'alice@example.com verified by the network',
    scopes: [],
    row: ['data.username', 'alice_example'],
    expires: false,
    buttons: [REVOKE],
  },
  {
    network: 'social-network',
    title: 'VK',
    identifier: '1000000001',
    email: 'alice@example.com not reported as verified',
    scopes: [],
    row: ['first_name', 'Alice'],
    expires: true,
    buttons: ['Connect again'],
  },
  {
    network: 'social-network-vk-id',
    title: 'VK',
    identifier: '1000000001',
    email: 'alice@example.com not reported as verified',
    scopes: ['vkid.personal_info', 'email'],
    row: ['user.first_name', 'Alice'],
    expires: true,
    buttons: [REFRESH, REVOKE],
  },
];

/** Signing in and out through every network, and what the pages say and offer. */
export function describeLogins(scene: () => Scene): void {
  const arrive = arrivals(scene);

  for (const { network, title, identifier, email, scopes, row, expires } of ALICE) {
    it(`is calm when the user declines at ${network}, logs in on the second try, and shows the profile`, async () => {
      const alice = await arrive();
      await alice.goTo('/accounts');
      await alice.choose(network);
      await alice.consent({ decision: 'Deny' });
      expect(await alice.heading).to.equal(`You cancelled the sign-in with ${title}`);
      expect(await alice.page.locator('[role=alert], .problem').count()).to.equal(0);
      await alice.page.reload();
      expect(await alice.heading).to.equal(`You cancelled the sign-in with ${title}`);
      expectPage(await alice.text).toLack('access_denied', '401');
      await alice.page.getByText('Details').click();
      expectPage(await alice.text).toHave(
        'access_denied',
        '401',
        'The user declined the login at the network.',
      );
      await alice.page.getByRole('link', { name: `Try again with ${title}` }).click();
      await alice.consent();
      expect(alice.path).to.equal('/profile');
      expect(await alice.linked()).to.deep.equal([network]);
      await alice.goTo('/profile');
      expect(await alice.page.locator('#name').innerText()).to.equal('Alice Example');
      expect(await alice.page.locator('#identifier').innerText()).to.equal(identifier);
      const picture = alice.page.locator('img.picture');
      expect(await picture.evaluate((image) => 'naturalWidth' in image && image.naturalWidth)).to.be.above(0);
      const facts = await factsOf(alice);
      expect(facts['E-mail']).to.equal(email);
      expect(facts['Granted scopes']?.split('\n')).to.deep.equal(
        scopes.length > 0 ? scopes : ['Not reported by the network'],
      );
      expect(facts.Tokens).to.match(
        expires ? /^valid until \d+ \w+ \d+, \d\d:\d\d UTC$/ : /^valid, no expiry reported$/,
      );
      // Somebody else may have the handle of a person of the sandbox at the network.
      expect(facts['Profile page']).to.match(/^(@\w+|none), only in the sandbox$/);
      const links = await alice.page.locator('a[href]').all();
      for (const link of links) expect(await link.getAttribute('href')).to.match(/^[/#]/);
      await alice.page.locator('summary').click();
      expect((await pairs(alice, '#record dt', '#record dd'))[row[0]]).to.equal(row[1]);
    });
  }

  it('leads back to the other networks when the user declines at one, also after Back and Allow', async () => {
    const alice = await arrive();
    await alice.signIn('short-video', { decision: 'Deny' });
    expect(await alice.heading).to.equal('You cancelled the sign-in with TikTok');
    await alice.page.goBack();
    await alice.consent();
    expect(await alice.heading).to.equal('This sign-in has ended');
    expectPage(await alice.text).toHave('Nothing was changed.');
    expectPage(await alice.text).toLack('pending login');
    await alice.page.getByRole('link', { name: 'Choose another network' }).click();
    expect(alice.path).to.equal('/signin');
    expect(await alice.goTo('/profile')).to.equal(200);
    expect(alice.path).to.equal('/signin?returnTo=%2Fprofile');
  });

  it('logs in a user who unticks a scope', async () => {
    const alice = await arrive();
    await alice.signIn('short-video', { without: ['user.info.profile'] });
    expect((await factsOf(alice))['Granted scopes']).to.equal('user.info.basic');
  });

  it('does not log in a user whom the network has banned', async () => {
    const boris = await arrive();
    await boris.signIn('social-network', { person: 'boris' });
    expect(await boris.heading).to.equal('This account cannot be used');
    await boris.goTo('/profile');
    expect(boris.path).to.equal('/signin?returnTo=%2Fprofile');
  });

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
    await ned.signIn('microblog-1-0', { person: 'ned' });
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
    await layla.signIn('social-network-vk-id', { person: 'layla' });
    await layla.link('microblog', { person: 'max' });
    const before = await layla.linked();
    await layla.press('social-network-vk-id', 'Unlink');
    expect(await layla.heading).to.equal('Unlink this VK account?');
    expectPage(await layla.text).toHave(
      'revoke the tokens first',
      'Sign in again with your X account Max Bignumber to confirm.',
    );
    await layla.page.getByRole('link', { name: 'Cancel' }).click();
    expect(await layla.linked()).to.deep.equal(before);
    await layla.unlink('social-network-vk-id', { person: 'max', decision: 'Deny' });
    expect(await layla.heading).to.equal('You cancelled the sign-in with X');
    await layla.page.getByRole('link', { name: 'Try again with X' }).click();
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
    expectPage(await hanako.text).toHave(/^TikTok account Hubert .{93} linked\.$/m);
  });
}

/** The facts on the profile page. */
function factsOf(visitor: Visitor): Promise<Record<string, string>> {
  return pairs(visitor, '#about ~ dl dt', '#about ~ dl dd');
}

async function pairs({ page }: Visitor, names: string, values: string): Promise<Record<string, string>> {
  const texts = await page.locator(values).allInnerTexts();
  const keys = await page.locator(names).allInnerTexts();
  return Object.fromEntries(keys.map((key, index) => [key, texts[index] ?? '']));
}
