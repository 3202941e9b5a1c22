import { OAuth2Server } from 'oauth2-mock-server';
import { check2, logIn2, microblogRecord } from './strategies.mjs';

const confidential = { clientID: 'application', clientSecret: 'a-secret_of-the-application' };

/** @type {import('../main.mjs').Server} */
export const oauth2MockServer = {
  package: 'oauth2-mock-server',
  logins: {
    'MicroblogStrategy, Basic': () => atServer(async (urls) => (await logIn2(urls, confidential)).id),
    'MicroblogStrategy, public client': () =>
      atServer(async (urls) => (await logIn2(urls, { clientID: 'application' })).id),
  },
  checks: {
    'MicroblogStrategy, any secret': () => atServer((urls) => check2(urls, confidential)),
    'MicroblogStrategy, public client': () => atServer((urls) => check2(urls, { clientID: 'application' })),
  },
};

/**
 * Starts a server that accepts every client and every code.
 *
 * @template T
 * @param {(urls: import('./strategies.mjs').URLs) => Promise<T>} use
 */
async function atServer(use) {
  const server = new OAuth2Server();
  await server.issuer.keys.generate('RS256');
  await server.start(0, '127.0.0.1');
  server.service.on('beforeUserinfo', (response) => {
    response.body = microblogRecord;
  });
  const { url = '' } = server.issuer;
  try {
    return await use({
      authorizationURL: `${url}/authorize`,
      tokenURL: `${url}/token`,
      profileURL: `${url}/userinfo`,
      revocationURL: `${url}/revoke`,
    });
  } finally {
    await server.stop();
  }
}
