// How long a person waits when the network is 50 milliseconds away: a cold login, with no connection open, and a warm one.
import { allClients } from '../clients/index.mjs';
import { askStub, dropConnections, startRelay } from '../network/processes.mjs';
import { inRounds } from '../rounds.mjs';

export const ROUND_TRIP = 50;
/** @typedef {{ cold: number, warm: number }} LatencyFigures - Milliseconds. */
/** @typedef {{ name: string, network: string, failure?: string, rounds: LatencyFigures[] }} LatencyResult */

/** @param {import('../clients/passport-client.mjs').Client} client */
async function timed(client) {
  const begin = performance.now();
  await client.login();
  return performance.now() - begin;
}

/**
 * @param {import('../network/processes.mjs').NetworkAddresses} addresses
 * @param {{ rounds: number }} size
 * @returns {Promise<LatencyResult[]>}
 */
export async function measureLatency(addresses, { rounds }) {
  const relay = await startRelay(addresses, ROUND_TRIP);
  try {
    // Once without the relay, so that no compiler is measured: other hosts, so no connection of theirs is open.
    for (const client of allClients(addresses)) await Promise.allSettled([client.login(), client.login()]);
    const networkIsThere = () =>
      Promise.all([askStub(addresses, 'counts'), dropConnections(relay.addresses)]);
    /** @param {import('../clients/passport-client.mjs').Client} client */
    const measure = async (client) => {
      await dropConnections(relay.addresses);
      // Until this side has seen that its connections are closed.
      await new Promise((resolve) => setTimeout(resolve, 2 * ROUND_TRIP));
      const cold = await timed(client);
      await timed(client);
      return { cold, warm: await timed(client) };
    };
    const series = await inRounds(allClients(relay.addresses), rounds, measure, networkIsThere);
    return series.map(({ subject: { name, network }, ...rest }) => ({ name, network, ...rest }));
  } finally {
    relay.stop();
  }
}
