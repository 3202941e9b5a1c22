import { checkOptions, remedy as nearName } from '../core/checks.js';
import type { SandboxNetwork } from '../networks.js';
import { type Finished, TestedApplication } from './application.js';
import { CALLBACKS, hang, silentNetwork, slowUser } from './callbacks.js';
import {
  LIMITED,
  lastError,
  lengthOf,
  limited,
  remedyOf,
  strayCookie,
  unanswered,
  withoutToken,
  withoutUser,
} from './causes.js';
import { deletion } from './deletion.js';
import {
  ASKS_FIRST,
  type Check,
  formAction,
  LATE,
  learnSessions,
  NO_LOG,
  NO_LOGIN_OF,
  skipped,
  UNTOLD,
  wrong,
} from './findings.js';
import { IDENTITIES, isClosed, NAMES_ONLY } from './identities.js';
import { HEADERS, LEAKS, returnURLs, secretsInLogs } from './leaks.js';
import { linking } from './linking.js';
import { isTimeout } from './login.js';
import { OPTIONS, PATIENCE, type RehearsalCheck, type RehearsalOptions } from './options.js';
import { FIRST_PEOPLE } from './people.js';
import { cookieSecrets, masked } from './secrets.js';
import { SESSIONS } from './sessions.js';

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

const KEYS =
  "Spread the sandbox's options into the strategy, for the same protocol, and replace no key, secret, scope or field of them with a wrong one.";
/** Why something essential could not be tried. */
const NO_TIME = 'no time left';
/** Time for everything but the silent network, in milliseconds. */
const TIME = 90_000;

/** Milliseconds that a check has however late it is, because it needs a few requests, or none. */
const OWN_TIME: Readonly<Record<string, number>> = {
  caching: 5_000,
  'session at the end': 5_000,
  'secrets in responses': 5_000,
  'Referrer-Policy': Number.POSITIVE_INFINITY,
  forms: Number.POSITIVE_INFINITY,
  'error pages': Number.POSITIVE_INFINITY,
  'secrets in logs': Number.POSITIVE_INFINITY,
};
const TWICE =
  'Answer each request once. In Fastify, await what authenticate() returns, and return reply: otherwise Fastify answers while the session is saved.';
const ENDED =
  'A rejected promise that nobody handles, or an error in a timer, ends the process: in the callback of passport.authenticate() pass each error to next(error), also where it is async.';

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
  const all = { ...CHECKS, 'secrets in logs': secretsInLogs(lengthOf(log)) };
  const unknown = only?.find((name) => !Object.hasOwn(all, name));
  if (unknown !== undefined)
    throw new TypeError(`rehearse: unknown check "${unknown}"${nearName(unknown, Object.keys(all))}`);
  const deadline = Date.now() + TIME + patience;
  const app = new TestedApplication(new URL(url).href, people, session, deadline, ca, form);
  for (const begins of options.fetch ? [app.start, ...(options.others ?? []), options.link ?? app.start] : [])
    app.fetched.add(new URL(begins, app.start).pathname);
  app.signOut = options.signOut;
  const checks: RehearsalCheck[] = [];
  const show = (check: RehearsalCheck) => {
    checks.push(check);
    options.onCheck?.(check, app.network ? `${app.network}, ${app.protocol}` : '');
  };
  for (const [name, check] of Object.entries(all)) {
    const isNeeded = name === 'start' || name === 'login';
    if (only && !isNeeded && !only.includes(name)) continue;
    const ownTime = OWN_TIME[name] ?? 0;
    app.giveTime(ownTime);
    const needsNothing = ownTime === Number.POSITIVE_INFINITY;
    const isLate = () => !isNeeded && app.isLate();
    const thrown = async (error: Error) => {
      if (isTimeout(error)) app.limit = patience / 4;
      if (UNTRIED.some((reason) => error.message.startsWith(reason))) return skipped(error.message);
      return isLate() ? skipped(NO_TIME) : unanswered(app, name, error);
    };
    const logStart = lengthOf(log);
    const late = isLate() ? NO_TIME : !needsNothing && app.refused && LIMITED;
    const tried = late ? skipped(late) : await check(app, options).catch(thrown);
    const isUntold = !tried && session && OF_USERS.includes(name) && !app.tells();
    const isOut = !tried?.isSkipped && !isNeeded && LOCKED_OUT.test(tried?.found ?? '');
    const isInvited = isOut && (await isClosed(app).catch(() => false));
    const judged = isUntold ? skipped(UNTOLD) : isInvited ? skipped(CLOSED) : tried;
    // The network itself has a limit there.
    if (name === 'network error' && !late) app.refused = undefined;
    const finding = !late && !needsNothing && app.refused ? limited(app.refused) : judged;
    const { isSkipped, isNote, ...rest } = finding ?? {};
    const isAnswer = /HTTP [45]\d\d|in time|hang up|ECONNRESET/.test(finding?.found ?? '');
    const line = isAnswer && !isSkipped ? lastError(log, logStart, finding?.found) : undefined;
    const secrets = finding ? [...(await app.secrets().catch(() => [])), ...cookieSecrets(app)] : [];
    const advice = finding && !isSkipped && !isNote && remedyOf(name, finding, line);
    const remedy = advice && { remedy: masked(advice, secrets) };
    const stop = /[.?!"]$/.test(finding?.found ?? '') ? '' : '.';
    const told = line === undefined ? '' : `${stop} The log says: ${masked(line, secrets).slice(0, 600)}`;
    const found = finding && { found: masked(finding.found, secrets) + told };
    const result = { name, passed: isSkipped ? undefined : isNote || !finding, ...rest, ...found, ...remedy };
    const hasEnded = result.passed === false && name !== 'start' && !(await app.answers());
    const reason = result.found?.replace(/\.$/, '');
    const cause = line ?? lastError(log, logStart) ?? '';
    const why =
      cause === '' || line !== undefined ? '' : ` The log says: ${masked(cause, secrets).slice(0, 600)}`;
    const last = { ...result, found: `${reason}. Then the application ended.${why}` };
    show(hasEnded ? { ...last, remedy: /HEADERS_SENT/.test(cause) ? TWICE : ENDED } : result);
    if (hasEnded || (result.passed === false && isNeeded)) break;
    if (name !== 'login') continue;
    app.limit = patience;
    const blocked = only ? undefined : await hang(app, patience).catch(() => undefined);
    // A limit that this has reached is what the next check meets.
    app.refused = undefined;
    if (blocked)
      show({
        name: 'silent network',
        passed: false,
        ...blocked,
        found: `${blocked.found} No more was tried.`,
      });
    if (blocked) break;
  }
  app.over.abort();
  const passed = checks.every((check) => check.passed !== false);
  const complete = !checks.some(isUntried);
  const { network, protocol } = app;
  return { url: String(url), ...(network && { network, protocol }), checks, passed, complete };
}

/** What only a page that tells who is signed in can prove. */
const OF_USERS: readonly string[] = [
  'other people',
  'second login',
  'slow network',
  'two tabs',
  'two tabs, the second first',
  'reload after success',
  'slow user',
];

const LOCKED_OUT = /cannot log in|not signed in|HTTP 4/;
const CLOSED = "nobody new can log in: let the sandbox's people in while you rehearse";
const UNTRIED = [CLOSED, ASKS_FIRST, NO_TIME, NO_LOG, LIMITED, UNTOLD, NAMES_ONLY, NO_LOGIN_OF];

/** Whether a check that is essential could not be tried. */
export const isUntried = ({ passed, found = '' }: RehearsalCheck): boolean =>
  passed === undefined && UNTRIED.some((reason) => found.startsWith(reason));

/** What is tried, in order. A check that stands alone here comes before or after others of its file: it needs what they leave, or must not meet it. */
const CHECKS: Readonly<Record<string, Check>> = {
  start: async (app) => {
    const browser = app.browser();
    const first = await app.begin(browser);
    app.callback = await app.allow(first);
    const waiting = app.browser();
    app.waiting = { browser: waiting, authorization: await app.begin(waiting) };
    // The parameter that belongs to one login alone.
    const [state, other] = [first, app.waiting.authorization].map((authorization) => {
      const { searchParams } = new URL(authorization);
      return searchParams.get('state') ?? searchParams.get('oauth_token');
    });
    if (state === other)
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
    const waiting = app.browser();
    app.waiting = { browser: waiting, authorization: await app.begin(waiting) };
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
    if (app.tells()) await learnSessions(app);
    if (app.tellsApart() || options.session === false) return undefined;
    // A session that is saved late: who looks too early may lose its cookie.
    app.pause = LATE;
    const later: Finished[] = [];
    for (const who of ['first', 'first', 'second', 'second']) later.push(await app.logIn(who));
    await app.learn(later, page);
    if (!app.tellsApart()) app.pause = 0;
    return undefined;
  },
  session: SESSIONS.session,
  ...IDENTITIES,
  'session ID': SESSIONS['session ID'],
  ...CALLBACKS,
  cookies: SESSIONS.cookies,
  ...HEADERS,
  'sign-out': SESSIONS['sign-out'],
  'slow user': slowUser,
  'session at the end': SESSIONS['session at the end'],
  'return URLs': returnURLs,
  deletion,
  linking,
  'silent network': silentNetwork,
  ...LEAKS,
};
