import { expect } from 'chai';
import { backendRequests, describeEach, personOf } from '../contract/harness.js';
import { inChromium } from '../support/chromium.js';
import { closesAfterEach } from '../support/cleanup.js';
import type { LoginApp } from '../support/login-app.js';
import { serve } from '../support/server.js';

/** How often each element of a foreign page tries to start a login. */
const TRIES = 5;

/** What a page of another site puts into itself, with the URL that starts a login. */
const ELEMENTS: Readonly<Record<string, (url: string) => string>> = {
  images: (url) => `<img src="${url}">`,
  frames: (url) => `<iframe src="${url}"></iframe>`,
  scripts: (url) => `<script src="${url}"></script>`,
  'style sheets': (url) => `<link rel="stylesheet" href="${url}">`,
  prefetching: (url) => `<link rel="prefetch" href="${url}">`,
  'fetch with cookies': (url) =>
    `<script>fetch('${url}', { mode: 'no-cors', credentials: 'include' }).catch(() => {});</script>`,
  'forms that submit themselves into frames': (url) => {
    const name = `frame-${url.slice(-1)}`;
    return `<iframe name="${name}"></iframe><form method="post" action="${url}" target="${name}"></form>`;
  },
};

const SUBMIT = '<script>for (const form of document.forms) form.submit();</script>';

describeEach(
  'a page of another site, in Chromium',
  ({ subject, serving }) => {
    const { provider } = subject;
    const closing = closesAfterEach();
    const { page, context } = inChromium();

    /** An application at shop.localhost, with the user's own login begun in a tab, and pages at evil.localhost. */
    async function scene() {
      const { world, server } = await serving();
      const shop = `http://shop.localhost:${server.port}`;
      const foreign = closing(
        await serve((incoming, outgoing) => {
          const { searchParams } = new URL(incoming.url ?? '', 'http://evil.localhost');
          outgoing.setHeader('content-type', 'text/html');
          outgoing.end(`<!doctype html><title>Evil</title>${searchParams.get('body') ?? ''}`);
        }),
      );
      const tab = await context.newPage();
      await tab.goto(`${shop}/login/${provider}`);
      const open = (body: string) =>
        page.goto(`http://evil.localhost:${foreign.port}/?body=${encodeURIComponent(body)}`);
      return { world, server, shop, tab, open };
    }

    /** Expects so many cookies of pending logins: of the user's own, and of those that another site began. */
    async function expectPending(own: number, foreign: number): Promise<void> {
      const names = (await context.cookies()).map(({ name }) => name);
      const count = (pattern: RegExp) => names.filter((name) => pattern.test(name)).length;
      expect([count(/^login\.(?!x\.)/), count(/^login\.x\./)]).to.deep.equal([own, foreign]);
    }

    async function expectLogin({ world, tab, shop }: Awaited<ReturnType<typeof scene>>): Promise<void> {
      const alice = personOf(subject, world, 'alice');
      const callback = await tab.goto(`${tab.url()}&auto=allow&person=alice`);
      expect((await callback?.json())?.user).to.deep.equal(alice);
      const me = await tab.goto(`${shop}/me`);
      expect([me?.status(), (await me?.json())?.user]).to.deep.equal([200, alice]);
    }

    const refusals = ({ endings }: LoginApp) =>
      endings.filter(({ failure }) => JSON.stringify(failure)?.includes('"not_a_navigation"'));

    it('C33: starts no login by images, frames, scripts, prefetching, fetch or forms in frames', async () => {
      const started = await scene();
      const { world, server, shop, open } = started;
      const requests = backendRequests(world);
      for (const [title, element] of Object.entries(ELEMENTS)) {
        const before = refusals(server).length;
        // The callback's route takes every method, and reports how a start failed.
        const at = `${shop}/api/auth/callback/${provider}`;
        const urls = Array.from({ length: TRIES }, (_, n) => `${at}?n=${n}`);
        await open(urls.map(element).join('') + SUBMIT);
        const isRefused = async () => {
          while (refusals(server).length < before + TRIES) await page.waitForTimeout(20);
        };
        await Promise.race([isRefused(), page.waitForTimeout(7_000)]);
        expect([title, refusals(server).length - before]).to.deep.equal([title, TRIES]);
      }
      await expectPending(1, 0);
      expect(backendRequests(world)).to.deep.equal(requests);
      await expectLogin(started);
    }).timeout(60_000);

    it('C33: starts no login by forms that submit themselves, whose requests carry no cookie of the application', async () => {
      const started = await scene();
      const { server, shop, open } = started;
      for (let count = 0; count < TRIES; count += 1) {
        const at = `${shop}/api/auth/callback/${provider}`;
        const response = page.waitForResponse((one) => one.url() === at);
        await open(`<form method="post" action="${at}"></form>${SUBMIT}`);
        expect((await response).status()).to.equal(403);
      }
      expect(refusals(server)).to.have.length(TRIES);
      await expectPending(1, 0);
      await expectLogin(started);
    }).timeout(60_000);

    it("C34: forces starts by links and redirects, which keep two cookies and push out none of the user's", async () => {
      const started = await scene();
      const { server, shop, open, world } = started;
      for (let count = 0; count < 3; count += 1) {
        await open(`<a href="${shop}/login/${provider}">A kitten</a>`);
        await page.getByText('A kitten').click();
        await page.waitForURL(`${world.url}/**`);
        await open(`<script>location = '${shop}/login/${provider}';</script>`).catch(() => {});
        await page.waitForURL(`${world.url}/**`);
      }
      await expectPending(1, 2);
      // Nothing failed: the user may follow a link of another site to log in.
      expect(server.endings).to.deep.equal([]);
      await expectLogin(started);
      const last = await page.goto(`${page.url()}&auto=allow&person=anna`);
      expect((await last?.json())?.user).to.deep.equal(personOf(subject, world, 'anna'));
    }).timeout(60_000);
  },
  // A browser does the same with every network; this one speaks both protocols.
  ({ name }) => name === 'MicroblogStrategy',
);
