import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { type Sandbox, startSandbox } from '../../../sandbox/lib/index.js';
import { needs } from '../../support/requirements.js';
import { ShortVideoClient } from '../short-video/client.js';
import { type Chromium, launchChromium, type Page, runsChromium } from './chromium.js';

describe("The sandbox's pages in a browser (needs Chromium)", function () {
  this.timeout(30_000);

  let sandbox: Sandbox;
  let app: Server;
  let callback: string;
  let browser: Chromium;
  let page: Page;

  before(async function () {
    needs(this, runsChromium, 'The tests of pages need Chromium: apt-get install chromium');
    browser = await launchChromium();
    sandbox = await startSandbox();
    app = createServer((_request, response) => response.end('back at the application')).listen(
      0,
      '127.0.0.1',
    );
    await new Promise((resolve) => app.once('listening', resolve));
    callback = `http://127.0.0.1:${(app.address() as AddressInfo).port}/callback`;
  });

  beforeEach(async () => {
    page = await browser.newPage({ viewport: { width: 320, height: 640 } });
  });

  afterEach(() => page?.close());

  after(async () => {
    await browser?.close();
    await sandbox?.close();
    app?.close();
  });

  async function open(): Promise<void> {
    const scope = 'user.info.basic,user.info.profile,user.info.stats';
    await page.goto(new ShortVideoClient(sandbox).authorization({ redirect_uri: callback, scope }));
  }

  it('can be used by keyboard alone, and returns to the application with the chosen person and scopes', async () => {
    await open();
    const keys = ['Tab', 'ArrowDown', 'Tab', 'Space', 'Tab', 'Tab', 'Enter'];
    for (const key of keys) await page.keyboard.press(key);
    await page.getByText('back at the application').waitFor();
    const { origin, pathname, searchParams } = new URL(page.url());
    expect(`${origin}${pathname}`).to.equal(callback);
    expect(searchParams.get('scopes')).to.equal('user.info.basic,user.info.stats');
    const client = new ShortVideoClient(sandbox);
    const { json } = await client.exchange(searchParams.get('code') ?? '', { redirect_uri: callback });
    expect(json).to.include({ open_id: '_Xq0tN5yD3kQm1vB8sLwZr2cHf7gJp9aUeKo4iYdTnM' });
  });

  it('has an accessible name for every field', async () => {
    await open();
    await page.getByRole('radio', { name: 'Анна Примерова' }).check();
    await page.getByRole('checkbox', { name: 'user.info.stats' }).uncheck();
    expect(await page.getByRole('checkbox', { name: 'user.info.basic' }).isDisabled()).to.equal(true);
    await page.getByRole('button', { name: 'Deny' }).click();
    await page.getByText('back at the application').waitFor();
    expect(page.url()).to.include('error=access_denied');
  });

  it('fits into 320 pixels', async () => {
    await open();
    expect(await page.evaluate('document.documentElement.scrollWidth')).to.equal(320);
  });

  it('follows the preferred colour scheme', async () => {
    await open();
    const color = 'getComputedStyle(document.querySelector("small")).color';
    expect(await page.evaluate(color)).to.equal('rgb(89, 89, 89)');
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await page.evaluate(color)).to.equal('rgb(179, 179, 179)');
  });

  it('loads only its own pictures, without violating its own security policy', async () => {
    const messages: string[] = [];
    const paths: string[] = [];
    page.on('console', (message) => messages.push(message.text()));
    page.on('request', (request) => paths.push(new URL(request.url()).pathname));
    await open();
    expect(paths.filter((path) => path !== '/favicon.ico')).to.have.members([
      '/short-video/v2/auth/authorize/',
      '/pictures/alice.svg',
      '/pictures/anna.svg',
      '/pictures/ned.svg',
      '/pictures/max.svg',
      '/pictures/hubert.svg',
    ]);
    expect(messages).to.deep.equal([]);
  });

  describe('at the root', () => {
    it('refreshes the requests without JavaScript, until it is stopped', async () => {
      const loads: string[] = [];
      page.on('request', (request) => loads.push(new URL(request.url()).search));
      await page.goto(`${sandbox.url}/`);
      await page.getByRole('link', { name: 'Refresh every 2 seconds' }).click();
      await fetch(`${sandbox.url}/short-video/v2/user/info/`);
      await page.getByText('refused: the bearer token is missing').waitFor();
      expect(loads.filter((search) => search === '?live=1').length).to.be.above(1);
      await page.getByRole('link', { name: 'Stop' }).click();
      await page.getByRole('link', { name: 'Refresh every 2 seconds' }).waitFor();
    });

    it('fits into 320 pixels, with long names and reasons', async () => {
      await fetch(`${sandbox.url}/short-video/v2/user/info/`);
      await page.goto(`${sandbox.url}/`);
      expect(await page.evaluate('document.documentElement.scrollWidth')).to.equal(320);
    });

    it('shows errors in a legible colour, in light and dark mode', async () => {
      await fetch(`${sandbox.url}/short-video/v2/user/info/`);
      await page.goto(`${sandbox.url}/`);
      const color = 'getComputedStyle(document.querySelector("strong")).color';
      expect(await page.evaluate(color)).to.equal('rgb(165, 14, 14)');
      await page.emulateMedia({ colorScheme: 'dark' });
      expect(await page.evaluate(color)).to.equal('rgb(246, 174, 169)');
    });
  });
});
