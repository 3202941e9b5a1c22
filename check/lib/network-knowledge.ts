import type { ClientCredentials } from 'passport-social-networks/internal';
import type { Finding } from './report.js';

/** What a network's response to an attempt with the credentials says. */
export type Meaning =
  /** The network does not accept the credentials. */
  | 'client refused'
  /** Only the invented code is wrong. Says nothing about the credentials unless wrong ones get another response. */
  | 'code refused'
  /** The application does not have this callback URL. */
  | 'callback refused'
  /** The timestamp is too far off. */
  | 'clock refused'
  /** The network knows the application, and does not serve it. */
  | 'application closed'
  | 'try later';

/** A response whose meaning is known. */
export interface KnownResponse {
  /** The network's error code; absent: any, or none. */
  readonly code?: string;
  /** How the network's message begins; absent: any message. */
  readonly message?: string;
  readonly means: Meaning;
  /** Completes the sentence "BRAND ..."; needed for what is refused. */
  readonly says?: string;
  readonly remedy?: string;
  /** `documented: <page>` or `observed: <report>`. */
  readonly evidence: string;
}

/** A response to right credentials: only the invented code is wrong. @param message - How the network's message begins. */
export function codeRefused(evidence: string, code: string, message = ''): KnownResponse {
  return { code, message, means: 'code refused', evidence };
}

/** Codes that say nothing about the credentials. */
export function tryLater(evidence: string, ...codes: string[]): KnownResponse[] {
  return codes.map((code) => ({ code, means: 'try later', evidence }));
}

/** An authority that has signed certificates of a network's hosts, and is in no list that Node ships. */
export interface KnownAuthority {
  /** Common name of its root certificate. */
  readonly name: string;
  /** SHA-256 of the root certificate, as Node writes it. */
  readonly fingerprint: string;
  /** Where the root certificate is published. */
  readonly download: string;
}

/** What is known about one protocol of a network. */
export interface NetworkKnowledge {
  /** `X`. */
  readonly brand: string;
  /** Brand and protocol: `X, OAuth 1.0a`. */
  readonly title: string;
  /** OAuth 1.0a signs the time, and each login begins with the request that an attempt sends. */
  readonly protocol: 'OAuth 1.0a' | 'OAuth 2.0';
  /** Where applications are registered. */
  readonly portal: string;
  /** What the network calls the credentials: `client key and client secret`. */
  credentialNames(credentials: ClientCredentials): string;
  /** The first that fits counts. */
  readonly responses: readonly KnownResponse[];
  /** Where it is known from that only right credentials are accepted; absent where no attempt is. */
  readonly acceptance?: string;
  /** The mistake that the form of refused credentials points at. */
  suspicion(credentials: ClientCredentials): string | undefined;
  /** Why credentials are usually refused. */
  usualCauses(credentials: ClientCredentials): readonly string[];
  /** An authorization code in the network's form; absent where there are none. @param random - 43 characters. */
  code?(random: string): string;
  /** A client ID in the network's form that belongs to no application; absent where every client has a secret. @param random - 43 characters. */
  unknownClientID?(random: string): string;
  /** Whether the network accepts such a callback URL. @param written - As it is sent: `url` leaves out a default port. */
  judgeCallback(url: URL, written: string): Pick<Finding, 'verdict' | 'message' | 'remedy'>;
  readonly authorities?: readonly KnownAuthority[];
}
