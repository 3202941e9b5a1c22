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

/** A choice of the version, and of the client that is its default. @inline */
export interface Chosen<V extends string, Kind extends string> extends Version<V> {
  readonly client?: Kind | undefined;
}
