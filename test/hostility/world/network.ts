import { randomUUID } from 'node:crypto';
import { CANARIES } from './canaries.js';
import { bodyText, ownerOfRequest, type Step } from './honest-responses.js';
import { type HostileResponse, type RenderedResponse, render } from './hostile-response.js';
import { type RawNetwork, rawNetwork, type WireRequest } from './raw-network.js';
import { subjectCalled } from './subjects.js';
import { belongingTo } from './users.js';

/** Hostile responses of a run, in order of a step's requests. The last one repeats. */
export type Script = Readonly<Partial<Record<Step, readonly HostileResponse[]>>>;

/** A response that was sent. */
export interface ServedResponse {
  readonly step: Step;
  readonly status: number;
  /** The text that an HTTP client reads; `undefined` without a complete response. */
  readonly text: string | undefined;
  readonly isHostile: boolean;
}

/** The three networks on one server, honest unless a script says otherwise. */
export interface FakeNetwork extends RawNetwork {
  /** Requests since the last {@link FakeNetwork.startRun}. */
  readonly requests: readonly WireRequest[];
  readonly served: readonly ServedResponse[];
  /** The number of distinct hostile responses sent. */
  hostileResponses(): number;
  /** Secrets of the run that no output may show: those that the library generated, and the random part of request tokens. */
  readonly fresh: ReadonlySet<string>;
  /** Begins a run. @param title - The subject whose client secrets the network knows. */
  startRun(script: Script, title?: string): void;
  /** Registers the state or request token of a login. */
  registerState(state: string): void;
}

/** A UUID, the random part of this network's request tokens. */
const RANDOM_PART = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/i;

export async function startFakeNetwork(): Promise<FakeNetwork> {
  let requests: WireRequest[] = [];
  let served: ServedResponse[] = [];
  let fresh = new Set<string>();
  let script: Script = {};
  let known: Record<string, string> = {};
  let givesRequestTokens = false;

  const network = await rawNetwork((request) => {
    requests.push(request);
    const requestSecrets = secretsOf(request);
    const { basic: _ofThisRequest, ...lasting } = requestSecrets;
    Object.assign(known, lasting);
    if (requestSecrets.codeVerifier) fresh.add(requestSecrets.codeVerifier);
    const [, title, step] = request.path.split('/') as [string, string, Step];
    const count = served.filter((response) => response.step === step).length;
    const hostile = script[step]?.[count] ?? script[step]?.at(-1);
    const rendered = hostile
      ? render(hostile, { ...known, ...requestSecrets, newToken: randomUUID() })
      : honestResponse(title, step, ownerOfRequest(request));
    if (!hostile) Object.assign(known, responseSecrets(title, step, request));
    const { status, text } = rendered;
    served.push({ step: step, status, text, isHostile: hostile !== undefined });
    return rendered;
  });

  return {
    ...network,
    get requests() {
      return requests;
    },
    get served() {
      return served;
    },
    get fresh() {
      return fresh;
    },
    hostileResponses() {
      return Object.entries(script).reduce((sum, [step, responses]) => {
        const count = served.filter((response) => response.step === step).length;
        return sum + Math.min(count, responses.length);
      }, 0);
    },
    registerState(told: string) {
      known.state = told;
      // Only the random part of a request token is secret. Other responses may contain the rest.
      const secret = givesRequestTokens ? RANDOM_PART.exec(told)?.[0] : told;
      if (secret !== undefined) fresh.add(secret);
    },
    startRun(next: Script, title?: string) {
      requests = [];
      served = [];
      fresh = new Set();
      script = next;
      known = secretsOfClient(title);
      givesRequestTokens = title !== undefined && subjectCalled(title).oauth1;
    },
  };
}

/** The client secrets, which the network knows even if requests are only signed with them. */
function secretsOfClient(title: string | undefined): Record<string, string> {
  const { clientSecret, serviceToken } = (title === undefined ? {} : subjectCalled(title).options) as Record<
    string,
    string
  >;
  return { ...(clientSecret && { clientSecret }), ...(serviceToken && { serviceToken }) };
}

/** The secrets in an honest response to a step. */
function responseSecrets(title: string, step: Step, request: WireRequest): Record<string, string> {
  const owner = ownerOfRequest(request);
  const { oauth1, refreshes } = subjectCalled(title);
  if (step === 'request-token') return { requestTokenSecret: CANARIES.requestTokenSecret };
  if (step !== 'token') return {};
  return {
    accessToken: belongingTo(CANARIES.accessToken, owner),
    ...(oauth1 && { tokenSecret: CANARIES.tokenSecret }),
    ...(refreshes && { refreshToken: belongingTo(CANARIES.refreshToken, owner) }),
  };
}

/**
 * The response of an honest network.
 *
 * @param owner - The number of the user whom it is about.
 * @param padding - Characters of an additional property.
 */
export function honestResponse(title: string, step: Step, owner: number, padding = 0): RenderedResponse {
  const make = subjectCalled(title).honest[step];
  if (!make) throw new Error(`${title} has no ${step}`);
  const text = padded(bodyText(make(owner)), 'x'.repeat(padding));
  const head = `HTTP/1.1 200 OK\r\ncontent-length: ${Buffer.byteLength(text)}\r\n\r\n`;
  return { chunks: [Buffer.from(head + text)], ending: 'keep', status: 200, text };
}

function padded(text: string, padding: string): string {
  if (padding === '') return text;
  return text.startsWith('{') ? `{"padding":"${padding}",${text.slice(1)}` : `${text}&padding=${padding}`;
}

/** The secrets in a request, which a network can echo. */
function secretsOf({ head, form }: WireRequest): Record<string, string> {
  const signed = (name: string) => decodeURIComponent(new RegExp(`${name}="([^"]*)"`).exec(head)?.[1] ?? '');
  const header = (pattern: RegExp) => pattern.exec(head)?.[1] ?? '';
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
