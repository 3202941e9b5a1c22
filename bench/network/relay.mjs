// The process between a client and the stub that makes the way long: every byte takes half a round trip, and the first ones
// of a connection a whole one more, because TCP says hello before anybody may speak. (TLS then pays for its own.)
// Its arguments are the round trip in milliseconds and the ports to pass on to.
import http from 'node:http';
import net from 'node:net';

const [roundTrip = 0, ...targets] = process.argv.slice(2).map(Number);
/** @type {Set<net.Socket>} */
const open = new Set();

/** What is on its way, the earliest first. @type {{ due: number, arrive: () => void }[]} */
const underway = [];
let isPumping = false;

/** @param {number} due @param {() => void} arrive */
function schedule(due, arrive) {
  let place = underway.length;
  while (place > 0 && /** @type {{ due: number }} */ (underway[place - 1]).due > due) place -= 1;
  underway.splice(place, 0, { due, arrive });
  if (!isPumping) pump();
}

/** Timers are a millisecond or two late, which four half trips would add up: the last stretch is waited for awake. */
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

/** @param {net.Socket} from @param {net.Socket} to @param {number} earliest */
function pass(from, to, earliest) {
  const due = () => Math.max(performance.now(), earliest) + roundTrip / 2;
  from.on('data', (chunk) => schedule(due(), () => to.destroyed || to.write(chunk)));
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
  open.add(client);
  pass(client, server, performance.now() + roundTrip);
  pass(server, client, 0);
}

const control = http.createServer((request, response) => {
  // As if the networks had closed all connections.
  if (request.url === '/drop') for (const socket of open) socket.destroy();
  response.end('{}');
});
const servers = [...targets.map((target) => net.createServer((client) => connect(client, target))), control];
const ports = await Promise.all(
  servers.map(
    (server) =>
      new Promise((resolve, reject) => {
        server.on('error', reject);
        server.listen(0, '127.0.0.1', () => {
          resolve(/** @type {net.AddressInfo} */ (server.address()).port);
        });
      }),
  ),
);
process.send?.({
  ...Object.fromEntries(targets.map((target, index) => [target, ports[index]])),
  control: ports.at(-1),
});
process.on('disconnect', () => process.exit());
