import type { Agent } from 'node:http';
import { stringParameters } from '../core/application-code.js';
import { checked } from '../core/checked.js';
import { Transaction } from '../core/http/index.js';
import { randomSecret } from '../core/login/index.js';
import type { OAuth1LoginStrategy, OAuth1Params } from '../core/oauth1/index.js';
import { type OAuth2LoginStrategy, TokenEndpoint } from '../core/oauth2/index.js';

/** What tells the network which application asks. */
export interface Credentials {
  readonly clientID: string;
  /** The client secret, or the service key of a protocol without client secrets; absent for public clients. */
  readonly secret: string | undefined;
}

/** A request that a login sends with its credentials, for a login that nobody began. */
interface CredentialsAttempt {
  readonly credentials: Credentials;
  /** An absolute URL. OAuth 1.0a: also `oob`. */
  readonly callbackURL: string;
  /** An authorization code that the network never issued. OAuth 1.0a has none. */
  readonly code: string;
}

/** A strategy, as the check sees it. */
export interface CheckedStrategy {
  /** The strategy's name. */
  readonly name: string;
  /** Version of the protocol, where one class has several. */
  readonly version?: string | undefined;
  readonly credentials: Credentials;
  /** The option; absolute, or resolved against each request. */
  readonly callbackURL: string;
  /** URLs that a login requests, that of {@link tryCredentials} first. */
  readonly urls: readonly string[];
  /** The application's agent. */
  readonly agent: Agent | undefined;
  /** Milliseconds. */
  readonly timeout: number;
  /**
   * OAuth 2.0: exchanges the code. OAuth 1.0a: requests a request token.
   *
   * @throws {@link ProviderError} unless the network accepts it.
   */
  tryCredentials(attempt: CredentialsAttempt): Promise<void>;
}

type OAuth2Parts = ReturnType<OAuth2LoginStrategy<unknown>[typeof checked]> & { readonly version?: string };
type OAuth1Parts = ReturnType<OAuth1LoginStrategy<unknown, OAuth1Params>[typeof checked]>;
type Checkable = { [checked](): OAuth2Parts | OAuth1Parts };

/** @returns `undefined` for anything but a strategy of this package. */
export function subjectOf(strategy: unknown): CheckedStrategy | undefined {
  if (typeof strategy !== 'object' || strategy === null || !(checked in strategy)) return undefined;
  const parts = (strategy as Checkable)[checked]();
  const { settings, client, urls } = parts;
  const { name, redirectURI, timeout } = settings;
  const callbackURL = redirectURI.configured ?? settings.callbackURL;
  const common = { name, callbackURL, timeout, urls, agent: client.agent };
  return 'network' in parts ? { ...common, ...oauth2(parts) } : { ...common, ...oauth1(parts) };
}

type Own = Pick<CheckedStrategy, 'version' | 'credentials' | 'tryCredentials'>;

function oauth2({ version, settings, network, client, tokenParams }: OAuth2Parts): Own {
  const { clientID, clientSecret } = settings;
  return {
    version,
    credentials: { clientID, secret: clientSecret ?? network.secrets?.[0] },
    async tryCredentials({ credentials, callbackURL, code }) {
      const { clientID: triedID, secret } = credentials;
      const triedSecret = clientSecret === undefined ? undefined : secret;
      const tried = { ...settings, clientID: triedID, clientSecret: triedSecret };
      // An application's own error would hide the network's response.
      const endpoint = new TokenEndpoint(client, tried, network, () => null);
      const names = ['state', ...network.responseParameters];
      const response = Object.fromEntries(names.map((parameter) => [parameter, randomSecret()]));
      const form: Record<string, string> = {
        ...stringParameters(tokenParams()),
        ...network.tokenRequestParameters?.(response),
        grant_type: 'authorization_code',
        code,
        redirect_uri: callbackURL,
        ...(network.codeChallenge !== 'none' && { code_verifier: randomSecret() }),
      };
      for (const [parameter, value] of Object.entries(form)) {
        if (secret !== undefined && network.secrets?.includes(value)) form[parameter] = secret;
      }
      // The client ID too: it is a secret if the two were swapped.
      await endpoint.request('token', form, new Transaction(triedID, secret));
    },
  };
}

function oauth1({ settings, requestToken }: OAuth1Parts): Own {
  const { consumerKey, consumerSecret } = settings;
  return {
    credentials: { clientID: consumerKey, secret: consumerSecret },
    async tryCredentials({ credentials: { clientID, secret = '' }, callbackURL }) {
      const consumer = { consumerKey: clientID, consumerSecret: secret };
      await requestToken(callbackURL, consumer, new Transaction(clientID, secret));
    },
  };
}
