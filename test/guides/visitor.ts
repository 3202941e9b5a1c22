import type { Page } from '../support/browser.js';
import { Browser } from '../support/browser.js';

/** Somebody with a browser in front of a program of the documentation. */
export class Visitor {
  private readonly browser = new Browser();
  private readonly app: string;

  constructor(app: string) {
    this.app = app;
  }

  /**
   * Opens a page. What an address of another host and port leads to is asked of the application itself: examples register
   * `https://localhost:3000/...`, and listen wherever the test put them.
   */
  async open(address: string, headers: Readonly<Record<string, string>> = {}): Promise<Page> {
    const { pathname, search } = new URL(address, this.app);
    return this.browser.get(`${this.app}${pathname}${search}`, headers);
  }

  async post(path: string, form: Readonly<Record<string, string>> = {}): Promise<Page> {
    return this.browser.post(`${this.app}${path}`, form);
  }

  /** Starts a login. @returns The address of the network's consent page. */
  async start(path: string, headers?: Readonly<Record<string, string>>): Promise<string> {
    return redirectOf(await this.open(path, headers));
  }

  /** Answers a consent page of the sandbox. @returns The address of the callback. */
  async answer(consent: string, answer = 'auto=allow&person=alice'): Promise<string> {
    return redirectOf(await new Browser().get(`${consent}&${answer}`));
  }

  /** A whole login. @returns The page on which the person ends. */
  async logIn(path: string, answer?: string): Promise<Page> {
    return this.follow(await this.open(await this.answer(await this.start(path), answer)));
  }

  /** Goes where the application sends the browser. */
  async follow(page: Page): Promise<Page> {
    return page.location === '' ? page : this.follow(await this.open(page.location));
  }
}

function redirectOf(page: Page): string {
  if (page.location !== '') return page.location;
  throw new Error(`expected a redirect, but got HTTP ${page.status}: ${page.text.slice(0, 300)}`);
}
