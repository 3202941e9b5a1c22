import { expect } from 'chai';
import { type Sandbox, startSandbox } from '../../../sandbox/lib/index.js';
import { Browser, type Page } from '../../support/browser.js';
import { closesAfterEach } from '../../support/cleanup.js';
import { allow, callbackOf as callbackOfStart, start as startAt } from '../../support/journey.js';
import { collectsWarnings } from '../../support/warnings.js';
import { AUTHORIZE_APPS } from './authorize-apps.js';
import { type ExampleApp, type Framework, startExample } from './example-app.js';
import { callbackOf } from './example-journey.js';
import { FRAMEWORKS, titleOf } from './frameworks.js';
import { accountOf, NETWORKS, type Network, sandboxNetworks } from './networks.js';

const SAME_ORIGIN = { 'sec-fetch-site': 'same-origin' };
const [FIRST, MICROBLOG, ...OTHERS] = NETWORKS as [Network, Network, ...Network[]];

describe('a link to another login', () => {
  const opened = closesAfterEach();
  collectsWarnings();
  let sandbox: Sandbox;

  before(async () => {
    sandbox = await startSandbox();
  });

  after(() => sandbox?.close());

  // The NestJS examples have one controller for all frameworks, and tests of their own.
  for (const framework of FRAMEWORKS.filter(({ title }) => !title.startsWith('NestJS'))) {
    describe(`in the example for ${titleOf(framework)}`, () => {
      const visitors = async () =>
        new Visitors(
          framework,
          opened(await startExample(framework, { networks: sandboxNetworks(sandbox) })),
        );

      for (const network of [MICROBLOG, ...OTHERS]) {
        it(`at ${network.name} leads to the account of the user who asked for it, in every browser`, async () => {
          const { logIn, link, account } = await visitors();
          const alice = await logIn(FIRST.name, 'alice');
          const linked = await link(alice, network.name, 'max');
          expect(await account(alice, linked)).to.deep.equal(accountOf(FIRST, sandbox, 'alice'));
          const elsewhere = await logIn(network.name, 'max');
          expect(await account(elsewhere, elsewhere.page)).to.deep.equal(accountOf(FIRST, sandbox, 'alice'));
        });
      }

      it('does not take a login from another account', async () => {
        const { logIn, link, account } = await visitors();
        await logIn('microblog', 'max');
        const alice = await logIn(FIRST.name, 'alice');
        const refused = await link(alice, 'microblog', 'max');
        expect([refused.status, refused.json.message]).to.deep.equal([
          409,
          'This login belongs to another account.',
        ]);
        const max = await logIn('microblog', 'max');
        expect(await account(max, max.page)).to.deep.equal(accountOf(MICROBLOG, sandbox, 'max'));
      });

      it('does not begin with a form of another site, nor with nobody logged in', async () => {
        const { app, logIn, send } = await visitors();
        const alice = await logIn(FIRST.name, 'alice');
        for (const site of ['cross-site', 'same-site', 'none', undefined]) {
          const page = await send(alice, 'microblog', site === undefined ? {} : { 'sec-fetch-site': site });
          expect([page.status, page.location], site).to.deep.equal([403, '']);
        }
        const nobody = { browser: new Browser(), page: alice.page, token: 'forged' };
        const page = await send(nobody, 'microblog', SAME_ORIGIN);
        expect(`${page.status} ${page.location}`).to.be.oneOf(['401 ', `302 ${app.url}/`]);
      });

      if (framework.sessions === undefined) return;

      it('does not finish for another user, who has logged in since', async () => {
        const { app, logIn, begin, account } = await visitors();
        const alice = await logIn(FIRST.name, 'alice');
        const callback = await allow(alice.browser, await begin(alice, 'microblog'), 'max');
        const page = await alice.browser.get(await callbackOf(alice.browser, app, FIRST.name, 'anna'));
        expect(await account(alice, page)).to.deep.equal(accountOf(FIRST, sandbox, 'anna'));
        const refused = await alice.browser.get(callback);
        expect([refused.status, refused.json.message]).to.deep.equal([
          409,
          'Somebody else has logged in since.',
        ]);
        const max = await logIn('microblog', 'max');
        expect(await account(max, max.page)).to.deep.equal(accountOf(MICROBLOG, sandbox, 'max'));
      });
    });
  }

  for (const authorizeApp of AUTHORIZE_APPS) {
    describe(`through authorize in ${authorizeApp.title}`, () => {
      const app = async () => opened(await authorizeApp.load(sandbox));
      const logIn = async (browser: Browser, url: string, person: string) =>
        (await browser.get(await callbackOfStart(browser, { url }, 'short-video', person))).json;

      it('brings back the state, and leaves the user logged in', async () => {
        const { url } = await app();
        const browser = new Browser();
        const { user } = await logIn(browser, url, 'alice');
        const page = await browser.get(await callbackOfStart(browser, { url }, 'microblog', 'max'));
        expect(page.json).to.deep.equal({ user, login: 'microblog:1823456789012345679', state: 'a link' });
        expect((await browser.get(`${url}/me`)).json).to.deep.equal({ user });
      });

      it('does not finish a login that began with nobody logged in, or with another user', async () => {
        const { url } = await app();
        const browser = new Browser();
        const byNobody = await startAt(browser, { url }, 'microblog');
        await logIn(browser, url, 'alice');
        const byAlice = await callbackOfStart(browser, { url }, 'microblog', 'max');
        const { status, json } = await browser.get(await allow(browser, byNobody, 'max'));
        expect([status, json.code]).to.deep.equal([403, 'unknown_login']);
        await logIn(browser, url, 'anna');
        const late = await browser.get(byAlice);
        expect([late.status, late.json.code]).to.deep.equal([403, 'unknown_login']);
      });
    });
  }
});

/** A browser in which somebody logged in. */
interface Visit {
  readonly browser: Browser;
  /** The response to the authorization response. */
  readonly page: Page;
  /** Without a session: the application's token. */
  readonly token: string;
}

/** What visitors of an example do. */
class Visitors {
  constructor(
    private readonly framework: Framework,
    readonly app: ExampleApp,
  ) {}

  readonly logIn = async (name: string, person: string): Promise<Visit> => {
    const browser = new Browser();
    const page = await browser.get(await callbackOf(browser, this.app, name, person));
    return { browser, page, token: page.json?.token };
  };

  readonly account = ({ browser }: Visit, page: Page): Promise<unknown> =>
    this.framework.accountAfter(browser, this.app, page);

  /** Sends the form that begins a link. */
  readonly send = ({ browser, token }: Visit, name: string, headers: Record<string, string>) =>
    browser.post(
      `${this.app.url}/link/${name}`,
      this.framework.sessions === undefined ? { token } : {},
      headers,
    );

  /** Begins a link. @returns The URL of the authorization request. */
  readonly begin = async (visit: Visit, name: string): Promise<string> => {
    const { status, location, text } = await this.send(visit, name, SAME_ORIGIN);
    if (status === 302) return location;
    throw new Error(`expected a redirect, but got HTTP ${status}: ${text.slice(0, 300)}`);
  };

  /** Links a login. @returns The response to the authorization response. */
  readonly link = async (visit: Visit, name: string, person: string): Promise<Page> =>
    visit.browser.get(await allow(visit.browser, await this.begin(visit, name), person));
}
