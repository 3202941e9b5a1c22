import type { RequestListener } from 'node:http';
import { type IncomingMessage, request } from 'node:http';
import { createServer, request as requestSecurely } from 'node:https';
import type { AddressInfo } from 'node:net';
import { CERTIFICATE, PRIVATE_KEY } from './certificate.js';

/** The parts of a response that the tests check. */
export interface PlainResponse {
  readonly status: number;
  /** Target of a redirect, empty for other responses. */
  readonly location: string;
  readonly text: string;
}

/** Sends a GET request with any headers, including those that `fetch` forbids, such as `Host`. */
export function get(url: string, headers: Readonly<Record<string, string>> = {}): Promise<PlainResponse> {
  const send = url.startsWith('https:') ? requestSecurely : request;
  return new Promise((resolve, reject) => {
    const outgoing = send(url, { headers, ca: CERTIFICATE, agent: false }, (response) => {
      read(response).then(resolve, reject);
    });
    outgoing.once('error', reject);
    outgoing.end();
  });
}

async function read(response: IncomingMessage): Promise<PlainResponse> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  const { statusCode: status = 0, headers } = response;
  return { status, location: headers.location ?? '', text: Buffer.concat(chunks).toString() };
}

/** Starts a TLS server. */
export async function serveSecurely(
  listener: RequestListener,
): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer({ cert: CERTIFICATE, key: PRIVATE_KEY }, listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { url: `https://127.0.0.1:${port}`, close };
}
