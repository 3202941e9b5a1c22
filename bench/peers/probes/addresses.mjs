import { Browser, told } from '../browser.mjs';
import { send } from '../fake-network.mjs';
import { CLIENT_ID, CLIENT_SECRET } from '../subjects.mjs';
import { fail, notApplicable, pass } from '../verdicts.mjs';
import { oauth2Only, refused } from './rule.mjs';

/** @typedef {import('./rule.mjs').Rule} Rule */

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
