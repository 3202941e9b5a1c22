import { type MicroblogOAuth2Strategy, MicroblogStrategy } from '../../lib/index.js';
import { network, type Reply, type SeenRequest, type TestNetwork } from '../support/server.js';
import { type AnyFunction, verifyProfile } from '../support/verification.js';

export const TOKEN_ANSWER = {
  token_type: 'bearer',
  expires_in: 7_200,
  access_token: 'the-access-token',
  scope: 'users.read tweet.read',
};

export const USER = { id: '1823456789012345679', name: 'Anna', username: 'anna' };

/** The record of API version 1.1; JavaScript has already rounded its number `id`. */
export const CREDENTIALS_RECORD = {
  id: Number('1823456789012345679'),
  id_str: '1823456789012345679',
  name: 'Anna',
  screen_name: 'anna',
};

const form = (fields: Record<string, string>): Reply => ({
  headers: { 'content-type': 'text/html; charset=utf-8' },
  body: new URLSearchParams(fields).toString(),
});

/** A response, or a function that chooses it. */
export type Replies = Readonly<Record<string, Reply | ((request: SeenRequest) => Reply)>>;

/** A simulated microblog network for both versions; `replies` replaces its responses by path. */
export function microblogNetwork(replies: Replies = {}): Promise<TestNetwork> {
  const usual: Readonly<Record<string, Reply>> = {
    '/token': { body: TOKEN_ANSWER },
    '/profile': { body: { data: USER } },
    '/request_token': form({
      oauth_token: 'the-request-token',
      oauth_token_secret: 'the-request-secret',
      oauth_callback_confirmed: 'true',
    }),
    '/access_token': form({
      oauth_token: 'the-token',
      oauth_token_secret: 'the-token-secret',
      user_id: USER.id,
      screen_name: 'anna',
    }),
    '/credentials': { body: CREDENTIALS_RECORD },
    '/lookup': { body: { data: USER } },
  };
  return network((request) => {
    const reply = replies[request.path] ?? usual[request.path] ?? { status: 404 };
    return typeof reply === 'function' ? reply(request) : reply;
  });
}

/** Options with the OAuth 2.0 URLs of a simulated network. */
export function optionsAt(url: string): Record<string, unknown> {
  return {
    clientID: 'the-client',
    clientSecret: 'the-client_secret',
    authorizationURL: `${url}/authorize`,
    tokenURL: `${url}/token`,
    profileURL: `${url}/profile`,
  };
}

/** Options with the OAuth 1.0a URLs of a simulated network. */
export function oauth1OptionsAt(url: string): Record<string, unknown> {
  return {
    version: '1.0',
    consumerKey: 'the-consumer',
    consumerSecret: 'the-consumer-secret',
    requestTokenURL: `${url}/request_token`,
    accessTokenURL: `${url}/access_token`,
    userAuthorizationURL: `${url}/authenticate`,
    profileURL: `${url}/credentials`,
    lookupURL: `${url}/lookup?x=1`,
  };
}

/** Makes a strategy with any options, including invalid ones. */
export function microblogStrategy(
  options: unknown,
  verify: AnyFunction = verifyProfile,
): MicroblogOAuth2Strategy {
  return new MicroblogStrategy(options as { clientID: string }, verify);
}

/** What comes back from the user in a login over OAuth 1.0a. */
export const OAUTH1_RESPONSE = { oauth_token: 'the-request-token', oauth_verifier: 'the-verifier' };
