import type { Belief } from './evidence.js';
import type { ErrorResponse, NetworkRequest, NetworkResponse } from './http.js';
import type { SandboxPerson } from './people.js';
import type { SandboxOptions, World } from './world.js';

export interface Appearance {
  readonly brand: string;
  /** What an application gets without any scope. */
  readonly always?: readonly string[];
  readonly scopes: readonly string[];
  /** What is wrong with a person's account at this network, such as `banned at VK`; missing when no account can be. */
  readonly state?: (person: SandboxPerson) => string | undefined;
}

/** What the console's "try a login" sends for a client, besides what every client of its protocol sends. */
export interface TrialRequests {
  readonly identifier?: string;
  readonly authorization?: Readonly<Record<string, string>>;
  readonly challenge?: 'base64url' | 'hex';
  readonly basic?: boolean;
  readonly withoutSecret?: boolean;
  /** Whether the network has a button of its own for it. */
  readonly oneTap?: boolean;
  /** Missing if the profile request is a POST with the token in its body. */
  readonly profileQuery?: Readonly<Record<string, string>>;
}

/** A client that the sandbox has registered with a network, and how to log in with it. */
export interface Client {
  /** Heading in lists of clients, such as `microblog, OAuth 1.0a`. */
  readonly title: string;
  readonly version?: string;
  readonly kind: 'confidential' | 'public';
  /** Missing with OAuth 1.0a, which the console does not try. */
  readonly trial?: TrialRequests;
  readonly options: (url: string) => SandboxOptions;
}

/** What a strategy needs besides the options: a key in place of the secret. A text, because the sandbox does not import the strategies. */
export const addedOptions = (options: object): readonly (readonly [name: string, code: string])[] =>
  'clientSecret' in options ? [] : [['store', 'cookieLogins({ secrets: process.env.LOGIN_SECRET })']];

/** Options as code to paste, a line each. The sandbox does not know where the application is. */
export const optionsCode = (options: object, indent: string): string =>
  [...Object.entries(options).map(([name, value]) => [name, `'${String(value)}'`]), ...addedOptions(options)]
    .map(([name, code]) => `${indent}${name}: ${code},\n`)
    .concat(`${indent}baseURL: 'http://127.0.0.1:3000', // where browsers reach your application\n`)
    .join('');

/** The client that a choice means: by default the network's first one, with a version the first one of that version. */
export const clientFor = (
  clients: readonly Client[],
  { version = clients[0]?.version, client }: { readonly version?: unknown; readonly client?: unknown },
): Client | undefined =>
  clients.find((known) => known.version === version && known.kind === (client ?? known.kind));

export interface NetworkDefinition {
  readonly name: string;
  /** What people call it, or a protocol of it: lower-case letters only. */
  readonly otherNames: readonly string[];
  readonly appearance: Appearance;
  readonly prefixes: readonly string[];
  /** The clients that it knows, with the default one first. */
  readonly clients: readonly Client[];
  readonly beliefs: Readonly<Record<string, Belief>>;
  readonly unknown: readonly string[];
  endpoints(world: World): readonly ServedEndpoint[];
}

export interface Endpoint {
  readonly name: string;
  readonly method: 'get' | 'post';
  /** Path within the sandbox: the network's own path, behind a prefix. */
  readonly path: string;
  handle(request: NetworkRequest): NetworkResponse;
}

/** A response that the network is known to give, for the fault `case`. An object is sent as JSON. */
export type Case = readonly [status: number, body: string | object, headers?: () => Record<string, string>];

type Failure = (request: NetworkRequest) => ErrorResponse;

/** Error responses of a network that a fault can force, by name of the endpoint. Without one, the endpoint cannot fail that way. */
export interface FaultTable {
  /** @param seconds - Time until the next request is allowed, for networks that say so. */
  readonly rateLimit: (request: NetworkRequest, seconds: number) => ErrorResponse;
  readonly 'expired-code': Readonly<Record<string, Failure>>;
  readonly 'revoked-token': Readonly<Record<string, Failure>>;
  readonly cases?: Readonly<Record<string, Readonly<Record<string, Case>>>>;
}

export interface ServedEndpoint extends Endpoint {
  readonly network: string;
  /** Protocol version; missing when the endpoint serves both, or the network has only one. */
  readonly version?: string | undefined;
  readonly faults: FaultTable;
}

export const casesAt = ({ name, faults }: ServedEndpoint): Readonly<Record<string, Case>> => ({
  // What a content delivery network sends in place of any network.
  'challenge-page': [
    403,
    '<!doctype html><html lang="en"><title>Just a moment...</title></html>',
    () => ({ 'content-type': 'text/html; charset=utf-8', 'cf-mitigated': 'challenge' }),
  ],
  ...faults.cases?.[name],
});

export const serve = (endpoints: readonly Endpoint[], more: Omit<ServedEndpoint, keyof Endpoint>) =>
  endpoints.map((endpoint): ServedEndpoint => ({ ...endpoint, ...more }));

const endpoint =
  (method: Endpoint['method']) =>
  (name: string, path: string, handle: Endpoint['handle']): Endpoint => ({ name, method, path, handle });

export const get = endpoint('get');
export const post = endpoint('post');
