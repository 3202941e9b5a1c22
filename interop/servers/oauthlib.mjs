import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { CALLBACK } from '../browser.mjs';
import { PYTHON } from '../clients/debian.mjs';
import { check1, logIn1, SPECIAL_SECRET, USER } from './strategies.mjs';

const consumer = { consumerKey: 'consumerKey', consumerSecret: 'consumer-secret' };
const special = { ...consumer, consumerSecret: SPECIAL_SECRET };

/** @type {import('../main.mjs').Server} */
export const oauthlib = {
  package: 'python3-oauthlib',
  isFromDebian: true,
  logins: {
    'MicroblogStrategy, OAuth 1.0a': () => atServer(consumer, (urls) => logIn1(urls, consumer)),
    'MicroblogStrategy, OAuth 1.0a, special characters in the secret': () =>
      atServer(special, (urls) => logIn1(urls, special)),
  },
  checks: {
    'MicroblogStrategy, OAuth 1.0a, right secret': () => atServer(consumer, (urls) => check1(urls, consumer)),
    'MicroblogStrategy, OAuth 1.0a, wrong secret': () =>
      atServer(consumer, (urls) => check1(urls, { ...consumer, consumerSecret: 'WRONG-SECRET' })),
    'MicroblogStrategy, OAuth 1.0a, unknown key': () =>
      atServer(consumer, (urls) => check1(urls, { ...consumer, consumerKey: 'unknown' })),
  },
};

/**
 * Starts a server with one application.
 *
 * @template T
 * @param {import('./strategies.mjs').Credentials1} application
 * @param {(urls: import('./strategies.mjs').URLs1) => Promise<T>} use
 */
async function atServer({ consumerKey: key, consumerSecret: secret }, use) {
  const server = spawn(PYTHON, ['-I', join(import.meta.dirname, 'oauthlib.py')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const record = { id: Number(USER), id_str: USER, name: 'Alice Example', screen_name: 'alice_example' };
  server.stdin.write(`${JSON.stringify({ key, secret, callback: CALLBACK, record })}\n`);
  const [port] = await once(server.stdout, 'data');
  const url = `http://127.0.0.1:${String(port).trim()}`;
  try {
    return await use({
      requestTokenURL: `${url}/request_token`,
      accessTokenURL: `${url}/access_token`,
      userAuthorizationURL: `${url}/authorize`,
      profileURL: `${url}/1.1/account/verify_credentials.json`,
    });
  } finally {
    server.stdin.end();
  }
}
