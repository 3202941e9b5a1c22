import { STATUS_CODES } from 'node:http';
import { Script } from 'node:vm';
import { PEOPLE } from '../core/people.js';
import {
  described,
  lastingWords,
  type Page,
  type Person,
  pathOf,
  plain,
  type TestedApplication,
  VISITS,
} from './application.js';
import { type Browser, type BrowserCookie, isWeb, type Visited, wordsIn } from './browser.js';
import { elementsIn, parsed } from './html.js';
import { isAuthorization } from './login.js';
import type { RehearsalOptions } from './options.js';
import { SPECIAL } from './people.js';

/** What is wrong, or why a check, or a part of it, cannot be made; `undefined` if all is well. */
export interface Finding {
  readonly found: string;
  readonly remedy?: string;
  readonly isSkipped?: true;
  /** What was tried is right. */
  readonly isNote?: true;
}

export type Check = (app: TestedApplication, options: RehearsalOptions) => Promise<Finding | undefined>;

/** Kinds of sessions' IDs that a page may show. */
const MOST_KINDS = 3;
/** Characters of an ID that no birthday, number or other part of a profile has. */
const SURE_ID = 16;
/** Characters of an ID that nothing else looks like. */
const SHORTEST_ID = 8;

/** A finding, with what went before. @param remedy - In place of the finding's own. */
export const after = (
  before: string,
  finding: Finding | undefined,
  remedy = finding?.remedy,
): Finding | undefined =>
  finding && { found: `${before} ${finding.found}`, ...(remedy !== undefined && { remedy }) };

export const wrong = (found: string, remedy: string): Finding => ({ found, remedy });

export const note = (found: string): Finding => ({ found, isNote: true });

export const skipped = (found: string): Finding => ({ found, isSkipped: true });

export const NO_LOG = 'the log cannot be read';
export const ASKS_FIRST =
  "every page asks a new user for something first: let the sandbox's people in without it";
export const NO_LOGIN_OF = 'no login of the network of';
export const UNTOLD =
  'the page does not tell who is signed in: mend what failed, or name another page with --page URL';
export const STACK = /(?:\bat |[\\/])[^\n<]{1,300}\.[cm]?[jt]sx?:\d+:\d+/;
/** Milliseconds after which the slowest store has saved a session. */
export const LATE = 600;
export const EVIL_HOST = 'evil.example';
export const ROUTE =
  'No route answers the redirect URI: add it, or set the option callbackURL to the route that you have, in the options, or at every start and link.';
export const ERROR_PAGE =
  'Add an error handler behind all routes: app.use((error, req, res, next) => { console.error(error.message); res.status(error.status ?? 500).send("The login failed. Please try again."); }). An async callback of passport.authenticate() passes its errors to next(error).';
export const FAILURE_PAGE =
  'Answer a login that failed with a page: failureRedirect, or a callback of passport.authenticate(), which has no user then.';
export const GUARD =
  'Check in front of the callback, too, whether somebody is signed in: app.use("/api/auth", (req, res, next) => (req.user ? res.redirect("/") : next())).';
export const DESERIALIZE =
  'Sign out with req.logout(callback), and let deserializeUser find the user in the database, and not in a cache: done(null, user ?? false).';
export const VERIFIED = 'Sign a user in only if verify was called.';
export const OWN_ID =
  'Let the database make the ID of an account, or take a random one: no count of rows, which is the ID of somebody else after a deletion. Read a new row by that ID, and not as the newest one. Let the session keep that ID, and no place in a list.';
export const BY_BOTH = 'Find a user by provider and profile.id together, both as text, and by nothing else.';
export const ONE_KEY =
  'Make provider and profile.id together a unique key, insert with ON CONFLICT DO NOTHING, and read what is there.';
export const NO_USER =
  'verify passes no user: let done(null, user) get the row of the database, and done(error) each error, which a catch with done(null, false) hides.';
const KEPT =
  'Leave the session alone where a login fails: no req.logout, session.destroy or clearCookie in what answers failures and errors.';

export const CLEARING = 'Send Clear-Site-Data with the answer to a sign-out alone.';
export const BY_OWN_ID =
  'Let each query and cache of this page go by the ID of the account, req.user.id, and by nothing else: no name, and no path.';
export const NAMES =
  'Show profile.displayName, which every profile has, and send text/html; charset=utf-8: names have letters of every script.';
/** A missing URL or value, half a character, and Nora's name escaped twice. */
const BROKEN =
  /(?:src|href)\s*=\s*["']?(?:null|undefined)\b|@undefined\b|>\s*(?:undefined|NaN|\[object Object\])\s*<|\uFFFD|&(?:amp|#38|#x26);(?:quot|#34|#x22|#39|#x27|apos);/;

/** Whether the page shows what nobody of the same name has. */
export function showsIDs(app: TestedApplication, first: string): boolean {
  const named = PEOPLE.find(({ id }) => id === first);
  const noID = { openId: '', unionId: '', microblogId: '', socialNetworkId: 0 };
  return app.tellsMore(JSON.stringify({ ...named, ...noID }));
}

export const unknownPerson = (error: Error) => {
  if (/knows nobody/.test(error.message)) return undefined;
  throw error;
};

/** Somebody who is signed in. */
interface Session {
  readonly browser: Browser;
}

/** What a page shows in one of two sessions alone, a word of each at most; empty if both show the same. */
export async function difference(
  app: TestedApplication,
  sessions: readonly Session[],
): Promise<readonly string[]> {
  return (await differing(app, sessions)).flatMap((own) => own.find(isID) ?? own.slice(0, 1));
}

/** The words that each of two sessions shows alone. */
async function differing(
  app: TestedApplication,
  [one, other]: readonly Session[],
): Promise<readonly (readonly string[])[]> {
  if (!one || !other) return [];
  const look = () =>
    Promise.all([one, other].map(async ({ browser }) => app.lasting(await app.look(browser))));
  const [first, second] = await look();
  if (!first || !second || isSame(first, second)) return [];
  // The first visit of a user may be another page.
  const [left, right] = await Promise.all([app.shown(one.browser), app.shown(other.browser)]);
  let words = [[...left].filter((word) => !right.has(word)), [...right].filter((word) => !left.has(word))];
  // Other words may change with each visit.
  for (let visit = 0; visit < VISITS && words.flat().length > 0 && !words.flat().some(isID); visit += 1) {
    const shown = await look();
    const isOnly = (word: string, index: number) => shown[index]?.has(word) && !shown[1 - index]?.has(word);
    words = words.map((own, index) => own.filter((word) => isOnly(word, index)));
  }
  return words;
}

const isID = (word: string): boolean => word.length >= SHORTEST_ID && /\d/.test(word);

/** Learns what a page shows of a session, such as its ID in a list, and not of the account. Of one account, two sessions show one ID, or a third one shows what each of them has. */
export async function learnSessions(app: TestedApplication): Promise<void> {
  const [one, other] = app.logins;
  if (!one || !other) return;
  const textOf = async ({ browser }: Session) => (await app.look(browser)).text;
  const isOne = app.showsID('first', SURE_ID);
  const pairs: Session[][] = [[one, other]];
  // One of two headings may be the same in two sessions.
  for (let session = 0; isOne && session < VISITS; session += 1) pairs.push([one, await app.signIn()]);
  for (const pair of pairs)
    for (let kinds = 0; kinds < MOST_KINDS; kinds += 1) {
      const words = await differing(app, pair);
      if (words.flat().length === 0) break;
      const third = isOne ? undefined : await app.look((await app.signIn()).browser);
      const shown = third && app.lasting(third);
      const isListed = words.every((own) => own.some((word) => /\d/.test(word) && shown?.has(word)));
      const texts = third ? [third.text, third.text] : await Promise.all(pair.map(textOf));
      if (isOne || isListed) app.passOver(texts, words);
    }
}

export const isSame = (one: ReadonlySet<string>, other: ReadonlySet<string>): boolean =>
  one.size === other.size && [...one].every((word) => other.has(word));

/** That the next visitor reads what a page says, once, to the user of a login. @param other - The visitor's. Default: new ones. */
export async function readByOthers(
  app: TestedApplication,
  callback: string,
  browser: Browser,
  other?: Browser,
): Promise<Finding | undefined> {
  const { location } = await browser.visit(callback, { from: 'cross-site' });
  // A ticket signs in whoever comes first.
  if (!isWeb(location) || isAuthorization(location) || /=(?=[\w-]*\d)[\w-]{16,}/.test(location))
    return undefined;
  const read = async () => {
    const reader = other ?? app.browser();
    const texts = [];
    for (const url of new Set([location, app.page])) texts.push((await app.look(reader, url)).text);
    return lastingWords({ text: plain(texts.join(' ')) });
  };
  const [next, ...later] = [await read(), await read(), await read(), await read()];
  const [word] = [...next].filter((one) => later.every((words) => !words.has(one)));
  // A page may have something new for every visitor.
  if (word === undefined || !later.every((words) => isSame(words, later[0] ?? next))) return undefined;
  return readOnce(location, word);
}

export const readOnce = (url: string, word: string): Finding =>
  wrong(
    `The next visitor of ${pathOf({ url })} reads what is for the user of a login, such as "${word}".`,
    'Keep a message for the next page in the session, as connect-flash does, and in no variable of the module.',
  );

/** That a page repeats the words of an earlier one, and others do not have them. */
export function toldAgain(told: Page, later: readonly Page[], usual: readonly Page[]): Finding | undefined {
  const wordsOn = ({ text }: Page) => lastingWords({ text: plain(text) });
  const [after, others] = [later.map(wordsOn), usual.map(wordsOn)];
  const isKept = (word: string) =>
    /^\p{L}{3,}$/u.test(word) &&
    after.every((words) => words.has(word)) &&
    !others.some((words) => words.has(word));
  const word = [...wordsOn(told)].find(isKept);
  if (word === undefined) return undefined;
  return wrong(
    `A page goes on to say what followed a failure, such as "${word}".`,
    'Remove a message from the session or the cookie as it is shown.',
  );
}

/** The first of some directives that a page's policy has. */
function directiveOf({ headers }: Page, names: string): string | undefined {
  const policy = headers.get('content-security-policy') ?? '';
  const [found] = names.split(' ').flatMap((name) => {
    const [all] = new RegExp(`(?<=^|[;,]\\s*)${name}\\s[^;,]*`, 'i').exec(policy) ?? [];
    return all ?? [];
  });
  return found?.trim();
}

/** What a page's policy allows, by the first directive that it has, if that is nothing of another site. */
export function ownSources(page: Page, directives: string): string | undefined {
  const found = directiveOf(page, directives);
  const isClosed = found
    ?.split(/\s+/)
    .slice(1)
    .every((source) => /^('.*'|data:|blob:|)$/i.test(source));
  return isClosed ? found?.slice(0, 100) : undefined;
}

/** Browsers hold a form's redirects to the page's `form-action`, too: https://www.w3.org/TR/CSP3/#directive-form-action */
export function formAction({ formPage }: TestedApplication, authorization: string): Finding | undefined {
  const policy = formPage && ownSources(formPage, 'form-action');
  if (!formPage || policy === undefined) return undefined;
  return wrong(
    `Browsers block the form of ${pathOf(formPage)}: ${policy} forbids its redirect to ${new URL(authorization).origin}.`,
    "Name the network's origin in form-action of the page's Content-Security-Policy, beside 'self'.",
  );
}

/** That browsers do not show the picture of a user. */
export function blockedPicture(page: Page): Finding | undefined {
  const policy = ownSources(page, 'img-src default-src');
  const { host } = new URL(page.url);
  const origin = elementsIn(page.text, 'img')
    .map(({ attribs: { src = '' } }) => parsed(src, page.url))
    .find((url) => url?.protocol.startsWith('http') && url.host !== host)?.origin;
  if (origin !== undefined && /require-corp/i.test(page.headers.get('cross-origin-embedder-policy') ?? ''))
    return wrong(
      `Browsers block the picture of ${pathOf(page)}: Cross-Origin-Embedder-Policy: require-corp forbids those of ${origin}.`,
      'Leave the header out: browsers do not need it where a page has pictures of networks.',
    );
  if (policy === undefined || origin === undefined) return undefined;
  return wrong(
    `Browsers block the picture of ${pathOf(page)}: ${policy} forbids those of ${origin}.`,
    "Name the hosts of the networks' pictures in img-src of the page's Content-Security-Policy, or https:.",
  );
}

/** What is wrong with how a page shows the profile of a person. */
export function unescapedName(page: Page, id: string): Finding | undefined {
  const { text, headers } = page;
  const attributes = elementsIn(text).flatMap(({ attribs }) => Object.entries(attribs));
  // Where Nora's name ends the value of an attribute, what follows would be attributes, such as onfocus.
  const isMarkup = text.includes('<b>Twin</b>') || attributes.some(([name]) => name.includes('neil'));
  if (headers.get('content-type')?.includes('html') && isMarkup)
    return wrong(
      `${pathOf(page)} shows a name as markup: it could contain a script.`,
      'Escape what comes from a profile: in HTML .replaceAll("<", "&lt;"), in an attribute both quotation marks, too, which have to stand around its value, or as a template engine does, and in JSON inside a script .replaceAll("<", "\\\\u003c").',
    );
  const bad = BROKEN.exec(text)?.[0] ?? attributes.find(isBrokenScript)?.join('=');
  if (bad === undefined) return undefined;
  const cut =
    'Cut names by characters, as in Array.from(name).slice(0, 20).join(""): slice() and substring() halve an emoji.';
  if (bad === '\uFFFD') return wrong(`The page of ${id} has ${bad}.`, `${cut} ${NAMES}`);
  if (bad.startsWith('&'))
    return wrong(
      `The page of ${id} has ${bad}.`,
      'Escape a name once: a template does, so store it as it is.',
    );
  return wrong(
    `The page of ${id} has ${bad}.`,
    `${id} ${SPECIAL[id]} Escape a name once, cut it by characters, as Array.from(name)[0] does, and leave out what a profile has not.`,
  );
}

/** Whether Nora's name ends what is a script. */
function isBrokenScript([name, code]: readonly [name: string, value: string]): boolean {
  if (!name.startsWith('on') || !code.includes('Neil')) return false;
  try {
    new Script(`() => { ${code} }`);
    return false;
  } catch {
    return true;
  }
}

/** An origin at another port. A longer port begins like the own one, if there is one. */
export function nearOf(url: string): string {
  const { origin } = new URL(url);
  return URL.canParse(`${origin}1`) ? `${origin}1` : origin.replace(/\d$/, (digit) => `${9 - Number(digit)}`);
}

/** That browsers run no script that a page has in itself. */
export function blockedScript(page: Page): Finding | undefined {
  const found = directiveOf(page, 'script-src-elem script-src default-src');
  // A script may have a hash there.
  if (found === undefined || /'(?:sha\d+-|unsafe-inline')/.test(found)) return undefined;
  const inline = elementsIn(page.text, 'script').filter(({ attribs: { src, type = '', nonce } }) => {
    const isRun = src === undefined && /^(?:|module|(?:text|application)\/javascript)$/i.test(type);
    return isRun && !(nonce && found.includes(`'nonce-${nonce}'`));
  });
  if (inline.length === 0) return undefined;
  return wrong(
    `Browsers do not run the script of ${pathOf(page)}: ${found.slice(0, 100)} forbids it.`,
    'Give the script a nonce that the policy names, or a file of its own.',
  );
}

export const cannotTell = (session: boolean | undefined): Finding =>
  skipped(session === false ? 'the application has no session' : UNTOLD);
export const failed = (page: Page): Finding => ({
  found: `The login ends at ${pathOf(page)} with ${described(page)}.`,
});

const NOTHING_SAID = /(\[object \w+\])|>\s*(undefined|null|NaN)\s*</;

/** What is wrong with a page that follows a failure. */
export function bare(page: Page, remedy = ERROR_PAGE): Finding | undefined {
  const isBlank = (page.status < 300 || page.status >= 400) && page.text.trim() === '';
  if (isBlank) return { found: `${pathOf(page)} answers with an empty page.`, remedy };
  if (STACK.test(page.text)) return { found: `${pathOf(page)} shows a stack to the user.`, remedy };
  const nothing = NOTHING_SAID.exec(page.text)?.slice(1).find(Boolean);
  return nothing === undefined
    ? undefined
    : {
        found: `${pathOf(page)} says ${nothing} to the user.`,
        remedy: `${FAILURE_PAGE} Show a sentence of your own, or info.message: an error or info as it is makes no text.`,
      };
}

/** That a page says what Passport and servers say by themselves: the name of its status. */
export function terse(page: Page, remedy = ERROR_PAGE): Finding | undefined {
  const { status, text } = page;
  const words = wordsIn(text.replace(/<title\b[^<>]*>[^<]*<\/title>/gi, '')).replace(/^\d{3} |\.$/g, '');
  if (status < 400 || words !== STATUS_CODES[status]) return undefined;
  return wrong(
    `${pathOf(page)} answers with HTTP ${status}, and says no more than "${words}" to the user.`,
    `${remedy} Say in a sentence what happened.`,
  );
}

/** What is wrong with a page that follows a user's own mistake. */
export const upset = (page: Page): Finding | undefined =>
  bare(page, FAILURE_PAGE) ??
  (page.status >= 500
    ? { found: `${pathOf(page)} answers with ${described(page)}.`, remedy: FAILURE_PAGE }
    : undefined);

/** @param login - Without a page, only who is signed in counts. */
export async function expectUser(
  app: TestedApplication,
  { browser, page, answer }: { readonly browser: Browser; readonly page?: Page; readonly answer?: Page },
  wanted: Person = 'first',
): Promise<Finding | undefined> {
  const clearing = [answer, page].find((one) => one?.headers.has('clear-site-data'));
  if (!clearing && page && page.status >= 400) return failed(page);
  if (!app.tells()) return undefined;
  const who = await app.who(browser);
  if (who === wanted || who === 'somebody') return undefined;
  if (who !== 'nobody') return wrong('The other person is signed in afterwards.', GUARD);
  if (!clearing) return wrong('Nobody is signed in afterwards.', page ? NO_USER : KEPT);
  return wrong(
    `${pathOf(clearing)} answers with Clear-Site-Data, and nobody is signed in afterwards.`,
    CLEARING,
  );
}

/** That a page fails for a browser with a language that the application may not have. */
export const noLanguage = ({ url, response }: Visited, language: string): Finding | undefined =>
  response.status < 500
    ? undefined
    : wrong(
        `${pathOf({ url })} answers with HTTP ${response.status} to a browser with Accept-Language: ${language}.`,
        'Take a language that you have for each that you do not have: req.acceptsLanguages() reads the header.',
      );

export const namesOf = (cookies: readonly BrowserCookie[]): string =>
  cookies.map(({ name }) => name).join(', ');

/** That the user is signed in by a cookie which is not sent when the browser comes back from the network. */
export async function strictSession(app: TestedApplication, browser: Browser): Promise<Finding | undefined> {
  const strict = browser.cookies().filter(({ sameSite }) => sameSite === 'Strict');
  const others = browser.cookies().filter((cookie) => !strict.includes(cookie));
  if (strict.length === 0 || !app.tells() || (await app.who(app.browser(others))) !== 'nobody')
    return undefined;
  return wrong(
    `SameSite=Strict: no browser sends ${namesOf(strict)} along when it comes back from the network, which is another site.`,
    "Set sameSite: 'lax' for the cookie of the session.",
  );
}
