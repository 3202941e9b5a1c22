import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import type { Scene } from './scene.js';
import { Visitor } from './visitor.js';

export const SCREENSHOTS = join(__dirname, '..', '..', '..', 'screenshots');
const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

const UNFOLD = "document.querySelectorAll('details').forEach((part) => { part.open = true; })";

/** How a visitor may see a page. */
const VIEWS = [
  { colorScheme: 'light', width: 320 },
  { colorScheme: 'light', width: 1280 },
  { colorScheme: 'dark', width: 320 },
  { colorScheme: 'dark', width: 1280 },
] as const;

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

/** Checks every page in each view with axe, checks that it fits the screen, and saves a screenshot. */
export function describeAppearance(scene: () => Scene): void {
  it('is accessible and fits, light and dark, 320 and 1280 pixels wide', async () => {
    const visitor = await arrive(scene().browser, scene().url);
    for (const [name, visit] of Object.entries(PAGES)) {
      await visit(visitor);
      await look(visitor.page, name);
    }
    await visitor.leave();
  });
}

/** Looks at a page as it opened, and then with all its parts unfolded, because folded parts are hidden from axe. */
async function look(page: Page, name: string): Promise<void> {
  for (const view of VIEWS) {
    await expectToFit(page, view, name);
    const file = `login-${name}-${view.colorScheme}-${view.width}.png`;
    await page.screenshot({ path: join(SCREENSHOTS, file), fullPage: true });
  }
  await page.evaluate(UNFOLD);
  for (const view of VIEWS) {
    await expectToFit(page, view, `${name}, unfolded`);
    expect(await violationsOf(page), name).to.deep.equal([]);
  }
}

async function expectToFit(page: Page, view: (typeof VIEWS)[number], name: string): Promise<void> {
  const { colorScheme, width } = view;
  await page.emulateMedia({ colorScheme });
  await page.setViewportSize({ width, height: 800 });
  const scrollWidth = await page.evaluate('document.documentElement.scrollWidth');
  expect(scrollWidth, `${name}, ${colorScheme}`).to.equal(width);
}

/** Steps to each page, in sequence. */
const PAGES: Readonly<Record<string, (visitor: Visitor) => Promise<unknown>>> = {
  'sign-in': (visitor) => visitor.goTo('/signin'),
  'nothing-happened': (visitor) => visitor.goTo('/what-happened'),
  declined: (visitor) => visitor.signIn('microblog-1.0', { decision: 'Deny' }),
  'declined-story': (visitor) => visitor.goTo('/what-happened'),
  'account-unusable': (visitor) => visitor.signIn('social-network', { person: 'boris' }),
  profile: (visitor) => visitor.signIn('microblog'),
  'profile-without-picture': async (visitor) => {
    await visitor.signOut();
    await visitor.signIn('short-video', { person: 'hanako' });
  },
  'one-account': (visitor) => visitor.goTo('/accounts'),
  accounts: (visitor) => visitor.link('social-network-vk-id', { person: 'hanako' }),
  story: (visitor) => visitor.goTo('/what-happened'),
  'all-accounts': (visitor) => visitor.link('microblog', { person: 'hubert' }),
  'confirm-revoke': (visitor) => visitor.press('microblog', 'Revoke tokens'),
  revoked: (visitor) => visitor.confirm('Revoke tokens'),
  'confirm-unlink': (visitor) => visitor.press('microblog', 'Unlink'),
  'unlink-declined': async (visitor) => {
    await visitor.confirm(/ and unlink$/);
    await visitor.consent({ decision: 'Deny' });
  },
  unlinked: (visitor) => visitor.unlink('microblog', { person: 'hanako' }),
  'move-account': (visitor) => visitor.link('microblog-1.0'),
  'unknown-page': (visitor) => visitor.goTo('/no-such-page'),
  'signed-out': async (visitor) => {
    // Otherwise the network would not be offered to the next visitor.
    await visitor.unlink('social-network-vk-id', { person: 'hanako' });
    await visitor.signOut();
  },
};

/** Bypasses the pages' Content-Security-Policy, which would block axe. */
function arrive(browser: Browser, url: string): Promise<Visitor> {
  return Visitor.arrive(browser, url, { javaScriptEnabled: true, bypassCSP: true });
}

async function violationsOf(page: Page): Promise<string[]> {
  await page.evaluate(AXE);
  const { violations } = await page.evaluate<{ violations: Violation[] }>('axe.run(document)');
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
  );
}
