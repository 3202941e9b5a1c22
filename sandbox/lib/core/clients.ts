/** An application registered with a network: what the network's developer portal would issue. */
export interface Application {
  /** Name on the consent page. */
  readonly name: string;
  readonly id: string;
  /** Missing for a public client. */
  readonly secret?: string;
  /** For a network that issues one. */
  readonly serviceToken?: string;
  /** The redirect URIs that are registered; any if it is missing. */
  readonly redirectAddresses?: readonly string[];
}

/** Name of the sandbox's applications. */
export const APPLICATION_NAME = 'Sandbox application';

/** Protocol version and kind of client for `sandbox.options()`. */
export interface SandboxChoice {
  /** `1.0` or `2.0` at microblog, `2.0` or `2.1` at social-network. Default: the strategy's own default. */
  readonly version?: string;
  /** Default: `confidential`, but `public` for VK ID. */
  readonly client?: 'confidential' | 'public';
}

/** Options that every strategy takes from the sandbox. */
export interface SandboxOptions {
  /** Client identifier of the sandbox's application. */
  readonly clientID: string;
  /** Endpoint of the user's record. */
  readonly profileURL: string;
}

export interface Confidential {
  /** Client secret of the sandbox's application; it works nowhere else. */
  readonly clientSecret: string;
}

export interface OAuth2URLs {
  /** Authorization endpoint. */
  readonly authorizationURL: string;
  /** Token endpoint. */
  readonly tokenURL: string;
}

export interface Revocable {
  /** Revocation endpoint. */
  readonly revocationURL: string;
}

/** @inline */
export interface Version<V extends string> {
  /** Selects the protocol. */
  readonly version: V;
}

/** What the console's "try a login" sends for a client, besides what every OAuth 2.0 client sends. OAuth 1.0a needs nothing more. */
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
  /** Credentials and URLs, for the sandbox at a URL. */
  readonly options: (url: string) => SandboxOptions;
}

/**
 * What an application adds to the options of a client without a secret: the strategy would make a key from the secret. A text, because the
 * sandbox does not import the strategies.
 *
 * @returns Nothing for a client with a secret.
 */
export function addedOptions(options: object): readonly (readonly [name: string, code: string])[] {
  if ('clientSecret' in options) return [];
  return [['store', 'cookieLogins({ secrets: process.env.LOGIN_SECRET })']];
}

/** The calls of `sandbox.options()` that a network has. */
function callsFor(network: string, clients: readonly Client[]): string {
  return clients
    .map(({ version, kind }) => {
      const client = clients.some((other) => other.version === version && other.kind !== kind);
      const choice = [version && `version: '${version}'`, client && `client: '${kind}'`].filter(Boolean);
      return `('${network}'${choice.length > 0 ? `, { ${choice.join(', ')} }` : ''})`;
    })
    .join(', ');
}

export function confidential({
  id,
  secret,
}: Required<Pick<Application, 'id' | 'secret'>>): Confidential & { clientID: string } {
  return { clientID: id, clientSecret: secret };
}

/**
 * Makes a network's part of `sandbox.options()`. Without a choice, the network's first client is taken; with a version, the first client
 * of that version.
 *
 * @typeParam Options - Its call signatures.
 */
export function optionsOf<Options>(network: string, clients: readonly Client[]): (url: string) => Options {
  return (url) => {
    const options = (_network: string, { version, client: kind }: SandboxChoice = {}): SandboxOptions => {
      const [first] = clients;
      const found = clients.find(
        (client) => client.version === (version ?? first?.version) && client.kind === (kind ?? client.kind),
      );
      if (found) return { ...found.options(url), ...(version !== undefined && { version }) };
      const choice = [network, version, kind].filter((part) => part !== undefined).join(' ');
      throw new TypeError(
        `sandbox.options: unknown combination of network, version and client: ${choice}. There are ${callsFor(network, clients)}.`,
      );
    };
    // TypeScript cannot check an implementation against signatures that differ in what they return.
    return options as Options;
  };
}
