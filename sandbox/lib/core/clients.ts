/** Options that every strategy takes from the sandbox: credentials of its application, which work nowhere else, and endpoints. */
export interface SandboxOptions {
  readonly clientID: string;
  readonly profileURL: string;
}

/** An application registered with a network: what the network's developer portal would issue. */
export interface Application {
  /** Name on the consent page. */
  readonly name: string;
  readonly id: string;
  /** Missing for a public client. */
  readonly secret?: string;
  readonly serviceToken?: string;
  /** The redirect URIs that are registered; any if it is missing. */
  readonly redirectAddresses?: readonly string[];
}

/** Signature of an OAuth 1.0a request. The parameters are decoded. */
export type Signature = (
  method: string,
  url: string,
  parameters: Readonly<Record<string, string>>,
  clientSecret: string,
  tokenSecret: string,
) => string;

/** What the console's "try a login" sends for a client, besides what every client of its protocol sends. */
export interface TrialRequests {
  /** Name of the client identifier. Default: `client_id`. */
  readonly identifier?: string;
  /** Further parameters of the authorization request. */
  readonly authorization?: Readonly<Record<string, string>>;
  /** Encoding of the code challenge; missing for a protocol without PKCE. */
  readonly challenge?: 'base64url' | 'hex';
  /** Whether the client authenticates by HTTP Basic. Default: in the body. */
  readonly basic?: boolean;
  /** Whether the client secret is never sent. */
  readonly withoutSecret?: boolean;
  /** Signs the requests of OAuth 1.0a; missing for OAuth 2.0. */
  readonly signature?: Signature;
  /** The profile request: with a bearer token, or with the token in a form. */
  readonly profile:
    | { readonly method: 'get'; readonly query: Readonly<Record<string, string>> }
    | { readonly method: 'post' };
}

/** A client that the sandbox has registered with a network, and how to log in with it. */
export interface Client {
  /** Heading in lists of clients, such as `microblog, OAuth 1.0a`. */
  readonly title: string;
  /** The class that takes the options. */
  readonly strategy: string;
  /** Missing if the network has only one. */
  readonly version?: string;
  readonly kind: 'confidential' | 'public';
  readonly trial: TrialRequests;
  readonly options: (url: string) => SandboxOptions;
}

/** The strategy needs a key in place of the secret. A text, because the sandbox does not import the strategies. */
export function addedOptions(options: object): readonly (readonly [name: string, code: string])[] {
  if ('clientSecret' in options) return [];
  return [['store', 'cookieLogins({ secrets: process.env.LOGIN_SECRET })']];
}

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
