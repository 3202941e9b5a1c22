import { createServer } from 'node:http';
import Provider from 'oidc-provider';
import { CALLBACK, listen } from '../browser.mjs';
import { APPLICATIONS, CLASSIC_SCOPE, RECORDS, SCOPES, server, USER } from './strategies.mjs';

export const oidcProvider = server({ package: 'oidc-provider' }, start);

/** How the token endpoint recognizes an application, where it is not HTTP Basic. */
const AUTHENTICATION = { post: 'client_secret_post', public: 'none' };

/** Of what it stores, for an hour. */
const KINDS = ['AccessToken', 'AuthorizationCode', 'Grant', 'Interaction', 'RefreshToken', 'Session'];

/** Its user is logged in already. */
async function start() {
  const listening = createServer();
  const { url, close } = await listen(listening);
  const provider = new Provider(url, {
    clients: Object.values(APPLICATIONS).map(({ clientID, clientSecret }) => ({
      client_id: clientID,
      redirect_uris: [CALLBACK],
      grant_types: ['authorization_code', 'refresh_token'],
      ...(clientSecret !== undefined && { client_secret: clientSecret }),
      token_endpoint_auth_method: AUTHENTICATION[clientID] ?? 'client_secret_basic',
    })),
    cookies: { keys: ['a key of the provider'] },
    features: { devInteractions: { enabled: false }, revocation: { enabled: true } },
    findAccount: (_context, id) => ({ accountId: id, claims: () => ({ sub: id }) }),
    issueRefreshToken: (_context, client, { scopes }) =>
      client.grantTypeAllowed('refresh_token') && scopes.has('offline.access'),
    // VK's classic protocol has no PKCE.
    pkce: { required: (_context, { clientId }) => clientId !== 'post' },
    scopes: [...SCOPES, CLASSIC_SCOPE],
    async loadExistingGrant({ oidc }) {
      const { client, session } = oidc;
      if (client === undefined || session?.accountId === undefined) return undefined;
      const grant = new oidc.provider.Grant({ clientId: client.clientId, accountId: session.accountId });
      grant.addOIDCScope([...SCOPES, CLASSIC_SCOPE].join(' '));
      await grant.save();
      return grant;
    },
    ttl: Object.fromEntries(KINDS.map((kind) => [kind, 3_600])),
  });
  provider.use(async (context, next) => {
    if (context.path.startsWith('/interaction/')) {
      await provider.interactionFinished(context.req, context.res, { login: { accountId: USER } });
      context.respond = false;
      return;
    }
    const record = RECORDS[context.path];
    if (record === undefined) return next();
    const [, token = ''] = context.get('authorization').split(' ');
    const found = await provider.AccessToken.find(token);
    context.status = found?.accountId === USER ? 200 : 401;
    context.body = found ? record : {};
  });
  listening.on('request', provider.callback());
  const urls = {
    authorizationURL: `${url}/auth`,
    tokenURL: `${url}/token`,
    profileURL: `${url}/2/users/me`,
    revocationURL: `${url}/token/revocation`,
  };
  return { urls, close };
}
