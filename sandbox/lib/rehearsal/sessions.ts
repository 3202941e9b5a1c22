import { setTimeout as wait } from 'node:timers/promises';
import {
  described,
  type Finished,
  type Page,
  pageOf,
  pathOf,
  type TestedApplication,
  wordsOf,
} from './application.js';
import { type Browser, isWeb } from './browser.js';
import { endsAsDeclined, FIRST_ROW, LOGIN_COOKIE, LONGER, sessionCookie, strayCookie } from './causes.js';
import {
  after,
  BY_BOTH,
  type Check,
  cannotTell,
  difference,
  expectUser,
  type Finding,
  failed,
  isSame,
  LATE,
  NO_USER,
  namesOf,
  note,
  readByOthers,
  readOnce,
  skipped,
  strictSession,
  unknownPerson,
  VERIFIED,
  wrong,
} from './findings.js';
import { confirmed } from './forms.js';
import { waysIn } from './html.js';
import { isAuthorization } from './login.js';
import {
  FIRST_PEOPLE,
  idAt,
  MEMBERS,
  NAMESAKES,
  personOf,
  privateSigns,
  shows,
  showsName,
} from './people.js';
import {
  backDoor,
  cookieValue,
  decoded,
  forgedCookie,
  guessedSession,
  hasSessionID,
  isShared,
  keptCookie,
  lastingKey,
  neededOf,
  trustsName,
  unescapedOf,
} from './secrets.js';
import { commonSecret } from './session-values.js';

const NOTHING_KEPT =
  'Keep nothing of the session: no keepSessionInfo, no copy of the user in it, and no cookie of your own.';
const RANDOM_ID = 'Give each session a random ID: leave out genid, or let it return crypto.randomUUID().';
const PLANTED = wrong(
  'The cookies from before the login show the user, too: whoever planted them is signed in.',
  'Give the user a new session ID: req.logIn does with Passport 0.6 or newer and a session that has regenerate().',
);
/** Logins after which a store for few sessions has dropped the first. */
const MANY_LOGINS = 40;
/** Seconds. Users need longer to read a page. */
const SHORTEST_SESSION = 120;
/** How long sessions often last. No session lasts a thousandth of that, in minutes or hours. */
const DAYS = [7, 14, 30, 60, 90, 180, 365];
/** Servers commonly take 8 kB of headers. */
const MOST_COOKIES = 7_500;
/** Milliseconds in which a session ends whose lifetime has the wrong unit. */
const SHORT_TIME = 4_800;
/** Milliseconds after which a request of the application has come to the network. */
const UNDER_WAY = 150;
const SMALLER = 'Keep the session on the server, and its ID in the cookie.';
const MANY_SESSIONS =
  'Keep one session for each browser, by its random ID, in a store with room for all of them: no max of a few, no key such as the address of the user, and no login that deletes those of others, or the row by which a session knows its user, as INSERT OR REPLACE does.';
const LATER_LOGINS = 'Later logins end the session of an earlier one.';
const SAVED =
  "Redirect in the callback of req.logIn or req.session.save, and let the store's set call its own callback when the session is saved.";
const SHARED_SESSIONS =
  'Keep sessions in a store that all processes share, such as Redis or the database, with one secret.';

/** How users stay signed in, and how that ends. */
export const SESSIONS = {
  session: async (app, { session, people: [first, second] = FIRST_PEOPLE }) => {
    if (session === false) return cannotTell(session);
    // A page may have an address or a first name as an example.
    const isSure = app.tells();
    const urls = [...app.ends(), ...['/', '/nowhere'].map((path) => new URL(path, app.start).href)];
    for (const url of new Set(urls)) {
      const shown = async () => {
        const page = await app.look(app.browser(), url);
        const words = wordsOf(page);
        const named = app.people.filter((id) => shows(words, id, id === first ? second : first, isSure));
        const isPrivate = named.flatMap(privateSigns).some((sign) => page.text.includes(sign));
        // A list of members has the names of both, and nothing else.
        return named.length === 1 || isPrivate ? named[0] : undefined;
      };
      const user = await shown();
      if (user === undefined) continue;
      if ((await shown()) === undefined) return readOnce(url, personOf(user)?.displayName ?? user);
      app.isMixed = url === app.page;
      const byURL = await signingURL(app);
      if (byURL) return byURL;
      return wrong(
        `${pathOf({ url })} shows the user to everybody, also to a browser that never logged in.`,
        'Keep the user in a session by a random ID in a cookie, not in a variable of the module, an object of defaults for templates or by address, and let no cache keep a page that shows a user.',
      );
    }
    const [one, , other] = app.logins;
    const twice = one?.browser.cookies().find((cookie) => isShared(cookie, other?.browser));
    if (twice && !app.tellsApart()) {
      app.isMixed = true;
      return wrong(`Two browsers have one session: the same ${twice.name}.`, RANDOM_ID);
    }
    if (app.tells()) {
      const isElsewhere = one && new URL(one.page.url).hostname !== new URL(app.callback).hostname;
      const stray = isElsewhere && isWeb(one.page.url) ? strayCookie(one, one.page.url) : undefined;
      const found = stray ?? (await signingURL(app)) ?? (await cachedPage(app));
      if (found) return found;
      for (const visitor of [undefined, other?.browser]) {
        const browser = app.browser();
        const read = await readByOthers(app, await app.allow(await app.begin(browser)), browser, visitor);
        if (read) return read;
      }
      return (await renewedAlways(app)) ?? savedLate(app);
    }
    await wait(LATE);
    const seen: boolean[] = [];
    for (let visit = 0; one && visit < 5; visit += 1)
      seen.push(shows(wordsOf(await app.look(app.browser(one.kept))), first, second));
    if (seen.includes(true) && seen.includes(false)) return someVisits(app);
    if (seen.includes(true))
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
    const [wasOwn, shown] = [await isOwn(), await app.shown(own.browser)];
    const later = await app.logIn();
    if (wasOwn && !(await isOwn()) && isSame(shown, await app.shown(later.browser)))
      return wrong(
        'A login of a person, in another browser, ends the session of an earlier one.',
        `${MANY_SESSIONS} Where an account is to have one session alone, a rehearsal cannot tell what else happens.`,
      );
    if (wasOwn && !(await isOwn()))
      return wrong(
        'A second login of one person, in another browser, takes the account away from the first one.',
        `${BY_BOTH} A login changes nothing of a row that is there: an upsert keeps the ID of its user.`,
      );
    const last = app.logins.at(-1);
    if (last && shows(wordsOf(await app.look(last.browser)), second, first))
      return wrong('The login of one user ends the session of another.', MANY_SESSIONS);
    const isKnown = async (login: Finished) =>
      (await difference(app, [login, { browser: app.browser() }])).length > 0;
    const newcomer = await app.logIn('nora').catch(unknownPerson);
    if (newcomer && (await isKnown(newcomer)) && !(await isKnown(await app.logIn('nora'))))
      return wrong('The first login of a person signs in, and the second one does not.', FIRST_ROW);
    for (let count = 0; wasOwn && count < 4; count += 1) await app.signIn();
    if (wasOwn && !(await isOwn())) return wrong(LATER_LOGINS, MANY_SESSIONS);
    const { status } = await app.look(own.browser);
    if (status === 404)
      return wrong(
        `${pathOf({ url: app.page })} answers with HTTP 404.`,
        'Name a page of your application with --page.',
      );
    return wrong(
      `After a login ${pathOf({ url: app.page })} is the same as for somebody who never logged in.`,
      "Use passport.session() after the session's middleware, call serializeUser and deserializeUser of the same Passport, and replace no method of req.session, such as save; or, if this page shows everybody the same, name one that does not, such as --page /profile. If a new user has to accept something first, let alice and anna do so before.",
    );
  },
  'session ID': async (app, { session }) => {
    if (!app.tells()) return cannotTell(session);
    const guessed = await guessedSession(app);
    if (guessed !== undefined) return wrong(`The ID of a session can be guessed: ${guessed}.`, RANDOM_ID);
    const browser = app.browser();
    const [login] = app.logins;
    const links = login ? await app.linksOf(login.browser) : [];
    for (const url of [new URL('/', app.start).href, ...app.ends(), ...links.slice(0, 5)])
      await app.look(browser, url);
    await app.finish(browser, await app.deny(await app.begin(browser)));
    const callback = await app.allow(await app.begin(browser));
    const planted = app.browser(browser.cookies());
    await app.finish(browser, callback);
    const needed = await neededOf(app, login?.browser.cookies() ?? []);
    const own = app.browser(needed.map((cookie) => ({ ...cookie, value: 'Q7'.repeat(18) })));
    const made = app.browser(own.cookies());
    await app.logIn('first', own);
    if ((await app.who(planted)) !== 'nobody' || (await app.who(made)) !== 'nobody') return PLANTED;
    if (await trustsName(app))
      return wrong(
        'A header, a cookie or a parameter of the URL that names a user, such as X-Forwarded-User, signs that user in, whoever sends it.',
        'Read who is signed in from the session alone. Behind a proxy that sends such a header, let it reach the application in no other way.',
      );
    const beside = app.browser(planted.cookies().filter(({ name }) => !LOGIN_COOKIE.test(name)));
    const isBeside = beside.cookies().length > 0 && app.tellsApart();
    if (isBeside) await app.logIn('second', beside);
    if (isBeside && (await app.who(browser)) !== 'first')
      return wrong(
        'Two browsers that share every cookie but that of the session end up with one session.',
        RANDOM_ID,
      );
    const path = await backDoor(app);
    return path === undefined
      ? undefined
      : note(`${path} signs in anyone who names a user there, as that user: keep it out of production`);
  },
  cookies: async (app) => {
    const begun = Date.now() / 1000;
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
    const needed = app.tells() ? await neededOf(app, cookies) : [];
    const sent = browser.cookieHeader(app.callback);
    const astray = needed.find(({ name }) => !sent.includes(`${name}=`));
    if (astray)
      return wrong(
        `The cookie ${astray.name} of the session has Path=${astray.path}, and is not sent to ${new URL(app.callback).pathname}: no other page knows the user.`,
        "Set path: '/' for the cookie of the session, and no domain.",
      );
    for (const { name, expires } of needed) {
      const seconds = Math.round(expires - begun);
      const days = DAYS.find((one) => Math.abs(seconds - one * 86.4) < 3);
      if (expires === -1 || (seconds > SHORTEST_SESSION && days === undefined)) continue;
      const why = days === undefined ? '' : `, as a maxAge of ${days} days does that is written in seconds`;
      return wrong(`The cookie ${name} of the session ends in ${seconds} seconds${why}.`, LONGER);
    }
    const profile = cookies.find(({ value, httpOnly }) => {
      const text = [unescapedOf(value), ...decoded(value)].join('\n');
      const members = [...new Set(text.match(MEMBERS))];
      const { displayName = '', handle = '', email = '' } = personOf(app.people[0]) ?? {};
      const isShown = [displayName, handle, email, idAt(app.people[0], app.network) ?? ''];
      return (
        members.length > 1 ||
        members.some((member) => member.startsWith('"_')) ||
        // Of what scripts can read, name and ID are enough.
        isShown.filter((sign) => sign !== '' && text.includes(sign)).length > (httpOnly ? 2 : 1)
      );
    });
    if (profile)
      return wrong(
        `The cookie ${profile.name} has the whole profile, which anybody with it can read.`,
        'Let serializeUser store the ID of your own user alone: done(null, user.id).',
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
    const { searchParams } = new URL(app.waiting?.authorization ?? app.start);
    const known = ['client_id', 'client_key'].flatMap((name) => searchParams.get(name) ?? []);
    const secret = cookies
      .map(({ name, value }) => commonSecret(name, value, cookieValue(cookies, `${name}.sig`), known))
      .find((one) => one !== undefined);
    if (secret !== undefined)
      return wrong(
        `The secret "${secret}" signs a cookie: everybody can know it, and whoever does writes such cookies.`,
        'Take the secret from the environment: 32 random bytes, such as those of node -p \'crypto.randomBytes(32).toString("base64")\'.',
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
    if (names !== '' && app.tells() && (await app.who(hidden)) === 'nobody')
      return wrong(`Scripts can read ${names}, which tells who the user is.`, 'Set httpOnly: true.');
    const open = cookies.filter(({ secure }) => !secure);
    if (open.length === 0 || !app.start.startsWith('https:')) return undefined;
    return wrong(
      `Without Secure, ${namesOf(open)} goes over plain http as well.`,
      "Set secure: true for the cookie of the session; behind a proxy also app.set('trust proxy', 1).",
    );
  },
  'sign-out': async (app, { session, signOut }) => {
    if (!app.tells()) return cannotTell(session);
    const { browser, callback } = await app.logIn();
    const page = await app.lookForForms(browser, signOut);
    const { url } = page;
    const named = signOut === undefined ? undefined : new URL(signOut, url);
    const ownIn = (page: Page) => {
      const ways = waysIn(page);
      // A link may have a token.
      const exact = ways.find(({ to }) => to.href === named?.href);
      return exact ?? ways.find((way) => app.signsOut(way));
    };
    const own = ownIn(page);
    const { to = named, body = '', isForm = false } = own ?? {};
    if (!to) return skipped('the page has no sign-out link or form: name one with --sign-out URL');
    const target = signOut ?? to.pathname + to.search;
    if (to.origin !== new URL(url).origin) return skipped('it leads to another site');
    const [label = ''] = own?.near() ?? [];
    if (own?.isForm && /\b(?:delete|erase)\b/i.test(label) && !/\bout\b/i.test(label))
      return wrong(
        `The form that leads to ${target} says "${label.trim().slice(0, 60)}", and signs the user out.`,
        'Let the button of each form say what its URL does.',
      );
    const fields = [...new URLSearchParams(body).keys()];
    const { browser: user } = app.logins[0] ?? { browser };
    for (const elsewhere of isForm ? (await app.pagesOf(user)).values() : []) {
      const other = ownIn(elsewhere);
      const names = [...new URLSearchParams(other?.body).keys()];
      const lacking = fields.find((field) => other?.isForm && app.isToken(field) && !names.includes(field));
      if (lacking !== undefined)
        return wrong(
          `The sign-out form of ${pathOf(elsewhere)} lacks the field ${lacking}, which that of ${pathOf(page)} has.`,
          'Give every page that has the form its token.',
        );
    }
    const isStart = (to: string) =>
      isAuthorization(to) || new URL(to).pathname === new URL(app.start).pathname;
    let method = own?.method ?? 'GET';
    if (method === 'GET' && isForm) to.search = body;
    const send = (one: Browser, way = own) => {
      const form = method !== 'GET' && { method, body: way?.body ?? '' };
      return confirmed(
        app,
        one,
        (way?.to ?? to).href,
        { from: 'same-origin', ...form },
        { usual: [url], isEnd: isStart },
      );
    };
    const before = browser.cookies();
    const hasNamesake = app.people[0] === NAMESAKES[0] && app.tellsApart();
    const namesake = hasNamesake ? await app.signIn(NAMESAKES[1]).catch(unknownPerson) : undefined;
    const isIn = namesake && (await app.who(namesake.browser)) !== 'nobody';
    const areTwo = isIn && (await difference(app, [{ browser }, namesake])).length > 1;
    const witness = app.witness();
    const isWatched = witness !== undefined && (await app.who(witness.browser)) !== 'nobody';
    // Where no page names the URL, a script may send the method.
    if (own) {
      const theirs = own.isForm || !witness ? own : ownIn(await app.lookForForms(witness.browser, signOut));
      await browser.open((theirs ?? own).to.href, { from: 'cross-site' });
      if ((await app.who(browser)) === 'nobody')
        return wrong(
          `A link of another site to ${target} signs the user out.`,
          'Sign out by POST alone, with a form.',
        );
    }
    let visited = await send(browser);
    // A script may sign out.
    if (!own && /^40[45]/.test(String(visited.response.status))) {
      method = 'POST';
      visited = await send(browser);
    }
    const signedOut = await pageOf(visited);
    if (isStart(visited.location ?? url))
      return wrong(
        `${target} sends the user who signed out to the next login.`,
        'Redirect to a page that starts no login: a network that remembers the user signs in again at once.',
      );
    const end = pathOf(signedOut);
    if (signedOut.status === 404 && end !== to.pathname)
      return wrong(
        `${method} ${target} leads to ${end}, which answers with ${described(signedOut)}.`,
        'Redirect with 303 to a page that exists: after 307 and 308 browsers repeat the POST there.',
      );
    if (signedOut.status === 404 || signedOut.status === 403)
      return wrong(
        `${method} ${target} answers with ${described(signedOut)}.`,
        own
          ? `Add the route that the page names, ${isForm && method === 'GET' ? 'with method="post" in its form' : 'and let its form pass what checks such forms'}.`
          : `${new URL(url).pathname} has no form or link that leads there: name with --sign-out the URL of one, or with --page the page that has it.`,
      );
    const remedy = 'Sign out with req.logout(callback), and redirect in its callback.';
    if ((await app.who(browser)) !== 'nobody') {
      app.livesOn = true;
      const offers = (one: Page) =>
        waysIn(one).some((way) => way.to.pathname === new URL(app.start).pathname);
      if (offers(await app.look(browser)) && !offers(await app.look(app.logins[0]?.browser ?? browser)))
        return wrong(
          'The user signed out, and the page, which offers the login, still names the user to whoever comes next.',
          `${remedy} ${NOTHING_KEPT}`,
        );
      const found = `After ${method} ${target} the user is still signed in`;
      const kept = await keptCookie(app, browser.cookies(), before);
      if (kept === undefined) return wrong(`${found}.`, remedy);
      return wrong(
        `${found}, by the cookie ${kept}.`,
        `${remedy} In the same response, res.clearCookie('${kept}') with its path and domain, and delete what the server keeps for it.`,
      );
    }
    const newcomer = app.browser(browser.cookies());
    const left = app.browser(browser.cookies());
    app.hasEnded = isWatched && (await app.who(witness.browser)) === 'nobody';
    if (app.hasEnded || (areTwo && (await app.who(namesake.browser)) === 'nobody'))
      return wrong(
        'The sign-out of one user signs another one out, too.',
        'End the session of this browser alone, with req.logout(callback): not all of the store, as store.clear() does, and none by a name.',
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
    const names = async (by: Browser) => showsName(wordsOf(await app.look(by)), one, other);
    // A page may name whoever is there.
    if (app.tellsApart() && (await names(browser)) && !(await names((await app.signIn('second')).browser)))
      return wrong(
        'The user signed out, and the page of who logged in next with the same browser names the user.',
        `${remedy} ${NOTHING_KEPT}`,
      );
    const still = await app.who(app.browser(before));
    app.livesOn = /first|somebody/.test(still) && (await hasSessionID(app, before));
    if (app.livesOn) {
      const { name } = (await neededOf(app, before))[0] ?? {};
      return wrong(
        `The cookies from before still show the user: what ${name} names lives on.`,
        `${remedy} A store of your own has to delete in destroy() what set() has stored, and a cookie beside the session needs what the server keeps for it deleted, too.`,
      );
    }
    if (still === 'nobody') app.ended = before;
    const late = app.browser();
    const begun = await app.allow(await app.begin(late));
    await app.logIn('first', late);
    const signOutLate = async () => send(late, ownIn(await app.lookForForms(late, signOut)));
    const back = await writtenBack(app, late, begun, signOutLate);
    if (back) return back;
    const again = app.tellsApart() ? await expectUser(app, await app.logIn()) : undefined;
    if (again)
      return after(
        'The user signed out, and logs in again.',
        again,
        'Remember which session has ended by its ID: not by that of the user, whose later sessions are others.',
      );
    // The social network does not let her in.
    if (app.network === 'social-network' || !(await app.logIn('dora', newcomer).catch(unknownPerson)))
      return undefined;
    if ((await app.who(newcomer)) !== 'first') return undefined;
    return wrong(
      'The user signed out, and the first login of somebody else with the same browser leads to the same account.',
      'Link a login to who is signed in alone: a cookie that outlives the session names nobody.',
    );
  },
  'session at the end': async (app, { session }) => {
    const login = app.witness();
    if (!login || !app.tells()) return cannotTell(session);
    if ((await app.who(login.browser)) !== 'nobody') return undefined;
    if (app.hasEnded) return skipped('the sign-out of somebody else ended it');
    const { browser } = await app.logIn();
    const hasExpired = login.browser.cookies().length < browser.cookies().length;
    for (let count = 0; !hasExpired && count < MANY_LOGINS; count += 1) await app.signIn();
    if (!hasExpired && (await app.who(browser)) === 'nobody') return endedSession(app);
    const found = 'The user of one of the first logins is not signed in any more, after less than a minute.';
    return { found, remedy: LONGER };
  },
} satisfies Record<string, Check>;

/** Does something while a login or link waits for its network. @param at - Which network it asks. Default: that of the login. */
export async function meanwhile(
  app: TestedApplication,
  finish: () => Promise<unknown>,
  act: () => Promise<unknown>,
  at?: Parameters<TestedApplication['during']>[2],
): Promise<void> {
  const both = async () => {
    const login = finish();
    login.catch(() => undefined);
    await wait(UNDER_WAY);
    await act();
    await login;
  };
  await app.during({ kind: 'delay', milliseconds: 2 * UNDER_WAY }, both, at);
}

/** That a callback, of a browser whose user signs out meanwhile, writes the session back that has ended. @param at - As of {@link meanwhile}. */
export async function writtenBack(
  app: TestedApplication,
  browser: Browser,
  callback: string,
  signOut: () => Promise<unknown>,
  at?: Parameters<typeof meanwhile>[3],
): Promise<Finding | undefined> {
  const cookies = browser.cookies();
  await meanwhile(app, () => app.finish(app.browser(cookies), callback), signOut, at);
  const isBack = (await app.who(app.browser(cookies))) !== 'nobody' && (await hasSessionID(app, cookies));
  if (!isBack || app.livesOn) return undefined;
  return wrong(
    `A ${at ? 'link' : 'login'} was under way while the user signed out, and wrote the session back: the cookies from before show the user again.`,
    'Set resave: false for the session, in @fastify/session rolling: false. Where a request writes to it, read it again before: req.session.reload().',
  );
}

/** That a session has ended: by itself, or because others have logged in. */
export async function endedSession(app: TestedApplication): Promise<Finding> {
  const { browser } = await app.logIn();
  await wait(SHORT_TIME);
  if ((await app.who(browser)) === 'nobody')
    return wrong(`A session ends by itself within ${SHORT_TIME / 1000} seconds.`, LONGER);
  return wrong(LATER_LOGINS, MANY_SESSIONS);
}

/** That some visits know who logged in and others do not, so that no later check can tell. */
function someVisits(app: TestedApplication): Finding {
  app.isMixed = true;
  return wrong(`Only some visits of ${pathOf({ url: app.page })} know who logged in.`, SHARED_SESSIONS);
}

/** That the URL at which a login ends shows its user to whoever opens it. */
async function signingURL(app: TestedApplication): Promise<Finding | undefined> {
  const [{ page, answer } = {}, again] = app.logins;
  const next = answer?.headers.get('location') ?? '';
  const passed = new URL(next, answer?.url ?? app.page);
  if (isWeb(passed.href) && passed.search !== '') {
    const visitor = app.browser();
    await app.look(visitor, passed.href);
    if ((await app.who(visitor)) !== 'nobody') return signsIn(pathOf({ url: passed.href }));
  }
  if (!page || new URL(page.url).search === '') return undefined;
  const later = new URL(again?.page.url ?? page.url).searchParams;
  const isTicket = [...new URL(page.url).searchParams].some(
    ([name, value]) => /token|jwt|session|sid/i.test(name) && value.length > 16 && value !== later.get(name),
  );
  const visitor = app.browser();
  const shown = await app.look(visitor, page.url);
  const isSignedIn = new URL(app.page).search === '' && (await app.who(visitor)) !== 'nobody';
  if (!isTicket && !isSignedIn && !shows(wordsOf(shown), ...app.people, true)) return undefined;
  return signsIn(pathOf(page));
}

const signsIn = (path: string): Finding =>
  wrong(
    `The URL to which a login leads, at ${path}, signs in whoever opens it: it stays in the history, in logs and in the Referer of other sites.`,
    'Redirect to a URL without a token or the ID of a session, and keep these in a cookie.',
  );

/** That a session is over after one request with its cookie. */
async function renewedAlways(app: TestedApplication): Promise<Finding | undefined> {
  const { browser, page } = await app.logIn();
  if (page.status >= 400) return { ...failed(page), remedy: MANY_SESSIONS };
  const visit = () => app.who(app.browser(browser.cookies()));
  if ((await visit()) !== 'nobody' && (await visit()) === 'nobody')
    return wrong(
      'Of two requests with one cookie, only the first knows the user: a page that loads several things at once signs the user out.',
      'Give the session a new ID at the login alone, not with each request.',
    );
  return undefined;
}

/** A URL that no cache knows. */
function uncached(to: string): string {
  const url = new URL(to);
  url.searchParams.set('uncached', String(Date.now()));
  return url.href;
}

/** That two users get one page, but not with a query that no cache knows. */
async function cachedPage(app: TestedApplication): Promise<Finding | undefined> {
  const [one, , other] = app.logins;
  if (!one || !other) return undefined;
  const [first, second] = app.people;
  const kept = (url: string, what = 'a user the account of another') =>
    wrong(
      `${pathOf({ url })} shows ${what}, and other pages do not: a cache on the server keeps it by its path.`,
      'Let no cache keep a page that shows a user, or let its key have the ID of the session.',
    );
  const textOf = async ({ browser }: Finished) => (await app.look(browser)).text;
  const home = new URL('/', app.start).href;
  const isOf = (words: ReadonlySet<string>, id: string, otherID: string) =>
    shows(words, id, otherID, true) && !shows(words, otherID, id);
  const mixes = (own: Page, next: Page) =>
    isOf(wordsOf(own), second, first) || isOf(wordsOf(next), first, second);
  // A page about a user may be for everybody. Nobody signs out there who is not signed in.
  const isPublic = async (url: string) => {
    const page = await app.look(app.browser(), uncached(url));
    return mixes(page, page) && !waysIn(page).some((way) => app.signsOut(way));
  };
  // Of one URL a cache may have what a visitor saw, and the other one nobody has opened.
  for (const url of app.tellsApart() ? [home, `${home}?rehearsed=${Date.now()}`] : [])
    if (mixes(await app.look(one.browser, url), await app.look(other.browser, url))) return kept(url);
  const theirs = app.tellsApart() ? await app.pagesOf(other.browser) : new Map<string, Page>();
  for (const [url, own] of theirs.size > 0 ? await app.pagesOf(one.browser) : []) {
    const next = theirs.get(url);
    // Each of them sees a public page with a menu of their own.
    if (next && mixes(own, next) && own.text === next.text && !(await isPublic(url))) return kept(url);
  }
  // A cache may be for those alone who have no cookie.
  const visitor = app.browser();
  const visited =
    theirs.size > 0 ? [await app.look(visitor, home), ...(await app.pagesOf(visitor)).values()] : [];
  const foreign = visited.find((page) => mixes(page, page));
  if (foreign && !(await isPublic(foreign.url))) return kept(foreign.url, 'a visitor the account of a user');
  if ((await textOf(one)) !== (await textOf(other))) return undefined;
  for (const elsewhere of [uncached(app.page), ...app.ends().slice(1)]) {
    const own = wordsOf(await app.look(one.browser, elsewhere));
    const theirs = wordsOf(await app.look(other.browser, elsewhere.replace('uncached', 'other')));
    app.isMixed ||= shows(own, first, second) && shows(theirs, second, first);
  }
  return app.isMixed ? kept(app.page) : undefined;
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
