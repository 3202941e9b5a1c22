import { generateCodeVerifier, generateState, TikTok, Twitter, VK } from 'arctic';
import { CALLBACK, consent, tiktokUser, vkUser, xUser } from '../browser.mjs';

/** The redirect URI of a program on the user's machine. */
const LOOPBACK = 'http://127.0.0.1:3000/callback';
const X_SCOPE = ['tweet.read', 'users.read'];
/** X and VK moved, but it has their former hosts. */
const formerXUser = (token) => xUser(token, 'api.twitter.com');
const formerVKUser = (token) => vkUser(token, 'https://api.vk.com/method/users.get?v=5.131');

export const arctic = {
  package: 'arctic',
  logins: ({ tiktok: { id, secret }, x, vk }) => ({
    TikTok: () => logIn(new TikTok(id, secret, CALLBACK), ['user.info.basic'], tiktokUser),
    'TikTok, loopback redirect': () =>
      logIn(new TikTok(id, secret, LOOPBACK), ['user.info.basic'], tiktokUser),
    'X 2.0': () => logIn(new Twitter(x.id, x.secret, CALLBACK), X_SCOPE, formerXUser),
    'X 2.0, public client': () => logIn(new Twitter(x.publicId, null, CALLBACK), X_SCOPE, formerXUser),
    VK: () => logIn(new VK(vk.id, vk.secret, CALLBACK), ['email'], formerVKUser, []),
  }),
};

async function logIn(client, scopes, userOf, verifier = [generateCodeVerifier()]) {
  const response = await consent(client.createAuthorizationURL(generateState(), ...verifier, scopes));
  const code = response.searchParams.get('code');
  return userOf((await client.validateAuthorizationCode(code, ...verifier)).accessToken());
}
