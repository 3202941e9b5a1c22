// The requests of a microblog 2.0 login by bare node:https, without a strategy: shows how much of the memory of a waiting login is Node's own.
import { createHash, randomBytes } from 'node:crypto';
import https from 'node:https';

export const BARE = 'bare node:https';

/** @param {import('../network/network.mjs').NetworkAddresses} addresses @returns {import('./passport-client.mjs').Client} */
export function bareAtMicroblog({ api }) {
  const agent = new https.Agent({ keepAlive: true });
  return {
    subject: ['microblog 2.0'],
    client: BARE,
    async login() {
      const verifier = randomBytes(32).toString('base64url');
      createHash('sha256').update(verifier).digest('base64url');
      const form = new URLSearchParams({
        grant_type: 'authorization_code',
        code: 'aUthOrIzAtIoN-cOdE',
        redirect_uri: 'https://app.example/callback',
        client_id: 'CLIENT-ID',
        client_secret: 'CLIENT-SECRET',
        code_verifier: verifier,
      });
      const headers = { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' };
      const token = await send(agent, 'POST', `${api}/microblog/token`, headers, form.toString());
      const fields = 'created_at,description,entities,location,profile_image_url,protected,url,verified';
      const profile = await send(agent, 'GET', `${api}/microblog/me?user.fields=${fields}`, {
        authorization: `Bearer ${token.access_token}`,
        accept: 'application/json',
      });
      if (!profile.data.id) throw new Error('the profile has no ID');
    },
  };
}

/**
 * @param {https.Agent} agent
 * @param {string} method
 * @param {string} url
 * @param {Record<string, string>} headers
 * @param {string} [body]
 * @returns {Promise<any>}
 */
function send(agent, method, url, headers, body) {
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
    const request = https.request(url, { method, agent, headers: { ...headers, ...length } });
    request.on('error', reject);
    request.on('response', (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk) => {
        text += chunk;
      });
      response.on('end', () => {
        if (response.statusCode === 200) resolve(JSON.parse(text));
        else reject(new Error(`HTTP ${response.statusCode}`));
      });
    });
    request.end(body);
  });
}
