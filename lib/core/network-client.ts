import { isObject, type JSONObject, tryJSON, unreadable } from './answer.js';
import { type LoginStep, type Refusal, RefusedError } from './errors.js';
import type { Answer } from './exchange.js';
import { hideMembers } from './protected-client.js';
import { cleanText, secretsIn } from './redaction.js';
import { retryAfterSeconds } from './retries.js';
import type { NetworkRequest, Transport } from './transport.js';

/**
 * Reads a network's own error shapes.
 *
 * @param answer - Any status: some networks say no with 200.
 * @param body - The answer's JSON, or `undefined` when it is none.
 * @param step - What was asked: one code can have another remedy in another step.
 * @returns What the network said, uncleaned; `undefined` when the answer is no refusal that the network documents.
 */
export type RefusalReader = (
  answer: Answer,
  body: unknown,
  step: LoginStep,
) => (Refusal & { rateLimited?: boolean }) | undefined;

/** What usually helps against each code, and where a code means something else in one step. */
export interface Remedies {
  readonly byCode: Readonly<Record<string, string>>;
  readonly byStep?: Readonly<Partial<Record<LoginStep, Readonly<Record<string, string>>>>>;
}

/** What usually helps against a code; `undefined` for a code that nobody knows. */
export function remedyFor(
  code: string | undefined,
  step: LoginStep,
  { byCode, byStep }: Remedies,
): string | undefined {
  if (code === undefined) return undefined;
  const ofStep = byStep?.[step];
  if (ofStep && Object.hasOwn(ofStep, code)) return ofStep[code];
  return Object.hasOwn(byCode, code) ? byCode[code] : undefined;
}

/** A network's code as text: some send numbers. */
export function codeText(code: unknown): string | undefined {
  return typeof code === 'number' || (typeof code === 'string' && code !== '') ? String(code) : undefined;
}

/** Whether a member `error` says that something went wrong, in whatever form. */
export function isError(error: unknown): boolean {
  return error !== undefined && error !== null && error !== '' && error !== false;
}

/** A readable answer. */
export interface JSONAnswer {
  readonly body: JSONObject;
  /** The body's exact text. */
  readonly text: string;
}

/** Sends requests of one strategy and sorts the answers: readable, refused, unreadable. */
export class NetworkClient {
  private readonly provider: string;
  private readonly transport: Transport;
  private readonly readRefusal: RefusalReader;
  private readonly clientSecrets: readonly string[];

  /** @param clientSecrets - What no error of this strategy may repeat, whatever the request. */
  constructor(
    provider: string,
    transport: Transport,
    readRefusal: RefusalReader,
    clientSecrets: readonly string[],
  ) {
    this.provider = provider;
    this.transport = transport;
    this.readRefusal = readRefusal;
    this.clientSecrets = clientSecrets;
    transport.hide(clientSecrets);
    // With the transport its agent, whose proxy has a password, and whose connections have requests under way.
    hideMembers(this, ['transport', 'clientSecrets']);
  }

  /**
   * @param read - Makes of the answer what the caller needs, or throws what the request failed with. Default: the answer.
   * @throws {@link UnreachableError} without a usable answer.
   * @throws {@link RefusedError} when the network says no, on any status.
   * @throws {@link MalformedError} when the answer is no JSON object.
   */
  sendForJSON(request: NetworkRequest): Promise<JSONAnswer>;
  sendForJSON<T>(request: NetworkRequest, read: (answer: JSONAnswer) => T): Promise<T>;
  sendForJSON(
    request: NetworkRequest,
    read: (answer: JSONAnswer) => unknown = (answer) => answer,
  ): Promise<unknown> {
    return this.sendAndRead(request, (answer, body) => {
      if (isObject(body)) return read({ body, text: answer.text });
      throw unreadable(answer, { provider: this.provider, step: request.step }, 'a JSON object');
    });
  }

  /** Like {@link NetworkClient.sendForJSON} for answers of another form: only refusals are sorted out. */
  send(request: NetworkRequest): Promise<Answer> {
    return this.sendAndRead(request, (answer) => answer);
  }

  /** Opens a connection for a request that will come soon. */
  prepare(address: string): void {
    this.transport.prepare(address);
  }

  private sendAndRead<T>(request: NetworkRequest, read: (answer: Answer, body: unknown) => T): Promise<T> {
    return this.transport.send(request, (answer) => {
      const body = answer.wellFormed ? tryJSON(answer.text) : undefined;
      this.refuse(request, answer, body);
      return read(answer, body);
    });
  }

  private refuse(request: NetworkRequest, answer: Answer, body: unknown): void {
    const refusal = this.readRefusal(answer, body, request.step);
    const isSuccess = answer.status >= 200 && answer.status <= 299;
    if (isSuccess && !refusal) return;
    const own = request.parseErrorResponse?.(answer.text, answer.status);
    if (own) throw own;
    if (refusal || isObject(body) || answer.status === 429)
      throw this.refused(request, answer, refusal ?? {}, body);
    throw unreadable(answer, { provider: this.provider, step: request.step }, 'an answer or an error');
  }

  private refused(
    request: NetworkRequest,
    answer: Answer,
    refusal: Refusal & { rateLimited?: boolean },
    body: unknown,
  ): RefusedError {
    const secrets = [...request.secrets(), ...this.clientSecrets, ...secretsIn(body)];
    return new RefusedError({
      provider: this.provider,
      step: request.step,
      networkStatus: answer.status,
      networkCode: cleanText(refusal.networkCode, secrets),
      networkMessage: cleanText(refusal.networkMessage, secrets),
      requestId: cleanText(refusal.requestId, secrets),
      retryAfter: refusal.retryAfter ?? retryAfterSeconds(answer),
      remedy: refusal.remedy ?? (refusal.networkCode === undefined ? `HTTP ${answer.status}.` : undefined),
      tokenSpent: refusal.tokenSpent,
      rateLimited: refusal.rateLimited ?? answer.status === 429,
    });
  }
}
