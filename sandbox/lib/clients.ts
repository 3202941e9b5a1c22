/** An application registered with a network: what the network's developer portal would issue. */
export interface Application {
  /** Name on the consent page. */
  readonly name: string;
  readonly id: string;
  /** Missing for a public client. */
  readonly secret?: string;
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

/** A client that the sandbox has registered with a network, and how to log in with it. */
export interface Client {
  /** Heading in lists of clients, such as `microblog, OAuth 1.0a`. */
  readonly title: string;
  /** The class that takes the options. */
  readonly strategy: string;
  /** Missing if the network has only one. */
  readonly version?: string;
  readonly kind: 'confidential' | 'public';
  /** Credentials and URLs, for the sandbox at a URL. */
  readonly options: (url: string) => SandboxOptions;
}

export function confidential({ id, secret }: Required<Application>): Confidential & { clientID: string } {
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
      throw new TypeError(`sandbox.options: unknown combination of network, version and client: ${choice}`);
    };
    // TypeScript cannot check an implementation against signatures that differ in what they return.
    return options as Options;
  };
}
