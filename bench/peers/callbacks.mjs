// Questions about callbacks and pending logins: the rules C1 to C28.
import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Browser } from '../clients/browser.mjs';
import { failing, usual } from '../network/stub.mjs';
import { told, Unfit } from './world.mjs';

/** @typedef {import('./world.mjs').World} World */
/** @typedef {import('./world.mjs').Login} Login */
/** By the rule, a word where it has several questions, and the question. Resolves to what went wrong; to nothing when the subject passed. @typedef {Readonly<Record<string, (world: World) => Promise<string | undefined>>>} Questions */

const CANARY = 'canary-text-of-a-stranger';
/** A line break, a terminal's escape, a text direction mark, and more than anybody reads. */
const NASTY = `${CANARY}\r\nForged log line \u001b[31m\u202e<img src=x onerror=alert(1)>${'A'.repeat(4_000)}`;
/** Control characters, and marks that turn the direction of a text. */
const UNPRINTABLE = /\p{Cc}|[\u202a-\u202e]/u;

/** The attacker's own login, begun in the attacker's browser, its link opened by somebody else. @param {boolean} isReadme @returns {Questions[string]} */
const plantedLink = (isReadme) => async (world) => {
  await world.start({ isReadme });
  return world.slip(new Browser(), world.callback(await world.begin(), 'eve'));
};

/** Ways in which a first callback ends; each makes the network ready and returns the callback's URL. @type {Record<string, (world: World, login: Login) => string>} */
const FIRST_CALLBACKS = {
  'a success': (world, login) => world.callback(login),
  'a refusal by verify': (world, login) => world.callback(login, 'mallory'),
  'a denial': (world, login) => world.denial(login),
  'a profile request that failed': (world, login) => {
    world.network.once('profile', failing(400));
    return world.callback(login);
  },
  'a token request that failed': (world, login) => {
    world.network.once('token', failing(503));
    return world.callback(login);
  },
};

/** @type {Record<'oauth1' | 'oauth2', Record<string, (query: string) => string>>} */
const DISTORTIONS = {
  oauth2: {
    'code twice': (query) => `${query}&code=another`,
    'code as an object': (query) => query.replace('code=', 'code[x]='),
    'state as a list': (query) => query.replace('state=', 'state[]='),
    'code empty': (query) => query.replace(/code=[^&]*/, 'code='),
  },
  oauth1: {
    'oauth_verifier twice': (query) => `${query}&oauth_verifier=another`,
    'oauth_token twice': (query) => `${query}&oauth_token=another`,
    'oauth_token as a list': (query) => query.replace('oauth_token=', 'oauth_token[]='),
    'oauth_token empty': (query) => query.replace(/oauth_token=[^&]*/, 'oauth_token='),
  },
};

/** Requests of the callback's URL by which nobody sees a page. HEAD goes to GET routes as well; the others where a route takes them. */
const NO_VISITS = {
  'a HEAD request': { method: 'HEAD' },
  'a prefetch': { headers: { 'sec-purpose': 'prefetch' } },
  'an OPTIONS request': { method: 'OPTIONS' },
  'a POST request': { method: 'POST' },
};

/** What a sibling host can do: only the session's cookie gets into the other browser. @param {Browser} from @param {Browser} to */
const plantSession = (from, to) => to.cookies.set('connect.sid', from.cookies.get('connect.sid') ?? '');

/** Begins a link. @param {World} world @param {Browser} browser @returns The URL of its callback. */
const linkOf = async (world, browser) =>
  world.callback(await world.begin(browser, '/link'), 'eve', '/linked');

/** Links that somebody else began: who was signed in, and whether the victim has the beginner's session planted instead of the same browser. @type {[name: string, owner: string, isPlanted: boolean][]} */
const STOLEN_LINKS = [
  ['begun in a planted session', 'attacker', true],
  ['begun with nobody signed in', '', false],
  ['begun by the user before', 'attacker', false],
];

/** @type {Questions} */
export const CALLBACKS = {
  'login: Does an ordinary login succeed (that the bench speaks its language)?': async (world) => {
    const answer = await world.login();
    const isAlice = String(answer.json?.user?.token).startsWith('canary-access-token-alice');
    return answer.outcome === 'success' && isAlice ? undefined : told(answer);
  },
  'C1: Set up as its README shows: is a callback link of another person’s login turned away before anything goes to the network?':
    plantedLink(true),
  'C1 set up safely: The same with its safest documented settings, which all further questions use?':
    plantedLink(false),
  'C2: Once a callback was answered, whatever came of it, is a second callback of that login turned away?':
    async (world) => {
      for (const [name, first] of Object.entries(FIRST_CALLBACKS)) {
        if (name.startsWith('a profile') && !world.facts.paths.profile) continue;
        const login = await world.begin();
        const ending = await world.visit(login.browser, first(world, login));
        world.network.behave();
        const problem = await world.slip(login.browser, world.callback(login));
        if (problem) return `after ${name} (${told(ending)}): ${problem}`;
      }
    },
  'C3: Three tabs of one browser log in at once and finish in another order, a forged callback in between: do all three succeed?':
    async (world) => {
      const browser = new Browser();
      const tabs = [await world.begin(browser), await world.begin(browser), await world.begin(browser)];
      const forged = world.isOAuth1
        ? { oauth_token: 'forged', oauth_verifier: 'forged' }
        : { code: 'forged', state: 'forged-state-of-the-same-length-as-others' };
      await world.visit(browser, world.at('/callback', forged));
      for (const tab of [2, 0, 1]) {
        const answer = await world.visit(browser, world.callback(/** @type {Login} */ (tabs[tab])));
        if (answer.outcome !== 'success') return `tab ${tab + 1}: ${told(answer)}`;
      }
    },
  'C4: Two clients of one network: is a login begun with the one turned away at the other’s callback?':
    async (world) => {
      const option = world.isOAuth1 ? 'consumerKey' : 'clientID';
      await world.startWithLogin({ second: { [option]: 'client-second' } });
      const login = await world.begin();
      return world.slip(login.browser, world.callback(login, 'alice', '/callback/second'));
    },
  'C5: Has the state at least 128 bits, and is it another one for each of 60 logins?': async (world) => {
    const states = [];
    for (let count = 0; count < 60; count += 1) {
      states.push((await world.begin()).url.searchParams.get('state') ?? '');
    }
    if (new Set(states).size < states.length) return 'the same state twice';
    const alphabet = new Set(states.join('')).size;
    const shortest = Math.min(...states.map(({ length }) => length));
    const bits = Math.floor(shortest * Math.log2(alphabet));
    return bits < 128 ? `${shortest} characters out of ${alphabet}, at most ${bits} bits` : undefined;
  },
  'C6: Is a callback that comes a day after the login began turned away?': async (world) => {
    await world.startWithLogin();
    const login = await world.begin();
    await world.visit(new Browser(), world.at('/advance', { by: '86400000' }));
    return world.slip(login.browser, world.callback(login));
  },
  'C7: Is an error answer that belongs to no login turned away as the sender’s mistake (4xx), its text unread and other logins unharmed?':
    async (world) => {
      const login = await world.begin();
      const error = world.isOAuth1
        ? { denied: CANARY }
        : { error: 'server_error', error_description: CANARY, state: 'forged' };
      for (const sender of [new Browser(), login.browser]) {
        const answer = await world.visit(sender, world.at('/callback', error));
        const isRead = JSON.stringify(answer.json?.messages ?? []).includes(CANARY);
        if (answer.outcome !== 'failure' || answer.status >= 500 || isRead) return told(answer);
      }
      const finished = await world.finish(login);
      if (finished.outcome !== 'success') return `the pending login was lost: ${told(finished)}`;
    },
  'C8: Does text from the callback’s address reach the application’s messages only without control characters and cut short (1000 characters)?':
    async (world) => {
      for (const error of ['access_denied', 'server_error']) {
        const login = await world.begin();
        const description = { error_description: NASTY, ...(!world.isOAuth1 && { error }) };
        const answer = await world.visit(login.browser, world.denial(login, description));
        const messages = [answer.json?.messages ?? []].flat().map(String);
        const dirty = messages.find((text) => text.length > 1000 || UNPRINTABLE.test(text));
        if (dirty) return `${error}: a message of ${dirty.length} characters`;
      }
    },
  'C9: Is a callback with a parameter doubled, bracketed or empty turned away before anything goes to the network?':
    async (world) => {
      await world.startWithLogin();
      for (const [name, distort] of Object.entries(DISTORTIONS[world.facts.protocol])) {
        const browser = new Browser();
        const query = new URLSearchParams(world.consent(await world.begin(browser))).toString();
        const url = `${world.at('/callback')}?${distort(query)}`;
        const problem = await world.slip(browser, url, { step: 'token' });
        if (problem) return `${name}: ${problem}`;
      }
    },
  'C10: Is a callback turned away that has one half in the query and the other in a posted form?': async (
    world,
  ) => {
    const browser = new Browser();
    const { state = '', oauth_verifier = '', ...form } = world.consent(await world.begin(browser));
    const query = world.isOAuth1 ? { oauth_verifier } : { state };
    return world.slip(browser, world.at('/callback', query), { form, step: 'token' });
  },
  'C11: Is a callback that names another server as its issuer (`iss`, RFC 9207) turned away before its code goes anywhere?':
    async (world) => {
      const browser = new Browser();
      const query = world.consent(await world.begin(browser));
      return world.slip(browser, world.at('/callback', { ...query, iss: 'https://evil.example' }));
    },
  'C12: Is a stray hit on the callback (parameters of an answer, but nothing to exchange) turned away, not turned into a new login?':
    async (world) => {
      const names = world.facts.responseParameters.map((name) => `${name}=stray`);
      for (const query of [...names, world.isOAuth1 ? 'oauth_token=' : 'code=&state=stray']) {
        const problem = await world.slip(new Browser(), `${world.at('/callback')}?${query}`);
        if (problem) return `?${query}: ${problem}`;
      }
    },
  'C13: Is a code posted once only, when a browser opens the callback twice in the same moment and when the network answers 503?':
    async (world) => {
      const browser = new Browser();
      const url = world.callback(await world.begin(browser));
      world.network.always('token', async (response, call) => {
        await delay(300);
        await usual()(response, call);
      });
      await Promise.all([world.visit(browser, url), world.visit(browser.copy(), url)]);
      const posts = world.network.callsOf('token').length;
      if (posts !== 1) return `${posts} posts of one code for two callbacks in the same moment`;
      world.network.always('token', failing(503));
      await world.login();
      const more = world.network.callsOf('token').length - posts;
      return more === 1 ? undefined : `${more} posts at 503`;
    },
  'C14: A login begun with a callback address of its own (`authenticate(name, { callbackURL })`): does the exchange name that same address?':
    async (world) => {
      const options = { callbackURL: '/callback/tenant' };
      await world.start({ routes: [{ path: '/callback/tenant' }, { path: '/login/tenant', options }] });
      const login = await world.begin(undefined, '/login/tenant');
      const answer = await world.finish(login, 'alice', '/callback/tenant');
      const posted = world.network.callsOf('token').at(-1)?.form.get('redirect_uri');
      if (posted === undefined) return `nothing was exchanged: ${told(answer)}`;
      const back = world.backOf(login.url);
      return posted === back ? undefined : `began with ${back}, exchanged with ${posted}`;
    },
  'C15: Does it send a PKCE challenge (S256) in the form that its network checks, and the matching verifier of 43 to 128 characters, another one for each login; none where the network refuses it?':
    async (world) => {
      const { pkce } = world.facts;
      await world.start();
      const verifiers = new Set();
      for (let count = 0; count < 5; count += 1) {
        const login = await world.begin();
        await world.finish(login);
        const challenge = login.url.searchParams.get('code_challenge');
        const method = login.url.searchParams.get('code_challenge_method');
        const verifier = world.network.callsOf('token').at(-1)?.form.get('code_verifier') ?? '';
        if (pkce === 'none') {
          if (challenge !== null || verifier !== '') return 'a challenge, which its network refuses';
          continue;
        }
        if (challenge === null) return 'no challenge';
        if (method !== 'S256') return `method ${method}`;
        if (createHash('sha256').update(verifier).digest(pkce) !== challenge)
          return `a challenge that is not the verifier's digest in ${pkce}`;
        if (!/^[\w.~-]{43,128}$/.test(verifier)) return `a verifier of ${verifier.length} characters`;
        if (verifiers.has(verifier)) return 'the same verifier twice';
        verifiers.add(verifier);
      }
    },
  'C17: Does the application’s own state, a text or an object, come back in `info.state`, without ever being in an address?':
    async (world) => {
      const states = ['canary-return-to-cart', { returnTo: '/canary-cart' }];
      const routes = states.map((state, index) => ({ path: `/login/${index}`, options: { state } }));
      await world.start({ routes });
      for (const [index, state] of states.entries()) {
        const login = await world.begin(undefined, `/login/${index}`);
        if (/canary-(return|cart)/.test(login.url.href)) return `${typeof state}: in the URL of the network`;
        const answer = await world.finish(login);
        if (answer.outcome !== 'success') return `${typeof state}: ${told(answer)}`;
        const came = JSON.stringify(answer.json.info?.state);
        if (came !== JSON.stringify(state)) return `${typeof state}: came back as ${came}`;
      }
    },
  'C20: Does a login give the browser another session identifier than it came with?': async (world) => {
    const browser = new Browser();
    await world.signIn(browser, 'a user');
    const login = await world.begin(browser);
    const before = browser.cookies.get('connect.sid');
    const answer = await world.visit(browser, world.callback(login));
    if (answer.outcome !== 'success') return told(answer);
    return browser.cookies.get('connect.sid') === before ? 'the same one' : undefined;
  },
  'C21: Do redirect and callback answers forbid caching (`no-store`) and a Referer (`no-referrer`)?': async (
    world,
  ) => {
    const login = await world.begin();
    for (const { headers } of [login.answer, await world.finish(login)]) {
      const cache = headers['cache-control'] ?? 'missing';
      const referrer = String(headers['referrer-policy'] ?? 'missing');
      if (!/no-store/.test(cache) || referrer !== 'no-referrer')
        return `Cache-Control ${cache}, Referrer-Policy ${referrer}`;
    }
  },
  'C24: Do HEAD, OPTIONS, POST and a prefetch of the callback’s address send no code to the network, and does the visit that follows log in?':
    async (world) => {
      await world.startWithLogin();
      for (const [name, settings] of Object.entries(NO_VISITS)) {
        const browser = new Browser();
        const url = world.callback(await world.begin(browser));
        const before = world.network.calls.length;
        await world.visit(browser, url, settings);
        if (world.network.calls.length > before) return `${name}: a request reached the network`;
        if ((await world.counts(browser)).user) return `${name}: logged in`;
        const visit = await world.visit(browser, url);
        if (visit.outcome !== 'success') return `the visit after ${name}: ${told(visit)}`;
      }
    },
  'C25: A session is planted in another browser (session fixation): is a login that was begun in it turned away there, and finished in its own browser?':
    async (world) => {
      await world.startWithLogin();
      const [attacker, victim] = [new Browser(), new Browser()];
      const url = world.callback(await world.begin(attacker), 'eve');
      plantSession(attacker, victim);
      const problem = await world.slip(victim, url);
      if (problem) return `in the victim’s browser: ${problem}`;
      const own = await world.visit(attacker, url);
      return own.outcome === 'success' ? undefined : `in its own browser: ${told(own)}`;
    },
  'C25 link: Is an account linked (`passport.authorize`) only to the user who began it: neither to a victim who signs in in a planted session, nor to whoever signs in meanwhile?':
    async (world) => {
      const routes = ['/link', '/linked'].map((path) => ({ path, link: true }));
      await world.start({ routes });
      const owner = new Browser();
      await world.signIn(owner, 'owner');
      const ordinary = await world.visit(owner, await linkOf(world, owner));
      if (!ordinary.json?.account) return `not even an ordinary link: ${told(ordinary)}`;
      for (const [name, user, isPlanted] of STOLEN_LINKS) {
        const beginner = new Browser();
        if (user !== '') await world.signIn(beginner, user);
        const url = await linkOf(world, beginner);
        const browser = isPlanted ? new Browser() : beginner;
        plantSession(beginner, browser);
        await world.signIn(browser, 'victim');
        const problem = await world.slip(browser, url);
        if (problem) return `${name}: ${problem}`;
      }
    },
  'C27: The application keeps the query of a login link in its state, and the browser follows 16 links with long queries (900 and 8,000 characters): does the login that was pending finish?':
    async (world) => {
      await world.start({ routes: [{ path: '/login/link', keepsQuery: true }] });
      const browser = new Browser();
      const url = world.callback(await world.begin(browser));
      for (const length of [...Array(8).fill(900), ...Array(8).fill(8_000)])
        await world.visit(browser, world.at('/login/link', { returnTo: 'x'.repeat(length) }));
      const answer = await world.visit(browser, url);
      return answer.outcome === 'success' ? undefined : `pushed out: ${told(answer)}`;
    },
  'C28: A user signs out while a login waits for the network, which starts (OAuth 1.0a) or ends in an error: does the session stay signed out?':
    async (world) => {
      await world.start({ verify: 'throw' });
      const browser = new Browser();
      await world.signIn(browser, 'user');
      const step = world.isOAuth1 ? 'request token' : 'token';
      const url = world.isOAuth1 ? world.at('/login') : world.callback(await world.begin(browser));
      // Keeps the session's cookie, as another tab or a thief does.
      const old = browser.copy();
      let isSignedOut = false;
      world.network.once(step, async (response, call) => {
        await world.visit(browser.copy(), world.at('/sign-out'));
        isSignedOut = true;
        await usual()(response, call);
      });
      const answer = await world.visit(browser.copy(), url);
      if (!isSignedOut) throw new Unfit(`the ${step} request was never sent: ${told(answer)}`);
      return (await world.counts(old)).user ? 'signed in again' : undefined;
    },
};
