import { existsSync } from 'node:fs';
import type { Context } from 'mocha';
import type { Browser } from 'playwright-core';

/** Skips tests with a message if a requirement is missing. Throws instead if `CI=true`. */
export function needs(context: Context, isThere: boolean, sentence: string): void {
  if (isThere) return;
  if (process.env.CI === 'true') throw new Error(sentence);
  console.log(`      skipped: ${sentence}`);
  context.skip();
}

/** Chromium without the parts that draw windows: it renders the same pages in half the time. */
export const CHROMIUM = '/usr/bin/chromium-headless-shell';

export function needsChromium(context: Context): void {
  needs(context, existsSync(CHROMIUM), 'These tests need Chromium: apt-get install chromium-headless-shell.');
}

/** Launches Chromium without background requests, so that tests use this machine only. */
export async function launchChromium(): Promise<Browser> {
  const { chromium } = await import('playwright-core');
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
