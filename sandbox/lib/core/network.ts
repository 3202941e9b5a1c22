import type { Client } from './clients.js';
import type { Belief } from './evidence.js';
import type { ErrorResponse, NetworkRequest, NetworkResponse } from './http.js';
import type { SandboxPerson } from './people.js';
import type { World } from './world.js';

export interface Appearance {
  readonly brand: string;
  readonly always: readonly string[];
  readonly scopes: readonly string[];
  /** What is wrong with a person's account at this network, such as `banned at VK`; missing when no account can be. */
  readonly state?: (person: SandboxPerson) => string | undefined;
}

export interface NetworkDefinition {
  readonly name: string;
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

/** What a content delivery network sends in place of any network. */
const CHALLENGE_PAGE: Case = [
  403,
  '<!doctype html><html lang="en"><title>Just a moment...</title></html>',
  () => ({ 'content-type': 'text/html; charset=utf-8', 'cf-mitigated': 'challenge' }),
];

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
  'challenge-page': CHALLENGE_PAGE,
  ...faults.cases?.[name],
});

export const serve = (
  network: string,
  endpoints: readonly Endpoint[],
  faults: FaultTable,
  version?: string,
): readonly ServedEndpoint[] => endpoints.map((endpoint) => ({ ...endpoint, network, faults, version }));

const endpoint =
  (method: Endpoint['method']) =>
  (name: string, path: string, handle: Endpoint['handle']): Endpoint => ({ name, method, path, handle });

export const get = endpoint('get');
export const post = endpoint('post');
