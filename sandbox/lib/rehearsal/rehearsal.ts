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
import type { SandboxNetwork } from '../networks.js';
import type { SandboxFault } from '../traffic/faults.js';
import { besideLink, deletion, linking, OWN_ID } from './accounts.js';
import {
  described,
  type Finished,
  hiddenFields,
  linksIn,
  methodOf,
  type Page,
  pageOf,
  parsed,
  pathOf,
  TestedApplication,
  wordsOf,
} from './application.js';
import type { Browser, BrowserCookie } from './browser.js';
import {
  endsAsDeclined,
  KEYS,
  LIMITED,
  LOGIN_COOKIE,
  LONGER,
  lastError,
  lengthOf,
  limited,
  readLog,
  remedyInLog,
  remedyOf,
  sessionCookie,
  strayCookie,
  unanswered,
  withoutToken,
  withoutUser,
} from './causes.js';
import {
  after,
  BY_BOTH,
  bare,
  because,
  cannotTell,
  difference,
  ERROR_PAGE,
  EVIL_HOST,
  expectNobody,
  expectUser,
  type Finding,
  formAction,
  GUARD,
  isLoop,
  LATE,
  LOOP,
  lockedOut,
  missingForm,
  NO_LOGIN_OF,
  NO_USER,
  namesOf,
  OWN_PEOPLE,
  STACK,
  sharesID,
  showsIDs,
  skipped,
  strictSession,
  UNTOLD,
  unknownPerson,
  upset,
  VERIFIED,
  wrong,
} from './findings.js';
import { isAuthorization, isTimeout } from './login.js';
import {
  FIRST_PEOPLE,
  LINKED_PEOPLE,
  NAMESAKES,
  ONE_COLUMN,
  OTHER_PEOPLE,
  privateSigns,
  SAME_ID,
  SPECIAL,
  shows,
  showsName,
  TWINS,
  timesNamed,
} from './people.js';
import {
  cookieValue,
  decoded,
  finderOf,
  forgedCookie,
  guessedSession,
  hasSessionID,
  isShared,
  keptCookie,
  lastingKey,
  neededOf,
  RANDOM_ID,
  trustsHeader,
  unescapedOf,
} from './secrets.js';
import { commonSecret, sessionID } from './session-values.js';

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

type Check = (app: TestedApplication, options: RehearsalOptions) => Promise<Finding | undefined>;
/** Why something essential could not be tried. */
const NO_TIME = 'no time left';
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

const TARGETS = /(?:href|action)\s*=\s*["']?([^"'\s>]{1,2000})/gi;
const SIGN_OUT = /(?:href|action)\s*=\s*["']?([^"'\s>=]{0,300}(?:log|sign)[-_]?out[^"'\s>]{0,300})/i;
const FORM_WITHOUT_TOKEN = { method: 'POST', body: '', from: 'same-origin' } as const;
const NOTHING_KEPT =
  'Keep nothing of the session: no keepSessionInfo, no copy of the user in it, and no cookie of your own.';
const PLANTED = wrong(
  'The cookies from before the login show the user, too: whoever planted them is signed in.',
  'Give the user a new session ID: req.logIn does with Passport 0.6 or newer and a session that has regenerate().',
);
const START_GUARD =
  "In front of the strategy: if (req.user || isLoginResponse(req)) return res.redirect('/').";
/** Longer than the strategies' timeout, in milliseconds. */
const PATIENCE = 15_000;
/** Time for everything but the silent network, in milliseconds. */
const TIME = 40_000;

/** Milliseconds that a check has however late it is, because it needs a few requests, or none. */
const OWN_TIME: Readonly<Record<string, number>> = {
  caching: 5_000,
  'session at the end': 5_000,
  'secrets in responses': 5_000,
  'Referrer-Policy': Number.POSITIVE_INFINITY,
  'error pages': Number.POSITIVE_INFINITY,
  'secrets in logs': Number.POSITIVE_INFINITY,
};

const LIFETIME = 'Give cookieLogins({ lifetime }) in milliseconds: 900_000 are 15 minutes.';
/** Seconds that the cookie of a login outlives it, so that its end can be told. */
const AFTERWARDS = 600;
/** Logins after which a store for few sessions has dropped the first. */
const MANY_LOGINS = 40;
const NO_ADDRESS =
  'layla and ned have no e-mail address: profile.emails may be missing, verify must let such people in, and the column of the address has to be empty for several.';
/** Seconds. Users need longer to read a page. */
const SHORTEST_SESSION = 120;
/** The cookie of a pending login lives shorter, in seconds, and a session longer. */
const LONGEST_LOGIN = 3_600;
/** Servers commonly take 8 kB of headers. */
const MOST_COOKIES = 7_500;
const OWN_STORE =
  'Leave out the option store, or keep one login for each tab, by its ID, in the browser that began it.';
const SMALLER = 'Keep the session on the server, and its ID in the cookie.';
/** Members that only a network's record has, or a profile with it. */
const MEMBERS =
  /"(_json|_raw|open_id|union_id|avatar_url\w*|profile_image_url\w*|public_metrics|screen_name|photo_\w+|can_access_closed)"/g;
const ID_ONLY = 'Let serializeUser store the ID of your own user alone: done(null, user.id).';
const NO_VARIABLE =
  'Keep nothing of a login in a variable of the module or a field of a service: verify passes the user to done, and the callback route reads req.user.';
const ENDED =
  'A rejected promise that nobody handles, or an error in a timer, ends the process: in the callback of passport.authenticate() pass each error to next(error), also where it is async.';
const ONE_ROW = `${BY_BOTH} Change that row alone, let serializeUser store its ID, and deserializeUser find it by that ID: no cache or variable may keep one user for all.`;
const AS_IT_IS = `${BY_BOTH} Keep profile.id as it is: no Number(), parseInt(), toLowerCase() or slice(), and a column of text that compares exactly. E-mail addresses and handles belong to several people.`;
const BY_PROVIDER = `${BY_BOTH} Another network has the same IDs: the key, and each query, needs the provider.`;
const MANY_SESSIONS =
  'Keep one session for each browser, by its random ID, in a store with room for all of them: no max of a few, and no key such as the address of the user.';
const SAVED =
  "Redirect in the callback of req.logIn or req.session.save, and let the store's set call its own callback when the session is saved.";
const SHARED_SESSIONS =
  'Keep sessions in a store that all processes share, such as Redis or the database, with one secret.';

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
    const isAnswer = /HTTP [45]\d\d|in time|hang up|ECONNRESET/.test(finding?.found ?? '');
    const line = isAnswer && !isSkipped ? lastError(log, logStart, finding?.found) : undefined;
    const ownRemedy = (line && remedyInLog(line)) ?? finding?.remedy;
    const remedy = finding && !isSkipped && { remedy: ownRemedy ?? remedyOf(name, finding.found) };
    const isSecret = line !== undefined && finderOf(app.network ? await app.secrets() : [])(line);
    const shownLine = isSecret ? 'something that has a secret in it' : line;
    const told = line !== undefined && { found: `${finding?.found} The log says: ${shownLine}` };
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
    const begun = new URL(app.started[0]?.url ?? app.start);
    if (start.origin === end.origin && begun.origin === start.origin) return undefined;
    app.start = new URL(start.pathname + start.search, end).href;
    return wrong(
      `The login starts at ${begun.origin} and comes back at ${end.origin}: the browser's cookies stay behind.`,
      `Open the application at ${end.origin}, and redirect to no other host, or change callbackURL or baseURL.`,
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
        return strayCookie(login, login.page.url) ?? withoutUser(app, login, logins.length % 2 === 1, who);
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
      const byURL = await signingURL(app);
      if (byURL) return byURL;
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
    if (app.tells()) return (await cachedPage(app)) ?? (await renewedAlways(app)) ?? savedLate(app);
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
    const own = await app.logIn();
    const isOwn = async () => shows(wordsOf(await app.look(own.browser)), first, second);
    const wasOwn = await isOwn();
    await app.logIn();
    if (wasOwn && !(await isOwn()))
      return wrong(
        'A second login of one person, in another browser, takes the account away from the first one.',
        `${BY_BOTH} A login changes nothing of a row that is there: an upsert keeps the ID of its user.`,
      );
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
    const namesakes =
      (await mixed(app, NAMESAKES)) ?? (first === NAMESAKES[0] ? await sharesID(app) : undefined);
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
    for (const url of own && own.status < 400 ? app.ends() : [])
      for (const language of ['tlh', 'de-DE,de;q=0.9,en;q=0.8']) {
        const headers = { 'accept-language': language };
        const { response } = await app.browser(app.logins[0]?.browser.cookies()).visit(url, { headers });
        if (response.status < 500) continue;
        return wrong(
          `${new URL(url).pathname} answers with HTTP ${response.status} to a browser with Accept-Language: ${language}.`,
          'Take a language that you have for each that you do not have: req.acceptsLanguages() reads the header.',
        );
      }
    for (const id of OTHER_PEOPLE) {
      const login = await app.logIn(id).catch(unknownPerson);
      if (!login) return skipped(OWN_PEOPLE);
      const problem = await lockedOut(app, login, id);
      const isAddress = problem && id === 'layla' && (await lockedOut(app, await app.logIn('ned'), 'ned'));
      if (problem) return isAddress ? { ...problem, remedy: NO_ADDRESS } : problem;
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
      for (const url of app.ends()) {
        const problem = unescapedName(await app.look(login.browser, url), id);
        if (problem) return problem;
      }
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
    for (const url of [new URL('/', app.start).href, ...app.ends()]) await app.look(browser, url);
    const callback = await app.allow(await app.begin(browser));
    const planted = app.browser(browser.cookies());
    await app.finish(browser, callback);
    const needed = await neededOf(app, app.logins[0]?.browser.cookies() ?? []);
    const own = app.browser(needed.map((cookie) => ({ ...cookie, value: 'planted'.repeat(5) })));
    const made = app.browser(own.cookies());
    await app.logIn('first', own);
    if ((await app.who(planted)) !== 'nobody' || (await app.who(made)) !== 'nobody') return PLANTED;
    if (await trustsHeader(app))
      return wrong(
        'A header that names a user, such as X-Forwarded-User, signs that user in, whoever sends it.',
        'Read who is signed in from the session alone. Behind a proxy that sends such a header, let it reach the application in no other way.',
      );
    const beside = app.browser(planted.cookies().filter(({ name }) => !LOGIN_COOKIE.test(name)));
    const isBeside = beside.cookies().length > 0 && app.tellsApart();
    if (isBeside) await app.logIn('second', beside);
    return isBeside && (await app.who(browser)) !== 'first'
      ? wrong(
          'Two browsers that share every cookie but that of the session end up with one session.',
          RANDOM_ID,
        )
      : undefined;
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
    const remedy =
      'Leave the timeout of the strategy at 10 seconds, and let no timeout of a server, a proxy or a middleware end the request before.';
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
      const waiting = browser.cookies();
      await app.startingAt(new URL(other, app.start).href, () => app.begin(browser));
      const gone = lostLogin(waiting, browser);
      if (gone) return gone;
      const login = await app.finish(browser, callback);
      const lost = await expectUser(app, login);
      if (lost) return { ...lost, remedy: OWN_STORE };
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
    const problem = upset(page) ?? (await expectUser(app, { browser }));
    const [{ answer, page: end } = { answer: page, page }] = app.logins;
    const isPage = end === answer && end.headers.get('content-type')?.includes('html') && end.status === 200;
    if (problem || !isPage || /replaceState|\blocation\b/.test(end.text)) return problem;
    return wrong(
      `The login ends with a page at ${pathOf(end)}: its URL, with the code, stays in the address bar and the history.`,
      'Redirect after the login.',
    );
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
    const name = await lastingKey(app);
    if (name !== undefined)
      return wrong(
        `The cookie ${name} is the same at each login and signs in by itself: anybody who has seen it once stays signed in as that user.`,
        'Sign users in by the session alone, with a new random ID at each login.',
      );
    const hidden = app.browser(cookies.filter(({ httpOnly }) => httpOnly));
    const names = namesOf(cookies.filter(({ httpOnly }) => !httpOnly));
    if (names !== '' && app.tells() && (await app.who(hidden)) === 'nobody') {
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
    const isKept = ({ url, status, headers }: Page) =>
      (status === 301 || status === 308) &&
      new URL(url).pathname === new URL(app.start).pathname &&
      !/no-store/.test(headers.get('cache-control') ?? '');
    if (app.seen.some(isKept))
      return wrong(
        `${new URL(app.start).pathname} answers a signed-in user with a permanent redirect: after the sign-out the browser never asks again, and cannot log in.`,
        'Redirect with 302, which is the default of res.redirect.',
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
    // Where no page names the URL, a script may send the method.
    if (own) {
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
    const left = app.browser(browser.cookies());
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
    if (!next && (await app.who(left)) !== 'nobody') return PLANTED;
    const lost = next || (app.tellsApart() && (await expectUser(app, await app.logIn('second'), 'second')));
    if (lost)
      return after(
        'The user signed out, and somebody else logged in with the same browser.',
        lost,
        `${remedy} ${NOTHING_KEPT}`,
      );
    const [one, other] = app.people;
    if (app.tellsApart() && showsName(wordsOf(await app.look(browser)), one, other))
      return wrong(
        'The user signed out, and the page of who logged in next with the same browser names the user.',
        `${remedy} ${NOTHING_KEPT}`,
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
    const late = after('A user consented some seconds after the start.', problem, LIFETIME);
    const lines = app.started[0]?.headers.getSetCookie() ?? [];
    const own = lines.find((line) => LOGIN_COOKIE.test(line));
    const seconds = Number(/max-age=(\d+)/i.exec(own ?? '')?.[1] ?? Number.POSITIVE_INFINITY) - AFTERWARDS;
    return (
      late ??
      (seconds > 0 && seconds < 60
        ? wrong(
            `A login may take ${seconds} seconds: many people take longer to log in at a network.`,
            LIFETIME,
          )
        : undefined)
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
    const own = new URL(app.start);
    const to = new URL(app.page);
    to.searchParams.set('rehearsed', '1');
    for (const name of RETURN_PARAMETERS) own.searchParams.set(name, to.pathname + to.search);
    const begun = (await app.open(app.browser(), { url: own.href })).location;
    const { page: end } = await app.logIn();
    if (begun !== undefined && end.url === to.href)
      return wrong(
        'A login ends where another one, in another browser, should end.',
        'Keep the return URL in the state of the login, { state } of passport.authenticate(), or in the session: in no variable of the module.',
      );
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
  deletion: async (app, options) => {
    const { session, delete: target } = options;
    if (target === undefined) return skipped('name the URL that deletes an account with --delete URL');
    if (!app.tellsApart()) return cannotTell(session);
    const finding = await deletion(app, target, options);
    app.deletes = finding === undefined;
    return finding;
  },
  linking: async (app, { session, link: target, delete: deletion }) => {
    if (target === undefined) return skipped('name the URL that starts a link with --link URL');
    if (!app.deletes) return skipped('it deletes accounts, and the deletion does not work yet');
    if (app.people.some((id) => LINKED_PEOPLE.includes(id)))
      return skipped('one of the people who were named plays another part here');
    return app.tellsApart() ? linking(app, target, deletion) : cannotTell(session);
  },
  'error pages': async (app) => {
    const reflected = app.refused ? undefined : await reflects(app);
    if (reflected !== undefined)
      return wrong(
        `${reflected} shows what stands in its URL as markup: a link to it could run a script.`,
        'Escape what comes from the URL, or name in it which of your sentences to show.',
      );
    const page = app.seen.find(({ text }) => STACK.test(text));
    return page && { found: `${pathOf(page)} shows a stack to the user.`, remedy: ERROR_PAGE };
  },
  'secrets in responses': async (app) => {
    // The checks of accounts may have ended the first sessions.
    const { browser: user } = (app.tells() ? await app.logIn() : app.logins[0]) ?? {};
    for (const to of user && app.tells() ? await linksOf(app, user) : [])
      await user?.open(to, { from: 'same-origin' }, isAuthorization);
    const hasSecret = finderOf(await app.secrets());
    const needed = await neededOf(app, user?.cookies() ?? []);
    const hasID = finderOf(needed.map(({ value }) => unescapedOf(value)).filter(({ length }) => length > 20));
    for (const page of app.seen) {
      const lines = [...page.headers].map(([name, value]) => `${name}: ${value}`);
      const place = [`body: ${page.text}`, ...lines].find(
        (text) => hasSecret(text) || (text.startsWith('location') && hasID(text)),
      );
      if (place === undefined) continue;
      return wrong(
        `${pathOf(page)} answers with a code, a token or the secret of the network's application, or the cookie of the session, in: ${place.split(':')[0]}.`,
        "Keep the network's tokens and the options of the strategy on the server, and redirect to URLs of your own.",
      );
    }
    if (!user || !app.tells()) return undefined;
    const byURL = await signingURL(app);
    if (byURL) return byURL;
    const origin = `https://${EVIL_HOST}`;
    for (const url of [...app.ends(), ...(await linksOf(app, user))]) {
      const padded = new URL(url);
      padded.searchParams.set('callback', 'rehearsed');
      const { text } = await app.look(user, padded.href);
      if (/(?:^|\s|;)rehearsed\(/.test(text))
        return wrong(
          `A script of every other site can read ${padded.pathname}: it answers ?callback= with a call of that function.`,
          'Answer with res.json, not with res.jsonp.',
        );
      const { headers } = (await user.visit(url, { headers: { origin } })).response;
      const isOpen = headers.get('access-control-allow-origin') === origin;
      if (isOpen && headers.get('access-control-allow-credentials') === 'true')
        return wrong(
          `${new URL(url).pathname} lets every other site read what it shows the user.`,
          'Name your own origins in Access-Control-Allow-Origin, in the option origin of cors(): not that of each request, with credentials.',
        );
    }
    return (await ownFiles(app)) ?? (app.tellsApart() ? readsOthers(app, user) : undefined);
  },
};

/** The path of a page of the user that shows a parameter as markup, of those to which the application has redirected. */
async function reflects(app: TestedApplication): Promise<string | undefined> {
  if (!app.tells()) return undefined;
  const markup = '<b>Reflected</b>';
  const urls = app.seen.map(({ url }) => new URL(url)).filter(({ search }) => search.length > 1);
  const pages = new Map(urls.map((url) => [`${url.pathname}?${[...url.searchParams.keys()].join()}`, url]));
  const own = new URL(app.callback).pathname.split('/').slice(0, -1).join('/');
  const { browser } = await app.logIn();
  for (const url of [...pages.values()].filter(({ pathname }) => !pathname.startsWith(own)).slice(0, 10)) {
    for (const name of url.searchParams.keys()) url.searchParams.set(name, markup);
    const { text, headers } = await pageOf(
      await browser.open(url.href, { from: 'cross-site' }, isAuthorization),
    );
    if (headers.get('content-type')?.includes('html') && text.includes(markup)) return url.pathname;
  }
  return undefined;
}

/** @param start - Length of the file when the rehearsal began. */
const logCheck =
  (start: number): Check =>
  async (app, { log }) => {
    if (log === undefined) return skipped('name the file with --log FILE');
    // What refuses a form without its token may log the request.
    const { browser: user } = (app.tells() && !app.refused && (await app.logIn())) || {};
    const { text: shown = '', url = '' } = user ? await app.look(user) : {};
    await user?.visit(new URL(SIGN_OUT.exec(shown)?.[1] ?? '', url).href, FORM_WITHOUT_TOKEN);
    // Loggers write with a delay.
    await wait(300);
    const cookies = [...app.jars, user?.cookies() ?? []].flat();
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

/** That anybody can download the program. */
async function ownFiles(app: TestedApplication): Promise<Finding | undefined> {
  for (const [path, has] of [
    ['/package.json', /"dependencies"\s*:/],
    ['/.env', /^[A-Z_]+=/m],
    ['/.git/HEAD', /^ref: /],
  ] as const) {
    const { status, text } = await app.look(app.browser(), new URL(path, app.page).href);
    if (status === 200 && has.test(text))
      return wrong(
        `Anybody can download ${path}, and so the program and what lies beside it, such as a database.`,
        'Serve a folder of its own, with nothing but what browsers need: express.static("public").',
      );
  }
  return undefined;
}

/** Where the links of a user's pages lead, and what their scripts ask for. */
async function linksOf(app: TestedApplication, user: Browser): Promise<readonly string[]> {
  const links: string[] = [];
  for (const at of app.ends()) {
    const page = await app.look(user, at);
    links.push(...linksIn(page));
    const scripts = [...page.text.matchAll(/<script\b[^<>]{0,500}\bsrc\s*=\s*["']([^"']{1,2000})/gi)];
    for (const { 1: source = '' } of scripts.slice(0, 3)) {
      const script = parsed(source.replaceAll('&amp;', '&'), page.url);
      if (script?.origin === new URL(page.url).origin)
        links.push(...linksIn({ ...page, text: (await app.look(user, script.href)).text }));
    }
  }
  return [...new Set(links)];
}

const POSTS = /<form\b[^<>]*\bpost\b/i;

/** That a URL with the ID of one account shows another user what nobody else sees. A page of members may show names. */
async function readsOthers(app: TestedApplication, user: Browser): Promise<Finding | undefined> {
  const { browser: other } = await app.logIn('second');
  const shared = await linksOf(app, other);
  for (const url of (await linksOf(app, user)).filter((to) => !shared.includes(to))) {
    const { text } = await app.look(other, url);
    const open = await app.look(app.browser(), url);
    const [first, second] = app.people;
    const signs = privateSigns(first).filter((sign) => text.includes(sign));
    const isOpen = signs.some((sign) => !/^\d+$/.test(sign) && open.text.includes(sign));
    const isPrivate =
      signs.length > 0 ? isOpen || !signs.some((sign) => open.text.includes(sign)) : POSTS.test(text);
    const words = wordsOf({ text });
    if (
      isPrivate &&
      (signs.length > 0 || (shows(words, first, second, true) && !shows(words, second, first)))
    )
      return wrong(
        `${new URL(url).pathname} shows the data of another user to anybody who puts that user's ID into the URL.`,
        'Read the ID of the account from the session, req.user.id, and none from the URL.',
      );
  }
  return undefined;
}

/** The form or link of a page that leads to a URL. */
function leadingTo(text: string, url: string, target: string): RegExpExecArray | undefined {
  const isThere = ({ 1: to = '' }: RegExpExecArray) => {
    const address = to.replaceAll('&amp;', '&');
    return URL.canParse(address, url) && new URL(address, url).href === new URL(target, url).href;
  };
  return [...text.matchAll(TARGETS)].find(isThere);
}

/** Faults that a page has to explain. */
const ERRORS: readonly [SandboxFault, ...SandboxFault[]] = [
  { kind: 'answer', status: 500 },
  { kind: 'malformed' },
  { kind: 'reset' },
  { kind: 'rate-limit' },
];

/** What applications call the page to which a login leads, and another site as filters overlook it. */
const RETURN_PARAMETERS =
  'returnTo return_to returnUrl returnURL return next redirect redirectTo redirect_to redirectUrl callbackUrl continue from to url'.split(
    ' ',
  );

const ELSEWHERE = ['https://', '//', '/\\', '/\t/', 'https:', '/%2F', '/%5C'].map(
  (before) => `${before}${EVIL_HOST}/`,
);
/** Where Nora's name ends an attribute's value: what follows would be attributes, such as onfocus. */
const LEAVES_ATTRIBUTE = /=\s*(?:"[^"<>]*Nora "No"|'[^'<>]*O'Neil)|<[^<>]*\s[\w-]+=Nora\s/;
/** A missing URL or value, half a character, and Nora's name escaped twice. */
const BROKEN =
  /(?:src|href)\s*=\s*["']?(?:null|undefined)\b|@undefined\b|>\s*(?:undefined|NaN|\[object Object\])\s*<|\uFFFD|&amp;(?:quot|#34|#x22|#39|#x27|apos);/;

/** What is wrong with how a page shows the profile of one of the {@link OTHER_PEOPLE}. */
function unescapedName(page: Page, id: string): Finding | undefined {
  const { text, headers } = page;
  const isMarkup = text.includes('<b>Twin</b>') || LEAVES_ATTRIBUTE.test(text);
  if (headers.get('content-type')?.includes('html') && isMarkup)
    return wrong(
      `${pathOf(page)} shows a name as markup: it could contain a script.`,
      'Escape what comes from a profile, also in JSON inside a script: .replaceAll("<", "\\u003c").',
    );
  const [bad] = BROKEN.exec(text) ?? scriptWith(text) ?? [];
  if (bad === undefined) return undefined;
  return wrong(
    `The page of ${id} has ${bad}.`,
    `${id} ${SPECIAL[id]} Escape a name once, cut it by characters, as Array.from(name)[0] does, and leave out what a profile has not.`,
  );
}

/** Nora's name in an attribute whose script it ends. */
function scriptWith(text: string): RegExpExecArray | undefined {
  const handlers = text.matchAll(
    /\bon\w{1,40}\s*=\s*(?:"([^"]{0,500}Neil[^"]{0,500})"|'([^']{0,500}Neil[^']{0,500})')/g,
  );
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
    // Who can log in here has a namesake in the way there, unless the other application lets in nobody like that.
    if (problem && at !== app.start) {
      const isOut = login.page.status < 500 || (await lockedOut(app, await app.logIn(id), id));
      const anybody = await app.startingAt(at, () => app.logIn('second'));
      return isOut || anybody.page.status >= 400 ? skipped(UNTOLD) : { found: problem.found };
    }
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

/** That some visits know who logged in and others do not, so that no later check can tell. */
function someVisits(app: TestedApplication): Finding {
  app.isMixed = true;
  return wrong(`Only some visits of ${app.page} know who logged in.`, SHARED_SESSIONS);
}

/** That the URL at which a login ends shows its user to whoever opens it. */
async function signingURL(app: TestedApplication): Promise<Finding | undefined> {
  const [{ page } = {}, again] = app.logins;
  if (!page || new URL(page.url).search === '') return undefined;
  const later = new URL(again?.page.url ?? page.url).searchParams;
  const isTicket = [...new URL(page.url).searchParams].some(
    ([name, value]) => /token|jwt|session|sid/i.test(name) && value.length > 16 && value !== later.get(name),
  );
  const visitor = app.browser();
  const shown = await app.look(visitor, page.url);
  const isSignedIn = new URL(app.page).search === '' && (await app.who(visitor)) !== 'nobody';
  if (!isTicket && !isSignedIn && !shows(wordsOf(shown), ...app.people, true)) return undefined;
  return wrong(
    `The URL at which a login ends, at ${pathOf(page)}, signs in whoever opens it: it stays in the history, in logs and in the Referer of other sites.`,
    'Redirect to a URL without a token or the ID of a session, and keep these in a cookie.',
  );
}

/** That a session is over after one request with its cookie. */
async function renewedAlways(app: TestedApplication): Promise<Finding | undefined> {
  const { browser } = await app.logIn();
  const visit = () => app.who(app.browser(browser.cookies()));
  if ((await visit()) !== 'nobody' && (await visit()) === 'nobody')
    return wrong(
      'Of two requests with one cookie, only the first knows the user: a page that loads several things at once signs the user out.',
      'Give the session a new ID at the login alone, not with each request.',
    );
  return undefined;
}

/** That two users get one page, but not with a query that no cache knows. */
async function cachedPage(app: TestedApplication): Promise<Finding | undefined> {
  const [one, , other] = app.logins;
  if (!one || !other) return undefined;
  const textOf = async ({ browser }: Finished, url?: string) => (await app.look(browser, url)).text;
  if ((await textOf(one)) !== (await textOf(other))) return undefined;
  const url = new URL(app.page);
  url.searchParams.set('uncached', String(Date.now()));
  const [first, second] = app.people;
  for (const elsewhere of [url.href, ...app.ends().slice(1)]) {
    const [own, theirs] = [
      await textOf(one, elsewhere),
      await textOf(other, elsewhere.replace('uncached', 'other')),
    ];
    app.isMixed ||=
      shows(wordsOf({ text: own }), first, second) && shows(wordsOf({ text: theirs }), second, first);
  }
  if (!app.isMixed) return undefined;
  return wrong(
    `${app.page} is the same for two users, who see their own accounts elsewhere: a cache on the server keeps it by its path.`,
    'Let no cache keep a page that shows a user, or let its key have the ID of the session.',
  );
}

/** Whether a page knows who logged in only some time afterwards. From then on, nobody looks earlier. */
async function savedLate(app: TestedApplication): Promise<Finding | undefined> {
  const { browser } = await app.logIn();
  const isLate = app.pause > 0;
  const isThere = (await app.who(browser)) !== 'nobody';
  const visits: string[] = [];
  const visit = async () => {
    while (visits.length < 4) visits.push(await app.who(browser));
    return visits.includes('nobody');
  };
  const statuses = new Set<number>();
  for (let count = 0; count < 3; count += 1) statuses.add((await browser.visit(app.page)).response.status);
  if (isThere && ((await visit()) || statuses.size > 1)) return someVisits(app);
  if (isThere && !isLate) return undefined;
  app.pause = LATE;
  await wait(LATE);
  if (await visit()) return someVisits(app);
  return wrong('Nobody is signed in right after the login, but somebody a moment later.', SAVED);
}

/** The parameter that belongs to one login alone. */
function stateOf(authorization: string): string | null {
  const { searchParams } = new URL(authorization);
  return searchParams.get('state') ?? searchParams.get('oauth_token');
}

/** That the start of another login took the cookie of one that waits. */
function lostLogin(waiting: readonly BrowserCookie[], browser: Browser): Finding | undefined {
  const left = browser.cookies().map(({ name }) => name);
  const gone = waiting.find(({ name }) => LOGIN_COOKIE.test(name) && !left.includes(name));
  return (
    gone &&
    wrong(
      `The start of a second login removes ${gone.name}, the cookie of the first.`,
      'Remove no cookie that begins with login.: each is a login of its own, and the strategy removes it at its end.',
    )
  );
}

async function tabs(
  app: TestedApplication,
  order: (callbacks: readonly string[]) => readonly string[],
): Promise<Finding | undefined> {
  const browser = app.browser();
  const callbacks = [await app.allow(await app.begin(browser))];
  const waiting = browser.cookies();
  callbacks.push(await app.allow(await app.begin(browser)));
  const gone = lostLogin(waiting, browser);
  if (gone) return gone;
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
export async function header(
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
export function forged(callback: string): string {
  const url = new URL(callback);
  for (const name of url.searchParams.keys()) url.searchParams.set(name, 'FORGED');
  return url.href;
}

function isPair(value: unknown): boolean {
  return Array.isArray(value) && value.length === 2 && new Set(value).size === 2 && value.every(STRING[0]);
}
