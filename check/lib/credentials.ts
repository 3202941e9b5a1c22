import { randomInt } from 'node:crypto';
import {
  type ClientCredentials,
  callbackProblem,
  cleanLine,
  type ErrorRow,
  hintOf,
  isLoopback,
  lookUp,
  type ProtocolFacts,
  type ProviderError,
  type RefusedError,
  randomSecret,
} from 'passport-social-networks/internal';
import { type Finding, GUIDES } from './report.js';
import type { CheckedStrategy } from './subject.js';

/** Where the network sends the browser; `undefined` if it depends on a request. */
export type Callback = { readonly url: URL /** As it is sent. */; readonly written: string } | undefined;

/** What the attempts with the credentials showed. */
export interface CredentialsResult {
  readonly credentials: Finding;
  /** What they showed of the callback URL, which OAuth 1.0a sends along: the application has it, or what is wrong. */
  readonly registration?: 'accepted' | Finding;
  /** That logins fail, for a reason that nobody can tell. */
  readonly login?: Finding;
  /** What the network said of the timestamp. */
  readonly clock?: Pick<Finding, 'message' | 'evidence'>;
  /** Why there was no usable response. */
  readonly problem?: string;
  /** Whether there was a response, of any kind. */
  readonly hasResponse: boolean;
}

/** @param given - Replaces the strategy's own. */
export function callbackOf(strategy: CheckedStrategy, given: string | undefined): Callback {
  const { redirectURI, callbackURL } = strategy.settings;
  const written = redirectURI.withoutRequest(given ?? callbackURL);
  return written === undefined ? undefined : { url: new URL(written), written };
}

/** The URL without what may be confidential in it. */
function shown(callback: Callback): string {
  if (!callback) return 'the callback URL';
  const { origin, pathname, search, hash, username, password } = callback.url;
  const isPlain = !(search || hash || username || password);
  return cleanLine(isPlain ? callback.written : `${origin}${pathname}${search && '?...'}`) ?? '';
}

/** Whether the network accepts such URLs, and whether the application has this one. @param isLocal - Whether it is a sandbox. */
export function callbackFindings(
  { facts, settings: { callbackURL } }: CheckedStrategy,
  callback: Callback,
  registration: CredentialsResult['registration'],
  isLocal: boolean,
): Finding[] {
  const form = callback
    ? formFinding(facts, callback, registration === 'accepted')
    : ({
        subject: 'callbackURL',
        verdict: isLocal ? 'unknown' : 'failed',
        message: `${cleanLine(callbackURL) ?? ''} becomes a URL with the Host header of each request, which any client can set`,
        remedy:
          "Set the option baseURL: 'https://your.domain', or an absolute callbackURL. For the command, BASE_URL=https://your.domain stands for it.",
        guide: GUIDES.reverseProxy,
      } as const);
  const subject = 'registration';
  const register = `Register ${shown(callback)} at ${facts.portal}, character for character.`;
  if (registration === 'accepted') {
    const message = 'the application has the callback URL at the network';
    return [form, { subject, verdict: 'passed', message }];
  }
  if (registration !== undefined) return [form, registration];
  if (callback && callbackProblem(callback.written) !== undefined) return [form];
  return [
    form,
    {
      subject,
      verdict: 'unknown',
      message: 'only a login shows whether the application has the callback URL at the network',
      remedy: [register, facts.callbackCaution].filter(Boolean).join(' '),
    },
  ];
}

/** @param isAccepted - What the network accepts counts more than what it documents. */
function formFinding(
  { brand, judgeRedirectURI }: ProtocolFacts,
  callback: NonNullable<Callback>,
  isAccepted: boolean,
): Finding {
  const { url, written } = callback;
  const subject = 'callbackURL';
  const problem = callbackProblem(written);
  if (problem !== undefined) {
    const message = `${shown(callback)} ${problem}`;
    return { subject, verdict: 'failed', message, guide: GUIDES.reverseProxy };
  }
  const isSafe = url.protocol === 'https:' || isLoopback(url);
  const judged = isAccepted
    ? {
        isAccepted: isSafe ? true : undefined,
        says: `accepts it${isSafe ? '' : ', but a browser would send the verifier in the clear'}`,
        remedy: 'Use https.',
      }
    : judgeRedirectURI(url, written);
  const message = `${shown(callback)}: ${brand} ${judged.says}`;
  if (judged.isAccepted) return { subject, verdict: 'passed', message };
  return {
    subject,
    verdict: judged.isAccepted === false ? 'failed' : 'unknown',
    message,
    ...(judged.remedy !== undefined && { remedy: judged.remedy }),
    guide: GUIDES.errorPage,
  };
}

/** The result for a strategy whose credentials cannot be sent. */
export function notTried(host: string): CredentialsResult {
  return { credentials: unknown(`not checked: see ${host}`), hasResponse: false };
}

/** A URL that cannot exist, for strategies whose own is relative (RFC 2606 section 2). */
const NO_CALLBACK = 'https://callback.invalid/';

/** Tries credentials. @returns What was thrown; `undefined` if they were accepted. */
type Try = (credentials: ClientCredentials) => Promise<unknown>;

/**
 * Sends the login's own request with an authorization code that the network never issued; with OAuth 1.0a, the request for a request
 * token, which is never used. Neither changes anything at the network.
 *
 * That only the code is refused says something about the credentials only if the network looks at them first, which no network documents.
 * So wrong credentials are tried after that: if they are refused with another code, the right ones were accepted.
 */
export async function tryCredentials(
  strategy: CheckedStrategy,
  callback: Callback,
): Promise<CredentialsResult> {
  const otherwise = strategy.protocol === 'OAuth 1.0a' ? 'oob' : NO_CALLBACK;
  const attempt: Try = (credentials) =>
    strategy.tryCredentials(credentials, callback?.written ?? otherwise).then(
      () => undefined,
      (error: unknown) => error,
    );
  const outcome = await attempt(strategy.credentials);
  if (isNamed(outcome, 'UnreachableError')) {
    const finding = unknown('not checked: no usable response');
    return { credentials: finding, problem: withoutPrefix(outcome as ProviderError), hasResponse: false };
  }
  const result = isRefused(outcome)
    ? await readRefusal(outcome, strategy, callback, attempt)
    : readOther(outcome, strategy, callback);
  return { ...result, hasResponse: true };
}

/** Errors are told by their literal names: the strategy may be of another copy of the package. */
const isNamed = (error: unknown, name: string) => error instanceof Error && error.name === name;
const isRefused = (error: unknown): error is RefusedError => isNamed(error, 'RefusedError');

type Reading = Omit<CredentialsResult, 'hasResponse'>;

async function readRefusal(
  error: RefusedError,
  strategy: CheckedStrategy,
  callback: Callback,
  attempt: Try,
): Promise<Reading> {
  const { facts, credentials, protocol } = strategy;
  const { brand, portal } = facts;
  const known = meaningOf(error, facts);
  const evidence = known && { evidence: known.source };
  const says =
    known?.means === 'client refused'
      ? `does not accept the ${namesOf(credentials, facts)}`
      : SAYS[known?.means ?? ''];
  const said = `${brand} ${known?.says ?? says}: ${quote(error)}`;
  if (error.retryable) {
    return {
      credentials: unknown(`the network is busy or has a fault: ${quote(error)}`, 'Try again later.'),
    };
  }
  switch (known?.means) {
    case 'client refused':
    case 'application closed': {
      const suspicion = known.means === 'client refused' ? facts.suspect(credentials) : undefined;
      const where = `The application's settings are at ${portal}.`;
      const remedy = [suspicion, hintOf(known), where].filter(Boolean).join(' ');
      return { credentials: { ...failed(said, remedy), ...evidence } };
    }
    case 'clock refused':
      return {
        credentials: unknown('cannot tell before the clock is right'),
        clock: { message: said, ...evidence },
      };
    case 'redirect URI refused': {
      const finding = await compare(error, strategy, attempt);
      // Without a callback URL, "oob" was refused.
      if (!callback) return { credentials: finding };
      const remedy = `Register ${shown(callback)} at ${portal}, character for character.`;
      const refused = { message: said, remedy, guide: GUIDES.errorPage, ...evidence };
      return {
        credentials: finding,
        registration: { subject: 'registration', verdict: 'failed', ...refused },
      };
    }
    case 'code spent':
      return { credentials: { ...(await compare(error, strategy, attempt)), ...evidence } };
    default: {
      const message = `cannot tell what this means here: ${quote(error)}`;
      const finding = unknown(message, ifLoginsFail(strategy), GUIDES.codes);
      if (protocol === 'OAuth 2.0' || !callback) return { credentials: finding };
      const login: Finding = {
        subject: 'login',
        verdict: 'failed',
        message: `${brand} refuses the request that begins each login: ${quote(error)}`,
        remedy: `Look at the application's state and settings at ${portal}.`,
        guide: GUIDES.codes,
      };
      return { credentials: finding, login };
    }
  }
}

/** What a refusal says where its row says nothing closer; completes "BRAND ...". */
const SAYS: Readonly<Record<string, string>> = {
  'application closed': 'does not serve the application',
  'clock refused': 'refuses the timestamp of the request',
  'redirect URI refused': 'does not have this callback URL for the application',
};

/** An attempt that was accepted, or failed without an error response of the network. */
function readOther(
  error: unknown,
  { facts, credentials, protocol }: CheckedStrategy,
  callback: Callback,
): Reading {
  if (error === undefined && protocol === 'OAuth 1.0a') {
    const message = `${facts.brand} accepts the ${namesOf(credentials, facts)}`;
    const evidence = 'documented: RFC 5849 section 2.1';
    return {
      credentials: { subject: 'credentials', verdict: 'passed', message, evidence },
      ...(callback && { registration: 'accepted' }),
    };
  }
  if (!isNamed(error, 'MalformedError')) {
    const message =
      error === undefined
        ? 'cannot tell: an authorization code that nobody issued was accepted, as no real network does'
        : "not checked: a method of the strategy's class threw an error before the request";
    return { credentials: unknown(message) };
  }
  const malformed = error as ProviderError;
  const isMissing = [404, 405, 410].includes(malformed.networkStatus ?? 0);
  if (!isMissing && malformed.code !== 'callback_unconfirmed') {
    return { credentials: unknown(`cannot tell: ${withoutPrefix(malformed)}`) };
  }
  const remedy = 'Compare the addresses in the options with the defaults, slash for slash.';
  return { credentials: { ...failed(withoutPrefix(malformed), remedy), guide: GUIDES.errors } };
}

/** Tries wrong credentials, and compares what the network says of them: by the code, because words can be new in each response. */
async function compare(error: RefusedError, strategy: CheckedStrategy, attempt: Try): Promise<Finding> {
  const { facts, credentials } = strategy;
  const { clientID, secret } = credentials;
  const other = await attempt(
    secret === undefined
      ? { clientID: facts.inventClientID?.(randomSecret()) ?? randomSecret(), secret }
      : { clientID, secret: altered(secret) },
  );
  if (!isRefused(other) || other.retryable) {
    const message = 'cannot tell: wrong credentials, tried to compare, got no usable response';
    return unknown(message, 'Try again later.');
  }
  if (other.networkCode === error.networkCode) {
    const message = `cannot tell: wrong credentials get the same response, ${quote(error)}`;
    return unknown(message, ifLoginsFail(strategy));
  }
  const message = `${facts.brand} accepts the ${namesOf(credentials, facts)}: wrong ones get another response`;
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

/** What is known of a refusal, from documents and reports: nothing that is only supposed makes a verdict. */
function meaningOf(error: RefusedError, { errorRows }: ProtocolFacts): ErrorRow | undefined {
  const { networkCode: code, networkMessage: description, step } = error;
  const known = errorRows.filter(({ source }) => !source.startsWith('supposed'));
  return lookUp(known, { code, description, step });
}

function quote({ networkCode, networkMessage, networkStatus }: RefusedError): string {
  const message = networkMessage && `"${networkMessage}"`;
  return [networkCode, message].filter(Boolean).join(' ') || `HTTP ${networkStatus}`;
}

function ifLoginsFail({ facts, credentials }: CheckedStrategy): string {
  const compared = `If logins fail, compare the ${namesOf(credentials, facts)} with those at ${facts.portal}.`;
  return [compared, facts.suspect(credentials)].filter(Boolean).join(' ');
}

/** What the network calls the credentials: `client key and client secret`. */
export function namesOf(
  { secret }: Pick<ClientCredentials, 'secret'>,
  { credentialNames: [id, secretName] }: ProtocolFacts,
): string {
  return secret === undefined ? id : `${id} and ${secretName}`;
}

/** The message without strategy and step, which the report has elsewhere. */
function withoutPrefix({ message, provider, step }: ProviderError): string {
  return message.replace(`${provider}, ${step}: `, '');
}

function unknown(message: string, remedy?: string, guide?: string): Finding {
  const advice = { ...(remedy !== undefined && { remedy }), ...(guide !== undefined && { guide }) };
  return { subject: 'credentials', verdict: 'unknown', message, ...advice };
}

function failed(message: string, remedy: string): Finding {
  return { subject: 'credentials', verdict: 'failed', message, remedy, guide: GUIDES.credentials };
}
