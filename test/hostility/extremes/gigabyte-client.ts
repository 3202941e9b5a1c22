import { ShortVideoStrategy } from '../../../lib/index.js';

// A separate process, to measure the strategy's memory. Sends token requests to a server that responds with a gigabyte.
const [, , url = ''] = process.argv;
const collect = global.gc ?? (() => {});

/** Sends a token request to a path. @returns The error's code. */
async function requestTokens(path: string): Promise<string> {
  const options = { clientID: 'client', clientSecret: 'secret', tokenURL: `${url}${path}`, timeout: 60_000 };
  const strategy = new ShortVideoStrategy(options, () => undefined);
  return strategy.refresh('the-refresh-token').then(
    () => 'accepted',
    (error: Error & { code?: string }) => error.code ?? error.message,
  );
}

async function measure(form: string): Promise<void> {
  // Warm up, so that compiled code and lasting buffers do not count.
  await requestTokens(`/${form}`);
  collect();
  const before = process.memoryUsage.rss();
  let peak = before;
  const watch = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss());
  }, 1);
  const code = await requestTokens(`/${form}`);
  peak = Math.max(peak, process.memoryUsage.rss());
  clearInterval(watch);
  process.send?.({ form, code, bytes: peak - before });
}

process.on('message', (form: string) => void measure(form));
process.send?.({ ready: true });
