import { existsSync, readFileSync, statSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import {
  BOOLEAN,
  checkOptions,
  FUNCTION,
  integer,
  remedy as nearName,
  type Shape,
  STRING,
} from '../core/checks.js';
import { PEOPLE } from '../core/people.js';
import type { SandboxNetwork } from '../networks.js';
import type { SandboxFault } from '../traffic/faults.js';
import {
  described,
  type Finished,
  hiddenFields,
  isHandedOver,
  type Page,
  type Person,
  pathOf,
  TestedApplication,
  wordsOf,
} from './application.js';
import type { Browser, BrowserCookie } from './browser.js';
import { isAuthorization, isTimeout, reasonOf } from './login.js';

/** What to look at, and for how long. */
export interface RehearsalOptions {
  /** Page that tells who is signed in, absolute or relative. Default: the page to which the first login leads. */
  readonly page?: string | undefined;
  /** Whether the application keeps users signed in with cookies. Default: `true`. */
  readonly session?: boolean | undefined;
  /** Whether a script of a page starts the login, by `fetch` and POST, and goes to the first URL in the JSON that it gets. Default: `false`. */
  readonly fetch?: boolean | undefined;
  /** URL that signs the user out, by GET. Default: the page's own link or form that is called so. */
  readonly signOut?: string | undefined;
  /** URL that deletes the account of who is signed in, by POST, with the hidden fields of the page's form for it. Default: not tried. */
  readonly delete?: string | undefined;
  /** Two of the sandbox's people who can log in, by their IDs. Default: `['alice', 'anna']`. */
  readonly people?: readonly [string, string] | undefined;
  /** Page with the form that starts the login by POST, absolute or relative, with its hidden fields. Default: a link starts it, by GET. */
  readonly form?: string | undefined;
  /** Certificates to trust besides Node's, in PEM. Default: none. */
  readonly ca?: string | undefined;
  /** File that the application logs to. Default: logs are not read. */
  readonly log?: string | undefined;
  /**
   * How long the application may take to answer while the network is silent, in milliseconds. A slow network takes an eighth of it.
   * After the first login every response may take as long, but a quarter once one did not come in time. The whole rehearsal takes 40
   * seconds more at most: what is left then is not tried. Default: `15_000`.
   */
  readonly patience?: number | undefined;
  /** The checks to make, by name, besides `start` and `login`. Default: all. */
  readonly only?: readonly string[] | undefined;
  /** Called with each result as soon as it is known, and with the network and its protocol, such as `microblog, OAuth 2.0`. */
  readonly onCheck?: ((check: RehearsalCheck, network: string) => void) | undefined;
}

/** The result of one thing that was tried. */
export interface RehearsalCheck {
  /** Such as `two tabs`. */
  readonly name: string;
  /** `undefined` if it was not tried. */
  readonly passed: boolean | undefined;
  /** What the application did wrong, or why nothing was tried. */
  readonly found?: string;
  /** What to change. */
  readonly remedy?: string;
}

/** The results at one URL. */
export interface Rehearsal {
  readonly url: string;
  /** The network that the URL leads to; missing if it leads to none. */
  readonly network?: SandboxNetwork;
  /** `OAuth 2.0`, `OAuth 1.0a` or `VK ID`; missing as the network. */
  readonly protocol?: string;
  readonly checks: readonly RehearsalCheck[];
  /** Whether no check failed. */
  readonly passed: boolean;
  /** Whether everything was tried without which a login is not known to be right. */
  readonly complete: boolean;
}

/** What is wrong, or why a check cannot be made; `undefined` if all is well. */
interface Finding {
  readonly found: string;
  readonly remedy?: string;
  readonly isSkipped?: true;
}

type Check = (app: TestedApplication, options: RehearsalOptions) => Promise<Finding | undefined>;

/** A finding, with what went before. @param remedy - In place of the finding's own. */
const after = (before: string, finding: Finding | undefined, remedy = finding?.remedy): Finding | undefined =>
  finding && { found: `${before} ${finding.found}`, ...(remedy !== undefined && { remedy }) };

const skipped = (found: string): Finding => ({ found, isSkipped: true });

/** Why something essential could not be tried. */
const NO_TIME = 'no time left';
const UNTOLD = 'the page does not tell who is signed in: name another one with --page /profile';

const OPTIONS: Shape = {
  'page?': STRING,
  'session?': BOOLEAN,
  'fetch?': BOOLEAN,
  'signOut?': STRING,
  'delete?': STRING,
  'people?': [isPair, "must be the IDs of two people, such as ['alice', 'anna']"],
  'ca?': STRING,
  'form?': STRING,
  'log?': STRING,
  'patience?': integer(1, 999_999, 'must be a number of milliseconds'),
  'only?': [Array.isArray, 'must be a list of checks'],
  'onCheck?': FUNCTION,
};

const STACK = /(?:\bat |[\\/])[^\n<]{1,300}\.[cm]?[jt]sx?:\d+:\d+/;
const SIGN_OUT = /(?:href|action)\s*=\s*["']?([^"'\s>=]{0,300}(?:log|sign)[-_]?out[^"'\s>]{0,300})/i;
const START_GUARD =
  "In front of the strategy: if (req.user || isLoginResponse(req)) return res.redirect('/').";
/** Longer than the strategies' timeout, in milliseconds. */
const PATIENCE = 15_000;
/** Time for everything but the silent network, in milliseconds. */
const TIME = 40_000;
const EVIL_HOST = 'evil.example';
/** The cookie of a pending login lives shorter, in seconds, and a session longer. */
const LONGEST_LOGIN = 3_600;
/** An ID of a session, and its signature, are shorter. */
const LONGEST_ID = 64;
/** Servers commonly take 8 kB of headers. */
const MOST_COOKIES = 7_500;

const START =
  "Give the URL at which the running application starts a login, and spread the sandbox's options into its strategy.";
const ERROR_PAGE =
  'Add an error handler: app.use((error, req, res, next) => { console.error(error.message); res.status(error.status ?? 500).send("The login failed. Please try again."); }).';
const FAILURE_PAGE =
  'Answer a login that failed with a page: failureRedirect, or a callback of passport.authenticate().';
const OWN_STORE =
  'Leave out the option store, or keep one login for each tab, by its ID, in the browser that began it.';
const SMALLER = 'Keep the session on the server, and its ID in the cookie.';
const PROFILE = /"(_json|_raw)"/;
const ID_ONLY = 'Let serializeUser store the ID of your own user alone: done(null, user.id).';
const GUARD =
  'Check in the callback, too, whether somebody is signed in: req.user ? res.redirect("/") : next().';
const VERIFIED = 'Sign a user in only if verify was called.';
const ONE_COLUMN =
  'Nothing but provider and profile.id may have to be unique: e-mail address, handle and name belong to several people.';
const LOGS = 'The log of the application and the console of the sandbox say why.';

/**
 * Plays a browser at a running application whose strategies use a sandbox on this machine, and tries what users, networks and attackers do.
 * It ends early if no login starts or finishes.
 *
 * @param url - Where the application starts a login, such as `http://127.0.0.1:3000/api/auth/signin/short-video`.
 * @example
 * const { checks } = await rehearse(`${app}/api/auth/signin/short-video`);
 * assert.deepEqual(checks.filter(({ passed }) => passed === false), []);
 * @throws TypeError for an invalid URL, and for an unknown or wrong option. What the application does wrong is in the result.
 */
export async function rehearse(url: string | URL, options: RehearsalOptions = {}): Promise<Rehearsal> {
  checkOptions('rehearse', options, OPTIONS);
  const { people = FIRST_PEOPLE, session = true, log, only, ca, form, patience = PATIENCE } = options;
  const all = { ...CHECKS, 'secrets in logs': logCheck(lengthOf(log)) };
  const unknown = only?.find((name) => !Object.hasOwn(all, name));
  if (unknown !== undefined)
    throw new TypeError(`rehearse: unknown check "${unknown}"${nearName(unknown, Object.keys(all))}`);
  const app = new TestedApplication(
    new URL(url).href,
    people,
    session,
    Date.now() + TIME + patience,
    ca,
    form,
  );
  app.isFetched = options.fetch === true;
  const checks: RehearsalCheck[] = [];
  for (const [name, check] of Object.entries(all)) {
    const isNeeded = name === 'start' || name === 'login';
    if (only && !isNeeded && !only.includes(name)) continue;
    const isLate = () => !isNeeded && app.isLate();
    const thrown = (error: Error): Finding => {
      if (isTimeout(error)) app.limit = patience / 4;
      return isLate() ? skipped(NO_TIME) : { found: reasonOf(error) };
    };
    const logStart = lengthOf(log);
    const finding = isLate() ? skipped(NO_TIME) : await check(app, options).catch(thrown);
    const { isSkipped, ...rest } = finding ?? {};
    const remedy = finding && !isSkipped && { remedy: finding.remedy ?? remedyOf(name, finding.found) };
    const line = finding && !isSkipped ? lastError(log, logStart) : undefined;
    const told = line !== undefined && { found: `${finding?.found} The log says: ${line}` };
    const result = {
      name,
      passed: isSkipped ? undefined : finding === undefined,
      ...rest,
      ...told,
      ...remedy,
    };
    checks.push(result);
    options.onCheck?.(result, app.network ? `${app.network}, ${app.protocol}` : '');
    if (result.passed === false && isNeeded) break;
    if (name === 'login') app.limit = patience;
  }
  const passed = checks.every((check) => check.passed !== false);
  const complete = checks.every(({ found }) => found !== NO_TIME && found !== UNTOLD);
  const { network, protocol } = app;
  return { url: String(url), ...(network && { network, protocol }), checks, passed, complete };
}

/** What is tried, in order. */
const CHECKS: Readonly<Record<string, Check>> = {
  start: async (app) => {
    const first = await app.begin();
    app.callback = await app.allow(first);
    if (stateOf(first) === stateOf(await app.begin()))
      return {
        found: 'Two browsers are sent to the network with one state: a cache answers the second one.',
        remedy: `Let no cache keep what ${new URL(app.start).pathname} answers: the strategy sets Cache-Control: no-store.`,
      };
    await app.requests();
    return formAction(app, first);
  },
  host: async (app) => {
    const [start, end] = [new URL(app.start), new URL(app.callback)];
    if (start.origin === end.origin) return undefined;
    app.start = new URL(start.pathname + start.search, end).href;
    return {
      found: `The login starts at ${start.origin} and comes back at ${end.origin}: the browser's cookies stay behind.`,
      remedy: `Open the application at ${end.origin}, or change callbackURL or baseURL.`,
    };
  },
  login: async (app, { page }) => {
    const logins: Finished[] = [];
    for (const who of ['first', 'first', 'second', 'second'] as const) {
      const login = await app.logIn(who);
      if (!(await app.hasToken())) return withoutToken(app, login);
      if (login.page.status >= 400) return failed(login.page);
      logins.push(login);
    }
    await app.learn(logins, page);
    app.kept = logins[0];
    return undefined;
  },
  session: async (app, { session, people: [first, second] = FIRST_PEOPLE }) => {
    if (session === false) return cannotTell(session);
    const stranger = wordsOf(await app.look(app.browser()));
    // A page may have an address or a first name as an example.
    const isSure = app.tells();
    if (shows(stranger, first, second, isSure) || shows(stranger, second, first, isSure))
      return {
        found: `${app.page} shows the user to everybody, also to a browser that never logged in.`,
        remedy: 'Keep the user in the session, not in a variable of the module.',
      };
    if (app.tells()) return undefined;
    const cookies = app.kept && sessionCookie(app.kept, app.page);
    if (cookies) return cookies;
    return {
      found: `After a login ${app.page} is the same as for somebody who never logged in.`,
      remedy:
        "Use passport.session() after the session's middleware, serializeUser and deserializeUser; or, if this page shows everybody the same, name another one: --page /profile.",
    };
  },
  'two accounts': async (app, { session, people: [first, second] = FIRST_PEOPLE }) => {
    if (session === false) return cannotTell(session);
    const remedy = 'Find a user by provider and profile.id together, both as text, and by nothing else.';
    const found =
      'IDs that differ in letter case or beyond 2^53, or people with one e-mail address, are one account.';
    const problem = await mixed(app, [first, second]);
    if (problem) return problem.isSkipped ? problem : { ...problem, remedy };
    const twins = await mixed(app, TWINS);
    return twins?.isSkipped ? twins : after(found, twins, twins?.remedy ?? remedy);
  },
  'other people': async (app, { people }) => {
    if (people) return skipped('other people than the default ones were named');
    for (const [id, why] of OTHER_PEOPLE) {
      const login = await app.logIn(id).catch(unknownPerson);
      if (!login) return skipped('the sandbox has people of its own');
      const { page, browser } = login;
      if (page.status >= 400) return { ...failed(page), remedy: `${id} ${why}` };
      const { headers, text } = await app.look(browser);
      const found = 'A name is shown as markup: it could contain a script.';
      if (headers.get('content-type')?.includes('html') && text.includes('<b>Twin</b>'))
        return { found, remedy: 'Escape what comes from a profile.' };
    }
    return undefined;
  },
  'session ID': async (app, { session }) => {
    if (!app.tells()) return cannotTell(session);
    const browser = app.browser();
    await app.look(browser);
    const callback = await app.allow(await app.begin(browser));
    const planted = app.browser(browser.cookies());
    await app.finish(browser, callback);
    if ((await app.who(planted)) === 'nobody') return undefined;
    return {
      found: 'The cookies from before the login show the user, too: whoever planted them is signed in.',
      remedy:
        'Give the user a new session ID: req.logIn does with Passport 0.6 or newer and a session that has regenerate().',
    };
  },
  'second login': async (app) => {
    const { browser } = await app.logIn();
    const opened = await app.open(browser).catch(missingForm);
    if (!opened) return skipped('the page has no form for who is signed in');
    const { location, ...visited } = opened;
    const page =
      location === undefined
        ? await app.record(visited)
        : (await app.finish(browser, await app.allow(location))).page;
    return expectUser(app, { browser, page });
  },
  decline: async (app) => {
    const browser = app.browser();
    const callback = await app.deny(await app.begin(browser));
    return expectNobody(app, browser, callback, VERIFIED, false);
  },
  'Back, then Allow': async (app) => {
    const browser = app.browser();
    const authorization = await app.begin(browser);
    await app.finish(browser, await app.deny(authorization));
    const callback = await app.allow(authorization).catch(() => undefined);
    if (callback === undefined) return skipped('the network itself refuses a second decision');
    return upset((await app.finish(browser, callback)).page);
  },
  'network error': async (app) => {
    for (const fault of ERRORS) {
      const login = await app.logInWith(fault);
      if (await app.isLoggedIn(login)) {
        const found = `Somebody is signed in although the network answered with the fault "${fault.kind}".`;
        return { found, remedy: VERIFIED };
      }
      const problem = bare(login.page);
      if (problem) return problem;
    }
    return undefined;
  },
  'slow network': async (app, { patience = PATIENCE }) => {
    const milliseconds = Math.round(patience / 8);
    const problem = await expectUser(app, await app.logInWith({ kind: 'delay', milliseconds }));
    const remedy = 'Leave the timeout of the strategy at 10 seconds.';
    return after(`The network took ${milliseconds / 1000} seconds.`, problem, remedy);
  },
  'silent network': async (app, { patience = PATIENCE }) => {
    try {
      return bare((await app.logInWith({ kind: 'hang' }, AbortSignal.timeout(app.timeout(patience)))).page);
    } catch (error) {
      if (!isTimeout(error as Error) || app.isLate()) throw error;
      return {
        found: `The network is silent, and the application did not answer within ${patience / 1000} seconds.`,
        remedy: 'Leave the timeout of the strategy at 10 seconds, or shorten it.',
      };
    }
  },
  'other form of the response': async (app) => {
    const browser = app.browser();
    const callback = packed(await app.allow(await app.begin(browser)));
    if (callback === undefined) return skipped('the network has one form');
    const problem = await expectUser(app, await app.finish(browser, callback));
    const remedy =
      'Let every response through to the strategy: isLoginResponse(req) in place of req.query.code.';
    return after('VK ID sends flat parameters, or all of them in payload.', problem, remedy);
  },
  'two tabs': (app) => tabs(app, (callbacks) => callbacks),
  'two tabs, the second first': (app) => tabs(app, (callbacks) => callbacks.toReversed()),
  'reload after success': async (app) => {
    const { browser, callback } = await app.logIn();
    const { page } = await app.finish(browser, callback);
    return upset(page) ?? expectUser(app, { browser });
  },
  'reload after failure': async (app) => {
    const browser = app.browser();
    const callback = await app.deny(await app.begin(browser));
    await app.finish(browser, callback);
    return expectNobody(app, browser, callback);
  },
  'stray callback': (app) => expectNobody(app, app.browser(), app.callback.split('?')[0] ?? ''),
  'forged callback': async (app) => {
    const browser = app.browser();
    const callback = await app.allow(await app.begin(browser));
    const problem = await expectNobody(app, browser, forged(callback), OWN_STORE);
    if (problem) return problem;
    const lost = await expectUser(app, await app.finish(browser, callback));
    return after("A forged response spent the user's own login.", lost, OWN_STORE);
  },
  'planted callback': async (app) => {
    const callback = await app.allow(await app.begin(), 'second');
    const problem = await expectNobody(app, app.browser(), callback, OWN_STORE);
    return after('Another browser began this login.', problem);
  },
  'expired login': async (app) => {
    const browser = app.browser();
    const callback = await app.allow(await app.begin(browser));
    const horizon = Date.now() / 1000 + LONGEST_LOGIN;
    const cookies = browser.cookies();
    const kept = cookies.filter(({ expires }) => expires === -1 || expires > horizon);
    if (kept.length === cookies.length) return skipped('no cookie of the login expires');
    const problem = await expectNobody(app, app.browser(kept), callback, OWN_STORE);
    if (kept.length > 0 && problem?.remedy === OWN_STORE) return skipped('another cookie keeps the login');
    return after("The login's cookie had expired.", problem);
  },
  'somebody else signed in': async (app, { session }) => {
    if (!app.tellsApart()) return cannotTell(session);
    const browser = app.browser();
    const [early, other] = [await app.begin(browser), await app.begin(browser)];
    await app.logIn('first', browser);
    const problem = await expectUser(app, await app.finish(browser, await app.allow(early, 'second')));
    const found = 'A login that had begun earlier changed who is signed in.';
    if (problem) return (await strictSession(app, browser)) ?? after(found, problem);
    // A strategy finishes a login wherever its response arrives.
    await app.finish(browser, new URL(new URL(await app.allow(other, 'second')).search, app.start).href);
    const switched = await expectUser(app, { browser });
    return after(
      'A response at the URL that starts the login changed who is signed in.',
      switched,
      START_GUARD,
    );
  },
  cookies: async (app) => {
    const { browser } = await app.logIn();
    const cookies = browser.cookies();
    const [dropped] = browser.dropped;
    if (dropped) {
      const isLarge = dropped.reason.includes('characters');
      const remedy = isLarge ? SMALLER : "Set sameSite: 'lax' and path: '/', and no domain.";
      return { found: `Browsers drop the cookie ${dropped.name}: ${dropped.reason}.`, remedy };
    }
    const { length } = browser.cookieHeader(app.start);
    const found = `The cookies have ${length} characters together; servers take 8,000.`;
    if (length > MOST_COOKIES) return { found, remedy: SMALLER };
    const strict = await strictSession(app, browser);
    if (strict) return strict;
    const profile = cookies.find(({ value }) => PROFILE.test([value, ...decoded(value)].join('\n')));
    if (profile)
      return {
        found: `The cookie ${profile.name} has the whole profile, which anybody with it can read.`,
        remedy: ID_ONLY,
      };
    const hidden = app.browser(cookies.filter(({ httpOnly }) => httpOnly));
    if (app.tells() && (await app.who(hidden)) === 'nobody') {
      const names = namesOf(cookies.filter(({ httpOnly }) => !httpOnly));
      return {
        found: `Scripts can read ${names}, which tells who the user is.`,
        remedy: 'Set httpOnly: true.',
      };
    }
    const open = cookies.filter(({ secure }) => !secure);
    if (open.length === 0 || !app.start.startsWith('https:')) return undefined;
    return {
      found: `Without Secure, ${namesOf(open)} goes over plain http as well.`,
      remedy:
        "Set secure: true for the cookie of the session; behind a proxy also app.set('trust proxy', 1).",
    };
  },
  'foreign Host': (app) => foreignHost(app, 'Host'),
  'foreign X-Forwarded-Host': (app) => foreignHost(app, 'X-Forwarded-Host'),
  caching: async (app) => {
    const page = app.kept && app.tells() ? await app.look(app.kept.browser) : undefined;
    const value = page?.headers.get('cache-control') ?? '';
    if (page && /\bpublic\b|\bs-maxage\b/i.test(value))
      return {
        found: `${pathOf(page)} shows the user with Cache-Control: ${value}: a proxy shows it to the next one.`,
        remedy: 'Answer pages that show a user with Cache-Control: private, or no-store.',
      };
    return header(app, 'Cache-Control', (value) => /\bno-store\b/i.test(value));
  },
  'Referrer-Policy': (app) =>
    header(app, 'Referrer-Policy', (value) => value !== '' && !/unsafe-url|when-downgrade/i.test(value)),
  'sign-out': async (app, { session, signOut }) => {
    if (!app.tells()) return cannotTell(session);
    const { browser, callback } = await app.logIn();
    const { text, url } = await app.look(browser);
    const own = SIGN_OUT.exec(text);
    const target = signOut ?? own?.[1]?.replaceAll('&amp;', '&');
    if (target === undefined)
      return skipped('the page has no sign-out link or form: name one with --sign-out URL');
    if (new URL(target, url).origin !== new URL(url).origin) return skipped('it leads to another site');
    const isForm = signOut === undefined && own?.[0].startsWith('action');
    const form = { method: 'POST', body: hiddenFields(text, own?.index ?? 0) };
    const navigation = { from: 'same-origin' as const, ...(isForm && form) };
    const before = browser.cookies();
    const signedOut = await app.record(await browser.open(new URL(target, url).href, navigation));
    if (signedOut.status === 404 || signedOut.status === 403)
      return {
        found: `${isForm ? 'POST' : 'GET'} ${target} answers with ${described(signedOut)}.`,
        remedy: 'Add the route that the page names, and let its form pass what checks such forms.',
      };
    const remedy = 'Sign out with req.logout(callback), and redirect in its callback.';
    if ((await app.who(browser)) !== 'nobody')
      return { found: `After ${isForm ? 'POST' : 'GET'} ${target} the user is still signed in.`, remedy };
    await app.finish(browser, callback);
    if ((await app.who(browser)) !== 'nobody')
      return { found: 'Reloading the old callback signs the user in again.', remedy };
    if ((await app.who(app.browser(before))) === 'nobody' || !(await hasSessionID(app, before)))
      return undefined;
    return { found: 'The cookies from before still show the user: the session lives on.', remedy };
  },
  deletion: async (app, { session, delete: target }) => {
    if (target === undefined) return skipped('name the URL that deletes an account with --delete URL');
    if (!app.tellsApart()) return cannotTell(session);
    const [{ browser }, { browser: elsewhere }] = [await app.logIn('second'), await app.logIn('second')];
    const { text, url } = await app.look(browser);
    const index = text.search(new RegExp(`action\\s*=\\s*["']?${target.replace(/[^\w/]/g, '.')}["'\\s>]`));
    const form = { method: 'POST', body: index < 0 ? '' : hiddenFields(text, index) };
    const opened = await browser.open(new URL(target, url).href, { from: 'same-origin', ...form });
    const page = await app.record(opened);
    if (page.status >= 400)
      return {
        found: `POST ${target} answers with ${described(page)}.`,
        remedy: 'Name the URL to which the form posts, and let the form pass what checks it.',
      };
    for (const one of [browser, elsewhere]) {
      const { status } = await app.look(one);
      const where = one === browser ? 'the browser' : 'another browser of the user';
      const isUser = status < 500 && (await app.who(one)) !== 'nobody';
      const found = `After the deletion ${where} ${isUser ? 'is still signed in' : `gets HTTP ${status}`}.`;
      const remedy =
        'Sign out with req.logout(callback), and let deserializeUser find the user: done(null, user ?? false).';
      if (isUser || status >= 500) return { found, remedy };
    }
    const again = await expectUser(app, await app.logIn('second'), 'second');
    return after(
      'The user was deleted, and logs in again.',
      again,
      'Remove every row that points to the user, too.',
    );
  },
  'error pages': async (app) => {
    const page = app.seen.find(({ text }) => STACK.test(text));
    return page && { found: `${pathOf(page)} shows a stack to the user.`, remedy: ERROR_PAGE };
  },
  'session at the end': async (app, { session }) => {
    if (!app.kept || !app.tells()) return cannotTell(session);
    if ((await app.who(app.kept.browser)) !== 'nobody') return undefined;
    const found = 'The user of the first login is not signed in any more, after less than a minute.';
    return { found, remedy: 'Give the session and its cookie a maxAge of hours, in milliseconds.' };
  },
  'return URLs': async (app) => {
    const isEvil = (url: string) => new URL(url).hostname === EVIL_HOST;
    const isElsewhere = (url: string) => isAuthorization(url) || isEvil(url);
    for (const target of ELSEWHERE) {
      const start = new URL(app.start);
      for (const name of RETURN_PARAMETERS) start.searchParams.set(name, target);
      const browser = app.browser();
      const begun = await app.open(browser, { url: start.href, isEnd: isElsewhere });
      const { location = '' } = begun;
      const callback = location !== '' && !isEvil(location) && (await app.allow(location));
      const end = callback ? await browser.open(callback, { from: 'cross-site' }, isElsewhere) : begun;
      if (end.location === undefined || !isEvil(end.location)) continue;
      return {
        found: `A login that starts with such as ?returnTo=${target} ends at another site.`,
        remedy: 'Redirect to local paths only: isLocalURL(url) of passport-social-networks tells.',
      };
    }
    return undefined;
  },
  'secrets in responses': async (app) => {
    const secrets = await app.secrets();
    for (const page of app.seen) {
      const lines = [...page.headers].map(([name, value]) => `${name}: ${value}`);
      // A callback without an authorization response starts a login, whose address belongs to the network.
      const to = new URL(page.headers.get('location') ?? '/', page.url).href;
      const own = app.isSandbox(to) ? lines.filter((line) => !line.startsWith('location')) : lines;
      const place = [`body: ${page.text}`, ...own].find((text) =>
        secrets.some((secret) => holds(text, secret)),
      );
      if (place === undefined) continue;
      return {
        found: `${pathOf(page)} answers with a code or token of the network, in: ${place.split(':')[0]}.`,
        remedy: "Keep the network's tokens on the server, and redirect to URLs of your own.",
      };
    }
    return undefined;
  },
};

/** @param start - Length of the file when the rehearsal began. */
const logCheck =
  (start: number): Check =>
  async (app, { log }) => {
    if (log === undefined) return skipped('name the file with --log FILE');
    // Loggers write with a delay.
    await wait(300);
    const secrets = await app.secrets();
    const text = readLog(log);
    if (text === undefined) return skipped(`${log} cannot be read`);
    const logged = text.length < start ? text : text.slice(start);
    if (logged === '') return skipped(`nothing was written to ${log}`);
    const lines = logged.split('\n');
    const line = lines.find((text) => secrets.some((secret) => holds(text, secret)));
    if (line === undefined) return undefined;
    return {
      found: `A line of ${log} has a code or token. It begins with "${line.slice(0, 40)}".`,
      remedy:
        'Log paths without their query, and no token. The guide Deploying has the setting of each logger.',
    };
  };

/** Faults that a page has to explain. */
const ERRORS: readonly SandboxFault[] = [
  { kind: 'answer', status: 500 },
  { kind: 'malformed' },
  { kind: 'reset' },
  { kind: 'rate-limit' },
];

const FIRST_PEOPLE = ['alice', 'anna'] as const;
/** People who differ in nothing but their names and what is easily lost of their IDs. */
const TWINS = ['max', 'maxine'] as const;
/** What applications call the page to which a login leads, and another site as filters overlook it. */
const RETURN_PARAMETERS =
  'returnTo return_to returnUrl returnURL return next redirect redirectTo redirect_to redirectUrl callbackUrl continue from to url'.split(
    ' ',
  );
const ELSEWHERE = ['https://', '//', '/\\', '/\t/', 'https:'].map((before) => `${before}${EVIL_HOST}/`);

/** What a page may show of a person. @param isSure - Leaves out what pages have as an example, too. */
function signsOf(id: string, isSure: boolean): readonly string[] {
  const person = PEOPLE.find((one) => one.id === id);
  if (!person) return [];
  const { displayName, givenName, handle, email, openId, unionId, microblogId, socialNetworkId } = person;
  const sure = [displayName, handle, openId, unionId, microblogId, String(socialNetworkId)];
  return [...sure, ...(isSure ? [] : [givenName, email])].filter((text) => text !== undefined);
}

/** Whether a page's words have a sign of one person that the other one has not. */
function shows(words: ReadonlySet<string>, id: string, otherID: string, isSure = false): boolean {
  const others = signsOf(otherID, false);
  const signs = signsOf(id, isSure).filter((text) => !others.includes(text));
  return signs.some((text) => {
    const parts = text.match(/[\p{L}\p{N}@._-]{2,}/gu) ?? [];
    return parts.length > 0 && parts.every((part) => words.has(part));
  });
}

/** Whom careless software locks out, and why. */
const OTHER_PEOPLE = [
  [
    'layla',
    'has no picture: photos, emails and familyName of a profile may be missing, as in profile.photos?.[0]?.value.',
  ],
  [
    'maxine',
    "has another user's e-mail address and handle, and a name that is markup: none of them identifies a user.",
  ],
  [
    'hubert',
    'has long names and a long ID: store them as text of any length, or cut names where you store them.',
  ],
  ['hanako', 'has an emoji in the name: let the database keep all of Unicode, such as utf8mb4 in MySQL.'],
] as const;

const missingForm = (error: Error) => {
  if (/has no form/.test(error.message)) return undefined;
  throw error;
};

const unknownPerson = (error: Error) => {
  if (/knows nobody/.test(error.message)) return undefined;
  throw error;
};

/** That one of two people sees the other's account, after both have logged in, each in a browser of their own. */
async function mixed(app: TestedApplication, pair: readonly [string, string]): Promise<Finding | undefined> {
  const browsers: Browser[] = [];
  for (const id of pair) {
    const login = await app.logIn(id).catch(unknownPerson);
    if (!login) return skipped('the sandbox has people of its own');
    if (login.page.status >= 400) return { ...failed(login.page), remedy: ONE_COLUMN };
    browsers.push(login.browser);
  }
  const pages: ReadonlySet<string>[] = [];
  for (const browser of browsers) pages.push(wordsOf(await app.look(browser)));
  const [first, second] = pair;
  const seen = pages.map((words) => ({
    first: shows(words, first, second),
    second: shows(words, second, first),
  }));
  if (seen[0]?.second && !seen[0].first) return { found: `${first} is shown as ${second}.` };
  if (seen[1]?.first && !seen[1].second) return { found: `${second} is shown as ${first}.` };
  if (seen[0]?.first && seen[1]?.second) return undefined;
  // Neither names nor IDs: an account may have a number of its own.
  const [one, other] = pages.map((words) => [...words].sort().join(' '));
  if (!app.tellsApart()) return skipped(UNTOLD);
  if (one === other) return { found: `${first} and ${second} see the same page, which tells others apart.` };
  if (pair === TWINS) return undefined;
  const who = [await app.who(browsers[0] as Browser), await app.who(browsers[1] as Browser)];
  return who[0] === 'first' && who[1] === 'second' ? undefined : { found: `${first} is shown as ${second}.` };
}

/** Browsers hold a form's redirects to the page's `form-action`, too: https://www.w3.org/TR/CSP3/#directive-form-action */
function formAction({ formPage }: TestedApplication, authorization: string): Finding | undefined {
  const policy = formPage?.headers.get('content-security-policy') ?? '';
  const [, sources = ''] = /(?:^|;)\s*form-action\s+([^;,]*)/i.exec(policy) ?? [];
  const isClosed =
    sources !== '' && sources.split(/\s+/).every((source) => /^('self'|'none'|)$/i.test(source));
  if (!formPage || !isClosed) return undefined;
  return {
    found: `Browsers block the form of ${pathOf(formPage)}: form-action ${sources.trim()} forbids its redirect to ${new URL(authorization).origin}.`,
    remedy: "Name the network's origin in form-action of the page's Content-Security-Policy, beside 'self'.",
  };
}

/** Why the application asked for no token. */
function withoutToken(app: TestedApplication, { browser, callback, sent, answer, page }: Finished): Finding {
  const route = pathOf({ url: callback } as Page);
  const found = `The application asked the network for no token after the user allowed the login, and shows ${described(page)}.`;
  const because = (cause: string, remedy: string): Finding => ({ found: `${found} ${cause}`, remedy });
  if (answer.status === 404)
    return because('', `No route answers ${route}: add it, or set callbackURL to the route that you have.`);
  // The strategy sets it whatever it answers.
  const isPassed = /no-store/.test(answer.headers.get('cache-control') ?? '');
  if ((answer.status === 403 || answer.status === 429) && !isPassed)
    return because(
      `${route} answers with HTTP ${answer.status} before the strategy runs.`,
      `Let navigations that come from another site pass at ${route}: what checks Sec-Fetch-Site, Origin or a form's token, or counts requests, is not for it.`,
    );
  const begun = app.started.at(-1);
  const given = (begun?.headers.getSetCookie() ?? []).map((line) => line.split('=')[0] ?? '');
  const [dropped] = browser.dropped;
  const cookie = `its cookie needs sameSite: 'lax', the path of ${route}, and no domain`;
  if (dropped)
    return because(
      `Browsers drop the cookie ${dropped.name}: ${dropped.reason}.`,
      `Change what the start of the login answers: ${cookie}.`,
    );
  const lost = given.find((name) => !sent.includes(`${name}=`));
  if (lost !== undefined)
    return because(
      `Browsers do not send the cookie ${lost} to ${route}.`,
      `Change what the start of the login answers: ${cookie}.`,
    );
  const to = answer.headers.get('location');
  const target = to === null ? undefined : new URL(to, callback);
  if (target?.pathname === route)
    return because(
      target.origin === new URL(callback).origin ? '' : `${route} redirects to another host.`,
      `${route} redirects to ${to}${target.search === '' ? ', without what the network sent: keep the query of a callback' : ': set callbackURL to the address at which the application answers'}.`,
    );
  if (target && (target.pathname === new URL(app.start).pathname || isAuthorization(target.href)))
    return because(
      `${route} starts another login.`,
      `Let no guard in front of ${route} send the user to the start: it has to come behind passport.authenticate().`,
    );
  if (given.length === 0)
    return because(
      `${pathOf(begun ?? page)} answered without a cookie for the login.`,
      `Let Set-Cookie of ${pathOf(begun ?? page)} through: a proxy or a framework drops it, or the option store keeps the login elsewhere.`,
    );
  return because(
    '',
    `Let passport.authenticate() answer ${route}, in the browser that began the login: its cookie has to come back, and no session, limit or check in front may turn the callback away.`,
  );
}

/** What is wrong with the cookie of the session, if that is why nobody is signed in. */
function sessionCookie({ browser, answer, sent }: Finished, page: string): Finding | undefined {
  const [dropped] = browser.dropped;
  const cookie =
    "Set the cookie of the session with sameSite: 'lax', path: '/', no domain, and secure only over https";
  if (dropped)
    return { found: `Browsers drop the cookie ${dropped.name}: ${dropped.reason}.`, remedy: `${cookie}.` };
  const header = browser.cookieHeader(page);
  const astray = browser.cookies().find(({ name }) => !header.includes(`${name}=`));
  if (astray)
    return {
      found: `The cookie ${astray.name} is not sent to ${page}: its Path is ${astray.path}.`,
      remedy: `${cookie}.`,
    };
  if (browser.cookies().length > 0) return undefined;
  const names = answer.headers.getSetCookie().map((line) => line.split('=')[0] ?? '');
  const short = names.find((name) => !sent.includes(`${name}=`));
  if (short !== undefined)
    return {
      found: `The cookie ${short} expires as soon as it is set.`,
      remedy: 'Give the session and its cookie a maxAge of hours, in milliseconds.',
    };
  return {
    found: 'After a login the browser has no cookie: no response set one for a session.',
    remedy: `Add the session's middleware in front of passport.session(). ${cookie}; behind a proxy that ends TLS app.set('trust proxy', 1).`,
  };
}

/** The last line of a log that tells of an error, of those that came after a length. */
function lastError(log: string | undefined, start: number): string | undefined {
  const lines = log === undefined ? [] : (readLog(log) ?? '').slice(start).split('\n');
  return lines
    .findLast((text) => /error|fail|exception/i.test(text))
    ?.trim()
    .slice(0, 300);
}

/** The parameter that belongs to one login alone. */
function stateOf(authorization: string): string | null {
  const { searchParams } = new URL(authorization);
  return searchParams.get('state') ?? searchParams.get('oauth_token');
}

const cannotTell = (session: boolean | undefined): Finding =>
  skipped(session === false ? 'the application has no session' : UNTOLD);

const failed = (page: Page): Finding => ({
  found: `The login ends at ${pathOf(page)} with ${described(page)}.`,
});

/** The remedy of a check that knows none. */
function remedyOf(name: string, found: string): string {
  if (/knows nobody/.test(found)) return "Name two of the sandbox's people, such as --people alice,anna.";
  if (found.includes('certificate is not trusted'))
    return 'Trust who issued it: --ca FILE, such as rootCA.pem of mkcert. A certificate for another name has to be made anew.';
  if (name === 'start' && /HTTP 5\d\d/.test(found))
    return 'The log of the application says why. Usual causes: passport.session() without a session before it, or a strategy of another name.';
  if (/HTTP 429/.test(found) || (name === 'start' && /HTTP 403/.test(found)))
    return 'Something in front of the strategy refuses the visit: a limit of requests, or a check of Sec-Fetch headers or of forms. Let GET navigations pass.';
  if (name === 'start' && /not answer in time/.test(found))
    return 'A handler must call what passport.authenticate(...) returns: passport.authenticate(name)(req, res, next).';
  if (name === 'start' && !found.startsWith('The sandbox refuses')) return START;
  if (/HTTP 404/.test(found))
    return 'No route answers the redirect URI: add it, or set the option callbackURL to the route that you have.';
  return /not answer in time/.test(found)
    ? 'Call next(error) or answer in every branch of the callback.'
    : LOGS;
}

/** What is wrong with a page that follows a user's own mistake. */
const upset = (page: Page): Finding | undefined =>
  page.status >= 500 || STACK.test(page.text) || isBlank(page)
    ? { found: `${pathOf(page)} answers with ${described(page)}.`, remedy: FAILURE_PAGE }
    : undefined;

/** Whether a person sees nothing. */
const isBlank = ({ status, text }: Page): boolean => (status < 300 || status >= 400) && text.trim() === '';

/** What is wrong with a page that follows an error of the network. */
function bare(page: Page): Finding | undefined {
  if (STACK.test(page.text))
    return { found: `${pathOf(page)} shows a stack to the user.`, remedy: ERROR_PAGE };
  return isBlank(page)
    ? { found: `${pathOf(page)} answers with an empty page.`, remedy: ERROR_PAGE }
    : undefined;
}

/** @param login - Without a page, only who is signed in counts. */
async function expectUser(
  app: TestedApplication,
  { browser, page }: { readonly browser: Browser; readonly page?: Page },
  wanted: Person = 'first',
): Promise<Finding | undefined> {
  if (page && page.status >= 400) return failed(page);
  if (!app.tells()) return undefined;
  const who = await app.who(browser);
  if (who === wanted || who === 'somebody') return undefined;
  return {
    found: who === 'nobody' ? 'Nobody is signed in afterwards.' : 'The other person is signed in afterwards.',
    remedy: GUARD,
  };
}

async function expectNobody(
  app: TestedApplication,
  browser: Browser,
  callback: string,
  remedy = VERIFIED,
  mayRestart = true,
): Promise<Finding | undefined> {
  const login = await app.finish(browser, callback);
  const { page } = login;
  const isLoop = !mayRestart && page.status >= 300 && page.status < 400 && !isHandedOver(page);
  if (isLoop)
    return { found: 'The user is sent to the network again, and never comes back.', remedy: FAILURE_PAGE };
  const problem = upset(page);
  if (problem || !(await app.isLoggedIn(login))) return problem;
  return { found: 'Somebody is signed in afterwards.', remedy };
}

const namesOf = (cookies: readonly BrowserCookie[]): string => cookies.map(({ name }) => name).join(', ');

/** That the user is signed in by a cookie which is not sent when the browser comes back from the network. */
async function strictSession(app: TestedApplication, browser: Browser): Promise<Finding | undefined> {
  const strict = browser.cookies().filter(({ sameSite }) => sameSite === 'Strict');
  const others = browser.cookies().filter((cookie) => !strict.includes(cookie));
  if (strict.length === 0 || !app.tells() || (await app.who(app.browser(others))) !== 'nobody')
    return undefined;
  return {
    found: `SameSite=Strict: no browser sends ${namesOf(strict)} along when it comes back from the network, which is another site.`,
    remedy: "Set sameSite: 'lax' for the cookie of the session.",
  };
}

/** Whether a session's ID signs the user in. A session in a cookie, which no server can end, is long, readable or always the same. */
async function hasSessionID(app: TestedApplication, cookies: readonly BrowserCookie[]): Promise<boolean> {
  const again = (await app.logIn()).browser.cookies().map(({ value }) => value);
  const needed: string[] = [];
  for (const cookie of cookies) {
    const others = app.browser(cookies.filter((other) => other !== cookie));
    if ((await app.who(others)) === 'nobody') needed.push(cookie.value);
  }
  const isID = (value: string) =>
    value.split('.').every((part) => part.length <= LONGEST_ID) &&
    ![value, ...decoded(value)].some((text) => /"\w+":/.test(text)) &&
    !again.includes(value);
  return needed.length > 0 && needed.every(isID);
}

async function tabs(
  app: TestedApplication,
  order: (callbacks: readonly string[]) => readonly string[],
): Promise<Finding | undefined> {
  const browser = app.browser();
  const callbacks: string[] = [];
  while (callbacks.length < 2) callbacks.push(await app.allow(await app.begin(browser)));
  for (const callback of order(callbacks)) {
    const problem = await expectUser(app, await app.finish(browser, callback));
    if (problem) return { ...problem, remedy: OWN_STORE };
  }
  return undefined;
}

async function foreignHost(app: TestedApplication, name: string): Promise<Finding | undefined> {
  const headers = { [name.toLowerCase()]: EVIL_HOST };
  const isEnd = (url: string) => isAuthorization(url) || new URL(url).hostname === EVIL_HOST;
  const { location, response } = await app.open(app.browser(), { headers, isEnd });
  if (location === undefined)
    return response.status >= 400 ? undefined : skipped(`no login starts with the header ${name}`);
  // OAuth 1.0a tells the redirect URI from server to server. The sandbox refuses one that is not registered, as a network does.
  const redirectUri =
    new URL(location).searchParams.get('redirect_uri') ?? (await app.deny(location).catch(() => app.start));
  if (new URL(redirectUri).hostname !== EVIL_HOST) return undefined;
  return {
    found: `The redirect URI follows the header ${name}, which anybody can send: the code would go to ${EVIL_HOST}.`,
    remedy: `Set baseURL: '${new URL(app.start).origin}' for the strategy.`,
  };
}

/** A header that the strategy sets, with the response that starts a login and with the one that ends it. */
async function header(
  app: TestedApplication,
  name: string,
  isRight: (value: string) => boolean,
): Promise<Finding | undefined> {
  const [started] = app.started;
  const [answered] = app.seen;
  for (const page of [started, answered]) {
    const value = page?.headers.get(name) ?? '';
    if (!page || isRight(value)) continue;
    return {
      found: `${pathOf(page)} answers with ${name}: ${value || 'nothing'}.`,
      remedy: `Leave the ${name} of the strategy as it is in the routes of logins.`,
    };
  }
  return undefined;
}

/** VK ID's response in one parameter, as JSON; `undefined` for a response of another network. */
function packed(callback: string): string | undefined {
  const url = new URL(callback);
  if (!url.searchParams.has('device_id')) return undefined;
  const payload = JSON.stringify(Object.fromEntries(url.searchParams));
  url.search = String(new URLSearchParams({ payload }));
  return url.href;
}

/** A response with other values. */
function forged(callback: string): string {
  const url = new URL(callback);
  for (const name of url.searchParams.keys()) url.searchParams.set(name, 'FORGED');
  return url.href;
}

/** As it is, percent-encoded in any way, or as a session in a cookie has it. */
const holds = (text: string, secret: string): boolean =>
  [text, percentDecoded(text), ...decoded(text)].some((part) => part.includes(secret));

const percentDecoded = (text: string): string =>
  text.replace(/%([0-7][0-9a-f])/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));

const decoded = (line: string): readonly string[] =>
  line
    .replace(/%2b/gi, '+')
    .replace(/%2f/gi, '/')
    .split(/[^\w+/-]+/)
    .filter((part) => part.length > 20)
    .map((part) => Buffer.from(part, 'base64').toString('latin1'));

function isPair(value: unknown): boolean {
  return Array.isArray(value) && value.length === 2 && new Set(value).size === 2 && value.every(STRING[0]);
}

const lengthOf = (log: string | undefined): number => (log === undefined ? 0 : (readLog(log)?.length ?? 0));

function readLog(file: string): string | undefined {
  return existsSync(file) && statSync(file).isFile() ? readFileSync(file, 'utf8') : undefined;
}
