/** Options that every strategy takes from the sandbox: credentials of its application, which work nowhere else, and endpoints. */
export interface SandboxOptions {
  readonly clientID: string;
  readonly profileURL: string;
}

/** An application registered with a network: what the network's developer portal would issue. */
export interface Application {
  readonly name: string;
  readonly id: string;
  readonly secret?: string;
  readonly serviceToken?: string;
  /** The redirect URIs that are registered; any if it is missing. */
  readonly redirectAddresses?: readonly string[];
}

/** What the console's "try a login" sends for a client, besides what every client of its protocol sends. */
export interface TrialRequests {
  readonly identifier?: string;
  readonly authorization?: Readonly<Record<string, string>>;
  readonly challenge?: 'base64url' | 'hex';
  readonly basic?: boolean;
  readonly withoutSecret?: boolean;
  /** Whether the network has a button of its own for it. */
  readonly oneTap?: boolean;
  readonly profile:
    | { readonly method: 'get'; readonly query: Readonly<Record<string, string>> }
    | { readonly method: 'post' };
}

/** A client that the sandbox has registered with a network, and how to log in with it. */
export interface Client {
  /** Heading in lists of clients, such as `microblog, OAuth 1.0a`. */
  readonly title: string;
  readonly version?: string;
  readonly kind: 'confidential' | 'public';
  /** Missing with OAuth 1.0a, which the console does not try. */
  readonly trial?: TrialRequests;
  readonly options: (url: string) => SandboxOptions;
}

/** A text, because the sandbox does not import the strategies. */
const STORE = ['store', 'cookieLogins({ secrets: process.env.LOGIN_SECRET })'] as const;

/** What a strategy needs besides the options: a key in place of the secret. */
export const addedOptions = (options: object): readonly (readonly [name: string, code: string])[] =>
  'clientSecret' in options ? [] : [STORE];

/** Options as code to paste, a line each. The sandbox does not know where the application is. */
export const optionsCode = (options: object, indent: string): string =>
  [...Object.entries(options).map(([name, value]) => [name, `'${String(value)}'`]), ...addedOptions(options)]
    .map(([name, code]) => `${indent}${name}: ${code},\n`)
    .concat(`${indent}baseURL: 'http://127.0.0.1:3000', // where browsers reach your application\n`)
    .join('');

export const confidential = ({ id, secret }: Required<Pick<Application, 'id' | 'secret'>>) => ({
  clientID: id,
  clientSecret: secret,
});

/** The client that a choice means: by default the network's first one, with a version the first one of that version. */
export const clientFor = (
  clients: readonly Client[],
  { version = clients[0]?.version, client }: { readonly version?: unknown; readonly client?: unknown },
): Client | undefined =>
  clients.find((known) => known.version === version && known.kind === (client ?? known.kind));
