import OAuth2Server from '@node-oauth/oauth2-server';
import express from 'express';
import { CALLBACK, listen } from '../browser.mjs';
import {
  check2,
  checkClassic,
  logIn2,
  logInClassic,
  microblogRecord,
  refresh,
  SPECIAL_SECRET,
  socialNetworkRecord,
  USER,
} from './strategies.mjs';

const SECRET = 'a-secret_of-the-application';

/** @type {import('../main.mjs').Server} */
export const oauth2Server = {
  package: '@node-oauth/oauth2-server',
  logins: {
    'MicroblogStrategy, Basic': () =>
      atServer(
        SECRET,
        async (urls) => (await logIn2(urls, { clientID: 'application', clientSecret: SECRET })).id,
      ),
    'MicroblogStrategy, Basic, special characters in the secret': () =>
      atServer(
        SPECIAL_SECRET,
        async (urls) => (await logIn2(urls, { clientID: 'application', clientSecret: SPECIAL_SECRET })).id,
      ),
    'MicroblogStrategy, public client': () =>
      atServer(undefined, async (urls) => (await logIn2(urls, { clientID: 'application' })).id),
    'MicroblogStrategy, refresh': () =>
      atServer(SECRET, (urls) => refresh(urls, { clientID: 'application', clientSecret: SECRET })),
    'SocialNetworkStrategy, secret in the body': () =>
      atServer(SECRET, ({ authorizationURL, tokenURL, profileURL }) =>
        logInClassic(
          { authorizationURL, tokenURL, profileURL: profileURL.replace('/2/users/me', '/method/users.get') },
          { clientID: 'application', clientSecret: SECRET },
        ),
      ),
  },
  checks: {
    'MicroblogStrategy, right secret': () =>
      atServer(SECRET, (urls) => check2(urls, { clientID: 'application', clientSecret: SECRET })),
    'MicroblogStrategy, wrong secret': () =>
      atServer(SECRET, (urls) => check2(urls, { clientID: 'application', clientSecret: 'WRONG-SECRET' })),
    'MicroblogStrategy, public client': () =>
      atServer(undefined, (urls) => check2(urls, { clientID: 'application' })),
    'MicroblogStrategy, unknown public client': () =>
      atServer(undefined, (urls) => check2(urls, { clientID: 'unknown' })),
    'SocialNetworkStrategy, right secret': () =>
      atServer(SECRET, ({ revocationURL, ...urls }) =>
        checkClassic(urls, { clientID: 'application', clientSecret: SECRET }),
      ),
    'SocialNetworkStrategy, wrong secret': () =>
      atServer(SECRET, ({ revocationURL, ...urls }) =>
        checkClassic(urls, { clientID: 'application', clientSecret: 'WRONG-SECRET' }),
      ),
  },
};

/**
 * Starts a server with one application. Its user consents to everything.
 *
 * @template T
 * @param {string | undefined} secret - `undefined` for a public client.
 * @param {(urls: import('./strategies.mjs').URLs) => Promise<T>} use
 */
async function atServer(secret, use) {
  const server = new OAuth2Server({
    model: modelWith(secret),
    requireClientAuthentication: {
      authorization_code: secret !== undefined,
      refresh_token: secret !== undefined,
    },
  });
  const app = express();
  app.use(express.urlencoded({ extended: false }));
  /** @param {(request: OAuth2Server.Request, response: OAuth2Server.Response) => Promise<object>} handle @returns {import('express').RequestHandler} */
  const served = (handle) => async (request, response) => {
    const answer = new OAuth2Server.Response(response);
    try {
      await handle(new OAuth2Server.Request(request), answer);
      response
        .status(answer.status ?? 200)
        .set(answer.headers)
        .send(answer.body);
    } catch (error) {
      const { code, name, message } = /** @type {OAuth2Server.OAuthError} */ (error);
      response.status(code).json({ error: name, error_description: message });
    }
  };
  app.get(
    '/authorize',
    served((request, response) =>
      server.authorize(request, response, { authenticateHandler: { handle: () => ({ id: USER }) } }),
    ),
  );
  app.post(
    '/token',
    served((request, response) => server.token(request, response)),
  );
  for (const [path, record] of /** @type {const} */ ([
    ['/2/users/me', microblogRecord],
    ['/method/users.get', socialNetworkRecord],
  ])) {
    app.get(
      path,
      served(async (request, response) => {
        await server.authenticate(request, response);
        response.body = record;
        return record;
      }),
    );
  }
  const { url, close } = await listen(app);
  try {
    return await use({
      authorizationURL: `${url}/authorize`,
      tokenURL: `${url}/token`,
      profileURL: `${url}/2/users/me`,
      revocationURL: `${url}/revoke`,
    });
  } finally {
    close();
  }
}

/**
 * What the server keeps, in memory.
 *
 * @param {string | undefined} secret
 * @returns {OAuth2Server.AuthorizationCodeModel & OAuth2Server.RefreshTokenModel}
 */
function modelWith(secret) {
  /** @type {Map<string, OAuth2Server.AuthorizationCode>} */
  const codes = new Map();
  /** @type {Map<string, OAuth2Server.Token>} */
  const tokens = new Map();
  const client = {
    id: 'application',
    grants: ['authorization_code', 'refresh_token'],
    redirectUris: [CALLBACK],
  };
  return {
    getClient: async (id, given) =>
      id === client.id && (given === null || given === undefined || given === secret) ? client : false,
    validateScope: async (_user, _client, scope) => scope ?? [],
    async saveAuthorizationCode(code, of, user) {
      const saved = { ...code, client: of, user };
      codes.set(code.authorizationCode, saved);
      return saved;
    },
    getAuthorizationCode: async (code) => codes.get(code),
    revokeAuthorizationCode: async ({ authorizationCode }) => codes.delete(authorizationCode),
    async saveToken(token, of, user) {
      const saved = { ...token, client: of, user };
      tokens.set(token.accessToken, saved);
      tokens.set(token.refreshToken ?? '', saved);
      return saved;
    },
    getAccessToken: async (token) => tokens.get(token),
    getRefreshToken: async (token) =>
      /** @type {OAuth2Server.RefreshToken | undefined} */ (tokens.get(token)),
    revokeToken: async ({ refreshToken }) => tokens.delete(refreshToken),
  };
}
