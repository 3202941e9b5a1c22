import { ExampleOAuth1Strategy, exampleOAuth1Answers } from './example-oauth1.js';
import { ExampleStrategy, exampleAnswers } from './example-oauth2.js';
import type { NamedStrategy } from './login-app.js';
import { network, type TestNetwork } from './server.js';

// biome-ignore lint/suspicious/noExplicitAny: verify functions take any arguments.
type AnyFunction = (...args: any[]) => unknown;

/** A protocol, with a strategy for a network that follows it. */
export interface ExampleProtocol {
  readonly network: () => Promise<TestNetwork>;
  readonly strategy: (url: string, verify: AnyFunction, options?: object) => NamedStrategy;
  /** The query of the authorization response to an authorization request. */
  readonly response: (authorization: string) => string;
  /** An authorization response that belongs to no login. */
  readonly forged: string;
  /** The name of the hook that adds parameters to the authorization request. */
  readonly hook: string;
}

export const EXAMPLE_PROTOCOLS: Readonly<Record<string, ExampleProtocol>> = {
  'OAuth 2': {
    network: () => network(exampleAnswers()),
    strategy: (...args) => new ExampleStrategy(...args),
    response: (authorization) => `code=c&state=${parameter(authorization, 'state')}`,
    forged: 'code=c&state=forged',
    hook: 'authorizationParams',
  },
  'OAuth 1.0a': {
    network: () => network(exampleOAuth1Answers()),
    strategy: (...args) => new ExampleOAuth1Strategy(...args) as NamedStrategy,
    response: (authorization) => `oauth_verifier=v&oauth_token=${parameter(authorization, 'oauth_token')}`,
    forged: 'oauth_verifier=v&oauth_token=forged',
    hook: 'userAuthorizationParams',
  },
};

function parameter(url: string, name: string): string {
  return new URL(url).searchParams.get(name) ?? '';
}
