import { network, type Reply, type SeenRequest, type TestNetwork } from '../../support/server.js';

/** The responses of a simulated network at each of its URLs; each has a default. */
export interface VkIdResponses {
  readonly token?: (request: SeenRequest) => Reply | Promise<Reply>;
  readonly user?: (request: SeenRequest) => Reply | Promise<Reply>;
  readonly lookup?: (request: SeenRequest) => Reply | Promise<Reply>;
  readonly revocation?: (request: SeenRequest) => Reply | Promise<Reply>;
  readonly logout?: (request: SeenRequest) => Reply | Promise<Reply>;
}

/** VK ID, simulated by a test. */
export interface VkIdNetwork extends TestNetwork {
  /** URL options for a strategy. */
  readonly options: {
    readonly authorizationURL: string;
    readonly tokenURL: string;
    readonly profileURL: string;
    readonly lookupURL: string;
    readonly revocationURL: string;
    readonly logoutURL: string;
  };
}

/** The default token response; its ID is a number. */
export const TOKENS = {
  access_token: 'ACCESS-TOKEN',
  refresh_token: 'REFRESH-TOKEN',
  token_type: 'Bearer',
  expires_in: 3600,
  user_id: 1234567890,
  scope: 'vkid.personal_info',
};

/** The default user; the ID is a string. */
export const USER = { user_id: '1234567890', first_name: 'Ivan', last_name: 'Ivanov' };

const USUAL: Required<VkIdResponses> = {
  token: ({ form }) => ({ body: { ...TOKENS, state: form.get('state') } }),
  user: () => ({ body: { user: USER } }),
  lookup: () => ({ body: { response: [{ id: 1234567890, screen_name: 'ivan_i' }] } }),
  revocation: () => ({ body: { response: 1 } }),
  logout: () => ({ body: { response: 1 } }),
};

/** Starts a network with the test's responses, or with the default ones. */
export async function vkIdNetwork(responses: VkIdResponses = {}): Promise<VkIdNetwork> {
  const { token, user, lookup, revocation, logout } = { ...USUAL, ...responses };
  const paths: Readonly<Record<string, Required<VkIdResponses>['token']>> = {
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
