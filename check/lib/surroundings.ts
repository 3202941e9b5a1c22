import type { Agent, IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { type DetailedPeerCertificate, type PeerCertificate, TLSSocket } from 'node:tls';
import { urlToHttpOptions } from 'node:url';
import {
  ATTEMPT_TIMEOUT,
  attemptsOf,
  cleanText,
  isLoopback,
  type KnownAuthority,
  type ProtocolFacts,
} from 'passport-social-networks/internal';
import { ProxyAgent } from './proxy.js';
import { type Finding, GUIDES } from './report.js';
import type { CheckedStrategy } from './subject.js';

import http = require('node:http');
import https = require('node:https');

/** @param version - Without a `v`. */
export function nodeFinding(version = process.versions.node): Finding {
  const subject = 'Node';
  const [major = 0, minor = 0] = version.split('.').map(Number);
  // `engines` in package.json.
  if (major > 20 || (major === 20 && minor >= 19)) return { subject, verdict: 'passed', message: version };
  const message = `${version} is older than 20.19`;
  return { subject, verdict: 'failed', message, remedy: 'Install Node 20.19 or newer.' };
}

/** What happens on the way to a response, in this order. */
type Stage = 'DNS' | 'TCP' | 'TLS' | 'response';

interface Failure {
  /** How far the request came. */
  readonly stage: Stage | 'proxy';
  /** Node's error code, with the addresses that failed; `ETIMEDOUT` if the time was up. */
  readonly code: string;
}

/** One request to a host, as far as it came. */
export interface Contact {
  readonly url: URL;
  /** Those that could be seen: an agent may hide some, or reuse a connection. */
  readonly stages: ReadonlySet<Stage>;
  /** Milliseconds. */
  readonly duration: number;
  /** ` through` and what findings call the agent; empty without one. */
  readonly route: string;
  readonly failure?: Failure;
  /** Seconds by which this machine's clock is ahead of the response's `Date`, which has whole seconds. */
  readonly clockAhead?: number;
  /** The certificates that the host sent, its own first. */
  readonly chain?: readonly PeerCertificate[] | undefined;
  /** Whether the certificate was verified. */
  readonly isVerified?: boolean;
}

/** Hosts of URLs, each once, with the port. */
export function originsOf(urls: readonly string[]): URL[] {
  return [...new Set(urls.map((url) => new URL(url).origin))].map((origin) => new URL(origin));
}

/** Whether credentials can be sent: the host was reached, and proved who it is. */
export function isReady({ url, failure, isVerified }: Contact): boolean {
  const isProved = url.protocol === 'http:' || isVerified === true;
  return isProved && (failure === undefined || failure.stage === 'response');
}

type Way = Pick<CheckedStrategy, 'agent'> & Pick<CheckedStrategy['settings'], 'timeout'>;

/**
 * Asks a host for the headers of `/`, without credentials, as a login would reach it: through the strategy's agent, within its timeout. Any
 * status is fine: the request asks for nothing that exists.
 */
export async function contact(url: URL, { agent, timeout }: Way): Promise<Contact> {
  const stages = new Set<Stage>();
  const begun = performance.now();
  let isVerified: boolean | undefined;
  const common = () => ({
    url,
    stages,
    route: agent
      ? ` through ${agent instanceof ProxyAgent ? 'the proxy of HTTPS_PROXY' : 'the option agent'}`
      : '',
    duration: performance.now() - begun,
    ...(isVerified !== undefined && { isVerified }),
  });
  try {
    const { socket, statusCode, headers } = await headersOf(url, { agent, timeout }, stages, (tls) => {
      isVerified = tls.authorized;
    });
    const tls = socket instanceof TLSSocket ? socket : undefined;
    // What a proxy refuses, some agents hand over as if the network had sent it.
    if (url.protocol === 'https:' && !tls) {
      return { ...common(), failure: { stage: 'proxy', code: `HTTP ${statusCode}` } };
    }
    const date = Date.parse(headers.date ?? '');
    const isFresh = !Number.isNaN(date) && !(Number(headers.age) > 0);
    const clockAhead = (Date.now() - date) / 1_000;
    const found = { ...common(), ...(isFresh && { clockAhead }), ...(tls && { chain: chainOf(tls) }) };
    socket.destroy();
    return found;
  } catch (error) {
    const failure = failureOf(error, url, stages, agent !== undefined);
    const chain = failure.stage === 'TLS' ? await certificatesOf(url, { agent, timeout }) : undefined;
    return { ...common(), failure, chain };
  }
}

/** @param onTLS - Called as soon as the handshake is done: a host that cannot prove who it is may close the connection without a response. */
function headersOf(
  url: URL,
  { agent, timeout }: Way,
  stages: Set<Stage>,
  onTLS: (socket: TLSSocket) => void,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const request = requestTo(url, agent, {});
    const end = (error: unknown) => {
      clearTimeout(timer);
      reject(error);
    };
    const timer = setTimeout(() => {
      // While an agent connects, destroying a request reports nothing.
      end(timedOut());
      request.destroy();
    }, timeout);
    request.once('socket', (socket) => {
      socket.once('lookup', () => stages.add('DNS'));
      socket.once('connect', () => stages.add('TCP'));
      socket.once('secureConnect', () => stages.add('TLS'));
      if (!(socket instanceof TLSSocket)) return;
      socket.once('secureConnect', () => onTLS(socket));
      // An agent may hand over a socket whose handshake is done.
      if (socket.authorized) onTLS(socket);
    });
    request.once('response', (response) => {
      clearTimeout(timer);
      if (response.socket instanceof TLSSocket) onTLS(response.socket);
      // Nothing more is read: the response to HEAD has no body.
      response.on('error', () => {});
      resolve(response);
    });
    // Never removed: a destroyed socket can still report an error, and without a listener that ends the process.
    request.on('error', end);
    request.once('upgrade', (_response, socket) => {
      socket.destroy();
      end(timedOut());
    });
    request.end();
  });
}

/** A request for headers alone. Without an agent of the application, on a connection of its own. */
function requestTo(url: URL, agent: Agent | undefined, more: https.RequestOptions): http.ClientRequest {
  const { protocol, hostname, port } = urlToHttpOptions(url);
  const headers = { 'user-agent': 'passport-social-networks', accept: '*/*' };
  const options = { protocol, hostname, port, path: '/', method: 'HEAD', headers, ...more };
  const connection = { agent: agent ?? false, autoSelectFamilyAttemptTimeout: ATTEMPT_TIMEOUT };
  return (protocol === 'https:' ? https : http).request({ ...options, ...connection });
}

function timedOut(): Error {
  return Object.assign(new Error('no response in time'), { code: 'ETIMEDOUT' });
}

const TLS_ERROR = /^(ERR_TLS_|ERR_SSL_|CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|EPROTO$|HOSTNAME_MISMATCH)/;

function failureOf(
  error: unknown,
  { protocol, hostname }: URL,
  stages: ReadonlySet<Stage>,
  hasAgent: boolean,
): Failure {
  const { code: given, syscall } = (error ?? {}) as Partial<NodeJS.ErrnoException>;
  // An agent can put anything into its errors, the password of a proxy too.
  const code = /^[A-Z][A-Z0-9_]{1,49}$/.test(given ?? '') ? (given ?? '') : 'no code';
  if (TLS_ERROR.test(code)) return { stage: 'TLS', code };
  if (stages.has('TLS') || (protocol === 'http:' && stages.has('TCP'))) return { stage: 'response', code };
  if (stages.has('TCP')) return { stage: 'TLS', code };
  if (hasAgent) return { stage: 'proxy', code };
  const isUnresolved = code === 'ETIMEDOUT' && !stages.has('DNS') && isIP(hostname) === 0;
  return {
    stage: syscall === 'getaddrinfo' || isUnresolved ? 'DNS' : 'TCP',
    code: attemptsOf(error) ?? code,
  };
}

/** Reads the certificates of a host that could not be verified, to name who signed them. Nothing is sent on the connection. */
function certificatesOf(url: URL, { agent, timeout }: Way): Promise<PeerCertificate[] | undefined> {
  return new Promise((resolve) => {
    const request = requestTo(url, agent, { rejectUnauthorized: false });
    const end = (chain?: PeerCertificate[]) => {
      clearTimeout(timer);
      resolve(chain);
      request.destroy();
    };
    const timer = setTimeout(() => end(), timeout);
    request.once('socket', (socket) => {
      if (socket instanceof TLSSocket) socket.once('secureConnect', () => end(chainOf(socket)));
    });
    request.on('error', () => end());
    // Never ended, so that not even its headers are sent.
  });
}

/** A certificate chain, as far as it is known: Node adds the root if it knows it. */
function chainOf(socket: TLSSocket): PeerCertificate[] {
  const chain: PeerCertificate[] = [];
  const seen = new Set<string>();
  let next: DetailedPeerCertificate | undefined = socket.getPeerCertificate(true);
  // The last one is its own issuer, or has none.
  while (next?.fingerprint256 !== undefined && !seen.has(next.fingerprint256)) {
    chain.push(next);
    seen.add(next.fingerprint256);
    next = next.issuerCertificate;
  }
  return chain;
}

/** Who signed the certificates, as the last one says. */
function signerOf(chain: readonly PeerCertificate[] | undefined): string | undefined {
  const issuer = chain?.at(-1)?.issuer;
  const [name, organization] = [issuer?.CN, issuer?.O].map((part) => cleanText([part].flat()[0]));
  if (name === undefined || organization === undefined || name.includes(organization))
    return name ?? organization;
  return `${name} (${organization})`;
}

/**
 * @param problem - Why a login's own request to this host got no response; takes precedence.
 * @param hasResponse - Whether a login's own request to this host got a response.
 */
export function hostFinding(
  found: Contact,
  { authorities = [] }: ProtocolFacts,
  { problem, hasResponse }: { readonly problem?: string; readonly hasResponse: boolean },
): Finding {
  const { url, failure, chain, duration, route, isVerified } = found;
  const failed = (advice: Advice): Finding => ({ subject: url.host, verdict: 'failed', ...advice });
  if (isVerified === false) {
    return failed({
      message: 'its certificate is not verified, so anyone on the way can read the credentials',
      remedy:
        'Remove NODE_TLS_REJECT_UNAUTHORIZED from the environment, and rejectUnauthorized from the agent.',
      guide: GUIDES.authority,
    });
  }
  if (failure?.stage === 'TLS') return failed(explainTLS(failure.code, chain, authorities));
  if (failure && !(failure.stage === 'response' && hasResponse)) return failed(explain(found, failure));
  if (problem !== undefined) return failed({ message: problem, guide: GUIDES.errors });
  const signer = signerOf(chain);
  const signed = signer === undefined ? '' : `, certificate signed by ${signer}`;
  const message = `reached in ${Math.round(duration)} ms${route}${signed}`;
  return { subject: url.host, verdict: 'passed', message };
}

type Advice = Pick<Finding, 'message' | 'remedy' | 'guide'>;

/** Message, remedy and guide for a host that gave no response. */
function explain({ url, route, stages }: Contact, { stage, code }: Failure): Advice {
  const { hostname, protocol } = url;
  const port = url.port || (protocol === 'https:' ? '443' : '80');
  const guide = GUIDES.proxy;
  if (stage === 'DNS') {
    const message = `DNS has no address for this name (${code})`;
    const remedy = `Check the name in the options, and the DNS of this machine.${proxyHint(route)}`;
    return { message, remedy, guide };
  }
  if (stage === 'TCP') {
    const message = `no connection to port ${port} (${code})`;
    if (!isLoopback(url)) {
      return {
        message,
        remedy: `Allow ${hostname}, port ${port}, in the firewall.${proxyHint(route)}`,
        guide,
      };
    }
    const remedy = `Is the sandbox running at that URL? Start it: npx passport-social-networks-sandbox --port ${port}, or correct the URL.`;
    return { message, remedy, guide: GUIDES.check };
  }
  if (stage === 'proxy') {
    const remedy = `Check the address and the password of the proxy, and whether it allows ${hostname}, port ${port}.`;
    return { message: `no connection${route} (${code})`, remedy, guide };
  }
  return {
    message: `connected${route} (${[...stages].join(', ')}), but no response (${code})`,
    remedy: `Try again later. If it stays so, something between this machine and ${hostname} swallows the requests: a firewall or a proxy.`,
    guide,
  };
}

function proxyHint(route: string): string {
  if (route !== '') return '';
  const isSet = process.env.HTTPS_PROXY ?? process.env.https_proxy;
  return isSet
    ? ' HTTPS_PROXY is set, but a strategy uses only the proxy of its option agent.'
    : ' If requests must go through a proxy, give the strategy an agent.';
}

const UNKNOWN_SIGNER =
  /^(SELF_SIGNED_CERT_IN_CHAIN|DEPTH_ZERO_SELF_SIGNED_CERT|UNABLE_TO_(VERIFY_LEAF_SIGNATURE|GET_ISSUER_CERT(_LOCALLY)?))$/;

function explainTLS(
  code: string,
  chain: readonly PeerCertificate[] = [],
  authorities: readonly KnownAuthority[],
): Advice {
  const signer = signerOf(chain) ?? 'an unknown authority';
  const advice = (problem: string, remedy: string): Advice => ({
    message: `${problem} (${code})`,
    remedy,
    guide: GUIDES.authority,
  });
  if (code === 'CERT_HAS_EXPIRED' || code === 'CERT_NOT_YET_VALID') {
    return advice(
      `the certificate, signed by ${signer}, is not valid now`,
      "Check this machine's clock. If it is right, the host or a proxy in between has to renew its certificate.",
    );
  }
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    return advice(
      `the certificate, signed by ${signer}, is for another name`,
      'Check the address in the options. A page that wants a sign-in, as in a hotel, or a proxy may answer in the place of the network.',
    );
  }
  if (!UNKNOWN_SIGNER.test(code)) {
    return advice(
      'no encrypted connection',
      'Check the address in the options, and whether a proxy or a firewall ends encrypted connections.',
    );
  }
  const issuers = chain.flatMap(({ subject, issuer }) => [subject?.CN, issuer?.CN]);
  const known = authorities.find(({ name }) => issuers.includes(name));
  const message = `the certificate is signed by ${signer}, which Node does not trust`;
  const trust = 'and start Node with NODE_EXTRA_CA_CERTS=<file>, or put it into the option ca of the agent.';
  if (!known) {
    return advice(
      message,
      `If that is your company's authority, save its root certificate as a PEM file ${trust} If you do not know it, someone reads along: ask who runs the network that this machine is in.`,
    );
  }
  // Anyone can give a certificate this name, so the remedy names the fingerprint of the real one.
  const { name, fingerprint, download } = known;
  const sent = chain.find(({ subject }) => subject?.CN === name);
  return advice(
    message,
    sent && sent.fingerprint256 !== fingerprint
      ? `Do not trust it: a certificate of this name was sent, but it is not the root of ${name}, whose SHA-256 fingerprint is ${fingerprint}. Ask who runs the network that this machine is in.`
      : `Download the root certificate of ${name} from ${download} as a PEM file, compare its SHA-256 fingerprint with ${fingerprint}, ${trust}`,
  );
}

/** Seconds from which a clock is wrong. X does not document how far a timestamp may be off; OAuth 1.0a commonly fails from here on. */
const WRONG_CLOCK = 300;

/**
 * Compares this machine's clock with that of the first host that tells the time.
 *
 * @param refusal - What the network said of a timestamp.
 */
export function clockFinding(
  contacts: readonly Contact[],
  protocol: CheckedStrategy['protocol'],
  refusal: Pick<Finding, 'message' | 'evidence'> | undefined,
): Finding {
  const subject = 'clock';
  const found = contacts.find(({ clockAhead }) => clockAhead !== undefined);
  const seconds = Math.round(found?.clockAhead ?? 0);
  const skew = found ? `${skewText(seconds)} that of ${found.url.host}` : 'no host sent its time';
  const advice = {
    subject,
    remedy: "Set this machine's clock, and let it follow a time server (NTP).",
    guide: GUIDES.check,
  };
  if (refusal) return { verdict: 'failed', ...advice, ...refusal, message: `${refusal.message}; ${skew}` };
  if (!found) return { subject, verdict: 'unknown', message: skew };
  if (Math.abs(seconds) < WRONG_CLOCK) return { subject, verdict: 'passed', message: skew };
  if (protocol === 'OAuth 1.0a') {
    return { ...advice, verdict: 'failed', message: `${skew}, and OAuth 1.0a signs the time` };
  }
  const message = `${skew}. OAuth 2.0 sends no time, but certificates and the expiry of tokens depend on it`;
  return { ...advice, verdict: 'unknown', message };
}

/** Completes the sentence "The clock is ... that of HOST". */
function skewText(ahead: number): string {
  const seconds = Math.abs(ahead);
  if (seconds < 2) return 'agrees with';
  const side = ahead > 0 ? 'ahead of' : 'behind';
  if (seconds < 120) return `${seconds} seconds ${side}`;
  if (seconds < 7_200) return `${Math.round(seconds / 60)} minutes ${side}`;
  return `${Math.round(seconds / 3_600)} hours ${side}`;
}
