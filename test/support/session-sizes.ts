import { join } from 'node:path';
import { expect } from 'chai';

/** Environment that makes an application print the sizes of the sessions that it stores. */
export const PRINT_SESSION_SIZES = { NODE_OPTIONS: `--require ${join(__dirname, 'session-sizes.cjs')}` };

/** Sends forged authorization responses to an application. @param open - Opens a path in one browser that has a session. */
export async function sendForgedResponses(
  open: (path: string) => Promise<unknown>,
  output: () => string,
): Promise<void> {
  const before = output().length;
  const stored = () =>
    [
      ...output()
        .slice(before)
        .matchAll(/^stored a session of (\d+) bytes$/gm),
    ].map(([, size]) => Number(size));
  await open('/api/auth/signin/microblog');
  const [size] = stored();
  expect(size, 'the size of the first session').to.be.greaterThan(0);
  for (let count = 0; count < 50; count += 1)
    await open('/api/auth/callback/microblog?code=FORGED&state=FORGED');
  const largest = Math.max(...stored());
  expect(largest, 'bytes of the largest session').to.equal(size);
}
