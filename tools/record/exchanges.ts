import { isDeepStrictEqual } from 'node:util';
import { stringParameters } from '../../lib/core/application-code.js';
import { cleanLine } from '../../lib/core/errors/index.js';
import { isObject, parseJSON, property } from '../../lib/core/http/index.js';
import {
  type Exchange,
  type Expected,
  type ExpectedSuccess,
  loginAround,
  usualError,
} from '../../test/exchanges/exchange.js';
import { type LoginResult, logIn, strategyOptions } from '../../test/exchanges/login.js';
import type { ExchangeNetwork } from '../../test/exchanges/networks.js';
import { optionsOf, replay } from '../../test/exchanges/play.js';
import type { Outcome, RawExchange, Recording } from './login.js';
import { Redactor } from './redact.js';

import nock = require('nock');

/** Where the exchanges come from, and how they were made. */
export interface Origin {
  /** `<network>/<version>` */
  readonly folder: string;
  /** As the mark of a recorded exchange names it. */
  readonly protocol: string;
  /** `YYYY-MM-DD` */
  readonly date: string;
  readonly network: ExchangeNetwork;
  /** The options of the strategy, complete. */
  readonly options: Readonly<Record<string, unknown>>;
  /** All exchanges that the suite plays. */
  readonly known: readonly Exchange[];
}

/** An exchange without what is confidential or personal. `expected` is only known after it has been played. */
export type Redacted = Exchange & { readonly isError: boolean };

const pathname = (path: string) => path.split('?', 1)[0] as string;

/** The step of a request: that of a known exchange with the same path and grant type. */
function stepOf(
  { method, path, body }: Pick<RawExchange, 'method' | 'path' | 'body'>,
  { known, folder }: Origin,
): string | undefined {
  return known.find(
    (exchange) =>
      exchange.folder === folder &&
      exchange.method === method &&
      pathname(path).endsWith(pathname(exchange.path)) &&
      exchange.body?.grant_type === body?.grant_type,
  )?.step;
}

const ORDER = ['request-token', 'token', 'access-token', 'profile', 'lookup', 'refresh', 'revoke'];

/**
 * Replaces what is confidential or personal in a recording.
 *
 * @throws Error if the strategy sent a request that the suite does not know.
 */
export function redact(
  recording: Recording,
  origin: Origin,
): { readonly exchanges: readonly Redacted[]; readonly redactor: Redactor } {
  const raw = recording.exchanges.map((exchange) => {
    const step = stepOf(exchange, origin);
    if (step !== undefined) return { ...exchange, step };
    throw new Error(
      `${exchange.method} ${exchange.scope}${pathname(exchange.path)} is in no exchange of ${origin.folder}: record at the network's own URLs.`,
    );
  });
  const ofLogin = withoutOtherLogins(raw, recording.response).sort(
    (one, other) => ORDER.indexOf(one.step) - ORDER.indexOf(other.step),
  );
  const redactor = new Redactor(origin.known, origin.folder);
  for (const [name, original, replacement] of fixedValues(recording.response, origin)) {
    redactor.know(original, replacement, name);
  }
  for (const [name, value] of Object.entries(recording.response)) redactor.watch(value, name);
  for (const { body } of ofLogin) redactor.know(body?.state ?? '', 'STATE', 'state');
  const redactAll = () => ofLogin.map((exchange) => redactExchange(exchange, recording, origin, redactor));
  // The first time teaches the redactor all values: a name in the last response may be in the first one too.
  redactAll();
  return { exchanges: redactAll(), redactor };
}

/** OAuth 1.0a requests a token for each login that begins. */
function withoutOtherLogins<E extends RawExchange & { step: string }>(
  exchanges: readonly E[],
  { oauth_token: token }: Readonly<Record<string, string>>,
): E[] {
  const requests = exchanges.filter(({ step }) => step === 'request-token');
  const own = requests.find(
    ({ response }) =>
      token !== undefined && new URLSearchParams(String(response)).get('oauth_token') === token,
  );
  return exchanges.filter(
    (exchange) => !requests.includes(exchange) || exchange === (own ?? requests.at(-1)),
  );
}

function fixedValues(
  response: Readonly<Record<string, string>>,
  { network, options }: Origin,
): [name: string, value: string, fixed: string][] {
  const { payload = '', ...flat } = response;
  const { clientID, clientSecret, serviceToken, callbackURL } = options;
  const packed = parseJSON(payload);
  const credentials = { clientID, clientSecret, serviceToken, callbackURL };
  const values = stringParameters({ ...flat, ...(isObject(packed) && packed), ...credentials });
  const suite = stringParameters({
    state: 'STATE',
    serviceToken: 'SERVICE-TOKEN',
    clientID: network.options.consumerKey,
    clientSecret: network.options.consumerSecret,
    ...network.options,
    ...network.callback,
  });
  return [...Object.keys(credentials), ...Object.keys(network.callback), 'state'].flatMap((name) => {
    const [value, fixed] = [values[name], suite[name]];
    return value === undefined || fixed === undefined ? [] : [[name, value, fixed]];
  });
}

function redactExchange(
  raw: RawExchange & { readonly step: string },
  recording: Recording,
  origin: Origin,
  redactor: Redactor,
): Redacted {
  const { step, scope, method, status } = raw;
  const { network, protocol, date, folder } = origin;
  const isError = isErrorResponse(raw);
  const body = raw.body && bodyOf(raw.body, step, recording, origin, redactor);
  const authorization = authorizationOf(raw.requestHeaders.authorization, redactor, network);
  const isPublic = 'clientSecret' in network.options && origin.options.clientSecret === undefined;
  const names = cleanLine(Object.keys(recording.response).sort().join(', '));
  const isToken = step === 'token' || step === 'access-token';
  const strategy = {
    ...optionsFor(raw, origin),
    ...(isPublic && { clientSecret: null }),
    ...(origin.options.serviceToken !== undefined && { serviceToken: 'SERVICE-TOKEN' }),
  };
  return {
    name: '',
    folder,
    step,
    source: `recorded: ${protocol} at ${scope}, ${date}${isToken ? `; parameters of the authorization response: ${names}` : ''}`,
    ...(Object.keys(strategy).length > 0 && { strategy }),
    scope,
    method,
    path: redactor.path(raw.path, step),
    ...(body && { body }),
    ...(authorization !== undefined && { reqheaders: { authorization } }),
    ...(isPublic && authorization === undefined && { badheaders: ['authorization'] }),
    status,
    response: redactor.response(raw.response, step, isError),
    rawHeaders: redactor.headers(raw.headers, step),
    expected: { outcome: 'success' },
    isError,
  };
}

function bodyOf(
  body: Readonly<Record<string, string>>,
  step: string,
  { revoked }: Recording,
  { known, folder }: Origin,
  redactor: Redactor,
): Record<string, string> {
  const usual = known.find(({ name }) => name === `${folder}/revoke.success`)?.body;
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => {
      // The suite revokes the token of the login; the tool, the newest one.
      const fixed = step === 'revoke' && value === revoked ? usual?.[name] : undefined;
      return [name, fixed ?? redactor.parameter(name, value, step)];
    }),
  );
}

/** Basic and Bearer credentials with the fixed values; a signature of OAuth 1.0a is left out. */
function authorizationOf(
  header: string | undefined,
  redactor: Redactor,
  { options }: ExchangeNetwork,
): string | undefined {
  const [scheme, credentials = ''] = header?.split(' ', 2) ?? [];
  if (scheme === 'Bearer') return `Bearer ${redactor.parameter('access_token', credentials, 'token')}`;
  if (scheme !== 'Basic') return undefined;
  return `Basic ${Buffer.from(`${String(options.clientID)}:${String(options.clientSecret)}`).toString('base64')}`;
}

/** The options that the exchange needs: of the URLs only its own. */
function optionsFor({ scope, path }: RawExchange, { options }: Origin): Record<string, unknown> {
  const own = Object.entries(options).filter(([name, value]) => {
    if (['clientID', 'clientSecret', 'serviceToken', 'callbackURL', 'version'].includes(name)) return false;
    if (!name.endsWith('URL')) return true;
    return pathname(String(value)) === pathname(`${scope}${path}`);
  });
  return Object.fromEntries(own);
}

/** Whether the network reports an error. TikTok's success has an `error`, too, whose code is `ok`. */
function isErrorResponse({ status, response }: RawExchange): boolean {
  const error = (isObject(response) ? response.error : undefined) as { code?: unknown } | undefined;
  return status >= 300 || (error !== undefined && error.code !== 'ok');
}

/** Path of a member, such as `data.user.open_id` -> the types that it had. */
function shapeOf(value: unknown, path = ''): [path: string, type: string][] {
  const type = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
  const members = isObject(value) || Array.isArray(value) ? Object.entries(value) : [];
  return [[path, type], ...members.flatMap(([name, member]) => shapeOf(member, `${path}.${name}`))];
}

/**
 * Plays the redacted exchanges, and notes what the strategy made of them as what the suite expects. A login that failed leaves the exchange in
 * which it failed, after a login of the suite.
 *
 * @returns What can be written, and how the login and the calls after it ended.
 * @throws Error if they end in another way than the recorded login did.
 */
export async function toEvidence(
  exchanges: readonly Redacted[],
  { outcome, calls }: Recording,
  origin: Origin,
) {
  const names = new Set(origin.known.map(({ name }) => name));
  const named = withoutRetried(exchanges).map((exchange) => ({
    ...exchange,
    name: unusedName(exchange, origin, names),
  }));
  const ofLogin = named.filter(({ step }) => !calls.some((call) => call.step === step));
  const attempts: Attempt[] = [];
  if (outcome.kind === 'success') {
    const login = await successExchanges(ofLogin, outcome.profile, origin);
    attempts.push({ notice: 'The login succeeded.' }, ...login.map((exchange) => ({ exchange })));
  } else attempts.push(await failedLogin(ofLogin, outcome, origin));
  for (const call of calls) {
    const called = named.findLast(({ step }) => step === call.step);
    attempts.push(await callAfterLogin(called, call, origin));
  }
  return {
    written: attempts.flatMap(({ exchange }) => exchange ?? []),
    notices: attempts.flatMap(({ notice }) => notice ?? []),
  };
}

interface Attempt {
  readonly exchange?: Exchange;
  /** How it ended. Without the network's words, unless they have been redacted. */
  readonly notice?: string;
}

function unusedName({ folder, step }: Exchange, { date }: Origin, taken: Set<string>): string {
  for (let number = 1; ; number += 1) {
    const name = `${folder}/${step}.recorded-${date}${number === 1 ? '' : `-${number}`}`;
    if (taken.has(name)) continue;
    taken.add(name);
    return name;
  }
}

/** The suite repeats the response of a request that the strategy retries. */
function withoutRetried(exchanges: readonly Redacted[]): Redacted[] {
  return exchanges.filter(({ method, path, status }, index) => {
    const isRetried = exchanges.slice(index + 1).some((next) => next.method === method && next.path === path);
    return !(isRetried && [502, 503, 504].includes(status));
  });
}

const afterOf = ({ name }: Exchange) => name.split('/').at(-1) as string;

async function successExchanges(
  ofLogin: readonly Redacted[],
  profile: object,
  origin: Origin,
): Promise<Exchange[]> {
  const lookup = ofLogin.find(({ step }) => step === 'lookup');
  const isParallel =
    lookup !== undefined && !ofLogin.some(({ step, isError }) => step === 'profile' && isError);
  const chain = isParallel ? ofLogin.filter((exchange) => exchange !== lookup).map(withoutFields) : ofLogin;
  const linked = chain.map((exchange, index): Exchange => {
    const before = chain[index - 1];
    const fallback = fallbackOf(exchange, chain[index + 1]?.step);
    return {
      ...exchange,
      ...(before && { after: afterOf(before) }),
      expected: { outcome: 'success', ...(fallback && { fallback }) },
    };
  });
  const last = linked.at(-1) as Exchange;
  const result = await play(linked, origin.network);
  const played = linked.with(-1, { ...last, expected: expectedProfile(result, linked, origin.network) });
  if (!isParallel) {
    expectSameProfile(result, profile);
    return played;
  }
  const second: Exchange = { ...lookup, after: afterOf(last), expected: { outcome: 'success' } };
  const complete = await play([...linked, second], origin.network);
  expectSameProfile(complete, profile);
  const isUsed = property(property(complete.verifications[0]?.profile, '_json'), 'lookup') !== undefined;
  const expected: Expected = isUsed ? second.expected : { outcome: 'success', fallback: 'profile' };
  const withLookup = [...linked, { ...second, expected }];
  return [...played, { ...second, expected: expectedProfile(complete, withLookup, origin.network) }];
}

/** The suite plays a login without `users.get` first. */
function withoutFields(exchange: Redacted): Redacted {
  const { profileFields: _fields, ...strategy } = exchange.strategy ?? {};
  return { ...exchange, strategy };
}

/** Where the identity comes from if a response has no profile. @param next - The step that follows. */
function fallbackOf({ step, isError }: Redacted, next: string | undefined): ExpectedSuccess['fallback'] {
  if (next !== undefined) return isError && (next === 'lookup' || next === 'profile') ? next : undefined;
  if (step === 'token' || step === 'access-token') return step;
  return isError ? 'access-token' : undefined;
}

function expectedProfile(
  { verifications }: LoginResult,
  login: readonly Exchange[],
  network: ExchangeNetwork,
): Expected {
  const { expected } = login.at(-1) as Exchange;
  const { _json: record, ...mapped } = mappedOf(verifications[0]?.profile ?? {});
  return {
    ...expected,
    ...mapped,
    ...(!isDeepStrictEqual(record, network.recordOf(login)) && { record }),
  } as Expected;
}

function mappedOf(profile: object): Record<string, unknown> {
  const { provider: _provider, _raw, ...mapped } = profile as Record<string, unknown>;
  return mapped;
}

function expectSameProfile({ verifications, error }: LoginResult, real: object): void {
  if (verifications[0] === undefined) {
    throw new Error('Without its private values, the recorded login fails.', { cause: error });
  }
  const [played, recorded] = [verifications[0].profile, real].map((profile) =>
    shapeOf({ ...mappedOf(profile), _json: undefined }),
  );
  if (isDeepStrictEqual(played, recorded)) return;
  throw new Error('Without its private values, the recorded login has another profile.');
}

/** The exchange in which a login failed, if the suite can play it after its own exchanges of that login. */
async function failedLogin(
  ofLogin: readonly Redacted[],
  outcome: Exclude<Outcome, { kind: 'success' }>,
  { network, known }: Origin,
): Promise<Attempt> {
  const isFailure = outcome.kind === 'failure';
  const step = isFailure ? 'profile' : errorProperty(outcome.error, 'step');
  const culprit = ofLogin.findLast((exchange) => usualError(exchange.step).step === step);
  if (!culprit) {
    const reason = isFailure ? outcome.message : messageOf(outcome.error);
    return { notice: `The login failed: ${reason} There is no response to write.` };
  }
  const token = ofLogin.find((exchange) => ORDER.indexOf(exchange.step) < ORDER.indexOf(culprit.step));
  for (const before of predecessors(culprit, known)) {
    const response = before && token ? withUserOf(before, token, culprit.response) : culprit.response;
    const exchange = { ...culprit, response, ...(before && { after: afterOf(before) }) };
    const failing: Exchange = { ...exchange, expected: { outcome: 'failure', status: 0 } };
    const result = await play(loginAround(failing, known), network);
    if (!isSameEnding(result, outcome)) continue;
    const notice = `The login failed: ${isFailure ? outcome.message : messageOf(result.error)}`;
    return { exchange: { ...exchange, expected: expectedFailure(result) }, notice };
  }
  return {
    notice: `The login failed. The suite has no login in which the ${culprit.step} request is the same, so it cannot play the response.`,
  };
}

/** The exchanges after which the suite can play one: the usual one first. */
function predecessors({ folder, step }: Exchange, known: readonly Exchange[]): (Exchange | undefined)[] {
  const after = known.find(({ name }) => name === `${folder}/${step}.success`)?.after;
  const usual = known.find(({ name }) => name === `${folder}/${after}`);
  const others = known.filter(
    (other) => other.folder === folder && other.step === usual?.step && other.expected.outcome === 'success',
  );
  return [usual, ...others.filter((other) => other !== usual)];
}

function withUserOf(other: Exchange, own: Exchange, response: Exchange['response']): Exchange['response'] {
  let text = JSON.stringify(response);
  for (const name of ['open_id', 'user_id']) {
    const [from, to] = [own, other].map((login) => JSON.stringify(property(login.response, name)));
    if (from !== undefined && to !== undefined) text = text.replaceAll(from, to);
  }
  return JSON.parse(text) as Exchange['response'];
}

function isSameEnding(result: LoginResult, outcome: Exclude<Outcome, { kind: 'success' }>): boolean {
  if (outcome.kind === 'failure') return result.outcome === 'failure' && result.status === outcome.status;
  return ['name', 'code', 'step', 'status'].every(
    (name) => errorProperty(result.error, name) === errorProperty(outcome.error, name),
  );
}

function errorProperty(error: unknown, name: string): unknown {
  return error instanceof Error ? (Reflect.get(error, name) as unknown) : undefined;
}

type Ending = Pick<LoginResult, 'outcome' | 'status' | 'error'>;

function expectedFailure({ outcome, status, error }: Ending): Expected {
  if (outcome === 'failure') return { outcome, status };
  const details = ['step', 'status', 'networkCode', 'networkMessage', 'requestId', 'retryAfter']
    .map((name) => [name, errorProperty(error, name)] as const)
    .filter(([, value]) => value !== undefined);
  const isSpent = errorProperty(error, 'accessTokenSpent') === true;
  return {
    outcome: 'error',
    class: errorProperty(error, 'name'),
    ...Object.fromEntries(details),
    ...(isSpent && { accessTokenSpent: true }),
  } as Expected;
}

async function callAfterLogin(
  exchange: Exchange | undefined,
  { step, error }: Recording['calls'][number],
  { network }: Origin,
): Promise<Attempt> {
  const method = network.calls[step];
  if (!exchange || !method) {
    return { notice: `The ${step} failed: ${messageOf(error)} There is no response to write.` };
  }
  replay([exchange], network);
  const strategy = network.strategy(strategyOptions(network, exchange.strategy ?? {}), () => undefined);
  const [ended] = await Promise.allSettled([method(strategy)]);
  nock.cleanAll();
  const rejection: unknown = ended.status === 'rejected' ? ended.reason : undefined;
  if (errorProperty(rejection, 'name') !== errorProperty(error, 'name')) {
    const message = `Without its private values, the recorded ${step} ends in another way.`;
    throw new Error(message, { cause: rejection });
  }
  if (ended.status === 'rejected') {
    const expected = expectedFailure({ outcome: 'error', status: 502, error: rejection });
    return { exchange: { ...exchange, expected }, notice: `The ${step} failed: ${messageOf(rejection)}` };
  }
  const { params: _params, ...tokens } = isObject(ended.value) ? ended.value : {};
  const expected = { outcome: 'success', ...(ended.value !== undefined && { tokens }) };
  // A date is written as JSON has it.
  const written = { ...exchange, expected: JSON.parse(JSON.stringify(expected)) as Expected };
  return { exchange: written, notice: `The ${step} succeeded.` };
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

async function play(login: readonly Exchange[], network: ExchangeNetwork): Promise<LoginResult> {
  replay(login, network);
  const result = await logIn(network, optionsOf(login));
  nock.cleanAll();
  return result;
}
