import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import express from 'express';
import type { Page } from 'playwright-core';
import { inChromium, violationsIn } from '../support/chromium.js';
import { serve, type TestServer } from '../support/server.js';

const ROOT = join(__dirname, '../..');
const SITE = join(ROOT, 'tools/site/dist/site');
/** The path that the site is built for: the root of any static server. */
const BASE = '/';
/** Reads pages as a browser does. Returns how many different addresses they have, and those that lead nowhere. */
const CHECK_LINKS = `async (pages) => {
  const documents = new Map();
  for (const page of pages) {
    const url = new URL(page, location.href).href;
    documents.set(url, new DOMParser().parseFromString(await (await fetch(url)).text(), 'text/html'));
  }
  const users = new Map();
  for (const [url, content] of documents) {
    const elements = content.querySelectorAll('a[href], link[href], script[src], img[src], source[srcset]');
    for (const element of elements) {
      const link = new URL(element.getAttribute('href') ?? element.getAttribute('src') ?? element.getAttribute('srcset'), url);
      if (link.origin === location.origin) users.set(link.href, url);
    }
  }
  const dead = [];
  for (const [link, user] of users) {
    const [address, anchor = ''] = link.split('#');
    const target = documents.get(address.endsWith('/') ? address + 'index.html' : address);
    const exists = target
      ? anchor === '' || target.getElementById(decodeURIComponent(anchor)) !== null
      : (await fetch(address, { method: 'HEAD' })).ok;
    if (!exists) dead.push(user + ' -> ' + link);
  }
  return { links: users.size, dead };
}`;

const PAGES = {
  home: '',
  guide: 'docs/tokens.html',
  api: 'api/passport-social-networks/classes/ProviderError.html',
} as const;

describe('the documentation site (needs Chromium)', function () {
  this.timeout(120_000);
  const { newPage } = inChromium();
  let server: TestServer;
  let url: string;
  let page: Page;
  const requested: string[] = [];
  const messages: string[] = [];

  before(async () => {
    if (!existsSync(SITE)) throw new Error('There is no site yet: npm run step -- site');
    server = await serve(express().use(BASE, express.static(SITE)));
    url = `${server.url}${BASE}`;
  });
  after(() => server?.close());

  async function open(
    path: string,
    options: { readonly width?: number; readonly colorScheme?: 'dark' | 'light' } = {},
  ): Promise<void> {
    const { width = 1280, colorScheme = 'light' } = options;
    page = await newPage({ viewport: { width, height: 800 }, colorScheme });
    page.on('request', (request) => requested.push(request.url()));
    page.on('console', (message) => messages.push(message.text()));
    await page.goto(`${url}${path}`);
  }

  it('has a page for every guide and every public name, and no dead link, anchor, picture or script', async () => {
    await open('');
    const pages = readdirSync(SITE, { recursive: true, encoding: 'utf8' }).filter((file) =>
      file.endsWith('.html'),
    );
    expect(pages).to.include.members([
      'docs/security.html',
      'docs/x.html',
      'sandbox/index.html',
      'CHANGELOG.html',
      'api/passport-social-networks/functions/cookieLogins.html',
      'api/passport-social-networks-sandbox/functions/startSandbox.html',
    ]);
    const { links, dead } = (await page.evaluate(`(${CHECK_LINKS})(${JSON.stringify(pages)})`)) as {
      readonly links: number;
      readonly dead: readonly string[];
    };
    expect(dead).to.deep.equal([]);
    expect(links).to.be.above(1000);
  });

  for (const colorScheme of ['light', 'dark'] as const) {
    for (const width of [360, 1280]) {
      it(`is accessible and fits, ${colorScheme}, ${width} pixels wide`, async () => {
        for (const [name, path] of Object.entries(PAGES)) {
          await open(path, { width, colorScheme });
          expect(await violationsIn(page), name).to.deep.equal([]);
          expect(await page.evaluate('document.documentElement.scrollWidth'), name).to.equal(width);
        }
      });
    }
  }

  for (const [phrase, heading, path] of [
    ['callback belongs to no pending login', 'Failures', 'docs/troubleshooting.html#failures'],
    ['isLocalURL', 'Function: isLocalURL()', 'api/passport-social-networks/functions/isLocalURL.html#'],
  ] as const) {
    it(`finds "${phrase}" in guides and reference, by keyboard alone`, async () => {
      await open('');
      const reset = page.getByRole('button', { name: 'Reset search' });
      // The key works as soon as the page's script runs, which is later than its text is there.
      while (!(await reset.isVisible())) {
        await page.keyboard.press('Control+k');
        await reset.waitFor({ timeout: 1_000 }).catch(() => {});
      }
      for (const key of phrase) await page.keyboard.press(key);
      await page.evaluate(`new Promise((resolve) => {
        const look = () =>
          document.querySelector('.result')?.innerText.includes(${JSON.stringify(heading)}) ? resolve() : setTimeout(look, 50);
        look();
      })`);
      await page.keyboard.press('Enter');
      await page.getByRole('link', { name: `Permalink to "${heading}"` }).waitFor();
      expect(page.url().startsWith(`${url}${path}`), page.url()).to.equal(true);
    });
  }

  it('asks no other server, and reports nothing in the console', () => {
    expect(
      requested.filter((request) => !request.startsWith(url) && !request.startsWith('data:')),
    ).to.deep.equal([]);
    expect(messages).to.deep.equal([]);
  });
});
