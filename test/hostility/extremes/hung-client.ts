import { SocialNetworkStrategy } from '../../../lib/index.js';
import { resourcesLeft } from '../world/resources.js';

// A separate process with many requests at once to a network that never responds.
const [, , url = '', count = '0', deadline = '0'] = process.argv;

async function hang(): Promise<void> {
  const options = {
    version: '2.1' as const,
    clientID: 'client',
    clientSecret: 'secret',
    tokenURL: `${url}/silent`,
    timeout: Number(deadline),
  };
  const strategy = new SocialNetworkStrategy(options, () => undefined);
  let ended = 0;
  let longest = 0;
  const codes = new Set<string>();
  const request = async (number: number) => {
    const started = Date.now();
    // A different token each time, because concurrent refreshes of one token share a request.
    const code = await strategy.refresh(`the-refresh-token-${number}`, 'the-device').then(
      () => 'accepted',
      (error: Error & { code?: string }) => error.code ?? error.message,
    );
    if (code === 'timeout') ended += 1;
    codes.add(code);
    longest = Math.max(longest, Date.now() - started);
  };
  const requests: Promise<void>[] = [];
  for (let number = 0; number < Number(count); number += 1) {
    requests.push(request(number));
    // The server's backlog holds a few thousand connections.
    if (number % 200 === 199) await new Promise((resolve) => setTimeout(resolve, 5));
  }
  process.send?.({ begun: requests.length });
  await Promise.all(requests);
  const left = (await resourcesLeft()).filter((name) => name !== 'Timeout');
  process.send?.({ ended, longest, codes: [...codes], left: left.length });
}

void hang();
