import type { Context } from 'mocha';

/** Skips tests on a machine that lacks something, and says so; where everything has to be there they fail. */
export function needs(context: Context, isThere: boolean, sentence: string): void {
  if (isThere) return;
  if (process.env.CI === 'true') throw new Error(sentence);
  console.log(`      skipped: ${sentence}`);
  context.skip();
}
