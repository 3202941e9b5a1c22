import { existsSync } from 'node:fs';

/** A part of a page. */
interface Locator {
  check(): Promise<void>;
  uncheck(): Promise<void>;
  click(): Promise<void>;
  isDisabled(): Promise<boolean>;
  waitFor(): Promise<void>;
}

/** A tab. */
export interface Page {
  readonly keyboard: { press(key: string): Promise<void> };
  goto(address: string): Promise<unknown>;
  url(): string;
  getByText(text: string): Locator;
  getByRole(role: 'button' | 'checkbox' | 'link' | 'radio', options: { readonly name: string }): Locator;
  /** Evaluates an expression of JavaScript in the page. */
  evaluate(expression: string): Promise<unknown>;
  emulateMedia(options: { readonly colorScheme: 'dark' | 'light' }): Promise<void>;
  on(event: 'console', listener: (message: { text(): string }) => void): unknown;
  on(event: 'request', listener: (request: { url(): string }) => void): unknown;
  close(): Promise<void>;
}

export interface Chromium {
  newPage(options: { readonly viewport: { readonly width: number; readonly height: number } }): Promise<Page>;
  close(): Promise<void>;
}

interface Playwright {
  readonly chromium: {
    launch(options: { readonly executablePath: string; readonly args: readonly string[] }): Promise<Chromium>;
  };
}

// The declarations that playwright-core brings need those of a browser's globals, which no code of this package has.
const playwright: Playwright = require('playwright-core');

const PATH = '/usr/bin/chromium';

/** Whether the tests that need Chromium are to run: where it is installed, and wherever all tests must run. */
export const runsChromium = existsSync(PATH) || process.env.CI === 'true';

/** Starts Chromium, without a window. */
export function launchChromium(): Promise<Chromium> {
  return playwright.chromium.launch({ executablePath: PATH, args: ['--no-sandbox'] });
}
