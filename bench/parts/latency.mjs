// A program: how long a user waits if the network is 50 milliseconds away, and for how many requests and connections. A cold login has no
// open connection.
import { setTimeout as pause } from 'node:timers/promises';
import { allClients } from '../clients/strategies.mjs';
import { askStub, startRelay } from '../network/network.mjs';
import { finish, settings } from '../processes.mjs';
import { inRounds } from '../rounds.mjs';

const { addresses, rounds, roundTrip } = settings();
const relay = await startRelay(addresses, roundTrip);

/** @param {import('../clients/passport-client.mjs').Client} client */
async function login(client) {
  await Promise.all([askStub(addresses, 'reset'), relay.ask('reset')]);
  const begin = performance.now();
  await client.login();
  const duration = performance.now() - begin;
  const [{ connections, requests }, { roundTrips }] = await Promise.all([
    askStub(addresses, 'counts'),
    relay.ask('counts'),
  ]);
  return { duration, connections, requests, roundTrips };
}

/** @param {import('../clients/passport-client.mjs').Client} client */
async function measure(client) {
  await relay.ask('drop');
  // Until this process has seen that its connections are closed.
  await pause(2 * roundTrip);
  const cold = await login(client);
  await client.login();
  const warm = await login(client);
  return {
    requests: cold.requests,
    coldConnections: cold.connections,
    coldRoundTrips: cold.roundTrips,
    coldDuration: cold.duration,
    warmConnections: warm.connections,
    warmRoundTrips: warm.roundTrips,
    warmDuration: warm.duration,
  };
}

// Compiles the code without the relay. Its ports are others, so it still opens no connection that a cold login could use.
await inRounds(await allClients(addresses), 1, async (client) => {
  await Promise.all([client.login(), client.login()]);
  return {};
});
const check = () => Promise.all([askStub(addresses, 'counts'), relay.ask('drop')]);
const rows = await inRounds(await allClients(relay.addresses), rounds, measure, { check });
relay.stop();
finish(rows);
