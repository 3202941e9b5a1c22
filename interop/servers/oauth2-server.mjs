import OAuth2Server from '@node-oauth/oauth2-server';
import express from 'express';
import { CALLBACK, listen } from '../browser.mjs';
import { listening, RECORDS, server, USER } from './strategies.mjs';

export const oauth2Server = server({ package: '@node-oauth/oauth2-server' }, startOAuth2Server, {
  without: [
    'MicroblogStrategy, refresh, public client',
    'MicroblogStrategy, revoke',
    'MicroblogStrategy, unknown client',
  ],
});

/** @param {import('./strategies.mjs').Application} application */
async function startOAuth2Server(application) {
  const isRequired = application.clientSecret !== undefined;
  const oauth2 = new OAuth2Server({
    model: modelWith(application),
    requireClientAuthentication: { authorization_code: isRequired, refresh_token: isRequired },
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
  const user = { authenticateHandler: { handle: () => ({ id: USER }) } };
  const authorize = served((request, response) => oauth2.authorize(request, response, user));
  app.get('/authorize', authorize);
  const token = served((request, response) => oauth2.token(request, response));
  app.post('/token', token);
  for (const [path, record] of Object.entries(RECORDS)) {
    const show = served(async (request, response) => {
      await oauth2.authenticate(request, response);
      response.body = record;
      return record;
    });
    app.get(path, show);
  }
  return listening(await listen(app), { authorize: 'authorize', revoke: 'revoke' });
}

/**
 * What the server keeps, in memory.
 *
 * @param {import('./strategies.mjs').Application} application
 * @returns {OAuth2Server.AuthorizationCodeModel & OAuth2Server.RefreshTokenModel}
 */
function modelWith({ clientID, clientSecret }) {
  /** @type {Map<string, OAuth2Server.AuthorizationCode>} */
  const codes = new Map();
  /** @type {Map<string, OAuth2Server.Token>} */
  const tokens = new Map();
  const client = { id: clientID, grants: ['authorization_code', 'refresh_token'], redirectUris: [CALLBACK] };
  return {
    getClient: async (id, given) =>
      id === clientID && (given === null || given === undefined || given === clientSecret) ? client : false,
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
