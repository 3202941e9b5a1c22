// The process that plays the networks: HTTPS on two ports (the host of the tokens, the host of the API), and a plain port
// that tells what it counted, and on request holds all answers back, or never sleeps. Its arguments are the paths of key and certificate.
import { readFileSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import { answerTo } from './answers.mjs';

const [key = '', certificate = ''] = process.argv.slice(2);
const counts = { connections: 0, requests: 0, refused: 0 };
let isHolding = false;
let isAwake = false;
/** Answers that wait, the earliest first. @type {(() => void)[]} */
let held = [];

/** @param {http.IncomingMessage} request @param {http.ServerResponse} response */
function reply(request, response) {
  counts.requests += 1;
  /** @type {Buffer[]} */
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    const { method = '', url = '', headers } = request;
    const answer = answerTo(method, url, headers.authorization, Buffer.concat(chunks).toString());
    const body = Buffer.from(answer.body);
    if (answer.status !== undefined) counts.refused += 1;
    const type = answer.type ?? 'application/json; charset=utf-8';
    const send = () =>
      response
        .writeHead(answer.status ?? 200, { 'content-type': type, 'content-length': body.length })
        .end(body);
    if (isHolding) held.push(send);
    else send();
  });
}

function networkHost() {
  const server = https.createServer(
    // Longer than any benchmark pauses: a server that closes first would count as the client's connection.
    { key: readFileSync(key), cert: readFileSync(certificate), keepAliveTimeout: 120_000 },
    reply,
  );
  server.on('connection', () => {
    counts.connections += 1;
  });
  return server;
}

/** Answers what was held back, at a steady pace, and everything new at once. @param {number} perSecond */
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

/** Keeps this process from sleeping between two requests. */
function stayAwake() {
  if (isAwake) setImmediate(stayAwake);
}

const control = http.createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://stub');
  if (pathname === '/reset') Object.assign(counts, { connections: 0, requests: 0, refused: 0 });
  if (pathname === '/hold') isHolding = true;
  if (pathname === '/awake' && !isAwake) {
    isAwake = true;
    stayAwake();
  }
  if (pathname === '/asleep') isAwake = false;
  if (pathname === '/release') release(Number(searchParams.get('per-second')));
  response.end(JSON.stringify(counts));
});

const [token, api, controls] = await Promise.all(
  [networkHost(), networkHost(), control].map(
    (server) =>
      new Promise((resolve, reject) => {
        server.on('error', reject);
        // The backlog: ten thousand logins may call at once.
        server.listen({ port: 0, host: '127.0.0.1', backlog: 16_384 }, () => {
          resolve(/** @type {import('node:net').AddressInfo} */ (server.address()).port);
        });
      }),
  ),
);
process.send?.({ token, api, control: controls });
// Nobody is left to ask when the benchmark has ended or was interrupted.
process.on('disconnect', () => process.exit());
