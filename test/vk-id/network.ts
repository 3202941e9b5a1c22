import { network, type Reply, type SeenRequest, type TestNetwork } from '../support/server.js';

/** What a network that a test plays says at each of its addresses; each has a usual answer. */
export interface VkIdAnswers {
  readonly token?: (request: SeenRequest) => Reply | Promise<Reply>;
  readonly user?: (request: SeenRequest) => Reply | Promise<Reply>;
  readonly lookup?: (request: SeenRequest) => Reply | Promise<Reply>;
  readonly revocation?: (request: SeenRequest) => Reply | Promise<Reply>;
  readonly logout?: (request: SeenRequest) => Reply | Promise<Reply>;
}

/** VK ID as a test plays it. */
export interface VkIdNetwork extends TestNetwork {
  /** The addresses, for a strategy's options. */
  readonly options: {
    readonly authorizationURL: string;
    readonly tokenURL: string;
    readonly profileURL: string;
    readonly lookupURL: string;
    readonly revocationURL: string;
    readonly logoutURL: string;
  };
}

/** The usual token answer; the identifier is a number. */
export const TOKENS = {
  access_token: 'ACCESS-TOKEN',
  refresh_token: 'REFRESH-TOKEN',
  token_type: 'Bearer',
  expires_in: 3600,
  user_id: 1234567890,
  scope: 'vkid.personal_info',
};

/** The usual person; the identifier is a text. */
export const USER = { user_id: '1234567890', first_name: 'Ivan', last_name: 'Ivanov' };

const USUAL: Required<VkIdAnswers> = {
  token: ({ form }) => ({ body: { ...TOKENS, state: form.get('state') } }),
  user: () => ({ body: { user: USER } }),
  lookup: () => ({ body: { response: [{ id: 1234567890, screen_name: 'ivan_i' }] } }),
  revocation: () => ({ body: { response: 1 } }),
  logout: () => ({ body: { response: 1 } }),
};

/** Starts a network that gives the usual answers, and the test's own where it has some. */
export async function vkIdNetwork(answers: VkIdAnswers = {}): Promise<VkIdNetwork> {
  const { token, user, lookup, revocation, logout } = { ...USUAL, ...answers };
  const paths: Readonly<Record<string, Required<VkIdAnswers>['token']>> = {
    '/oauth2/auth': token,
    '/oauth2/user_info': user,
    '/method/users.get': lookup,
    '/oauth2/revoke': revocation,
    '/oauth2/logout': logout,
  };
  const server = await network((request) => paths[request.path]?.(request) ?? { status: 404 });
  const options = {
    authorizationURL: `${server.url}/authorize`,
    tokenURL: `${server.url}/oauth2/auth`,
    profileURL: `${server.url}/oauth2/user_info`,
    lookupURL: `${server.url}/method/users.get`,
    revocationURL: `${server.url}/oauth2/revoke`,
    logoutURL: `${server.url}/oauth2/logout`,
  };
  return Object.assign(server, { options });
}
