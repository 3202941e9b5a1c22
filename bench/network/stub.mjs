// The process that plays the networks: HTTPS on two ports (the token host and the API host), and plain HTTP on a control port. The control
// port returns the counts, and it can hold all responses back or keep the process from sleeping. Arguments: the paths of key and certificate.
import { readFileSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import { listen } from '../processes.mjs';
import { encodeForm, endpointAt, isForm, requestTokenResponse, SOMEBODY } from './networks.mjs';

const [key = '', certificate = ''] = process.argv.slice(2);
const counts = { connections: 0, requests: 0, rejected: 0 };
let isHolding = false;
let isAwake = false;
/** Responses that are held back, the earliest first. @type {(() => void)[]} */
let held = [];

/** @param {http.IncomingMessage} request @param {http.ServerResponse} response */
function reply(request, response) {
  counts.requests += 1;
  /** @type {Buffer[]} */
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    const { status, type, body } = responseTo(request, Buffer.concat(chunks).toString());
    if (status !== 200) counts.rejected += 1;
    const headers = { 'content-type': type, 'content-length': Buffer.byteLength(body) };
    const send = () => response.writeHead(status, headers).end(body);
    if (isHolding) held.push(send);
    else send();
  });
}

let issued = 0;

/**
 * A request without its credential gets an error response, so that a client cannot look fast by leaving it out.
 *
 * @param {http.IncomingMessage} request
 * @param {string} body
 */
function responseTo({ url = '', headers: { authorization = '' } }, body) {
  const type = 'application/json; charset=utf-8';
  const { pathname, searchParams } = new URL(url, 'http://stub');
  const endpoint = endpointAt(pathname);
  if (!endpoint) return { status: 404, type, body: JSON.stringify({ error: `nothing is at ${pathname}` }) };
  const { network, step } = endpoint;
  const form = new URLSearchParams(body);
  const isSigned = /^OAuth .*oauth_signature=/.test(authorization);
  const hasToken =
    authorization.startsWith('Bearer ') || (form.get('access_token') ?? searchParams.get('access_token'));
  const hasCode = form.get('code') && (!network.requires || form.get(network.requires));
  const isAccepted = network.protocol === 'oauth1' ? isSigned : step === 'token' ? hasCode : hasToken;
  if (!isAccepted) return { status: 401, type, body: JSON.stringify({ error: 'a credential is missing' }) };
  if (step === 'profile')
    return { status: 200, type, body: JSON.stringify(network.profileResponse?.(SOMEBODY)) };
  issued += 1;
  // A new one each time: clients reject a request token that they have seen before.
  const token = `${step.slice(0, 3)}.${process.pid}.${issued}.Zk3vWqT9x2LmPs7RbYcUdHnEa`;
  const members =
    step === 'token'
      ? { ...network.tokenResponse(token, SOMEBODY), ...(form.has('state') && { state: form.get('state') }) }
      : requestTokenResponse(token);
  return isForm(network, step)
    ? { status: 200, type: 'text/html; charset=utf-8', body: encodeForm(members) }
    : { status: 200, type, body: JSON.stringify(members) };
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

/** Keeps this process busy between two requests. */
function stayAwake() {
  if (isAwake) setImmediate(stayAwake);
}

const control = http.createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://stub');
  if (pathname === '/reset') Object.assign(counts, { connections: 0, requests: 0, rejected: 0 });
  if (pathname === '/hold') isHolding = true;
  if (pathname === '/awake' && !isAwake) {
    isAwake = true;
    stayAwake();
  }
  if (pathname === '/asleep') isAwake = false;
  if (pathname === '/release') release(Number(searchParams.get('per-second')));
  response.end(JSON.stringify(counts));
});

const [token, api, controls] = await Promise.all([networkHost(), networkHost(), control].map(listen));
process.send?.({ token, api, control: controls });
// The benchmark has ended or was interrupted.
process.on('disconnect', () => process.exit());
