import { request } from 'node:http';
import { network, type Reply, type SeenRequest, type TestNetwork } from '../support/server.js';

/** What a network that turned hostile answers, knowing the secrets that went through it. */
export type Echo = (secrets: readonly string[]) => Reply;

/** Each secret with the name that it has on the wire. */
export type Secrets = Map<string, string>;

/** A network that passes everything on to the sandbox, and notes every secret that it sees. */
export interface Eavesdropper extends TestNetwork {
  readonly secrets: Secrets;
  /** From so many requests on, counted from now, it answers with an echo; zero answers right away. */
  turnHostile(after: number, echo: Echo): void;
  /** Passes everything on again. */
  calmDown(): void;
}

const SECRET_PARAMETERS = [
  'code',
  'state',
  'code_verifier',
  'client_secret',
  'service_token',
  'access_token',
  'refresh_token',
  'id_token',
  'oauth_token',
  'oauth_token_secret',
  'oauth_verifier',
];

/** Starts a network in front of the sandbox. */
export async function eavesdrop(sandbox: { readonly url: string }): Promise<Eavesdropper> {
  const secrets: Secrets = new Map();
  let passing = Number.POSITIVE_INFINITY;
  let hostile: Echo = () => ({});
  const between = await network(async (seen) => {
    note(secrets, requestSecrets(seen));
    passing -= 1;
    if (passing < 0) return hostile([...secrets.keys()]);
    const reply = await passOn(sandbox.url, seen);
    note(secrets, answerSecrets(reply.body.toString()));
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

/** The secrets among the parameters of an address. */
export function addressSecrets(address: string): Secrets {
  return pick(new URL(address).searchParams);
}

/** Adds secrets to others. */
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
  const members = credentials.split(', ').map((member) => member.replaceAll('"', ''));
  return pick(new URLSearchParams(members.join('&')));
}

function answerSecrets(body: string): Secrets {
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

/** Asks the sandbox. It reads signatures and addresses with the host that the request names, which stays ours. */
export function passOn(
  target: string,
  { method, url, headers, body }: SeenRequest,
): Promise<Reply & { readonly body: Buffer }> {
  return new Promise((resolve, reject) => {
    const outgoing = request(`${target}${url}`, { method, headers, agent: false }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('end', () => {
        const { location } = answer.headers;
        resolve({
          status: answer.statusCode ?? 0,
          headers: { 'content-type': answer.headers['content-type'] ?? '', ...(location && { location }) },
          body: Buffer.concat(chunks),
        });
      });
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}
