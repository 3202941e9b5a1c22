import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { LoginStep, MappedProfile } from '../../lib/index.js';

/** The expected result of a response. */
export type Expected = ExpectedSuccess | ExpectedError | ExpectedFailure;

export type ExpectedSuccess = Partial<MappedProfile> & {
  readonly outcome: 'success';
  /** Where the user's identity comes from although this call failed. */
  readonly fallback?: 'lookup' | 'profile' | 'access-token' | 'token';
  /** `_json`, if it is not the JSON of the response. */
  readonly record?: object;
  /** What a refresh resolves to, besides `params`. */
  readonly tokens?: ExpectedTokens;
};

export interface ExpectedTokens {
  readonly accessToken: string;
  readonly refreshToken: string;
  /** A date as JSON serializes it, in ISO 8601. */
  readonly expiresAt: string;
  readonly scope: readonly string[];
}

export interface ExpectedError {
  readonly outcome: 'error';
  readonly class: 'RefusedError' | 'MalformedError' | 'UnreachableError';
  readonly step: LoginStep;
  readonly status: number;
  readonly networkCode?: string;
  readonly networkMessage?: string;
  readonly requestId?: string;
  readonly retryAfter?: number;
  /** @default false */
  readonly accessTokenSpent?: boolean;
  readonly hint?: string;
}

export interface ExpectedFailure {
  readonly outcome: 'failure';
  readonly status: number;
}

/** An exchange file: a nock definition and the fields that the README lists. */
interface ExchangeFile {
  readonly source: string;
  readonly after?: string;
  readonly strategy?: Readonly<Record<string, unknown>>;
  readonly scope: string;
  readonly method: string;
  readonly path: string;
  readonly body?: Readonly<Record<string, string>>;
  readonly reqheaders?: Record<string, string>;
  readonly badheaders?: string[];
  readonly status: number;
  readonly response: string | number | object;
  readonly rawHeaders: Record<string, string>;
  readonly expected: Expected;
}

/** One exchange: a request, its response, and what a strategy makes of it. */
export interface Exchange extends ExchangeFile {
  /** `<network>/<version>/<step>.<case>` */
  readonly name: string;
  /** `<network>/<version>` */
  readonly folder: string;
  readonly step: string;
}

/** The folders with exchanges. `npm run record -- --folder` names a second one in EXCHANGES. */
function roots(): string[] {
  const { EXCHANGES } = process.env;
  return EXCHANGES ? [__dirname, EXCHANGES] : [__dirname];
}

/** All exchanges, sorted by file name. */
export function allExchanges(): Exchange[] {
  const files = roots().flatMap((root) => readdirSync(root, { recursive: true, encoding: 'utf8' }));
  return [...new Set(files)]
    .filter((file) => file.endsWith('.json'))
    .sort()
    .map((file) => readExchange(path.dirname(file), path.basename(file)));
}

/**
 * The exchanges of the whole login that an exchange is part of: its predecessors by `after`, the exchange itself, and, if
 * the login continues, a success of each further step.
 */
export function loginAround(exchange: Exchange, all: readonly Exchange[]): Exchange[] {
  const before: Exchange[] = [];
  for (let name = predecessor(exchange); name; name = predecessor(before[0] as Exchange)) {
    before.unshift(readExchange(exchange.folder, name));
  }
  const after: Exchange[] = [];
  for (let next = successor(exchange, all); next; next = successor(next, all)) after.push(next);
  return [...before, exchange, ...after];
}

function readExchange(folder: string, file: string): Exchange {
  const paths = roots().map((root) => path.join(root, folder, file));
  const found = paths.find((candidate) => existsSync(candidate)) ?? (paths[0] as string);
  const exchange = JSON.parse(readFileSync(found, 'utf8')) as ExchangeFile;
  const name = `${folder}/${path.basename(file, '.json')}`;
  return { ...exchange, name, folder, step: file.split('.', 1)[0] as string };
}

const FIRST_STEPS = ['token', 'request-token'];

function predecessor({ name, after, step }: Exchange): string | undefined {
  if (after === undefined && !FIRST_STEPS.includes(step)) throw new Error(`${name} has no "after".`);
  return after;
}

function successor(
  { name, folder, step, expected }: Exchange,
  all: readonly Exchange[],
): Exchange | undefined {
  if (expected.outcome !== 'success') return undefined;
  const next = nextStep(step, expected.fallback);
  if (next === undefined) return undefined;
  const usual = readExchange(folder, `${next}.success.json`);
  // An exchange that names this one in `after` fits better than the usual success, best of all one without a fallback.
  const fitting = [usual, ...all].filter(
    (other) =>
      `${folder}/${other.after}` === `${name}.json` &&
      other.folder === folder &&
      other.expected.outcome === 'success',
  );
  return fitting.find((other) => !('fallback' in other.expected)) ?? fitting[0] ?? usual;
}

function nextStep(step: string, fallback: ExpectedSuccess['fallback']): string | undefined {
  // VK ID's lookup runs at the same time as the profile request, and nothing follows it.
  if (step === 'lookup' || fallback === 'token' || fallback === 'access-token') return undefined;
  if (fallback !== undefined) return fallback;
  if (step === 'request-token') return 'access-token';
  return step === 'token' || step === 'access-token' ? 'profile' : undefined;
}
