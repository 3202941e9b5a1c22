import { existsSync, readFileSync, statSync } from 'node:fs';
import { NETWORKS, type SandboxNetwork } from '../networks.js';
import {
  described,
  type Finished,
  type Page,
  type Person,
  pathOf,
  type TestedApplication,
} from './application.js';
import { DESERIALIZE, type Finding, failed, NO_USER, OWN_ID, ROUTE, skipped, wrong } from './findings.js';
import { isAuthorization, isTimeout, reasonOf } from './login.js';
import { ANY_SCRIPT, ONE_COLUMN } from './people.js';

export const LIMITED = 'a limit of requests refuses the visits';
/** A limit that refuses fewer logins of one address in a row refuses users. */
const FEW_LOGINS = 20;
/** The cookie of a pending login, or its line: a name, `login` unless `cookieLogins` has another, and 16 random characters. */
export const LOGIN_COOKIE = /^(?:(?:__Host-)?login\.|[^=;]+\.[\w-]{16}(?:=|$))/;
export const LONGER = 'Give the session and its cookie a maxAge of hours, in milliseconds.';
const VERIFY =
  'Usual causes: verify throws, or takes other arguments than passReqToCallback, passParamsToCallback and skipUserProfile say.';
const START =
  "Give the URL at which the running application starts a login, and spread the sandbox's options into its strategy.";

/** What verify takes for granted. */
const MISSING: Readonly<Partial<Record<SandboxNetwork, string>>> = {
  'short-video':
    "TikTok's profile has no name, emails or, without its scope, username: profile.name.givenName and profile.emails[0] throw, and a column for them must not be NOT NULL.",
  microblog:
    "X's profile has no name, and no emails without includeEmail: profile.name.givenName and profile.emails[0] throw, and a column for them must not be NOT NULL.",
  'social-network':
    "VK's profile may have no emails and no photos: profile.emails[0] throws, and a column for them must not be NOT NULL.",
};

export const FIRST_ROW =
  'verify has to find the row of the first login: INSERT alone fails, and ON CONFLICT DO NOTHING RETURNING returns no row. Look for an ID in the form in which it is stored. Read the row afterwards, or use DO UPDATE. A second login keeps whose row it is.';
const COOKIE =
  "Set the cookie of the session with sameSite: 'lax', path: '/', no domain, and secure only over https";
const LOGS =
  'The log of the application, of which --log FILE shows the last error here, and the console of the sandbox say why.';

/** Why the application asked for no token. */
export async function withoutToken(
  app: TestedApplication,
  { browser, callback, sent, answer, page }: Finished,
): Promise<Finding> {
  const route = pathOf({ url: callback } as Page);
  const found = `The application asked the network for no token after the user allowed the login, and shows ${described(page)}.`;
  const because = (cause: string, remedy: string): Finding => ({ found: `${found} ${cause}`, remedy });
  if (answer.status === 404)
    return because('', `No route answers ${route}: add it, or set callbackURL to the route that you have.`);
  // The strategy sets it whatever it answers.
  const isPassed =
    /no-store/.test(answer.headers.get('cache-control') ?? '') &&
    answer.headers.get('referrer-policy') === 'no-referrer';
  if (answer.status >= 400 && answer.status < 500 && !isPassed)
    return because(
      `${route} answers with HTTP ${answer.status} before the strategy runs.`,
      `Let navigations that come from another site pass at ${route}: what checks Sec-Fetch-Site, Origin, a form's token or who is signed in, or counts requests, is not for it.`,
    );
  const begun = app.started.at(-1);
  const [from, to] = [begun?.url ?? callback, callback].map((url) => new URL(url).host);
  if (from !== to)
    return because(
      `The login started at ${from} and came back at ${to}: the browser's cookies stayed behind.`,
      `Redirect no start of a login to ${from}, or let baseURL or callbackURL name it.`,
    );
  const given = (begun?.headers.getSetCookie() ?? []).map((line) => line.split('=')[0] ?? '');
  const lost = given.find((name) => !sent.includes(`${name}=`));
  const astray = lost === undefined ? undefined : `Browsers do not send the cookie ${lost} to ${route}.`;
  const cause = droppedBy(browser) ?? astray;
  if (cause !== undefined)
    return because(
      cause,
      `Change what the start of the login answers: its cookie needs sameSite: 'lax', the path of ${route}, and no domain.`,
    );
  const next = answer.headers.get('location');
  const target = next === null ? undefined : new URL(next, callback);
  if (target?.pathname.replace(/\/$/, '') === route)
    return because(
      target.origin === new URL(callback).origin ? '' : `${route} redirects to another host.`,
      `${route} redirects to ${target.origin}${target.pathname}${target.search === '' ? ', without what the network sent: keep the query of a callback' : ': set callbackURL to the address at which the application answers'}.`,
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
      `Let Set-Cookie of ${pathOf(begun ?? page)} through, and append to it: a proxy, a framework or a middleware drops it, or the option store keeps the login elsewhere, such as in the memory of one process.`,
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
      'Let the route name the strategy that began the login. Let no middleware change the query of a callback, in req.url or req.query, where upper and lower case count, or take the header Cookie away: its cookie has to come back. Give all processes, and every strategy of this name, one client secret, or one list of secrets of cookieLogins, and a lifetime in milliseconds.',
    );
  return because(
    '',
    `Let passport.authenticate() answer ${route}, in the browser that began the login: its cookie has to come back, and no session, limit or check in front may turn the callback away.`,
  );
}

/** What is wrong with a cookie that a page does not get. */
export function strayCookie({ browser }: Finished, page: string): Finding | undefined {
  const header = browser.cookieHeader(page);
  const astray = browser.cookies().find(({ name }) => !header.includes(`${name}=`));
  const isElsewhere = astray && astray.domain !== new URL(page).hostname;
  const why = isElsewhere ? `it was set at ${astray.domain}` : `its Path is ${astray?.path}`;
  const lost = astray && `The cookie ${astray.name} is not sent to ${page}: ${why}.`;
  const found = droppedBy(browser) ?? lost;
  const remedy = `${isElsewhere ? "Redirect to a path, such as res.redirect('/'). " : ''}${COOKIE}.`;
  return found === undefined ? undefined : { found, remedy };
}

const droppedBy = ({ dropped: [first] }: Finished['browser']): string | undefined =>
  first && `Browsers drop the cookie ${first.name}: ${first.reason}.`;

/** Whether a login is answered as one that the user declined. */
export async function endsAsDeclined(app: TestedApplication, { answer }: Finished): Promise<boolean> {
  const browser = app.browser();
  const declined = await app.finish(browser, await app.deny(await app.begin(browser)));
  const end = ({ status, headers }: Page) => `${status} ${headers.get('location')}`;
  return end(declined.answer) === end(answer);
}

/** Why a login ends with an error although the network had answered. @param isAgain - Whether the same person had logged in before. */
export async function withoutUser(
  app: TestedApplication,
  login: Finished,
  isAgain: boolean,
  who: Person,
): Promise<Finding> {
  const { answer, page } = login;
  const { found } = failed(page);
  const again = page === answer && page.status >= 500 && !isAgain && (await app.logIn(who));
  if (again && again.page.status < 400 && (await app.hasToken()))
    return wrong(
      `The first login of a person fails, and the second one succeeds. ${found}`,
      'What makes the account returns no user: let INSERT have RETURNING, wait until the row is saved, and read it before it is used.',
    );
  if (isAgain)
    return wrong(`The first login of a person succeeded, and the second one does not. ${found}`, FIRST_ROW);
  if (page !== answer)
    return wrong(
      found,
      page.status === 404
        ? `The login succeeded: redirect to a page that exists, not to ${pathOf(page)}.`
        : `The login succeeded, and ${pathOf(page)} fails for its user: look at this page, and at deserializeUser. ${LOGS}`,
    );
  const names = [...new URL(login.callback).searchParams.keys()].filter((name) => page.text.includes(name));
  if (page.status < 500 && names.length > 1)
    return wrong(
      `${found} The network had answered, and sent ${names.join(', ')}.`,
      `Let nothing that checks the query of ${pathOf(page)} refuse parameters that it does not know, such as forbidNonWhitelisted of a ValidationPipe: networks add some.`,
    );
  if (page.status < 500) return wrong(`${found} The network had answered.`, NO_USER);
  const asked = (await app.requestsAfterConsent()).map(({ endpoint }) => endpoint);
  return asked.length > 1
    ? wrong(
        `${found} The network had answered with token and profile.`,
        `verify or what follows it throws. ${who === 'second' ? `${app.people[0]} could log in. ${ANY_SCRIPT} ` : ''}${MISSING[app.network ?? 'microblog'] ?? 'A profile may have no name and no emails.'} ${LOGS}`,
      )
    : wrong(found, `${VERIFY} ${LOGS}`);
}

/** What is wrong with the cookie of the session, if that is why nobody is signed in. */
export function sessionCookie(login: Finished, page: string): Finding | undefined {
  const { browser, answer, kept, sent } = login;
  const stray = strayCookie(login, page);
  if (stray) return stray;
  if (browser.cookies().length > 0) return undefined;
  const names = answer.headers.getSetCookie().map((line) => line.split('=')[0] ?? '');
  const short = names.find((name) => !sent.includes(`${name}=`));
  if (kept.some(({ name }) => name === short))
    return wrong(
      `${pathOf(login.page)} removes the cookie ${short} that the login has set.`,
      'It finds no session for it: let the set() of the store save before it calls back, let its destroy() delete one session alone, and let it have room for many.',
    );
  if (short !== undefined) return wrong(`The cookie ${short} expires as soon as it is set.`, LONGER);
  const found = 'After a login the browser has no cookie: no response set one for a session';
  const others = `Leave session: false out of passport.authenticate(), let verify return the user, redirect in the callback of req.logIn, and add the session's middleware in front of passport.session(). ${COOKIE}; behind a proxy that ends TLS app.set('trust proxy', 1).`;
  return page.startsWith('https:')
    ? wrong(`${found}.`, others)
    : wrong(
        `${found}, as with secure: true over plain http.`,
        `Set secure: true only where the application is served over https: otherwise express-session sets no cookie, without a word. If it is not set: ${others}`,
      );
}

/** A line about a request as such, as morgan, pino and web servers write it. */
const OF_A_REQUEST = /\b(?:GET|POST|HEAD)\b(?! \/\S*: )["']? ?,?.{0,40}\/|request completed|incoming request/;
/** What only a line about an error has. */
const OF_AN_ERROR = /_ERROR\b|Error: |\bcannot\b/;
/** What the words of a log blame. */
const LOG_REMEDIES: readonly (readonly [RegExp, string])[] = [
  [
    /Unknown authentication strategy/,
    'Passport knows no strategy of this name: name it as the routes do, and call passport.use() of the same Passport. In NestJS a provider with scope REQUEST, also one that the strategy needs, makes it too late.',
  ],
  [
    /Failed to serialize user/,
    'Say what a session keeps of a user: passport.serializeUser((user, done) => done(null, user.id)), and find the user by it in deserializeUser.',
  ],
  [
    /Failed to deserialize user/,
    'Find the user by what the session keeps: passport.deserializeUser(async (id, done) => done(null, (await find(id)) ?? false)).',
  ],
  [
    /verify returned no user/,
    'Let verify return the user, or call done(null, user), in every branch: a return, an await or async is missing.',
  ],
  [/unique constraint failed: \w+\.id\b(?!,)/i, OWN_ID],
  [/unique|duplicate|E11000/i, ONE_COLUMN],
  [/invalid ?character|latin-?1|incorrect string value|byte sequence|ByteString/i, ANY_SCRIPT],
  [
    /pool is (?:probably )?full|acquiring a connection|ResourceRequest timed out/i,
    'Every connection to the database is taken: inside a transaction send each query through it, or it waits for the connection that the transaction has.',
  ],
  [
    /csrf/i,
    'The token of a form is not that of its session: the page needs the field, and what is written into a session has to stay, so that the set() of a store replaces what is there.',
  ],
  [
    /reading '(?:0|value|givenName|familyName)'/,
    'A profile may have no photos, emails or name: read them as in profile.photos?.[0]?.value.',
  ],
  [/too long/i, 'Store names and IDs as text of any length, or cut names where you store them.'],
  [
    /not[- ]null|null value/i,
    'A profile may have no name, emails, photos or, at TikTok, union_id: let their columns be empty, and find nobody by them.',
  ],
  [
    /within a transaction|transaction is aborted/i,
    'A login that failed left its transaction open: ROLLBACK in a finally. Or two logins at one moment share a connection: let each have its own, or wait for nothing between BEGIN and COMMIT.',
  ],
  [
    /session support|reading 'regenerate'|session is (?:undefined|not)/i,
    "The login finds no session: let the session's middleware come before passport.session() and all routes, and give its cookie the path '/'.",
  ],
];

/** Checks of logins that have no user. */
const WITHOUT_PROFILE = /^(?:decline|reload after failure|(?:stray|forged|planted) callback|expired login)$/;

/** The last line of a log that tells of an error, of those that came after a length. */
export function lastError(log = '', start = 0, found = ''): string | undefined {
  const lines = (readLog(log) ?? '').slice(start).split('\n');
  const told = lines.filter(
    (text) =>
      /^\S/.test(text) &&
      (OF_AN_ERROR.test(text) || !OF_A_REQUEST.test(text)) &&
      !/expected a JSON object/.test(text),
  );
  return (
    told.findLast((text) => /"level":\s?"?(?:error|fatal|50|60)/.test(text)) ??
    told.findLast((text) => /error|fail|exception|no pending login of/i.test(text)) ??
    (found.includes('HTTP 5') ? told.at(-1) : undefined)
  )
    ?.replace(/[\p{Cc}\p{Cf}]/gu, ' ')
    .trim()
    .slice(0, 2_000);
}

export function limited({ url, count, logins, after }: NonNullable<TestedApplication['refused']>): Finding {
  const { pathname } = new URL(url);
  if (after !== null && logins >= FEW_LOGINS)
    return skipped(
      `${LIMITED}: ${pathname} answered with HTTP 429 and Retry-After: ${after}, after ${logins} logins. Raise the limit for a rehearsal, which sends up to two thousand requests from one address`,
    );
  return wrong(
    `${pathname} answered with HTTP 429, after ${count} requests of the rehearsal, and no more was tried.`,
    'Something in front of the strategy refuses the visit: a limit of requests. Let it count by address, not for all users together, with room for the many users who share an address, and raise it for a rehearsal, which sends up to two thousand requests from one.',
  );
}

/** Why a request had no answer, as far as its URL and the requests that the sandbox got tell. */
export async function unanswered(app: TestedApplication, name: string, error: Error): Promise<Finding> {
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
      'Call next(error) or answer in every branch of the callback and in the error handler, and let verify call done or return for every user, also after an error, and without waiting for other servers or, inside a transaction, for another connection to the database.',
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

/** What the log blames, or else the remedy of the finding, or of its words if it has none. */
export function remedyOf(name: string, { found, remedy }: Finding, line = ''): string {
  // What a unique key refuses there is not a value that several people have.
  const isKnown =
    /^The (?:first login of a person succeeded|login to link belongs|user was deleted, and logs in)/.test(
      found,
    );
  const logged = name === 'one account' || isKnown || WITHOUT_PROFILE.test(name) ? '' : line;
  const known = LOG_REMEDIES.find(([words]) => words.test(logged))?.[1] ?? remedy;
  if (known !== undefined) return known;
  if (found.endsWith('not some seconds later'))
    return 'Let a login count for some minutes, in the unit of the clock: Date.now() has milliseconds, and 10 * 60_000 are ten minutes.';
  if (found.endsWith('to no network'))
    return 'Name the URL to which the form of a link posts, and let the form pass what checks it, such as its token: browsers send no field that is disabled.';
  if (/knows nobody/.test(found)) return "Name two of the sandbox's people, such as --people alice,anna.";
  if (found.includes('EPROTO'))
    return 'The application answers http at this port: begin its URL with http://, or serve https there.';
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
  if (found.startsWith('Nothing answers')) return `${START} If it ended as it started, its output says why.`;
  if (name === 'start' && /not answer .*in time/.test(found))
    return 'A handler must call what passport.authenticate(...) returns: passport.authenticate(name)(req, res, next).';
  if (name === 'start' && !found.startsWith('The sandbox refuses')) return START;
  if (found.includes('more than 10 redirects') && name === 'deletion') return DESERIALIZE;
  if (found.includes('more than 10 redirects'))
    return 'Two pages send the user to each other: the session is lost between them. Give all processes one secret and one store of sessions.';
  if (found.endsWith('which is no URL') || found.includes('ENOTFOUND'))
    return "Redirect to paths, such as res.redirect('/account'), or to a whole URL, from a setting without which the application does not start.";
  if (/HTTP 404/.test(found)) return ROUTE;
  if (name !== 'login' && name !== 'start' && found.endsWith('and starts no login'))
    return 'What an earlier login left in this browser stands in the way: keep no flag in the session or a cookie that only the end of a login removes. Who left one may begin another.';
  if (name === 'login' && /HTTP 5\d\d/.test(found)) return `${VERIFY} ${LOGS}`;
  if (found.startsWith('Parse Error'))
    return 'The length of a response is not what its Content-Length says, which counts bytes: Buffer.byteLength(text), or leave it to the framework.';
  return LOGS;
}

export const lengthOf = (log = ''): number => readLog(log)?.length ?? 0;

export function readLog(file: string): string | undefined {
  return existsSync(file) && statSync(file).isFile() ? readFileSync(file, 'utf8') : undefined;
}
