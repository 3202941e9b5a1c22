// The process that plays the networks: HTTPS on two ports (the token host and the API host), and plain HTTP on a control port. The control
// port returns the counts, and it can hold all responses back. Arguments: the paths of key and certificate.
import { readFileSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import { listen } from '../processes.mjs';
import { callOf, respond } from './stub.mjs';

const [key = '', certificate = ''] = process.argv.slice(2);
const counts = { connections: 0, requests: 0, rejected: 0 };
let isHolding = false;
/** Responses that are held back, the earliest first. @type {(() => void)[]} */
let held = [];

/** @param {http.IncomingMessage} request @param {http.ServerResponse} response */
async function reply(request, response) {
  counts.requests += 1;
  const call = await callOf(request);
  // The client has gone.
  if (!request.complete) return;
  const send = () => {
    respond(response, call);
    if (response.statusCode !== 200) counts.rejected += 1;
  };
  if (isHolding) held.push(send);
  else send();
}

function networkHost() {
  const server = https.createServer(
    // Longer than any pause of the benchmark: if the server closed a connection, the client's next one would be counted.
    { key: readFileSync(key), cert: readFileSync(certificate), keepAliveTimeout: 120_000 },
    reply,
  );
  server.on('connection', () => {
    counts.connections += 1;
  });
  return server;
}

/** Sends the held responses at a steady pace, and new ones at once. @param {number} perSecond */
function release(perSecond) {
  isHolding = false;
  const waiting = held;
  held = [];
  const begin = performance.now();
  let sent = 0;
  const timer = setInterval(() => {
    const due = Math.min(waiting.length, ((performance.now() - begin) / 1_000) * perSecond);
    for (const end = Math.min(due, sent + 20); sent < end; sent += 1) waiting[sent]?.();
    if (sent >= waiting.length) clearInterval(timer);
  }, 2);
}

const control = http.createServer({ keepAliveTimeout: 120_000 }, (request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://stub');
  if (pathname === '/reset') Object.assign(counts, { connections: 0, requests: 0, rejected: 0 });
  if (pathname === '/hold') isHolding = true;
  if (pathname === '/release') release(Number(searchParams.get('per-second')));
  response.end(JSON.stringify(counts));
});

const [token, api, controls] = await Promise.all([networkHost(), networkHost(), control].map(listen));
process.send?.({ token, api, control: controls });
// The benchmark has ended or was interrupted.
process.on('disconnect', () => process.exit());
