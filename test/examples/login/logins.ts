import { expect } from 'chai';
import { expectPage } from '../../support/page.js';
import { ALICE } from './people.js';
import { arrivals, type Scene } from './scene.js';
import type { Visitor } from './visitor.js';

/** Signing in and out through every network. */
export function describeLogins(scene: () => Scene): void {
  const arrive = arrivals(scene);

  for (const { network, title, identifier, email, scopes, row, expires, steps } of ALICE) {
    it(`logs a user in through ${network}, shows the profile, and shows the steps of the login without secrets`, async () => {
      const alice = await arrive();
      const secrets = secretsOf(alice, `/api/auth/callback/${network}`);
      await alice.signIn(network);
      expect(alice.path).to.equal('/profile');
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
      expect((await recordOf(alice))[row[0]]).to.equal(row[1]);

      await alice.page.getByRole('link', { name: 'What just happened' }).click();
      const story = await alice.page.content();
      expect(await alice.page.locator('.story > li.done').count()).to.equal(steps);
      expect(story).to.contain(`/api/auth/callback/${network}`).and.to.contain(identifier);
      expect(secrets).to.have.length.above(1);
      for (const secret of secrets) expect(story).to.not.contain(secret);
    });

    it(`is calm when the user declines at ${network}, and offers to try again`, async () => {
      const alice = await arrive();
      await alice.goTo('/accounts');
      await alice.choose(network);
      await alice.consent({ decision: 'Deny' });
      expect(await alice.heading).to.equal(`You cancelled the sign-in with ${title}`);
      expect(await alice.page.locator('[role=alert], .problem').count()).to.equal(0);
      expectPage(await alice.text).toLack('access_denied', '401');
      await alice.page.getByText('Details').click();
      expectPage(await alice.text).toHave(
        'access_denied',
        '401',
        'The user declined the login at the network.',
      );
      await alice.page.getByRole('link', { name: `Try again with ${title}` }).click();
      await alice.consent();
      expect(alice.path).to.equal('/accounts');
      expect(await alice.linked()).to.deep.equal([network]);
    });
  }

  it('leads back to the other networks when the user declines at one', async () => {
    const alice = await arrive();
    await alice.signIn('short-video', { decision: 'Deny' });
    await alice.page.getByRole('link', { name: 'Choose another network' }).click();
    expect(alice.path).to.equal('/signin');
    expect(await alice.goTo('/profile')).to.equal(200);
    expect(alice.path).to.equal('/signin?returnTo=%2Fprofile');
  });

  it('shows at which step a declined login ended', async () => {
    const max = await arrive();
    await max.signIn('microblog-1.0', { person: 'max', decision: 'Deny' });
    await max.page.getByRole('link', { name: 'What just happened' }).click();
    const outcomes = await max.page.locator('.story .badge').allInnerTexts();
    expect(outcomes).to.deep.equal([
      'done',
      'done',
      'ended here',
      'not reached',
      'not reached',
      'not reached',
    ]);
  });

  it('signs a user out', async () => {
    const alice = await arrive();
    await alice.signIn('microblog');
    await alice.signOut();
    expect(alice.path).to.equal('/signed-out');
    await alice.page.getByRole('link', { name: 'Sign in again' }).click();
    expect(await alice.heading).to.equal('Sign in');
    await alice.goTo('/accounts');
    expect(alice.path).to.equal('/signin?returnTo=%2Faccounts');
  });

  it('returns the user to the requested page', async () => {
    const alice = await arrive();
    await alice.goTo('/accounts');
    await alice.choose('microblog');
    await alice.consent();
    expect(alice.path).to.equal('/accounts');
  });

  it('logs two users in from two tabs at the same time', async () => {
    const first = await arrive();
    const second = await first.openTab();
    await first.goTo('/signin');
    await second.goTo('/signin');
    await first.choose('short-video');
    await second.choose('social-network-vk-id');
    await first.consent({ person: 'max' });
    expect(await first.page.locator('#name').innerText()).to.equal('Max Bignumber');
    await second.consent({ person: 'hanako' });
    expect(await second.page.locator('#name').innerText()).to.equal('花子 👩‍🚀 🌸');
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
}

/** Collects the secret values of an authorization response. */
function secretsOf({ page }: Visitor, callback: string): readonly string[] {
  const secrets: string[] = [];
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url());
    if (pathname !== callback) return;
    const names = ['code', 'state', 'oauth_token', 'oauth_verifier', 'device_id'];
    secrets.push(...names.flatMap((name) => searchParams.get(name) ?? []));
  });
  return secrets;
}

/** The facts on the profile page. */
export function factsOf(visitor: Visitor): Promise<Record<string, string>> {
  return pairs(visitor, '#about ~ dl dt', '#about ~ dl dd');
}

async function recordOf(visitor: Visitor): Promise<Record<string, string>> {
  await visitor.page.locator('summary').click();
  return pairs(visitor, 'tbody th', 'tbody td');
}

async function pairs({ page }: Visitor, names: string, values: string): Promise<Record<string, string>> {
  const texts = await page.locator(values).allInnerTexts();
  const keys = await page.locator(names).allInnerTexts();
  return Object.fromEntries(keys.map((key, index) => [key, texts[index] ?? '']));
}
