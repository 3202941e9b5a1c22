import type { NetworkRequest } from './request.js';
import type { ErrorResponse, NetworkResponse } from './response.js';

/** The networks that the sandbox plays. */
export const NETWORKS = ['short-video', 'microblog', 'social-network'] as const;

/** A network that the sandbox plays. @useDeclaredType */
export type SandboxNetwork = (typeof NETWORKS)[number];

/** Protocol versions of the networks that have two. */
export const VERSIONS = ['1.0', '2.0', '2.1'] as const;

/** A protocol version of a network that has two. @useDeclaredType */
export type SandboxVersion = (typeof VERSIONS)[number];

/** An endpoint of a network. */
export interface Endpoint {
  readonly network: SandboxNetwork;
  /** Name in the request log. */
  readonly name: string;
  readonly method: 'get' | 'post';
  /** Path within the sandbox: the network's own path, behind a prefix. */
  readonly path: string;
  /** Handles a request. @throws ErrorResponse when the network rejects it. */
  handle(request: NetworkRequest): NetworkResponse;
}

/** Error responses that a fault can force. A missing one means that the endpoint cannot fail that way. */
export interface FaultResponses {
  /** Too many requests. @param seconds - Time until the next request is allowed, for networks that say so. */
  readonly 'rate-limit': (request: NetworkRequest, seconds: number) => ErrorResponse;
  /** The authorization code or request token has expired. */
  readonly 'expired-code'?: (request: NetworkRequest) => ErrorResponse;
  /** The user has withdrawn the consent behind an access or refresh token. */
  readonly 'revoked-token'?: (request: NetworkRequest) => ErrorResponse;
}

/** An endpoint as the sandbox serves it. */
export interface ServedEndpoint extends Endpoint {
  /** Protocol version; missing when the endpoint serves both, or the network has only one. */
  readonly version?: SandboxVersion;
  readonly faultResponses: FaultResponses;
}

/** One protocol of one network. */
export interface Network {
  readonly endpoints: readonly Endpoint[];
}
