import { betterAuth } from 'better-auth';
import { Browser, consent, ORIGIN } from '../browser.mjs';

/** @type {import('../main.mjs').Client} */
export const betterAuthClient = {
  package: 'better-auth',
  logins: ({ tiktok, x, vkId }) => ({
    TikTok: () => logIn('tiktok', { tiktok: { clientKey: tiktok.id, clientSecret: tiktok.secret } }),
    'X 2.0': () => logIn('twitter', { twitter: { clientId: x.id, clientSecret: x.secret } }),
    // Its guide passes a client secret, although VK ID has none.
    'VK ID': () => logIn('vk', { vk: { clientId: vkId.id, clientSecret: 'the protected key' } }),
  }),
};

/** @param {string} provider @param {import('better-auth').BetterAuthOptions['socialProviders']} socialProviders */
async function logIn(provider, socialProviders) {
  let failure = '';
  const auth = betterAuth({
    baseURL: ORIGIN,
    secret: 'a secret of the application, of 32 characters',
    socialProviders: socialProviders ?? {},
    logger: {
      log(_level, message) {
        failure = message;
      },
    },
    telemetry: { enabled: false },
  });
  const browser = new Browser(async (request) =>
    new URL(request.url).pathname.startsWith('/api/auth/') ? auth.handler(request) : new Response('home'),
  );
  const started = await browser.open('/api/auth/sign-in/social', {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: ORIGIN },
    body: JSON.stringify({ provider, callbackURL: '/home' }),
  });
  const { url } = await started.json();
  await browser.open(await consent(url));
  const accounts = await (await browser.open('/api/auth/list-accounts')).json();
  if (!Array.isArray(accounts)) throw new Error(failure || 'no session');
  return String(accounts[0].accountId);
}
