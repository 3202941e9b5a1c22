import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Browser, told } from '../browser.mjs';
import { sendJSON } from '../fake-network.mjs';
import { fail, pass } from '../verdicts.mjs';
import { oauth2Only } from './rule.mjs';

/** @typedef {import('./rule.mjs').Rule} Rule */

const APP_STATES = ['canary-return-to-cart', { returnTo: '/canary-cart' }];

/** @type {readonly Rule[]} */
export const CODES = [
  {
    id: 'C13',
    question:
      'Is a code posted once only, when a browser opens the callback twice in the same moment and when the network answers 503?',
    async ask(world) {
      await world.start();
      const browser = new Browser();
      const address = world.callback(await world.begin(browser));
      world.network.always('token', async (response, call) => {
        await delay(300);
        await world.network.usual(response, call);
      });
      await Promise.all([browser.get(address), browser.get(address)]);
      const twice = world.network.callsOf('token').length;
      if (twice !== 1) return fail(`${twice} posts of one code for two callbacks in the same moment`);
      world.network.always('token', (response) => sendJSON(response, { error: 'unavailable' }, 503));
      const answer = await world.login();
      const posts = world.network.callsOf('token').length - twice;
      return posts === 1 ? pass(`one post each; 503: ${told(answer)}`) : fail(`${posts} posts at 503`);
    },
  },
  {
    id: 'C14',
    question:
      'A login begun with a callback address of its own (`authenticate(name, { callbackURL })`): does the exchange name that same address?',
    unless: oauth2Only,
    async ask(world) {
      await world.start({
        routes: [
          { path: '/callback/tenant' },
          { path: '/login/tenant', options: { callbackURL: '/callback/tenant' } },
        ],
      });
      const browser = new Browser();
      const login = await world.begin(browser, { path: '/login/tenant' });
      const answer = await browser.get(world.callback(login, { path: '/callback/tenant' }));
      const posted = world.network.callsOf('token').at(-1)?.form.get('redirect_uri');
      const evidence = `began with ${login.back}, exchanged with ${posted}`;
      if (posted === undefined) return fail(`nothing was exchanged: ${told(answer)}`);
      return posted === login.back ? pass(evidence) : fail(evidence);
    },
  },
  {
    id: 'C15',
    question:
      'Does it send a PKCE challenge (S256) in the form that its network checks, and the matching verifier; none where the network refuses it?',
    unless: oauth2Only,
    async ask(world) {
      await world.start();
      const first = await exchangeProof(world);
      if (first.ok) return pass(first.evidence);
      if (!world.subject.variants.pkce) return fail(first.evidence);
      await world.start({ variant: 'pkce' });
      const second = await exchangeProof(world);
      return second.ok
        ? pass(`with pkce: true, ${second.evidence}`)
        : fail(`${first.evidence}; with pkce: true, ${second.evidence}`);
    },
  },
  {
    id: 'C16',
    question: 'Where it sends a verifier: 43 to 128 allowed characters, another one for each of 20 logins?',
    unless: (world) =>
      oauth2Only(world) ?? (world.facts.pkce === 'none' ? 'its network refuses PKCE' : undefined),
    async ask(world) {
      await world.start({ variant: world.subject.variants.pkce ? 'pkce' : 'safest' });
      for (let count = 0; count < 20; count += 1) await world.login();
      const verifiers = world.network.callsOf('token').map(({ form }) => form.get('code_verifier') ?? '');
      const bad = verifiers.find((verifier) => !/^[\w.~-]{43,128}$/.test(verifier));
      if (bad !== undefined || verifiers.length < 20) return fail(`a verifier of ${bad?.length} characters`);
      if (new Set(verifiers).size < verifiers.length) return fail('the same verifier twice');
      return pass(
        `${verifiers[0]?.length} characters${world.subject.variants.pkce ? ', with pkce: true' : ''}`,
      );
    },
  },
  {
    id: 'C17',
    question:
      'Does the application’s own state, a text or an object, come back in `info.state`, without ever being in an address?',
    async ask(world) {
      const routes = APP_STATES.map((state, index) => ({ path: `/login/${index}`, options: { state } }));
      await world.start({ routes });
      for (const [index, state] of APP_STATES.entries()) {
        const browser = new Browser();
        const login = await world.begin(browser, { path: `/login/${index}` });
        const kind = typeof state === 'string' ? 'a text' : 'an object';
        if (/canary-(return|cart)/.test(login.authorization.href))
          return fail(`${kind} is in the address sent to the network`);
        const answer = await browser.get(world.callback(login));
        const came = answer.json?.info?.state;
        if (answer.outcome !== 'success') return fail(`${kind}: ${told(answer)}`);
        if (JSON.stringify(came) !== JSON.stringify(state))
          return fail(`${kind} came back as ${JSON.stringify(came)}`);
      }
      return pass('both came back equal');
    },
  },
  {
    id: 'C20',
    question: 'Does the browser get another session identifier when it is logged in?',
    async ask(world) {
      await world.start();
      const browser = new Browser();
      const login = await world.begin(browser);
      const before = browser.cookies.get('connect.sid');
      const answer = await browser.get(world.callback(login));
      const after = browser.cookies.get('connect.sid');
      if (answer.outcome !== 'success') return fail(told(answer));
      return before !== undefined && after !== before ? pass('another one') : fail('the same one');
    },
  },
  {
    id: 'C21',
    question: 'Do redirect and callback answers forbid caching (`no-store`) and a Referer (`no-referrer`)?',
    async ask(world) {
      await world.start();
      const browser = new Browser();
      const login = await world.begin(browser);
      const answers = { redirect: login.answer, callback: await browser.get(world.callback(login)) };
      for (const [name, { headers }] of Object.entries(answers)) {
        const cache = headers['cache-control'];
        const referrer = String(headers['referrer-policy'] ?? 'missing');
        if (!/no-store/.test(cache ?? '') || referrer !== 'no-referrer') {
          return fail(`${name}: Cache-Control ${cache ?? 'missing'}, Referrer-Policy ${referrer}`);
        }
      }
      return pass('both');
    },
  },
  {
    id: 'C23',
    question:
      'Does it request the scopes that a login at its network needs and no other, and only profile fields within them?',
    unless: (world) =>
      oauth2Only(world) ?? (world.facts.loginScopes ? undefined : 'it belongs to no network'),
    async ask(world) {
      const { loginScope } = world.subject;
      const routes = loginScope ? [{ path: '/login/scoped', options: { scope: loginScope } }] : [];
      await world.start({ routes });
      await world.mustLogIn();
      const browser = new Browser();
      const login = await world.begin(browser, { path: loginScope ? '/login/scoped' : '/login' });
      await browser.get(world.callback(login));
      const requested = (login.authorization.searchParams.get('scope') ?? '').split(/[\s,]+/).filter(Boolean);
      const evidence = `scope ${requested.join(' ') || 'none'}`;
      const needed = world.facts.loginScopes ?? [];
      const isLeast =
        requested.length === needed.length && needed.every((scope) => requested.includes(scope));
      if (!isLeast) return fail(`${evidence}, needed: ${needed.join(' ') || 'none'}`);
      const profile = new URL(world.network.callsOf('profile').at(-1)?.url ?? '/', world.network.url);
      const fields = ['fields', 'user.fields'].flatMap(
        (name) => profile.searchParams.get(name)?.split(',') ?? [],
      );
      const { scopeOfField = {} } = world.facts;
      const outside = fields.filter(
        (field) => scopeOfField[field] && !requested.includes(scopeOfField[field]),
      );
      return outside.length === 0
        ? pass(evidence)
        : fail(`${evidence}, but requests fields without their scope: ${outside.join(', ')}`);
    },
  },
];

/** @param {import('../world.mjs').World} world */
async function exchangeProof(world) {
  const browser = new Browser();
  const login = await world.begin(browser);
  await browser.get(world.callback(login));
  const { searchParams } = login.authorization;
  const challenge = searchParams.get('code_challenge');
  const method = searchParams.get('code_challenge_method');
  const verifier = world.network.callsOf('token').at(-1)?.form.get('code_verifier');
  if (world.facts.pkce === 'none') {
    const none = challenge === null && (verifier ?? null) === null;
    return {
      ok: none,
      evidence: none ? 'none, as its network demands' : 'a challenge, which its network refuses',
    };
  }
  if (challenge === null) return { ok: false, evidence: 'no challenge' };
  const digest = createHash('sha256')
    .update(verifier ?? '')
    .digest(world.facts.pkce);
  if (method?.toUpperCase() !== 'S256') return { ok: false, evidence: `method ${method}` };
  if (digest !== challenge)
    return { ok: false, evidence: `a challenge that is not the verifier's digest in ${world.facts.pkce}` };
  return { ok: true, evidence: `S256 in ${world.facts.pkce}` };
}
