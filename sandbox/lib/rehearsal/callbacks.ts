import { setTimeout as wait } from 'node:timers/promises';
import type { SandboxFault } from '../traffic/faults.js';
import {
  described,
  type Finished,
  isHandedOver,
  lastingWords,
  type Page,
  pageOf,
  pathOf,
  type TestedApplication,
} from './application.js';
import { type Browser, type BrowserCookie, isWeb } from './browser.js';
import { LOGIN_COOKIE, lengthOf, readLog } from './causes.js';
import {
  after,
  bare,
  type Check,
  cannotTell,
  difference,
  ERROR_PAGE,
  expectUser,
  FAILURE_PAGE,
  type Finding,
  failed,
  GUARD,
  isSame,
  LATE,
  noLanguage,
  note,
  readByOthers,
  skipped,
  strictSession,
  terse,
  toldAgain,
  unknownPerson,
  upset,
  VERIFIED,
  wrong,
} from './findings.js';
import { goesOn } from './html.js';
import { isAuthorization, isTimeout } from './login.js';
import { PATIENCE } from './options.js';

const LIFETIME = 'Give cookieLogins({ lifetime }) in milliseconds: 900_000 are 15 minutes.';
/** Seconds that the cookie of a login outlives it, so that its end can be told. */
const AFTERWARDS = 600;
/** The cookie of a pending login lives shorter, in seconds, and a session longer. */
const LONGEST_LOGIN = 3_600;
const LONGER_TIMEOUT =
  'If a timeout of a server or a middleware answers before: make it longer than the timeout of the strategy, and let it answer with a page.';
const OWN_STORE =
  'Leave out the option store, or keep one login for each tab, by its ID, in the browser that began it.';

/** After which an application goes on for ever. */
const FEW_ROUNDS = 3;
const MOST_HOPS = 20;

/** Pages of a user whose visitors are sent to the page to log in. */
const FEW_PAGES = 3;
const OF_A_FAILURE =
  /error|exception|fail|refus|denied|time(?:d )?out|reach|malformed|retry|limit|warn|"level":\s?[4-6]0/i;

/** Faults that a page has to explain. */
const ERRORS: readonly [SandboxFault, ...SandboxFault[]] = [
  { kind: 'answer', status: 500 },
  { kind: 'malformed' },
  { kind: 'reset' },
  { kind: 'rate-limit' },
];

/** What the callback answers to who declines, to a network that fails, to tabs and reloads, and to responses that are forged or of somebody else's login. */
export const CALLBACKS = {
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
    const kept = problem ?? (app.tells() ? await keptMessage(app) : undefined);
    if (kept) return kept;
    const other = app.browser();
    const foreign = await app.deny(await app.begin(other));
    const visited = await other.open(foreign, { from: 'cross-site', headers: { 'accept-language': 'tlh' } });
    const unknown = noLanguage(visited, 'tlh');
    if (unknown) return unknown;
    const declined = await app.deny(await app.begin(other));
    return (await readByOthers(app, declined, other)) ?? staysSignedIn(app);
  },
  'Back, then Allow': async (app) => {
    const browser = app.browser();
    const authorization = await app.begin(browser);
    await app.finish(browser, await app.deny(authorization));
    const callback = await app.allow(authorization).catch(() => undefined);
    if (callback === undefined) return skipped('the network itself refuses a second decision');
    return upset((await app.finish(browser, callback)).page);
  },
  'network error': async (app, { log }) => {
    const start = lengthOf(log);
    for (const fault of ERRORS) {
      const login = await app.during(fault, () => app.logIn());
      if (await app.isLoggedIn(login)) {
        const found = `Somebody is signed in although the network answered with the fault "${fault.kind}".`;
        return { found, remedy: VERIFIED };
      }
      const isMissing = login.page.status === 404;
      const problem = isLoop(login.page)
        ? LOOP
        : isMissing
          ? { ...failed(login.page), remedy: ERROR_PAGE }
          : (bare(login.page) ??
            terse(login.page) ??
            asJSON(app, login.page) ??
            (await silent(app, login)) ??
            succeeds(login));
      if (problem) return problem;
    }
    return (await staysSignedIn(app, ERRORS[0])) ?? unlogged(log, start);
  },
  'slow network': async (app, { patience = PATIENCE }) => {
    const milliseconds = Math.round(patience / 10);
    const logIn = async () => expectUser(app, await app.logIn());
    const problem = await app.during({ kind: 'delay', milliseconds }, logIn);
    const remedy =
      'Leave the timeout of the strategy at 10 seconds, and let no timeout of a server, a proxy or a middleware end the request before.';
    return after(`The network took ${milliseconds / 1000} seconds.`, problem, remedy);
  },
  'other form of the response': async (app) => {
    const browser = app.browser();
    const callback = new URL(await app.allow(await app.begin(browser)));
    if (!callback.searchParams.has('device_id')) return skipped('the network has one form');
    const payload = JSON.stringify(Object.fromEntries(callback.searchParams));
    callback.search = String(new URLSearchParams({ payload }));
    const problem = await expectUser(app, await app.finish(browser, callback.href));
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
      const isThere = own && app.tells() && !(await expectUser(app, { browser: own.browser }));
      if (isThere && (await difference(app, [own, login])).length > 1)
        return wrong(
          `A login ends in another account if one starts at ${other} in a second tab before.`,
          'Take the network from profile.provider, and nothing of a login from the session or a cookie.',
        );
    }
    return tabs(app, false);
  },
  'two tabs, the second first': (app) => tabs(app, true),
  'reload after success': async (app) => {
    const { browser, callback } = await app.logIn();
    const { page } = await app.finish(browser, callback);
    const problem = upset(page) ?? (await expectUser(app, { browser }));
    const [{ answer, page: end } = { answer: page, page }] = app.logins;
    const isPage = end === answer && end.headers.get('content-type')?.includes('html') && end.status === 200;
    if (problem || !isPage || /replaceState|\blocation\b|http-equiv=.?refresh/i.test(end.text))
      return problem;
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
    for (const search of ['', '?error=x', '?code=x', '?state=x', '?code=x&code=y', '?error[x]=y']) {
      const problem = await expectNobody(app, app.browser(), route + search);
      if (problem) return problem;
    }
    const user = await app.logIn();
    const opened = await app.finish(user.browser, route);
    const problem = upset(opened.page) ?? (await expectUser(app, { browser: user.browser }));
    if (problem) return after('A user who was signed in opened the URL of the callback.', problem);
    const other = isLoop(opened.page) ? await app.open(user.browser).catch(missingForm) : undefined;
    return other && other.location === undefined
      ? note(
          'opened by a user who is signed in, it begins another login: isLoginResponse(req) says what to let through',
        )
      : undefined;
  },
  'forged callback': async (app) => {
    const browser = app.browser();
    const callback = await app.allow(await app.begin(browser));
    const forged = new URL(callback);
    for (const name of forged.searchParams.keys()) forged.searchParams.set(name, 'FORGED');
    const waiting = browser.cookies();
    const problem = await expectNobody(app, browser, forged.href, OWN_STORE);
    if (problem) return problem;
    const gone = removedFrom(waiting, browser);
    const lost = await expectUser(app, await app.finish(browser, callback));
    const remedy = lost?.found.includes('Clear-Site-Data') ? lost.remedy : OWN_STORE;
    return lost && gone && remedy === OWN_STORE
      ? wrong(
          `A page after a login that failed removes ${gone}, the cookie of one that is under way.`,
          KEEP_COOKIES,
        )
      : after("A forged response spent the user's own login.", lost, remedy);
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
    const late = await app.finish(app.browser(kept), callback);
    const expired = after("The login's cookie had expired.", problem ?? (await silent(app, late)));
    return expired ?? withoutCookies(app, callback);
  },
  'somebody else signed in': async (app, { session }) => {
    if (!app.tellsApart()) return cannotTell(session);
    const browser = app.browser();
    const [early, other, late] = [
      await app.begin(browser),
      await app.begin(browser),
      await app.begin(browser),
    ];
    await app.logIn('first', browser);
    // An application may refuse such a login with a page.
    const { page } = await app.finish(browser, await app.allow(early, 'second'));
    const problem = upset(page) ?? (await expectUser(app, { browser }));
    const found = 'A login that had begun earlier changed who is signed in.';
    const [start, end] = [app.start, app.callback].map((url) => new URL(url).pathname);
    const mount = end?.startsWith(`${start}/`)
      ? ` Mount ${start} with app.get: app.use takes ${end}, too.`
      : '';
    const strict = problem && (await strictSession(app, browser));
    if (problem) return strict ?? after(found, problem, `${problem.remedy ?? GUARD}${mount}`);
    // A strategy finishes a login wherever its response arrives.
    await app.finish(browser, new URL(new URL(await app.allow(other, 'second')).search, app.start).href);
    const switched = await expectUser(app, { browser });
    // The social network does not let him in.
    const newcomer =
      app.network === 'social-network' ? undefined : await app.allow(late, 'boris').catch(unknownPerson);
    if (!switched && newcomer !== undefined) {
      await app.finish(browser, newcomer);
      if ((await difference(app, [{ browser }, await app.signIn('boris')])).length < 2)
        return wrong(
          'The first login of somebody, which had begun earlier, was linked to who was signed in.',
          'Link a login only if a link began it: by info.state in the callback, and not by req.user in verify.',
        );
    }
    return after(
      'A response at the URL that starts the login changed who is signed in.',
      switched,
      "In the route that starts logins, first: if (req.user || isLoginResponse(req)) return res.redirect('/'), with isLoginResponse of passport-social-networks.",
    );
  },
} satisfies Record<string, Check>;

/** Comes late, so that the login has waited. */
export const slowUser: Check = async (app) => {
  if (!app.waiting) return skipped('no login was begun');
  const { browser, authorization } = app.waiting;
  const problem = await expectUser(app, await app.finish(browser, await app.allow(authorization)));
  const late = after('A user consented some seconds after the start.', problem, LIFETIME);
  const lines = app.started[0]?.headers.getSetCookie() ?? [];
  const own = lines.find((line) => LOGIN_COOKIE.test(line));
  const seconds = Number(/max-age=(\d+)/i.exec(own ?? '')?.[1] ?? Number.POSITIVE_INFINITY) - AFTERWARDS;
  if (late || seconds <= 0 || seconds >= 60) return late;
  return wrong(
    `A login may take ${seconds} seconds: many people take longer to log in at a network.`,
    LIFETIME,
  );
};

/** Whether a failure sends the user to the network again. */
const isLoop = (page: Page): boolean => page.status >= 300 && page.status < 400 && !isHandedOver(page);

const LOOP: Finding = {
  found: 'The user is sent to the network again, and never comes back.',
  remedy: FAILURE_PAGE,
};

/** Begins a login whose network never answers: it waits beside other checks. @returns What is wrong if others wait for it. */
export async function hang(app: TestedApplication, patience: number): Promise<Finding | undefined> {
  const browser = app.browser();
  const callback = await app.allow(await app.begin(browser));
  await app.during({ kind: 'hang' }, async () => {
    const late = new DOMException('The network is silent', 'TimeoutError');
    const timer = setTimeout(() => app.over.abort(late), app.timeout(patience));
    let isAsked = false;
    app.hanging = app.finish(browser, callback, app.over.signal).finally(() => {
      clearTimeout(timer);
      isAsked = true;
    });
    app.hanging.catch(() => undefined);
    while (!isAsked) {
      await wait(20);
      isAsked ||= (await app.requestsAfterConsent()).some(({ fault }) => fault !== undefined);
    }
  });
  const isOver = () => true;
  const other = app.logIn().then(({ page }) => page.status >= 500);
  return (await Promise.race([other, app.hanging?.then(isOver, isOver)]))
    ? wrong(
        'While one login waits for its network, another one waits, too, or fails.',
        'Let no login wait for another: no queue, lock or promise that all share, around verify or what follows it. The timeout of the strategy is in milliseconds.',
      )
    : undefined;
}

/** What the login that met a silent network ends with. */
export const silentNetwork: Check = async (app, { patience = PATIENCE }) => {
  const blocked = app.hanging ? undefined : await hang(app, patience);
  if (blocked) return blocked;
  try {
    const login = await app.hanging;
    if (login && isLoop(login.page)) return LOOP;
    return login && bare(login.page, `${ERROR_PAGE} ${LONGER_TIMEOUT}`);
  } catch (error) {
    if (!isTimeout(error as Error)) throw error;
    return wrong(
      `The network is silent, and the application did not answer within ${patience / 1000} seconds.`,
      'Leave the timeout of the strategy at 10 seconds, or shorten it.',
    );
  }
};

/** That a person reads JSON, where a login that succeeds ends at a page. */
function asJSON({ logins: [login] }: TestedApplication, page: Page): Finding | undefined {
  const isJSON = ({ headers }: Page) => headers.get('content-type')?.includes('json') === true;
  if (!login || isJSON(login.page) || !isJSON(page)) return undefined;
  return wrong(`${pathOf(page)} answers a person with JSON: ${described(page)}.`, FAILURE_PAGE);
}

/** That a page goes on to say what a login that failed has said, also after one that succeeded. */
async function keptMessage(app: TestedApplication): Promise<Finding | undefined> {
  const browser = app.browser();
  const { page } = await app.finish(browser, await app.deny(await app.begin(browser)));
  const home = new URL('/', app.start).href;
  await app.look(browser, home);
  const visitor = app.browser();
  await app.look(visitor, home);
  const left = toldAgain(page, await app.looks(browser, home), await app.looks(visitor, home));
  if (left) return left;
  await app.logIn('first', browser);
  return toldAgain(page, await app.looks(browser), await app.looks((await app.signIn()).browser));
}

/** That a log which tells of other things says nothing of a network that failed. */
async function unlogged(log: string | undefined, start: number): Promise<Finding | undefined> {
  if (log === undefined) return undefined;
  await wait(LATE);
  const lines = readLog(log)?.slice(start).trim() ?? '';
  if (lines === '' || OF_A_FAILURE.test(lines)) return undefined;
  return wrong(
    `The network failed, and ${log} says nothing of it: nobody sees why users cannot log in.`,
    'Log error.message where the page for an error is made, of each ProviderError, too.',
  );
}

/** That the answer to a login that failed says by its status that all is well. */
const succeeds = ({ answer, page }: Finished): Finding | undefined =>
  page !== answer || page.status >= 300
    ? undefined
    : wrong(
        `${pathOf(page)} answers with HTTP ${page.status} although the network failed: nothing that watches the application sees an error.`,
        'Answer with the status of the error: res.status(error.status).',
      );

/** That a login which failed ends at the page that every visitor sees. What a script makes of the URL or a cookie, nobody can tell. */
async function silent(
  app: TestedApplication,
  { browser, answer, page }: Finished,
): Promise<Finding | undefined> {
  const hasMore = /[?#]/.test(page.url) || browser.cookies().length > 0;
  if (page === answer || page.status >= 400 || (hasMore && /<script/i.test(page.text))) return undefined;
  // A page of its own says so itself. Where a visitor cannot see the user's page, the sign-in page is shown instead.
  const usual = [...app.ends(), new URL('/', app.start).href];
  const own = app.tells() && app.logins[0] ? await app.linksOf(app.logins[0].browser) : [];
  for (const url of [app.page, ...own.slice(0, FEW_PAGES)])
    usual.push((await app.look(app.browser(), url)).url);
  if (!usual.some((url) => pathOf({ url }) === pathOf(page))) return undefined;
  const plain = await app.look(app.browser(), page.url.replace(/[?#].*/, ''));
  if (!isSame(lastingWords(plain), lastingWords(page))) return undefined;
  return wrong(
    `${pathOf(page)} does not say that the login failed: every visitor sees the same page.`,
    `${FAILURE_PAGE} Say in a sentence what happened: by failureRedirect: '/?failed' and a page that reads it, or by a flash message.`,
  );
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
  const unread = mayRestart ? undefined : (asJSON(app, page) ?? terse(page, FAILURE_PAGE));
  if (unread) return unread;
  const problem = upset(page);
  if (problem || !(await app.isLoggedIn(login)))
    return problem ?? (mayRestart ? undefined : silent(app, login));
  return { found: 'Somebody is signed in afterwards.', remedy };
}

const missingForm = (error: Error) => {
  if (/has no form/.test(error.message)) return undefined;
  throw error;
};

/** That a browser which keeps no cookies is sent to the network again and again. */
async function withoutCookies(app: TestedApplication, callback: string): Promise<Finding | undefined> {
  let url = callback;
  let rounds = 0;
  for (let hops = 0; hops < MOST_HOPS && rounds < FEW_ROUNDS; hops += 1) {
    const visited = await app.browser().visit(url, { from: 'cross-site' });
    const next = visited.location ?? goesOn(await pageOf(visited))?.href;
    if (next === undefined || !isWeb(next)) return undefined;
    const isRound = isAuthorization(next);
    rounds += Number(isRound);
    const allowed = isRound ? await app.allow(next).catch(() => undefined) : next;
    if (allowed === undefined) return undefined;
    url = allowed;
  }
  if (rounds < FEW_ROUNDS) return undefined;
  return wrong(
    'A browser that keeps no cookies is sent to the network again and again.',
    'Show a page where a login has ended, with a link that begins another one.',
  );
}

/** That a user who is signed in begins another login, which fails, and is nobody then. @param fault - Default: the user declines. */
async function staysSignedIn(app: TestedApplication, fault?: SandboxFault): Promise<Finding | undefined> {
  const { browser } = await app.signIn();
  const { location } = (await app.open(browser).catch(missingForm)) ?? {};
  if (location === undefined) return undefined;
  if (app.tells() && (await app.who(browser)) === 'nobody')
    return wrong(
      'The start of another login signs out who is signed in.',
      'Leave the session alone where a login starts: who declines it stays signed in.',
    );
  const finish = async () => app.finish(browser, await (fault ? app.allow(location) : app.deny(location)));
  await (fault ? app.during(fault, finish) : finish());
  const end = fault ? 'and the network had an error' : 'and declined it';
  const problem = await expectUser(app, { browser });
  return after(`A user who was signed in began another login, ${end}.`, problem);
}

const KEEP_COOKIES =
  'Remove no cookie that begins with login., and leave the limit of cookieLogins as it is: each is a login of its own, and the strategy removes it at its end.';

/** The name of a login's cookie that a browser has no more. */
function removedFrom(waiting: readonly BrowserCookie[], browser: Browser): string | undefined {
  const left = browser.cookies().map(({ name }) => name);
  return waiting.find(({ name }) => LOGIN_COOKIE.test(name) && !left.includes(name))?.name;
}

/** That the start of another login took the cookie of one that waits. */
function lostLogin(waiting: readonly BrowserCookie[], browser: Browser): Finding | undefined {
  const gone = removedFrom(waiting, browser);
  if (gone === undefined) return undefined;
  return wrong(`The start of a second login removes ${gone}, the cookie of the first.`, KEEP_COOKIES);
}

async function tabs(app: TestedApplication, isReversed: boolean): Promise<Finding | undefined> {
  const browser = app.browser();
  const callbacks = [await app.allow(await app.begin(browser))];
  const waiting = browser.cookies();
  callbacks.push(await app.allow(await app.begin(browser)));
  const gone = lostLogin(waiting, browser);
  if (gone) return gone;
  const pending = () => browser.cookies().filter(({ name }) => LOGIN_COOKIE.test(name)).length;
  const before = pending();
  let left = before;
  for (const callback of isReversed ? callbacks.toReversed() : callbacks) {
    const problem = await expectUser(app, await app.finish(browser, callback));
    if (problem && before > 0 && left === 0)
      return wrong('The end of one login removes the cookies of all.', KEEP_COOKIES);
    if (problem) return { ...problem, remedy: OWN_STORE };
    left = pending();
  }
  return undefined;
}
