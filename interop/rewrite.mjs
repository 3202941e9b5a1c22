// Leads the networks' hosts to the sandbox. Clients build, sign and send their requests to the URLs that they have built in. Only
// their TLS connections end elsewhere: at a relay on this machine, which has a certificate for these hosts and asks the sandbox.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { request as ask } from 'node:http';
import { createServer } from 'node:https';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import tls from 'node:tls';
import { listenOn } from './browser.mjs';
import { resigned } from './signature.mjs';

/** Where the sandbox serves each host: the first segment of its paths. */
const PREFIXES = /** @type {const} */ ({
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
});

/** The networks moved, but these hosts still answer. */
export const FORMER_HOSTS = ['twitter.com', 'api.twitter.com', 'oauth.vk.com', 'api.vk.com', 'id.vk.com'];

/** Every host that a client may connect to. */
export const HOSTS = Object.keys(PREFIXES);

/** `certificate`: its path, it signed itself; `drain`: the hosts that clients connected to since the last call. @typedef {{ port: number, certificate: string, drain: () => string[], close: () => void }} Relay */

/** @param {string} sandbox - URL of the sandbox. @param {{ id: string, secret: string }} consumer - The sandbox's OAuth 1.0a consumer. @returns {Promise<Relay>} */
export async function startRelay(sandbox, consumer) {
  const folder = mkdtempSync(join(tmpdir(), 'interop-'));
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')];
  const names = HOSTS.map((host) => `DNS:${host}`).join(',');
  const request = `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost -addext subjectAltName=${names}`;
  // Node cannot write certificates.
  execFileSync('openssl', [...request.split(' '), '-keyout', key, '-out', certificate], { stdio: 'pipe' });
  /** @type {Set<string>} */
  const hosts = new Set();
  /** Of tokens that the sandbox issued. @type {Map<string, string>} */
  const secrets = new Map();
  const server = createServer(
    { key: readFileSync(key), cert: readFileSync(certificate) },
    async (request, response) => {
      const { method = 'GET', url = '/', headers } = request;
      const host = new URL(`https://${headers.host}`).hostname;
      const prefix = PREFIXES[/** @type {keyof typeof PREFIXES} */ (host)];
      hosts.add(host);
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
    },
  );
  return {
    port: await listenOn(server),
    certificate,
    drain() {
      const drained = [...hosts].sort();
      hosts.clear();
      return drained;
    },
    close() {
      rmSync(folder, { recursive: true, force: true });
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Leads every TLS connection of this process to the relay, so that no client reaches the internet. @param {Relay} relay */
export function leadToRelay({ port, certificate }) {
  const { connect } = tls;
  const ca = readFileSync(certificate);
  /** @param {tls.ConnectionOptions} options @param {() => void} [listener] */
  const lead = (options, listener) =>
    connect(
      { ...options, servername: options.servername ?? options.host, host: '127.0.0.1', port, ca },
      listener,
    );
  // https.Agent and fetch both call it with an object of options.
  Object.assign(tls, { connect: lead });
  syncBuiltinESMExports();
}

/** @param {string} base @param {import('./signature.mjs').Sent} sent @returns {Promise<{ status: number, headers: import('node:http').IncomingHttpHeaders, body: Buffer }>} */
function forward(base, { method, url, headers, body }) {
  return new Promise((resolve, reject) => {
    const { host: _host, connection: _connection, 'transfer-encoding': _encoding, ...others } = headers;
    const outgoing = ask(
      `${base}${url}`,
      { method, agent: false, headers: { ...others, 'content-length': body.length } },
      async (incoming) => {
        const { connection: _closed, 'transfer-encoding': _chunked, ...received } = incoming.headers;
        resolve({ status: incoming.statusCode ?? 0, headers: received, body: await buffer(incoming) });
      },
    );
    outgoing.on('error', reject).end(body);
  });
}
