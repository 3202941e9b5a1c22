import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { CALLBACK } from '../browser.mjs';
import { PYTHON } from '../clients/debian.mjs';
import { logIn1, USER } from './strategies.mjs';

/** @type {import('../main.mjs').Server} */
export const oauthlib = {
  package: 'python3-oauthlib',
  isFromDebian: true,
  logins: {
    'MicroblogStrategy, OAuth 1.0a': () => logIn({ key: 'consumerKey', secret: 'consumer-secret' }),
    'MicroblogStrategy, OAuth 1.0a, special characters in the secret': () =>
      logIn({ key: 'consumerKey', secret: "s:e%c+r/e=t&'()*!~-_." }),
  },
};

/** @param {{ key: string, secret: string }} consumer */
async function logIn({ key, secret }) {
  const server = spawn(PYTHON, ['-I', join(import.meta.dirname, 'oauthlib.py')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const record = { id: Number(USER), id_str: USER, name: 'Alice Example', screen_name: 'alice_example' };
  server.stdin.write(`${JSON.stringify({ key, secret, callback: CALLBACK, record })}\n`);
  const [port] = await once(server.stdout, 'data');
  const url = `http://127.0.0.1:${String(port).trim()}`;
  try {
    const urls = {
      requestTokenURL: `${url}/request_token`,
      accessTokenURL: `${url}/access_token`,
      userAuthorizationURL: `${url}/authorize`,
      profileURL: `${url}/1.1/account/verify_credentials.json`,
    };
    return await logIn1(urls, { consumerKey: key, consumerSecret: secret });
  } finally {
    server.stdin.end();
  }
}
