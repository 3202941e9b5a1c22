import { SocialNetworkStrategy } from '../../lib/index.js';
import { network, type Reply, type TestNetwork } from '../support/server.js';
import { type AnyFunction, verifyProfile } from '../support/verification.js';

export const TOKEN_ANSWER = { access_token: 'the-access-token', expires_in: 86_400, user_id: 743784474 };

export const USER = {
  id: 743784474,
  first_name: 'Анна',
  last_name: 'Примерова',
  can_access_closed: true,
  is_closed: false,
  photo_100: 'https://n.example/photo.jpg',
};

/** A simulated social network with the classic protocol; `replies` replaces its responses by path. */
export function socialNetwork(replies: Readonly<Record<string, Reply>> = {}): Promise<TestNetwork> {
  const usual: Readonly<Record<string, Reply>> = {
    '/access_token': { body: TOKEN_ANSWER },
    '/users.get': { body: { response: [USER] } },
  };
  return network(({ path }) => replies[path] ?? usual[path] ?? { status: 404 });
}

/** Options with the three URLs of a simulated network. */
export function optionsAt(url: string): Record<string, unknown> {
  return {
    clientID: '51000001',
    clientSecret: 'the-protected-key',
    authorizationURL: `${url}/authorize`,
    tokenURL: `${url}/access_token`,
    profileURL: `${url}/users.get`,
  };
}

/** Makes a strategy with any options, including invalid ones. */
export function socialNetworkStrategy(
  options: unknown,
  verify: AnyFunction = verifyProfile,
): SocialNetworkStrategy {
  return new SocialNetworkStrategy(options as never, verify);
}
