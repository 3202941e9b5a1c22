import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { CALLBACK } from '../browser.mjs';
import { server, USER } from './strategies.mjs';

/** Debian's Python, the only one that finds Debian's packages. */
const PYTHON = '/usr/bin/python3';

const record = { id: Number(USER), id_str: USER, name: 'Alice Example', screen_name: 'alice_example' };

export const oauthlib = server(
  { package: 'python3-oauthlib', isFromDebian: true, needs: PYTHON },
  async ({ clientID: key, clientSecret: secret }) => {
    const python = spawn(PYTHON, ['-I', join(import.meta.dirname, 'oauthlib.py')], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    python.stdin.write(`${JSON.stringify({ key, secret, callback: CALLBACK, record })}\n`);
    const [port] = await once(python.stdout, 'data');
    const url = `http://127.0.0.1:${String(port).trim()}`;
    const urls = {
      requestTokenURL: `${url}/request_token`,
      accessTokenURL: `${url}/access_token`,
      userAuthorizationURL: `${url}/authorize`,
      profileURL: `${url}/1.1/account/verify_credentials.json`,
    };
    return { urls, close: () => python.stdin.end() };
  },
  true,
);
