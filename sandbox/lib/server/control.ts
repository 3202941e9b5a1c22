import express = require('express');

import { BOOLEAN, integer, isObject, type Shape, STRING, shapeProblem } from '../core/checks.js';
import { Parameters, parsedJSON } from '../core/http.js';
import type { ServedEndpoint } from '../core/network.js';
import { isLoopbackHost } from '../core/redirect-uri.js';
import type { World } from '../core/world.js';
import { noticePage } from '../pages/error-page.js';
import { CONSOLE_PATH, CONTROL_HEADER, html } from '../pages/page.js';
import { valueProperty } from '../traffic/fault-kinds.js';
import { type Faults, readFault, type SandboxFaultRule } from '../traffic/faults.js';
import type { RequestLog, SandboxRequest } from '../traffic/request-log.js';

export interface Console {
  readonly world: World;
  readonly endpoints: readonly ServedEndpoint[];
  readonly faults: Faults;
  readonly log: RequestLog;
  readonly isStrict: boolean;
}

export function forget({ world, faults, log }: Console): void {
  for (const part of [world, faults, log]) part.reset();
}

/** Controls the sandbox as the README says: for this machine only, and no web page, because who controls it could hide an attack on the application under test. */
export function control(parts: Console): express.Router {
  const { world, faults, log } = parts;
  const router = express.Router({ caseSensitive: true, strict: true });
  router.use(guard);
  router.get('/requests', (_request, response) => {
    response.json({ count: log.count(), requests: log.list() });
  });
  router.get('/credentials', (_request, response) => {
    // For `rehearse`. A shorter credential, such as a PIN, stands in other texts by chance.
    response.json({ credentials: world.given().filter(({ length }) => length >= 16) });
  });
  router.post('/wait', async (request, response) => {
    const { after, timeout, ...wanted } = { after: 0, timeout: 5_000, ...checkedBody(request, WAIT) };
    const closed = new AbortController();
    response.once('close', () => closed.abort());
    const signal = AbortSignal.any([closed.signal, AbortSignal.timeout(timeout)]);
    const isWanted = (logged: SandboxRequest): boolean => {
      const known: object = { ...logged, refused: logged.refused !== undefined };
      return Object.entries(wanted).every(([name, value]) => value === Reflect.get(known, name));
    };
    const found = await log.wait(isWanted, after, signal);
    if (found) response.json({ number: found.number, request: found.request });
    else response.status(408).json({ error: `no such request within ${timeout} milliseconds` });
  });
  router.post('/fault', (request, response) => {
    response.status(201).json({ id: faults.add(bodyOf(request) as unknown as SandboxFaultRule) });
  });
  router.delete('/fault/:id', (request, response) => {
    const { id } = request.params;
    if (!faults.remove(id))
      throw new TypeError(`there is no fault ${id}: it was removed, or the sandbox was reset`);
    response.status(204).end();
  });
  router.post('/advance', (request, response) => {
    const shape: Shape = { milliseconds: [(value) => typeof value === 'number', 'must be a number'] };
    world.clock.advance(Number(checkedBody(request, shape).milliseconds));
    response.status(204).end();
  });
  router.post('/reset', (_request, response) => {
    forget(parts);
    response.status(204).end();
  });
  router.use((_request, response) => {
    response.status(404).json({ error: 'unknown control request: see the guide Testing' });
  });
  // A mistake in the request is the caller's. Any other error is a bug of the sandbox.
  router.use(((error: unknown, _request, response, next) => {
    const isMistake = error instanceof TypeError || error instanceof RangeError;
    if (isMistake) response.status(400).json({ error: error.message });
    else next(error);
  }) satisfies express.ErrorRequestHandler);
  return router;
}

/** The console's own forms, for a person at this machine. A form of another site is known by what its browser says about it. */
export function faultForms(faults: Faults): express.RequestHandler {
  return (request, response) => {
    const fields = new Parameters(String(request.body));
    const [remove, kind, value, times] = ['remove', 'kind', 'value', 'times'].map(
      (name) => fields.one(name) || undefined,
    );
    const end = `${value && valueProperty(kind ?? '') ? `:${value}` : ''}${times ? `x${times}` : ''}`;
    const { 'sec-fetch-site': site, origin, host } = request.headers;
    const isOwn = site === undefined ? origin === `${request.protocol}://${host}` : site === 'same-origin';
    const problem = machineProblem(request) ?? (isOwn ? undefined : 'only the console itself has this form');
    try {
      if (problem !== undefined) throw new TypeError(problem);
      if (remove) faults.remove(remove);
      else faults.add(readFault(`${fields.one('endpoint')}=${kind}${end}`));
      response.redirect(303, `${CONSOLE_PATH}${remove ? '' : '#faults'}`);
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      const status = problem === undefined ? 400 : 403;
      const { headers, type, body } = noticePage('Nothing was changed', html`${error.message}.`, status);
      response.status(status).set(headers).type(type).send(body);
    }
  };
}

const guard: express.RequestHandler = (request, response, next) => {
  const { headers } = request;
  // Browsers send one of them with every request of a page to another origin, and no script can leave them out.
  const isOfPage = (headers.origin ?? headers['sec-fetch-site']) !== undefined;
  const problem =
    machineProblem(request) ??
    (isOfPage ? 'the control is closed to web pages' : undefined) ??
    (headers[CONTROL_HEADER] === '1' ? undefined : 'the header X-Sandbox-Control: 1 is missing');
  response.setHeader('Cache-Control', 'no-store');
  if (problem === undefined) next();
  else response.status(403).json({ error: problem });
};

function machineProblem({ socket, headers }: express.Request): string | undefined {
  if (!/^(?:::ffff:)?127\.|^::1$/.test(socket.remoteAddress ?? ''))
    return 'the control serves this machine only';
  if (isLoopbackHost(headers.host)) return undefined;
  return 'the control responds to localhost, 127.0.0.1 and [::1] only';
}

function bodyOf({ body }: express.Request): Readonly<Record<string, unknown>> {
  const text: unknown = body;
  if (typeof text !== 'string' || text === '') return {};
  const parsed = parsedJSON(text);
  if (isObject(parsed)) return parsed;
  throw new TypeError(parsed === undefined ? 'the body is not JSON' : 'the body must be a JSON object');
}

const WAIT: Shape = {
  'network?': STRING,
  'endpoint?': STRING,
  'refused?': BOOLEAN,
  'after?': integer(0, Number.MAX_SAFE_INTEGER, 'must be an integer, 0 or more'),
  'timeout?': integer(0, 60_000),
};

function checkedBody(request: express.Request, shape: Shape): Readonly<Record<string, unknown>> {
  const body = bodyOf(request);
  const problem = shapeProblem(body, shape);
  if (problem) throw new TypeError(problem[1]);
  return body;
}
