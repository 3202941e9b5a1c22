import type { AnySandboxOptions, Sandbox, SandboxNetwork, SandboxPerson } from '../../sandbox/lib/index.js';
import type { Exchange } from '../exchanges/exchange.js';
import type { NamedStrategy } from './login-app.js';

/** What the shared tests need to know about a network. The network's folder exports it, and `contract/strategies.ts` lists it. */
export interface NetworkDefinition {
  /** The name under which its strategies register with Passport. */
  readonly name: SandboxNetwork;
  readonly identify: (person: SandboxPerson) => string;
  /** One row for each protocol that the network speaks. */
  readonly subjects: readonly SubjectDefinition[];
}

export type SubjectDefinition = OAuth1Definition | OAuth2Definition;

interface CommonDefinition {
  /** The name under which the package exports the strategy class. */
  readonly name: string;
  /** The strategy's option `version`, if it is not the default. */
  readonly version?: string;
  readonly options: (sandbox: Sandbox) => AnySandboxOptions;
  /** Another exported class, which the constructor makes, and the sandbox's options for it. */
  readonly makes?: { readonly name: string; readonly options: (sandbox: Sandbox) => AnySandboxOptions };
  readonly table: object;
  /** Options with which a login requests as much as it can. */
  readonly everything: object;
  /** The user's e-mail address; absent if the network has none. */
  readonly email?: {
    /** The scope of a login that asks for it. OAuth 1.0a has no scopes. */
    readonly scope?: string;
    /** Set if the network documents that it verifies the address. */
    readonly verified?: true;
  };
  readonly identity: IdentityDefinition;
  readonly faults: FaultDefinition;
  /** The sandbox's people whom the network does not log in, with the code of the failure. @default none */
  readonly unusable?: Readonly<Record<string, string>>;
  /** How often a profile request that gets 502, 503 or 504 is retried. */
  readonly retries: number;
  readonly exchanges: ExchangeDefinition;
}

export interface OAuth1Definition extends CommonDefinition {
  readonly oauth: '1.0a';
}

export interface OAuth2Definition extends CommonDefinition {
  readonly oauth: '2.0';
  /** The page of its own to which the network wants users sent, and what the request has besides the standard parameters. */
  readonly authorization: {
    readonly url: string;
    /** @default client_id */
    readonly clientParameter?: string;
    readonly parameters?: object;
  };
  /** The default scope; `null` if the authorization request has none. */
  readonly scope: string | null;
  /** How the code challenge is encoded; `none` if the network rejects PKCE. */
  readonly challenge: 'hex' | 'base64url' | 'none';
  readonly tokenType: boolean;
  /** Parameters of the authorization response besides the standard ones: documented, or seen. */
  readonly responseParameters: readonly string[];
  /** Each kind of client, and its exact token request. */
  readonly clients: readonly ClientDefinition[];
  readonly refreshTokens?: RefreshTokenDefinition;
}

/** Where the network says who the user is. */
export interface IdentityDefinition {
  /** The JSON of a profile response with this ID, which is itself JSON; `undefined` leaves it out. */
  readonly record: (id: string | undefined) => string;
  /** 9007199254740993, which a JavaScript number cannot hold, in the JSON type of the ID. */
  readonly large: string;
  /** The field of the token response that names the user; absent if the response names nobody. */
  readonly tokenField?: string;
  /** Further JSON that is no ID, at this network. @default none */
  readonly none?: readonly string[];
}

/** The sandbox's endpoints that a login requests from the server side, as faults name them. */
export interface FaultDefinition {
  /** The protocol version, for a network that has two. */
  readonly version?: string;
  readonly token: string;
  readonly profile: string;
}

/** The parts of a token request that differ from login to login, as encoded in the body. */
export interface TokenRequestValues {
  readonly code: string;
  readonly redirect: string;
  readonly verifier: string;
  readonly device: string;
  readonly state: string;
}

export interface ClientDefinition {
  /** A sentence, as a test title. */
  readonly title: string;
  readonly options: Readonly<Record<string, unknown>>;
  readonly body: (values: TokenRequestValues) => string;
  readonly authorization?: string;
}

export interface RefreshTokenDefinition {
  readonly clients: readonly RefreshingClientDefinition[];
  /** The device ID that `refresh` needs, for a network that a test simulates. */
  readonly device?: string;
  /** The name of the token in a revocation. */
  readonly revokes: string;
  /** The network's error for a refresh token that was already used. */
  readonly spent: NetworkError;
  /** The network's error for an access token that is no longer valid. */
  readonly ended: NetworkError;
}

export interface RefreshingClientDefinition {
  readonly title?: string;
  /** Credentials and URLs of the sandbox, with a scope that includes a refresh token. */
  readonly options: (sandbox: Sandbox) => AnySandboxOptions;
  /** Credentials for a network that a test simulates. */
  readonly credentials: object;
}

export interface NetworkError {
  readonly networkCode: string;
  readonly networkMessage: string;
}

/** How to run the logins of the network's exchanges, and the calls after them. */
export interface ExchangeDefinition {
  /** The folder in `exchanges/<network>/`. */
  readonly folder: string;
  /** The fixed values, as listed in the README. */
  readonly options: Readonly<Record<string, unknown>>;
  /** The parameters of the authorization response, besides the state or request token. */
  readonly callback: Readonly<Record<string, string>>;
  /** The fields that the strategy adds to the token response. @default none */
  readonly addedParams?: Readonly<Record<string, string>>;
  /** The exchange of a login whose response identifies the user; its body is `_raw`. @default the last one */
  readonly profileOf?: (login: readonly Exchange[]) => Exchange;
  /** What verify gets as `_json`. @param record - What the exchange names. @default that, or the response of the last exchange */
  readonly recordOf?: (login: readonly Exchange[], record: object | undefined) => unknown;
  /** The calls after a login, with the fixed values. */
  readonly calls: Readonly<Record<string, (strategy: AfterLogin) => Promise<unknown>>>;
}

/** The methods that an application can call after a login; each strategy has some of them. */
export type AfterLogin = NamedStrategy &
  Readonly<Record<'refresh' | 'revoke' | 'logout', (token: string, second?: string) => Promise<unknown>>>;
