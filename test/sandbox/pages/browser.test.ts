import { expect } from 'chai';
import { microblog } from '../../../sandbox/lib/microblog/index.js';
import { waysIn } from '../../../sandbox/lib/rehearsal/html.js';
import { inChromium, violationsIn } from '../../support/chromium.js';
import { closesAfterEach } from '../../support/cleanup.js';
import { oneSandbox } from '../../support/sandbox.js';
import { serve, servePage } from '../../support/server.js';
import { opened } from '../../support/stand-in.js';
import { ClassicClient, OAuth2Client, ShortVideoClient, VkIdClient } from '../clients.js';

const FORMS = `<!doctype html><!-- <form action="/old"></form> -->
<a href="/export?all=1&amp;as=json">Export</a> <a name="here">Here</a>
<form action="/unlink" method="post"><input type="hidden" name="csrf" value="&quot;a=b&amp;">
<button name="network" value="microblog">Unlink</button><button name="network" value="short-video">Unlink</button></form>
<form method=post><input name=note value='a "b"'><input type=radio name=how value=1><input type=radio name=how value=2 checked>
<input type="checkbox" name="all" checked><select name="language"><option value=de>Deutsch<option selected>English</select>
<textarea name="why">because</textarea><input type="submit" value="Save"><button type="button" name="no">No</button></form>
<form id="apart" method="post"><input name="own" value="2"></form><input form="apart" name="far" value="3"><button form="apart" formaction="/apart" name="which" value="1">Apart</button>
<form action="/search"><input name="q"><button>Search</button><button formaction="/find" formmethod="post">Find</button></form>
<script>document.body.insertAdjacentHTML('beforeend', '<form action="/sign-out" method="POST"><input type=hidden name=t value=1></form>');</script>`;

/** The same in a browser: each form by each of its buttons that say something, or one that does not, and each option of its list. */
const SENT = `[...document.querySelectorAll('form, a[href]')].flatMap((one) => {
  if (one.tagName === 'A') return [[one.href, 'GET', '']];
  const buttons = [...one.elements].filter((part) => part.matches('button:not([type=button]), input[type=submit]'));
  const telling = buttons.filter((button) => button.name || button.hasAttribute('formaction'));
  const isPlain = telling.length === 0 || telling.length < buttons.length;
  const select = one.querySelector('select');
  return [...telling, ...(isPlain ? [null] : [])].flatMap((button) => [...(select?.options ?? [null])].map((option) => {
    if (option) option.selected = true;
    return [
      button?.hasAttribute('formaction') ? button.formAction : one.action,
      (button?.formMethod || one.method).toUpperCase(),
      String(new URLSearchParams(new FormData(one, button))),
    ];
  }));
})`;

describe("The sandbox's pages in a browser (needs Chromium)", function () {
  this.timeout(120_000);

  const viewport = { width: 320, height: 640 };
  const { page, newPage } = inChromium({ viewport });
  const closing = closesAfterEach();
  const sandbox = oneSandbox();
  const app = opened(() => serve((_request, response) => response.end('back at the application')));
  const callback = () => `${app.url}/callback`;

  async function open(): Promise<void> {
    const scope = 'user.info.basic,user.info.profile,user.info.stats';
    await page.goto(new ShortVideoClient(sandbox).authorization({ redirect_uri: callback(), scope }));
  }

  it('can be used by keyboard alone, and returns to the application with the chosen person and scopes', async () => {
    await open();
    await page.evaluate("document.querySelector('input[name=person]').focus()");
    // Opens "someone else", chooses the next person, unticks the second scope, and allows.
    const keys = ['Tab', 'Enter', 'Shift+Tab', 'ArrowDown', 'Tab', 'Tab', 'Space', 'Tab', 'Tab', 'Enter'];
    for (const key of keys) await page.keyboard.press(key);
    await page.getByText('back at the application').waitFor();
    const { origin, pathname, searchParams } = new URL(page.url());
    expect(`${origin}${pathname}`).to.equal(callback());
    expect(searchParams.get('scopes')).to.equal('user.info.basic,user.info.stats');
    const client = new ShortVideoClient(sandbox);
    const { json } = await client.exchange(searchParams.get('code') ?? '', { redirect_uri: callback() });
    expect(json).to.include({ open_id: '_Xq0tN5yD3kQm1vB8sLwZr2cHf7gJp9aUeKo4iYdTnM' });
  });

  it('follows the preferred colour scheme', async () => {
    await open();
    const color = 'getComputedStyle(document.querySelector("small")).color';
    expect(await page.evaluate(color)).to.equal('rgb(84, 91, 105)');
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await page.evaluate(color)).to.equal('rgb(170, 177, 191)');
  });

  it('loads only its own pictures, without violating its own security policy', async () => {
    const messages: string[] = [];
    const paths: string[] = [];
    page.on('console', (message) => messages.push(message.text()));
    page.on('request', (request) => paths.push(new URL(request.url()).pathname));
    await open();
    const pictured = ['alice', 'anna', 'ned', 'max', 'hubert', 'nora', 'alison'];
    const pictures = pictured.map((id) => `/pictures/${id}.svg`);
    const loaded = paths.filter((path) => path !== '/favicon.svg');
    expect(loaded).to.have.members(['/short-video/v2/auth/authorize/', ...pictures]);
    expect(messages).to.deep.equal([]);
  });

  for (const width of [360, 1280]) {
    it(`asks for consent on one screen of ${width} x 800 pixels, with the longest list of scopes`, async () => {
      const height = 800;
      const narrow = await newPage({ viewport: { width, height } });
      const scope = microblog.appearance.scopes.join(' ');
      await narrow.goto(new OAuth2Client(sandbox).authorization({ scope }));
      expect(await narrow.evaluate('document.documentElement.scrollHeight')).to.be.at.most(height);
      await narrow.getByText('Someone else').click();
      for (const name of ['Allow', 'Deny']) {
        const box = await narrow.getByRole('button', { name }).boundingBox();
        expect((box?.y ?? height) + (box?.height ?? 0), name).to.be.at.most(height);
      }
    });
  }

  describe('in the console', () => {
    it('copies a credential', async () => {
      const permissions = ['clipboard-read', 'clipboard-write'];
      const allowed = await newPage({ viewport: { width: 360, height: 800 }, permissions });
      await allowed.goto(`${sandbox.url}/`);
      await allowed.getByRole('button', { name: 'Copy clientSecret of short-video' }).click();
      await allowed.getByText('Copied').waitFor();
      const copied = await allowed.evaluate('navigator.clipboard.readText()');
      expect(copied).to.equal('short-video-sandbox-client-secret');
    });

    it('replaces the requests while it is open, adds a fault and removes it, and keeps a request open that was opened', async () => {
      await fetch(`${sandbox.url}/short-video/v2/user/info/`);
      await page.goto(`${sandbox.url}/`);
      await page.getByText('live', { exact: true }).waitFor();
      await page.locator('#requests summary').first().click();
      await page.getByText('As a curl line').first().waitFor();
      sandbox.fault({ endpoint: 'revocation', fault: { kind: 'reset' } });
      await page.getByText('every network, revocation').waitFor();
      expect(await page.getByText('As a curl line').first().isVisible()).to.equal(true);
      await page.getByRole('combobox', { name: 'Fault' }).selectOption('hang');
      await page.getByRole('button', { name: 'Add the fault' }).click();
      await page.getByText('TikTok, authorization: hang, until removed').waitFor();
      for (const left of [1, 0]) {
        const remove = page.getByRole('button', { name: /^Remove the fault/ });
        await remove.first().click();
        await page.locator(left === 0 ? '#requests:not(:has(.plain))' : '.plain li:only-child').waitFor();
      }
    });

    for (const [mode, said] of [
      ['redirect', undefined],
      ['callback', 'The page got code, expires_in, device_id, state, type.'],
    ] as const) {
      it(`tries VK's button, responseMode ${mode}`, async () => {
        await page.goto(`${sandbox.url}/`);
        await page.getByRole('link', { name: 'by One Tap' }).click();
        const opened = page.waitForEvent('popup');
        const card = page.locator('.card', { hasText: `responseMode: ${mode}` });
        await card.getByRole('button', { name: 'Sign in with VK ID' }).click();
        const tab = await opened;
        const closed = tab.waitForEvent('close');
        await tab.getByRole('button', { name: 'Allow' }).click();
        if (said !== undefined) await page.getByText(said).waitFor();
        await page.getByText('What the application gets').waitFor();
        await closed;
      });
    }

    it("is calm when the person declines in the tab of VK's button", async () => {
      await page.goto(`${sandbox.url}/try/social-network/one-tap`);
      const opened = page.waitForEvent('popup');
      await page.getByRole('button', { name: 'Sign in with VK ID' }).first().click();
      await (await opened).getByRole('button', { name: 'Deny' }).click();
      await page.getByText('Login declined').waitFor();
    });

    it("tells a page of another origin nothing of VK's button", async () => {
      const script = 'heard = []; addEventListener("message", ({ data }) => heard.push(data));';
      const evil = closing(await servePage(`<script>${script}</script>`));
      await page.goto(`http://evil.localhost:${evil.port}/`);
      const opened = page.waitForEvent('popup');
      const url = new VkIdClient(sandbox).authorization({
        redirect_uri: callback(),
        origin: 'http://evil.localhost',
      });
      await page.evaluate(`void open(${JSON.stringify(url)})`);
      const tab = await opened;
      await tab.getByRole('button', { name: 'Allow' }).click();
      await tab.getByText('You can close this window.').waitFor();
      await tab.evaluate("opener.postMessage('the last one', '*')");
      await page.waitForFunction("heard.includes('the last one')");
      expect(await page.evaluate('heard')).to.deep.equal(['the last one']);
    });
  });

  const pages = (): Readonly<Record<string, string>> => ({
    console: '/',
    guide: '/guide',
    'consent-short-video': new ShortVideoClient(sandbox).authorization(),
    'consent-microblog': new OAuth2Client(sandbox).authorization(),
    'consent-vk-id': new VkIdClient(sandbox).authorization(),
    'consent-classic': new ClassicClient(sandbox).authorization(),
    'consent-oauth1': '/try/microblog/3',
    'trial-done': '/try/short-video/1',
    'one-tap': '/try/social-network/one-tap',
    'error-short-video': new ShortVideoClient(sandbox).authorization({ client_key: 'other' }),
    'error-microblog': new OAuth2Client(sandbox).authorization({ scope: 'other' }),
    'error-oauth1': '/microblog/oauth/authenticate?oauth_token=other',
    'error-vk-id': new VkIdClient(sandbox).authorization({ code_challenge: 'short' }),
    'error-classic': new ClassicClient(sandbox).authorization({ client_id: 'other' }),
    'not-found': '/nothing',
    'trial-unknown': '/try/callback',
  });

  for (const width of [320, 1280]) {
    it(`are accessible and fit, light and dark, ${width} pixels wide`, async () => {
      await fetch(new VkIdClient(sandbox).authorization({ state: 'short' }));
      const looked = await newPage({ viewport: { width, height: 800 }, bypassCSP: true });
      for (const [name, path] of Object.entries(pages())) {
        await looked.emulateMedia({ colorScheme: 'light' });
        await looked.goto(new URL(path, sandbox.url).href);
        if (name === 'trial-done') await looked.getByRole('button', { name: 'Allow' }).click();
        await looked.evaluate("for (const part of document.querySelectorAll('details')) part.open = true");
        expect(await looked.evaluate('document.documentElement.scrollWidth'), name).to.equal(width);
        expect(await violationsIn(looked), name).to.deep.equal([]);
        // The scheme changes colours only, so the other rules need not run again.
        await looked.emulateMedia({ colorScheme: 'dark' });
        const dark = await violationsIn(looked, { runOnly: 'color-contrast' });
        expect(dark, `${name}, dark`).to.deep.equal([]);
      }
    });
  }

  it("sends what a browser sends for an application's forms and links", async () => {
    const app = closing(await serve((_request, response) => response.end(FORMS)));
    await page.goto(`${app.url}/account?tab=logins`);
    const ways = waysIn({ text: FORMS, url: page.url() });
    expect(ways.map(({ to, method, body }) => [to.href, method, body])).to.deep.equal(
      await page.evaluate(SENT),
    );
  });
});
