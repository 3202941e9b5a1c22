import type { Client } from './clients.js';
import type { Belief } from './evidence.js';
import type { ErrorResponse, NetworkRequest, NetworkResponse } from './http.js';
import type { SandboxPerson } from './people.js';
import type { World } from './world.js';

export interface Appearance {
  readonly brand: string;
  /** What an application gets without any scope, one sentence each. */
  readonly always: readonly string[];
  /** What each scope allows, in words. */
  readonly scopes: Readonly<Record<string, string>>;
  /** What is wrong with a person's account at this network, such as `banned at VK`; missing when no account can be. */
  readonly state?: (person: SandboxPerson) => string | undefined;
}

/** A network that the sandbox plays: what its folder exports. */
export interface NetworkDefinition {
  readonly name: string;
  readonly appearance: Appearance;
  /** Protocol versions; none if there is only one. */
  readonly versions: readonly string[];
  /** The first segments of its paths. */
  readonly prefixes: readonly string[];
  /** The clients that it knows, with the default one first. */
  readonly clients: readonly Client[];
  /** What it holds requests to, by keys for its code. */
  readonly beliefs: Readonly<Record<string, Belief>>;
  /** What nobody could confirm about the network, one sentence each. */
  readonly unknown: readonly string[];
  identify(person: SandboxPerson): string;
  /** Starts the network: what it issues is kept in the world. */
  endpoints(world: World): readonly ServedEndpoint[];
}

export interface Endpoint {
  readonly name: string;
  readonly method: 'get' | 'post';
  /** Path within the sandbox: the network's own path, behind a prefix. */
  readonly path: string;
  /** Handles a request. @throws ErrorResponse when the network rejects it. */
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

/** Error responses that a fault can force. A missing one means that the endpoint cannot fail that way. */
export interface FaultResponses {
  /** Too many requests. @param seconds - Time until the next request is allowed, for networks that say so. */
  readonly 'rate-limit': (request: NetworkRequest, seconds: number) => ErrorResponse;
  readonly 'expired-code'?: (request: NetworkRequest) => ErrorResponse;
  /** The user has withdrawn the consent behind an access or refresh token. */
  readonly 'revoked-token'?: (request: NetworkRequest) => ErrorResponse;
  readonly cases: Readonly<Record<string, Case>>;
}

export interface ServedEndpoint extends Endpoint {
  readonly network: string;
  /** Protocol version; missing when the endpoint serves both, or the network has only one. */
  readonly version?: string;
  readonly faultResponses: FaultResponses;
}

/** Error responses of a network under a fault: to a code that has expired, and to a revoked token, by name of the endpoint. */
export interface FaultTable {
  readonly rateLimit: FaultResponses['rate-limit'];
  readonly expired: Readonly<Record<string, (request: NetworkRequest) => ErrorResponse>>;
  readonly revoked: FaultTable['expired'];
  readonly cases?: Readonly<Record<string, FaultResponses['cases']>>;
}

export const serve = (
  network: string,
  endpoints: readonly Endpoint[],
  { rateLimit, expired, revoked, cases: named = {} }: FaultTable,
  version?: string,
): readonly ServedEndpoint[] =>
  endpoints.map((endpoint) => {
    const [code, token] = [expired[endpoint.name], revoked[endpoint.name]];
    const cases = { 'challenge-page': CHALLENGE_PAGE, ...named[endpoint.name] };
    const responses = { ...(code && { 'expired-code': code }), ...(token && { 'revoked-token': token }) };
    const faultResponses = { 'rate-limit': rateLimit, cases, ...responses };
    return { ...endpoint, network, faultResponses, ...(version !== undefined && { version }) };
  });

const endpoint =
  (method: Endpoint['method']) =>
  (name: string, path: string, handle: Endpoint['handle']): Endpoint => ({ name, method, path, handle });

export const get = endpoint('get');
export const post = endpoint('post');
