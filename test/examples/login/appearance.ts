import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { type Scene, Visitor } from './visitor.js';

const SCREENSHOTS = join(__dirname, '..', '..', '..', 'screenshots');
const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
const UNFOLD = "document.querySelectorAll('details').forEach((part) => { part.open = true; })";

/** How visitors see a page. The scheme changes colors only, so the second view needs no other rule than that of contrast. */
const VIEWS = [
  { colorScheme: 'light', width: 320, rules: '{}' },
  { colorScheme: 'dark', width: 1280, rules: "{ runOnly: ['color-contrast'] }" },
] as const;

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

/** Checks every page in each view with axe, checks that it fits the screen, and saves a screenshot. */
export function describeAppearance(scene: () => Scene): void {
  it('is accessible and fits, light and dark, narrow and wide, below a header that keeps its height', async function () {
    this.timeout(300_000);
    // axe runs as a script, which the pages' Content-Security-Policy would block.
    const options = { javaScriptEnabled: true, bypassCSP: true };
    const visitor = await Visitor.arrive(scene().browser, scene().url, options);
    const heights = new Set<number | undefined>();
    for (const [name, visit] of Object.entries(PAGES)) {
      await visit(visitor);
      for (const height of await look(visitor.page, name)) heights.add(height);
    }
    expect([...heights]).to.have.length(1);
    await visitor.leave();
  });
}

/** Looks at a page with all its parts unfolded, because folded parts are hidden from axe. @returns The header's heights. */
async function look(page: Page, name: string): Promise<(number | undefined)[]> {
  const heights = [];
  await page.evaluate(AXE);
  await page.evaluate(UNFOLD);
  for (const { colorScheme, width, rules } of VIEWS) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 800 });
    const scrollWidth = await page.evaluate('document.documentElement.scrollWidth');
    expect(scrollWidth, `${name}, ${colorScheme}`).to.equal(width);
    heights.push((await page.locator('header').boundingBox())?.height);
    const { violations } = await page.evaluate<{ violations: Violation[] }>(`axe.run(document, ${rules})`);
    const found = violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
    );
    expect(found, `${name}, ${colorScheme}`).to.deep.equal([]);
    const file = `login-${name}-${colorScheme}-${width}.png`;
    await page.screenshot({ path: join(SCREENSHOTS, file), fullPage: true });
  }
  return heights;
}

/** Steps to each page, in sequence. */
const PAGES: Readonly<Record<string, (visitor: Visitor) => Promise<unknown>>> = {
  'sign-in': (visitor) => visitor.goTo('/signin'),
  declined: (visitor) => visitor.signIn('microblog-1-0', { decision: 'Deny' }),
  'account-unusable': (visitor) => visitor.signIn('social-network', { person: 'boris' }),
  profile: (visitor) => visitor.signIn('microblog'),
  'profile-without-picture': async (visitor) => {
    await visitor.signOut();
    await visitor.signIn('short-video', { person: 'hanako' });
  },
  'one-account': (visitor) => visitor.goTo('/accounts'),
  accounts: (visitor) => visitor.link('social-network-vk-id', { person: 'dora' }),
  'all-accounts': (visitor) => visitor.link('microblog', { person: 'hubert' }),
  'confirm-revoke': (visitor) => visitor.press('microblog', 'Revoke tokens'),
  revoked: (visitor) => visitor.confirm('Revoke tokens'),
  'confirm-unlink': (visitor) => visitor.press('microblog', 'Unlink'),
  'unlink-declined': async (visitor) => {
    await visitor.confirm(/ and unlink$/);
    await visitor.consent({ decision: 'Deny' });
  },
  unlinked: (visitor) => visitor.unlink('microblog', { person: 'dora' }),
  'move-account': (visitor) => visitor.link('microblog-1-0'),
  'delete-account': (visitor) => visitor.goTo('/accounts/delete'),
  'unknown-page': (visitor) => visitor.goTo('/no-such-page'),
  'signed-out': (visitor) => visitor.signOut(),
};
