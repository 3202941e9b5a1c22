import { existsSync, readFileSync } from 'node:fs';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { needs } from './requirements.js';
import { standIn } from './stand-in.js';

const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
/** Chromium without the parts that draw windows: it renders the same pages in half the time. */
const CHROMIUM = '/usr/bin/chromium-headless-shell';
/** No test waits as long, unless the machine does much else. */
const PATIENCE_MILLISECONDS = 60_000;

/** Chromium for the tests of this `describe`. Each has a page in a context of its own, for which the two stand that are returned. */
export function inChromium(options: BrowserContextOptions = {}) {
  let browser: Browser | undefined;
  let page: Page;

  before(async function () {
    needs(this, existsSync(CHROMIUM), 'These tests need Chromium: apt-get install chromium-headless-shell.');
    const { chromium } = await import('playwright-core');
    browser = await chromium.launch({
      executablePath: CHROMIUM,
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        // Tests use this machine only.
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    });
  });
  after(() => browser?.close());
  beforeEach(async () => {
    page = await newPage(options);
  });
  afterEach(async () => {
    for (const context of browser?.contexts() ?? []) await context.close();
  });

  /** Opens a page in a context of its own, as another person's browser has it. */
  async function newPage(settings: BrowserContextOptions = {}): Promise<Page> {
    const context = (await browser?.newContext(settings)) as BrowserContext;
    context.setDefaultTimeout(PATIENCE_MILLISECONDS);
    return context.newPage();
  }

  return { page: standIn(() => page), context: standIn(() => page.context()), newPage };
}

/** Answers the sandbox's consent page. */
export async function consent(page: Page, person = 'alice', decision: 'Allow' | 'Deny' = 'Allow') {
  const button = page.getByRole('button', { name: decision });
  await button.waitFor();
  const choice = page.locator(`input[name=person][value="${person}"]`);
  if (await choice.isHidden()) await page.getByText('Someone else').click();
  await choice.check();
  await button.click();
}

/** What axe finds wrong with a page whose policy allows its script. */
export async function violationsIn(page: Page, options: object = {}): Promise<string[]> {
  await page.evaluate(AXE);
  return page.evaluate(`axe.run(document, ${JSON.stringify(options)}).then(({ violations }) =>
    violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ': ' + html)))`);
}
