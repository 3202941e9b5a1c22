import express = require('express');

import { parseURL } from '../core/checks.js';
import type { NetworkRequest, NetworkResponse, Outcome } from '../core/http.js';
import { ErrorResponse, headersOf, Notes, Parameters, REFUSED_HEADER, textResponse } from '../core/http.js';
import type { ServedEndpoint } from '../core/network.js';
import { CALLBACK_PATH, isLocalAddress, isLoopbackHost } from '../core/redirect-uri.js';
import { networkAt, type SandboxNetwork } from '../networks.js';
import { SCRIPTS } from '../pages/assets.js';
import { noticePage, shownOutcome } from '../pages/error-page.js';
import { CONSOLE_PATH, CONTROL_PATH, FAULTS_PATH, GUIDE_PATH, html, ICON_PATHS } from '../pages/page.js';
import { drawPicture, ICON, PLACEHOLDER } from '../pages/picture.js';
import { isServedPicture } from '../short-video/pictures.js';
import { kindOf, type SandboxFault } from '../traffic/fault-kinds.js';
import type { RequestLog } from '../traffic/request-log.js';
import { type Console, control, faultForms } from './control.js';
import { consolePage, guidePage, TRIALS } from './pages.js';
import { type TrialRequest, trialLogins } from './trial.js';

const NONE = new Parameters();

/** Whether no web page can have made this `Host` its own: an IP address, a name without a dot, as services of containers have, or where the sandbox listens. */
function isNoSite(host: string, address: string): boolean {
  const hostname = parseURL(`http://${host}`)?.hostname ?? '';
  return hostname === address.toLowerCase() || /^(\[.+\]|[\d.]+|[^.]+)$/.test(hostname);
}

/** The pages that show credentials. */
const PRIVATE_PAGES = new RegExp(`^(${CONSOLE_PATH}|/try/.*)$`);

/** @param address - Where the server listens. */
export function requestListener(parts: Console, address: string): express.Express {
  const { world, endpoints, faults, log } = parts;
  const server = express();
  server.disable('x-powered-by').disable('etag').enable('strict routing').enable('case sensitive routing');
  // A web page can make its own name point at this machine, and would then read what the sandbox responds. Every browser sends a host.
  server.use(({ headers: { host }, path }, response, next) => {
    if (host === undefined || isLoopbackHost(host)) next();
    else if (isLocalAddress(address))
      send(response, textResponse('The sandbox responds to localhost, 127.0.0.1 and [::1] only.', 421));
    else if (!PRIVATE_PAGES.test(path) || isNoSite(host, address)) next();
    else
      send(response, textResponse(`This page is not for ${host}. Open it at the sandbox's IP address.`, 421));
  });
  // More than any request of a login needs.
  server.use(express.text({ type: () => true, limit: '100kb' }), readMultipart);
  for (const endpoint of endpoints) server[endpoint.method](endpoint.path, serve(endpoint, parts));
  server.get(CONSOLE_PATH, (_request, response) => send(response, consolePage(parts)));
  server.get(GUIDE_PATH, (_request, response) => send(response, guidePage()));
  for (const [path, body] of Object.entries(SCRIPTS)) {
    const script = textResponse(body, 200, 'text/javascript');
    server.get(path, (_request, response) => send(response, script));
  }
  const trials = trialLogins(world, (request) => exchange(request, parts));
  server.get(CALLBACK_PATH, (request, response) => send(response, trials.finish(queryOf(request))));
  for (const trial of TRIALS)
    server.get(trial.path, (_request, response) => send(response, trials.start(trial)));
  server.use(CONTROL_PATH, control(parts));
  server.post(FAULTS_PATH, faultForms(faults));
  server.get(ICON_PATHS, (_request, response) => send(response, ICON));
  server.get('/pictures/:file', (request, response) => {
    const isServed = isServedPicture(request.originalUrl, world.clock.now());
    const size = queryOf(request).one('size');
    const picture = drawPicture(world.people, request.params.file.replace('.jpeg', '.svg'), size);
    send(response, isServed ? picture : textResponse('The signature is wrong, or has expired.', 403));
  });
  server.get('/images/:file', (_request, response) => {
    response.type('image/gif').send(PLACEHOLDER);
  });
  server.use((request, response) => {
    const sentence = html`No endpoint of the sandbox has the path <code>${request.path}</code>.`;
    const page = noticePage('Nothing is here', sentence, 404);
    const rejection = isNavigation(request) ? page : textResponse('Not Found', 404);
    send(response, rejected(request, log, rejection, 'no endpoint has this path'));
  });
  // Errors of express with a 4xx status are the client's fault. Any other error is a bug of the sandbox.
  server.use(((error: unknown, request, response, _next) => {
    const given = Number(Object(error).status);
    const status = given >= 400 && given < 500 ? given : 500;
    const reason = status < 500 ? 'the request cannot be read' : 'the sandbox itself failed';
    send(response, rejected(request, log, textResponse(reason, status), reason));
  }) satisfies express.ErrorRequestHandler);
  return server;
}

const readMultipart: express.RequestHandler = async (request, _response, next) => {
  const type = request.headers['content-type'];
  if (request.is('multipart/form-data') && type !== undefined && typeof request.body === 'string') {
    try {
      const body = await new Response(request.body, { headers: { 'Content-Type': type } }).formData();
      const texts = [...body].filter((pair): pair is [string, string] => typeof pair[1] === 'string');
      request.body = new Parameters(texts);
    } catch (cause) {
      throw Object.assign(new Error('the body is not multipart/form-data', { cause }), { status: 400 });
    }
  }
  next();
};

function serve(endpoint: ServedEndpoint, parts: Console): express.RequestHandler {
  return (request, response) => {
    const received = networkRequest(request, new Notes(parts.isStrict));
    const { fault, outcome } = handle(endpoint, received, parts);
    if (fault?.kind === 'reset') response.socket?.resetAndDestroy();
    if (!outcome) return;
    // Who decides without a page learns the reason, too.
    if (outcome.refused !== undefined && received.query.has('auto'))
      response.setHeader(REFUSED_HEADER, outcome.refused.replace(/[^\x20-\x7e]/g, '?'));
    const shown = !fault && isNavigation(request) ? shownOutcome(outcome) : outcome.response;
    const sendNow = (): void => send(response, shown);
    const kind = fault && kindOf(fault);
    if (fault && kind?.deliver) kind.deliver(fault, response, shown, sendNow);
    else sendNow();
  };
}

function handle(endpoint: ServedEndpoint, received: NetworkRequest, { world, faults, log }: Console) {
  const fault = faults.trigger(endpoint, received);
  const outcome: Outcome | undefined = outcomeOf(endpoint, received, fault);
  const { refused, belief } = outcome ?? {};
  const { noted } = received.notes;
  const logged = {
    network: endpoint.network as SandboxNetwork,
    endpoint: endpoint.name,
    status: outcome?.response.status ?? 0,
    ...(refused !== undefined && { refused: world.masked(refused) }),
    ...(belief && { belief }),
    ...(noted.length > 0 && {
      noted: noted.map(({ refused: reason }) => world.masked(`the network may refuse this: ${reason}`)),
      notedBeliefs: noted.map((error) => error.belief),
    }),
    ...(fault && { fault: fault.kind }),
  };
  log.add(logged, received, outcome?.response);
  return { fault, outcome };
}

/** @returns `undefined` when no response is sent. */
function outcomeOf(endpoint: ServedEndpoint, received: NetworkRequest, fault?: SandboxFault) {
  try {
    const kind = fault && kindOf(fault);
    const answer =
      fault && kind?.replace ? kind.replace(fault, endpoint, received) : endpoint.handle(received);
    return answer instanceof ErrorResponse ? answer : answer && { response: answer };
  } catch (error) {
    if (error instanceof ErrorResponse) return error;
    throw error;
  }
}

function exchange(request: TrialRequest, parts: Console): NetworkResponse | undefined {
  const path = new URL(request.url).pathname;
  const method = request.method.toLowerCase();
  const endpoint = parts.endpoints.find((known) => known.path === path && known.method === method);
  if (!endpoint) return textResponse('Not Found', 404);
  const [isForm, notes] = [request.method === 'POST', new Notes(parts.isStrict)];
  const none = { query: NONE, form: NONE, multipart: NONE, json: NONE, authorization: undefined };
  return handle(endpoint, { ...none, ...request, path, isForm, notes }, parts).outcome?.response;
}

/** Whether a person opened the URL in a browser, as opposed to a program's request. Browsers alone send the header. */
const isNavigation = ({ headers }: express.Request): boolean => headers['sec-fetch-dest'] === 'document';

function networkRequest(request: express.Request, notes: Notes): NetworkRequest {
  const { body }: { body?: unknown } = request;
  const isForm = Boolean(request.is('application/x-www-form-urlencoded'));
  const text = typeof body === 'string' ? body : '';
  return {
    method: request.method,
    path: request.path,
    url: `${request.protocol}://${request.headers.host}${request.path}`,
    query: queryOf(request),
    form: new Parameters(isForm ? text : ''),
    isForm,
    multipart: body instanceof Parameters ? body : NONE,
    json: request.is('application/json') ? Parameters.parseJSON(text) : NONE,
    authorization: request.headers.authorization,
    notes,
  };
}

const queryOf = ({ originalUrl }: express.Request): Parameters =>
  new Parameters(originalUrl.replace(/^[^?]*/, ''));

function send(response: express.Response, sent: NetworkResponse): void {
  // Not with the methods of express, which add a charset to a media type without one.
  response.setHeaders(new Map(Object.entries(headersOf(sent))));
  response.status(sent.status).end(sent.body);
}

/** Logs that no endpoint handles a request, if its path starts with a network's prefix. */
function rejected(request: express.Request, log: RequestLog, rejection: NetworkResponse, refused: string) {
  const network = networkAt(request.path);
  if (network) {
    const logged = { network, endpoint: 'unknown', status: rejection.status, refused };
    log.add(logged, networkRequest(request, new Notes(false)), rejection);
  }
  return rejection;
}
