import type { RequestListener } from 'node:http';
import type { Browser, Page } from '../../support/browser.js';
import { serve, type TestServer } from '../../support/server.js';

// biome-ignore lint/suspicious/noExplicitAny: a verify function of any form, including invalid ones.
export type AnyVerify = (...args: any[]) => unknown;

/** Settings for starting an example. */
export interface Settings {
  /** Options by strategy name. */
  readonly networks: Readonly<Record<string, object>>;
  /** At least 32 characters. */
  readonly secret: string;
  readonly trustProxy?: boolean;
  /** @default the example's verify function */
  readonly verify?: AnyVerify;
  /** Called with each error that the example logs. */
  readonly report: (error: unknown) => void;
}

/** An example that accepts requests. */
export interface Listening {
  readonly listener: RequestListener;
  close?(): unknown;
}

/** An example, or one of its variants. */
export interface Framework {
  readonly title: string;
  /** The session middleware; absent without sessions. */
  readonly sessions?: string;
  load(settings: Settings): Promise<Listening>;
  /** Returns the account that is logged in after a callback. */
  accountAfter(browser: Browser, app: TestServer, page: Page): Promise<unknown>;
}

/** A listening example and its logged errors. */
export interface ExampleApp extends TestServer {
  /** Logged errors, in order. */
  readonly reports: Error[];
}

export const SECRET = 'a-secret-of-at-least-thirty-two-characters';

/** Starts an example on a free port. */
export async function startExample(
  framework: Framework,
  settings: Omit<Settings, 'secret' | 'report'>,
): Promise<ExampleApp> {
  const reports: Error[] = [];
  const report = (error: unknown) => reports.push(error as Error);
  const example = await framework.load({ ...settings, secret: SECRET, report });
  const server = await serve(example.listener);
  const close = async () => {
    await server.close();
    await example.close?.();
  };
  return { url: server.url, port: server.port, reports, close };
}
