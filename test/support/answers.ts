import { readFileSync } from 'node:fs';
import path from 'node:path';

/** An answer of a network, and what a login has to make of it: see test/answers/README.md. */
export interface Answer {
  readonly id: string;
  readonly step: 'callback' | 'profile' | 'request_token' | 'token';
  /** @default 200 */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** The query of an authorization response. */
  readonly callback?: string;
  /** Members of the usual token answer that are others; `null`: absent. */
  readonly token?: Readonly<Record<string, unknown>>;
  readonly options?: object;
  readonly expect: Expected;
}

/** One of `user`, `failure` and `error`; texts that name a pattern are regular expressions. */
export interface Expected {
  readonly user?: ExpectedUser;
  readonly failure?: { readonly code: string; readonly status?: number };
  readonly error?: ExpectedError;
}

/** `null`: the profile has no such member. */
export interface ExpectedUser {
  readonly id?: string;
  readonly displayName?: string;
  readonly username?: string | null;
  readonly gender?: string | null;
  readonly emails?: readonly object[] | null;
  readonly photos?: readonly string[] | null;
  /** A pattern. */
  readonly profileUrl?: string | null;
  /** Path in `_json` -> value. */
  readonly json?: Readonly<Record<string, unknown>>;
}

export interface ExpectedError {
  readonly class?: string;
  readonly code?: readonly string[];
  readonly status?: number;
  readonly networkCode?: string;
  readonly networkMessage?: string;
  /** Patterns for the message, without the network's own words. */
  readonly hint?: string;
  readonly retry?: boolean;
  /** Seconds: least and most. */
  readonly retryAfter?: readonly [number, number];
  readonly accessTokenSpent?: boolean;
  readonly userURL?: string | null;
  readonly noSecrets?: readonly string[];
}

export function answersOf(name: string): Answer[] {
  const file = path.join(__dirname, '..', 'answers', `${name}.json`);
  return JSON.parse(readFileSync(file, 'utf8')) as Answer[];
}
