// Many logins waiting for the network at once: each number of logins in a process of its own.
import { askStub } from '../network/network.mjs';
import { inProcess } from '../processes.mjs';
import { inRounds } from '../rounds.mjs';
import { OURS } from '../versions.mjs';

/** Milliseconds: ten thousand logins arrive and end in 40 seconds. */
const DEADLINE = 300_000;

/** @param {import('../run.mjs').Context} context @param {{ sizes: number[] }} size */
export function measureFlight({ addresses, env }, { sizes }) {
  const subjects = sizes.map((logins) => ({
    subject: [logins.toLocaleString('en-US')],
    client: OURS,
    logins,
  }));
  const measure = async (/** @type {(typeof subjects)[number]} */ { logins }) => {
    try {
      return await inProcess('parts/waiting.mjs', { addresses, logins }, env);
    } finally {
      // A process that died leaves requests waiting.
      await askStub(addresses, 'release?per-second=1000');
    }
  };
  return inRounds(subjects, 1, measure, { deadline: DEADLINE });
}
