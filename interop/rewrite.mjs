// Leads the networks' hosts to the sandbox. Clients build, sign and send their requests to the URLs that they have built in. Only
// their TLS connections end elsewhere: at a relay on this machine, which has a certificate for these hosts and asks the sandbox.
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { request as ask } from 'node:http';
import { createServer } from 'node:https';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import tls from 'node:tls';
import { listen } from './browser.mjs';
import { resigned } from './signature.mjs';

/** Where the sandbox serves each host: the first segment of its paths. @type {Readonly<Record<string, string>>} */
const PREFIXES = {
  'www.tiktok.com': 'short-video',
  'open.tiktokapis.com': 'short-video',
  'x.com': 'microblog',
  'api.x.com': 'microblog',
  'twitter.com': 'microblog',
  'api.twitter.com': 'microblog',
  'oauth.vk.ru': 'social-network',
  'oauth.vk.com': 'social-network',
  'api.vk.ru': 'social-network',
  'api.vk.com': 'social-network',
  'id.vk.ru': 'vk-id',
  'id.vk.com': 'vk-id',
};

/** The networks moved, but these hosts still answer. */
export const FORMER_HOSTS = ['twitter.com', 'api.twitter.com', 'oauth.vk.com', 'api.vk.com', 'id.vk.com'];

/** Every host that a client may connect to. */
export const HOSTS = Object.keys(PREFIXES);

/** `certificate`: it signed itself; `drain`: the hosts that clients connected to since the last call. @typedef {{ port: number, certificate: Buffer, drain: () => string[], close: () => void }} Relay */

/** @param {string} sandbox - URL of the sandbox. @param {{ id: string, secret: string }} consumer - The sandbox's OAuth 1.0a consumer. @returns {Promise<Relay>} */
export async function startRelay(sandbox, consumer) {
  const [key, certificate] = makeCertificate();
  /** @type {Set<string>} */
  const hosts = new Set();
  /** Of tokens that the sandbox issued. @type {Map<string, string>} */
  const secrets = new Map();
  const server = createServer({ key, cert: certificate }, async (request, response) => {
    const { method = 'GET', url = '/', headers } = request;
    const { hostname } = new URL(`https://${headers.host}`);
    const prefix = PREFIXES[hostname];
    hosts.add(hostname);
    if (prefix === undefined) return response.writeHead(404).end();
    // Of the sandbox's own pages, not of a network.
    const base = /^\/(pictures|images)\//.test(url) ? sandbox : `${sandbox}/${prefix}`;
    const sent = { method, url, headers, body: await buffer(request) };
    const received = await forward(base, resigned(sent, base, consumer.secret, secrets));
    const form = new URLSearchParams(received.body.toString());
    secrets.set(form.get('oauth_token') ?? '', form.get('oauth_token_secret') ?? '');
    const { origin } = headers;
    // VK ID lets browsers read its responses, or VK's own SDK for browsers could not work. The sandbox lets no web page read any.
    const readable = prefix === 'vk-id' && origin ? { 'access-control-allow-origin': origin } : {};
    return response.writeHead(received.status, { ...received.headers, ...readable }).end(received.body);
  });
  const { port, close } = await listen(server);
  const drain = () => {
    const drained = [...hosts].sort();
    hosts.clear();
    return drained;
  };
  return { port, certificate, drain, close };
}

/** Node cannot write certificates. @returns {[key: Buffer, certificate: Buffer]} */
function makeCertificate() {
  const folder = mkdtempSync(join(tmpdir(), 'interop-'));
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')];
  const names = HOSTS.map((host) => `DNS:${host}`).join(',');
  const request = `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost -addext subjectAltName=${names}`;
  try {
    execFileSync('openssl', [...request.split(' '), '-keyout', key, '-out', certificate], { stdio: 'pipe' });
    return [readFileSync(key), readFileSync(certificate)];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Leads every TLS connection of this process to the relay, so that no client reaches the internet. @param {Relay} relay */
export function leadToRelay({ port, certificate: ca }) {
  const { connect } = tls;
  /** https.Agent and fetch both call it with an object of options. @param {tls.ConnectionOptions} options @param {() => void} [listener] */
  const lead = ({ host, servername = host, ...options }, listener) =>
    connect({ ...options, ...(servername && { servername }), host: '127.0.0.1', port, ca }, listener);
  Object.assign(tls, { connect: lead });
  syncBuiltinESMExports();
}

/** @param {string} base @param {import('./signature.mjs').Sent} sent */
async function forward(base, { method, url, headers: { host: _host, ...headers }, body }) {
  const sent = { ...withoutHops(headers), 'content-length': body.length };
  const outgoing = ask(`${base}${url}`, { method, agent: false, headers: sent }).end(body);
  const [incoming] = await once(outgoing, 'response');
  return {
    status: incoming.statusCode,
    headers: withoutHops(incoming.headers),
    body: await buffer(incoming),
  };
}

/** Without what belongs to one connection. @param {import('node:http').IncomingHttpHeaders} headers */
function withoutHops({ connection: _connection, 'transfer-encoding': _encoding, ...headers }) {
  return headers;
}
