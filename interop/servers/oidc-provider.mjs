import Provider from 'oidc-provider';
import { CALLBACK, listen } from '../browser.mjs';
import {
  CLASSIC_SCOPE,
  check2,
  checkClassic,
  logIn2,
  logInClassic,
  microblogRecord,
  refresh,
  revoke,
  SCOPES,
  SPECIAL_SECRET,
  socialNetworkRecord,
  USER,
} from './strategies.mjs';

const SECRET = 'a-secret_of-the-application';
const basic = { clientID: 'basic', clientSecret: SECRET };

/** @type {import('../main.mjs').Server} */
export const oidcProvider = {
  package: 'oidc-provider',
  logins: {
    'MicroblogStrategy, Basic': () => atServer(async (urls) => (await logIn2(urls, basic)).id),
    'MicroblogStrategy, Basic, special characters in the secret': () =>
      atServer(
        async (urls) => (await logIn2(urls, { clientID: 'special', clientSecret: SPECIAL_SECRET })).id,
      ),
    'MicroblogStrategy, public client': () =>
      atServer(async (urls) => (await logIn2(urls, { clientID: 'public' })).id),
    'MicroblogStrategy, refresh': () => atServer((urls) => refresh(urls, basic)),
    'MicroblogStrategy, refresh, public client': () =>
      atServer((urls) => refresh(urls, { clientID: 'public' })),
    'MicroblogStrategy, revoke': () => atServer((urls) => revoke(urls, basic)),
    'SocialNetworkStrategy, secret in the body': () =>
      atServer(({ authorizationURL, tokenURL, profileURL }) =>
        logInClassic(
          { authorizationURL, tokenURL, profileURL: profileURL.replace('/2/users/me', '/method/users.get') },
          { clientID: 'post', clientSecret: SECRET },
        ),
      ),
  },
  checks: {
    'MicroblogStrategy, right secret': () => atServer((urls) => check2(urls, basic)),
    'MicroblogStrategy, wrong secret': () =>
      atServer((urls) => check2(urls, { ...basic, clientSecret: 'WRONG-SECRET' })),
    'MicroblogStrategy, unknown client': () =>
      atServer((urls) => check2(urls, { ...basic, clientID: 'unknown' })),
    'MicroblogStrategy, public client': () => atServer((urls) => check2(urls, { clientID: 'public' })),
    'MicroblogStrategy, unknown public client': () =>
      atServer((urls) => check2(urls, { clientID: 'unknown' })),
    'SocialNetworkStrategy, right secret': () =>
      atServer(({ revocationURL, ...urls }) =>
        checkClassic(urls, { clientID: 'post', clientSecret: SECRET }),
      ),
    'SocialNetworkStrategy, wrong secret': () =>
      atServer(({ revocationURL, ...urls }) =>
        checkClassic(urls, { clientID: 'post', clientSecret: 'WRONG-SECRET' }),
      ),
  },
};

/**
 * Starts a provider. Its user is logged in already and consents to everything.
 *
 * @template T
 * @param {(urls: import('./strategies.mjs').URLs) => Promise<T>} use
 */
async function atServer(use) {
  /** @type {import('node:http').RequestListener | undefined} */
  let handle;
  const { url, close } = await listen((request, response) => handle?.(request, response));
  const shared = {
    redirect_uris: [CALLBACK],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: /** @type {['code']} */ (['code']),
  };
  const provider = new Provider(url, {
    clients: [
      { ...shared, client_id: 'basic', client_secret: SECRET },
      { ...shared, client_id: 'special', client_secret: SPECIAL_SECRET },
      {
        ...shared,
        client_id: 'post',
        client_secret: SECRET,
        token_endpoint_auth_method: 'client_secret_post',
      },
      { ...shared, client_id: 'public', token_endpoint_auth_method: 'none' },
    ],
    cookies: { keys: ['a key of the provider'] },
    features: { devInteractions: { enabled: false }, revocation: { enabled: true } },
    findAccount: (_context, id) => ({ accountId: id, claims: () => ({ sub: id }) }),
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
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
    ttl: {
      AccessToken: 3_600,
      AuthorizationCode: 60,
      Grant: 3_600,
      Interaction: 60,
      RefreshToken: 3_600,
      Session: 3_600,
    },
  });
  provider.use(async (context, next) => {
    if (context.path.startsWith('/interaction/')) {
      await provider.interactionFinished(context.req, context.res, { login: { accountId: USER } });
      context.respond = false;
      return;
    }
    const records = { '/2/users/me': microblogRecord, '/method/users.get': socialNetworkRecord };
    const record = records[/** @type {keyof typeof records} */ (context.path)];
    if (record === undefined) return next();
    const [, token = ''] = context.get('authorization').split(' ');
    const found = await provider.AccessToken.find(token);
    context.status = found?.accountId === USER ? 200 : 401;
    context.body = found ? record : {};
  });
  handle = provider.callback();
  try {
    return await use({
      authorizationURL: `${url}/auth`,
      tokenURL: `${url}/token`,
      profileURL: `${url}/2/users/me`,
      revocationURL: `${url}/token/revocation`,
    });
  } finally {
    close();
  }
}
