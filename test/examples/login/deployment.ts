import { statSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import { expectPage } from '../../support/page.js';
import { type DataFolders, freePort, LoginApp } from './app.js';
import { SCREENSHOTS } from './appearance.js';
import { ALICE } from './people.js';
import { Visitor } from './visitor.js';

/** The app across restarts, behind a proxy, and with credentials for real networks. */
export function describeDeployment(
  folders: DataFolders,
  template: () => string,
  browser: () => Browser,
): void {
  it('finishes logins that were in progress when the process was killed, and keeps users signed in', async () => {
    const environment = { PORT: String(await freePort()), DATA_FOLDER: await folders.copy(template()) };
    const first = await LoginApp.start(environment);
    const max = await Visitor.arrive(browser(), first.url);
    await max.signIn('microblog-1.0', { person: 'max' });
    // Not OAuth 1.0a: the sandbox dies with the app and loses the request token.
    const networks = ALICE.map(({ network }) => network).filter((network) => network !== 'microblog-1.0');
    const inProgress = await Promise.all(
      networks.map(async (network) => {
        const alice = await Visitor.arrive(browser(), first.url);
        await alice.goTo('/signin');
        await alice.choose(network);
        return alice;
      }),
    );
    await first.kill();
    const second = await LoginApp.start(environment);
    for (const alice of inProgress) {
      await alice.consent();
      expect(await alice.page.locator('#name').innerText()).to.equal('Alice Example');
      await alice.leave();
    }
    expect(await max.linked()).to.deep.equal(['microblog-1.0']);
    await max.leave();
    await second.stop();
  });

  it('shows at which step a login ended that the network rejected', async () => {
    const environment = { PORT: String(await freePort()), DATA_FOLDER: await folders.copy(template()) };
    const first = await LoginApp.start(environment);
    const inProgress = await Promise.all(
      ALICE.map(async ({ network, steps }) => {
        const alice = await Visitor.arrive(browser(), first.url);
        return { alice, network, steps, callback: await alice.stopBefore(network) };
      }),
    );
    await first.stop();
    // The session still has the pending login, but the new sandbox does not know the code.
    const second = await LoginApp.start(environment);
    for (const { alice, network, steps, callback } of inProgress) {
      expect(await alice.goTo(callback), network).to.equal(502);
      expectPage(await alice.text).toHave(`${network}, token: the network refused`);
      await alice.page.getByRole('link', { name: 'What just happened' }).click();
      const outcomes = await alice.page.locator('.story .badge').allInnerTexts();
      expect(outcomes.slice(-3), network).to.deep.equal(['ended here', 'not reached', 'not reached']);
      expect(outcomes).to.have.length(steps);
      await alice.leave();
    }
    await second.stop();
  });

  it('shows a hint when the network rejects an old token', async () => {
    const environment = { PORT: String(await freePort()), DATA_FOLDER: await folders.copy(template()) };
    const first = await LoginApp.start(environment);
    const alice = await Visitor.arrive(browser(), first.url);
    await alice.signIn('microblog');
    await first.stop();
    // The new sandbox does not know the old sandbox's tokens.
    const second = await LoginApp.start(environment);
    await alice.press('microblog', 'Refresh tokens');
    await alice.page.screenshot({ path: join(SCREENSHOTS, 'login-network-failed.png'), fullPage: true });
    expect(await alice.heading).to.equal('X rejected the request');
    expectPage(await alice.text).toHave('Sign in with X again to get new tokens.');
    expectPage(await alice.text).toHave(
      'microblog, refresh: the network refused',
      'let the user log in again',
      /HTTP status\s+502/,
    );
    expect(second.output())
      .to.contain('POST /accounts/')
      .and.to.contain('microblog, refresh: the network refused');
    await alice.page.getByRole('button', { name: 'Sign in with X again' }).click();
    await alice.consent();
    expectPage(await alice.text).toHave('X account Alice Example connected again.');
    expect(await alice.linked()).to.deep.equal(['microblog']);
    await alice.leave();
    await second.stop();
  });

  it('lets requests wait until it is ready', async () => {
    const port = await freePort();
    const starting = LoginApp.start({ PORT: String(port), DATA_FOLDER: await folders.copy(template()) });
    const page = await firstResponse(`http://127.0.0.1:${port}/signin`);
    expectPage(page).toHave('<h1>Sign in</h1>');
    await (await starting).stop();
  });

  it('makes its secrets readable by their owner only', async () => {
    const folder = template();
    expect(statSync(folder).mode & 0o777).to.equal(0o700);
    for (const name of ['encryption-key', 'session-secret'])
      expect(statSync(join(folder, name)).mode & 0o777, name).to.equal(0o600);
  });

  it('uses https throughout behind a proxy, with its base URL in the redirect URI', async () => {
    const port = await freePort();
    const app = await LoginApp.start({
      PORT: String(port),
      DATA_FOLDER: await folders.copy(template()),
      BASE_URL: 'https://login.example.com',
    });
    expect(app.url).to.equal('https://login.example.com');
    const response = await fetch(`http://127.0.0.1:${port}/api/auth/signin/microblog`, {
      headers: { 'x-forwarded-proto': 'https' },
      redirect: 'manual',
    });
    const { searchParams } = new URL(response.headers.get('location') ?? '');
    expect(searchParams.get('redirect_uri')).to.equal(
      'https://login.example.com/api/auth/callback/microblog',
    );
    const cookies = response.headers.getSetCookie();
    for (const cookie of cookies)
      expect(cookie)
        .to.match(/^__Host-/)
        .and.to.match(/; Secure(;|$)/);
    expect(cookies.find((cookie) => cookie.startsWith('__Host-session='))).to.match(
      /^__Host-session=[^;]*; Path=\/; Expires=[^;]*; HttpOnly; Secure; SameSite=Lax$/,
    );
    expect(response.headers.get('strict-transport-security')).to.contain('max-age=');
    await app.stop();
  });

  it('uses the real network where it has credentials, and the sandbox otherwise', async () => {
    const app = await LoginApp.start({
      PORT: '0',
      DATA_FOLDER: await folders.copy(template()),
      SHORT_VIDEO_CLIENT_ID: 'KEY',
      SHORT_VIDEO_CLIENT_SECRET: 'SECRET',
      SOCIAL_NETWORK_VK_ID_CLIENT_ID: '51000000',
      SOCIAL_NETWORK_VK_ID_CLIENT_SECRET: 'PROTECTED-KEY',
    });
    const visitor = await Visitor.arrive(browser(), app.url);
    await visitor.goTo('/signin');
    const sandboxed = visitor.page.locator('.choice:has(.badge)');
    const targets = await sandboxed.evaluateAll((links) => links.map((link) => link.getAttribute('href')));
    expect(targets).to.deep.equal(
      ['microblog', 'microblog-1.0', 'social-network'].map(
        (network) => `/api/auth/signin/${network}?returnTo=%2Fprofile`,
      ),
    );
    expect(await redirectOf(app, 'short-video')).to.match(
      /^https:\/\/www\.tiktok\.com\/v2\/auth\/authorize\/\?.*client_key=KEY/,
    );
    expect(await redirectOf(app, 'social-network-vk-id')).to.match(/^https:\/\/id\.vk\.ru\/authorize\?/);
    expect(await redirectOf(app, 'microblog')).to.match(/^http:\/\/127\.0\.0\.1:\d+\/microblog\//);
    const { headers } = await fetch(`${app.url}/signin`);
    expect(headers.get('content-security-policy')).to.match(
      /form-action 'self' https:\/\/\*\.tiktok\.com https:\/\/\*\.vk\.ru https:\/\/\*\.vk\.com http:\/\/127/,
    );
    await visitor.leave();
    await app.stop();
  });
}

async function redirectOf(app: LoginApp, network: string): Promise<string> {
  const response = await fetch(`${app.url}/api/auth/signin/${network}`, { redirect: 'manual' });
  return response.headers.get('location') ?? '';
}

/** Repeats a request until the server listens. */
async function firstResponse(url: string): Promise<string> {
  for (;;) {
    const response = await fetch(url).catch(() => undefined);
    if (response) return response.text();
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
