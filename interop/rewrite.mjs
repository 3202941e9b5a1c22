// Leads the networks' hosts to the sandbox. Clients build, sign and send their requests to the URLs that they have built in. Only
// their TLS connections end elsewhere: at a relay on this machine, which has a certificate for these hosts and asks the sandbox.
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { request as ask } from 'node:http';
import { createServer } from 'node:https';
import { createRequire, syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import tls from 'node:tls';
import { listen } from './browser.mjs';

const { hmacsign } = createRequire(import.meta.url)('oauth-sign');

/** Where the sandbox serves the hosts of each network: the first segment of its paths. */
const NETWORKS = {
  'short-video': ['www.tiktok.com', 'open.tiktokapis.com'],
  microblog: ['x.com', 'api.x.com', 'twitter.com', 'api.twitter.com'],
  'social-network': ['oauth.vk.ru', 'oauth.vk.com', 'api.vk.ru', 'api.vk.com'],
  'vk-id': ['id.vk.ru', 'id.vk.com'],
};
/** Every host that a client may connect to. */
export const HOSTS = Object.values(NETWORKS).flat();
/** The networks moved, but these hosts still answer. */
export const FORMER_HOSTS = HOSTS.filter((host) => /(twitter|vk)\.com$/.test(host));

export async function startRelay(sandbox, consumer) {
  const [key, certificate] = inFolder(makeCertificate);
  const hosts = new Set();
  /** Of tokens that the sandbox issued. */
  const secrets = new Map();
  const server = createServer({ key, cert: certificate }, async (request, response) => {
    const { method = 'GET', url = '/', headers } = request;
    const { hostname } = new URL(`https://${headers.host}`);
    const [prefix] = Object.entries(NETWORKS).find(([, known]) => known.includes(hostname)) ?? [];
    hosts.add(hostname);
    if (prefix === undefined) return response.writeHead(404).end();
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

/** In a temporary folder. */
export function inFolder(act) {
  const folder = mkdtempSync(join(tmpdir(), 'interop-'));
  try {
    return act(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Node cannot write certificates. */
function makeCertificate(folder) {
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')];
  const names = HOSTS.map((host) => `DNS:${host}`).join(',');
  const request = `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost -addext subjectAltName=${names}`;
  execFileSync('openssl', [...request.split(' '), '-keyout', key, '-out', certificate], { stdio: 'pipe' });
  return [readFileSync(key), readFileSync(certificate)];
}

/** Leads every TLS connection of this process to the relay, so that no client reaches the internet. */
export function leadToRelay({ port, certificate: ca }) {
  const { connect } = tls;
  /** https.Agent and fetch both call it with an object of options. */
  const lead = ({ host, servername = host, ...options }, listener) =>
    connect({ ...options, ...(servername && { servername }), host: '127.0.0.1', port, ca }, listener);
  Object.assign(tls, { connect: lead });
  syncBuiltinESMExports();
}

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

/** Without what belongs to one connection. */
function withoutHops({ connection: _connection, 'transfer-encoding': _encoding, ...headers }) {
  return headers;
}

/**
 * A request as the sandbox should get it. OAuth 1.0a signatures cover the URL: verifies the one that the client made for the network's URL, and makes
 * the same one for the sandbox's. A wrong signature stays wrong.
 */
function resigned(sent, base, consumerSecret, tokenSecrets) {
  const { method, url, headers, body } = sent;
  const [path = '', query = ''] = url.split('?');
  const { authorization = '', 'content-type': type = '' } = headers;
  const form = type.startsWith('application/x-www-form-urlencoded') ? body.toString() : '';
  const listed = /^OAuth\s/i.test(authorization) ? authorization.matchAll(/([\w.~%-]+)="([^"]*)"/g) : [];
  const all = [
    ...Array.from(listed, ([, name = '', value = '']) => [name, decodeURIComponent(value)]),
    ...new URLSearchParams(query),
    ...new URLSearchParams(form),
  ];
  const { oauth_signature: given, oauth_token: token = '' } = Object.fromEntries(all);
  const signed = all.filter(([name = '']) => !/^(oauth_signature|realm)$/.test(name));
  /** As oauth-sign makes it, which gives a repeated name a list. */
  const signature = (place, pairs) => {
    const parameters = {};
    for (const [name = '', value = ''] of pairs) parameters[name] = [...(parameters[name] ?? []), value];
    return hmacsign(method, `${place}${path}`, parameters, consumerSecret, tokenSecrets.get(token) ?? '');
  };
  // Some clients send a parameter twice, in the header and in the query, but sign it once.
  const variants = [signed, Object.entries(Object.fromEntries(signed))];
  const right = variants.find((pairs) => signature(`https://${headers.host}`, pairs) === given);
  if (right === undefined) return sent;
  const again = encodeURIComponent(signature(base, right));
  const replaced = (text) => text.replace(/(oauth_signature="?)[^"&]*/, `$1${again}`);
  return {
    method,
    url: replaced(url),
    headers: { ...headers, ...(authorization && { authorization: replaced(authorization) }) },
    body: form === '' ? body : Buffer.from(replaced(form)),
  };
}
