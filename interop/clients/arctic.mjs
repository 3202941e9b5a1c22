import { generateCodeVerifier, generateState, TikTok, Twitter, VK } from 'arctic';
import { CALLBACK, consent, LOOPBACK, tiktokUser, vkUser, xUser } from '../browser.mjs';

/** @type {import('../main.mjs').Client} */
export const arctic = {
  package: 'arctic',
  logins: ({ tiktok, x, vk }) => ({
    TikTok: () => logInToTikTok(tiktok, CALLBACK),
    'TikTok, loopback redirect': () => logInToTikTok(tiktok, LOOPBACK),
    'X 2.0': () => logInToX(new Twitter(x.id, x.secret, CALLBACK)),
    'X 2.0, public client': () => logInToX(new Twitter(x.publicId, null, CALLBACK)),
    VK: async () => vkUser(await vkToken(vk), 'https://api.vk.com/method/users.get?v=5.131'),
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
  return tiktokUser(tokens.accessToken());
}

/** @param {Twitter} client */
async function logInToX(client) {
  const verifier = generateCodeVerifier();
  const scopes = ['tweet.read', 'users.read'];
  const response = await consent(client.createAuthorizationURL(generateState(), verifier, scopes));
  const tokens = await client.validateAuthorizationCode(codeIn(response), verifier);
  return xUser(tokens.accessToken(), 'api.twitter.com');
}

/** An access token for VK's API. @param {import('../main.mjs').Application} application */
async function vkToken({ id, secret }) {
  const client = new VK(id, secret, CALLBACK);
  const response = await consent(client.createAuthorizationURL(generateState(), ['email']));
  return (await client.validateAuthorizationCode(codeIn(response))).accessToken();
}

/** @param {URL} response */
const codeIn = (response) => response.searchParams.get('code') ?? '';
