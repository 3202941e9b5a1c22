import type express = require('express');

import { type Answer, plain, Refusal } from './answer.js';
import type { Call } from './call.js';
import type { Endpoint, SandboxNetwork } from './network.js';
import { overviewPage } from './pages/overview-page.js';
import { drawPicture, placeholderPicture } from './pages/picture.js';
import { Parameters } from './parameters.js';
import type { RequestLog } from './request-log.js';
import type { World } from './world.js';

/** More than any request of a login, less than would hurt. */
const BODY_LIMIT = '100kb';

/** Puts the networks' endpoints, the pictures and the root page onto express. */
export function requestListener(
  framework: typeof express,
  world: World,
  endpoints: readonly Endpoint[],
  log: RequestLog,
): express.Express {
  const server = framework();
  server.disable('x-powered-by').disable('etag').enable('strict routing').enable('case sensitive routing');
  server.use(framework.text({ type: () => true, limit: BODY_LIMIT }));
  for (const endpoint of endpoints) server[endpoint.method](endpoint.path, serve(endpoint, log));
  server.get('/', (_request, response) => send(response, overviewPage(world, endpoints)));
  server.get('/pictures/:file', (request, response) => {
    send(response, drawPicture(world.people, request.params.file, readCall(request).query.get('size')));
  });
  server.get('/images/:file', (_request, response) => {
    response.type('image/gif').send(placeholderPicture());
  });
  server.use((request, response) =>
    refuse(request, response, log, plain('Not Found', 404), 'there is no such address'),
  );
  server.use(faultHandler(log));
  return server;
}

function serve(endpoint: Endpoint, log: RequestLog): express.RequestHandler {
  return (request, response) => {
    const { answer, refused } = outcome(endpoint, readCall(request));
    const { network, name } = endpoint;
    const { status } = answer;
    log.add({ network, endpoint: name, method: request.method, path: request.path, status, ...refused });
    send(response, answer);
  };
}

function outcome(endpoint: Endpoint, call: Call): { answer: Answer; refused?: { refused: string } } {
  try {
    return { answer: endpoint.answer(call) };
  } catch (error) {
    if (error instanceof Refusal) return { answer: error.answer, refused: { refused: error.message } };
    throw error;
  }
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
  response.status(status).set({ 'Cache-Control': 'no-store', ...headers, 'Content-Type': type });
  response.end(body);
}

/** What express cannot read is the caller's fault and gets its status; anything else is the sandbox's. */
function faultHandler(log: RequestLog): express.ErrorRequestHandler {
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
