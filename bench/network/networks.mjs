// What the networks say when they behave, to servers and to browsers.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** @typedef {'request token' | 'token' | 'profile'} Step */
/** @typedef {Readonly<{ number: number, name: string }>} Person */
/**
 * `responseParameters`: those of an authorization response that alone are no login; `requires`: what the token request must carry besides the code.
 *
 * @typedef {object} Network
 * @property {'oauth1' | 'oauth2'} protocol
 * @property {Readonly<Partial<Record<Step, string>>>} paths
 * @property {'hex' | 'base64url' | 'none'} pkce - How it wants the challenge; `none`: it refuses one.
 * @property {readonly string[]} responseParameters
 * @property {string} [requires]
 * @property {(token: string, person: Person) => Record<string, unknown>} tokenResponse
 * @property {(person: Person) => object} [profileResponse]
 */

/** The client that is registered with each of them. */
export const CLIENT_ID = 'client-of-the-bench';
export const CLIENT_SECRET = 'canary-client-secret-4f1d';

/** @type {Readonly<Record<string, Person>> & { somebody: Person }} */
export const PEOPLE = {
  somebody: { number: 2244994945, name: 'Somebody' },
  alice: { number: 1001, name: 'Alice Example' },
  eve: { number: 1004, name: 'Eve Example' },
};

let issued = 0;

/** A new code, verifier or token. @param {string} kind @param {string} person - Whose it is. */
export function issue(kind, person) {
  issued += 1;
  return `canary-${kind}-${person}-${issued}`;
}

/** Whose a code, verifier or access token is; nobody's when no network issued it. @param {string | null | undefined} value */
export const ownerOf = (value) => /^canary-(?:code|verifier|access-token)-(.+)-\d+$/.exec(value ?? '')?.[1];

/** The profile response in the network's documentation, with the values of another user. @param {string} folder */
function documented(folder) {
  const path = join(import.meta.dirname, '../../test/exchanges', folder, 'profile.json');
  const text = JSON.stringify(JSON.parse(readFileSync(path, 'utf8')).exchanges.success.response);
  return (/** @type {object} */ user) => {
    const response = JSON.parse(text);
    const { data, response: list, user: own } = response;
    Object.assign(data?.user ?? data ?? list?.[0] ?? own ?? response, user);
    return response;
  };
}
const RECORDS = {
  'short-video': documented('short-video/2'),
  'microblog 2.0': documented('microblog/2.0'),
  'microblog 1.0': documented('microblog/1.0'),
  'social-network': documented('social-network/classic'),
  'VK ID': documented('social-network/vk-id'),
};

/** @type {Readonly<Record<string, Network>>} */
export const NETWORKS = {
  'short-video': {
    protocol: 'oauth2',
    paths: { token: '/short-video/token/', profile: '/short-video/user/' },
    pkce: 'hex',
    responseParameters: ['state', 'scopes'],
    requires: 'client_key',
    tokenResponse: (token, { number }) => ({
      access_token: token,
      expires_in: 86400,
      open_id: `open-id-${number}`,
      refresh_expires_in: 31536000,
      refresh_token: `refresh-of-${token}`,
      scope: 'user.info.basic,user.info.profile,user.info.stats',
      token_type: 'Bearer',
    }),
    profileResponse: ({ number, name }) =>
      RECORDS['short-video']({ open_id: `open-id-${number}`, display_name: name }),
  },
  'microblog 2.0': {
    protocol: 'oauth2',
    paths: { token: '/microblog/token', profile: '/microblog/me' },
    pkce: 'base64url',
    responseParameters: ['state'],
    tokenResponse: (token) => ({
      token_type: 'bearer',
      expires_in: 7200,
      access_token: token,
      scope: 'users.read tweet.read',
    }),
    profileResponse: ({ number, name }) => RECORDS['microblog 2.0']({ id: String(number), name }),
  },
  'microblog 1.0': {
    protocol: 'oauth1',
    paths: {
      'request token': '/microblog/request_token',
      token: '/microblog/access_token',
      profile: '/microblog/verify_credentials.json',
    },
    pkce: 'none',
    responseParameters: ['oauth_verifier'],
    tokenResponse: (token, { number }) => ({
      oauth_token: token,
      oauth_token_secret: secretOf(token),
      user_id: String(number),
      screen_name: 'somebody',
    }),
    profileResponse: ({ number, name }) =>
      RECORDS['microblog 1.0']({ id: number, id_str: String(number), name }),
  },
  'social-network': {
    protocol: 'oauth2',
    paths: { token: '/social-network/access_token', profile: '/social-network/users.get' },
    pkce: 'none',
    responseParameters: ['state'],
    // Without token_type, like the network.
    tokenResponse: (token, { number }) => ({ access_token: token, expires_in: 86400, user_id: number }),
    profileResponse: ({ number, name }) => RECORDS['social-network']({ id: number, first_name: name }),
  },
  'VK ID': {
    protocol: 'oauth2',
    paths: { token: '/vk-id/auth', profile: '/vk-id/user_info' },
    pkce: 'base64url',
    responseParameters: ['state', 'device_id'],
    requires: 'device_id',
    tokenResponse: (token, { number }) => ({
      refresh_token: `refresh-of-${token}`,
      access_token: token,
      token_type: 'Bearer',
      expires_in: 3600,
      user_id: number,
      scope: 'vkid.personal_info',
    }),
    profileResponse: ({ number, name }) => RECORDS['VK ID']({ user_id: String(number), first_name: name }),
  },
  /** Of passport-oauth2, which belongs to no network. */
  plain: {
    protocol: 'oauth2',
    paths: { token: '/plain/token' },
    pkce: 'base64url',
    responseParameters: ['state'],
    tokenResponse: (token, { name }) => ({
      access_token: token,
      refresh_token: `refresh-of-${token}`,
      token_type: 'Bearer',
      expires_in: 7200,
      name,
    }),
  },
};

/** @param {string} token */
export const secretOf = (token) => `secret-of-${token}`;

/** The query of the authorization response to somebody who agrees. @param {Network} network @param {string} location - Where the login was sent. @param {string} [person] @returns {Record<string, string>} */
export function agreeing({ protocol, responseParameters }, location, person = 'somebody') {
  const parameter = (/** @type {RegExp} */ pattern) => decodeURIComponent(pattern.exec(location)?.[1] ?? '');
  if (protocol === 'oauth1')
    return {
      oauth_token: parameter(/[?&]oauth_token=([^&]*)/),
      oauth_verifier: issue('verifier', person),
    };
  const state = parameter(/[?&]state=([^&]*)/);
  return {
    code: issue('code', person),
    ...(state !== '' && { state }),
    ...(responseParameters.includes('device_id') && { device_id: 'DeViCe-0123456789abcdef' }),
  };
}

/** What a path is for. @param {string} path @returns {{ network: Network, step: Step } | undefined} */
export function endpointAt(path) {
  for (const network of Object.values(NETWORKS)) {
    const found = Object.entries(network.paths).find(([, known]) => known === path);
    if (found) return { network, step: /** @type {Step} */ (found[0]) };
  }
  return undefined;
}
