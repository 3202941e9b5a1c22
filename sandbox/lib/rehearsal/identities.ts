import { PEOPLE } from '../core/people.js';
import { networkAt } from '../networks.js';
import {
  atOnce,
  described,
  type Finished,
  lastingWords,
  type Page,
  pathOf,
  type TestedApplication,
  wordsOf,
} from './application.js';
import type { Browser } from './browser.js';
import {
  after,
  BY_BOTH,
  BY_OWN_ID,
  blockedPicture,
  type Check,
  cannotTell,
  difference,
  expectUser,
  type Finding,
  failed,
  NAMES,
  noLanguage,
  ONE_KEY,
  OWN_ID,
  showsIDs,
  skipped,
  UNTOLD,
  unescapedName,
  unknownPerson,
  wrong,
} from './findings.js';
import { besideLink } from './forms.js';
import { elementsIn, parsed } from './html.js';
import { PATIENCE } from './options.js';
import {
  FIRST_PEOPLE,
  idAt,
  NAMESAKES,
  ONE_COLUMN,
  OTHER_PEOPLE,
  pictureOf,
  privateSigns,
  SAME_ID,
  SPECIAL,
  shows,
  showsName,
  TWINS,
  timesNamed,
} from './people.js';
import { unescapedOf } from './secrets.js';
import { endedSession } from './sessions.js';

export const NAMES_ONLY =
  'the page shows nothing by which two people of one name differ: name one that also shows the ID of the account, with --page /profile';
/** People of whom each has something else that is special. */
const NEWCOMERS = ['ned', 'nora', 'hubert', 'hanako'];
const OWN_PEOPLE = 'the sandbox has people of its own';
const BY_NAME = `${BY_BOTH} A name belongs to several people: no look-up, unique key, REPLACE, session or cache may go by it. Let serializeUser store the ID of the account.`;
const NO_ADDRESS =
  'layla and ned have no e-mail address: profile.emails may be missing, verify must let such people in, and the column of the address has to be empty for several.';
const NO_VARIABLE =
  'Keep nothing of a login in a variable of the module or a field of a service: verify passes the user to done, and the callback route reads req.user. Let deserializeUser return the row of the ID that it is asked for, also if it looks for several at once.';
const ONE_ROW = `${BY_BOTH} A field that the network does not send is undefined for everybody. Change that row alone, let serializeUser store its ID, and deserializeUser find it by that ID: no cache or variable may keep one user for all.`;
const ONE_CONNECTION =
  'Send each query of a transaction, from BEGIN to COMMIT, through one connection of the pool, and none through the pool itself: otherwise others get into it. Let nothing wait for a second connection meanwhile.';
const RENAMED = 'has another name once';
const ONE_UPDATE =
  'Let an UPDATE name its row in WHERE, by provider and profile.id, or by the ID of the account: otherwise it changes those of others. Keep no name in a variable.';
const AS_IT_IS = `${BY_BOTH} Keep profile.id as it is: no`;
const ANY_CASE = `${AS_IT_IS} toLowerCase() or LIKE, and a column that compares exactly, without COLLATE NOCASE or a collation that ends in _ci.`;
const AS_TEXT = `${AS_IT_IS} Number() or parseInt(), and a column of text.`;
const WHOLE_ID = `${AS_IT_IS} slice() or replace(), and a column of text of any length. Let deserializeUser find an account by its whole ID, without LIKE.`;
const BY_PROVIDER = `${BY_BOTH} Another network has the same IDs: the key, and each query, needs the provider.`;

/** Whether everybody has one account, their own, whatever a profile has or lacks. */
export const IDENTITIES = {
  'one account': async (app, { session, others = [], patience = PATIENCE }) => {
    if (!app.tells()) return cannotTell(session);
    for (const { browser } of app.logins.slice(0, 2))
      if ((await app.who(browser)) === 'nobody') return endedSession(app);
    const [mine, other] = await difference(app, app.logins);
    if (other !== undefined)
      return wrong(
        `Two logins of one person lead to two accounts: the page shows ${mine} and ${other}.`,
        'Find the user by provider and profile.id before you insert a new one, by the same key in all processes, and return whom the row names: an upsert must not change that.',
      );
    for (const start of others.map((one) => new URL(one, app.start).href)) {
      const again = await app.startingAt(start, () => atSameNetwork(app));
      if (again && (await difference(app, [app.logins[0] as Finished, again])).length > 1)
        return wrong(
          `One person has two accounts, because ${pathOf(again.answer)} ends a login of the same network.`,
          'Give the strategies of one network the same provider in your database, and store profile.id as it is: it is the same in all protocols.',
        );
    }
    const together = (...people: string[]) => app.logInTogether(people, Math.round(patience / 8));
    // The first four open the application's connections to its database, too.
    const both = ['first', 'second', 'first', 'second'] as const;
    const finished = await together(...both);
    for (const [index, login] of finished.entries()) {
      const problem = await expectUser(app, login, both[index]);
      if (problem && app.tellsApart())
        return after('Two people log in at the same moment.', problem, NO_VARIABLE);
    }
    const namesOther = async ({ browser }: Finished, index: number, url: string) => {
      const [own, other] = index % 2 === 0 ? app.people : app.people.toReversed();
      return shows(wordsOf(await app.look(browser, url)), other ?? '', own ?? '');
    };
    const [known] = app.logins;
    const links = known && app.tellsApart() ? await app.linksOf(known.browser) : [];
    for (const url of [...app.ends(), ...links]) {
      const all = finished.map((login, index) => () => namesOther(login, index, url));
      // Of two processes each gets every second request: with this order, those of both people.
      const [one, two, again, last] = all;
      const mixed = [one, again, two, last].filter((look) => look !== undefined);
      const looked: boolean[] = [];
      for (const asked of url === app.page ? [mixed, mixed.toReversed()] : [mixed])
        looked.push(...(await Promise.all(asked.map((look) => look()))));
      const isSwapped = looked.includes(true) && !(await all[0]?.()) && !(await all[1]?.());
      if (isSwapped && app.tellsApart())
        return wrong(
          `Two people open ${pathOf({ url })} at the same moment, and one of them sees the other.`,
          'Keep nothing of a request in app.locals, a global of the templates or a variable: it belongs to req or res.locals. Let no two requests share a look-up of the user, unless the ID of the user is its key. What one query sets for the next, as SET and BEGIN do, needs one connection for both, and none of the pool.',
        );
    }
    const [namesake, stranger] = [NAMESAKES[1], TWINS[1]];
    const newcomers = [namesake, namesake, namesake, stranger];
    const crowd = (await together('first', ...both, ...newcomers).catch(unknownPerson)) ?? [];
    const [again, ...rest] = crowd;
    if (again === undefined) return skipped(OWN_PEOPLE);
    const broken = rest.slice(0, both.length).find(({ page }) => page.status >= 500);
    if (broken)
      return after(`${crowd.length} people log in at the same moment.`, failed(broken.page), ONE_CONNECTION);
    const logins = rest.slice(both.length);
    const begun = logins.slice(0, -1);
    const last = logins.at(-1);
    const areTwo = (await difference(app, [app.logins[0], app.logins[2]] as Finished[])).length > 0;
    for (const [index, { browser }] of areTwo ? logins.entries() : []) {
      const words = wordsOf(await app.look(browser));
      const [own, other] = index < begun.length ? [namesake, stranger] : [stranger, namesake];
      if (shows(words, other, own, true) && !shows(words, own, other))
        return wrong(
          'Of two people who log in for the first time at the same moment, one is the other.',
          `${OWN_ID} ${NO_VARIABLE}`,
        );
    }
    const fromFirst = (one: Finished) => difference(app, [begun[0] as Finished, one]);
    const [first] = app.people;
    const isJoined = showsIDs(app, first) && first === NAMESAKES[0] && (await fromFirst(again)).length === 0;
    if (
      isJoined &&
      (await difference(app, [app.logins[0] as Finished, await app.signIn(namesake)])).length > 0
    )
      return wrong(
        'Two people of one name log in at the same moment, and are one account then.',
        'Let no two logins share a look-up of the account, unless provider and profile.id are its key.',
      );
    if (areTwo && last && last.page.status < 400 && (await fromFirst(last)).length === 0)
      return wrong('Two people who log in for the first time at the same moment are one account.', OWN_ID);
    const refused = begun.map(({ page }) => page).find(({ status }) => status >= 400);
    const tabs = await Promise.all(begun.slice(1).map(fromFirst));
    if (!refused && tabs.every(({ length }) => length < 2)) return undefined;
    if (refused && areTwo && (await app.logIn(namesake)).page.status >= 400)
      return wrong(
        `${namesake}, who has the name, handle and address of ${NAMESAKES[0]}, cannot log in: the login ends with ${described(refused)}.`,
        ONE_COLUMN,
      );
    return wrong(
      `A person logs in for the first time in three tabs at once, and ${refused ? `one ends with ${described(refused)}` : 'has several accounts'}.`,
      ONE_KEY,
    );
  },
  'two accounts': async (app, { session, people: [first, second] = FIRST_PEOPLE, others = [], link }) => {
    if (session === false || app.isMixed) return cannotTell(session);
    const problem = await mixed(app, [first, second], app.start, true);
    if (problem?.isSkipped) return problem;
    if (problem) return { remedy: problem.found.includes(RENAMED) ? ONE_UPDATE : ONE_ROW, ...problem };
    const { text } = await app.look((app.logins[2] as Finished).browser);
    const foreign = privateSigns(first).find((sign) => text.includes(sign));
    if (foreign !== undefined)
      return wrong(
        `The page of ${second} also shows what belongs to ${first}, such as ${foreign}.`,
        'Keep no list or object that a request adds to in a variable of the module: read what belongs to the user by req.user.id.',
      );
    const twins = await mixed(app, TWINS);
    if (twins) {
      const isTold = showsIDs(app, first) && first === NAMESAKES[0];
      const isText = app.network === 'short-video';
      const namesakes = isTold ? await mixed(app, NAMESAKES) : undefined;
      // TikTok's IDs of both pairs differ in hyphens, and these two have no address.
      const isCut = namesakes && isText ? await mixed(app, ['ned', 'dora']) : undefined;
      const sure = isTold && (namesakes && !isCut ? 'address' : 'ID');
      const kind = isCut ? 'in letter case and hyphens' : 'in letter case alone';
      const found = {
        ID: `IDs that differ ${isText ? kind : 'beyond 2^53 or 2^32'} are one account.`,
        address: 'People with one e-mail address or handle are one account.',
      };
      const either = `${found.ID.slice(0, -1)}, or people with one e-mail address.`;
      const remedies = {
        ID: isCut ? WHOLE_ID : isText ? ANY_CASE : AS_TEXT,
        address: `${BY_BOTH} ${ONE_COLUMN}`,
      };
      return because(
        sure ? found[sure] : either,
        twins,
        sure ? remedies[sure] : `${remedies.ID} ${ONE_COLUMN}`,
      );
    }
    const { start: beside } = link === undefined ? app : await besideLink(app, link);
    const linked = beside === app.start ? [] : [beside];
    for (const start of linked) {
      const cut = await app.startingAt(start, () => mixed(app, TWINS));
      const found = `At ${pathOf({ url: start })} people are one account.`;
      if (cut && !cut.isSkipped) return because(found, cut, `${WHOLE_ID} ${ONE_COLUMN}`);
    }
    for (const other of [...others, ...linked])
      for (const pair of [SAME_ID, SAME_ID.toReversed()]) {
        const problem = await mixed(app, pair as [string, string], new URL(other, app.start).href);
        if (problem && !problem.isSkipped)
          return because('People of two networks who have one ID are one account.', problem, BY_PROVIDER);
      }
    if (!showsIDs(app, first)) return skipped(NAMES_ONLY);
    const namesakes =
      (await mixed(app, NAMESAKES)) ?? (first === NAMESAKES[0] ? await sharesID(app) : undefined);
    // TikTok's IDs of these people differ in a hyphen.
    const hyphen =
      namesakes && app.network === 'short-video'
        ? ((await mixed(app, ['hubert', 'nora'])) ?? (await mixed(app, ['ned', 'dora'])))
        : undefined;
    return hyphen && !hyphen.isSkipped
      ? because('IDs that differ in a hyphen are one account.', hyphen, WHOLE_ID)
      : because('People of one name are one account.', namesakes, BY_NAME);
  },
  'other people': async (app, { people }) => {
    if (people && String(people) !== String(FIRST_PEOPLE))
      return skipped('other people than the default ones were named');
    if (app.isMixed) return skipped(UNTOLD);
    const before: Finished[] = app.logins.slice(0, 1);
    const [one, other] = app.people;
    const [first] = app.logins;
    const own = first && (await app.look(first.browser));
    for (const url of new Set([new URL('/', app.start).href, ...app.ends()])) {
      const page = await app.look(first?.browser ?? app.browser(), url);
      const blocked = blockedPicture(page) ?? (await brokenPicture(app, page));
      if (blocked) return blocked;
    }
    const isNamed = own && app.tells() && showsName(wordsOf(own), one, other);
    const urls = own && own.status < 400 ? [...(await app.pagesOf(first.browser)).keys()] : [];
    for (const language of ['tlh', '*', 'de-DE,de;q=0.9,en;q=0.8']) {
      const headers = { 'accept-language': language };
      const open = (url: string) => app.browser(first?.browser.cookies()).open(url, { headers });
      const some = language.length > 3 ? urls.slice(0, 1) : urls;
      const problems = (await atOnce(some, open)).map((visited) => noLanguage(visited, language));
      const problem = problems.find((one) => one !== undefined);
      if (problem) return problem;
    }
    for (const id of OTHER_PEOPLE) {
      const login = await app.logIn(id).catch(unknownPerson);
      if (!login) return skipped(OWN_PEOPLE);
      const again = after(`${id} logs in again.`, await lockedOut(app, await app.logIn(id), id));
      const pages = await app.pagesOf(login.browser);
      const page = pages.get(app.page) ?? login.page;
      const problem = (await lockedOut(app, login, id, page)) ?? again;
      const isAddress = problem && id === 'layla' && (await lockedOut(app, await app.logIn('ned'), 'ned'));
      if (problem) return isAddress ? { ...problem, remedy: NO_ADDRESS } : problem;
      const { text } = page;
      const words = wordsOf(page);
      const shown = await app.shown(login.browser, lastingWords(page));
      const taken = PEOPLE.find((one) => shows(words, one.id, id, true) && !shows(words, id, one.id));
      if (taken) return wrong(`${id} is shown as ${taken.id}.`, id === 'nora' ? WHOLE_ID : ONE_ROW);
      for (const earlier of app.tellsApart() ? before : []) {
        const theirs = lastingWords(await app.look(earlier.browser));
        const isOther = [...shown].some((word) => !theirs.has(word));
        if (!isOther && (await difference(app, [earlier, login])).length === 0)
          return wrong(
            `${id} sees the account of ${id === 'nora' ? 'hubert, whose ID differs in a hyphen near the end' : 'somebody who logged in before'}.`,
            WHOLE_ID,
          );
      }
      before.push(login);
      const other = (await picturedOn(login.browser, page)).find((one) => one !== id);
      if (other !== undefined)
        return wrong(
          `The page of ${id} has the picture of ${other}.`,
          'Give a template the values of its user alone: no object that keeps what another page has put into it. In SQL AND comes before OR: WHERE user = ? AND (a OR b).',
        );
      for (const one of pages.values()) {
        const problem = wrongCharset(one) ?? unescapedName(one, id);
        if (problem) return problem;
      }
      const plain = wordsOf({ text: unescapedOf(text) });
      if (/^(?:hanako|layla)$/.test(id) && isNamed && !showsName(plain, id, app.people[0]))
        return wrong(
          `The page of ${id} does not show the name.`,
          `${id} ${SPECIAL[id]} ${NAMES} Store the name with the first login, and in no job that runs later.`,
        );
    }
    return undefined;
  },
} satisfies Record<string, Check>;

function wrongCharset(page: Page): Finding | undefined {
  const type = page.headers.get('content-type') ?? '';
  const [, charset = 'utf-8'] = /charset\s*=\s*"?([\w-]+)/i.exec(type) ?? [];
  if (/^(utf-?8|us-ascii)$/i.test(charset) || !/\P{ASCII}/u.test(page.text)) return undefined;
  return wrong(`${pathOf(page)} shows letters beyond ASCII with Content-Type: ${type}.`, NAMES);
}

/** Whose pictures a page has, also at URLs of its own that lead to them. */
async function picturedOn(browser: Browser, page: Page): Promise<readonly string[]> {
  const people: string[] = [];
  for (const { attribs } of elementsIn(page.text, 'img').slice(0, 5)) {
    const url = parsed(attribs.src ?? '', page.url);
    const isOwn = url?.origin === new URL(page.url).origin;
    const { location = '' } = isOwn ? await browser.visit(url.href, { from: 'same-origin' }) : {};
    people.push(...[url?.href ?? '', location].flatMap((one) => pictureOf(one) ?? []));
  }
  return people;
}

/** That the network does not send the picture of a page. */
async function brokenPicture(app: TestedApplication, page: Page): Promise<Finding | undefined> {
  const sources = elementsIn(page.text, 'img').map(({ attribs: { src = '' } }) => parsed(src, page.url));
  const picture = sources.find((url) => url && pictureOf(url.href) && url.host !== new URL(page.url).host);
  if (!picture) return undefined;
  const { status } = await app.look(app.browser(), picture.href);
  if (status < 400) return undefined;
  return wrong(
    `${pathOf(page)} has a picture that ends with HTTP ${status}.`,
    'Keep the URL of a picture as text of any length, with its query, byte for byte: TikTok signs it for some days.',
  );
}

/** A finding whose cause is that of the check, unless it has one of its own. */
const because = (cause: string, finding: Finding | undefined, remedy: string): Finding | undefined =>
  finding?.remedy === undefined && !finding?.isSkipped ? after(cause, finding, remedy) : finding;

/** Whether nobody new can log in, whatever a profile has, as where users are invited. */
export async function isClosed(app: TestedApplication): Promise<boolean> {
  const isOut = async (id: string) => {
    const login = await app.logIn(id).catch(unknownPerson);
    const visitor = { browser: app.browser() };
    return !login || (login.page.status < 500 && (await difference(app, [login, visitor])).length === 0);
  };
  return app.tells() && (await atOnce(NEWCOMERS, isOut)).every(Boolean);
}

/** That a person cannot log in. @param shown - The page that tells who is signed in. */
async function lockedOut(
  app: TestedApplication,
  { browser, page }: Pick<Finished, 'browser' | 'page'>,
  id: string,
  shown?: Page,
): Promise<Finding | undefined> {
  const why = SPECIAL[id];
  const remedy = why === undefined ? ONE_COLUMN : `${id} ${why}`;
  if (page.status >= 400) return { ...failed(page), remedy };
  if (!app.tells() || app.whoIsOn(shown ?? (await app.look(browser))) !== 'nobody') return undefined;
  const isOut = (await difference(app, [{ browser }, { browser: app.browser() }])).length === 0;
  return isOut
    ? wrong(
        `${id} is not signed in after the login.`,
        `${remedy} Errors go to done(error), not to done(null, false).`,
      )
    : undefined;
}

/** That a namesake sees what belongs to the first person, on a page that both have. The ID of that account is known from its pages. */
async function sharesID(app: TestedApplication): Promise<Finding | undefined> {
  const [first, other] = NAMESAKES;
  const [own, theirs] = [(await app.signIn(first)).browser, (await app.signIn(other)).browser];
  const record = JSON.stringify(PEOPLE.find(({ id }) => id === first));
  const ids = [...app.ownIDs(record), idAt(first, app.network) ?? ''];
  const home = new URL('/', app.start).href;
  await app.look(own, home);
  const links = await app.pagesOf(own);
  const pages = [[home, await app.look(theirs, home)] as const, ...(await app.pagesOf(theirs))];
  const signsOn = (page: Page) => {
    const words = wordsOf(page);
    const pictures = elementsIn(page.text, 'img').map(({ attribs: { src = '' } }) => pictureOf(src));
    return [...ids.filter((id) => words.has(id)), ...pictures.filter((id) => id === first)];
  };
  for (const [url, page] of pages.filter(([url]) => url === home || links.has(url))) {
    const signs = signsOn(page);
    // What every user sees does not come by the name.
    const { browser } = app.logins[2] ?? { browser: theirs };
    const open = signs.length > 0 ? signsOn(await app.look(browser, url)) : [];
    const found = `${new URL(url).pathname} shows ${other} what belongs to ${first}`;
    if (signs.some((sign) => !open.includes(sign)))
      return url === app.page ? { found: `${found}.` } : wrong(`${found}, who has the same name.`, BY_OWN_ID);
  }
  return undefined;
}

/** The first person's login, unless it is of another network than the rehearsed one. TikTok's IDs are each client's own. */
async function atSameNetwork(app: TestedApplication): Promise<Finished | undefined> {
  const browser = app.browser();
  const authorization = await app.begin(browser);
  const network = networkAt(new URL(authorization).pathname);
  if (network !== app.network || network === 'short-video') return undefined;
  return app.finish(browser, await app.allow(authorization));
}

/** That one of two people sees the other's account, after both have logged in, each in a browser of their own. @param start - Where the second login starts. @param isLearned - Whether the page's words are known of both. */
async function mixed(
  app: TestedApplication,
  pair: readonly [string, string],
  start = app.start,
  isLearned = false,
): Promise<Finding | undefined> {
  const logins: Pick<Finished, 'browser'>[] = [];
  const early: Page[] = [];
  for (const id of pair) {
    const at = id === pair[1] ? start : app.start;
    const login = await app.startingAt(at, () => app.logIn(id)).catch(unknownPerson);
    if (!login) return skipped(OWN_PEOPLE);
    const shown = await app.look(login.browser);
    const problem = await lockedOut(app, login, id, shown);
    // Who can log in here has a namesake in the way there, unless the other application lets in nobody like that.
    if (problem && at !== app.start) {
      const isOut = await lockedOut(app, await app.logIn(id), id);
      // Ned has no address either.
      const others = await app.startingAt(at, async () => [
        await app.logIn('second'),
        await app.logIn('ned'),
      ]);
      const areOut = others.some(({ page }) => page.status >= 400);
      return isOut || areOut ? skipped(UNTOLD) : { found: problem.found };
    }
    if (problem) return problem;
    logins.push(login);
    early.push(shown);
  }
  const [one] = logins;
  const [before, ...later] = early;
  const now = one && (await app.look(one.browser));
  if (one && now && app.tells() && app.whoIsOn(now) === 'nobody')
    if ((await difference(app, [one, { browser: app.browser() }])).length === 0)
      return { found: `${pair[0]} is signed out once ${pair[1]} logs in.` };
  const pages = [...(now ? [now] : []), ...later];
  const pictured = one && now ? (await picturedOn(one.browser, now)).find((id) => id !== pair[0]) : undefined;
  if (pictured !== undefined)
    return wrong(`${pair[0]} has the picture of ${pictured} once ${pair[1]} logs in.`, ONE_UPDATE);
  const [first, second] = pair;
  const seen = pages.map(wordsOf).map((words) => ({
    first: shows(words, first, second),
    second: shows(words, second, first),
  }));
  if (seen[0]?.second && !seen[0].first) return { found: `${first} is shown as ${second}.` };
  if (seen[1]?.first && !seen[1].second) return { found: `${second} is shown as ${first}.` };
  if (seen[0]?.first && seen[1]?.second) {
    const isOne = seen[0].second && seen[1].first && (await difference(app, logins)).length === 0;
    // A page may name whoever has come.
    const other = isOne && app.logins[2] ? wordsOf(await app.look(app.logins[2].browser)) : undefined;
    if (other && shows(other, first, second) && shows(other, second, first)) return skipped(NAMES_ONLY);
    if (isOne) return { found: `${first} and ${second} see one page, which names both of them.` };
    const isRenamed =
      timesNamed(pages[0]?.text ?? '', first, second) < timesNamed(before?.text ?? '', first, second);
    return isRenamed ? { found: `${first} ${RENAMED} ${second} logs in.` } : undefined;
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
