import { existsSync } from 'node:fs';

interface Locator {
  check(): Promise<void>;
  uncheck(): Promise<void>;
  click(): Promise<void>;
  isDisabled(): Promise<boolean>;
  isVisible(): Promise<boolean>;
  /** Place in the window, in pixels. */
  boundingBox(): Promise<{ readonly y: number; readonly height: number } | null>;
  waitFor(options?: { readonly timeout?: number }): Promise<void>;
}

export interface Page {
  readonly keyboard: { press(key: string): Promise<void> };
  goto(url: string): Promise<unknown>;
  url(): string;
  getByText(text: string, options?: { readonly exact: boolean }): Locator;
  getByRole(role: 'button' | 'checkbox' | 'link' | 'radio', options: { readonly name: string }): Locator;
  /** Evaluates a JavaScript expression in the page. */
  evaluate(expression: string): Promise<unknown>;
  emulateMedia(options: { readonly colorScheme: 'dark' | 'light' }): Promise<void>;
  on(event: 'console', listener: (message: { text(): string }) => void): unknown;
  on(event: 'request', listener: (request: { url(): string }) => void): unknown;
  screenshot(options: { readonly path: string; readonly fullPage: boolean }): Promise<unknown>;
  close(): Promise<void>;
}

/** Settings of a new page. */
interface PageOptions {
  readonly viewport: { readonly width: number; readonly height: number };
  readonly colorScheme?: 'dark' | 'light';
  /** For axe, which the pages' policy would block. */
  readonly bypassCSP?: boolean;
  readonly javaScriptEnabled?: boolean;
  readonly permissions?: readonly string[];
  readonly ignoreHTTPSErrors?: boolean;
}

export interface Chromium {
  newPage(options: PageOptions): Promise<Page>;
  close(): Promise<void>;
}

interface Playwright {
  readonly chromium: {
    launch(options: { readonly executablePath: string; readonly args: readonly string[] }): Promise<Chromium>;
  };
}

// The type declarations of playwright-core need the DOM library, which this package does not use.
const playwright: Playwright = require('playwright-core');

const PATH = '/usr/bin/chromium';

/** Whether to run the tests that need Chromium: when it is installed, and always in CI. */
export const runsChromium = existsSync(PATH) || process.env.CI === 'true';

/** Starts a headless Chromium. */
export function launchChromium(): Promise<Chromium> {
  return playwright.chromium.launch({ executablePath: PATH, args: ['--no-sandbox'] });
}
