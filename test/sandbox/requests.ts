import { createHash, randomBytes } from 'node:crypto';
import { expect } from 'chai';
import type { ServedEndpoint } from '../../sandbox/lib/core/network.js';
import { Clock, World } from '../../sandbox/lib/core/world.js';
import { PEOPLE, type Sandbox, type SandboxSettings, startSandbox } from '../../sandbox/lib/index.js';
import { NETWORKS } from '../../sandbox/lib/networks.js';
import { exchange, parsed } from '../support/browser.js';
import { oauthSign } from '../support/oauth-sign.js';

const world = new World(new Clock(), PEOPLE, { vkIdCallback: 'flat' });

export const ENDPOINTS: readonly ServedEndpoint[] = NETWORKS.flatMap((network) => network.endpoints(world));

export async function withSandbox<T>(
  settings: SandboxSettings,
  use: (sandbox: Sandbox) => Promise<T>,
): Promise<T> {
  const sandbox = await startSandbox(settings);
  return use(sandbox).finally(() => sandbox.close());
}

/** Redirect URI of these tests. Nothing listens there, because redirects are read and not followed. */
export const REDIRECT_URI = 'http://127.0.0.1:3000/callback';

export const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';

/** The verifier's SHA-256 in hex, for the short-video network. */
export const HEX_CHALLENGE = '13d31e961a1ad8ec2f16b10c4c982e0876a878ad6df144566ee1894acb70f9c3';

/** The same in base64url, for the other networks. */
export const BASE64URL_CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url');

export type Fields = Readonly<Record<string, string>>;

/** A response; `json` is `undefined` when its body is not JSON. */
export type Reply = Awaited<ReturnType<typeof send>>;

async function send(url: string, method: string, body: string, headers: Fields) {
  const reply = await exchange(url, method, body, headers);
  return { ...reply, json: parsed(reply.text) };
}

export const get = (url: string, headers: Fields = {}): Promise<Reply> => send(url, 'GET', '', headers);

export const post = (url: string, fields: Fields, headers: Fields = {}): Promise<Reply> =>
  send(url, 'POST', new URLSearchParams(fields).toString(), {
    'content-type': 'application/x-www-form-urlencoded',
    ...headers,
  });

export const postJson = (url: string, body: unknown, headers: Fields = {}): Promise<Reply> =>
  send(url, 'POST', JSON.stringify(body), { ...headers, 'content-type': 'application/json' });

/** Posts a form as `multipart/form-data`, which only the social network reads. */
export async function postMultipart(url: string, fields: Readonly<Record<string, string | Blob>>) {
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) body.set(name, value);
  const encoded = new Response(body);
  const headers = { 'content-type': encoded.headers.get('content-type') ?? '' };
  return send(url, 'POST', await encoded.text(), headers);
}

/** A URL with a query; parameters that are `undefined` are left out. */
export function urlWith(base: string, query: Changes): string {
  const given = Object.entries(query).filter((pair): pair is [string, string] => pair[1] !== undefined);
  return `${base}?${new URLSearchParams(given).toString()}`;
}

export function responseParameters(reply: Reply): Record<string, string> {
  const { location } = reply.headers;
  if (location === undefined) throw new Error(`Expected a redirect, got ${reply.status}: ${reply.text}`);
  return Object.fromEntries(new URL(location).searchParams);
}

export function bearer(token: string): Fields {
  return { Authorization: `Bearer ${token}` };
}

export function basic(id: string, secret: string): Fields {
  return { Authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}` };
}

export function stringIn(body: unknown, name: string): string {
  const value = typeof body === 'object' && body !== null ? Reflect.get(body, name) : undefined;
  if (typeof value !== 'string') throw new Error(`No ${name} in ${JSON.stringify(body)}`);
  return value;
}

export function reasonOf(sandbox: Sandbox): string | undefined {
  return sandbox.requests().at(-1)?.refused;
}

/** Expects an error response, JSON or text, and its reason in the request log. */
export function expectError(
  sandbox: Sandbox,
  reply: Reply,
  status: number,
  body: unknown,
  reason: string | undefined,
): void {
  expect(typeof body === 'string' ? reply.text : reply.json).to.deep.equal(body);
  expect(reply.status).to.equal(status);
  expect(reply.headers.location).to.equal(undefined);
  expect(reasonOf(sandbox)).to.equal(reason);
}

export const expectTokens = ({ json }: Reply) => expect(json).to.have.property('access_token');

/** Changes of a query; `undefined` removes a parameter. */
export type Changes = Readonly<Record<string, string | undefined>>;

/** The rows of a table in text, one line each, whose cells are separated by bars. */
export function rows(text: string): readonly (readonly string[])[] {
  const lines = text.trim().split('\n');
  return lines.map((line) => line.split('|').map((cell) => cell.trim()));
}

/** Changes of a query as a table has them: a query, in which `-NAME` removes a parameter. */
export function changesIn(text: string): Changes {
  const pairs = [...new URLSearchParams(text)];
  return Object.fromEntries(
    pairs.map(([name, value]) => (name.startsWith('-') ? [name.slice(1), undefined] : [name, value])),
  );
}

export interface Signer {
  readonly clientID: string;
  readonly clientSecret: string;
  readonly token?: string;
  readonly tokenSecret?: string;
}

/** An `Authorization` header of OAuth 1.0a, signed without any code of the sandbox. */
export function signed(
  method: string,
  url: string,
  signer: Signer,
  oauth: Fields = {},
  other: Fields = {},
): Fields {
  const parameters: Record<string, string> = {
    oauth_consumer_key: signer.clientID,
    oauth_nonce: randomBytes(16).toString('hex'),
    oauth_signature_method: 'HMAC-SHA1',
    oauth_timestamp: String(Math.floor(Date.now() / 1000)),
    oauth_version: '1.0',
    ...(signer.token !== undefined && { oauth_token: signer.token }),
    ...oauth,
  };
  const { clientSecret, tokenSecret = '' } = signer;
  const signed = { ...parameters, ...other };
  const oauth_signature = oauthSign.hmacsign(method, url, signed, clientSecret, tokenSecret);
  const header = Object.entries({ ...parameters, oauth_signature }).map(
    ([name, value]) => `${oauthSign.rfc3986(name)}="${oauthSign.rfc3986(value)}"`,
  );
  return { Authorization: `OAuth ${header.join(', ')}` };
}
