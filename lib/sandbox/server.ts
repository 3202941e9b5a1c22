import type express = require('express');

import { type Answer, plain } from './answer.js';
import type { Call } from './call.js';
import { deliver, faultOutcome } from './fault-delivery.js';
import type { SandboxNetwork, ServedEndpoint } from './network.js';
import { type Outcome, outcomeOf } from './outcome.js';
import { overviewPage } from './pages/overview-page.js';
import { drawPicture, placeholderPicture } from './pages/picture.js';
import { Parameters } from './parameters.js';
import type { RequestLog } from './request-log.js';
import type { ServerParts } from './server-parts.js';

/** More than any request of a login, less than would hurt. */
const BODY_LIMIT = '100kb';

/** Puts the networks' endpoints, the pictures and the root page onto express. */
export function requestListener(framework: typeof express, parts: ServerParts): express.Express {
  const { world, endpoints, log } = parts;
  const server = framework();
  server.disable('x-powered-by').disable('etag').enable('strict routing').enable('case sensitive routing');
  server.use(framework.text({ type: () => true, limit: BODY_LIMIT }));
  for (const endpoint of endpoints) server[endpoint.method](endpoint.path, serve(endpoint, parts));
  server.get('/', (request, response) => {
    const live = readCall(request).query.get('live') === '1';
    send(response, overviewPage(parts, live));
  });
  server.get('/pictures/:file', (request, response) => {
    send(response, drawPicture(world.people, request.params.file, readCall(request).query.get('size')));
  });
  server.get('/images/:file', (_request, response) => {
    response.type('image/gif').send(placeholderPicture());
  });
  server.use((request, response) =>
    refuse(request, response, log, plain('Not Found', 404), 'there is no such address'),
  );
  server.use(problemHandler(log));
  return server;
}

function serve(endpoint: ServedEndpoint, { faults, log }: ServerParts): express.RequestHandler {
  return (request, response) => {
    const call = readCall(request);
    const real = (): Outcome => outcomeOf(() => endpoint.answer(call));
    const fault = faults.take(endpoint, call);
    const outcome = fault ? faultOutcome(fault, endpoint, call, real) : real();
    const { refused } = outcome ?? {};
    log.add({
      network: endpoint.network,
      endpoint: endpoint.name,
      method: request.method,
      path: request.path,
      status: outcome?.answer.status ?? 0,
      ...(refused !== undefined && { refused }),
      ...(fault && { fault: fault.kind }),
    });
    if (fault) deliver(fault, response, outcome?.answer, (answer) => send(response, answer));
    else if (outcome) send(response, outcome.answer);
  };
}

function readCall(request: express.Request): Call {
  const [path = '', ...rest] = request.originalUrl.split('?');
  const isForm = Boolean(request.is('application/x-www-form-urlencoded'));
  return {
    method: request.method,
    address: `http://${request.headers.host}${path}`,
    query: Parameters.parse(rest.join('?')),
    form: Parameters.parse(isForm && typeof request.body === 'string' ? request.body : ''),
    isForm,
    authorization: request.headers.authorization,
  };
}

function send(response: express.Response, { status, type, body, headers }: Answer): void {
  // Not by express, which would complete a type without a charset.
  const all = { 'Cache-Control': 'no-store', ...headers, 'Content-Type': type };
  for (const [name, value] of Object.entries(all)) response.setHeader(name, value);
  response.status(status).end(body);
}

/** What express cannot read is the caller's fault and gets its status; anything else is the sandbox's. */
function problemHandler(log: RequestLog): express.ErrorRequestHandler {
  return (error: unknown, request, response, _next) => {
    const status = statusOf(error);
    const reason = status < 500 ? 'the request cannot be read' : 'the sandbox itself failed';
    refuse(request, response, log, plain(reason, status), reason);
  };
}

function statusOf(error: unknown): number {
  const status = error instanceof Error && 'status' in error ? Number(error.status) : 500;
  return status >= 400 && status < 500 ? status : 500;
}

/** Refuses a request that reached no endpoint; one below a network's prefix is noted as that network's. */
function refuse(
  request: express.Request,
  response: express.Response,
  log: RequestLog,
  answer: Answer,
  reason: string,
): void {
  const network = networkAt(request.path);
  const { method, path } = request;
  const { status } = answer;
  if (network) log.add({ network, endpoint: 'unknown', method, path, status, refused: reason });
  send(response, answer);
}

function networkAt(path: string): SandboxNetwork | undefined {
  const [, prefix] = path.split('/');
  if (prefix === 'vk-id') return 'social-network';
  return prefix === 'short-video' || prefix === 'microblog' || prefix === 'social-network'
    ? prefix
    : undefined;
}
