import type { Context } from 'mocha';

/** Skips tests with a message if a requirement is missing. Throws instead if `CI=true`. */
export function needs(context: Context, isThere: boolean, sentence: string): void {
  if (isThere) return;
  if (process.env.CI === 'true') throw new Error(sentence);
  console.log(`      skipped: ${sentence}`);
  context.skip();
}
