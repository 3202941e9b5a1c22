import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { LoginStep, MappedProfile } from '../../lib/index.js';

export const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' };

export type Expected = ExpectedSuccess | ExpectedError | ExpectedFailure;

export type ExpectedSuccess = Partial<MappedProfile> & {
  readonly outcome: 'success';
  /** Where the user's identity comes from although this call failed. */
  readonly fallback?: 'lookup' | 'access-token';
  /** `_json`, if it is not the JSON of the response. */
  readonly record?: object;
  /** What a refresh resolves to, besides `params`. */
  readonly tokens?: {
    readonly accessToken: string;
    readonly refreshToken: string;
    /** A date as JSON serializes it, in ISO 8601. */
    readonly expiresAt: string;
    readonly scope: readonly string[];
  };
};

/** A `RefusedError`. */
export interface ExpectedError {
  readonly outcome: 'error';
  readonly step: LoginStep;
  readonly status: number;
  readonly networkCode?: string;
  readonly networkMessage?: string;
  readonly requestId?: string;
  /** @default false */
  readonly accessTokenSpent?: boolean;
  /** Words of the error message, after the network's own. */
  readonly hint?: string;
}

export interface ExpectedFailure {
  readonly outcome: 'failure';
  readonly status: number;
}

/** What the exchanges of a step have in common. */
export interface Shared {
  readonly strategy?: Readonly<Record<string, unknown>>;
  readonly scope: string;
  readonly method: string;
  readonly path: string;
  readonly body?: Readonly<Record<string, string>>;
  readonly reqheaders?: Record<string, string>;
  readonly rawHeaders: Record<string, string>;
  /** @default 200 */
  readonly status?: number;
}

export interface Exchange extends Shared, Pick<Step, 'folder' | 'step'> {
  /** `<network>/<version>/<step>.<case>` */
  readonly name: string;
  readonly source: string;
  readonly status: number;
  readonly response: string | object;
  readonly expected: Expected;
}

/** An exchange as its file has it: without what it shares with the others of its step. */
export type Entry = Partial<Shared> & {
  readonly source: string;
  readonly response?: Exchange['response'];
  /** @default a success, unless there is `refused` */
  readonly expected?: Omit<ExpectedSuccess, 'outcome'>;
  /** A `RefusedError`: `networkCode | networkMessage | hint | HTTP status | ending`. Without `response`, the response has the shape of `refusal`. */
  readonly refused?: string;
};

type Refusal = Omit<Entry, 'source' | 'expected'> & { readonly expected?: Partial<ExpectedError> };

/** A file with the exchanges of one step, by case. */
export interface StepFile {
  /** @default the method POST, and JSON */
  readonly shared: Omit<Shared, 'method' | 'rawHeaders'> & Partial<Shared>;
  /** What the refusals have in common. A string `{networkCode}`, `{networkMessage}` or `{number}` stands for that of the exchange. @default that of OAuth 2 */
  readonly refusal?: Refusal;
  /** Exchanges that have nothing but `refused`, by source and case. */
  readonly refusals?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly exchanges: Readonly<Record<string, Entry>>;
}

/** RFC 6749, section 5.2. */
const USUAL_REFUSAL: Refusal = {
  status: 400,
  response: { error: '{networkCode}', error_description: '{networkMessage}' },
};

/** What comes of a refusal that does not end as usual: by its word, what is expected. */
const ENDINGS: Readonly<Record<string, Partial<ExpectedError> | ExpectedFailure>> = {
  later: { status: 503 },
  spent: { accessTokenSpent: true },
  unusable: { outcome: 'failure', status: 403 },
};

/** Steps of exchanges -> steps of errors, where they differ. */
const LOGIN_STEPS: Readonly<Record<string, LoginStep>> = {
  'request-token': 'request token',
  'access-token': 'token',
  lookup: 'profile',
  logout: 'revoke',
};

export interface Step extends StepFile {
  readonly shared: Shared;
  /** `<network>/<version>` */
  readonly folder: string;
  readonly step: string;
}

export function allSteps(folders: readonly string[] = [__dirname]): Step[] {
  return folders.flatMap((root) =>
    readdirSync(root, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.json'))
      .sort()
      .map((file) => {
        const content = JSON.parse(readFileSync(path.join(root, file), 'utf8')) as StepFile;
        return {
          ...content,
          shared: { method: 'POST', rawHeaders: JSON_TYPE, ...content.shared },
          exchanges: { ...refusalsOf(content), ...content.exchanges },
          folder: path.dirname(file),
          step: path.basename(file, '.json'),
        };
      }),
  );
}

function refusalsOf({ refusals = {} }: StepFile): Record<string, Entry> {
  const rows = Object.entries(refusals).flatMap(([source, cases]) =>
    Object.entries(cases).map(([name, refused]) => [name, { source, refused }] as const),
  );
  return Object.fromEntries(rows);
}

/** All exchanges, sorted by name within their step. */
export function allExchanges(folders?: readonly string[]): Exchange[] {
  return allSteps(folders).flatMap((step) =>
    Object.entries(step.exchanges).map(([name, entry]) => completeExchange(step, name, entry)),
  );
}

function completeExchange(step: Step, name: string, { refused, expected, ...own }: Entry): Exchange {
  const { shared, folder, refusal = USUAL_REFUSAL } = step;
  const cells = (refused ?? '').split(' | ').map((word) => word || undefined);
  const [networkCode, networkMessage, hint, status, ending = ''] = cells;
  const details = present({ networkCode, networkMessage, hint });
  const template = refused === undefined ? {} : filled(refusal, { ...details, number: Number(networkCode) });
  const { expected: always, ...usual } = template as Refusal;
  const said = status && { status: Number(status) };
  const fields = present({ status: 200, ...shared, ...usual, ...said, ...own });
  const error = { outcome: 'error', step: LOGIN_STEPS[step.step] ?? step.step, status: 502 };
  return {
    ...(fields as Exchange),
    name: `${folder}/${step.step}.${name}`,
    folder,
    step: step.step,
    expected:
      refused === undefined
        ? { outcome: 'success', ...expected }
        : ({ ...error, ...details, ...always, ...ENDINGS[ending] } as Expected),
  };
}

function present(fields: object): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/** Fills a template. Members without a value are left out. */
function filled(template: unknown, values: Readonly<Record<string, unknown>>): unknown {
  if (typeof template === 'string')
    return /^\{\w+\}$/.test(template) ? values[template.slice(1, -1)] : template;
  if (Array.isArray(template)) return template.map((item) => filled(item, values));
  if (typeof template !== 'object' || template === null) return template;
  const members = Object.entries(template).map(([name, value]) => [name, filled(value, values)]);
  return Object.fromEntries(members.filter(([, value]) => value !== undefined));
}

/** The steps of a login, in order. VK ID's lookup runs at the same time as the profile request. */
const LOGIN = ['request-token', 'access-token', 'token', 'profile', 'lookup'];

/** The exchanges of the whole login that an exchange is part of: the usual ones before it and, if the login continues, after it. */
export function loginAround(exchange: Exchange, all: readonly Exchange[]): Exchange[] {
  const usual = (step: string) => {
    const found = all.filter((other) => other.folder === exchange.folder && other.step === step);
    const leadsToLookup = ({ expected }: Exchange) => 'fallback' in expected && exchange.step === 'lookup';
    return found.find(leadsToLookup) ?? found.find(({ name }) => name.endsWith('.success'));
  };
  const login: Exchange[] = [];
  for (const step of LOGIN) {
    const [last] = login.slice(-1);
    const needsLookup = last?.expected.outcome === 'success' && last.expected.fallback === 'lookup';
    if (step === 'lookup' && exchange.step !== 'lookup' && !needsLookup) continue;
    const next = step === exchange.step ? exchange : usual(step);
    if (next) login.push(next);
    if (next === exchange && exchange.expected.outcome !== 'success') break;
  }
  return login;
}
