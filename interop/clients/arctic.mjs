import { generateCodeVerifier, generateState, TikTok, Twitter, VK } from 'arctic';
import { CALLBACK, consent, LOOPBACK } from '../browser.mjs';
import { getJSON, textAt } from '../http.mjs';

/** @type {import('../main.mjs').Client} */
export const arctic = {
  package: 'arctic',
  logins: ({ tiktok, x, vk }) => ({
    TikTok: () => logInToTikTok(tiktok, CALLBACK),
    'TikTok, loopback redirect': () => logInToTikTok(tiktok, LOOPBACK),
    'X 2.0': () => logInToX(new Twitter(x.id, x.secret, CALLBACK)),
    'X 2.0, public client': () => logInToX(new Twitter(x.publicId, null, CALLBACK)),
    async VK() {
      const token = await vkToken(vk);
      return textAt(await getJSON('https://api.vk.com/method/users.get?v=5.131', token), 'response', 0, 'id');
    },
  }),
};

/** @param {import('../main.mjs').Application} application @param {string} callback */
async function logInToTikTok({ id, secret }, callback) {
  const client = new TikTok(id, secret, callback);
  const verifier = generateCodeVerifier();
  const response = await consent(
    client.createAuthorizationURL(generateState(), verifier, ['user.info.basic']),
  );
  const tokens = await client.validateAuthorizationCode(codeIn(response), verifier);
  const url = 'https://open.tiktokapis.com/v2/user/info/?fields=open_id,avatar_url,display_name';
  return textAt(await getJSON(url, tokens.accessToken()), 'data', 'user', 'open_id');
}

/** @param {Twitter} client */
async function logInToX(client) {
  const verifier = generateCodeVerifier();
  const scopes = ['tweet.read', 'users.read'];
  const response = await consent(client.createAuthorizationURL(generateState(), verifier, scopes));
  const tokens = await client.validateAuthorizationCode(codeIn(response), verifier);
  return textAt(await getJSON('https://api.twitter.com/2/users/me', tokens.accessToken()), 'data', 'id');
}

/**
 * An access token for VK's API.
 *
 * @param {import('../main.mjs').Application} application
 */
export async function vkToken({ id, secret }) {
  const client = new VK(id, secret, CALLBACK);
  const response = await consent(client.createAuthorizationURL(generateState(), ['email']));
  return (await client.validateAuthorizationCode(codeIn(response))).accessToken();
}

/** @param {URL} response */
const codeIn = (response) => response.searchParams.get('code') ?? '';
