import type { Agent } from 'node:http';
import {
  type ClientCredentials,
  checked,
  type LoginSettings,
  type MicroblogOAuth1Strategy,
  type ProtocolFacts,
  randomSecret,
  type ShortVideoStrategy,
  TokenEndpoint,
  Transaction,
} from 'passport-social-networks/internal';

/** A strategy, as it is checked. */
export interface CheckedStrategy {
  readonly protocol: ShownStrategy['protocol'];
  readonly facts: ProtocolFacts;
  readonly settings: LoginSettings;
  readonly credentials: ClientCredentials;
  /** URLs that a login requests, that of `tryCredentials` first. */
  readonly urls: readonly string[];
  /** The application's agent. */
  readonly agent: Agent | undefined;
  /**
   * Sends the first request of a login that has credentials, for a login that nobody began: OAuth 2.0 exchanges a code that the network never
   * issued, OAuth 1.0a requests a request token. An application's own `parseErrorResponse` is left out: it would hide the network's response.
   *
   * @param credentials - The strategy's, or wrong ones to compare.
   * @param redirectURI - An absolute URL. OAuth 1.0a: also `oob`.
   * @throws ProviderError unless the network accepts it.
   */
  tryCredentials(credentials: ClientCredentials, redirectURI: string): Promise<unknown>;
}

/** The strategy as it shows itself; `undefined` for anything but a strategy of the package, of this copy or of another one. */
export function checkedOf(strategy: unknown): CheckedStrategy | undefined {
  const show = (strategy as { [checked]?: () => ShownStrategy } | null | undefined)?.[checked];
  const shown = show?.call(strategy);
  if (!shown) return undefined;
  const { protocol, settings, network, client } = shown;
  const profileURLs = settings.skipUserProfile === true ? [] : network.profileURLs;
  const common = { protocol, facts: network.facts, settings, agent: client.agent };
  if (shown.protocol === 'OAuth 1.0a') {
    const { clientID, clientSecret, requestTokenURL, accessTokenURL } = shown.settings;
    return {
      ...common,
      credentials: { clientID, secret: clientSecret },
      urls: [requestTokenURL, accessTokenURL, ...profileURLs],
      tryCredentials: ({ clientID, secret = '' }, redirectURI) =>
        shown.requestToken(clientID, secret, redirectURI),
    };
  }
  const { clientID, clientSecret, tokenURL } = shown.settings;
  return {
    ...common,
    credentials: { clientID, secret: clientSecret ?? shown.network.secrets?.[0] },
    urls: [tokenURL, ...profileURLs],
    tryCredentials: (credentials, redirectURI) => exchangeInventedCode(shown, credentials, redirectURI),
  };
}

/** What a strategy shows of itself, in either protocol. */
type ShownStrategy = ReturnType<(MicroblogOAuth1Strategy | ShortVideoStrategy)[typeof checked]>;
type ShownOAuth2 = Extract<ShownStrategy, { protocol: 'OAuth 2.0' }>;

async function exchangeInventedCode(
  { settings, network, client, tokenRequest }: ShownOAuth2,
  { clientID, secret }: ClientCredentials,
  redirectURI: string,
): Promise<unknown> {
  const names = ['state', ...network.responseParameters];
  const response = Object.fromEntries(names.map((name) => [name, randomSecret()]));
  response.code = network.facts.inventCode?.(randomSecret()) ?? randomSecret();
  const codeVerifier = network.codeChallenge === 'none' ? undefined : randomSecret();
  const form = { ...tokenRequest(response, codeVerifier, redirectURI) };
  // Where the network has no client secrets, the form has another one.
  for (const [name, value = ''] of Object.entries(form)) {
    if (network.secrets?.includes(value)) form[name] = secret;
  }
  const client_secret = settings.clientSecret === undefined ? undefined : secret;
  const tried = { ...settings, clientID, clientSecret: client_secret };
  // The client ID too: it is a secret if the two were swapped.
  const transaction = new Transaction(clientID, secret);
  return new TokenEndpoint(client, tried, network, undefined).request('token', form, transaction);
}
