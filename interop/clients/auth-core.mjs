import { Auth } from '@auth/core';
import TikTok from '@auth/core/providers/tiktok';
import Twitter from '@auth/core/providers/twitter';
import VK from '@auth/core/providers/vk';
import { Browser, ORIGIN } from '../browser.mjs';

/** @type {import('../main.mjs').Client} */
export const authCore = {
  package: '@auth/core',
  logins: ({ tiktok, x, vk }) => ({
    TikTok: () => logIn(TikTok({ clientId: tiktok.id, clientSecret: tiktok.secret })),
    'X 2.0': () => logIn(Twitter({ clientId: x.id, clientSecret: x.secret })),
    VK: () => logIn(VK({ clientId: vk.id, clientSecret: vk.secret })),
    'VK, `checks: ["state"]`': () =>
      logIn({ ...VK({ clientId: vk.id, clientSecret: vk.secret }), checks: ['state'] }),
  }),
};

/** @param {import('@auth/core/providers').Provider & { id: string }} provider */
async function logIn(provider) {
  let id = '';
  /** @type {Error | undefined} */
  let failure;
  /** @type {import('@auth/core').AuthConfig} */
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
      debug: () => undefined,
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
  await browser.open(`/auth/signin/${provider.id}`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ csrfToken, callbackUrl: ORIGIN }).toString(),
  });
  if (failure) throw failure;
  return id;
}
