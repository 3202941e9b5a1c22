import { Browser, told } from '../browser.mjs';
import { send } from '../fake-network.mjs';
import { CLIENT_ID, CLIENT_SECRET } from '../subjects.mjs';
import { fail, notApplicable, pass } from '../verdicts.mjs';
import { oauth2Only, refused } from './rule.mjs';

/**
 * @typedef {import('./rule.mjs').Rule} Rule
 * @typedef {import('../world.mjs').World} World
 */

/** @type {readonly Rule[]} */
export const ADDRESSES = [
  {
    id: 'T1',
    question:
      'Given plain-http addresses of another machine, does it refuse before anything is sent there in the clear?',
    async ask(world) {
      const reason = await world.start({ host: 'network.test', mayRefuse: true });
      if (reason) return pass(reason);
      const browser = new Browser();
      const address = world.oauth1 ? world.at('/login') : world.callback(await world.begin(browser));
      const answer = await browser.get(address);
      const sent = world.network.calls.map(({ step }) => step);
      return sent.length === 0 ? pass(told(answer)) : fail(`sent in the clear: ${sent.join(', ')}`);
    },
  },
  {
    id: 'T3',
    question:
      'With a relative `callbackURL`: is `X-Forwarded-Host` ignored without a trusted proxy, and when it does not come from the trusted one?',
    async ask(world) {
      for (const [name, trusted] of [
        ['no proxy trusted', undefined],
        ['10.0.0.1 trusted, header from 127.0.0.1', '10.0.0.1'],
      ]) {
        const settings = { options: { callbackURL: '/callback' } };
        await world.start({ ...settings, ...(trusted !== undefined && { trusted }) });
        const headers = { 'x-forwarded-host': 'evil.example' };
        const { back } = await world.begin(new Browser(), { headers });
        if (back.includes('evil.example')) return fail(`${name}: sent ${back}`);
      }
      return pass('its own host, both times');
    },
  },
  {
    id: 'S8',
    question:
      'With a relative `callbackURL`: are `X-Forwarded-Host` and `-Proto` believed from the proxy that Express trusts and from nobody else, and a list of hosts from neither?',
    async ask(world) {
      const options = { callbackURL: '/callback' };
      for (const [name, trusted, headers, wanted] of FORWARDED) {
        await world.start({ options, ...(trusted !== undefined && { trusted }) });
        const back = await beginFrom(world, headers);
        const own = new URL(`http://${headers.host ?? new URL(world.application.url).host}/callback`).href;
        const allowed = wanted ?? [own, REFUSED];
        if (!allowed.includes(back)) return fail(`${name}: ${back}`);
      }
      return pass('believed from the trusted proxy only');
    },
  },
  {
    id: 'T18',
    question:
      'The application requests an API with the strategy’s own client (`_oauth2.get`): is the token sent to this machine, but not in the clear to another one?',
    unless: ({ oauth1 }) =>
      oauth1 ? 'RFC 5849 allows signed requests in the clear: they do not show the secret' : undefined,
    async ask(world) {
      await world.start();
      await world.mustLogIn();
      const token = world.network.issue('access-token', 'alice');
      for (const [host, isSafe] of /** @type {const} */ ([
        ['127.0.0.1', true],
        ['network.test', false],
      ])) {
        const before = world.network.calls.length;
        await world.application.requestAPI(`http://${host}:${world.network.port}/api`, token);
        const sent = world.network.calls
          .slice(before)
          .some(({ url, headers, body }) => `${url} ${headers.authorization} ${body}`.includes(token));
        if (sent !== isSafe) return fail(isSafe ? 'not even sent to this machine' : 'sent in the clear');
      }
      return pass('sent to this machine only');
    },
  },
  {
    id: 'T4',
    question:
      'Is a redirect (301, 302, 303, 307, 308) by the network never followed to another server, and no login?',
    async ask(world) {
      const stranger = await world.stranger();
      await world.start();
      await world.mustLogIn();
      for (const status of [302, 307, 301, 303, 308]) {
        for (const step of /** @type {const} */ (['request token', 'token', 'profile'])) {
          if (!world.facts.paths[step]) continue;
          world.network.behave();
          world.network.always(step, (response, { url }) => {
            response.setHeader('location', `${stranger.url}${url}`);
            send(response, '<html>Moved</html>', 'text/html', status);
          });
          const answer =
            step === 'request token' ? await new Browser().get(world.at('/login')) : await world.login();
          const [followed] = stranger.calls;
          if (followed) {
            const carried = followed.headers.authorization ? ' with credentials' : '';
            return fail(`${status} at the ${step} request: followed to another server${carried}`);
          }
          if (!refused(answer)) return fail(`${status} at the ${step} request: ${told(answer)}`);
        }
      }
      return pass('never followed');
    },
  },
  {
    id: 'T11',
    question:
      'In a whole login, is every address free of tokens, of the secret, the verifier and the spent code?',
    async ask(world) {
      await world.start();
      await world.mustLogIn();
      const verifier = world.network.callsOf('token').at(-1)?.form.get('code_verifier') ?? '';
      const secrets = [
        'canary-access-token',
        'canary-code',
        'canary-verifier',
        CLIENT_SECRET,
        verifier,
      ].filter(Boolean);
      for (const { step, url } of world.network.calls) {
        const found = secrets.find((secret) => url.includes(secret));
        if (found) return fail(`${step} request: ${found} in ${url.slice(0, 120)}`);
      }
      return pass(`${world.network.calls.length} addresses`);
    },
  },
  {
    id: 'T12',
    question:
      'Does the token request prove the client in one way only, and does a public client (where the package has them) send no empty secret?',
    unless: oauth2Only,
    async ask(world) {
      const ways = [];
      for (const variant of /** @type {const} */ (['safest', 'public'])) {
        if (!world.subject.variants[variant]) continue;
        await world.start({ variant });
        await world.login();
        const call = world.network.callsOf('token').at(-1);
        if (!call) return notApplicable('no token request');
        const secret = call.form.getAll('client_secret');
        const basic = call.headers.authorization !== undefined;
        if (secret.includes('')) return fail(`${variant} client: an empty client_secret`);
        if (basic && secret.length > 0) return fail(`${variant} client: Basic and the secret in the body`);
        if (secret.length > 1 || call.url.includes('secret'))
          return fail(`${variant} client: the secret more than once`);
        ways.push(basic ? 'Basic' : secret.length > 0 ? 'the body' : `${CLIENT_ID} alone`);
      }
      return pass(ways.join('; public: '));
    },
  },
];

/** What a request that was refused has in the place of a callback address. */
const REFUSED = 'refused';

/**
 * Who sends which headers. Last, the callback addresses that are right; by default the one that the `Host` header names, and a refusal.
 * Requests come from 127.0.0.1.
 *
 * @type {readonly (readonly [name: string, trusted: string | undefined, headers: Record<string, string>, wanted?: readonly string[]])[]}
 */
const FORWARDED = [
  [
    'from the trusted proxy',
    '127.0.0.1',
    { 'x-forwarded-host': 'app.example', 'x-forwarded-proto': 'https' },
    ['https://app.example/callback'],
  ],
  ['no proxy trusted', undefined, { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' }],
  [
    'no proxy trusted, `Host: app.example:`',
    undefined,
    { host: 'app.example:', 'x-forwarded-host': 'evil.example' },
  ],
  ['another proxy trusted', '10.0.0.1', { 'x-forwarded-proto': 'https' }],
  [
    'a list from the trusted proxy',
    '127.0.0.1',
    { 'x-forwarded-host': 'evil.example, app.example' },
    ['http://app.example/callback', REFUSED],
  ],
];

/** Begins a login. @param {World} world @param {Record<string, string>} headers @returns Where the network would send the browser back. */
async function beginFrom(world, headers) {
  const answer = await new Browser().get(world.at('/login'), { headers });
  if (answer.outcome !== 'redirect') return REFUSED;
  if (world.oauth1) return String(world.network.callsOf('request token').at(-1)?.signed.oauth_callback);
  return String(new URL(answer.location).searchParams.get('redirect_uri'));
}
