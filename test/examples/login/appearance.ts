import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import type { Scene } from './scene.js';
import { Visitor } from './visitor.js';

export const SCREENSHOTS = join(__dirname, '..', '..', '..', 'screenshots');
const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

const UNFOLD = "document.querySelectorAll('details').forEach((part) => { part.open = true; })";

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

/** Checks every page in each color scheme and width with axe, checks that it fits the screen, and saves a screenshot. */
export function describeAppearance(scene: () => Scene): void {
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const width of [320, 1280]) {
      it(`is accessible and fits, ${colorScheme}, ${width} pixels wide`, async () => {
        const visitor = await arrive(scene().browser, scene().url, colorScheme, width);
        for (const [name, visit] of Object.entries(PAGES)) {
          await visit(visitor);
          const file = join(SCREENSHOTS, `login-${name}-${colorScheme}-${width}.png`);
          await visitor.page.screenshot({ path: file, fullPage: true });
          await expectToFit(visitor, name, width);
          await visitor.page.evaluate(UNFOLD);
          await expectToFit(visitor, `${name}, unfolded`, width);
        }
        await visitor.leave();
      });
    }
  }
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

async function expectToFit(visitor: Visitor, name: string, width: number): Promise<void> {
  expect(await violationsOf(visitor), name).to.deep.equal([]);
  expect(await visitor.page.evaluate('document.documentElement.scrollWidth'), name).to.equal(width);
}

/** Bypasses the pages' Content-Security-Policy, which would block axe. */
function arrive(
  browser: Browser,
  url: string,
  colorScheme: 'light' | 'dark',
  width: number,
): Promise<Visitor> {
  const viewport = { width, height: 800 };
  return Visitor.arrive(browser, url, { colorScheme, viewport, javaScriptEnabled: true, bypassCSP: true });
}

async function violationsOf({ page }: Visitor): Promise<string[]> {
  await page.evaluate(AXE);
  const { violations } = await page.evaluate<{ violations: Violation[] }>('axe.run(document)');
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
  );
}
