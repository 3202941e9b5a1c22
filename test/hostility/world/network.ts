import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import { serveRaw } from '../../support/server.js';
import { CANARIES } from './secrets.js';
import { belongingTo, bodyText, ownerOf, type Step, subjectCalled } from './subjects.js';

interface WireRequest {
  readonly url: string;
  readonly path: string;
  readonly head: string;
  readonly form: URLSearchParams;
}

export interface WireResponse {
  readonly chunks: readonly Buffer[];
  /** How the connection continues: open for the next request, closed, destroyed, or open without further data. */
  readonly ending: 'keep' | 'end' | 'destroy' | 'hang';
}

/** A response and what an HTTP client reads from it; `text` is `undefined` without a complete response. */
export interface RenderedResponse extends WireResponse {
  readonly status: number;
  readonly text: string | undefined;
  /** Whether its headers tell where it ends. */
  readonly hasLength: boolean;
}

function readRequests(socket: Socket, onRequest: (request: WireRequest) => void): void {
  let text = '';
  socket.setEncoding('latin1');
  socket.on('data', (chunk: string) => {
    text += chunk;
    const headEnd = text.indexOf('\r\n\r\n');
    if (headEnd < 0) return;
    const head = text.slice(0, headEnd);
    const length = Number(/^content-length: *(\d+)/im.exec(head)?.[1] ?? 0);
    if (text.length < headEnd + 4 + length) return;
    const body = text.slice(headEnd + 4, headEnd + 4 + length);
    text = '';
    const url = head.split(' ', 2)[1] ?? '/';
    onRequest({ url, path: url.split('?', 1)[0] as string, head, form: new URLSearchParams(body) });
  });
}

function write(socket: Socket, { chunks, ending }: WireResponse): void {
  const [first, ...rest] = chunks;
  if (first !== undefined && first.length > 0) socket.write(first);
  // In a separate turn, so that the pieces arrive separately.
  if (rest.length > 0) return void setImmediate(() => write(socket, { chunks: rest, ending }));
  if (ending === 'end') socket.end();
  else if (ending === 'destroy') setImmediate(() => socket.destroy());
}

export type Reply = (secrets: Readonly<Record<string, string>>) => RenderedResponse;

/** Hostile replies of a run, in order of a step's requests. The last one repeats. */
export type Script = Readonly<Partial<Record<Step, readonly Reply[]>>>;

export type ServedResponse = Omit<RenderedResponse, keyof WireResponse> & { readonly step: Step };

/** A UUID, the random part of this network's request tokens. */
const RANDOM_PART = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/i;

export type FakeNetwork = Awaited<ReturnType<typeof startFakeNetwork>>;

/** The three networks on one server, honest unless a script says otherwise. */
export async function startFakeNetwork() {
  let requests: WireRequest[] = [];
  let served: ServedResponse[] = [];
  let fresh = new Set<string>();
  let script: Script = {};
  let known: Record<string, string> = {};
  let givesRequestTokens = false;
  const countOf = (step: string) => served.filter((response) => response.step === step).length;

  const respond = (request: WireRequest): WireResponse => {
    requests.push(request);
    const requestSecrets = secretsOf(request);
    const { basic: _ofThisRequest, ...lasting } = requestSecrets;
    Object.assign(known, lasting);
    if (requestSecrets.codeVerifier) fresh.add(requestSecrets.codeVerifier);
    const [, title, step] = request.path.split('/') as [string, string, Step];
    const hostile = script[step]?.[countOf(step)] ?? script[step]?.at(-1);
    const owner = ownerAmong(requestSecrets);
    const rendered = hostile
      ? hostile({ ...known, ...requestSecrets, newToken: randomUUID() })
      : honestResponse(title, step, owner);
    if (!hostile) Object.assign(known, responseSecrets(title, step, owner));
    const { status, text, hasLength } = rendered;
    served.push({ step, status, text, hasLength });
    return rendered;
  };
  // Responses need not be HTTP.
  const network = await serveRaw(
    () => {},
    (socket) => readRequests(socket, (request) => write(socket, respond(request))),
  );

  return {
    ...network,
    requests: (): readonly WireRequest[] => requests,
    served: (): readonly ServedResponse[] => served,
    /** Secrets of the run that no output may show: those that the library generated, and the random part of request tokens. */
    fresh: (): string[] => [...fresh],
    hostileResponses: (): number =>
      Object.entries(script).reduce((sum, [step, { length }]) => sum + Math.min(countOf(step), length), 0),
    /** Registers the state or request token of a login. */
    registerState(told: string): void {
      known.state = told;
      // Only the random part of a request token is secret. Other responses may contain the rest.
      const secret = givesRequestTokens ? RANDOM_PART.exec(told)?.[0] : told;
      if (secret !== undefined) fresh.add(secret);
    },
    /** Begins a run. @param title - The subject whose client secrets the network knows, even if requests are only signed with them. */
    startRun(next: Script = {}, title?: string): void {
      [requests, served, fresh, script] = [[], [], new Set(), next];
      const subject = title === undefined ? undefined : subjectCalled(title);
      const { clientSecret, serviceToken } = { ...subject?.options } as Record<string, string>;
      known = { ...(clientSecret && { clientSecret }), ...(serviceToken && { serviceToken }) };
      givesRequestTokens = subject?.oauth1 === true;
    },
  };
}

function responseSecrets(title: string, step: Step, owner: number): Record<string, string> {
  const { oauth1, calls } = subjectCalled(title);
  if (step === 'request-token') return { requestTokenSecret: CANARIES.requestTokenSecret };
  if (step !== 'token') return {};
  const refreshes = calls.some(({ name }) => name === 'refresh');
  return {
    accessToken: belongingTo(CANARIES.accessToken, owner),
    ...(oauth1 && { tokenSecret: CANARIES.tokenSecret }),
    ...(refreshes && { refreshToken: belongingTo(CANARIES.refreshToken, owner) }),
  };
}

/** @param owner - The number of the user whom it is about. */
function honestResponse(title: string, step: Step, owner: number): RenderedResponse {
  const make = subjectCalled(title).honest[step];
  if (!make) throw new Error(`${title} has no ${step}`);
  const text = bodyText(make(owner));
  const head = `HTTP/1.1 200 OK\r\ncontent-length: ${Buffer.byteLength(text)}\r\n\r\n`;
  return { chunks: [Buffer.from(head + text)], ending: 'keep', status: 200, text, hasLength: true };
}

function ownerAmong(secrets: Readonly<Record<string, string>>): number {
  const { code, accessToken, refreshToken, verifier, requestToken } = secrets;
  const owners = [code, accessToken, refreshToken, verifier, requestToken].map((text) => ownerOf(text ?? ''));
  return owners.find((owner) => owner !== undefined) ?? 0;
}

/** The secrets in a request, which a network can echo. */
function secretsOf({ head, form }: WireRequest): Record<string, string> {
  const header = (pattern: RegExp) => pattern.exec(head)?.[1] ?? '';
  const signed = (name: string) => decodeURIComponent(header(new RegExp(`${name}="([^"]*)"`)));
  const all = {
    clientSecret: form.get('client_secret') ?? '',
    serviceToken: form.get('service_token') ?? '',
    code: form.get('code') ?? '',
    codeVerifier: form.get('code_verifier') ?? '',
    refreshToken: form.get('refresh_token') ?? '',
    accessToken: form.get('access_token') ?? form.get('token') ?? header(/^authorization: *bearer (\S+)/im),
    basic: header(/^authorization: *basic (\S+)/im),
    customHeader: header(/^x-key: *(\S+)/im),
    requestToken: signed('oauth_token'),
    verifier: signed('oauth_verifier'),
  };
  return Object.fromEntries(Object.entries(all).filter(([, secret]) => secret !== ''));
}
