import { ShortVideoStrategy } from '../../lib/index.js';
import { network, type Reply, type TestNetwork } from '../support/server.js';
import { type AnyFunction, verifyProfile } from '../support/verification.js';

export const TOKEN_ANSWER = {
  access_token: 'act.the-access-token!4608',
  expires_in: 7_200,
  open_id: 'the-open-id',
  refresh_expires_in: 15_552_000,
  refresh_token: 'rft.the-refresh-token!4608',
  scope: 'user.info.basic',
  token_type: 'Bearer',
};

export const USER = { open_id: 'the-open-id', display_name: 'Anna', avatar_url: 'https://n.example/a.jpg' };

/** A simulated short-video network; `replies` replaces its responses by path. */
export function shortVideoNetwork(replies: Readonly<Record<string, Reply>> = {}): Promise<TestNetwork> {
  const usual: Readonly<Record<string, Reply>> = {
    '/token': { body: TOKEN_ANSWER },
    '/profile': { body: { data: { user: USER }, error: { code: 'ok', message: '', log_id: 'L' } } },
  };
  return network(({ path }) => replies[path] ?? usual[path] ?? { status: 404 });
}

/** Options with the three URLs of a simulated network. */
export function optionsAt(url: string): Record<string, unknown> {
  return {
    clientID: 'the-client-key',
    clientSecret: 'the-client-secret',
    authorizationURL: `${url}/authorize`,
    tokenURL: `${url}/token`,
    profileURL: `${url}/profile`,
  };
}

/** Makes a strategy with any options, including invalid ones. */
export function shortVideoStrategy(
  options: unknown,
  verify: AnyFunction = verifyProfile,
): ShortVideoStrategy {
  return new ShortVideoStrategy(options as never, verify);
}
