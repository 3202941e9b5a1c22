// The process between a client and the stub that plays the distance. It delays every byte by half a round trip, and the first bytes of a
// connection by one more round trip, for the TCP handshake. (The TLS handshake is bytes like any other.) Arguments: the round trip in
// milliseconds, and the ports to connect to.
import http from 'node:http';
import net from 'node:net';
import { listen } from '../processes.mjs';

const [roundTrip = 0, ...targets] = process.argv.slice(2).map(Number);
/**
 * A connection counts round trips by two numbers: the first one at which the client can send, and the last one that reached the server.
 *
 * @typedef {{ opened: number, reached: number }} Link
 */
/** By the client's socket. @type {Map<net.Socket, Link>} */
const open = new Map();

/**
 * Round trips since the last reset, counted instead of timed, because a busy machine delays a login. It is a logical clock: a response comes
 * one round trip after its request, and everything that the client sends comes after everything that it has received on any connection.
 */
let roundTrips = 0;
let resets = 0;

function reset() {
  roundTrips = 0;
  resets += 1;
  for (const link of open.values()) Object.assign(link, { opened: 0, reached: 0 });
}

/** Bytes on their way, the earliest first. @type {{ due: number, arrive: () => void }[]} */
const underway = [];
let isPumping = false;

/** @param {number} due @param {() => void} arrive */
function schedule(due, arrive) {
  let place = underway.length;
  while (place > 0 && /** @type {{ due: number }} */ (underway[place - 1]).due > due) place -= 1;
  underway.splice(place, 0, { due, arrive });
  if (!isPumping) pump();
}

/** Timers are a millisecond or two late, and a login would add up many of them, so the last milliseconds are spent polling. */
function pump() {
  isPumping = true;
  const now = performance.now();
  for (let first = underway[0]; first && first.due <= now; first = underway[0]) {
    underway.shift();
    first.arrive();
  }
  const next = underway[0];
  isPumping = next !== undefined;
  if (!next) return;
  const left = next.due - performance.now();
  if (left > 3) setTimeout(pump, Math.min(left - 2, roundTrip / 4));
  else setImmediate(pump);
}

/** @param {net.Socket} from @param {net.Socket} to @param {number} earliest @param {() => () => void} sent - Returns what happens on arrival. */
function pass(from, to, earliest, sent) {
  const due = () => Math.max(performance.now(), earliest) + roundTrip / 2;
  from.on('data', (chunk) => {
    const arrive = sent();
    const before = resets;
    schedule(due(), () => {
      if (resets === before) arrive();
      if (!to.destroyed) to.write(chunk);
    });
  });
  from.on('end', () => schedule(due(), () => to.end()));
  from.on('error', () => to.destroy());
  from.on('close', () => {
    open.delete(from);
    schedule(due(), () => to.destroy());
  });
}

/** @param {net.Socket} client @param {number} target */
function connect(client, target) {
  const server = net.connect({ port: target, host: '127.0.0.1', noDelay: true });
  client.setNoDelay(true);
  // The TCP handshake is the first round trip.
  const link = { opened: roundTrips + 1, reached: 0 };
  open.set(client, link);
  pass(client, server, performance.now() + roundTrip, () => {
    const at = Math.max(link.opened, roundTrips);
    return () => {
      link.reached = Math.max(link.reached, at);
    };
  });
  pass(server, client, 0, () => {
    const at = link.reached + 1;
    return () => {
      roundTrips = Math.max(roundTrips, at);
    };
  });
}

const control = http.createServer({ keepAliveTimeout: 120_000 }, (request, response) => {
  // As if the network had closed all connections.
  if (request.url === '/drop') for (const socket of open.keys()) socket.destroy();
  if (request.url === '/reset') reset();
  response.end(JSON.stringify({ roundTrips }));
});
const servers = [...targets.map((target) => net.createServer((client) => connect(client, target))), control];
const ports = await Promise.all(servers.map(listen));
process.send?.({
  ...Object.fromEntries(targets.map((target, index) => [target, ports[index]])),
  control: ports.at(-1),
});
process.on('disconnect', () => process.exit());
