import type { Browser, BrowserContext, BrowserContextOptions, Locator, Page } from 'playwright-core';

/** A visitor's choices on the sandbox's consent page. */
export interface Choices {
  readonly person?: string;
  readonly decision?: 'Allow' | 'Deny';
  /** Scopes to untick. */
  readonly without?: readonly string[];
}

/** A visitor with a separate browser context, without JavaScript by default. */
export class Visitor {
  private constructor(
    private readonly context: BrowserContext,
    readonly page: Page,
    private readonly home: string,
  ) {}

  static async arrive(browser: Browser, home: string, options: BrowserContextOptions = {}): Promise<Visitor> {
    const context = await browser.newContext({ javaScriptEnabled: false, ...options });
    context.setDefaultTimeout(20_000);
    return new Visitor(context, await context.newPage(), home);
  }

  /** Opens another tab of the same browser. */
  async openTab(): Promise<Visitor> {
    return new Visitor(this.context, await this.context.newPage(), this.home);
  }

  /** @returns The page's HTTP status. */
  async goTo(path: string): Promise<number> {
    const response = await this.page.goto(`${this.home}${path}`);
    return response?.status() ?? 0;
  }

  get path(): string {
    return this.page.url().slice(this.home.length);
  }

  get heading(): Promise<string> {
    return this.page.locator('h1').innerText();
  }

  get text(): Promise<string> {
    return this.page.locator('main').innerText();
  }

  /** Gives consent at a network but does not follow the redirect. @returns The redirect's path and query. */
  async stopBefore(network: string): Promise<string> {
    await this.goTo('/signin');
    await this.choose(network);
    const consentURL = `${this.page.url()}&auto=allow`;
    const { location = '' } = (await this.context.request.get(consentURL, { maxRedirects: 0 })).headers();
    return location.slice(this.home.length);
  }

  /** Clicks the button of a network on the sign-in page. */
  async choose(network: string): Promise<void> {
    await this.clickVisibly(this.page.locator(`a.choice[href^="/api/auth/signin/${network}?"]`));
  }

  /** Clicks a button that may be folded. */
  private async clickVisibly(button: Locator): Promise<void> {
    if (!(await button.isVisible())) await this.page.getByText('Other protocols').click();
    await button.click();
  }

  /** Submits the consent page. */
  async consent({ person = 'alice', decision = 'Allow', without = [] }: Choices = {}): Promise<void> {
    const choice = this.page.locator(`input[name=person][value="${person}"]`);
    if (!(await choice.isVisible())) await this.page.getByText('Someone else').click();
    await choice.check();
    for (const scope of without) await this.page.locator(`input[name=scope][value="${scope}"]`).uncheck();
    await this.page.getByRole('button', { name: decision }).click();
  }

  async signIn(network: string, choices?: Choices): Promise<void> {
    await this.goTo('/signin');
    await this.choose(network);
    await this.consent(choices);
  }

  async link(network: string, choices?: Choices): Promise<void> {
    await this.goTo('/accounts');
    await this.beginLink(network);
    await this.consent(choices);
  }

  /** Clicks the button that links a network, on the page of linked accounts. */
  async beginLink(network: string): Promise<void> {
    await this.clickVisibly(this.page.locator(`.links form[action="/accounts/link/${network}"] button`));
  }

  /** Presses a button of a linked account. */
  async press(network: string, button: string): Promise<void> {
    await this.goTo('/accounts');
    await this.page
      .locator(`[data-network="${network}"] .actions`)
      .getByText(button, { exact: true })
      .click();
  }

  /** Unlinks an account, with a fresh login through another one. */
  async unlink(network: string, choices?: Choices): Promise<void> {
    await this.press(network, 'Unlink');
    await this.confirm(/ and unlink$/);
    await this.consent(choices);
  }

  async revoke(network: string): Promise<void> {
    await this.press(network, 'Revoke tokens');
    await this.confirm('Revoke tokens');
  }

  /** Presses the button of a page that asks before a change. */
  async confirm(button: string | RegExp): Promise<void> {
    await this.page.getByRole('button', { name: button }).click();
  }

  async signOut(): Promise<void> {
    await this.page.getByRole('button', { name: 'Sign out' }).click();
  }

  /** The networks of the linked accounts. */
  async linked(): Promise<string[]> {
    await this.goTo('/accounts');
    return this.page
      .locator('[data-network]')
      .evaluateAll((cards) => cards.map((card) => card.getAttribute('data-network') ?? ''));
  }

  /** The labels of an account's buttons that change something. */
  async buttons(network: string): Promise<string[]> {
    await this.goTo('/accounts');
    const labels = await this.page.locator(`[data-network="${network}"] .button`).allInnerTexts();
    return labels.filter((label) => label !== 'Show profile');
  }

  /** The database IDs of the linked accounts, or of a network's account only. */
  async accountIDs(network?: string): Promise<string[]> {
    await this.goTo('/accounts');
    const card = network === undefined ? '.account' : `[data-network="${network}"]`;
    const links = await this.page.locator(`${card} a[href^="/profile?account="]`).all();
    const targets = await Promise.all(links.map((link) => link.getAttribute('href')));
    return targets.map((target) => target?.split('=')[1] ?? '');
  }

  async accountID(network: string): Promise<string> {
    return (await this.accountIDs(network))[0] ?? '';
  }

  /** Submits a form with a valid CSRF token, even if no page offers it. */
  async send(path: string): Promise<{ status: number; text: string }> {
    const token = await this.page.locator('input[name=csrfToken]').first().getAttribute('value');
    return this.sendForeign(path, { csrfToken: token ?? '' });
  }

  /** Submits a form as another site could. */
  async sendForeign(
    path: string,
    form: Readonly<Record<string, string>>,
  ): Promise<{ status: number; text: string }> {
    const response = await this.context.request.post(`${this.home}${path}`, { form, maxRedirects: 0 });
    return { status: response.status(), text: await response.text() };
  }

  async leave(): Promise<void> {
    await this.context.close();
  }
}

/** A browser and the URL of the app, available when the tests run. */
export interface Scene {
  readonly browser: Browser;
  readonly url: string;
}

/** Creates visitors, each with a separate browser context, and closes them after the test. */
export function arrivals(scene: () => Scene): () => Promise<Visitor> {
  const visitors: Visitor[] = [];
  afterEach(async () => {
    await Promise.all(visitors.splice(0).map((visitor) => visitor.leave()));
  });
  return async () => {
    const visitor = await Visitor.arrive(scene().browser, scene().url);
    visitors.push(visitor);
    return visitor;
  };
}
