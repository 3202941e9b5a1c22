import { request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { network, type Reply, type SeenRequest, type TestNetwork } from '../support/server.js';

/** Makes a hostile network's response from the secrets that it has seen. */
export type Echo = (secrets: readonly string[]) => Reply;

/** Each secret with its parameter name. */
export type Secrets = Map<string, string>;

/** A proxy to the sandbox that records every secret it sees. */
export interface Eavesdropper extends TestNetwork {
  readonly secrets: Secrets;
  /** Passes on `after` more requests, then responds with the echo. */
  turnHostile(after: number, echo: Echo): void;
  /** Passes on every request again. */
  calmDown(): void;
}

const SECRET_PARAMETERS = [
  ...'code state code_verifier client_secret service_token access_token refresh_token id_token'.split(' '),
  ...'oauth_token oauth_token_secret oauth_verifier'.split(' '),
];

/** Starts an eavesdropper in front of the sandbox. */
export async function eavesdrop(sandbox: { readonly url: string }): Promise<Eavesdropper> {
  const secrets: Secrets = new Map();
  let passing = Number.POSITIVE_INFINITY;
  let hostile: Echo = () => ({});
  const between = await network(async (seen) => {
    note(secrets, requestSecrets(seen));
    passing -= 1;
    if (passing < 0) return hostile([...secrets.keys()]);
    const reply = await passOn(sandbox.url, seen);
    note(secrets, responseSecrets(reply.body.toString()));
    return reply;
  });
  return Object.assign(between, {
    secrets,
    turnHostile(after: number, echo: Echo) {
      passing = after;
      hostile = echo;
    },
    calmDown() {
      passing = Number.POSITIVE_INFINITY;
    },
  });
}

/** The secrets among the query parameters of a URL. */
export function urlSecrets(url: string): Secrets {
  return pick(new URL(url).searchParams);
}

/** Adds secrets to the known ones. */
export function note(known: Secrets, more: Secrets): void {
  for (const [secret, name] of more) known.set(secret, name);
}

function requestSecrets({ form, headers }: SeenRequest): Secrets {
  const [scheme = '', credentials = ''] = headers.authorization?.split(/ (.*)/s) ?? [];
  return new Map([...pick(form), ...headerSecrets(scheme, credentials)]);
}

function headerSecrets(scheme: string, credentials: string): Secrets {
  if (scheme === 'Bearer') return new Map([[credentials, 'access_token']]);
  if (scheme === 'Basic') {
    const [, secret = ''] = Buffer.from(credentials, 'base64').toString().split(':');
    return new Map([[decodeURIComponent(secret), 'client_secret']]);
  }
  const parameters = credentials.split(', ').map((parameter) => parameter.replaceAll('"', ''));
  return pick(new URLSearchParams(parameters.join('&')));
}

function responseSecrets(body: string): Secrets {
  try {
    return pick(new Map(Object.entries(JSON.parse(body))));
  } catch {
    return pick(new URLSearchParams(body));
  }
}

function pick(parameters: { get(name: string): unknown }): Secrets {
  const found: Secrets = new Map();
  for (const name of SECRET_PARAMETERS) {
    const value = parameters.get(name);
    if (typeof value === 'string' && value.length > 8) found.set(value, name);
  }
  return found;
}

/** Passes a request on with its own Host header, because the sandbox checks signatures and URLs against it. */
export function passOn(
  target: string,
  { method, url, headers, body }: SeenRequest,
): Promise<Reply & { readonly body: Buffer }> {
  return new Promise((resolve, reject) => {
    const outgoing = request(`${target}${url}`, { method, headers, agent: false }, (response) => {
      const { statusCode: status = 0 } = response;
      const { location, 'content-type': type = '' } = response.headers;
      const kept = { 'content-type': type, ...(location && { location }) };
      buffer(response).then((received) => resolve({ status, headers: kept, body: received }), reject);
    });
    outgoing.on('error', reject).end(body);
  });
}
