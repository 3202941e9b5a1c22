import type { Answer, Refusal } from './answer.js';
import type { Call } from './call.js';

/** The networks that the sandbox plays. */
export const NETWORKS = ['short-video', 'microblog', 'social-network'] as const;

/** A network that the sandbox plays. @useDeclaredType */
export type SandboxNetwork = (typeof NETWORKS)[number];

/** Versions of the protocols of those networks that have two. */
export const VERSIONS = ['1.0', '2.0', '2.1'] as const;

/** A version of the protocol, of those networks that have two. @useDeclaredType */
export type SandboxVersion = (typeof VERSIONS)[number];

/** One address of a network. */
export interface Endpoint {
  readonly network: SandboxNetwork;
  /** What the request log calls it. */
  readonly name: string;
  readonly method: 'get' | 'post';
  /** Path within the sandbox: the network's own path behind a prefix. */
  readonly path: string;
  /** Answers a call. @throws Refusal for what the network refuses. */
  answer(call: Call): Answer;
}

/** What a network answers in troubles that a caller cannot bring about at will. Absent: it cannot come to that. */
export interface Troubles {
  /** Too many requests. @param seconds - Until the network takes requests again, where it says so. */
  readonly 'rate-limit': (call: Call, seconds: number) => Refusal;
  /** The code, or request token, of an exchange has expired. */
  readonly 'expired-code'?: (call: Call) => Refusal;
  /** The person has withdrawn the consent behind an access or refresh token. */
  readonly 'revoked-token'?: (call: Call) => Refusal;
}

/** An address as the sandbox serves it. */
export interface ServedEndpoint extends Endpoint {
  /** Of the protocol that the address belongs to; absent where it serves both, or the network has one only. */
  readonly version?: SandboxVersion;
  readonly troubles: Troubles;
}

/** One protocol of one network. */
export interface Network {
  readonly endpoints: readonly Endpoint[];
}
