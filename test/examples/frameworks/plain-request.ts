import type { RequestListener } from 'node:http';
import { type IncomingMessage, request } from 'node:http';
import { createServer, request as requestSecurely } from 'node:https';
import type { AddressInfo } from 'node:net';
import { CERTIFICATE, PRIVATE_KEY } from './certificate.js';

/** What a server answered, as far as tests of addresses look. */
export interface Answer {
  readonly status: number;
  /** Where a redirect leads; empty when it is none. */
  readonly location: string;
  readonly text: string;
}

/** Sends a GET request with any headers, also those that `fetch` keeps to itself, such as `Host`. */
export function ask(address: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
  const send = address.startsWith('https:') ? requestSecurely : request;
  return new Promise((resolve, reject) => {
    const sending = send(address, { headers, ca: CERTIFICATE, agent: false }, (response) => {
      read(response).then(resolve, reject);
    });
    sending.once('error', reject);
    sending.end();
  });
}

async function read(response: IncomingMessage): Promise<Answer> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  const { statusCode: status = 0, headers } = response;
  return { status, location: headers.location ?? '', text: Buffer.concat(chunks).toString() };
}

/** Starts a server with TLS. */
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
