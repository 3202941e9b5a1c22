import { existsSync, readFileSync, statSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { Script } from 'node:vm';
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
import { NETWORKS, networkAt, type SandboxNetwork } from '../networks.js';
import type { SandboxFault } from '../traffic/faults.js';
import {
  described,
  type Finished,
  hiddenFields,
  isHandedOver,
  lastingWords,
  methodOf,
  type Page,
  type Person,
  pageOf,
  pathOf,
  TestedApplication,
  wordsOf,
} from './application.js';
import type { Browser, BrowserCookie, Navigation, Visited } from './browser.js';
import { isAuthorization, isTimeout, reasonOf } from './login.js';
import { bitsOf, commonSecret, forgeries, preimage, sessionID } from './session-values.js';

/** What to look at, and for how long. */
export interface RehearsalOptions {
  /** Page that tells who is signed in, absolute or relative. Default: the page to which the first login leads. */
  readonly page?: string | undefined;
  /** Whether the application keeps users signed in with cookies. Default: `true`. */
  readonly session?: boolean | undefined;
  /** Whether a script of a page starts the login, by `fetch` and POST, and goes to the first URL in the JSON that it gets. Default: `false`. */
  readonly fetch?: boolean | undefined;
  /**
   * URL that signs the user out: by the form or link of the page that leads there, as it is, or else by GET, and by POST if GET finds no route.
   * Default: the page's own link or form that is called so.
   */
  readonly signOut?: string | undefined;
  /** URL that deletes the account of who is signed in, by POST, with the hidden fields of the page's form for it. Default: not tried. */
  readonly delete?: string | undefined;
  /**
   * URL that starts the login of another network or account, to link it to who is signed in, by POST as `delete`. A login of it starts beside
   * the rehearsed one, under a name of its path: `/signin/microblog` for `/link/microblog`. Default: not tried.
   */
  readonly link?: string | undefined;
  /** Where the application starts logins of other networks, absolute or relative. Besides that of `link`. Default: none. */
  readonly others?: readonly string[] | undefined;
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

interface Session {
  readonly browser: Browser;
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

/** A finding whose cause is that of the check, unless it has one of its own. */
const because = (cause: string, finding: Finding | undefined, remedy: string): Finding | undefined =>
  finding?.remedy === undefined && !finding?.isSkipped ? after(cause, finding, remedy) : finding;

const wrong = (found: string, remedy: string): Finding => ({ found, remedy });

const skipped = (found: string): Finding => ({ found, isSkipped: true });

const OWN_PEOPLE = 'the sandbox has people of its own';
/** Why something essential could not be tried. */
const NO_TIME = 'no time left';
const NO_LOGIN_OF = 'no login of the network of';
const LIMITED = 'a limit of requests refuses the visits';
const UNTOLD = 'the page does not tell who is signed in: name another one with --page /profile';
const NAMES_ONLY =
  'the page shows nothing by which two people of one name differ: name one that also shows the ID of the account, with --page /profile';

const OPTIONS: Shape = {
  'page?': STRING,
  'session?': BOOLEAN,
  'fetch?': BOOLEAN,
  'signOut?': STRING,
  'delete?': STRING,
  'link?': STRING,
  'others?': [Array.isArray, 'must be a list of URLs'],
  'people?': [isPair, "must be the IDs of two people, such as ['alice', 'anna']"],
  'ca?': STRING,
  'form?': STRING,
  'log?': STRING,
  'patience?': integer(1, 999_999, 'must be a number of milliseconds'),
  'only?': [Array.isArray, 'must be a list of checks'],
  'onCheck?': FUNCTION,
};

const STACK = /(?:\bat |[\\/])[^\n<]{1,300}\.[cm]?[jt]sx?:\d+:\d+/;
const TARGETS = /(?:href|action)\s*=\s*["']?([^"'\s>]{1,2000})/gi;
const SIGN_OUT = /(?:href|action)\s*=\s*["']?([^"'\s>=]{0,300}(?:log|sign)[-_]?out[^"'\s>]{0,300})/i;
const UNLINK = /(?:action|href)\s*=\s*["']?([^"'\s>]{0,300}(?:unlink|disconnect|detach)[^"'\s>]{0,300})/gi;
const FORM_WITHOUT_TOKEN = { method: 'POST', body: '', from: 'same-origin' } as const;
const START_GUARD =
  "In front of the strategy: if (req.user || isLoginResponse(req)) return res.redirect('/').";
/** Longer than the strategies' timeout, in milliseconds. */
const PATIENCE = 15_000;
/** Time for everything but the silent network, in milliseconds. */
const TIME = 40_000;
/** Milliseconds that a check has however late it is, because it needs one request, or none. */
const OWN_TIME: Readonly<Record<string, number>> = {
  caching: 5_000,
  'session at the end': 5_000,
  'secrets in responses': 5_000,
  'Referrer-Policy': Number.POSITIVE_INFINITY,
  'error pages': Number.POSITIVE_INFINITY,
  'secrets in logs': Number.POSITIVE_INFINITY,
};
/** A limit that refuses fewer logins of one address in a row refuses users. */
const FEW_LOGINS = 20;
/** Milliseconds after which the slowest store has saved a session. */
const LATE = 600;
/** Logins after which a store for few sessions has dropped the first. */
const MANY_LOGINS = 40;
const EVIL_HOST = 'evil.example';
/** The cookie of a pending login, unless `cookieLogins` names it. */
const LOGIN_COOKIE = /^(__Host-)?login\./;
/** Seconds. Users need longer to read a page. */
const SHORTEST_SESSION = 120;
const LONGER = 'Give the session and its cookie a maxAge of hours, in milliseconds.';
/** The cookie of a pending login lives shorter, in seconds, and a session longer. */
const LONGEST_LOGIN = 3_600;
/** An ID of a session, and its signature, are shorter. */
const LONGEST_ID = 64;
/** Whoever tries IDs of a session finds a shorter one. */
const FEWEST_BITS = 48;
/** Servers commonly take 8 kB of headers. */
const MOST_COOKIES = 7_500;

const ROUTE =
  'No route answers the redirect URI: add it, or set the option callbackURL to the route that you have, in the options, or at every start and link.';
const VERIFY =
  'Usual causes: verify throws, or takes other arguments than passReqToCallback, passParamsToCallback and skipUserProfile say.';
const START =
  "Give the URL at which the running application starts a login, and spread the sandbox's options into its strategy.";
const ERROR_PAGE =
  'Add an error handler: app.use((error, req, res, next) => { console.error(error.message); res.status(error.status ?? 500).send("The login failed. Please try again."); }).';
const FAILURE_PAGE =
  'Answer a login that failed with a page: failureRedirect, or a callback of passport.authenticate().';
const OWN_STORE =
  'Leave out the option store, or keep one login for each tab, by its ID, in the browser that began it.';
const SMALLER = 'Keep the session on the server, and its ID in the cookie.';
/** Members that only a network's record has, or a profile with it. */
const MEMBERS =
  /"(_json|_raw|open_id|union_id|avatar_url\w*|profile_image_url\w*|public_metrics|screen_name|photo_\w+|can_access_closed)"/g;
/** A secret is one of them, or a part of one: the sandbox names none that is shorter. */
const LONG_WORDS = /[^\s"'<>]{16,}/g;
const ID_ONLY = 'Let serializeUser store the ID of your own user alone: done(null, user.id).';
const NO_VARIABLE =
  'Keep nothing of a login in a variable of the module: verify passes the user to done, and the callback route reads req.user.';
const ENDED =
  'A rejected promise that nobody handles ends the process: in the callback of passport.authenticate() pass each error to next(error), also where it is async.';
const GUARD =
  'Check in the callback, too, whether somebody is signed in: req.user ? res.redirect("/") : next().';
const VERIFIED = 'Sign a user in only if verify was called.';
const BY_BOTH = 'Find a user by provider and profile.id together, both as text, and by nothing else.';
const ONE_ROW = `${BY_BOTH} Change that row alone, let serializeUser store its ID, and deserializeUser find it by that ID: no cache or variable may keep one user for all.`;
const AS_IT_IS = `${BY_BOTH} Keep profile.id as it is: no Number(), parseInt(), toLowerCase() or slice(), and a column of text that compares exactly. E-mail addresses and handles belong to several people.`;
const BY_PROVIDER = `${BY_BOTH} Another network has the same IDs: the key, and each query, needs the provider.`;
const ONE_COLUMN =
  'Nothing but provider and profile.id may have to be unique: e-mail address, handle and name belong to several people.';
const BY_STATE =
  'Begin a link with { state: user.id }. In the callback, link to the account of info.state, if it is still signed in, and sign nobody in.';
const OWN_ID =
  'Let the database make the ID of an account, or take a random one: no count of rows, which is the ID of somebody else after a deletion. Let the session keep that ID, and no place in a list.';
const OWN_ROW = 'Delete the row of provider, profile.id and the user who is signed in.';
const OWN_LOGINS =
  'Keep one row for each login, with provider and profile.id as its key, or refuse a second login of a network.';
const SAME_SITE =
  "Let POST alone do it, with a token of the session in the form or if Sec-Fetch-Site is same-origin, and set sameSite: 'lax' for the cookie of the session: without it, Safari and Firefox send it with the form of any site.";
const ONE_OWNER = 'Answer 409 if provider and profile.id belong to another account, and change nothing.';
/** What verify takes for granted. */
const MISSING: Readonly<Partial<Record<SandboxNetwork, string>>> = {
  'short-video':
    "TikTok's profile has no name, emails or, without its scope, username: profile.name.givenName and profile.emails[0] throw, and a column for them must not be NOT NULL.",
  microblog:
    "X's profile has no name, and no emails without includeEmail: profile.name.givenName and profile.emails[0] throw, and a column for them must not be NOT NULL.",
  'social-network':
    "VK's profile may have no emails and no photos: profile.emails[0] throws, and a column for them must not be NOT NULL.",
};
const COOKIE =
  "Set the cookie of the session with sameSite: 'lax', path: '/', no domain, and secure only over https";
const KEYS =
  "Spread the sandbox's options into the strategy, for the same protocol, and replace no key, secret, scope or field of them with a wrong one.";
const LOGS =
  'The log of the application, of which --log FILE shows the last error here, and the console of the sandbox say why.';
const NO_USER =
  'verify passes no user: let done(null, user) get the row of the database, and done(error) each error, which a catch with done(null, false) hides.';
const MANY_SESSIONS =
  'Keep one session for each browser, by its random ID, in a store with room for all of them: no max of a few, and no key such as the address of the user.';
const SAVED =
  "Redirect in the callback of req.logIn or req.session.save, and let the store's set call its own callback when the session is saved.";
const KEPT =
  'Leave the session alone where a login fails: no req.logout, session.destroy or clearCookie in what answers failures and errors.';
const RANDOM_ID = 'Give each session a random ID: leave out genid, or let it return crypto.randomUUID().';
const BY_ACCOUNT = 'Delete by the ID of the account that is signed in alone: req.user.id.';
const EVERY_ROW = 'Remove every row that points to the user, too: of every login, and every session.';
const SHARED_SESSIONS =
  'Keep sessions in a store that all processes share, such as Redis or the database, with one secret.';
const DESERIALIZE =
  'Sign out with req.logout(callback), and let deserializeUser find the user: done(null, user ?? false).';

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
    const ownTime = OWN_TIME[name] ?? 0;
    app.giveTime(ownTime);
    const needsNothing = ownTime === Number.POSITIVE_INFINITY;
    const isLate = () => !isNeeded && app.isLate();
    const thrown = async (error: Error): Promise<Finding> => {
      if (isTimeout(error)) app.limit = patience / 4;
      if (error.message.startsWith(NO_LOGIN_OF)) return skipped(error.message);
      return isLate() ? skipped(NO_TIME) : unanswered(app, name, error);
    };
    const logStart = lengthOf(log);
    const late = isLate() ? NO_TIME : !needsNothing && app.refused && LIMITED;
    const judged = late ? skipped(late) : await check(app, options).catch(thrown);
    // The network itself has a limit there.
    if (name === 'network error' && !late) app.refused = undefined;
    const finding = !late && !needsNothing && app.refused ? limited(app.refused) : judged;
    const { isSkipped, ...rest } = finding ?? {};
    const remedy = finding && !isSkipped && { remedy: finding.remedy ?? remedyOf(name, finding.found) };
    const isAnswer = /HTTP [45]\d\d|in time|hang up/.test(finding?.found ?? '');
    const line = isAnswer && !isSkipped ? lastError(log, logStart, finding?.found) : undefined;
    const told = line !== undefined && { found: `${finding?.found} The log says: ${line}` };
    const result = {
      name,
      passed: isSkipped ? undefined : finding === undefined,
      ...rest,
      ...told,
      ...remedy,
    };
    const hasEnded = result.passed === false && name !== 'start' && !(await app.answers());
    const reason = result.found?.replace(/\.$/, '');
    const last = { ...result, found: `${reason}. Then the application ended.`, remedy: ENDED };
    const shown = hasEnded ? last : result;
    checks.push(shown);
    options.onCheck?.(shown, app.network ? `${app.network}, ${app.protocol}` : '');
    if (hasEnded || (result.passed === false && isNeeded)) break;
    if (name === 'login') app.limit = patience;
  }
  const passed = checks.every((check) => check.passed !== false);
  const untried = [NO_TIME, LIMITED, UNTOLD, NAMES_ONLY, NO_LOGIN_OF];
  const complete = checks.every(({ found = '' }) => !untried.some((reason) => found.startsWith(reason)));
  const { network, protocol } = app;
  return { url: String(url), ...(network && { network, protocol }), checks, passed, complete };
}

/** What is tried, in order. */
const CHECKS: Readonly<Record<string, Check>> = {
  start: async (app) => {
    const browser = app.browser();
    const first = await app.begin(browser);
    app.callback = await app.allow(first);
    const waiting = app.browser();
    app.waiting = { browser: waiting, authorization: await app.begin(waiting) };
    if (stateOf(first) === stateOf(app.waiting.authorization))
      return wrong(
        'Two browsers are sent to the network with one state: a cache answers the second one.',
        `Let no cache keep what ${new URL(app.start).pathname} answers: the strategy sets Cache-Control: no-store.`,
      );
    await app.requests();
    return formAction(app, first);
  },
  host: async (app) => {
    const [start, end] = [new URL(app.start), new URL(app.callback)];
    if (start.origin === end.origin) return undefined;
    app.start = new URL(start.pathname + start.search, end).href;
    return wrong(
      `The login starts at ${start.origin} and comes back at ${end.origin}: the browser's cookies stay behind.`,
      `Open the application at ${end.origin}, or change callbackURL or baseURL.`,
    );
  },
  login: async (app, options) => {
    const { page } = options;
    const logins: Finished[] = [];
    for (const who of ['first', 'first', 'second', 'second'] as const) {
      const login = await app.logIn(who);
      const refusal = await app.refusal();
      if (refusal !== undefined)
        return wrong(`The network refuses what the application asks: ${refusal}.`, KEYS);
      if (!(await app.hasToken())) return withoutToken(app, login);
      if (login.page.status >= 400)
        return strayCookie(login, login.page.url) ?? withoutUser(app, login, logins.length % 2 === 1);
      logins.push(login);
    }
    await app.learn(logins, page);
    if (app.tellsApart() || options.session === false) return undefined;
    // A session that is saved late: who looks too early may lose its cookie.
    app.pause = LATE;
    const later: Finished[] = [];
    for (const who of ['first', 'first', 'second', 'second']) later.push(await app.logIn(who));
    await app.learn(later, page);
    if (!app.tellsApart()) app.pause = 0;
    return undefined;
  },
  session: async (app, { session, people: [first, second] = FIRST_PEOPLE }) => {
    if (session === false) return cannotTell(session);
    const stranger = wordsOf(await app.look(app.browser()));
    // A page may have an address or a first name as an example.
    const isSure = app.tells();
    if (shows(stranger, first, second, isSure) || shows(stranger, second, first, isSure)) {
      app.isMixed = true;
      return wrong(
        `${app.page} shows the user to everybody, also to a browser that never logged in.`,
        'Keep the user in a session by a random ID in a cookie, not in a variable of the module or by address, and let no cache keep a page that shows a user.',
      );
    }
    const [one, , other] = app.logins;
    const twice = one?.browser.cookies().find((cookie) => isShared(cookie, other?.browser));
    if (twice) {
      app.isMixed = true;
      return wrong(`Two browsers have one session: the same ${twice.name}.`, RANDOM_ID);
    }
    if (app.tells()) return savedLate(app);
    await wait(LATE);
    if (one && shows(wordsOf(await app.look(app.browser(one.kept))), first, second))
      return wrong('Nobody is signed in right after the login, but somebody a moment later.', SAVED);
    const cookies = one && sessionCookie(one, app.page);
    if (one && (await endsAsDeclined(app, one)))
      return wrong(
        `A login ends at ${pathOf(one.page)} as one that the user declined, and nobody is signed in.`,
        cookies?.remedy === undefined ? NO_USER : `${NO_USER} If both lead to this page: ${cookies.remedy}`,
      );
    if (cookies) return cookies;
    for (let visit = 1; one && visit < 5; visit += 1)
      if (shows(wordsOf(await app.look(one.browser)), first, second)) return someVisits(app);
    const last = app.logins.at(-1);
    if (last && shows(wordsOf(await app.look(last.browser)), second, first))
      return wrong('The login of one user ends the session of another.', MANY_SESSIONS);
    return wrong(
      `After a login ${app.page} is the same as for somebody who never logged in.`,
      "Use passport.session() after the session's middleware, serializeUser and deserializeUser; or, if this page shows everybody the same, name another one: --page /profile.",
    );
  },
  'one account': async (app, { session, patience = PATIENCE }) => {
    if (!app.tells()) return cannotTell(session);
    const [mine, other] = await difference(app, app.logins);
    if (other !== undefined)
      return wrong(
        `Two logins of one person lead to two accounts: the page shows ${mine} and ${other}.`,
        'Find the user by provider and profile.id before you insert a new one.',
      );
    const together = (...people: string[]) => app.logInTogether(people, Math.round(patience / 8));
    // The first four open the application's connections to its database, too.
    const both = ['first', 'second', 'first', 'second'] as const;
    const finished = await together(...both);
    for (const [index, login] of finished.entries()) {
      const problem = await expectUser(app, login, both[index]);
      if (problem && app.tellsApart())
        return after('Two people log in at the same moment.', problem, NO_VARIABLE);
    }
    const looks = await Promise.all(
      finished.map(({ browser }, index) => expectUser(app, { browser }, both[index])),
    );
    const swapped = looks.find((problem) => problem !== undefined);
    if (swapped && app.tellsApart())
      return after(
        'Two people open a page at the same moment.',
        swapped,
        'Let no two requests share a look-up of the user, unless the ID of the user is its key.',
      );
    const [namesake, stranger] = [NAMESAKES[1], TWINS[1]];
    const logins = await together(namesake, namesake, namesake, stranger).catch(unknownPerson);
    if (logins === undefined) return skipped(OWN_PEOPLE);
    const begun = logins.slice(0, -1);
    const last = logins.at(-1);
    if (last && last.page.status < 400 && (await difference(app, [begun[0] as Finished, last])).length === 0)
      return wrong('Two people who log in for the first time at the same moment are one account.', OWN_ID);
    const pages = begun.map(({ page }) => page);
    const refused = pages.find(({ status }) => status >= 400);
    const others = await Promise.all(
      begun.slice(1).map((one) => difference(app, [begun[0] as Finished, one])),
    );
    if (!refused && others.every(({ length }) => length < 2)) return undefined;
    return wrong(
      `A person logs in for the first time in three tabs at once, and ${refused ? `one ends with ${described(refused)}` : 'has several accounts'}.`,
      'Make provider and profile.id together a unique key, insert with ON CONFLICT DO NOTHING, and read what is there.',
    );
  },
  'two accounts': async (app, { session, people: [first, second] = FIRST_PEOPLE, others = [], link }) => {
    if (session === false || app.isMixed) return cannotTell(session);
    const problem = await mixed(app, [first, second], app.start, true);
    if (problem) return { remedy: ONE_ROW, ...problem };
    const twins = await mixed(app, TWINS);
    const found =
      'IDs that differ in letter case or beyond 2^53, or people with one e-mail address, are one account.';
    if (twins) return because(found, twins, AS_IT_IS);
    for (const other of [...others, ...(link === undefined ? [] : [await besideLink(app, link)])])
      for (const pair of [SAME_ID, SAME_ID.toReversed()]) {
        const problem = await mixed(app, pair as [string, string], new URL(other, app.start).href);
        if (problem && !problem.isSkipped)
          return because('People of two networks who have one ID are one account.', problem, BY_PROVIDER);
      }
    if (!showsIDs(app, first)) return skipped(NAMES_ONLY);
    const namesakes = await mixed(app, NAMESAKES);
    return because(
      'People who differ in nothing but their IDs are one account.',
      namesakes,
      `${BY_BOTH} ${ONE_COLUMN} Let no cache keep a page, or a part of one, by the name.`,
    );
  },
  'other people': async (app, { people }) => {
    if (people) return skipped('other people than the default ones were named');
    if (app.isMixed) return skipped(UNTOLD);
    const before: Finished[] = app.logins.slice(0, 1);
    const [one, other] = app.people;
    const own = app.logins[0] && (await app.look(app.logins[0].browser));
    const isNamed = own && app.tells() && showsName(wordsOf(own), one, other);
    const headers = { 'accept-language': 'tlh' };
    const foreign = await app.browser(app.logins[0]?.browser.cookies()).visit(app.page, { headers });
    if (own && own.status < 400 && foreign.response.status >= 500)
      return wrong(
        `${pathOf(own)} answers with HTTP ${foreign.response.status} to a browser in another language.`,
        'Take a language that you have for each that you do not have.',
      );
    for (const id of OTHER_PEOPLE) {
      const login = await app.logIn(id).catch(unknownPerson);
      if (!login) return skipped(OWN_PEOPLE);
      const problem = await lockedOut(app, login, id);
      if (problem) return problem;
      const shown = await app.look(login.browser);
      const { text } = shown;
      const type = shown.headers.get('content-type') ?? '';
      const [, charset = 'utf-8'] = /charset\s*=\s*"?([\w-]+)/i.exec(type) ?? [];
      if (!/^(utf-?8|us-ascii)$/i.test(charset) && /\P{ASCII}/u.test(text))
        return wrong(`${pathOf(shown)} shows letters beyond ASCII with Content-Type: ${type}.`, NAMES);
      const taken = PEOPLE.find(
        (one) => shows(wordsOf(shown), one.id, id, true) && !shows(wordsOf(shown), id, one.id),
      );
      if (taken) return wrong(`${id} is shown as ${taken.id}.`, id === 'nora' ? AS_IT_IS : ONE_ROW);
      for (const earlier of app.tellsApart() ? before : [])
        if ((await difference(app, [earlier, login])).length === 0)
          return wrong(`${id} sees the account of somebody who logged in before.`, AS_IT_IS);
      before.push(login);
      const found = 'A name is shown as markup: it could contain a script.';
      const isMarkup = text.includes('<b>Twin</b>') || LEAVES_ATTRIBUTE.test(text);
      if (type.includes('html') && isMarkup) return { found, remedy: 'Escape what comes from a profile.' };
      const [bad] = BROKEN.exec(text) ?? scriptWith(text) ?? [];
      if (bad !== undefined) return wrong(`The page of ${id} has ${bad}.`, `${id} ${SPECIAL[id]}`);
      const plain = wordsOf({ text: unescapedOf(text) });
      if (id === 'hanako' && isNamed && !showsName(plain, id, app.people[0]))
        return wrong(`The page of ${id} does not show the name.`, `${id} ${SPECIAL[id]} ${NAMES}`);
    }
    return undefined;
  },
  'session ID': async (app, { session }) => {
    if (!app.tells()) return cannotTell(session);
    const guessed = await guessedSession(app);
    if (guessed !== undefined) return wrong(`The ID of a session can be guessed: ${guessed}.`, RANDOM_ID);
    const browser = app.browser();
    await app.look(browser);
    const callback = await app.allow(await app.begin(browser));
    const planted = app.browser(browser.cookies());
    await app.finish(browser, callback);
    const needed = await neededOf(app, app.logins[0]?.browser.cookies() ?? []);
    const own = app.browser(needed.map((cookie) => ({ ...cookie, value: 'planted'.repeat(5) })));
    const made = app.browser(own.cookies());
    await app.logIn('first', own);
    if ((await app.who(planted)) === 'nobody' && (await app.who(made)) === 'nobody') return undefined;
    return wrong(
      'The cookies from before the login show the user, too: whoever planted them is signed in.',
      'Give the user a new session ID: req.logIn does with Passport 0.6 or newer and a session that has regenerate().',
    );
  },
  'second login': async (app) => {
    const { browser } = await app.logIn();
    const opened = await app.open(browser).catch(missingForm);
    if (!opened) return skipped('the page has no form for who is signed in');
    const { location, ...visited } = opened;
    const page =
      location === undefined
        ? await pageOf(visited)
        : (await app.finish(browser, await app.allow(location))).page;
    const isRefused = location === undefined && page.status < 500 && !bare(page) && app.tells();
    if (isRefused && page.status >= 400 && !(await expectUser(app, { browser })))
      return skipped(`the application refuses it: ${described(page)}`);
    return expectUser(app, { browser, page });
  },
  decline: async (app) => {
    const browser = app.browser();
    const callback = await app.deny(await app.begin(browser));
    const problem = await expectNobody(app, browser, callback, VERIFIED, false);
    return problem ?? staysSignedIn(app, 'and declined it', (begun) => app.deny(begun));
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
      const login = await app.during(fault, () => app.logIn());
      if (await app.isLoggedIn(login)) {
        const found = `Somebody is signed in although the network answered with the fault "${fault.kind}".`;
        return { found, remedy: VERIFIED };
      }
      const problem = isLoop(login.page) ? LOOP : bare(login.page);
      if (problem) return problem;
    }
    const [fault] = ERRORS;
    return staysSignedIn(app, 'and the network had an error', (begun) => app.allow(begun), fault);
  },
  'slow network': async (app, { patience = PATIENCE }) => {
    const milliseconds = Math.round(patience / 8);
    const problem = await app.during({ kind: 'delay', milliseconds }, async () =>
      expectUser(app, await app.logIn()),
    );
    const remedy = 'Leave the timeout of the strategy at 10 seconds.';
    return after(`The network took ${milliseconds / 1000} seconds.`, problem, remedy);
  },
  'silent network': async (app, { patience = PATIENCE }) => {
    try {
      const signal = AbortSignal.timeout(app.timeout(patience));
      const logIn = () => app.logIn('first', app.browser(), signal);
      return bare((await app.during({ kind: 'hang' }, logIn)).page);
    } catch (error) {
      if (!isTimeout(error as Error) || app.isLate()) throw error;
      return wrong(
        `The network is silent, and the application did not answer within ${patience / 1000} seconds.`,
        'Leave the timeout of the strategy at 10 seconds, or shorten it.',
      );
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
  'two tabs': async (app, { others = [] }) => {
    for (const other of others) {
      const browser = app.browser();
      const callback = await app.allow(await app.begin(browser));
      await app.startingAt(new URL(other, app.start).href, () => app.begin(browser));
      const login = await app.finish(browser, callback);
      const [own] = app.logins;
      const isOther = own && app.tells() && (await difference(app, [own, login])).length > 0;
      if (isOther)
        return wrong(
          `A login ends in another account if one starts at ${other} in a second tab before.`,
          'Take the network from profile.provider, and nothing of a login from the session or a cookie.',
        );
    }
    return tabs(app, (callbacks) => callbacks);
  },
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
  'stray callback': async (app) => {
    const [route = ''] = app.callback.split('?');
    const markup = '<b>Stray</b>';
    const query = new URLSearchParams({ error: markup, error_description: markup, message: markup });
    const { page } = await app.finish(app.browser(), `${route}?${query.toString()}`);
    if (page.headers.get('content-type')?.includes('html') && page.text.includes(markup))
      return wrong(
        `${pathOf(page)} shows what stands in its URL as markup: a link to it could run a script.`,
        'Show info.message, escaped, and nothing of req.query.',
      );
    const problem = await expectNobody(app, app.browser(), route);
    if (problem) return problem;
    const user = await app.logIn();
    const opened = await app.finish(user.browser, route);
    return after(
      'A user who was signed in opened the URL of the callback.',
      upset(opened.page) ?? (await expectUser(app, { browser: user.browser })),
    );
  },
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
    // An application may refuse such a login with a page.
    const { page } = await app.finish(browser, await app.allow(early, 'second'));
    const problem = upset(page) ?? (await expectUser(app, { browser }));
    const found = 'A login that had begun earlier changed who is signed in.';
    const [start, end] = [app.start, app.callback].map((url) => new URL(url).pathname);
    const mount = end?.startsWith(`${start}/`)
      ? ` Mount ${start} with app.get: app.use takes ${end}, too.`
      : '';
    if (problem)
      return (
        (await strictSession(app, browser)) ?? after(found, problem, `${problem.remedy ?? GUARD}${mount}`)
      );
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
    const soon = Date.now() / 1000 + SHORTEST_SESSION;
    const brief = app.tells() ? await neededOf(app, cookies) : [];
    const ending = brief.find(({ expires }) => expires !== -1 && expires < soon);
    if (ending)
      return wrong(
        `The cookie ${ending.name} of the session ends in less than ${SHORTEST_SESSION} seconds.`,
        LONGER,
      );
    const profile = cookies.find(({ value }) => {
      const text = [unescapedOf(value), ...decoded(value)].join('\n');
      const members = [...new Set(text.match(MEMBERS))];
      return members.length > 1 || members.some((member) => member.startsWith('"_'));
    });
    if (profile)
      return wrong(
        `The cookie ${profile.name} has the whole profile, which anybody with it can read.`,
        ID_ONLY,
      );
    const visitor = app.browser();
    const left = async () => {
      await app.begin(visitor);
      return visitor.cookies().filter(({ name }) => !LOGIN_COOKIE.test(name));
    };
    const [{ length: one }, { length: two }, pile] = [await left(), await left(), await left()];
    const [last] = pile.slice(-1);
    if (last && one < two && two < pile.length)
      return wrong(
        `Each start of a login leaves a cookie more, such as ${last.name}: after many starts servers refuse the browser.`,
        'Give such a cookie one name, or keep what it has in the state of the login: { state } of passport.authenticate().',
      );
    const secret = cookies
      .map(({ name, value }) => commonSecret(name, value, cookieValue(cookies, `${name}.sig`)))
      .find((one) => one !== undefined);
    if (secret !== undefined)
      return wrong(
        `The secret "${secret}" signs a cookie: examples have it, and whoever knows it writes such cookies.`,
        "Take the secret from the environment: 32 random bytes, such as crypto.randomBytes(32).toString('base64').",
      );
    const forged = await forgedCookie(app);
    if (forged !== undefined)
      return wrong(
        `Anybody can write the cookie ${forged}: with the ID of another user in it, that user is signed in.`,
        'Sign users in by the session alone, and let nobody read its cookie without checking its signature: no signed: false, no jwt.decode(), no algorithm none. To remember them longer give its cookie a longer maxAge.',
      );
    const hidden = app.browser(cookies.filter(({ httpOnly }) => httpOnly));
    if (app.tells() && (await app.who(hidden)) === 'nobody') {
      const names = namesOf(cookies.filter(({ httpOnly }) => !httpOnly));
      return wrong(`Scripts can read ${names}, which tells who the user is.`, 'Set httpOnly: true.');
    }
    const open = cookies.filter(({ secure }) => !secure);
    if (open.length === 0 || !app.start.startsWith('https:')) return undefined;
    return wrong(
      `Without Secure, ${namesOf(open)} goes over plain http as well.`,
      "Set secure: true for the cookie of the session; behind a proxy also app.set('trust proxy', 1).",
    );
  },
  'foreign Host': (app) => foreignHost(app, 'Host'),
  'foreign X-Forwarded-Host': (app) => foreignHost(app, 'X-Forwarded-Host'),
  caching: async (app) => {
    const page = app.logins[0] && app.tells() ? await app.look(app.logins[0].browser) : undefined;
    const value = page?.headers.get('cache-control') ?? '';
    if (page && /\bpublic\b|\bs-maxage\b/i.test(value))
      return wrong(
        `${pathOf(page)} shows the user with Cache-Control: ${value}: a proxy shows it to the next one.`,
        'Answer pages that show a user with Cache-Control: private, or no-store.',
      );
    if (page && /\bmax-age=[1-9]/i.test(value) && !/\bno-(?:cache|store)\b/i.test(value))
      return wrong(
        `${pathOf(page)} shows the user with Cache-Control: ${value}: browsers show it again after the sign-out.`,
        'Answer pages that show a user with Cache-Control: no-store, or with no-cache.',
      );
    const etag = page?.headers.get('etag');
    const headers = { 'if-none-match': etag ?? '' };
    const next = page && etag ? await app.browser().visit(app.page, { headers }) : undefined;
    if (next?.response.status === 304)
      return wrong(
        `A browser that has the page of a user asks for it after the sign-out, and gets HTTP 304: it shows the user again.`,
        'Make the ETag from the page itself, as Express does, or leave it out.',
      );
    return header(app, 'Cache-Control', (value) => /\bno-store\b/i.test(value));
  },
  'Referrer-Policy': (app) =>
    header(app, 'Referrer-Policy', (value) => value !== '' && !/unsafe-url|when-downgrade/i.test(value)),
  'sign-out': async (app, { session, signOut }) => {
    if (!app.tells()) return cannotTell(session);
    const { browser, callback } = await app.logIn();
    const { text, url } = await app.lookForForms(browser);
    const own = signOut === undefined ? SIGN_OUT.exec(text) : leadingTo(text, url, signOut);
    const target = own?.[1]?.replaceAll('&amp;', '&') ?? signOut;
    if (target === undefined)
      return skipped('the page has no sign-out link or form: name one with --sign-out URL');
    const to = new URL(target, url);
    if (to.origin !== new URL(url).origin) return skipped('it leads to another site');
    const isStart = (to: string) =>
      isAuthorization(to) || new URL(to).pathname === new URL(app.start).pathname;
    const isForm = own !== null && own !== undefined && /^action/i.test(own[0]);
    const body = isForm ? hiddenFields(text, own.index) : '';
    let method = isForm ? methodOf(text, own.index) : 'GET';
    if (method === 'GET' && body !== '') to.search = body;
    const send = () =>
      browser.open(to.href, { from: 'same-origin', ...(method !== 'GET' && { method, body }) }, isStart);
    const before = browser.cookies();
    const witness = app.witness();
    const isWatched = witness !== undefined && (await app.who(witness.browser)) !== 'nobody';
    if (signOut === undefined || method !== 'GET') {
      await browser.open(to.href, { from: 'cross-site' });
      if ((await app.who(browser)) === 'nobody')
        return wrong(
          `A link of another site to ${target} signs the user out.`,
          'Sign out by POST alone, with a form.',
        );
    }
    let visited = await send();
    // A script may sign out.
    if (!own && /^40[45]/.test(String(visited.response.status))) {
      method = 'POST';
      visited = await send();
    }
    const signedOut = await pageOf(visited);
    if (isStart(visited.location ?? url))
      return wrong(
        `${target} sends the user who signed out to the next login.`,
        'Redirect to a page that starts no login: a network that remembers the user signs in again at once.',
      );
    if (signedOut.status === 404 || signedOut.status === 403)
      return wrong(
        `${method} ${target} answers with ${described(signedOut)}.`,
        own
          ? 'Add the route that the page names, and let its form pass what checks such forms.'
          : `${new URL(url).pathname} has no form or link that leads there: name with --sign-out the URL of one, or with --page the page that has it.`,
      );
    const remedy = 'Sign out with req.logout(callback), and redirect in its callback.';
    if ((await app.who(browser)) !== 'nobody') {
      const found = `After ${method} ${target} the user is still signed in`;
      const kept = await keptCookie(app, browser.cookies(), before);
      return kept === undefined
        ? wrong(`${found}.`, remedy)
        : wrong(
            `${found}, by the cookie ${kept}.`,
            `${remedy} In the same response, res.clearCookie('${kept}') with its path and domain, and delete what the server keeps for it.`,
          );
    }
    const newcomer = app.browser(browser.cookies());
    app.hasEnded = isWatched && (await app.who(witness.browser)) === 'nobody';
    if (app.hasEnded)
      return wrong(
        'The sign-out of one user signs another one out, too.',
        'End the session of this browser alone, with req.logout(callback): not all of the store, as store.clear() does.',
      );
    await app.finish(browser, callback);
    if ((await app.who(browser)) !== 'nobody')
      return { found: 'Reloading the old callback signs the user in again.', remedy };
    await app.finish(browser, await app.deny(await app.begin(browser)));
    if ((await app.who(browser)) !== 'nobody')
      return wrong(
        'The user signed out, somebody declined a login with the same browser, and the user is signed in again.',
        `${VERIFIED} Take nobody from a cookie of your own.`,
      );
    const next = app.tellsApart() && (await expectUser(app, await app.logIn('second', browser), 'second'));
    const left = next || (app.tellsApart() && (await expectUser(app, await app.logIn('second'), 'second')));
    if (left)
      return after('The user signed out, and somebody else logged in with the same browser.', left, remedy);
    const [one, other] = app.people;
    if (app.tellsApart() && showsName(wordsOf(await app.look(browser)), one, other))
      return wrong(
        'The user signed out, and the page of who logged in next with the same browser names the user.',
        `${remedy} Keep nothing of the session: no keepSessionInfo, and no cookie of your own.`,
      );
    const still = await app.who(app.browser(before));
    if (/first|somebody/.test(still) && (await hasSessionID(app, before)))
      return { found: 'The cookies from before still show the user: the session lives on.', remedy };
    // The social network does not let her in.
    if (app.network === 'social-network' || !(await app.logIn('dora', newcomer).catch(unknownPerson)))
      return undefined;
    if ((await app.who(newcomer)) !== 'first') return undefined;
    return wrong(
      'The user signed out, and the first login of somebody else with the same browser leads to the same account.',
      'Link a login to who is signed in alone: a cookie that outlives the session names nobody.',
    );
  },
  'slow user': async (app) => {
    if (!app.waiting) return skipped('no login was begun');
    const { browser, authorization } = app.waiting;
    const problem = await expectUser(app, await app.finish(browser, await app.allow(authorization)));
    return after(
      'A user consented some seconds after the start.',
      problem,
      'Give cookieLogins({ lifetime }) in milliseconds: 900_000 are 15 minutes.',
    );
  },
  'session at the end': async (app, { session }) => {
    const login = app.witness();
    if (!login || !app.tells()) return cannotTell(session);
    if ((await app.who(login.browser)) !== 'nobody') return undefined;
    if (app.hasEnded) return skipped('the sign-out of somebody else ended it');
    const { browser } = await app.logIn();
    const hasExpired = login.browser.cookies().length < browser.cookies().length;
    for (let count = 0; !hasExpired && count < MANY_LOGINS; count += 1) {
      await app.logIn();
      if ((await app.who(browser)) === 'nobody')
        return wrong('Later logins end the session of an earlier one.', MANY_SESSIONS);
    }
    const found = 'The user of one of the first logins is not signed in any more, after less than a minute.';
    return { found, remedy: LONGER };
  },
  'return URLs': async (app) => {
    const isEvil = (url: string) => new URL(url).hostname === EVIL_HOST;
    const isElsewhere = (url: string) => isAuthorization(url) || isEvil(url);
    const { origin, host } = new URL(app.start);
    const referer = `https://${EVIL_HOST}/`;
    for (const target of [...ELSEWHERE, `${origin}@${EVIL_HOST}/${host}`, undefined]) {
      const start = new URL(app.start);
      for (const name of target === undefined ? [] : RETURN_PARAMETERS)
        start.searchParams.set(name, target ?? '');
      const browser = app.browser();
      const headers = { ...(target === undefined && { referer }) };
      const begun = await app.open(browser, { url: start.href, headers, isEnd: isElsewhere });
      const { location = '' } = begun;
      const callback = location !== '' && !isEvil(location) && (await app.allow(location));
      const end = callback ? await browser.open(callback, { from: 'cross-site' }, isElsewhere) : begun;
      if (end.location === undefined || !isEvil(end.location)) continue;
      return wrong(
        `A login that starts with such as ${target === undefined ? `Referer: ${referer}` : `?returnTo=${target}`} ends at another site.`,
        'Redirect to local paths only: isLocalURL(url) of passport-social-networks tells.',
      );
    }
    return undefined;
  },
  linking: async (app, { session, link: target, delete: deletion }) => {
    if (target === undefined) return skipped('name the URL that starts a link with --link URL');
    return app.tellsApart() ? linking(app, target, deletion) : cannotTell(session);
  },
  deletion: async (app, { session, delete: target, people = FIRST_PEOPLE, link, others = [] }) => {
    if (target === undefined) return skipped('name the URL that deletes an account with --delete URL');
    if (!app.tellsApart()) return cannotTell(session);
    const [{ browser }, { browser: elsewhere }] = [await app.logIn('second'), await app.logIn('second')];
    const account = await app.shown(browser);
    // Who came last has the ID that counting gives to the next one after a deletion.
    const last = await app.logIn('ned').catch(unknownPerson);
    const lastAccount = last && (await app.shown(last.browser));
    const isGone = async () => (await app.who(elsewhere)) === 'nobody';
    const by = await byAnotherSite(app, browser, target, isGone);
    if (by !== undefined)
      return wrong(`A ${by} of another site to ${target} deletes the account.`, SAME_SITE);
    const page = await pageOf(await post(app, browser, target));
    if (page.status >= 400) {
      const isAfter = pathOf(page) !== new URL(target, page.url).pathname;
      return wrong(
        isAfter
          ? `After POST ${target}, ${pathOf(page)} answers with ${described(page)}.`
          : `POST ${target} answers with ${described(page)}.`,
        isAfter ? DESERIALIZE : 'Name the URL to which the form posts, and let the form pass what checks it.',
      );
    }
    for (const one of [browser, elsewhere]) {
      const { status } = await app.look(one);
      const where = one === browser ? 'the browser' : 'another browser of the user';
      const isUser = status < 500 && (await app.who(one)) !== 'nobody';
      const found = `After the deletion ${where} ${isUser ? 'is still signed in' : `gets HTTP ${status}`}.`;
      if (!isUser && status < 500) continue;
      const isThere = isUser && isSame(account, await app.shown((await app.logIn('second')).browser));
      const isDeleted = !isThere || !showsIDs(app, people[0]);
      return isDeleted
        ? wrong(found, `${DESERIALIZE} Delete the row of the account, too.`)
        : wrong(
            `${found} A new login leads to the same account.`,
            `Let POST ${target} delete the account and its logins, and wait until they are deleted.`,
          );
    }
    const again = await expectUser(app, await app.logIn('second'), 'second');
    if (again) return after('The user was deleted, and logs in again.', again, `${EVERY_ROW} ${OWN_ID}`);
    if (last && lastAccount?.size && (await app.who(last.browser)) === 'nobody')
      return wrong(
        'A user was deleted, and another one is signed out.',
        'End the sessions of the user who is deleted, and no others.',
      );
    if (last && lastAccount && !isSame(lastAccount, await app.shown(last.browser)))
      return wrong('A user was deleted, and the next account has the ID of another one.', OWN_ID);
    const user = await app.logIn();
    const namesake = await app.logIn(NAMESAKES[1]).catch(unknownPerson);
    if (namesake) await post(app, namesake.browser, target);
    if (namesake && (await difference(app, [user, await app.logIn()])).length > 0)
      return wrong(
        'A user was deleted, and with the account that of another user, who has the same name.',
        BY_ACCOUNT,
      );
    // Whoever is left has an account, to which a rehearsal of another network would find no login to link.
    if (last && (await app.who(last.browser)) !== 'first') await post(app, last.browser, target);
    const networks = [...others, ...(link === undefined ? [] : [await besideLink(app, link)])];
    return (
      (await deletesOthers(app, target, networks)) ??
      (await leftBehind(app, target, link)) ??
      (await deletesByField(app, target)) ??
      (await deletedNearby(app, target))
    );
  },
  'error pages': async (app) => {
    const page = app.seen.find(({ text }) => STACK.test(text));
    return page && { found: `${pathOf(page)} shows a stack to the user.`, remedy: ERROR_PAGE };
  },
  'secrets in responses': async (app) => {
    const hasSecret = finderOf(await app.secrets());
    const user = app.logins[0]?.browser;
    for (const to of user && app.tells() ? linksOf(await app.look(user)) : [])
      await user?.open(to, { from: 'same-origin' }, isAuthorization);
    const needed = await neededOf(app, user?.cookies() ?? []);
    const hasID = finderOf(needed.map(({ value }) => unescapedOf(value)).filter(({ length }) => length > 20));
    for (const page of app.seen) {
      const lines = [...page.headers].map(([name, value]) => `${name}: ${value}`);
      const place = [`body: ${page.text}`, ...lines].find(
        (text) => hasSecret(text) || (text.startsWith('location') && hasID(text)),
      );
      if (place === undefined) continue;
      return wrong(
        `${pathOf(page)} answers with a code or token of the network, or the cookie of the session, in: ${place.split(':')[0]}.`,
        "Keep the network's tokens on the server, and redirect to URLs of your own.",
      );
    }
    const origin = `https://${EVIL_HOST}`;
    const { headers } =
      (app.tells() && (await user?.visit(app.page, { headers: { origin } }))?.response) || {};
    return headers?.get('access-control-allow-origin') === origin &&
      headers.get('access-control-allow-credentials') === 'true'
      ? wrong(
          `${new URL(app.page).pathname} lets every other site read what it shows the user.`,
          'Name your own origins in Access-Control-Allow-Origin, in the option origin of cors(): not that of each request, with credentials.',
        )
      : undefined;
  },
};

/** @param start - Length of the file when the rehearsal began. */
const logCheck =
  (start: number): Check =>
  async (app, { log }) => {
    if (log === undefined) return skipped('name the file with --log FILE');
    const user = app.logins[0]?.browser;
    const { text: shown = '', url = '' } = user ? await app.look(user) : {};
    // What refuses a form without its token may log the request.
    await user?.visit(new URL(SIGN_OUT.exec(shown)?.[1] ?? '', url).href, FORM_WITHOUT_TOKEN);
    // Loggers write with a delay.
    await wait(300);
    const cookies = app.logins.flatMap(({ browser }) => browser.cookies());
    const ids = cookies.flatMap(({ value }) => [value, sessionID(value) ?? value]);
    const secrets = [...(await app.secrets()), ...ids.filter(({ length }) => length > 20)];
    const text = readLog(log);
    if (text === undefined) return skipped(`${log} cannot be read`);
    if (text.length === start) return skipped(`nothing was written to ${log}`);
    // An application may log its secret as it starts.
    const lines = text.split('\n');
    const index = lines.findIndex(finderOf(secrets));
    const line = lines[index];
    const signsIn = line === undefined && app.tells() && (await linkThatSignsIn(app, text.slice(start)));
    if (signsIn)
      return wrong(
        `A link in ${log} signs in who opens it: ${signsIn}.`,
        'Log to whom a mail goes and what it is about, and nothing of its text.',
      );
    if (line === undefined) return undefined;
    return wrong(
      `Line ${index + 1} of ${log} has a code, a token, a secret or a session's cookie. It begins with "${line.slice(0, 12)}".`,
      'Log paths without their query, and no header Cookie, token or option. The guide Deploying has the setting of each logger.',
    );
  };

/** The path of a link in a log that signs in whoever opens it. Such a link has a long token. */
async function linkThatSignsIn(app: TestedApplication, text: string): Promise<string | undefined> {
  const links = new Set(text.match(/https?:\/\/[^\s"'<>\\]{1,500}[\w-]{16,}/g));
  const own = [...links].filter((link) => link.startsWith(`${new URL(app.page).origin}/`));
  for (const link of own.slice(-20)) {
    const browser = app.browser();
    await browser.open(link, { from: 'cross-site' }, isAuthorization);
    if ((await app.who(browser)) !== 'nobody') return new URL(link).pathname.replace(/[\w-]{16,}/g, '…');
  }
  return undefined;
}

/** The form of the user's page that posts to a URL: where exactly, and its hidden fields. */
async function formFor(app: TestedApplication, browser: Browser, target: string) {
  const page = await app.lookForForms(browser);
  const wanted = new URL(target, page.url);
  const forms = formsOf(page);
  const place = ({ origin, pathname }: URL) => origin + pathname;
  const form =
    forms.find(({ to }) => to === wanted.href) ??
    forms.find(({ to }) => place(new URL(to)) === place(wanted));
  if (form) app.formPage = page;
  // A page that offers the link no more has the session's token in its other forms.
  return { to: form?.to ?? wanted.href, body: (form ?? forms[0])?.body ?? '' };
}

/** Where the forms of a page lead, and their hidden fields. */
const formsOf = ({ text, url }: Page) =>
  [...text.matchAll(/action\s*=\s*["']?([^"'\s>]{1,2000})/gi)].map(({ 1: action = '', index }) => ({
    to: new URL(action.replaceAll('&amp;', '&'), url).href,
    body: hiddenFields(text, index),
  }));

/** Where the links of a page lead on its site, ten at most, but those that may end or change something. */
function linksOf({ text, url }: Page): readonly string[] {
  const links = [...text.matchAll(/<a\b[^<>]*\bhref\s*=\s*["']?([^"'\s>]{1,2000})/gi)]
    .map(({ 1: to = '' }) => to.replaceAll('&amp;', '&'))
    .filter((to) => !/out|delet|remov|unlink|disconnect|detach|close/i.test(to) && URL.canParse(to, url))
    .map((to) => new URL(to, url));
  return [...new Set(links.filter(({ origin }) => origin === new URL(url).origin).map(String))].slice(0, 10);
}

/** The form or link of a page that leads to a URL. */
function leadingTo(text: string, url: string, target: string): RegExpExecArray | undefined {
  const isThere = ({ 1: to = '' }: RegExpExecArray) => {
    const address = to.replaceAll('&amp;', '&');
    return URL.canParse(address, url) && new URL(address, url).href === new URL(target, url).href;
  };
  return [...text.matchAll(TARGETS)].find(isThere);
}

/** Sends a form of the user's page. Ends where it leads to a network. */
async function post(app: TestedApplication, browser: Browser, target: string): Promise<Visited> {
  const { to, body } = await formFor(app, browser, target);
  return browser.open(to, { from: 'same-origin', method: 'POST', body }, isAuthorization);
}

/** By what a page of another site, whose author is a user as well, does something at a URL with the user's cookies. */
async function byAnotherSite(
  app: TestedApplication,
  browser: Browser,
  target: string,
  isDone: (visited: Visited) => Promise<boolean> | boolean,
): Promise<string | undefined> {
  const { href, host, hostname } = new URL(target, app.page);
  const who = await app.who(browser);
  const author = app.logins[who === 'first' ? 2 : 0];
  const { body = '' } = author ? await formFor(app, author.browser, target) : {};
  // Whoever looks for the own host in them finds it.
  const origin = `https://${hostname}.${EVIL_HOST}`;
  const headers = { origin, referer: `${origin}/${host}` };
  const overridden = new URL(href);
  overridden.searchParams.set('_method', 'POST');
  const send = async (to: string, cookies: readonly BrowserCookie[], sending: Navigation) => {
    const foreign = app.browser(cookies);
    if ((await app.who(foreign)) === 'nobody') return false;
    return isDone(await foreign.open(to, { from: 'cross-site', ...sending }, isAuthorization));
  };
  const form = { method: 'POST', body: '' };
  const withToken = "form, with the token of its author's own form,";
  for (const [by, to, cookies, sending] of [
    ['link', href, browser.cookies(), {}],
    ['link with _method=POST', overridden.href, browser.cookies(), {}],
    ['form', href, browser.sentByForms(), form],
    [withToken, href, browser.sentByForms(), { ...form, body, headers }],
  ] as const)
    if (await send(to, cookies, sending)) return by;
  return undefined;
}

/** That a page at another port or subdomain, for which SameSite protects nothing, deletes an account although something is to prevent it. */
async function deletedNearby(app: TestedApplication, target: string): Promise<Finding | undefined> {
  const { origin, href } = new URL(target, app.page);
  const isDeleted = async (from: string) => {
    const [{ browser: elsewhere }, { browser }] = [await app.logIn('second'), await app.logIn('second')];
    const headers = { origin: from };
    await browser.open(href, { method: 'POST', body: '', from: 'same-site', headers }, isAuthorization);
    return (await app.who(elsewhere)) === 'nobody';
  };
  const { body } = await formFor(app, (await app.logIn('second')).browser, target);
  const hasToken = [...new URLSearchParams(body).keys()].some((name) => /csrf|xsrf|token|nonce/i.test(name));
  // Whoever relies on SameSite alone is not accused.
  if (!hasToken && (await isDeleted(`https://${EVIL_HOST}`))) return undefined;
  if (!(await isDeleted(`${origin}1`))) return undefined;
  return wrong(
    `A form at another port or subdomain, with Origin: ${origin}1 and without a token, deletes the account.`,
    SAME_SITE,
  );
}

/** That a deletion takes the account of whoever has the same ID at another network. */
async function deletesOthers(
  app: TestedApplication,
  target: string,
  networks: readonly string[],
): Promise<Finding | undefined> {
  for (const network of networks)
    for (const [one, other] of [SAME_ID, SAME_ID.toReversed()]) {
      const logIn = () =>
        app.startingAt(new URL(network, app.start).href, () => app.logIn(other)).catch(unknownPerson);
      const [deleted, kept] = [await app.logIn(one).catch(unknownPerson), await logIn()];
      if (deleted) await post(app, deleted.browser, target);
      const again = await logIn();
      if (kept && again && (await difference(app, [kept, again])).length > 0)
        return wrong(
          'A user was deleted, and with the account that of another user, who has the same ID at another network.',
          BY_ACCOUNT,
        );
    }
  return undefined;
}

/** What becomes of the logins and sessions of an account that was deleted. */
async function leftBehind(
  app: TestedApplication,
  target: string,
  link: string | undefined,
): Promise<Finding | undefined> {
  const start = link === undefined ? app.start : await besideLink(app, link);
  const logIn = () => app.startingAt(start, () => app.logIn('layla'));
  const nobody = { browser: app.browser() };
  // Nobody has the login then, and the account that is deleted is the last one.
  for (const one of [await logIn().catch(unknownPerson), await app.logIn('second')])
    if (one) await post(app, one.browser, target);
    else return undefined;
  const [owner, elsewhere] = [await app.logIn('second'), await app.logIn('second')];
  const { location } = link === undefined ? {} : await post(app, owner.browser, link);
  if (location !== undefined) await app.finish(owner.browser, await app.allow(location, 'layla'));
  await post(app, owner.browser, target);
  const later = await logIn();
  if (later.page.status >= 400 || (await difference(app, [nobody, later])).length === 0)
    return wrong(
      `A login was linked to an account that was deleted, and ends with ${described(later.page)}.`,
      EVERY_ROW,
    );
  if ((await difference(app, [nobody, elsewhere])).length === 0) return undefined;
  return wrong(
    'The session of a user who was deleted shows the account of the next new user.',
    'Give no ID of an account twice: AUTOINCREMENT in SQLite, a sequence, or a random one. End the sessions of a user who is deleted.',
  );
}

/** That the form for a deletion says whose account it is. */
async function deletesByField(app: TestedApplication, target: string): Promise<Finding | undefined> {
  const [one, again, user] = [await app.logIn('second'), await app.logIn('second'), await app.logIn()];
  const forms: string[] = [];
  for (const { browser } of [one, again, user, user]) {
    const { to, body } = await formFor(app, browser, target);
    forms.push(encodeURIComponent(JSON.stringify([to, ...new URLSearchParams(body)])));
  }
  const [forged] = forgeries(forms, () => true);
  if (forged === undefined) return undefined;
  const [to, ...fields] = JSON.parse(decodeURIComponent(forged)) as [string, ...[string, string][]];
  const form = { method: 'POST', body: String(new URLSearchParams(fields)), from: 'same-origin' } as const;
  for (const { browser } of [{ browser: app.browser() }, one]) await browser.open(to, form, isAuthorization);
  if ((await difference(app, [user, await app.logIn()])).length === 0) return undefined;
  return wrong(
    "The form for a deletion says whose account it is: with another user's ID in it, that account is deleted.",
    BY_ACCOUNT,
  );
}

/** Where the login of a link's network starts. */
async function besideLink(app: TestedApplication, link: string): Promise<string> {
  const names = link.split(/[/?#]/).filter((name) => name !== '');
  const places = names.reverse().map((name) => new URL(name, app.start).href);
  for (const place of places) {
    const { location } = await app.startingAt(place, () => app.open(app.browser()));
    if (location !== undefined) return place;
  }
  const beside = pathOf({ url: app.start } as Page);
  throw new Error(`${NO_LOGIN_OF} ${link} starts beside ${beside}: let both paths have one name in common`);
}

/** A form with the IDs of one person in the place of another's, also within a value. */
function withIDsOf(mine: string, theirs: string, form: string): string {
  const [own, other] = [mine, theirs].map((id) => PEOPLE.find((one) => one.id === id));
  const ids = ['openId', 'unionId', 'microblogId', 'socialNetworkId'] as const;
  const pairs = ids.map((id) => [String(own?.[id]), String(other?.[id])] as const);
  const fields = [...new URLSearchParams(form)].map(([name, value]) => {
    const [id = '', another = ''] = pairs.find(([id]) => value.includes(id)) ?? [];
    return [name, value.replace(id, another)] as [string, string];
  });
  return String(new URLSearchParams(fields));
}

/** The words of a page which that of the user does not have when it is opened again. */
async function noticeOf(app: TestedApplication, browser: Browser, page: Page): Promise<ReadonlySet<string>> {
  const lasting = await app.shown(browser);
  return new Set([...lastingWords(page)].filter((word) => !lasting.has(word)));
}

/** Links a login to the user's account, then one that belongs to somebody else, then one in a browser that has changed hands, and unlinks. */
async function linking(
  app: TestedApplication,
  target: string,
  deletion: string | undefined,
): Promise<Finding | undefined> {
  const linked = await besideLink(app, target);
  const name = new URL(linked).pathname.split('/').at(-1) ?? '';
  const logIn = (who: string) => app.startingAt(linked, () => app.logIn(who));
  let network: SandboxNetwork | undefined;
  let blocked: Finding | undefined;
  const begin = async (browser: Browser, who: string) => {
    const { location, ...visited } = await post(app, browser, target);
    network = location === undefined ? undefined : networkAt(new URL(location).pathname);
    blocked = location === undefined ? undefined : formAction(app, location);
    if (location !== undefined) return app.allow(location, who);
    throw new Error(`POST ${target} leads to ${described(await pageOf(visited))}, to no network`);
  };
  const whoIs = async (id: string) => app.who((await logIn(id)).browser);
  // Nobody can link a login that has an account, such as one of an earlier rehearsal.
  for (const id of deletion === undefined ? [] : ['ned', ...PAIR])
    await post(app, (await logIn(id)).browser, deletion ?? '');
  await app.forget(await app.logIn('layla'));
  const user = await app.logIn();
  const { browser } = user;
  const unlinked = await app.shown(browser);
  const unlinks = async () => {
    const { text, url } = await app.lookForForms(browser);
    return [...text.matchAll(UNLINK)].map(({ 1: action = '', index }) => {
      const isForm = text.startsWith('action', index);
      const body = isForm ? hiddenFields(text, index) : '';
      const to = new URL(action.replaceAll('&amp;', '&'), url);
      const values = [...new URLSearchParams(body).values(), ...to.searchParams.values()];
      const isLinked = to.pathname.endsWith(`/${name}`) || values.includes(name);
      const send = (form = body) =>
        browser.open(
          to.href,
          { from: 'same-origin', ...(isForm && { method: 'POST', body: form }) },
          isAuthorization,
        );
      const path = to.pathname + to.search;
      return { action: path, key: `${path} ${body}`, isLinked, body, send };
    });
  };
  const old = (await unlinks()).map(({ key }) => key);
  const { location: declined } = await post(app, browser, target);
  if (declined !== undefined) await app.finish(browser, await app.deny(declined));
  const lost = await expectUser(app, { browser });
  if (lost) return after('A user began a link, and declined it.', lost);
  const callback = await begin(browser, 'ned');
  if (blocked) return blocked;
  const { page } = await app.finish(browser, callback);
  const told = await noticeOf(app, browser, page);
  if ((await app.who(browser)) !== 'first')
    return wrong(`The link ends with ${described(page)}, and the user is not signed in any more.`, BY_STATE);
  if ((await whoIs('ned')) !== 'first') {
    const isShown = !isSame(unlinked, await app.shown(browser));
    const seen = isShown ? 'The page shows the link' : `The link ended with ${described(page)}`;
    return (
      (await strictSession(app, browser)) ??
      wrong(
        `The login that was linked leads to another account. ${seen}.`,
        page.status === 404
          ? ROUTE
          : isShown
            ? 'Let every login look for its account where links are saved, by provider and profile.id, before it makes a new one.'
            : `${BY_STATE} Save the link, and wait until it is saved. If ned has an account since an earlier rehearsal: start the application anew, or name --delete.`,
      )
    );
  }
  if ((await difference(app, [user, await app.logIn()])).length > 1)
    return wrong(
      'After the link the login from before leads to another account.',
      'Keep one row for each login: provider and profile.id as its key, and the account in a column.',
    );
  /** Links two logins of one network, and unlinks one of them. */
  const linkTwo = async () => {
    const linked = async () => {
      const ids = [];
      for (const id of PAIR) if ((await whoIs(id)) === 'first') ids.push(id);
      return ids;
    };
    for (const [index, id] of PAIR.entries()) {
      const { location } = await post(app, browser, target);
      if (location !== undefined) await app.finish(browser, await app.allow(location, id));
      if (index === 0 && (await whoIs(id)) !== 'first') return undefined;
    }
    const before = await linked();
    if (!before.includes(PAIR[0]))
      return wrong('A second login of one network takes the place of the first.', OWN_LOGINS);
    const forms = (await unlinks()).filter(({ isLinked }) => isLinked);
    if (before.length < 2 || forms.length !== 2) return undefined;
    await forms[0]?.send();
    const { length } = await linked();
    return length === 1
      ? undefined
      : wrong(`A user unlinked one of two logins of one network, and ${length} are left.`, OWN_ROW);
  };
  const other = await logIn('maxine');
  const isDone = async () => (await whoIs('ned')) !== 'first';
  const offered = (await unlinks()).filter(({ isLinked }) => isLinked);
  // If the account's own login is of this network, the page has a form for each of them.
  const named = offered.filter(({ key }) => signsOf('ned', true).some((sign) => key.includes(sign)));
  const added = offered.filter(({ key }) => !old.includes(key));
  const unlinking = [named, added, offered].find(({ length }) => length > 0) ?? [];
  for (const { action, body, send } of unlinking) {
    if (await isDone()) break;
    const forged = withIDsOf('ned', 'maxine', body);
    if (forged !== body) await send(forged);
    if (forged !== body && (await difference(app, [other, await logIn('maxine')])).length > 0)
      return wrong(
        'The form to unlink a login says whose it is: with the ID of another user, that one loses the login.',
        OWN_ROW,
      );
    const by = await byAnotherSite(app, browser, action, isDone);
    if (by !== undefined) return wrong(`A ${by} of another site to ${action} unlinks a login.`, SAME_SITE);
    await send();
  }
  const again = unlinking.length > 0 && (await logIn('ned'));
  if (again && (await app.who(again.browser)) === 'first')
    return wrong('The login that was unlinked still leads to the account.', 'Delete the row of the login.');
  if (again && again.page.status >= 400)
    return after('A login was unlinked, and used again.', failed(again.page), 'Delete the row of the login.');
  if ((await difference(app, [other, await logIn('maxine')])).length > 0)
    return wrong('After a user unlinked a login, that of another user leads to another account.', OWN_ROW);
  const problemOfTwo = await linkTwo();
  if (problemOfTwo) return problemOfTwo;
  const second =
    (await logIn('second')).page.status < 400 && (await app.finish(browser, await begin(browser, 'second')));
  const problem = second && upset(second.page);
  if (problem) return after('The login to link belongs to another account.', problem, ONE_OWNER);
  if (second && (await app.who(browser)) === 'second')
    return wrong(
      'A link that is refused signs its user in: what the user does next belongs to another account.',
      `${ONE_OWNER} Sign nobody in.`,
    );
  const notice = second ? await noticeOf(app, browser, second.page) : new Set<string>();
  if (second && notice.size > 0 && isSame(notice, told))
    return wrong(
      `A link that is refused ends with the words of one that succeeds: ${[...notice].slice(0, 12).join(' ')}.`,
      ONE_OWNER,
    );
  const isSilent =
    second && !/[?#]/.test(second.page.url) && isSame(await app.shown(browser), lastingWords(second.page));
  if ((await whoIs('second')) === 'first')
    return wrong('A link took a login away from the account to which it belonged.', ONE_OWNER);
  if (isSilent)
    return wrong(
      `A link that is refused leads to ${pathOf(second.page)}, which says nothing of it.`,
      'Answer 409 with a page that says that this login belongs to another account.',
    );
  // The social network lets neither Boris nor Dora in.
  const [late, waiting] = network === 'social-network' ? ['hubert', 'max'] : ['dora', 'boris'];
  const early = await begin(browser, late);
  const jar = (await app.logIn('second')).browser.cookies();
  const kept = browser.cookies().filter((cookie) => !jar.some((other) => other.name === cookie.name));
  await app.finish(app.browser([...kept, ...jar]), early);
  const ended = await begin(browser, late);
  const rest = browser.cookies().filter((cookie) => !jar.some((other) => other.name === cookie.name));
  await app.finish(app.browser(rest), ended);
  if (/first|second/.test(await whoIs(late)))
    return wrong(
      'A link that one user began, and another one or nobody finished, leads to one of them.',
      BY_STATE,
    );
  const [visitor, before] = await app.startingAt(linked, async () => {
    const browser = app.browser();
    return [browser, await app.allow(await app.begin(browser), waiting)] as const;
  });
  await app.logIn('first', visitor);
  await begin(visitor, 'ned');
  await app.finish(visitor, before);
  if ((await whoIs(waiting)) === 'first')
    return wrong(
      'A user began a link and left it, and a login that had begun before was linked in its place.',
      BY_STATE,
    );
  const foreign = await byAnotherSite(app, browser, target, ({ location }) => location !== undefined);
  if (foreign !== undefined)
    return wrong(`A ${foreign} of another site to ${target} begins a link.`, SAME_SITE);
  const { location: taken } = await post(app, browser, target);
  const refused =
    taken === undefined ? undefined : await app.finish(browser, await app.allow(taken, 'maxine'));
  for (const { to, body } of refused ? formsOf(refused.page) : []) {
    const forged = withIDsOf('maxine', app.people[1], body);
    if (forged !== body) await browser.open(to, { method: 'POST', body: forged, from: 'same-origin' });
    if (forged !== body && (await whoIs('second')) === 'first')
      return wrong(
        "The form that moves a login says which: with another user's ID, it takes the login of that user.",
        'Keep in the session which login the user has just shown to have, and let the form name none.',
      );
  }
  const forms = await unlinks();
  if (forms.length === 0) return undefined;
  // As in several tabs at the same moment.
  await Promise.all(forms.map(({ send }) => send()));
  // An application may refuse to unlink any of them, and end the sessions of those that it unlinks.
  for (const left of ['ned', 'maxine', ...PAIR]) if ((await whoIs(left)) === 'first') return undefined;
  if ((await difference(app, [user, await app.logIn()])).length < 2) return undefined;
  return wrong(
    'After the user unlinked every login, the account has none.',
    'Refuse to unlink the last login of an account: count and delete in one transaction.',
  );
}

/** Faults that a page has to explain. */
const ERRORS: readonly [SandboxFault, ...SandboxFault[]] = [
  { kind: 'answer', status: 500 },
  { kind: 'malformed' },
  { kind: 'reset' },
  { kind: 'rate-limit' },
];

const FIRST_PEOPLE = ['alice', 'anna'] as const;
/** People who differ in nothing but their names and what is easily lost of their IDs. */
const TWINS = ['max', 'maxine'] as const;
/** People whom one account links at one network. */
const PAIR = ['nora', 'hanako'] as const;
/** People whose IDs are each other's at another network. */
const SAME_ID = ['hanako', 'layla'] as const;
/** People who differ in nothing but their IDs. */
const NAMESAKES = ['alice', 'alison'] as const;
/** What applications call the page to which a login leads, and another site as filters overlook it. */
const RETURN_PARAMETERS =
  'returnTo return_to returnUrl returnURL return next redirect redirectTo redirect_to redirectUrl callbackUrl continue from to url'.split(
    ' ',
  );
const ELSEWHERE = ['https://', '//', '/\\', '/\t/', 'https:', '/%2F', '/%5C'].map(
  (before) => `${before}${EVIL_HOST}/`,
);

/** What a page may show of a person. @param isSure - Leaves out what pages have as an example, too. */
function signsOf(id: string, isSure: boolean): readonly string[] {
  const person = PEOPLE.find((one) => one.id === id);
  if (!person) return [];
  const { displayName, givenName, handle, email, openId, unionId, microblogId, socialNetworkId } = person;
  const sure = [displayName, handle, openId, unionId, microblogId, String(socialNetworkId)];
  const all = [...sure, ...(isSure ? [] : [givenName, email])];
  // A short number counts something else as well.
  return all.filter((text) => text !== undefined && !/^\d{1,4}$/.test(text)) as string[];
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

/** What the name of one person has, and that of another one has not. */
function ownNames(id: string, otherID: string): readonly string[] {
  const [own = [], other = []] = [id, otherID].map((who): readonly string[] => {
    const name = PEOPLE.find((one) => one.id === who)?.displayName;
    return name?.match(/[\p{L}\p{N}]{2,}/gu) ?? [];
  });
  return own.filter((part) => !other.includes(part));
}

/** Whether a page names one person, in words that the other one's name has not. */
function showsName(words: ReadonlySet<string>, id: string, otherID: string): boolean {
  const own = ownNames(id, otherID);
  return own.length > 0 && own.every((part) => words.has(part));
}

/** How often a page names one person, in words that the other one's name has not. */
const timesNamed = (text: string, id: string, otherID: string): number =>
  Math.min(...ownNames(id, otherID).map((part) => text.split(part).length - 1));

/** What is special about people whom careless software locks out. */
const SPECIAL: Readonly<Record<string, string>> = {
  layla:
    'has no picture: photos, emails and familyName of a profile may be missing, as in profile.photos?.[0]?.value.',
  maxine: `has another user's e-mail address and handle, and a name that is markup: none of them identifies a user. ${ONE_COLUMN}`,
  hubert:
    'has long names and a long ID: store them as text of any length, or cut names where you store them.',
  hanako:
    'has an emoji in the name, and no picture: let the database keep all of Unicode, such as utf8mb4 in MySQL.',
  nora: 'has an apostrophe and quotation marks in the name: give values to the database as parameters, never in the text of SQL, and make JSON with JSON.stringify().',
  max: 'has an ID beyond 2^53: store profile.id as text.',
};
/** Where Nora's name ends an attribute's value: what follows would be attributes, such as onfocus. */
const LEAVES_ATTRIBUTE = /=\s*(?:"[^"<>]*Nora "No"|'[^'<>]*O'Neil)/;
/** A missing URL, half a character, and Nora's name escaped twice. */
const BROKEN = /(?:src|href)\s*=\s*["']?(?:null|undefined)\b|\uFFFD|&amp;(?:quot|#34|#x22|#39|#x27|apos);/;

/** Nora's name in an attribute whose script it ends. */
function scriptWith(text: string): RegExpExecArray | undefined {
  const handlers = text.matchAll(/\bon\w+\s*=\s*(?:"([^"]*Neil[^"]*)"|'([^']*Neil[^']*)')/g);
  return [...handlers].find(({ 1: one, 2: other = '' }) => {
    const code = unescapedOf((one ?? other).replaceAll('&quot;', '"').replaceAll('&apos;', "'"));
    try {
      new Script(`() => { ${code} }`);
      return false;
    } catch {
      return true;
    }
  });
}
const NAMES =
  'Show profile.displayName, which every profile has, and send text/html; charset=utf-8: names have letters of every script.';
const OTHER_PEOPLE = ['layla', 'maxine', 'hubert', 'hanako', 'nora'] as const;

/** Whether the page shows what nobody of the same name has. */
function showsIDs(app: TestedApplication, first: string): boolean {
  const named = PEOPLE.find(({ id }) => id === first);
  const noID = { openId: '', unionId: '', microblogId: '', socialNetworkId: 0 };
  return app.tellsMore(JSON.stringify({ ...named, ...noID }));
}

/** That a person cannot log in. */
async function lockedOut(
  app: TestedApplication,
  { browser, page }: Finished,
  id: string,
): Promise<Finding | undefined> {
  const why = SPECIAL[id];
  const remedy = why === undefined ? ONE_COLUMN : `${id} ${why}`;
  if (page.status >= 400) return { ...failed(page), remedy };
  if (!app.tells() || (await app.who(browser)) !== 'nobody') return undefined;
  const isOut = (await difference(app, [{ browser }, { browser: app.browser() }])).length === 0;
  return isOut
    ? wrong(
        `${id} is not signed in after the login.`,
        `${remedy} Errors go to done(error), not to done(null, false).`,
      )
    : undefined;
}

const missingForm = (error: Error) => {
  if (/has no form/.test(error.message)) return undefined;
  throw error;
};

const unknownPerson = (error: Error) => {
  if (/knows nobody/.test(error.message)) return undefined;
  throw error;
};

/** That one of two people sees the other's account, after both have logged in, each in a browser of their own. @param start - Where the second login starts. @param isLearned - Whether the page's words are known of both. */
async function mixed(
  app: TestedApplication,
  pair: readonly [string, string],
  start = app.start,
  isLearned = false,
): Promise<Finding | undefined> {
  const logins: Finished[] = [];
  let before = '';
  for (const id of pair) {
    if (logins[0]) before = (await app.look(logins[0].browser)).text;
    const at = id === pair[1] ? start : app.start;
    const login = await app.startingAt(at, () => app.logIn(id)).catch(unknownPerson);
    if (!login) return skipped(OWN_PEOPLE);
    const problem = await lockedOut(app, login, id);
    // Who can log in at the other URL has a namesake in the way.
    if (problem && at !== app.start && !(await lockedOut(app, await app.logIn(id), id)))
      return { found: problem.found };
    if (problem) return problem;
    logins.push(login);
  }
  const pages: Page[] = [];
  for (const { browser } of logins) pages.push(await app.look(browser));
  const now = pages[0]?.text ?? '';
  const [first, second] = pair;
  const seen = pages.map(wordsOf).map((words) => ({
    first: shows(words, first, second),
    second: shows(words, second, first),
  }));
  if (seen[0]?.second && !seen[0].first) return { found: `${first} is shown as ${second}.` };
  if (seen[1]?.first && !seen[1].second) return { found: `${second} is shown as ${first}.` };
  if (seen[0]?.first && seen[1]?.second) {
    const isOne = seen[0].second && seen[1].first && (await difference(app, logins)).length === 0;
    if (isOne) return { found: `${first} and ${second} see one page, which names both of them.` };
    const isRenamed = timesNamed(now, first, second) < timesNamed(before, first, second);
    return isRenamed ? { found: `${first} has another name once ${second} logs in.` } : undefined;
  }
  // Neither names nor IDs: an account may have a number of its own.
  if (!app.tellsApart()) return skipped(UNTOLD);
  if ((await difference(app, logins)).length === 0)
    return { found: `${first} and ${second} see the same page, which tells others apart.` };
  if (!isLearned) return undefined;
  const who = [];
  for (const { browser } of logins) who.push(await app.who(browser));
  return who[0] === 'first' && who[1] === 'second' ? undefined : { found: `${first} is shown as ${second}.` };
}

/** What a page shows in one of two sessions alone, a word of each at most; empty if both show the same. */
async function difference(
  app: TestedApplication,
  [one, other]: readonly Session[],
): Promise<readonly string[]> {
  if (!one || !other) return [];
  const [left, right] = [[...(await app.shown(one.browser))], [...(await app.shown(other.browser))]];
  const words = [left.find((word) => !right.includes(word)), right.find((word) => !left.includes(word))];
  return words.filter((word) => word !== undefined);
}

const isSame = (one: ReadonlySet<string>, other: ReadonlySet<string>): boolean =>
  one.size === other.size && [...one].every((word) => other.has(word));

/** Browsers hold a form's redirects to the page's `form-action`, too: https://www.w3.org/TR/CSP3/#directive-form-action */
function formAction({ formPage }: TestedApplication, authorization: string): Finding | undefined {
  const policy = formPage?.headers.get('content-security-policy') ?? '';
  const [, sources = ''] = /(?:^|;)\s*form-action\s+([^;,]*)/i.exec(policy) ?? [];
  const isClosed =
    sources !== '' && sources.split(/\s+/).every((source) => /^('self'|'none'|)$/i.test(source));
  if (!formPage || !isClosed) return undefined;
  return wrong(
    `Browsers block the form of ${pathOf(formPage)}: form-action ${sources.trim()} forbids its redirect to ${new URL(authorization).origin}.`,
    "Name the network's origin in form-action of the page's Content-Security-Policy, beside 'self'.",
  );
}

/** That a user who is signed in begins another login, which fails, and is nobody then. */
async function staysSignedIn(
  app: TestedApplication,
  end: string,
  callbackOf: (authorization: string) => Promise<string>,
  fault?: SandboxFault,
): Promise<Finding | undefined> {
  const { browser } = await app.logIn();
  const { location } = (await app.open(browser).catch(missingForm)) ?? {};
  if (location === undefined) return undefined;
  const finish = async () => app.finish(browser, await callbackOf(location));
  await (fault ? app.during(fault, finish) : finish());
  const problem = await expectUser(app, { browser });
  return after(`A user who was signed in began another login, ${end}.`, problem);
}

/** Why the application asked for no token. */
async function withoutToken(
  app: TestedApplication,
  { browser, callback, sent, answer, page }: Finished,
): Promise<Finding> {
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
  if (target?.pathname.replace(/\/$/, '') === route)
    return because(
      target.origin === new URL(callback).origin ? '' : `${route} redirects to another host.`,
      `${route} redirects to ${to}${target.search === '' ? ', without what the network sent: keep the query of a callback' : ': set callbackURL to the address at which the application answers'}.`,
    );
  if (target && (target.pathname === new URL(app.start).pathname || isAuthorization(target.href)))
    return because(
      `${route} starts another login.`,
      `Let no guard in front of ${route} send the user to the start: it has to come behind passport.authenticate().`,
    );
  const own = given.filter((name) => LOGIN_COOKIE.test(name));
  if (own.length === 0)
    return because(
      `${pathOf(begun ?? page)} answered without a cookie for the login${given.length > 0 ? `, with ${given.join(', ')} alone` : ''}.`,
      `Let Set-Cookie of ${pathOf(begun ?? page)} through, and append to it: a proxy, a framework or a middleware drops it, or the option store keeps the login elsewhere.`,
    );
  const parts = route.toLowerCase().split('/');
  const other = NETWORKS.find(
    ({ name, appearance }) =>
      name !== app.network && (parts.includes(name) || parts.includes(appearance.brand.toLowerCase())),
  );
  if (other && !parts.includes(app.network ?? ''))
    return because(
      `${route} is the route of ${other.appearance.brand}.`,
      'Give each strategy a callbackURL of its own, whose route names this strategy.',
    );
  for (let count = 0; isPassed && count < 3; count += 1) {
    await app.logIn();
    if (await app.hasToken())
      return because(
        'Another try succeeds.',
        'Give all processes one client secret, or one list of secrets of cookieLogins.',
      );
  }
  if (isPassed)
    return because(
      `The browser sent the cookie ${own[0]} back, and the strategy finds no login in it.`,
      'Let no middleware change the query of a callback, in req.url or req.query, where upper and lower case count, or take the header Cookie away: its cookie has to come back. Give all processes, and every strategy of this name, one client secret, or one list of secrets of cookieLogins, and a lifetime in milliseconds.',
    );
  return because(
    '',
    `Let passport.authenticate() answer ${route}, in the browser that began the login: its cookie has to come back, and no session, limit or check in front may turn the callback away.`,
  );
}

/** What is wrong with a cookie that a page does not get. */
function strayCookie({ browser }: Finished, page: string): Finding | undefined {
  const [dropped] = browser.dropped;
  const remedy = `${COOKIE}.`;
  if (dropped) return { found: `Browsers drop the cookie ${dropped.name}: ${dropped.reason}.`, remedy };
  const header = browser.cookieHeader(page);
  const astray = browser.cookies().find(({ name }) => !header.includes(`${name}=`));
  return (
    astray && {
      found: `The cookie ${astray.name} is not sent to ${page}: its Path is ${astray.path}.`,
      remedy,
    }
  );
}

/** That some visits know who logged in and others do not, so that no later check can tell. */
function someVisits(app: TestedApplication): Finding {
  app.isMixed = true;
  return wrong(`Only some visits of ${app.page} know who logged in.`, SHARED_SESSIONS);
}

/** Whether a page knows who logged in only some time afterwards. From then on, nobody looks earlier. */
async function savedLate(app: TestedApplication): Promise<Finding | undefined> {
  const { browser } = await app.logIn();
  const isLate = app.pause > 0;
  if (!isLate && (await app.who(browser)) !== 'nobody') return undefined;
  app.pause = LATE;
  await wait(LATE);
  const visits = [];
  while (visits.length < 4) visits.push(await app.who(browser));
  if (visits.includes('nobody')) return someVisits(app);
  return wrong('Nobody is signed in right after the login, but somebody a moment later.', SAVED);
}

/** Whether a login is answered as one that the user declined. */
async function endsAsDeclined(app: TestedApplication, { answer }: Finished): Promise<boolean> {
  const browser = app.browser();
  const declined = await app.finish(browser, await app.deny(await app.begin(browser)));
  const end = ({ status, headers }: Page) => `${status} ${headers.get('location')}`;
  return end(declined.answer) === end(answer);
}

/** Why a login ends with an error although the network had answered. @param isAgain - Whether the same person had logged in before. */
async function withoutUser(app: TestedApplication, login: Finished, isAgain: boolean): Promise<Finding> {
  const { answer, page } = login;
  const { found } = failed(page);
  if (isAgain)
    return wrong(
      `The first login of a person succeeded, and the second one does not. ${found}`,
      'verify has to find the row of the first login: INSERT alone fails, and ON CONFLICT DO NOTHING RETURNING returns no row. Read the row afterwards, or use DO UPDATE.',
    );
  if (page !== answer)
    return wrong(
      found,
      page.status === 404
        ? `The login succeeded: redirect to a page that exists, not to ${pathOf(page)}.`
        : `The login succeeded, and ${pathOf(page)} fails for its user: look at this page, and at deserializeUser. ${LOGS}`,
    );
  if (page.status < 500) return wrong(`${found} The network had answered.`, NO_USER);
  const asked = (await app.requestsAfterConsent()).map(({ endpoint }) => endpoint);
  return asked.length > 1
    ? wrong(
        `${found} The network had answered with token and profile.`,
        `verify or what follows it throws. ${MISSING[app.network ?? 'microblog'] ?? 'A profile may have no name and no emails.'} ${LOGS}`,
      )
    : wrong(found, `${VERIFY} ${LOGS}`);
}

/** The cookie that still signs a user in, if another one was the session's. */
async function keptCookie(
  app: TestedApplication,
  cookies: readonly BrowserCookie[],
  before: readonly BrowserCookie[],
): Promise<string | undefined> {
  if (before.length < 2) return undefined;
  for (const cookie of cookies) if ((await app.who(app.browser([cookie]))) !== 'nobody') return cookie.name;
  return undefined;
}

/** Whether another browser has the same cookie, of a length that tells browsers apart. */
const isShared = ({ name, value }: BrowserCookie, other?: Browser): boolean =>
  value.length >= 16 &&
  other?.cookies().some((cookie) => cookie.name === name && cookie.value === value) === true;

/** What is wrong with the cookie of the session, if that is why nobody is signed in. */
function sessionCookie(login: Finished, page: string): Finding | undefined {
  const { browser, answer, sent } = login;
  const stray = strayCookie(login, page);
  if (stray) return stray;
  if (browser.cookies().length > 0) return undefined;
  const names = answer.headers.getSetCookie().map((line) => line.split('=')[0] ?? '');
  const short = names.find((name) => !sent.includes(`${name}=`));
  if (short !== undefined) return wrong(`The cookie ${short} expires as soon as it is set.`, LONGER);
  return wrong(
    'After a login the browser has no cookie: no response set one for a session.',
    `Let verify return the user, redirect in the callback of req.logIn, and add the session's middleware in front of passport.session(). ${COOKIE}; behind a proxy that ends TLS app.set('trust proxy', 1).`,
  );
}

/** The last line of a log that tells of an error, of those that came after a length. */
function lastError(log: string | undefined, start: number, found = ''): string | undefined {
  const lines = log === undefined ? [] : (readLog(log) ?? '').slice(start).split('\n');
  const told = lines.filter((text) => /^\S/.test(text));
  return (
    told.findLast((text) => /error|fail|exception/i.test(text)) ??
    (found.includes('HTTP 5') ? told.at(-1) : undefined)
  )
    ?.trim()
    .slice(0, 600);
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

function limited({ url, count, logins, after }: NonNullable<TestedApplication['refused']>): Finding {
  const { pathname } = new URL(url);
  if (after !== null && logins >= FEW_LOGINS)
    return skipped(
      `${LIMITED}: ${pathname} answered with HTTP 429 and Retry-After: ${after}, after ${logins} logins. Raise the limit for a rehearsal, which sends several hundred requests from one address`,
    );
  return wrong(
    `${pathname} answered with HTTP 429, after ${count} requests of the rehearsal, and no more was tried.`,
    'Something in front of the strategy refuses the visit: a limit of requests. Let it count by address, not for all users together, with room for the many users who share an address, and raise it for a rehearsal, which sends several hundred requests from one.',
  );
}

/** Why a request had no answer, as far as its URL and the requests that the sandbox got tell. */
async function unanswered(app: TestedApplication, name: string, error: Error): Promise<Finding> {
  const reason = reasonOf(error);
  const url = new URL(app.asked?.url ?? app.start);
  const path = url.pathname;
  const isCallback = app.callback !== '' && path === new URL(app.callback).pathname;
  if (/hang up|ECONNRESET/.test(reason))
    return wrong(
      `The connection to ${path} was closed without a response: ${reason}.`,
      isCallback
        ? "A timeout ends the request while the login waits for the network: make the server's setTimeout() and requestTimeout, and those of proxies, longer than the option timeout of the strategy. Otherwise an error ends the process, or a handler destroys the response."
        : 'Let nothing destroy the response or the process: answer every error with a page, and handle rejected promises.',
    );
  if (!isTimeout(error)) return { found: reason };
  const found = `The application did not answer ${path} in time.`;
  if (path === new URL(app.start).pathname) return { found };
  if (isCallback) {
    // Callbacks of later checks may be none for which the network is asked.
    if (name === 'login' && !(await app.hasToken()))
      return wrong(
        `${found} It had not asked the network yet.`,
        'What is in front of the strategy has to go on: a middleware must call next(), and the store of the session its callbacks.',
      );
    return wrong(
      found,
      'Call next(error) or answer in every branch of the callback and in the error handler, and let verify call done or return for every user, also after an error, and without waiting for other servers.',
    );
  }
  const elsewhere = new URL(`/${name.replaceAll(' ', '-')}`, url).href;
  const isEverywhere = await app.asked?.browser.visit(elsewhere).then(() => false, isTimeout);
  return wrong(
    `${found}${isEverywhere ? ' No other page answers this user.' : ''}`,
    isEverywhere
      ? 'Let deserializeUser call done for every user, also for one who is not found: done(null, user ?? false), and done(error) after an error.'
      : `Let ${path} answer every user.`,
  );
}

/** The remedy of a check that knows none. */
function remedyOf(name: string, found: string): string {
  if (found.endsWith('to no network'))
    return 'Name the URL to which the form of a link posts, and let the form pass what checks it.';
  if (/knows nobody/.test(found)) return "Name two of the sandbox's people, such as --people alice,anna.";
  if (found.includes('certificate is not trusted'))
    return 'Trust who issued it: --ca FILE, such as rootCA.pem of mkcert. A certificate for another name has to be made anew.';
  if (found.includes('answered a fetch'))
    return 'Answer { "url": await strategy.authorizationRequest(req) }: a fetch gets no redirect, and goes to the first URL of the JSON. Where a route has the parameters of a button alone, rehearse the link beside the button.';
  if (name === 'start' && /HTTP 5\d\d/.test(found))
    return 'The log of the application says why. Usual causes: passport.session() without a session before it, or a strategy of another name.';
  if (name === 'login' && /HTTP 2\d\d.*, and starts no login/.test(found))
    return 'A browser that never logged in is somebody already: keep each session by a random ID in a cookie, not by the address of the user, and no user in a variable.';
  if (name === 'start' && /HTTP 403/.test(found))
    return 'Something in front of the strategy refuses the visit: a check of Sec-Fetch headers, of forms or of addresses. Let GET navigations pass.';
  if (name === 'start' && /not answer .*in time/.test(found))
    return 'A handler must call what passport.authenticate(...) returns: passport.authenticate(name)(req, res, next).';
  if (name === 'start' && !found.startsWith('The sandbox refuses')) return START;
  if (found.includes('more than 10 redirects'))
    return 'Two pages send the user to each other: the session is lost between them. Give all processes one secret and one store of sessions.';
  if (/HTTP 404/.test(found)) return ROUTE;
  if (name === 'login' && /HTTP 5\d\d/.test(found)) return `${VERIFY} ${LOGS}`;
  if (found.startsWith('Parse Error'))
    return 'The length of a response is not what its Content-Length says, which counts bytes: Buffer.byteLength(text), or leave it to the framework.';
  return LOGS;
}

/** What is wrong with a page that follows a failure. */
function bare(page: Page, remedy = ERROR_PAGE): Finding | undefined {
  const isBlank = (page.status < 300 || page.status >= 400) && page.text.trim() === '';
  if (isBlank) return { found: `${pathOf(page)} answers with an empty page.`, remedy };
  return STACK.test(page.text) ? { found: `${pathOf(page)} shows a stack to the user.`, remedy } : undefined;
}

/** What is wrong with a page that follows a user's own mistake. */
const upset = (page: Page): Finding | undefined =>
  bare(page, FAILURE_PAGE) ??
  (page.status >= 500
    ? { found: `${pathOf(page)} answers with ${described(page)}.`, remedy: FAILURE_PAGE }
    : undefined);

/** Whether a failure sends the user to the network again. */
const isLoop = (page: Page): boolean => page.status >= 300 && page.status < 400 && !isHandedOver(page);
const LOOP: Finding = {
  found: 'The user is sent to the network again, and never comes back.',
  remedy: FAILURE_PAGE,
};

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
  if (who !== 'nobody') return wrong('The other person is signed in afterwards.', GUARD);
  return wrong('Nobody is signed in afterwards.', page ? NO_USER : KEPT);
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
  if (!mayRestart && isLoop(page)) return LOOP;
  if (!mayRestart && page !== login.answer && page.status === 404)
    return wrong(
      `${pathOf(page)} answers with ${described(page)}.`,
      `${FAILURE_PAGE} Redirect to one that exists, not to ${pathOf(page)}.`,
    );
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
  return wrong(
    `SameSite=Strict: no browser sends ${namesOf(strict)} along when it comes back from the network, which is another site.`,
    "Set sameSite: 'lax' for the cookie of the session.",
  );
}

/** The cookies without which the user is not signed in. */
async function neededOf(app: TestedApplication, cookies: readonly BrowserCookie[]) {
  const needed: BrowserCookie[] = [];
  for (const cookie of cookies) {
    const others = app.browser(cookies.filter((other) => other !== cookie));
    if ((await app.who(others)) === 'nobody') needed.push(cookie);
  }
  return needed;
}

/** Whether a session's ID signs the user in. A session in a cookie, which no server can end, is long, readable or always the same. */
async function hasSessionID(app: TestedApplication, cookies: readonly BrowserCookie[]): Promise<boolean> {
  const again = (await app.logIn()).browser.cookies().map(({ value }) => value);
  const needed = await neededOf(app, cookies);
  const isID = ({ value }: BrowserCookie) =>
    value.split('.').every((part) => part.length <= LONGEST_ID) &&
    ![value, ...decoded(value)].some((text) => /"\w+":/.test(text)) &&
    !again.includes(value);
  return needed.length > 0 && needed.every(isID);
}

/** The cookie that signs the other person in as soon as it names that person. */
async function forgedCookie(app: TestedApplication): Promise<string | undefined> {
  const { people, logins } = app;
  const [own, , theirs] = logins.map(({ browser }) => browser);
  if (!own || !theirs || !app.tellsApart()) return undefined;
  const known = new Set([...wordsOf(await app.look(theirs)), ...signsOf(people[1], false)]);
  const cookies = own.cookies();
  for (const { name } of cookies) {
    const all = logins.map(({ browser }) => cookieValue(browser.cookies(), name));
    const values = all.filter((value) => value !== undefined);
    if (values.length < 4) continue;
    for (const value of forgeries(values, (word) => known.has(word))) {
      const forged = cookies.map((cookie) => (cookie.name === name ? { ...cookie, value } : cookie));
      for (const jar of [forged, forged.filter((cookie) => cookie.name === name)])
        if ((await app.who(app.browser(jar))) === 'second') return name;
    }
  }
  return undefined;
}

/** What tells the ID of a session that somebody else has. */
async function guessedSession(app: TestedApplication): Promise<string | undefined> {
  const [login, again] = app.logins.map(({ browser }) => browser.cookies());
  const names = [app.network ?? '', 'tiktok', 'twitter', 'x', 'vk', 'vkontakte'];
  const known = app.people
    .flatMap((id) => signsOf(id, false))
    .flatMap((sign) => [
      sign,
      ...names.flatMap((name) =>
        ':|-_. /'
          .split('')
          .concat('')
          .map((sep) => name + sep + sign),
      ),
    ]);
  for (const cookie of login ?? []) {
    if ((await app.who(app.browser([cookie]))) === 'nobody') continue;
    const text = preimage(sessionID(cookie.value) ?? cookie.value, known);
    if (text !== undefined) return `${cookie.name} is the digest of ${text}`;
  }
  const needed = await neededOf(app, login ?? []);
  let bits = 0;
  let last: readonly string[] = [];
  for (const { name, value } of needed) {
    const own = sessionID(value);
    // A signature makes no ID longer, and a text that is signed is no ID.
    if (name.endsWith('.sig')) continue;
    if (own === undefined) return undefined;
    const ids = new Set(app.jars.map((jar) => sessionID(cookieValue(jar, name) ?? '') ?? ''));
    ids.delete('');
    const numbers = Array.from({ length: 1_000 }, (_, number) => String(number));
    const text = preimage(own, [...numbers, ...wordsOf(await app.look(app.browser(login)))]);
    if (text !== undefined) return `it is the digest of ${text}`;
    if (cookieValue(again ?? [], name) === value) return undefined;
    bits += bitsOf([...ids]);
    last = [...ids].slice(0, 2);
  }
  return last.length === 2 && bits < FEWEST_BITS ? `two are ${last.join(' and ')}` : undefined;
}

const cookieValue = (cookies: readonly BrowserCookie[], name: string): string | undefined =>
  cookies.find((cookie) => cookie.name === name)?.value;

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
  return wrong(
    `The redirect URI follows the header ${name}, which anybody can send: the code would go to ${EVIL_HOST}.`,
    `Set baseURL: '${new URL(app.start).origin}' for the strategy.`,
  );
}

/** A header that the strategy sets, with the response that starts a login and with the one that ends it. */
async function header(
  app: TestedApplication,
  name: string,
  isRight: (value: string) => boolean,
): Promise<Finding | undefined> {
  const [started] = app.started;
  for (const page of [started, app.logins[0]?.answer]) {
    const value = page?.headers.get(name) ?? '';
    if (!page || isRight(value)) continue;
    return wrong(
      `${pathOf(page)} answers with ${name}: ${value || 'nothing'}.`,
      `Leave the ${name} of the strategy as it is in the routes of logins.`,
    );
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

/** Tells whether a text has a secret: as it is, percent-encoded in any way, escaped as in HTML or JSON, or as a session in a cookie has it; also twice or three times. */
function finderOf(secrets: readonly string[]): (text: string) => boolean {
  // Pages repeat their words: comparing each of them with each secret again takes longer than all requests.
  const harmless = new Set<string>();
  const isSecret = (word: string): boolean => {
    if (harmless.has(word)) return false;
    if (layersOf(word).some((part) => secrets.some((secret) => part.includes(secret)))) return true;
    harmless.add(word);
    return false;
  };
  return (text) => text.match(LONG_WORDS)?.some(isSecret) === true;
}

function layersOf(text: string): readonly string[] {
  const layers = new Set([text]);
  let outer: readonly string[] = [text];
  for (let depth = 0; depth < 3; depth += 1) {
    outer = outer.flatMap((one) => [unescapedOf(one), ...decoded(one)]).filter((one) => !layers.has(one));
    for (const one of outer) layers.add(one);
  }
  return [...layers];
}

/** Without escapes of URLs, JSON and HTML. */
const unescapedOf = (text: string): string =>
  text.replace(
    /%([0-7][0-9a-f])|\\u00([0-7][0-9a-f])|&#x([0-7]?[0-9a-f]);|&#(\d{1,3});/gi,
    (_, percent?: string, json?: string, hex?: string, decimal?: string) =>
      String.fromCharCode(
        decimal === undefined ? Number.parseInt(percent ?? json ?? hex ?? '', 16) : Number(decimal),
      ),
  );

const decoded = (line: string): readonly string[] =>
  line
    .replace(/%2b/gi, '+')
    .replace(/%2f/gi, '/')
    .split(/[^\w+/-]+/)
    .filter((part) => part.length > 20)
    .flatMap((part) => [
      Buffer.from(part, 'base64').toString('latin1'),
      ...(/^(?:[\da-f]{2})+$/i.test(part) ? [Buffer.from(part, 'hex').toString('latin1')] : []),
    ]);

function isPair(value: unknown): boolean {
  return Array.isArray(value) && value.length === 2 && new Set(value).size === 2 && value.every(STRING[0]);
}

const lengthOf = (log: string | undefined): number => (log === undefined ? 0 : (readLog(log)?.length ?? 0));

function readLog(file: string): string | undefined {
  return existsSync(file) && statSync(file).isFile() ? readFileSync(file, 'utf8') : undefined;
}
