import { createRequire } from 'node:module';
import express from 'express';
import session from 'express-session';
import { Browser, ORIGIN, serve, textAt } from '../browser.mjs';

/** @type {typeof import('grant').default} */
const grant = createRequire(import.meta.url)('grant');

/** @type {import('grant').GrantProvider} */
const X2 = {
  scope: ['tweet.read', 'users.read'],
  pkce: true,
  token_endpoint_auth_method: 'client_secret_basic',
  response: ['tokens', 'profile'],
};

/** @type {import('../main.mjs').Client} */
export const grantClient = {
  package: 'grant',
  logins: ({ tiktok, x, xConsumer, vk }) => ({
    TikTok: () => logIn('tiktok', tiktok, { scope: ['user.info.basic'] }, 'raw', 'open_id'),
    'X 2.0': () => logIn('twitter2', x, X2, 'profile', 'data', 'id'),
    'X 1.0a': () => logIn('twitter', xConsumer, {}, 'raw', 'user_id'),
    VK: () => logIn('vk', vk, { scope: ['email'] }, 'raw', 'user_id'),
  }),
};

/** @param {string} provider @param {import('../main.mjs').Application} application @param {import('grant').GrantProvider} config @param {string[]} path - Where the ID is in grant's response. */
async function logIn(provider, { id: key, secret }, config, ...path) {
  const app = express();
  app.use(session({ secret: 'grant', saveUninitialized: true, resave: false }));
  app.use(
    grant.express({
      defaults: {
        origin: ORIGIN,
        transport: 'session',
        state: true,
        callback: '/hello',
        response: ['tokens', 'raw'],
      },
      [provider]: { key, secret, ...config },
    }),
  );
  app.get('/hello', (request, response) => {
    response.json(
      /** @type {import('grant').GrantSession} */ (Reflect.get(request.session, 'grant')).response,
    );
  });
  return serve(app, async (application) => {
    const response = await new Browser(application).open(`/connect/${provider}`);
    const text = await response.text();
    if (response.status !== 200) throw new Error(text);
    const body = JSON.parse(text);
    if (body.error !== undefined) throw new Error(JSON.stringify(body.error));
    return textAt(body, ...path);
  });
}
