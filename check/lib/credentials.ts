import { randomInt } from 'node:crypto';
import {
  type CheckedStrategy,
  type ClientCredentials,
  type MalformedError,
  type ProviderError,
  type RefusedError,
  randomSecret,
} from 'passport-social-networks/internal';
import { type Callback, type CallbackProof, shown } from './callback.js';
import type { KnownResponse, NetworkKnowledge } from './network-knowledge.js';
import { type Finding, GUIDES } from './report.js';

/** What the attempts with the credentials showed. */
export interface CredentialsResult {
  readonly credentials: Finding;
  /** What they showed of the callback URL, which OAuth 1.0a sends along. */
  readonly callback?: CallbackProof;
  /** That logins fail, for a reason that nobody can tell. */
  readonly login?: Finding;
  /** What the network said of the timestamp. */
  readonly clock?: Pick<Finding, 'message' | 'evidence'>;
  /** Why there was no usable response. */
  readonly problem?: string;
  /** Whether there was a response, of any kind. */
  readonly hasResponse: boolean;
}

/** A URL that cannot exist, for strategies whose own is relative (RFC 2606 section 2). */
const NO_CALLBACK = 'https://callback.invalid/';

/** The result for a strategy whose credentials cannot be sent. */
export function notTried(host: string): CredentialsResult {
  return { credentials: unknown(`not checked: see ${host}`), hasResponse: false };
}

/** Tries credentials. @returns What was thrown; `undefined` if they were accepted. */
type Try = (credentials: ClientCredentials) => Promise<unknown>;

/**
 * Sends the login's own request with an authorization code that the network never issued; with OAuth 1.0a, the request for a request
 * token, which is never used. Neither changes anything at the network.
 *
 * That only the code is refused says something about the credentials only if the network looks at them first, which no network documents.
 * So wrong credentials are tried after that: if they are refused in another way, the right ones were accepted.
 */
export async function checkCredentials(
  strategy: CheckedStrategy,
  knowledge: NetworkKnowledge | undefined,
  callback: Callback,
): Promise<CredentialsResult> {
  if (!knowledge) {
    const message = 'this check does not know what the responses of the network mean';
    return { credentials: unknown(message), hasResponse: false };
  }
  const attempt: Try = async (tried) => {
    const code = knowledge.code?.(randomSecret()) ?? '';
    const callbackURL = callback?.written ?? (knowledge.protocol === 'OAuth 1.0a' ? 'oob' : NO_CALLBACK);
    try {
      await strategy.tryCredentials({ credentials: tried, callbackURL, code });
      return undefined;
    } catch (error) {
      return error;
    }
  };
  const { credentials } = strategy;
  const outcome = await attempt(credentials);
  if (isUnreachable(outcome)) {
    const finding = unknown('not checked: no usable response');
    return { credentials: finding, problem: withoutPrefix(outcome), hasResponse: false };
  }
  const read = isRefused(outcome) ? readRefusal : readOther;
  return {
    ...(await read(outcome as RefusedError, credentials, knowledge, callback, attempt)),
    hasResponse: true,
  };
}

/** Errors are told by their literal names: the strategy can be one of another copy of the package. */
const isNamed = (error: unknown, name: string) => error instanceof Error && error.name === name;
const isUnreachable = (error: unknown): error is ProviderError => isNamed(error, 'UnreachableError');
const isRefused = (error: unknown): error is RefusedError => isNamed(error, 'RefusedError');
const isMalformed = (error: unknown): error is MalformedError => isNamed(error, 'MalformedError');

type Reading = Omit<CredentialsResult, 'hasResponse'>;

async function readRefusal(
  error: RefusedError,
  credentials: ClientCredentials,
  knowledge: NetworkKnowledge,
  callback: Callback,
  attempt: Try,
): Promise<Reading> {
  const { brand, portal, protocol } = knowledge;
  const known = meaningOf(error, knowledge);
  const evidence = known && { evidence: known.evidence };
  const said = `${brand} ${known?.says}: ${quote(error)}`;
  if (isTemporary(error, known)) {
    return {
      credentials: unknown(`the network is busy or has a fault: ${quote(error)}`, 'Try again later.'),
    };
  }
  switch (known?.means) {
    case 'client refused':
    case 'application closed':
      return { credentials: failed(said, remedyFor(known, credentials, knowledge), evidence) };
    case 'clock refused':
      return {
        credentials: unknown('cannot tell before the clock is right'),
        clock: { message: said, ...evidence },
      };
    case 'callback refused': {
      const finding = await compare(error, credentials, knowledge, attempt);
      // Without a callback URL, "oob" was refused.
      if (!callback) return { credentials: finding };
      const remedy = `Register ${shown(callback)} at ${portal}, character for character.`;
      const refused = { message: said, remedy, guide: GUIDES.errorPage, ...evidence };
      return { credentials: finding, callback: { subject: 'registration', verdict: 'failed', ...refused } };
    }
    case 'code refused':
      return { credentials: { ...(await compare(error, credentials, knowledge, attempt)), ...evidence } };
    default: {
      const causes = `If logins fail: ${compareCredentials(credentials, knowledge)}`;
      const finding = unknown(`cannot tell what this means here: ${quote(error)}`, causes, GUIDES.codes);
      if (protocol === 'OAuth 2.0' || !callback) return { credentials: finding };
      const message = `${brand} refuses the request that begins each login: ${quote(error)}`;
      const remedy = `Look at the application's state and settings at ${portal}.`;
      const login = { subject: 'login', verdict: 'failed', message, remedy, guide: GUIDES.codes } as const;
      return { credentials: finding, login };
    }
  }
}

/** An attempt that was accepted, or failed without an error response of the network. */
function readOther(
  error: unknown,
  credentials: ClientCredentials,
  knowledge: NetworkKnowledge,
  callback: Callback,
): Reading {
  const { brand, acceptance: evidence } = knowledge;
  if (error === undefined && evidence !== undefined) {
    const message = `${brand} accepts the ${knowledge.credentialNames(credentials)}`;
    return {
      credentials: { subject: 'credentials', verdict: 'passed', message, evidence },
      ...(callback && { callback: 'accepted' }),
    };
  }
  if (!isMalformed(error)) {
    const message =
      error === undefined
        ? 'cannot tell: an authorization code that nobody issued was accepted, as no real network does'
        : "not checked: a method of the strategy's class threw an error before the request";
    return { credentials: unknown(message) };
  }
  const isMissing = [404, 405, 410].includes(error.networkStatus ?? 0);
  if (!isMissing && error.code !== 'callback_unconfirmed') {
    return { credentials: unknown(`cannot tell: ${withoutPrefix(error)}`) };
  }
  const remedy =
    'Compare the addresses in the options with those in the README of the network, slash for slash.';
  return { credentials: { ...failed(withoutPrefix(error), remedy), guide: GUIDES.errors } };
}

/** Tries wrong credentials, and compares what the network says of them. */
async function compare(
  error: RefusedError,
  credentials: ClientCredentials,
  knowledge: NetworkKnowledge,
  attempt: Try,
): Promise<Finding> {
  const { clientID, secret } = credentials;
  const other = await attempt(
    secret === undefined
      ? { clientID: knowledge.unknownClientID?.(randomSecret()) ?? randomSecret(), secret }
      : { clientID, secret: altered(secret) },
  );
  if (!isRefused(other) || isTemporary(other, meaningOf(other, knowledge))) {
    const message = 'cannot tell: wrong credentials, tried to compare, got no usable response';
    return unknown(message, 'Try again later.');
  }
  if (quote(other) === quote(error)) {
    return unknown(
      `cannot tell: wrong credentials get the same response, ${quote(error)}`,
      `If logins fail: ${compareCredentials(credentials, knowledge)}`,
    );
  }
  const names = knowledge.credentialNames(credentials);
  const message = `${knowledge.brand} accepts the ${names}: wrong ones get another response`;
  return { subject: 'credentials', verdict: 'passed', message };
}

/** Wrong, in the form of the right one: a network might refuse another form before it looks anything up. */
function altered(secret: string): string {
  const pick = (letters: string) => letters.charAt(randomInt(letters.length));
  return secret
    .replace(/[a-z]/g, () => pick('abcdefghijklmnopqrstuvwxyz'))
    .replace(/[A-Z]/g, () => pick('ABCDEFGHIJKLMNOPQRSTUVWXYZ'))
    .replace(/\d/g, () => pick('0123456789'));
}

function meaningOf(
  { networkCode, networkMessage = '' }: RefusedError,
  { responses }: NetworkKnowledge,
): KnownResponse | undefined {
  return responses.find(
    ({ code, message = '' }) => [networkCode, undefined].includes(code) && networkMessage.startsWith(message),
  );
}

function isTemporary({ code, networkStatus = 0 }: RefusedError, known: KnownResponse | undefined): boolean {
  return known?.means === 'try later' || code === 'rate_limited' || (!known && networkStatus >= 500);
}

function quote({ networkCode, networkMessage, networkStatus }: RefusedError): string {
  const message = networkMessage && `"${networkMessage}"`;
  return [networkCode, message].filter(Boolean).join(' ') || `HTTP ${networkStatus}`;
}

function remedyFor(
  { remedy }: KnownResponse,
  credentials: ClientCredentials,
  knowledge: NetworkKnowledge,
): string {
  const suspicion = quotationMarks(credentials) ?? knowledge.suspicion(credentials);
  const otherwise = remedy ?? compareCredentials(credentials, knowledge);
  return suspicion === undefined
    ? otherwise
    : `${suspicion} Otherwise ${otherwise.charAt(0).toLowerCase()}${otherwise.slice(1)}`;
}

/** Docker and some shells keep them as a part of a variable. */
function quotationMarks({ clientID, secret = '' }: ClientCredentials): string | undefined {
  const isQuoted = (text: string) => /^["']|["']$/.test(text);
  if (isQuoted(clientID)) return 'clientID has quotation marks around it: remove them.';
  return isQuoted(secret) ? 'The secret has quotation marks around it: remove them.' : undefined;
}

function compareCredentials(credentials: ClientCredentials, knowledge: NetworkKnowledge): string {
  const causes = knowledge.usualCauses(credentials).join('; ');
  return `Copy the ${knowledge.credentialNames(credentials)} again from ${knowledge.portal}. Usual causes: ${causes}.`;
}

/** The message without strategy and step, which the report has elsewhere. */
function withoutPrefix({ message, provider, step }: ProviderError): string {
  return message.replace(`${provider}, ${step}: `, '');
}

function unknown(message: string, remedy?: string, guide?: string): Finding {
  const advice = { ...(remedy !== undefined && { remedy }), ...(guide !== undefined && { guide }) };
  return { subject: 'credentials', verdict: 'unknown', message, ...advice };
}

function failed(message: string, remedy: string, evidence?: { readonly evidence: string }): Finding {
  const guide = GUIDES.credentials;
  return { subject: 'credentials', verdict: 'failed', message, remedy, guide, ...evidence };
}
