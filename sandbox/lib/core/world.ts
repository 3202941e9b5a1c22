import { picturePath, type SandboxPerson } from './people.js';

/** Options that every strategy takes from the sandbox: credentials of its application, which work nowhere else, and endpoints. */
export interface SandboxOptions {
  readonly clientID: string;
  readonly profileURL: string;
}

/** An application registered with a network: what the network's developer portal would issue. */
export interface Application {
  readonly name: string;
  readonly clientID: string;
  readonly clientSecret?: string;
  readonly serviceToken?: string;
  /** The redirect URIs that are registered; any if it is missing. */
  readonly redirectAddresses?: readonly string[];
}

/** The machine's time plus the time that tests have skipped, so a test can let a code expire without waiting. */
export class Clock {
  private skipped = 0;

  now(): number {
    return Date.now() + this.skipped;
  }

  advance(milliseconds: number): void {
    if (!(milliseconds >= 0) || Number.isNaN(new Date(this.now() + milliseconds).getTime()))
      throw new RangeError('sandbox.advance takes zero or more milliseconds: the clock only moves forward');
    this.skipped += milliseconds;
  }
}

/** The requests of one login, as the console names them: the application, and who decided, or that they declined. */
export interface Login {
  readonly application: string;
  person?: string;
}

/** A user's consent for one application. Codes and tokens refer to it, so ending it ends all of them. */
export interface Grant {
  readonly application: Application;
  readonly person: SandboxPerson;
  readonly scopes: readonly string[];
  readonly login: Login;
  /** Set when the user withdraws the consent, or when a used refresh token comes back, which means that it was stolen. */
  ended: boolean;
}

export interface AuthorizationCode<Consent extends Grant = Grant> {
  readonly grant: Consent;
  /** As the authorization request spelled it: the token request must repeat it exactly. */
  readonly redirectUri: string;
  /** Empty without PKCE. */
  readonly challenge: string;
}

export type LookupResult<T> =
  | { readonly state: 'live' | 'expired' | 'used'; readonly value: T }
  | { readonly state: 'unknown'; readonly value?: undefined };

/** Maximum number of credentials of one kind; the oldest are dropped, so that a long-running sandbox does not grow. */
const CAPACITY = 10_000;

/** Those of one kind that a rehearsal looks for, which reads at most 10 MB and causes a few hundred of each. */
const NEWEST = 2_000;

/** Codes or tokens of one kind, and what each was given out for. */
export class Credentials<T> extends Map<string, { value: T; expiresAt: number; used: boolean }> {
  constructor(private readonly clock: Clock) {
    super();
  }

  /** @param seconds - Default: it does not expire. @returns The credential itself. */
  issue(credential: string, value: T, seconds = Number.POSITIVE_INFINITY): string {
    const [oldest] = this.keys();
    if (this.size >= CAPACITY && oldest !== undefined) this.delete(oldest);
    this.set(credential, { value, expiresAt: this.clock.now() + seconds * 1000, used: false });
    return credential;
  }

  find(credential: string | undefined): LookupResult<T> {
    const entry = this.get(credential ?? '');
    if (!entry) return { state: 'unknown' };
    if (entry.used) return { state: 'used', value: entry.value };
    return { state: entry.expiresAt > this.clock.now() ? 'live' : 'expired', value: entry.value };
  }

  use(credential: string | undefined): LookupResult<T> {
    const found = this.find(credential);
    const entry = this.get(credential ?? '');
    if (entry) entry.used = true;
    return found;
  }
}

export const liveGrant = <T extends object>(found: LookupResult<T>): T | undefined =>
  found.state === 'live' && !('ended' in found.value && found.value.ended) ? found.value : undefined;

const REJECTION_REASONS = {
  unknown: 'is missing, or not one that this sandbox gave out',
  expired: 'has expired',
  used: 'was used before',
  live: 'belongs to another client, or its consent has ended',
} as const;

export const rejectionReason = (name: string, { state }: LookupResult<unknown>): string =>
  `${name} ${REJECTION_REASONS[state]}`;

/** Forms of VK ID's authorization response: one query parameter per value, or all of them in one JSON parameter, `payload`. */
export const VK_ID_CALLBACKS = ['flat', 'payload'] as const;

export type VkIdCallback = (typeof VK_ID_CALLBACKS)[number];

export const MASK = '***';

export class World {
  /** URL of the sandbox, without a slash at its end; empty until the sandbox listens. */
  url = '';
  private readonly issued: Credentials<unknown>[] = [];
  private readonly secrets = new Set<string>();
  private vkIdResponses = 0;

  constructor(
    readonly clock: Clock,
    readonly people: readonly SandboxPerson[],
    private readonly settings: { readonly vkIdCallback?: VkIdCallback | undefined } = {},
    private readonly changed: ReadonlyMap<string, Partial<Application>> = new Map(),
  ) {}

  credentials<T>(): Credentials<T> {
    const credentials = new Credentials<T>(this.clock);
    this.issued.push(credentials as Credentials<unknown>);
    return credentials;
  }

  /** The applications' secrets, and the newest codes and tokens of each kind that were given out. */
  given(): readonly string[] {
    return [...this.secrets, ...this.issued.flatMap((credentials) => [...credentials.keys()].slice(-NEWEST))];
  }

  /** The login to which one of the codes or tokens belongs, even if it is used or expired. */
  loginOf(credentials: readonly string[]): Login | undefined {
    const values = credentials.flatMap((one) => this.issued.map((kind) => Object(kind.find(one).value)));
    return values.map(({ login, grant }) => login ?? grant?.login).find((login) => login !== undefined);
  }

  reset(): void {
    for (const credentials of this.issued) credentials.clear();
    this.vkIdResponses = 0;
  }

  nextVkIdCallback(): VkIdCallback {
    this.vkIdResponses += 1;
    return this.settings.vkIdCallback ?? (this.vkIdResponses % 2 === 0 ? 'payload' : 'flat');
  }

  masked(text: string): string {
    const isSecret = (word: string): boolean =>
      this.secrets.has(word) || this.issued.some((credentials) => credentials.find(word).state !== 'unknown');
    return text.replace(/[^\s"',;&?=<>(){}]+/g, (word) => (isSecret(word) ? MASK : word));
  }

  /** The application as it is registered at this sandbox: the network's, with the changes of the settings. */
  registered<T extends Partial<Application> & Pick<Application, 'clientID'>>(known: T): T & Application {
    const registered = { name: 'Sandbox application', ...known, ...this.changed.get(known.clientID) };
    for (const secret of [registered.clientSecret, registered.serviceToken])
      if (secret) this.secrets.add(secret);
    return registered;
  }

  withCredentials<T extends SandboxOptions>(options: T): T {
    const changed: [string, unknown][] = Object.entries(this.changed.get(options.clientID) ?? {});
    return { ...options, ...Object.fromEntries(changed.filter(([name]) => name in options)) };
  }

  picture(person: SandboxPerson, pixels?: number): string | undefined {
    const path = picturePath(person, pixels);
    return path === undefined ? undefined : `${this.url}${path}`;
  }
}
