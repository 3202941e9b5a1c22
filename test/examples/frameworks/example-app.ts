import type { RequestListener } from 'node:http';
import type { LoginStore } from 'passport-social-networks';
import type { Browser, Page } from '../../support/browser.js';
import { serve, type TestServer } from '../../support/server.js';

// biome-ignore lint/suspicious/noExplicitAny: a verify function of any form, also of a wrong one.
export type AnyVerify = (...args: any[]) => unknown;

/** What an example is started with. */
export interface Settings {
  /** Strategy's name -> its options. */
  readonly networks: Readonly<Record<string, object>>;
  /** Of at least 32 characters. */
  readonly secret: string;
  readonly trustProxy?: boolean;
  /** The example's own choice when absent. */
  readonly store?: LoginStore;
  /** The example's own when absent. */
  readonly verify?: AnyVerify;
  /** Where the example logs errors. */
  readonly report: (error: unknown) => void;
}

/** An example that takes requests. */
export interface Listening {
  readonly listener: RequestListener;
  close?(): unknown;
}

/** One example, or one of its choices. */
export interface Framework {
  readonly title: string;
  /** What keeps sessions; absent where there are none. */
  readonly sessions?: string;
  load(settings: Settings): Promise<Listening>;
  /** The account in which a callback ended, as the application sees it from then on. */
  accountAfter(browser: Browser, app: TestServer, page: Page): Promise<unknown>;
}

/** An example that listens, and what it has logged. */
export interface ExampleApp extends TestServer {
  /** Errors that it logged, in order. */
  readonly reports: Error[];
}

export const SECRET = 'a-secret-of-at-least-thirty-two-characters';

/** Starts an example on a port of its own. */
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
