// Many logins waiting for the network at once: each client and each number of logins in a process of its own.
import { BARE } from '../clients/bare.mjs';
import { askStub } from '../network/network.mjs';
import { inProcess } from '../processes.mjs';
import { inRounds } from '../rounds.mjs';

/** Milliseconds: ten thousand logins arrive and end in 40 seconds. */
const DEADLINE = 300_000;

/** @param {import('../run.mjs').Context} context @param {{ sizes: number[], rounds: number }} size */
export function measureFlight({ addresses, env, versions }, { sizes, rounds }) {
  const clients = [...versions, { client: BARE }];
  const subjects = sizes.flatMap((logins) =>
    clients.map((version) => ({
      subject: [logins.toLocaleString('en-US')],
      client: version.client,
      version,
      logins,
    })),
  );
  return inRounds(
    subjects,
    rounds,
    async ({ version, logins }) => {
      try {
        return await inProcess('parts/waiting.mjs', { addresses, version, logins }, env);
      } finally {
        // A process that died leaves requests waiting.
        await askStub(addresses, 'release?per-second=1000');
      }
    },
    { deadline: DEADLINE },
  );
}
