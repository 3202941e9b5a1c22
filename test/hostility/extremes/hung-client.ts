import { SocialNetworkStrategy } from '../../../lib/index.js';
import { resourcesLeft } from '../world/resources.js';

// A process of its own: many logins at once, at a network that never answers.
const [, , url = '', count = '0', deadline = '0'] = process.argv;

async function hang(): Promise<void> {
  const options = {
    version: '2.1' as const,
    clientID: 'client',
    tokenURL: `${url}/silent`,
    timeout: Number(deadline),
  };
  const strategy = new SocialNetworkStrategy(options, () => undefined);
  let ended = 0;
  let longest = 0;
  const codes = new Set<string>();
  const ask = async (number: number) => {
    const started = Date.now();
    // Another token each: two refreshes of one token make one request.
    const code = await strategy.refresh(`the-refresh-token-${number}`, 'the-device').then(
      () => 'accepted',
      (error: Error & { code?: string }) => error.code ?? error.message,
    );
    if (code === 'timeout') ended += 1;
    codes.add(code);
    longest = Math.max(longest, Date.now() - started);
  };
  const asking: Promise<void>[] = [];
  for (let number = 0; number < Number(count); number += 1) {
    asking.push(ask(number));
    // A server's queue of new connections has a few thousand places.
    if (number % 200 === 199) await new Promise((resolve) => setTimeout(resolve, 5));
  }
  process.send?.({ begun: asking.length });
  await Promise.all(asking);
  const left = (await resourcesLeft()).filter((name) => name !== 'Timeout');
  process.send?.({ ended, longest, codes: [...codes], left: left.length });
}

void hang();
