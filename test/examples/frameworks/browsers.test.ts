import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { textOf } from '../../guides/pages.js';
import { programsOf, withSessions } from '../../guides/programs.js';
import { consent, inChromium } from '../../support/chromium.js';
import { realSockets } from '../../support/real-sockets.js';
import { oneSandbox } from '../../support/sandbox.js';
import { forward, serve, servePage, type TestServer } from '../../support/server.js';
import { accountOf, FRAMEWORKS, listen, SHORT_VIDEO, sandboxNetworks } from './harness.js';

/** An application to stand below the guide's routes for VK's own button. */
const appWith = (sdk: string) => `
import express from 'express';
import session from 'express-session';
import passport from 'passport';
import { SocialNetworkStrategy } from 'passport-social-networks';

const { SOCIAL_NETWORK_VK_ID_CLIENT_ID: clientID, SOCIAL_NETWORK_VK_ID_CLIENT_SECRET: clientSecret } = process.env;
const verify = async (_accessToken, _refreshToken, { id, displayName: name }) => ({ id, name });
const strategy = new SocialNetworkStrategy({ version: '2.1', clientID, clientSecret }, verify);
passport.use(strategy);
passport.serializeUser((user, done) => done(null, user));
passport.deserializeUser((user, done) => done(null, user));
const app = express();
app.use(session({ secret: 's', resave: false, saveUninitialized: false }), passport.session(), oneTap(strategy));
app.get('/api/auth/callback/social-network', passport.authenticate('social-network', { successRedirect: '/', failWithError: true }));
app.get('/', ({ user }, res) => {
  res.send(user ? 'Hello ' + user.name : '<div id="vk-id"></div><script src="${sdk}"></script><script src="/one-tap.js"></script>');
});
app.listen();
`;

describe('In Chromium', function () {
  this.timeout(120_000);
  const closing = realSockets();
  const { page, context } = inChromium();
  const singlePage = programsOf('docs/single-page-and-mobile.md');

  describe('with helmet', () => {
    const sandbox = oneSandbox();
    // One for each helmet plugin. The policy is in a file that the examples share.
    const plugins = ['Express 5, express-session', 'Fastify 5, @fastify/session', 'Koa 3, koa-session'];
    for (const framework of FRAMEWORKS.filter(({ title }) => plugins.includes(title))) {
      it(`a form of the example for ${framework.title} links a login`, async () => {
        const networks = sandboxNetworks(sandbox);
        const app = closing(await listen((settings) => framework.load({ networks, ...settings })));
        await page.goto(`${app.url}/api/auth/signin/short-video`);
        await consent(page);
        await page.goto(`${app.url}/logins`);
        await page.getByRole('button', { name: 'Link microblog', exact: true }).click();
        await consent(page, 'max');
        await page.waitForURL(`${app.url}/`);
        await context.clearCookies();
        await page.goto(`${app.url}/api/auth/signin/microblog`);
        await consent(page, 'max');
        expect(JSON.parse(await page.locator('body').innerText())).to.deep.equal(
          accountOf(SHORT_VIDEO, sandbox, 'alice'),
        );
      });
    }
  });

  describe('a login in a popup', () => {
    async function openPopup(): Promise<Page> {
      const change = withSessions('{ id, name }');
      await page.goto(`${(await singlePage.start('popup.mjs', { change })).url}/page`);
      const popup = page.waitForEvent('popup');
      await page.getByRole('button', { name: 'Log in' }).click();
      return popup;
    }

    it('tells the page that opened it, and closes', async () => {
      const popup = await openPopup();
      const closed = popup.waitForEvent('close');
      await consent(popup);
      await page.getByText('Hello Alice Example').waitFor();
      await closed;
    });

    it('also says that the user declined', async () => {
      const popup = await openPopup();
      const [reloaded] = await Promise.all([
        page.waitForEvent('domcontentloaded'),
        popup.waitForEvent('close'),
        popup.getByRole('button', { name: 'Deny' }).click(),
      ]);
      await reloaded.getByRole('button', { name: 'Log in' }).waitFor();
    });
  });

  describe("VK's own button", () => {
    const CALLBACK = [
      "new VKIDSDK.OneTap().on(VKIDSDK.OneTapInternalEvents.LOGIN_SUCCESS, (payload) => location.assign('/api/auth/callback/social-network?' + new URLSearchParams(payload)))",
      'VKIDSDK.ConfigResponseMode.Callback',
    ] as const;

    const { sandbox, start } = programsOf('docs/vk.md');
    /** The program of the guide, in an application with sessions, and the sandbox's stand-in for VK's SDK. */
    const oneTap = (change = (code: string) => code) =>
      start('one-tap.mjs', {
        change: (code) => `${change(code)}${appWith(`${sandbox().url}/vk-id/sdk.js`)}`,
      });

    async function openTab(url: string): Promise<Page> {
      await page.goto(url);
      const opened = context.waitForEvent('page');
      await page.getByRole('button', { name: 'Sign in with VK ID' }).click();
      return opened;
    }

    it('C47: logs in, responseMode Redirect', async () => {
      const { url } = await oneTap();
      await consent(await openTab(url));
      await page.getByText('Hello Alice Example').waitFor();
      expect(page.url()).to.equal(`${url}/`);
    });

    it('C47: logs in, responseMode Callback, with the line of the guide', async () => {
      const [line, mode] = CALLBACK;
      expect(textOf('docs/vk.md')).to.include(`\`${line}\``);
      const { url } = await oneTap((code) =>
        code.replace('VKIDSDK.ConfigResponseMode.Redirect', mode).replace('new VKIDSDK.OneTap()', line),
      );
      await consent(await openTab(url));
      await page.getByText('Hello Alice Example').waitFor();
    });

    it('C47: a page of another site gets neither parameters nor a cookie', async () => {
      const { url } = await oneTap();
      const form = `<form method="post" action="${url}/api/auth/one-tap"><button>A kitten</button></form>`;
      const evil = closing(await servePage(form));
      const foreign = `http://evil.localhost:${evil.port}/`;
      await page.goto(foreign);
      const script = (mode: string) =>
        `fetch('${url}/api/auth/one-tap', { method: 'POST', credentials: 'include', mode: '${mode}' }).then(({ type, status }) => type + status, ({ name }) => name)`;
      expect(await page.evaluate(script('cors'))).to.equal('TypeError');
      expect(await page.evaluate(script('no-cors'))).to.equal('opaque0');
      const answered = page.waitForResponse((response) => response.url().startsWith(url));
      await page.getByRole('button').click();
      const response = await answered;
      expect([response.status(), (await response.json()).code]).to.deep.equal([403, 'not_a_navigation']);
      expect(await context.cookies()).to.deep.equal([]);
    });
  });

  describe('a single-page application', () => {
    const SCRIPT = 'fetch(api + "/api/me", { credentials: "include" }).then((response) => response.json())';

    // The test's port is known only when the program listens.
    const withoutBaseURL = (code: string) =>
      code.replace(/^const baseURL = .*$/m, 'const baseURL = undefined;');
    const startAPI = (origin: string, PROXIES = '') =>
      singlePage.start('spa-api.mjs', { env: { APP_ORIGINS: origin, PROXIES }, change: withoutBaseURL });

    /** A server of static pages that forwards `/api` to a port. */
    async function pages(forwardTo?: () => number): Promise<TestServer> {
      return serve((incoming, outgoing) => {
        if (forwardTo && incoming.url?.startsWith('/api/')) {
          const host = `127.0.0.1:${forwardTo()}`;
          const forwarded = { 'x-forwarded-proto': 'http', 'x-forwarded-for': '192.0.2.1' };
          const headers = {
            ...incoming.headers,
            host,
            'x-forwarded-host': incoming.headers.host,
            ...forwarded,
          };
          return forward(incoming, outgoing, `http://${host}`, headers);
        }
        outgoing.setHeader('content-type', 'text/html');
        outgoing.end('<!doctype html><title>The application</title>');
      });
    }

    /** Logs in from a page of the application. @returns The user that the page then gets from the API. */
    async function logInFrom(address: string, api: string): Promise<unknown> {
      await page.goto(address);
      await page.evaluate(
        `location.assign(${JSON.stringify(api)} + '/api/auth/signin/microblog?returnTo=' + encodeURIComponent(location.href))`,
      );
      await consent(page);
      await page.waitForURL(address);
      return page.evaluate(`const api = ${JSON.stringify(api)}; ${SCRIPT}`);
    }

    const USER = { user: { id: '2244994945', name: 'Alice Example' } };

    it('on a sibling subdomain logs in and out with the session cookie of the API; a host that only begins like it cannot read who is logged in', async () => {
      const { port } = closing(await pages());
      const origin = `http://app.shop.localhost:${port}`;
      const { url } = await startAPI(origin);
      const api = `http://api.shop.localhost:${new URL(url).port}`;
      expect(await logInFrom(`${origin}/cart?item=1#top`, api)).to.deep.equal(USER);
      const cookies = await context.cookies();
      expect(cookies.map(({ domain, sameSite }) => [domain, sameSite])).to.deep.equal([
        ['api.shop.localhost', 'Lax'],
      ]);
      await page.goto(`http://other.shop.localhost:${port}/`);
      const read = `const api = ${JSON.stringify(api)}; ${SCRIPT}`;
      expect(await page.evaluate(`${read}.catch((error) => error.name)`)).to.equal('TypeError');
      await page.goto(`${origin}/`);
      const status = await page.evaluate(
        `fetch(${JSON.stringify(api)} + '/api/signout', { method: 'POST', credentials: 'include' }).then(({ status }) => status)`,
      );
      expect(status).to.equal(204);
      expect(await page.evaluate(read)).to.deep.equal({});
    });

    it('on another site gets no user from the API, but through its own host it does', async () => {
      let apiPort = 0;
      const { port } = closing(await pages(() => apiPort));
      const origin = `http://app.localhost:${port}`;
      const { url } = await startAPI(origin, '1');
      apiPort = Number(new URL(url).port);
      expect(await logInFrom(`${origin}/cart`, `http://api.localhost:${apiPort}`)).to.deep.equal({});
      expect(await logInFrom(`${origin}/cart`, origin)).to.deep.equal(USER);
    });
  });
});
