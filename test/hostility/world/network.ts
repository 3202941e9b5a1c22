import { randomUUID } from 'node:crypto';
import { CANARIES } from './canaries.js';
import { bodyText, ownerOfRequest, type Step } from './honest-answers.js';
import { type HostileAnswer, type RenderedAnswer, render } from './hostile-answer.js';
import { belongingTo } from './people.js';
import { type RawNetwork, rawNetwork, type WireRequest } from './raw-network.js';
import { subjectCalled } from './subjects.js';

/** Hostile answers of a run: the first request of a step gets the first one, and so on; the last one stays. */
export type Script = Readonly<Partial<Record<Step, readonly HostileAnswer[]>>>;

/** An answer that went out. */
export interface ServedAnswer {
  readonly step: Step;
  readonly status: number;
  /** The text that a reader of HTTP gets of it; `undefined` when it gets none whole. */
  readonly text: string | undefined;
  readonly isHostile: boolean;
}

/** The three networks, honest unless a script says otherwise. */
export interface PlayedNetwork extends RawNetwork {
  /** Since the last {@link PlayedNetwork.play}. */
  readonly requests: readonly WireRequest[];
  readonly served: readonly ServedAnswer[];
  /** How many different hostile answers went out. */
  hostileAnswers(): number;
  /** What nobody outside may see of the run: secrets that the library made, and what is random in a request token. */
  readonly fresh: ReadonlySet<string>;
  /** Begins a run. @param title - Whose secrets the network knows beforehand. */
  play(script: Script, title?: string): void;
  /** Tells the network the state, or the request token, that a login was started with. */
  tellState(state: string): void;
}

/** A UUID: what a request token of this network has that stands in no other text. */
const MADE_AT_RANDOM = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/i;

export async function playedNetwork(): Promise<PlayedNetwork> {
  let requests: WireRequest[] = [];
  let served: ServedAnswer[] = [];
  let fresh = new Set<string>();
  let script: Script = {};
  let known: Record<string, string> = {};
  let givesRequestTokens = false;

  const network = await rawNetwork((request) => {
    requests.push(request);
    const brought = secretsOf(request);
    const { basic: _ofThisRequest, ...lasting } = brought;
    Object.assign(known, lasting);
    if (brought.codeVerifier) fresh.add(brought.codeVerifier);
    const [, title, step] = request.path.split('/') as [string, string, Step];
    const asked = served.filter((answer) => answer.step === step).length;
    const hostile = script[step]?.[asked] ?? script[step]?.at(-1);
    const rendered = hostile
      ? render(hostile, { ...known, ...brought, newToken: randomUUID() })
      : honestAnswer(title, step, request);
    if (!hostile) Object.assign(known, answeredSecrets(title, step, request));
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
    hostileAnswers() {
      return Object.entries(script).reduce((sum, [step, answers]) => {
        const asked = served.filter((answer) => answer.step === step).length;
        return sum + Math.min(asked, answers.length);
      }, 0);
    },
    tellState(told: string) {
      known.state = told;
      // The words of a request token are this network's own, and its other answers may have them, too.
      const secret = givesRequestTokens ? MADE_AT_RANDOM.exec(told)?.[0] : told;
      if (secret !== undefined) fresh.add(secret);
    },
    play(next: Script, title?: string) {
      requests = [];
      served = [];
      fresh = new Set();
      script = next;
      known = secretsOfClient(title);
      givesRequestTokens = title !== undefined && subjectCalled(title).oauth1;
    },
  };
}

/** The client's secret is known to the network, whether or not a request brings it: some only sign with it. */
function secretsOfClient(title: string | undefined): Record<string, string> {
  const { clientSecret, serviceToken } = (title === undefined ? {} : subjectCalled(title).options) as Record<
    string,
    string
  >;
  return { ...(clientSecret && { clientSecret }), ...(serviceToken && { serviceToken }) };
}

/** The secrets of an honest answer to a step. */
function answeredSecrets(title: string, step: Step, request: WireRequest): Record<string, string> {
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

function honestAnswer(title: string, step: Step, request: WireRequest): RenderedAnswer {
  const make = subjectCalled(title).honest[step];
  if (!make) throw new Error(`${title} has no ${step}`);
  const text = bodyText(make(ownerOfRequest(request)));
  const head = `HTTP/1.1 200 OK\r\ncontent-length: ${Buffer.byteLength(text)}\r\n\r\n`;
  return { chunks: [Buffer.from(head + text)], ending: 'keep', status: 200, text };
}

/** The secrets that a request brings: a network can repeat those, and no others. */
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
