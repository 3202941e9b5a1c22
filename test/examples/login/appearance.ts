import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import type { Scene } from './scene.js';
import { Visitor } from './visitor.js';

export const SCREENSHOTS = join(__dirname, '..', '..', '..', 'screenshots');
const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

const UNFOLD =
  "document.querySelectorAll('details:not([open])').forEach((part) => part.toggleAttribute('data-was-folded', part.open = true))";
/** As the page opened. */
const FOLD =
  "document.querySelectorAll('[data-was-folded]').forEach((part) => { part.open = false; part.removeAttribute('data-was-folded'); })";
const SCROLL_WIDTH = 'document.documentElement.scrollWidth';

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

const COLOR_SCHEMES = ['light', 'dark'] as const;
const WIDTHS = [320, 1280] as const;

/** Checks every page in each color scheme and width with axe, checks that it fits the screen, and saves a screenshot. */
export function describeAppearance(scene: () => Scene): void {
  it('is accessible and fits, light and dark, 320 and 1280 pixels wide', async () => {
    const visitor = await arrive(scene().browser, scene().url);
    for (const [name, visit] of Object.entries(PAGES)) {
      await visit(visitor);
      for (const colorScheme of COLOR_SCHEMES) await look(visitor, name, colorScheme);
    }
    await visitor.leave();
  });
}

/** Looks at the page that is open, as it opened and with all its parts unfolded. */
async function look(
  { page }: Visitor,
  name: string,
  colorScheme: (typeof COLOR_SCHEMES)[number],
): Promise<void> {
  await page.emulateMedia({ colorScheme });
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 800 });
    const place = `${name}, ${colorScheme}, ${width} pixels`;
    await page.evaluate(FOLD);
    const file = join(SCREENSHOTS, `login-${name}-${colorScheme}-${width}.png`);
    await page.screenshot({ path: file, fullPage: true });
    expect(await page.evaluate(SCROLL_WIDTH), place).to.equal(width);
    await page.evaluate(UNFOLD);
    expect(await page.evaluate(SCROLL_WIDTH), `${place}, unfolded`).to.equal(width);
    // What is folded is hidden from axe, so the unfolded page has everything that it can find.
    expect(await violationsOf(page), place).to.deep.equal([]);
  }
  await page.evaluate(FOLD);
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
