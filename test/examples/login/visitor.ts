import { existsSync } from 'node:fs';
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright-core';

const CHROMIUM = '/usr/bin/chromium';

export const hasChromium = existsSync(CHROMIUM);

/** Everything that a browser does of its own accord is switched off: tests talk to this machine only. */
export function launch(): Promise<Browser> {
  return chromium.launch({
    executablePath: CHROMIUM,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}

/** How somebody answers the sandbox's consent page. */
export interface Answer {
  readonly person?: string;
  readonly decision?: 'Allow' | 'Deny';
  /** Scopes to untick. */
  readonly without?: readonly string[];
}

/** Somebody with a browser of their own, in which no JavaScript runs. */
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

  /** The same browser with another tab. */
  async openTab(): Promise<Visitor> {
    return new Visitor(this.context, await this.context.newPage(), this.home);
  }

  /** @returns The status of the page. */
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

  /** Goes to a network and says yes, but does not come back. @returns Where the way back would have led. */
  async stopBefore(network: string): Promise<string> {
    await this.goTo('/signin');
    await this.choose(network);
    const yes = `${this.page.url()}&auto=allow`;
    const { location = '' } = (await this.context.request.get(yes, { maxRedirects: 0 })).headers();
    return location.slice(this.home.length);
  }

  /** Clicks the button of a network on the sign-in page. */
  async choose(network: string): Promise<void> {
    await this.page.locator(`a.choice[href^="/api/auth/signin/${network}?"]`).click();
  }

  /** Answers the consent page. */
  async answer({ person = 'alice', decision = 'Allow', without = [] }: Answer = {}): Promise<void> {
    await this.page.locator(`input[name=person][value="${person}"]`).check();
    for (const scope of without) await this.page.locator(`input[name=scope][value="${scope}"]`).uncheck();
    await this.page.getByRole('button', { name: decision }).click();
  }

  async signIn(network: string, answer?: Answer): Promise<void> {
    await this.goTo('/signin');
    await this.choose(network);
    await this.answer(answer);
  }

  async link(network: string, answer?: Answer): Promise<void> {
    await this.goTo('/accounts');
    await this.page.locator(`form[action="/accounts/link/${network}"] button`).click();
    await this.answer(answer);
  }

  /** Presses a button of a linked account. */
  async press(network: string, button: string): Promise<void> {
    await this.goTo('/accounts');
    await this.page
      .locator(`[data-provider="${network}"]`)
      .getByRole('button', { name: button, exact: true })
      .click();
  }

  async signOut(): Promise<void> {
    await this.page.getByRole('button', { name: 'Sign out' }).click();
  }

  /** Networks of the accounts that are linked. */
  async linked(): Promise<string[]> {
    await this.goTo('/accounts');
    return this.page
      .locator('[data-provider]')
      .evaluateAll((cards) => cards.map((card) => card.getAttribute('data-provider') ?? ''));
  }

  /** The labels of an account's buttons. */
  async buttons(network: string): Promise<string[]> {
    await this.goTo('/accounts');
    return this.page.locator(`[data-provider="${network}"] button`).allInnerTexts();
  }

  /** The identifier in our database of the only account. */
  async accountID(network: string): Promise<string> {
    await this.goTo('/accounts');
    const link = this.page.locator(`[data-provider="${network}"] a[href^="/profile?account="]`);
    return (await link.getAttribute('href'))?.split('=')[1] ?? '';
  }

  /** Sends a form that no page offers, with the token that forms have. */
  async send(
    path: string,
    fields: Readonly<Record<string, string>> = {},
  ): Promise<{ status: number; text: string }> {
    const token = await this.page.locator('input[name=csrfToken]').first().getAttribute('value');
    return this.sendForeign(path, { csrfToken: token ?? '', ...fields });
  }

  /** Sends a form as another site could make the browser send it. */
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
