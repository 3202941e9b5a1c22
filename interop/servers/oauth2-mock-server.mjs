import { OAuth2Server } from 'oauth2-mock-server';
import { logIn2, microblogRecord } from './strategies.mjs';

/** @type {import('../main.mjs').Server} */
export const oauth2MockServer = {
  package: 'oauth2-mock-server',
  logins: {
    'MicroblogStrategy, Basic': () =>
      logIn({ clientID: 'application', clientSecret: 'a-secret_of-the-application' }),
    'MicroblogStrategy, public client': () => logIn({ clientID: 'application' }),
  },
};

/** @param {import('./strategies.mjs').Credentials} credentials */
async function logIn(credentials) {
  const server = new OAuth2Server();
  await server.issuer.keys.generate('RS256');
  await server.start(0, '127.0.0.1');
  server.service.on('beforeUserinfo', (response) => {
    response.body = microblogRecord;
  });
  const { url = '' } = server.issuer;
  try {
    const urls = {
      authorizationURL: `${url}/authorize`,
      tokenURL: `${url}/token`,
      profileURL: `${url}/userinfo`,
      revocationURL: `${url}/revoke`,
    };
    return (await logIn2(urls, credentials)).id;
  } finally {
    await server.stop();
  }
}
