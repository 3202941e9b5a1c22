import { existsSync, readdirSync, readFileSync } from 'node:fs';
import type { Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import express from 'express';
import type { Browser, Page } from 'playwright-core';

import { anchorsOf, proseOf } from '../guides/pages.js';
import { launchChromium, needsChromium } from '../support/requirements.js';

const ROOT = join(__dirname, '../..');
const SITE = join(ROOT, 'tools/site/dist/site');
const SCREENSHOTS = join(ROOT, 'screenshots');
/** The path that the site is built for: the root of any static server. */
const BASE = '/';
const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
const VIOLATIONS = `axe.run(document).then(({ violations }) =>
  violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ': ' + html)))`;

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
  this.timeout(60_000);

  let server: Server;
  let url: string;
  let browser: Browser;
  let page: Page;
  const requested: string[] = [];
  const messages: string[] = [];

  before(async function () {
    needsChromium(this);
    if (!existsSync(SITE)) throw new Error('There is no site yet: npm run step -- site');
    server = express().use(BASE, express.static(SITE)).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}${BASE}`;
    browser = await launchChromium();
  });

  after(async () => {
    await browser?.close();
    server?.close();
  });

  async function open(
    path: string,
    options: { readonly width?: number; readonly colorScheme?: 'dark' | 'light' } = {},
  ): Promise<void> {
    const { width = 1280, colorScheme = 'light' } = options;
    page = await browser.newPage({ viewport: { width, height: 800 }, colorScheme });
    page.on('request', (request) => requested.push(request.url()));
    page.on('console', (message) => messages.push(message.text()));
    await page.goto(`${url}${path}`);
  }

  afterEach(() => page?.close());

  it('has a page for every guide and every public name, and no dead link, anchor, picture or script', async () => {
    await open('');
    const pages = readdirSync(SITE, { recursive: true, encoding: 'utf8' }).filter((file) =>
      file.endsWith('.html'),
    );
    expect(pages).to.include.members([
      'docs/security.html',
      'docs/x.html',
      'messages/index.html',
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

  it('has every guide in its sidebar', async () => {
    await open(PAGES.guide);
    const found = (await page.evaluate(
      `[...document.querySelectorAll('.VPSidebar a')].map(({ pathname }) => pathname)`,
    )) as readonly string[];
    const guides = readdirSync(join(SITE, 'docs')).filter((file) => /^(?!index).*\.html$/.test(file));
    expect(guides).to.have.length(16);
    for (const guide of guides) expect(found).to.include(`${BASE}docs/${guide}`);
  });

  it('shows the code of examples, because it cannot link to the repository', async () => {
    await open('source/examples/minimal/app.mjs.html');
    await page.getByText('examples/minimal/app.mjs', { exact: true }).waitFor();
    const code = String(await page.evaluate(`document.querySelector('pre').innerText`));
    expect(code.trim()).to.equal(readFileSync(join(ROOT, 'examples/minimal/app.mjs'), 'utf8').trim());
  });

  for (const colorScheme of ['light', 'dark'] as const) {
    for (const width of [360, 1280]) {
      it(`is accessible and fits, ${colorScheme}, ${width} pixels wide`, async () => {
        for (const [name, path] of Object.entries(PAGES)) {
          await open(path, { width, colorScheme });
          await page.screenshot({
            path: join(SCREENSHOTS, `site-${name}-${colorScheme}-${width}.png`),
            fullPage: false,
          });
          await page.evaluate(AXE);
          expect(await page.evaluate(VIOLATIONS), name).to.deep.equal([]);
          expect(await page.evaluate('document.documentElement.scrollWidth'), name).to.equal(width);
          await page.close();
        }
      });
    }
  }

  for (const [phrase, heading, path] of [
    [
      'callback belongs to no pending login',
      'This callback belongs to no pending login of NAME. The browser sent no cookie: the login started on another host name (localhost and 127.0.0.1 are two), or its cookie is Secure over http, has expired, or was removed by the host or a middleware. Start the login again.',
      'messages/troubleshooting-this-callback-belongs-to-no-pending-login-of-name-the-browser-sent.html#',
    ],
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

/** What the search of VitePress is made of, with its settings. */
interface SearchIndex {
  loadJSON(json: string, options: object): { search(query: string): { readonly id: string }[] };
}

/** @see https://github.com/vuejs/vitepress/blob/v1.6.4/src/client/theme-default/components/VPLocalSearchBox.vue */
const SEARCH = {
  fields: ['title', 'titles', 'text'],
  searchOptions: { fuzzy: 0.2, prefix: true, boost: { title: 4, text: 2, titles: 1 } },
};

/** The page that explains messages. */
const PAGE = 'docs/troubleshooting.md';

/** The text in one line, without markup. */
const plain = (markdown: string): string => markdown.replace(/`|\*\*|\\/g, '').replace(/\s+/g, ' ');

/** A page for each message, as the build wrote it. */
const MESSAGE_PAGES = join(ROOT, 'tools/site/dist/pages/messages');
const messagePages = () =>
  existsSync(MESSAGE_PAGES)
    ? readdirSync(MESSAGE_PAGES).map((file) => join('tools/site/dist/pages/messages', file))
    : [];

describe('A message pasted into the search of the documentation site', function () {
  this.timeout(60_000);
  let search: (query: string) => readonly string[];

  before(async () => {
    const MiniSearch = createRequire(join(ROOT, 'tools/site/'))('minisearch') as SearchIndex;
    const chunks = join(SITE, 'assets/chunks');
    const file = readdirSync(chunks).find((name) => name.startsWith('@localSearchIndex')) ?? '';
    const { default: json } = (await import(join(chunks, file))) as { default: string };
    const index = MiniSearch.loadJSON(json, SEARCH);
    search = (query) => index.search(query).map(({ id }) => id.slice(BASE.length));
  });

  it('finds the entry of every heading first or second', () => {
    const headings = proseOf(PAGE).match(/^### .+$/gm) ?? [];
    const lost = headings.filter((heading) => {
      const words = plain(heading.slice('### '.length));
      return !search(words)
        .slice(0, 2)
        .some((id) => sections.get(id)?.includes(words));
    });
    expect(headings).to.have.length.above(10);
    expect(lost).to.deep.equal([]);
  });

  it('has a page for each message of the tables, and an index of them', () => {
    const pages = readdirSync(MESSAGE_PAGES);
    expect(pages).to.have.length.above(100);
    const index = readFileSync(join(MESSAGE_PAGES, 'index.md'), 'utf8');
    for (const page of pages.filter((file) => file !== 'index.md')) expect(index).to.include(`](${page})`);
  });

  /** ID in the index -> plain text with the heading. */
  const sections = new Map(
    [PAGE, ...messagePages()].flatMap((page) => {
      const path = page
        .replace(/^tools.*pages\//, '')
        .replace(/README\.md$/, '')
        .replace(/\.md$/, '.html');
      const texts = proseOf(page).split(/^(?=#{1,6} )/m);
      return anchorsOf(page).map((anchor, index) => [`${path}#${anchor}`, plain(texts[index] ?? '')]);
    }),
  );
});
