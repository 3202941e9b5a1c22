// Questions about requests to the network and its responses: the rules T1 to T15.
import { setTimeout as delay } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { Browser, NoAnswer } from '../clients/browser.mjs';
import { CLIENT_SECRET, encoded, isForm, personNamed, SOMEBODY } from '../network/networks.mjs';
import { failing, Stub, send, usual } from '../network/stub.mjs';
import { isRefused, told } from './world.mjs';

/** @typedef {import('./world.mjs').World} World */
/** @typedef {import('./callbacks.mjs').Questions} Questions */

const SIXTEEN_MEGABYTES = 16 * 1024 * 1024;
/** Milliseconds, more than the longest deadline that a subject has by default, 10 s. */
const LONG_PATIENCE = 12_000;

/** A login with other members in the token response. @param {World} world @param {Record<string, unknown>} changes */
async function loginWith(world, changes) {
  world.network.always('token', usual(changes));
  return world.login();
}

/** Bodies that are no response of a step. @param {World} world @param {import('../network/networks.mjs').Step} step */
function wrongBodies({ isOAuth1, facts }, step) {
  // OAuth 1.0a answers with forms, often as text/html; only a page without a token in it is certainly no answer.
  const link = isOAuth1 ? '/?a=1' : '/?a=1&access_token=found-in-a-page&b=2';
  const page = `<!doctype html><html><a href="${link}">Error</a></html>`;
  return isForm(facts, step) ? [page, '', 'null'] : [page, '[]', '"x"', '5', '', 'null'];
}

const HOST = 'x-forwarded-host';
const TLS = { 'x-forwarded-proto': 'https' };
/** Who forwards which headers to a login at 127.0.0.1, and the callback URLs that are right besides its own. @type {[name: string, trusted: string, headers: Record<string, string>, wanted?: string][]} */
const FORWARDED = [
  ['from the trusted proxy', '127.0.0.1', { ...TLS, [HOST]: 'app.example' }, 'https://app.example/callback'],
  ['no proxy trusted', '', { ...TLS, [HOST]: 'evil.example' }],
  ['no proxy trusted, `Host: app.example:`', '', { host: 'app.example:', [HOST]: 'evil.example' }],
  ['another proxy trusted', '10.0.0.1', { ...TLS, [HOST]: 'evil.example' }],
];

/** @type {Questions} */
export const TRANSPORT = {
  'T1: Given plain-http addresses of another machine, does it refuse before anything is sent there in the clear?':
    async (world) => {
      if (await world.start({ host: 'network.test', mayRefuse: true })) return;
      const browser = new Browser();
      const url = world.isOAuth1 ? world.at('/login') : world.callback(await world.begin(browser));
      await world.visit(browser, url);
      const sent = world.network.calls.map(({ step }) => step);
      return sent.length > 0 ? `sent in the clear: ${sent.join(', ')}` : undefined;
    },
  'T3: With a relative `callbackURL`: are `X-Forwarded-Host` and `-Proto` believed from the proxy that Express trusts, and from nobody else?':
    async (world) => {
      for (const [name, trusted, headers, wanted] of FORWARDED) {
        await world.start({ options: { callbackURL: '/callback' }, trusted });
        const own = new URL(`http://${headers.host ?? new URL(world.at('/')).host}/callback`).href;
        const answer = await world.visit(new Browser(), world.at('/login'), { headers });
        // A refusal is as good as the right host where that host is strange.
        if (answer.outcome !== 'redirect' && wanted === undefined) continue;
        const back = world.backOf(new URL(answer.location, own));
        if (back !== (wanted ?? own)) return `${name}: ${back}`;
      }
    },
  'T4: Is a redirect (301, 302, 303, 307, 308) by the network never followed to another server, and no login?':
    async (world) => {
      const stranger = await Stub.start();
      await world.startWithLogin();
      for (const status of [302, 307, 301, 303, 308]) {
        for (const step of /** @type {const} */ (['request token', 'token', 'profile'])) {
          if (!world.facts.paths[step]) continue;
          world.network.always(step, (response, { url }) =>
            send(response, '<html>Moved</html>', { status, headers: { location: `${stranger.url}${url}` } }),
          );
          const isStart = step === 'request token';
          const answer = isStart ? await world.visit(new Browser(), world.at('/login')) : await world.login();
          const [followed] = stranger.calls;
          const carried = followed?.headers.authorization ? ' with credentials' : '';
          if (followed) return `${status} at the ${step} request: followed to another server${carried}`;
          if (!isRefused(answer)) return `${status} at the ${step} request: ${told(answer)}`;
        }
      }
    },
  'T5: A network that never answers, and one that drips a byte a second: is the browser answered within 12 seconds?':
    async (world) => {
      await world.startWithLogin();
      const logins = [await world.begin(), await world.begin()];
      world.network.once('token', () => {});
      world.network.once('token', (response) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        const timer = setInterval(() => response.write(' '), 1_000);
        response.on('close', () => clearInterval(timer));
      });
      const answers = await Promise.all(
        logins.map((login) => world.visit(login.browser, world.callback(login), { patience: LONG_PATIENCE })),
      );
      const other = answers.find((answer) => !isRefused(answer));
      return other && told(other);
    },
  'T6: Is an answer of 16 MB, as it is or unpacked from a small one, refused instead of swallowed?': async (
    world,
  ) => {
    await world.startWithLogin();
    const padding = 'a'.repeat(SIXTEEN_MEGABYTES);
    const members = { ...world.facts.tokenResponse('a-token', SOMEBODY), padding };
    const { type, body } = encoded(world.facts, 'token', members);
    for (const isPacked of [false, true]) {
      world.network.always('token', (response) => {
        if (!isPacked) return send(response, body, { type });
        response.writeHead(200, { 'content-type': type, 'content-encoding': 'gzip' });
        return response.end(gzipSync(body));
      });
      const answer = await world.login('alice', 8_000);
      if (!isRefused(answer)) return `${isPacked ? 'gzip' : 'plain'}: ${told(answer)}`;
    }
  },
  'T7: Is an answer that is cut in the middle (with and without Content-Length) an error, and not waited for for ever?':
    async (world) => {
      await world.startWithLogin();
      for (const step of world.callbackSteps) {
        for (const length of [{ 'content-length': 400 }, {}]) {
          const cut = `${step} response cut, ${'content-length' in length ? 'with' : 'without'} Content-Length`;
          world.network.always(step, (response) => {
            response.writeHead(200, { 'content-type': 'application/json', ...length });
            response.write('{"access_token":"half', () => response.socket?.destroy());
          });
          const answer = await world.login().catch((error) => {
            throw error instanceof NoAnswer ? new NoAnswer(`${cut}: ${error.message}`) : error;
          });
          if (!isRefused(answer)) return `${cut}: ${told(answer)}`;
        }
      }
    },
  'T8: Do answers of the wrong kind (an HTML page, `[]`, `"x"`, `5`, nothing, `null`) end in an error, whatever the network answers next?':
    async (world) => {
      await world.startWithLogin();
      for (const step of world.callbackSteps) {
        for (const body of wrongBodies(world, step)) {
          const type = body.startsWith('<') ? 'text/html' : 'application/json';
          world.network.always(step, (response) => send(response, body, { type }));
          const answer = await world.login();
          if (answer.outcome !== 'error')
            return `${step} answer ${body.slice(0, 60) || '(empty)'}: ${told(answer)}`;
        }
      }
    },
  'T9: Is a token of an unknown type (`mac`) refused, and `bearer` understood in any letter case?': async (
    world,
  ) => {
    for (const type of ['Bearer', 'bearer', 'BEARER', 'mac']) {
      const answer = await loginWith(world, { token_type: type });
      if (answer.outcome !== (type === 'mac' ? 'error' : 'success')) return `${type}: ${told(answer)}`;
    }
  },
  'T10: Is an access token that is an object, a list, a number, empty or missing refused at once, even by a network that goes on with it?':
    async (world) => {
      await world.startWithLogin();
      const { verified } = await world.counts();
      for (const token of [{ a: 1 }, ['x'], 5, '', null, undefined]) {
        const answer = await loginWith(world, { access_token: token });
        if (answer.outcome !== 'error' || (await world.counts()).verified > verified)
          return `${JSON.stringify(token) ?? 'missing'}: ${told(answer)}`;
      }
    },
  'T11: In a whole login, is every address free of tokens, of the secret, the verifier and the spent code?':
    async (world) => {
      await world.startWithLogin();
      const verifier = world.network.callsOf('token').at(-1)?.form.get('code_verifier') ?? '';
      const canaries = ['canary-access-token', 'canary-code', 'canary-verifier', CLIENT_SECRET, verifier];
      for (const { step, url } of world.network.calls) {
        const found = canaries.find((secret) => secret !== '' && url.includes(secret));
        if (found) return `${step} request: ${found} in ${url.slice(0, 120)}`;
      }
    },
  'T13: Does a name in Cyrillic with an emoji arrive whole when the network sends it byte by byte?': async (
    world,
  ) => {
    const { facts } = world;
    const anna = personNamed('anna');
    world.network.always(facts.paths.profile ? 'profile' : 'token', async (response) => {
      const members = facts.profileResponse?.(anna) ?? facts.tokenResponse('a-token', anna);
      response.writeHead(200, { 'content-type': 'application/json' });
      response.socket?.setNoDelay(true);
      const bytes = Buffer.from(JSON.stringify(members));
      const at = Math.max(0, bytes.indexOf(anna.name) - 1);
      response.write(bytes.subarray(0, at));
      for (const byte of bytes.subarray(at, at + 40)) {
        response.write(Buffer.of(byte));
        await delay(2);
      }
      response.end(bytes.subarray(at + 40));
    });
    const answer = await world.login('anna');
    const name = String(answer.json?.user?.name ?? told(answer));
    return name.startsWith(anna.name) ? undefined : name;
  },
  'T14: A verify that throws, and profiles without their members: does each end in an error, with the process alive?':
    async (world) => {
      await world.start({ verify: 'throw' });
      const thrown = await world.login();
      if (thrown.outcome !== 'error') return `verify throws: ${told(thrown)}`;
      if (!world.facts.paths.profile) return;
      await world.start();
      for (const record of ['{}', '{"data":{}}', '{"data":null,"response":[],"user":null}']) {
        world.network.always('profile', (response) => send(response, record));
        const ending = await world.login();
        if (ending.outcome !== 'error') return `profile ${record}: ${told(ending)}`;
      }
    },
  'T14 async verify: An async verify that rejects: does the login end in an error, with the process alive?':
    async (world) => {
      await world.start({ verify: 'reject' });
      const answer = await world.login();
      return answer.outcome === 'error' ? undefined : told(answer);
    },
  'T15: At answers 503: is the token request never repeated, and the profile request at most twice?': async (
    world,
  ) => {
    await world.startWithLogin();
    for (const [step, most] of /** @type {const} */ ([
      ['profile', 3],
      ['token', 1],
    ])) {
      if (!world.facts.paths[step]) continue;
      world.network.always(step, failing(503));
      const before = world.network.callsOf(step).length;
      const answer = await world.login('alice', 10_000);
      const calls = world.network.callsOf(step).length - before;
      if (!isRefused(answer) || calls > most) return `${step}: ${calls} requests, ${told(answer)}`;
    }
  },
};
