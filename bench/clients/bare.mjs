// The requests of a microblog 2.0 login by bare node:https, without a strategy: shows how much of the memory of a waiting login is Node's own.
import { createHash, randomBytes } from 'node:crypto';
import https from 'node:https';
import { json } from 'node:stream/consumers';

export const BARE = 'bare node:https';
const accept = 'application/json';

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
      const body = form.toString();
      const length = { 'content-length': Buffer.byteLength(body) };
      const headers = { 'content-type': 'application/x-www-form-urlencoded', accept, ...length };
      const token = await send(`${api}/microblog/token`, { method: 'POST', agent, headers }, body);
      const fields = 'created_at,description,entities,location,profile_image_url,protected,url,verified';
      const authorization = `Bearer ${token.access_token}`;
      const url = `${api}/microblog/me?user.fields=${fields}`;
      const profile = await send(url, { agent, headers: { authorization, accept } });
      if (!profile.data.id) throw new Error('the profile has no ID');
    },
  };
}

/** @param {string} url @param {https.RequestOptions} options @param {string} [body] @returns {Promise<any>} */
function send(url, options, body) {
  return new Promise((resolve, reject) => {
    const request = https.request(url, options, (response) => {
      if (response.statusCode === 200) json(response).then(resolve, reject);
      else reject(new Error(`HTTP ${response.statusCode}`));
    });
    request.on('error', reject).end(body);
  });
}
