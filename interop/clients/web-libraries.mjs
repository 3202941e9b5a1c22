import { Auth } from '@auth/core';
import TikTok from '@auth/core/providers/tiktok';
import Twitter from '@auth/core/providers/twitter';
import VK from '@auth/core/providers/vk';
import { betterAuth } from 'better-auth';
import { Browser, consent, ORIGIN, PERSON } from '../browser.mjs';

/** As both name them. */
const keys = ({ id: clientId, secret: clientSecret }) => ({ clientId, clientSecret });

export const authCore = {
  package: '@auth/core',
  logins: ({ tiktok, x, vk }) => ({
    TikTok: () => logIn(TikTok(keys(tiktok))),
    'X 2.0': () => logIn(Twitter(keys(x))),
    VK: () => logIn(VK(keys(vk))),
    'VK, `checks: ["state"]`': () => logIn({ ...VK(keys(vk)), checks: ['state'] }),
  }),
};

async function logIn(provider) {
  let id = '';
  let failure;
  const config = {
    providers: [provider],
    secret: 'a secret of the application',
    basePath: '/auth',
    trustHost: true,
    logger: {
      error(error) {
        failure = error;
      },
      warn: () => undefined,
    },
    events: {
      signIn({ account }) {
        id = String(account?.providerAccountId);
      },
    },
  };
  const browser = new Browser(async (request) =>
    new URL(request.url).pathname === '/' ? new Response('home') : Auth(request, config),
  );
  const { csrfToken } = await (await browser.open('/auth/csrf')).json();
  const body = new URLSearchParams({ csrfToken, callbackUrl: ORIGIN }).toString();
  await browser.open(`/auth/signin/${provider.id}`, { method: 'POST', body });
  if (failure) throw failure;
  return id;
}

export const betterAuthClient = {
  package: 'better-auth',
  logins: ({ tiktok: { id: clientKey, secret: clientSecret }, x, vkId }) => ({
    TikTok: () => logInWithBetterAuth('tiktok', { clientKey, clientSecret }),
    'X 2.0': () => logInWithBetterAuth('twitter', keys(x)),
    // Its guide passes a client secret, although VK ID has none.
    'VK ID': () => logInWithBetterAuth('vk', keys({ ...vkId, secret: 'the protected key' })),
  }),
};

const logInWithBetterAuth = async (provider, credentials) =>
  String((await betterAuthAccounts(provider, credentials, [PERSON]))[0].accountId);

/** The accounts of the last one who logs in, at one application. */
export async function betterAuthAccounts(provider, credentials, people) {
  let failure = '';
  const auth = betterAuth({
    baseURL: ORIGIN,
    secret: 'a secret of the application, of 32 characters',
    socialProviders: { [provider]: credentials },
    logger: {
      log(_level, message) {
        failure = message;
      },
    },
    telemetry: { enabled: false },
  });
  let accounts;
  for (const person of people) {
    const browser = new Browser(async (request) =>
      new URL(request.url).pathname.startsWith('/api/auth/') ? auth.handler(request) : new Response('home'),
    );
    const started = await browser.open('/api/auth/sign-in/social', {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: ORIGIN },
      body: JSON.stringify({ provider, callbackURL: '/home' }),
    });
    const { url } = await started.json();
    await browser.open(await consent(url, person));
    accounts = await (await browser.open('/api/auth/list-accounts')).json();
    if (!Array.isArray(accounts)) throw new Error(failure || 'no session');
  }
  return accounts;
}
