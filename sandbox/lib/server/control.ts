import express = require('express');

import { type Check, integer, isObject, unknownProperty } from '../core/checks.js';
import { isLoopback } from '../core/oauth.js';
import type { World } from '../core/world.js';
import type { Faults, SandboxFaultRule } from '../traffic/faults.js';
import type { RequestLog, SandboxRequest } from '../traffic/request-log.js';

/** Where a test in another process or language controls the sandbox. */
export const CONTROL_PATH = '/control';

/** Header that every control request must have. A web page cannot send it to another origin without asking first. */
export const CONTROL_HEADER = 'x-sandbox-control';

/** Headers that browsers send with every request of a page to another origin, and that no script can leave out. */
const BROWSER_HEADERS = ['origin', 'sec-fetch-site'];

/** Longest and default time to wait for a request, in milliseconds. */
const LONGEST_WAIT = 60_000;
const DEFAULT_WAIT = 5_000;

export interface Controlled {
  readonly world: World;
  readonly faults: Faults;
  readonly log: RequestLog;
}

/**
 * Controls the sandbox over HTTP, in JSON.
 *
 * | request                  | body                                                       | response                    |
 * | ------------------------ | ---------------------------------------------------------- | --------------------------- |
 * | `GET /control/requests`  |                                                            | `{ count, requests }`       |
 * | `POST /control/wait`     | `{ network, endpoint, refused, after, timeout }`, optional | `{ number, request }`       |
 * | `POST /control/fault`    | as `sandbox.fault()` takes it                              | `{ id }`                    |
 * | `DELETE /control/fault/ID` |                                                          | 204                         |
 * | `POST /control/advance`  | `{ milliseconds }`                                         | 204                         |
 * | `POST /control/reset`    |                                                            | 204                         |
 *
 * It serves this machine only, even if the sandbox listens on other addresses, and no web page: who controls the sandbox could hide
 * an attack on the application under test.
 */
export function control({ world, faults, log }: Controlled): express.Router {
  const router = express.Router({ caseSensitive: true, strict: true });
  const lifts = new Map<string, () => void>();
  let faultsAdded = 0;
  router.use(guard);
  router.get('/requests', (_request, response) => {
    response.json({ count: log.count(), requests: log.list() });
  });
  router.post('/wait', async (request, response) => {
    const wanted = readWait(bodyOf(request));
    const aborted = new AbortController();
    response.once('close', () => aborted.abort());
    const signal = AbortSignal.any([aborted.signal, AbortSignal.timeout(wanted.timeout)]);
    const found = await log.wait((logged) => isWanted(logged, wanted), wanted.after, signal);
    if (found) response.json(found);
    else response.status(408).json({ error: `no such request within ${wanted.timeout} milliseconds` });
  });
  router.post('/fault', (request, response) => {
    const lift = faults.add(bodyOf(request) as unknown as SandboxFaultRule);
    faultsAdded += 1;
    lifts.set(String(faultsAdded), lift);
    response.status(201).json({ id: String(faultsAdded) });
  });
  router.delete('/fault/:id', (request, response) => {
    const lift = lifts.get(request.params.id);
    if (!lift)
      throw new TypeError(`there is no fault ${request.params.id}: it was removed, or the sandbox was reset`);
    lift();
    lifts.delete(request.params.id);
    response.status(204).end();
  });
  router.post('/advance', (request, response) => {
    const body = bodyOf(request);
    const { milliseconds } = body;
    checkKnown(body, 'milliseconds');
    if (typeof milliseconds !== 'number') throw new TypeError('milliseconds must be a number');
    world.clock.advance(milliseconds);
    response.status(204).end();
  });
  router.post('/reset', (_request, response) => {
    world.reset();
    faults.clear();
    log.clear();
    lifts.clear();
    response.status(204).end();
  });
  router.use((_request, response) => {
    response.status(404).json({ error: 'unknown control request: see the guide Testing' });
  });
  router.use(mistakes);
  return router;
}

/** Rejects other machines, other names of this machine, and web pages. */
const guard: express.RequestHandler = (request, response, next) => {
  const problem = guardProblem(request);
  response.setHeader('Cache-Control', 'no-store');
  if (problem === undefined) next();
  else response.status(403).json({ error: problem });
};

function guardProblem({ socket, headers }: express.Request): string | undefined {
  if (!isLoopbackAddress(socket.remoteAddress)) return 'the control serves this machine only';
  const url = `http://${headers.host}`;
  if (!URL.canParse(url) || !isLoopback(new URL(url).hostname))
    return 'the control responds to localhost, 127.0.0.1 and [::1] only';
  if (BROWSER_HEADERS.some((name) => headers[name] !== undefined))
    return 'the control is closed to web pages';
  if (headers[CONTROL_HEADER] !== '1') return 'the header X-Sandbox-Control: 1 is missing';
  return undefined;
}

const isLoopbackAddress = (address: string | undefined): boolean =>
  address !== undefined && /^(?:::ffff:)?127\.|^::1$/.test(address);

type JsonObject = Readonly<Record<string, unknown>>;

function bodyOf({ body }: express.Request): JsonObject {
  const text: unknown = body;
  if (typeof text !== 'string' || text === '') return {};
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (cause) {
    throw new TypeError('the body is not JSON', { cause });
  }
  if (isObject(parsed)) return parsed;
  throw new TypeError('the body must be a JSON object');
}

interface Wait {
  readonly network?: string | undefined;
  readonly endpoint?: string | undefined;
  readonly refused?: boolean | undefined;
  readonly after: number;
  readonly timeout: number;
}

function readWait(body: JsonObject): Wait {
  const { network, endpoint, refused, after = 0, timeout = DEFAULT_WAIT } = body;
  checkKnown(body, 'network', 'endpoint', 'refused', 'after', 'timeout');
  if (!isOptional(network, 'string') || !isOptional(endpoint, 'string'))
    throw new TypeError('network and endpoint must be strings');
  if (!isOptional(refused, 'boolean')) throw new TypeError('refused must be true or false');
  demand('after', after, integer(0, Number.MAX_SAFE_INTEGER, 'must be an integer, 0 or more'));
  demand('timeout', timeout, integer(0, LONGEST_WAIT));
  return { network, endpoint, refused, after: Number(after), timeout: Number(timeout) };
}

function demand(name: string, value: unknown, [isValid, requirement]: Check): void {
  if (!isValid(value)) throw new TypeError(`${name} ${requirement}`);
}

const isOptional = <T extends 'string' | 'boolean'>(
  value: unknown,
  type: T,
): value is undefined | (T extends 'string' ? string : boolean) =>
  value === undefined || typeof value === type;

function checkKnown(body: JsonObject, ...known: readonly string[]): void {
  const problem = unknownProperty(body, known);
  if (problem !== undefined) throw new TypeError(problem);
}

function isWanted(logged: SandboxRequest, { network, endpoint, refused }: Wait): boolean {
  return (
    (network === undefined || network === logged.network) &&
    (endpoint === undefined || endpoint === logged.endpoint) &&
    (refused === undefined || refused === (logged.refused !== undefined))
  );
}

/** A mistake in the request is the caller's. Any other error is a bug of the sandbox. */
const mistakes: express.ErrorRequestHandler = (error: unknown, _request, response, next) => {
  if (error instanceof TypeError || error instanceof RangeError) {
    response.status(400).json({ error: error.message });
  } else next(error);
};
