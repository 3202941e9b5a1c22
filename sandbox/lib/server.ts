import express = require('express');

import { deliver, faultOutcome } from './fault-delivery.js';
import type { Faults } from './faults.js';
import type { ServedEndpoint } from './network.js';
import { NETWORKS, type SandboxNetwork } from './networks.js';
import { overviewPage } from './pages/overview-page.js';
import { drawPicture, placeholderPicture } from './pages/picture.js';
import { isLoopback } from './redirect-uri.js';
import { type NetworkRequest, Parameters } from './request.js';
import type { RequestLog } from './request-log.js';
import { type NetworkResponse, Notes, type Outcome, outcomeOf, plain } from './response.js';
import type { World } from './world.js';

/** More than any request of a login needs. */
const BODY_LIMIT = '100kb';

/** The parts of a sandbox that the server needs. */
interface ServerParts {
  readonly world: World;
  readonly endpoints: readonly ServedEndpoint[];
  readonly faults: Faults;
  readonly log: RequestLog;
  /** Whether supposed beliefs are enforced. */
  readonly isStrict: boolean;
  /** Whether only this machine can reach the sandbox. */
  readonly isLocal: boolean;
}

/** Serves the networks' endpoints, the pictures and the overview page. */
export function requestListener(parts: ServerParts): express.Express {
  const { world, endpoints, faults, log, isLocal } = parts;
  const server = express();
  server.disable('x-powered-by').disable('etag').enable('strict routing').enable('case sensitive routing');
  if (isLocal) server.use(refuseOtherNames);
  server.use(express.text({ type: () => true, limit: BODY_LIMIT }), readMultipart);
  for (const endpoint of endpoints) server[endpoint.method](endpoint.path, serve(endpoint, parts));
  server.get('/', (request, response) => {
    const overview = { world, endpoints, faults: faults.list(), requests: log.list() };
    send(response, overviewPage(overview, queryOf(request).get('live') === '1'));
  });
  server.get('/pictures/:file', (request, response) => {
    const size = queryOf(request).get('size');
    send(response, drawPicture(world.people, request.params.file, size));
  });
  server.get('/images/:file', (_request, response) => {
    response.type('image/gif').send(placeholderPicture());
  });
  server.use((request, response) =>
    reject(request, response, log, plain('Not Found', 404), 'no endpoint has this path'),
  );
  server.use(errorHandler(log));
  return server;
}

/** A web page can make its own name point at this machine, and would then read what the sandbox responds. */
const refuseOtherNames: express.RequestHandler = (request, response, next) => {
  const { host } = request.headers;
  const url = `http://${host}`;
  // Every browser sends a host.
  if (host === undefined) return next();
  if (URL.canParse(url) && isLoopback(new URL(url).hostname)) return next();
  return send(response, plain('The sandbox responds to localhost, 127.0.0.1 and [::1] only.', 421));
};

/** A body that its own media type does not fit. */
class UnreadableBody extends Error {
  override readonly name = 'UnreadableBody';
  readonly status = 400;
}

/** Replaces the text of a multipart body by its parameters. */
const readMultipart: express.RequestHandler = async (request, _response, next) => {
  const type = request.headers['content-type'];
  if (request.is('multipart/form-data') && type !== undefined && typeof request.body === 'string') {
    try {
      const body = await new Response(request.body, { headers: { 'Content-Type': type } }).formData();
      request.body = new Parameters(
        [...body].flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
      );
    } catch (cause) {
      throw new UnreadableBody('the body is not multipart/form-data', { cause });
    }
  }
  next();
};

function serve(endpoint: ServedEndpoint, { faults, log, isStrict }: ServerParts): express.RequestHandler {
  return (request, response) => {
    const notes = new Notes(isStrict);
    const received = networkRequest(request, notes);
    const handle = (): Outcome => outcomeOf(() => endpoint.handle(received));
    const fault = faults.trigger(endpoint, received);
    const outcome = fault ? faultOutcome(fault, endpoint, received, handle) : handle();
    const { refused, belief } = outcome ?? {};
    const noted = notes.list();
    log.add({
      network: endpoint.network as SandboxNetwork,
      endpoint: endpoint.name,
      method: request.method,
      path: request.path,
      status: outcome?.response.status ?? 0,
      ...(refused !== undefined && { refused }),
      ...(belief && { belief }),
      ...(noted.length > 0 && { noted }),
      ...(fault && { fault: fault.kind }),
    });
    if (fault) deliver(fault, response, outcome?.response, (sent) => send(response, sent));
    else if (outcome) send(response, outcome.response);
  };
}

function networkRequest(request: express.Request, notes: Notes): NetworkRequest {
  const [path = ''] = request.originalUrl.split('?');
  const { body }: { body?: unknown } = request;
  const isForm = Boolean(request.is('application/x-www-form-urlencoded'));
  const text = typeof body === 'string' ? body : '';
  return {
    method: request.method,
    url: `http://${request.headers.host}${path}`,
    query: queryOf(request),
    form: Parameters.parse(isForm ? text : ''),
    isForm,
    multipart: body instanceof Parameters ? body : new Parameters([]),
    json: Parameters.parseJSON(request.is('application/json') ? text : ''),
    authorization: request.headers.authorization,
    notes,
  };
}

function queryOf(request: express.Request): Parameters {
  const [, ...rest] = request.originalUrl.split('?');
  return Parameters.parse(rest.join('?'));
}

function send(response: express.Response, { status, type, body, headers }: NetworkResponse): void {
  // Not with the methods of express, which add a charset to a media type without one.
  const all = { 'Cache-Control': 'no-store', ...headers, 'Content-Type': type };
  for (const [name, value] of Object.entries(all)) response.setHeader(name, value);
  response.status(status).end(body);
}

/** Errors of express with a 4xx status are the client's fault. Any other error is a bug of the sandbox. */
function errorHandler(log: RequestLog): express.ErrorRequestHandler {
  return (error: unknown, request, response, _next) => {
    const status = statusOf(error);
    const reason = status < 500 ? 'the request cannot be read' : 'the sandbox itself failed';
    reject(request, response, log, plain(reason, status), reason);
  };
}

function statusOf(error: unknown): number {
  const status = error instanceof Error && 'status' in error ? Number(error.status) : 500;
  return status >= 400 && status < 500 ? status : 500;
}

/** Rejects a request that no endpoint handles, and logs it if its path starts with a network's prefix. */
function reject(
  request: express.Request,
  response: express.Response,
  log: RequestLog,
  rejection: NetworkResponse,
  reason: string,
): void {
  const network = networkAt(request.path);
  const { method, path } = request;
  const { status } = rejection;
  if (network) log.add({ network, endpoint: 'unknown', method, path, status, refused: reason });
  send(response, rejection);
}

function networkAt(path: string): SandboxNetwork | undefined {
  const [, first = ''] = path.split('/');
  return NETWORKS.find(({ prefixes }) => (prefixes as readonly string[]).includes(first))?.name;
}
