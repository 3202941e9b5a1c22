import { ShortVideoStrategy } from '../../../lib/index.js';

// A process of its own, whose memory is the strategy's: asks for tokens at addresses that answer with a gigabyte.
const [, , url = ''] = process.argv;
const collect = global.gc ?? (() => {});

/** Calls the token endpoint at a path. @returns What the error's code is. */
async function refuse(path: string): Promise<string> {
  const options = { clientID: 'client', clientSecret: 'secret', tokenURL: `${url}${path}`, timeout: 60_000 };
  const strategy = new ShortVideoStrategy(options, () => undefined);
  return strategy.refresh('the-refresh-token').then(
    () => 'accepted',
    (error: Error & { code?: string }) => error.code ?? error.message,
  );
}

async function measure(form: string): Promise<void> {
  // Once before: code that is compiled and buffers that stay are no part of an answer's price.
  await refuse(`/${form}`);
  collect();
  const before = process.memoryUsage.rss();
  let peak = before;
  const watch = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss());
  }, 1);
  const code = await refuse(`/${form}`);
  peak = Math.max(peak, process.memoryUsage.rss());
  clearInterval(watch);
  process.send?.({ form, code, bytes: peak - before });
}

process.on('message', (form: string) => void measure(form));
process.send?.({ ready: true });
