import type { Page } from '../support/browser.js';
import { Browser } from '../support/browser.js';

/** A browser that visits a program from the documentation. */
export class Visitor {
  private readonly browser = new Browser();
  private readonly app: string;

  constructor(app: string) {
    this.app = app;
  }

  /**
   * Opens a page of the application. Ignores the URL's host and port, because the examples register
   * `https://localhost:3000/...` but listen on a port of the test.
   */
  async open(url: string, headers: Readonly<Record<string, string>> = {}): Promise<Page> {
    const { pathname, search } = new URL(url, this.app);
    return this.browser.get(`${this.app}${pathname}${search}`, headers);
  }

  async post(path: string, form: Readonly<Record<string, string>> = {}): Promise<Page> {
    return this.browser.post(`${this.app}${path}`, form);
  }

  /** Starts a login. @returns The URL of the network's consent page. */
  async start(path: string, headers?: Readonly<Record<string, string>>): Promise<string> {
    return redirectOf(await this.open(path, headers));
  }

  /** Submits the sandbox's consent page. @returns The URL with the authorization response. */
  async consent(url: string, choices = 'auto=allow&person=alice'): Promise<string> {
    return redirectOf(await new Browser().get(`${url}&${choices}`));
  }

  /** Performs a complete login. @returns The final page. */
  async logIn(path: string, choices?: string): Promise<Page> {
    return this.follow(await this.open(await this.consent(await this.start(path), choices)));
  }

  /** Follows the application's redirects. */
  async follow(page: Page): Promise<Page> {
    return page.location === '' ? page : this.follow(await this.open(page.location));
  }
}

function redirectOf(page: Page): string {
  if (page.location !== '') return page.location;
  throw new Error(`expected a redirect, but got HTTP ${page.status}: ${page.text.slice(0, 300)}`);
}
