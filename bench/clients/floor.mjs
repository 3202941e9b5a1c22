// The floor: the requests that a login cannot do without, by bare node:https with a keep-alive agent. No strategy, no
// state, no checks: nothing that speaks these protocols over node:https can cost less.
import { createHash, createHmac, randomBytes } from 'node:crypto';
import https from 'node:https';

export const FLOOR = 'floor: bare node:https';

const REDIRECT = 'https://app.example/callback';
const CLIENT = { client_id: 'CLIENT-ID', client_secret: 'CLIENT-SECRET' };
const CODE = { grant_type: 'authorization_code', code: 'aUthOrIzAtIoN-cOdE', redirect_uri: REDIRECT };

/**
 * @param {https.Agent} agent
 * @param {string} method
 * @param {string} url
 * @param {Record<string, string>} headers
 * @param {string} [body]
 * @returns {Promise<string>}
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
      response.on('end', () =>
        response.statusCode === 200 ? resolve(text) : reject(new Error(`HTTP ${response.statusCode}`)),
      );
    });
    request.end(body);
  });
}

const FORM = { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' };

/**
 * @param {https.Agent} agent
 * @param {string} url
 * @param {Record<string, string>} members
 */
async function post(agent, url, members) {
  return JSON.parse(await send(agent, 'POST', url, FORM, new URLSearchParams(members).toString()));
}

/**
 * @param {https.Agent} agent
 * @param {string} url
 * @param {string} token
 */
async function get(agent, url, token) {
  return JSON.parse(
    await send(agent, 'GET', url, { authorization: `Bearer ${token}`, accept: 'application/json' }),
  );
}

/** @param {Record<string, string>} members @param {string} url @param {string} method @param {string} tokenSecret */
function sign(members, url, method, tokenSecret) {
  const signed = {
    ...members,
    oauth_consumer_key: 'CLIENT-ID',
    oauth_nonce: randomBytes(16).toString('hex'),
    oauth_signature_method: 'HMAC-SHA1',
    oauth_timestamp: String(Math.floor(Date.now() / 1_000)),
    oauth_version: '1.0',
  };
  const { origin, pathname, searchParams } = new URL(url);
  const pairs = [...Object.entries(signed), ...searchParams].map(
    ([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`,
  );
  const parts = [method, origin + pathname, pairs.sort().join('&')].map(encodeURIComponent);
  const signature = createHmac('sha1', `CLIENT-SECRET&${tokenSecret}`)
    .update(parts.join('&'))
    .digest('base64');
  const header = Object.entries({ ...signed, oauth_signature: signature }).map(
    ([name, value]) => `${name}="${encodeURIComponent(value)}"`,
  );
  return { authorization: `OAuth ${header.join(', ')}` };
}

/** @param {https.Agent} agent @param {string} api */
async function oauth1Login(agent, api) {
  const request = `${api}/microblog/request_token`;
  const access = `${api}/microblog/access_token`;
  const profile = `${api}/microblog/verify_credentials.json?skip_status=true&include_entities=false`;
  const started = new URLSearchParams(
    await send(agent, 'POST', request, {
      ...sign({ oauth_callback: REDIRECT }, request, 'POST', ''),
      'content-length': '0',
    }),
  );
  const given = { oauth_token: started.get('oauth_token') ?? '', oauth_verifier: 'vErIfIeR-0123456789' };
  const signed = sign(given, access, 'POST', started.get('oauth_token_secret') ?? '');
  const token = new URLSearchParams(await send(agent, 'POST', access, { ...signed, 'content-length': '0' }));
  const owner = { oauth_token: token.get('oauth_token') ?? '' };
  const header = sign(owner, profile, 'GET', token.get('oauth_token_secret') ?? '');
  return JSON.parse(await send(agent, 'GET', profile, header)).id_str;
}

/** A proof of possession, as a login with PKCE has to make one. */
function proof() {
  const verifier = randomBytes(32).toString('base64url');
  createHash('sha256').update(verifier).digest('base64url');
  return { code_verifier: verifier };
}

/**
 * @param {import('../network/processes.mjs').NetworkAddresses} addresses
 * @returns {import('./passport-client.mjs').Client[]}
 */
export function floor({ token, api }) {
  const agent = new https.Agent({ keepAlive: true });
  /** @type {Record<string, () => Promise<unknown>>} */
  const logins = {
    async 'short-video'() {
      const form = { ...CODE, ...proof(), client_key: 'CLIENT-ID', client_secret: 'CLIENT-SECRET' };
      const { access_token } = await post(agent, `${api}/short-video/token/`, form);
      const fields = 'open_id,union_id,display_name,avatar_url,avatar_url_100,avatar_large_url';
      return (await get(agent, `${api}/short-video/user/?fields=${fields}`, access_token)).data.user.open_id;
    },
    async 'microblog 2.0'() {
      const { access_token } = await post(agent, `${api}/microblog/token`, {
        ...CODE,
        ...CLIENT,
        ...proof(),
      });
      const fields = 'created_at,description,entities,location,profile_image_url,protected,url,verified';
      return (await get(agent, `${api}/microblog/me?user.fields=${fields}`, access_token)).data.id;
    },
    'microblog 1.0': () => oauth1Login(agent, api),
    async 'social-network'() {
      const { access_token } = await post(agent, `${token}/social-network/access_token?v=5.126`, {
        ...CODE,
        ...CLIENT,
      });
      const { response } = await get(
        agent,
        `${api}/social-network/users.get?fields=photo_100&v=5.126`,
        access_token,
      );
      return response[0].id;
    },
    async 'VK ID'() {
      const form = { ...CODE, ...proof(), client_id: 'CLIENT-ID', device_id: 'DeViCe-0123456789abcdef' };
      const { access_token } = await post(agent, `${token}/vk-id/auth`, form);
      const { user } = await post(agent, `${token}/vk-id/user_info`, {
        client_id: 'CLIENT-ID',
        access_token,
      });
      return user.user_id;
    },
    async 'VK ID with profileFields'() {
      const form = { ...CODE, ...proof(), client_id: 'CLIENT-ID', device_id: 'DeViCe-0123456789abcdef' };
      const { access_token } = await post(agent, `${token}/vk-id/auth`, form);
      const [{ user }] = await Promise.all([
        post(agent, `${token}/vk-id/user_info`, { client_id: 'CLIENT-ID', access_token }),
        lookUp(agent, `${api}/social-network/users.get`, access_token),
      ]);
      return user.user_id;
    },
  };
  return Object.entries(logins).map(([network, run]) => ({
    name: FLOOR,
    network,
    async login() {
      if (!(await run())) throw new Error('no identifier');
    },
  }));
}

/** @param {https.Agent} agent @param {string} url @param {string} token */
async function lookUp(agent, url, token) {
  const headers = { ...FORM, authorization: `Bearer ${token}` };
  return JSON.parse(await send(agent, 'POST', url, headers, 'fields=screen_name&v=5.199'));
}
