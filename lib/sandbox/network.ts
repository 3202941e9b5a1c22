import type { Answer } from './answer.js';
import type { Call } from './call.js';

/** The networks that the sandbox plays. */
export type SandboxNetwork = 'short-video' | 'microblog' | 'social-network';

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

/** One protocol of one network. */
export interface Network {
  readonly endpoints: readonly Endpoint[];
}
