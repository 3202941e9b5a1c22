import { setTimeout as wait } from 'node:timers/promises';
import { NETWORKS, networkAt } from '../networks.js';
import {
  atOnce,
  formsIn,
  isHarmless,
  linksIn,
  type Page,
  pageOf,
  pathOf,
  plain,
  type TestedApplication,
  VISITS,
  wordsOf,
} from './application.js';
import { type Browser, type BrowserCookie, hidesOrigin, type Navigation } from './browser.js';
import { readLog } from './causes.js';
import {
  blockedScript,
  type Check,
  CLEARING,
  ERROR_PAGE,
  EVIL_HOST,
  type Finding,
  NO_LOG,
  nearOf,
  note,
  ownSources,
  STACK,
  skipped,
  wrong,
} from './findings.js';
import { brokenForm, elementsIn, goesOn, parsed, waysIn } from './html.js';
import { isAuthorization } from './login.js';
import { MEMBERS, personOf, privateSigns, shows, showsName } from './people.js';
import {
  cookieSecrets,
  cookieValue,
  finderOf,
  masked,
  nameOf,
  neededOf,
  sessionIDs,
  unescapedOf,
} from './secrets.js';
import { commonSecret } from './session-values.js';

/** What applications call the page to which a login leads, and another site as filters overlook it. */
const RETURN_PARAMETERS =
  'returnTo return_to returnUrl returnURL return next redirect redirectTo redirect_to redirectUrl callbackUrl continue from to url'.split(
    ' ',
  );

const ELSEWHERE = [
  'https://',
  '//',
  '/\\',
  '/\t/',
  'https:',
  '/%2F',
  '/%5C',
  '/..//',
  '@',
  'https://x//',
].map((before) => `${before}${EVIL_HOST}/`);

const OWN_ROWS =
  'Read what belongs to the user by req.user.id: a query without WHERE has the rows of all, and an object as the key of a cache is one key for all.';
/** Characters that a line of a list has at least. */
const LINE = 15;
/** Words of a log that are tried as secrets. */
const MOST_WORDS = 20_000;
/** Pages that name nobody but the user. */
const OWN_PLACE =
  /account|setting|history|session|device|login|security|export|invoice|billing|payment|\borders?\b|\bme\b/i;
/** Parameters by which pages get what they tell a user. */
const TELLING = /message|msg|notice|flash|text|error|alert|reason/i;
/** Characters of the URL of a page with many filters. */
const LONG_QUERY = 1_500;
/** One request is made for each. */
const MANY_COOKIES = 20;

/** Headers: no redirect URI follows a forged one, and no cache or other site gets a login or the page of a user. */
export const HEADERS = {
  'foreign Host': (app) => foreignHost(app, 'Host'),
  'foreign X-Forwarded-Host': (app) => foreignHost(app, 'X-Forwarded-Host'),
  caching: async (app) => {
    const page = app.logins[0] && app.tells() ? await app.look(app.logins[0].browser) : undefined;
    const kept = page && keptTooLong(page);
    if (kept) return kept;
    const visited = page && (await app.look(app.browser()));
    const early =
      visited && !/cookie|\*/i.test(visited.headers.get('vary') ?? '') ? keptTooLong(visited) : undefined;
    if (early)
      return wrong(
        `${pathOf(visited as Page)} answers visitors with Cache-Control: ${visited?.headers.get('cache-control')}: who logs in sees the page from before.`,
        'Answer pages that are others for who is signed in with Cache-Control: no-cache, or no-store.',
      );
    const isKept = app.seen.some(
      ({ url, status, headers }) =>
        (status === 301 || status === 308) &&
        new URL(url).pathname === new URL(app.start).pathname &&
        !/no-store/.test(headers.get('cache-control') ?? ''),
    );
    if (isKept)
      return wrong(
        `${new URL(app.start).pathname} answers a signed-in user with a permanent redirect: after the sign-out the browser never asks again, and cannot log in.`,
        'Redirect with 302, which is the default of res.redirect.',
      );
    const etag = page?.headers.get('etag');
    const headers = { 'if-none-match': etag ?? '' };
    const others = app.tellsApart() ? [app.logins[2]?.browser.cookies()] : [];
    for (const cookies of page && etag ? [[], ...others] : []) {
      const { response } = await app.browser(cookies).visit(app.page, { headers });
      if (response.status !== 304) continue;
      return wrong(
        'A browser that has the page of a user asks for it after the sign-out, or as the next user, and gets HTTP 304: it shows the first user again.',
        'Make the ETag from the page itself, as Express does, or leave it out.',
      );
    }
    return header(app, 'Cache-Control', /\bno-store\b/i);
  },
  'Referrer-Policy': (app) => header(app, 'Referrer-Policy', /^(?!.*(?:unsafe-url|when-downgrade))./i),
} satisfies Record<string, Check>;

/** A URL with one to return to under every name. @param target - Each of several comes beside the others. */
function returning(target: string | readonly string[], to: string): string {
  const url = new URL(to);
  for (const name of RETURN_PARAMETERS) url.searchParams.delete(name);
  for (const one of [target].flat()) for (const name of RETURN_PARAMETERS) url.searchParams.append(name, one);
  return url.href;
}

/** That a login ends where somebody else wants it to. */
export const returnURLs: Check = async (app, { signOut }) => {
  const to = new URL(app.page);
  to.searchParams.set('rehearsed', '1');
  const waiting = app.browser();
  const authorization = await app.begin(waiting);
  const begun = (await app.open(app.browser(), { url: returning(to.pathname + to.search, app.start) }))
    .location;
  const { page: end } = await app.finish(waiting, await app.allow(authorization));
  if (begun !== undefined && end.url === to.href)
    return wrong(
      'A login ends where another one, in another browser, should end.',
      'Keep the return URL in the state of the login, { state } of passport.authenticate(), or in the session: in no variable of the module.',
    );
  const early = app.browser();
  const tabs: string[] = [];
  for (const tab of ['1', '2']) {
    to.searchParams.set('rehearsed', tab);
    const { location } = await app.open(early, { url: returning(to.pathname + to.search, app.start) });
    if (location !== undefined) tabs.push(location);
  }
  const [tab] = tabs;
  const isOther = tab !== undefined && (await app.finish(early, await app.allow(tab))).page.url === to.href;
  // One of the targets begins with the host x.
  const isEvil = (url: string) => [EVIL_HOST, 'x'].includes(new URL(url).hostname);
  const isElsewhere = (url: string) => isAuthorization(url) || isEvil(url);
  const { origin, host } = new URL(app.start);
  const referer = `https://${EVIL_HOST}/`;
  const targets = [...ELSEWHERE, `${origin}@${EVIL_HOST}/${host}`, ['/', referer], [referer, '/'], undefined];
  // A login that is declined seldom has a check of its own: some targets are enough.
  const [absolute, withoutScheme] = ELSEWHERE;
  const some = [withoutScheme, referer, undefined];
  const ends = [
    ['', (location: string) => app.allow(location), targets],
    [', and which the user declines,', (location: string) => app.deny(location), some],
  ] as const;
  for (const [how, decide, targets] of ends) {
    const leads = async (target: (typeof targets)[number]) => {
      const browser = app.browser();
      const headers = { ...(target === undefined && { referer }) };
      const url = target === undefined ? app.start : returning(target, app.start);
      const begun = await app.open(browser, { url, headers, isEnd: isElsewhere });
      const { location = '' } = begun;
      const callback = location !== '' && !isEvil(location) && (await decide(location));
      const end = callback ? await browser.open(callback, { from: 'cross-site' }, isElsewhere) : begun;
      if (end.location === undefined || !isEvil(end.location)) return undefined;
      return elsewhere(
        (target === undefined ? `Referer: ${referer}` : `?returnTo=${[target].flat().join('&returnTo=')}`) +
          how,
      );
    };
    const found = (await atOnce(targets, leads)).find((one) => one !== undefined);
    if (found) return found;
  }
  await app.linksOf(app.browser());
  const own = app.seen.flatMap(({ url }) => (url.startsWith(`${origin}/`) ? new URL(url).pathname : []));
  const harmless = [...new Set(own)].filter((path) => isHarmless(new URL(path, origin))).slice(0, 20);
  const paths = [...new Set([new URL(app.start).pathname, ...harmless])].flatMap((path) =>
    ELSEWHERE.slice(0, path === harmless[0] ? ELSEWHERE.length : 2).map((target) => ({ path, target })),
  );
  const lead = await atOnce(paths, async ({ path, target }) => {
    const browser = app.browser(app.logins[0]?.browser.cookies());
    const url = returning(target, new URL(path, origin).href);
    const { location } = await browser.open(url, { from: 'cross-site' }, isElsewhere);
    return location !== undefined && isEvil(location);
  });
  const open = paths[lead.indexOf(true)];
  if (open) return elsewhere(`?returnTo=${open.target} at ${open.path}, of who is signed in,`);
  for (const target of app.tells() ? [undefined, absolute, withoutScheme, `@${EVIL_HOST}/`] : []) {
    const { browser } = await app.signIn();
    const page = await app.lookForForms(browser, signOut);
    const out = waysIn(page).find((way) => app.signsOut(way));
    if (!out) break;
    const add = (to: string) => (target === undefined ? to : returning(target, to));
    const form = out.method === 'POST' && { method: 'POST', body: add(`a:?${out.body}`).slice(3) };
    const headers = { ...(target === undefined && { 'x-forwarded-host': EVIL_HOST }) };
    const { location } = await browser.open(
      add(out.to.href),
      { from: 'same-origin', headers, ...form },
      isElsewhere,
    );
    if (location !== undefined && isEvil(location))
      return elsewhere(
        target === undefined ? `X-Forwarded-Host: ${EVIL_HOST}` : `?returnTo=${target}`,
        'sign-out',
      );
  }
  for (const search of ['/a&/b', '/\u0436']) {
    const query = RETURN_PARAMETERS.flatMap((name) =>
      search.split('&').map((one) => `${name}=${encodeURIComponent(one)}`),
    );
    const browser = app.browser();
    const { location, ...visited } = await app.open(browser, { url: `${app.start}?${query.join('&')}` });
    const page =
      location === undefined ? visited : (await app.finish(browser, await app.allow(location))).answer;
    const status = 'response' in page ? page.response.status : page.status;
    if (status >= 500)
      return wrong(
        `A login that starts with such as ?returnTo=${search.replace('&', '&returnTo=')} ends with HTTP ${status}.`,
        'A parameter may come twice, as an array, and with letters that no header takes as they are: isLocalURL(url) of passport-social-networks refuses both.',
      );
  }
  for (const name of RETURN_PARAMETERS) {
    const url = new URL(app.start);
    url.searchParams.set(name, `/?${'a'.repeat(LONG_QUERY)}`);
    const { response, location } = await app.open(app.browser(), { url: url.href });
    if (location === undefined && response.status >= 500)
      return wrong(
        `A login that starts with a long URL in ?${name}= ends with HTTP ${response.status}.`,
        'The state of a login has room for 1,024 bytes of JSON: leave out a URL that is longer.',
      );
  }
  const pages = app.tells() ? [...app.ends(), ...(await app.linksOf((await app.signIn()).browser))] : [];
  for (const wanted of pages) {
    const visitor = app.browser();
    const { pathname } = new URL(wanted);
    const to = new URL(wanted);
    to.search = 'rehearsed=1&page=2';
    const asked = await app.look(visitor, to.href);
    const start = waysIn(asked).find(({ to }) => to.pathname === new URL(app.start).pathname);
    // The page to log in has it, and its link may lack it.
    const values = [start?.to, new URL(asked.url)].flatMap((to) => [...(to?.searchParams.values() ?? [])]);
    const named = values.find((value) => value.split(/[?#]/)[0] === pathname);
    const { location } = start && named ? await visitor.open(start.to.href, {}, isAuthorization) : {};
    const shown = location ? (await app.finish(visitor, await app.allow(location))).page : undefined;
    // A page in between may welcome the user. Any page may have a link without a query.
    const isWhole = shown && named?.includes('rehearsed=1') && pathOf(shown) !== pathname;
    const back = isWhole ? new URL(named ?? '', shown.url).href : undefined;
    const next = shown && (goesOn(shown) ?? waysIn(shown).find(({ to }) => to.href === back)?.to);
    const end = next ? { ...shown, url: next.href } : shown;
    // Only what was made for this request has to have its query.
    const isMade = pathOf(asked) !== pathname || named?.includes('rehearsed=1');
    const isCut = named !== undefined && isMade && !end?.url.includes('page=2');
    if (start && end && (pathOf(end) !== pathname || isCut))
      return wrong(
        `The login that starts at ${start.to.pathname}${start.to.search}, for ${pathname}?rehearsed=1&page=2, ends at ${pathOf(end)}${new URL(end.url).search}.`,
        'Give the link to the login the URL to return to, as encodeURIComponent(url), and keep the URL to return to in the state of the login, { state } of passport.authenticate(), and redirect to it.',
      );
  }
  return isOther
    ? note(
        'a login ends where one should end that began later in another tab: keep the URL to return to in the state of the login, { state } of passport.authenticate()',
      )
    : undefined;
};

const elsewhere = (how: string, what = 'login'): Finding =>
  wrong(
    `A ${what} with ${how} ends at another site.`,
    'Redirect to local paths only, and make no URL from a header: isLocalURL(url) of passport-social-networks tells. Ask it last: decode no URL afterwards.',
  );

const isMarkup = ({ text }: Pick<Page, 'text'>) => /^\s*<(?:!doctype|html)\b/i.test(text);

/** What shows to who must not see it, in any response so far. */
export const LEAKS = {
  forms: async (app, options) => {
    const pages = new Map(
      app.seen
        .toSorted((one, other) => one.text.length - other.text.length)
        .map((page) => [pathOf(page), page]),
    );
    const typeOf = ({ headers }: Page) => headers.get('content-type') ?? 'none';
    const plain = app.seen.find((page) => isMarkup(page) && !/html|xml/i.test(typeOf(page)));
    if (plain)
      return wrong(
        `${pathOf(plain)} answers with HTML, and with the Content-Type ${typeOf(plain)}: browsers show the markup.`,
        'Answer with text/html; charset=utf-8.',
      );
    for (const [path, page] of pages) {
      const found = brokenForm(page.text);
      if (found)
        return wrong(
          `${path} has ${found}.`,
          'Close each form before the next one begins, and give it a button without a type.',
        );
      const policy = formsIn(page).length > 0 ? ownSources(page, 'form-action') : undefined;
      if (policy !== undefined && !policy.includes("'self'"))
        return wrong(
          `Browsers block the forms of ${path}: its policy is ${policy}.`,
          "Name 'self' in form-action of the page's Content-Security-Policy.",
        );
    }
    return app.refused ? undefined : ((await hiddenOrigin(app, options.signOut)) ?? deadLink(app));
  },
  'error pages': async (app) => {
    const reflected = app.refused ? undefined : await reflects(app);
    if (reflected) return reflected;
    const page = app.seen.find(({ text }) => STACK.test(text));
    return page && { found: `${pathOf(page)} shows a stack to the user.`, remedy: ERROR_PAGE };
  },
  'secrets in responses': async (app) => {
    if (app.ended.length > 0 && (await app.who(app.browser(app.ended))) !== 'nobody')
      return wrong(
        'The cookies from before a sign-out show the user again, some seconds later.',
        'Let destroy() of a store drop what set() has yet to save, and let touch() save no session that has ended.',
      );
    // The checks of accounts may have ended the first sessions.
    const { browser: user, page: end } = (app.tells() ? await app.logIn() : app.logins[0]) ?? {};
    if (user && app.tells()) await app.pagesOf(user);
    // What scripts ask for may be in no page.
    const data = user ? await atOnce(OWN_DATA, (path) => app.look(user, new URL(path, app.page).href)) : [];
    const secrets = await app.secrets();
    const hasSecret = finderOf(secrets);
    const needed = await neededOf(app, user?.cookies() ?? []);
    const hasID = finderOf(needed.map(({ value }) => unescapedOf(value)).filter(({ length }) => length > 20));
    const hasSession = finderOf(sessionIDs(app, needed));
    for (const page of app.seen) {
      const lines = [...page.headers].map(([name, value]) => `${name}: ${value}`);
      const place = [...lines, `body: ${page.text}`].find(
        (text) =>
          hasSecret(text) ||
          (text.startsWith('location') && hasID(text)) ||
          (!text.startsWith('set-cookie') && hasSession(text)),
      );
      if (place === undefined) continue;
      return wrong(
        `${pathOf(page)} answers with a code, a token or the secret of the network's application, or the cookie of the session, in: ${place.split(':')[0]}${nameOf(place, secrets)}.`,
        "Keep the network's tokens and the options of the strategy on the server, and redirect to URLs of your own, without the query of the callback.",
      );
    }
    const shared = app.seen.find(
      ({ headers }) =>
        /\b(?:public|s-maxage)\b/i.test(headers.get('cache-control') ?? '') && headers.has('set-cookie'),
    );
    if (shared)
      return wrong(
        `${pathOf(shared)} answers with Set-Cookie and Cache-Control: ${shared.headers.get('cache-control')}: a proxy gives the session of one user to others.`,
        'Serve files that everybody may keep in front of the session, or let nobody keep an answer with a cookie.',
      );
    if (!user || !app.tells()) return undefined;
    const reached = await app.pagesOf(user);
    const answered = data.flatMap(({ url, status }) => (status === 200 ? url : []));
    for (const url of new Set([...reached.keys(), ...answered])) {
      const padded = new URL(url);
      padded.searchParams.set('callback', 'rehearsed');
      const { text } = isMarkup(reached.get(url) ?? { text: '' })
        ? { text: '' }
        : await app.look(user, padded.href);
      if (/(?:^|\s|;)rehearsed\(/.test(text))
        return wrong(
          `A script of every other site can read ${padded.pathname}: it answers ?callback= with a call of that function.`,
          'Answer with res.json, not with res.jsonp.',
        );
      // A frame without an origin of its own sends null.
      const { protocol, hostname } = padded;
      const near = `${protocol}//${hostname}.${EVIL_HOST}`;
      for (const origin of [near, `https://${EVIL_HOST}`, nearOf(url), 'null']) {
        const page = await pageOf(await user.visit(url, { headers: { origin } }));
        const isOpen = page.headers.get('access-control-allow-origin') === origin;
        if (isOpen && page.headers.get('access-control-allow-credentials') === 'true')
          return wrong(
            `${pathOf(page)} lets every other site read what it shows the user, with Origin: ${origin}.`,
            'Name your own origins in Access-Control-Allow-Origin, in the option origin of cors(): neither that of each request nor null, with credentials.',
          );
        const isShown = (one: Page) => shows(wordsOf(one), ...app.people, true);
        const kept = url !== app.page && isShown(page) && keptTooLong(page);
        if (kept && !isShown(await app.look(app.browser(), url))) return kept;
        // Pages have one setting, unlike data.
        if (url !== app.page && origin === near && isMarkup(page)) break;
      }
    }
    for (const url of ownSourcesIn(await app.look(user))) {
      const own = await pageOf(await user.visit(url, { from: 'same-origin' }));
      const kept = keptTooLong(own);
      const theirs = kept && (await pageOf(await (await app.signIn('second')).browser.visit(url)));
      const isOther =
        theirs?.text !== own.text || theirs.headers.get('location') !== own.headers.get('location');
      if (kept && isOther) return kept;
    }
    return (
      (await ownFiles(app, secrets)) ?? (end && app.tellsApart() ? readsOthers(app, user, end) : undefined)
    );
  },
} satisfies Record<string, Check>;

/** That a proxy or a browser shows the page of a user to the next one. */
function keptTooLong(page: Page): Finding | undefined {
  const value = page.headers.get('cache-control') ?? '';
  if (/\bmax-age=[1-9]/i.test(value) && !/\b(?:public|s-maxage|no-cache|no-store)\b/i.test(value))
    return wrong(
      `${pathOf(page)} shows the user with Cache-Control: ${value}: browsers show it again after the sign-out.`,
      'Answer pages that show a user with Cache-Control: no-store, or with no-cache.',
    );
  if (!/\bpublic\b|\bs-maxage\b/i.test(value)) return undefined;
  return wrong(
    `${pathOf(page)} shows the user with Cache-Control: ${value}: a proxy shows it to the next one.`,
    'Answer pages that show a user with Cache-Control: private, or no-store.',
  );
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
  const browser = app.browser();
  const callback = await app.allow(await app.begin(browser));
  const end = await browser.open(callback, { from: 'cross-site', headers }, isEnd);
  if (end.location !== undefined && new URL(end.location).hostname === EVIL_HOST)
    return wrong(
      `With the header ${name}, which anybody can send, a login ends at ${EVIL_HOST}.`,
      "Redirect to paths, such as res.redirect('/account'), and make no URL from a header of the request.",
    );
  for (const cookies of name === 'Host' ? [] : [app.logins[0]?.browser.cookies(), []]) {
    const { location, ...visited } = await app.browser(cookies).visit(app.page, { headers });
    const page = await pageOf(visited);
    const ends = [
      ...(location === undefined ? [] : [new URL(location)]),
      ...waysIn(page).map(({ to }) => to),
    ];
    if (ends.some(({ hostname }) => hostname === EVIL_HOST))
      return wrong(
        `With the header ${name}, which anybody can send, ${pathOf(page)} leads to ${EVIL_HOST}: a cache shows that to others.`,
        'Make links, forms and redirects of paths, and no URL from a header of the request.',
      );
  }
  if (new URL(redirectUri).hostname !== EVIL_HOST) return undefined;
  return wrong(
    `The redirect URI follows the header ${name}, which anybody can send: the code would go to ${EVIL_HOST}.`,
    `Set baseURL: '${new URL(app.start).origin}' for the strategy.`,
  );
}

/** A header that the strategy sets, with the response that starts a login and with the one that ends it. */
async function header(app: TestedApplication, name: string, right: RegExp): Promise<Finding | undefined> {
  const [started] = app.started;
  for (const page of [started, app.logins[0]?.answer]) {
    const value = page?.headers.get(name) ?? '';
    if (!page || right.test(value)) continue;
    return wrong(
      `${pathOf(page)} answers with ${name}: ${value || 'nothing'}.`,
      `Leave the ${name} of the strategy as it is in the routes of logins.`,
    );
  }
  return undefined;
}

/** That a page to which the application has redirected shows a parameter as markup, or any sentence that stands in its URL. */
async function reflects(app: TestedApplication): Promise<Finding | undefined> {
  if (!app.tells()) return undefined;
  const markup = '<b>Reflected</b>';
  const asMarkup = (path: string) =>
    wrong(
      `${path} shows what stands in its URL as markup: a link to it could run a script.`,
      'Escape what comes from the URL, or name in it which of your sentences to show.',
    );
  const urls = app.seen.map(({ url }) => new URL(url)).filter(({ search }) => search.length > 1);
  const isTelling = ([name, value]: readonly [string, string]) => TELLING.test(name) || value.includes(' ');
  const redirects = app.seen.flatMap(
    ({ url, status, headers }) =>
      (status >= 300 && status < 400 && parsed(headers.get('location') ?? '', url)) || [],
  );
  const told = redirects.filter(({ searchParams }) => [...searchParams].some(isTelling));
  const pages = new Map(urls.map((url) => [`${url.pathname}?${[...url.searchParams.keys()].join()}`, url]));
  const own = new URL(app.callback).pathname.split('/').slice(0, -1).join('/');
  const { browser } = await app.signIn();
  const nowhere = new URL(`/nowhere${encodeURIComponent('<b>Reflected')}`, app.start).href;
  const missing = await app.look(app.browser(), nowhere);
  if (missing.headers.get('content-type')?.includes('html') && missing.text.includes('<b>Reflected'))
    return asMarkup('/nowhere');
  const shown = async (url: URL, isWanted: (text: string) => boolean) => {
    for (const one of [browser, app.browser()]) {
      const { text, headers } = await pageOf(
        await one.open(url.href, { from: 'cross-site' }, isAuthorization),
      );
      if (headers.get('content-type')?.includes('html') && isWanted(text)) return true;
    }
    return false;
  };
  const replaced = (url: URL, names: Iterable<string>) => {
    const changed = new URL(url);
    for (const name of names) changed.searchParams.set(name, markup);
    return changed;
  };
  for (const url of [...pages.values()].filter(({ pathname }) => !pathname.startsWith(own)).slice(0, 10))
    if (await shown(replaced(url, url.searchParams.keys()), (text) => text.includes(markup)))
      return asMarkup(url.pathname);
  for (const url of new Map(told.map((one) => [one.pathname, one])).values()) {
    const names = [...url.searchParams].filter(isTelling).map(([name]) => name);
    const isSaid = (text: string) => plain(text).includes('Reflected');
    if (url.origin === new URL(app.start).origin && (await shown(replaced(url, names), isSaid)))
      return wrong(
        `${url.pathname} shows whatever sentence stands in its URL: a link to it shows any words as those of the application.`,
        'Name in the URL which of your sentences to show, or keep the sentence in the session.',
      );
  }
  return undefined;
}

/** @param start - Length of the file when the rehearsal began. */
export const secretsInLogs =
  (start: number): Check =>
  async (app, { log }) => {
    if (log === undefined) return skipped('name the file with --log FILE');
    // What refuses a form without its token may log the request.
    const { browser: user } = (app.tells() && !app.refused && (await app.signIn())) || {};
    const page = user && (await app.look(user));
    const cookies = user?.cookies() ?? [];
    const needed = cookies.length > MANY_COOKIES ? [] : await neededOf(app, cookies);
    const forms = page ? formsIn(page) : [];
    const out = forms.find((way) => app.signsOut(way));
    for (const body of ['', out?.body ?? ''])
      await user?.visit(out?.to.href ?? app.page, { method: 'POST', body, from: 'same-origin' });
    const fields = forms.flatMap(({ body }) => [...new URLSearchParams(body)]);
    const tokens = fields.filter(([name, value]) => app.isToken(name) && value.length > 20);
    // Loggers write with a delay.
    await wait(300);
    // What a page shows is the ID of an account.
    const shown = page ? wordsOf({ text: plain(page.text) }) : new Set();
    const secrets = [
      ...(await app.secrets()),
      ...cookieSecrets(app, needed).filter((value) => !shown.has(value)),
      ...tokens.map(([, value]) => value),
    ];
    const text = readLog(log);
    if (text === undefined) return skipped(`${NO_LOG}: ${log}`);
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
    if (line === undefined) return signingSecret(lines, log, cookies) ?? wholeProfile(lines, log);
    return wrong(
      `Line ${index + 1} of ${log} has a code, a token, a secret or a session's cookie. It reads "${masked(line, secrets).slice(0, 160)}"${nameOf(line, secrets)}.`,
      'Log paths without their query, and no header Cookie, token or option. docs/deploying.md in the repository has the setting of each logger.',
    );
  };

/** That a log has the secret which signs the cookies of a user. */
function signingSecret(
  lines: readonly string[],
  log: string,
  cookies: readonly BrowserCookie[],
): Finding | undefined {
  const words = [...new Set(lines.join('\n').match(/[^\s"',:=&;[\]{}()]{8,128}/g))].filter(
    (word) => !/[/?]/.test(word),
  );
  for (const { name, value } of cookies) {
    const secret = commonSecret(name, value, cookieValue(cookies, `${name}.sig`), words.slice(0, MOST_WORDS));
    const index = secret === undefined ? -1 : lines.findIndex((line) => line.includes(secret));
    if (index === -1) continue;
    return wrong(
      `Line ${index + 1} of ${log} has the secret that signs ${name}.`,
      'Log no option of the session: whoever reads the secret can sign in as any user.',
    );
  }
  return undefined;
}

/** That a log has what a network told of a user. */
function wholeProfile(lines: readonly string[], log: string): Finding | undefined {
  const index = lines.findIndex(
    (line) => new Set(line.match(MEMBERS)).size > 1 || /\b_(?:json|raw)\b/.test(line),
  );
  if (index === -1) return undefined;
  return wrong(
    `Line ${index + 1} of ${log} has the profile of a user.`,
    'Log the ID of the account, and nothing that a network told of its user.',
  );
}

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

/** That the forms of a page are refused because its policy hides where they come from. */
async function hiddenOrigin(
  app: TestedApplication,
  signOut: string | undefined,
): Promise<Finding | undefined> {
  if (!app.tells()) return undefined;
  const { browser } = await app.signIn();
  const page = await app.lookForForms(browser, signOut);
  const form = formsIn(page).find((way) => app.signsOut(way));
  const isHidden = elementsIn(page.text, 'meta').some(
    ({ attribs: { name = '', content } }) => /^referrer$/i.test(name) && content === 'no-referrer',
  );
  if (!form || !(isHidden || hidesOrigin(page))) return undefined;
  const { origin, href } = form.to;
  const send = (headers: Navigation['headers']) =>
    browser.visit(href, { method: 'POST', body: form.body, from: 'same-origin', headers });
  if ((await send({ origin: 'null' })).response.status < 400) return undefined;
  if ((await send({ origin })).response.status >= 400) return undefined;
  return wrong(
    `Browsers send Origin: null with the forms of ${pathOf(page)}, because of its Referrer-Policy: no-referrer, and ${form.to.pathname} refuses them.`,
    'Set Referrer-Policy: same-origin for the pages, or let a form pass if Sec-Fetch-Site is same-origin.',
  );
}

/** That a link of a page, of a user or a visitor, leads nowhere, or to another network than it says. */
async function deadLink(app: TestedApplication): Promise<Finding | undefined> {
  const visitor = app.browser();
  const { page: declined } = await app.finish(visitor, await app.deny(await app.begin(visitor)));
  for (const browser of [visitor, ...(app.tells() ? [(await app.signIn()).browser] : [])]) {
    const reached = await app.pagesOf(browser);
    const home = await app.look(browser, new URL('/', app.start).href);
    const opened = new Map<string, { readonly status: number; readonly location?: string | undefined }>();
    const open = async (url: string) => {
      const known = opened.get(url);
      if (known) return known;
      const { response, location } = await browser.open(url, { from: 'same-origin' }, isAuthorization);
      const end = { status: response.status, location };
      opened.set(url, end);
      return end;
    };
    for (const [url, { status }] of reached) if (status < 300 || status >= 400) opened.set(url, { status });
    for (const page of [...(browser === visitor ? [declined] : []), home, ...reached.values()]) {
      if (browser === visitor && page.headers.has('clear-site-data'))
        return wrong(
          `${pathOf(page)} answers with Clear-Site-Data: whoever opens it in a second tab loses the login in the first.`,
          CLEARING,
        );
      const blocked = blockedScript(page);
      if (blocked) return blocked;
      for (const url of ownSourcesIn(page))
        if ((await open(url)).status === 404)
          return wrong(
            `${pathOf(page)} needs ${new URL(url).pathname}, which leads to HTTP 404.`,
            'Serve the file at the URL that the page names.',
          );
      const links = linksIn(page);
      for (const { to, near } of waysIn(page).filter((way) => !way.isForm && links.includes(way.to.href))) {
        const { status, location } = await open(to.href);
        const name = brandIn(near()[0] ?? '');
        const network = location === undefined ? undefined : networkAt(new URL(location).pathname);
        const isOther = name !== undefined && network !== undefined && name !== network;
        if (isOther || status === 404)
          return wrong(
            `${pathOf(page)} has a link to ${to.pathname}, which leads to ${isOther ? `another network than it says, ${network}` : 'HTTP 404'}.`,
            'Let the link lead to the route that it names.',
          );
      }
    }
  }
  return undefined;
}

/** The pictures, styles and scripts of a page that its own site has, ten at most. */
function ownSourcesIn({ text, url }: Page): readonly string[] {
  const named = elementsIn(text, 'img', 'link', 'script').map(({ attribs: { src, href, rel } }) =>
    rel === undefined || rel === 'stylesheet' ? (src ?? href) : undefined,
  );
  const all = named.flatMap((one) => parsed(one ?? '', url) ?? []);
  return all
    .flatMap((one) => (one.origin === new URL(url).origin && one.href !== url ? one.href : []))
    .slice(0, 10);
}

/** The one network that a text names. */
function brandIn(text: string): string | undefined {
  const words = text.split(/[^\p{L}\p{N}]+/u);
  const named = NETWORKS.filter(({ appearance }) => words.includes(appearance.brand));
  return named.length === 1 ? named[0]?.name : undefined;
}

/** Where applications have the data of who is signed in. */
const OWN_DATA = ['/api/me', '/api/user', '/api/profile', '/api/session', '/me', '/session', '/user'];

/** What programs have for their authors, and forget to close. */
const FOR_AUTHORS = [
  ...'users accounts members sessions profiles logins identities export config status debug logs dump backup'
    .split(' ')
    .flatMap((name) => [`/${name}`, `/api/${name}`, `/admin/${name}`, `/${name}.json`]),
  ...'health healthz info version settings options me admin metrics env log test dev store'
    .split(' ')
    .flatMap((name) => [`/${name}`, `/api/${name}`]),
];

/** That anybody can download the program, or a page for its authors that shows users or secrets. */
async function ownFiles(app: TestedApplication, secrets: readonly string[]): Promise<Finding | undefined> {
  for (const [path, has] of [
    ['/package.json', /"dependencies"\s*:/],
    ['/.env', /^[A-Z_]+=/m],
    ['/.git/HEAD', /^ref: /],
    ...['app', 'server', 'index', 'main'].map((name) => [`/${name}.js`, /\bpassport\b/] as const),
  ] as const) {
    const { status, text } = await app.look(app.browser(), new URL(path, app.page).href);
    if (status === 200 && has.test(text))
      return wrong(
        `Anybody can download ${path}, and so the program and what lies beside it, such as a database.`,
        'Serve a folder of its own, with nothing but what browsers need: express.static("public").',
      );
  }
  const signs = [...privateSigns(app.people[0]), ...secrets];
  const { browser: user } = app.tells() ? await app.signIn('second') : { browser: app.browser() };
  const showsSigns = async (browser: Browser, path: string) => {
    const { text } = await app.look(browser, new URL(path, app.page).href);
    return signs.some((sign) => text.includes(sign));
  };
  const path = FOR_AUTHORS[(await atOnce(FOR_AUTHORS, (one) => showsSigns(user, one))).indexOf(true)];
  if (path === undefined) return undefined;
  const all = (await showsSigns(app.browser(), path)) ? 'everybody' : 'every user';
  return wrong(
    `${path} shows ${all} what belongs to others.`,
    'Leave such a page out where users are, or let nobody open it but who may.',
  );
}

/** The first of a user's own pages that has more once another user has logged in. Each may have more with each visit. */
async function grownPage(
  app: TestedApplication,
  user: Browser,
  urls: readonly string[],
): Promise<string | undefined> {
  const lengths = async (url: string) => {
    const all: number[] = [];
    for (let visit = 0; visit < VISITS; visit += 1) all.push((await app.look(user, url)).text.length);
    return { least: Math.min(...all), most: Math.max(...all) };
  };
  for (const url of urls) {
    const { least, most } = await lengths(url);
    await app.logIn('second');
    if ((await lengths(url)).least - most > most - least + LINE) return url;
  }
  return undefined;
}

/** A URL with each of some IDs in the place of each of its parameters. */
const withIDs = (url: string, ids: readonly string[]): readonly string[] =>
  [...new URL(url).searchParams.keys()].slice(0, 3).flatMap((name) =>
    ids.map((id) => {
      const asked = new URL(url);
      asked.searchParams.set(name, id);
      return asked.href;
    }),
  );

/** That a URL with the ID of one account shows another user what nobody else sees. A page of members may show names. */
async function readsOthers(app: TestedApplication, user: Browser, end: Page): Promise<Finding | undefined> {
  const { browser: other } = await app.signIn('second');
  const [own, pages] = [await app.linksOf(user), await app.pagesOf(other)];
  const theirs = await app.linksOf(other);
  const shared = theirs.filter((url) => own.includes(url));
  const shown = await app.shown(other);
  const ids = [...(await app.shown(user))].filter((word) => /\d/.test(word) && !shown.has(word));
  const asked = theirs.flatMap((url) => withIDs(url, ids.slice(0, 3)));
  const isOwnPlace = (url: string) => OWN_PLACE.test(new URL(url).pathname);
  const [first, second] = app.people;
  const larger = await grownPage(app, user, shared.filter(isOwnPlace));
  if (larger !== undefined)
    return wrong(
      `${new URL(larger).pathname} has more once another user logs in: it shows what belongs to others.`,
      OWN_ROWS,
    );
  for (const url of shared) {
    // A page of members may have IDs in its links.
    const words = plain(pages.get(url)?.text ?? '');
    const name =
      isOwnPlace(url) && showsName(wordsOf({ text: words }), first, second) && personOf(first)?.displayName;
    const sign = privateSigns(first).find((one) => words.includes(one)) ?? name;
    if (sign)
      return wrong(
        `${new URL(url).pathname} shows every user what belongs to others, such as ${sign}.`,
        OWN_ROWS,
      );
  }
  // Every page may have those of the user's page, such as that for the sign-out.
  const usual = waysIn(await app.look(other)).map(({ to }) => to.pathname);
  const hasForm = (page: Pick<Page, 'text' | 'url'>) =>
    waysIn(page).some(({ method, to }) => method === 'POST' && !usual.includes(to.pathname));
  for (const url of [end.url, ...own, ...asked].filter((to) => to !== app.page && !shared.includes(to))) {
    const { text } = await app.look(other, url);
    const words = wordsOf({ text });
    const signs = privateSigns(first).filter((sign) => text.includes(sign));
    if (signs.length === 0 && (!shows(words, first, second, true) || shows(words, second, first))) continue;
    const open = await app.look(app.browser(), url);
    const shown = signs.filter((sign) => open.text.includes(sign));
    // A public page has a form for users, such as one to follow its author.
    const isPublic = shows(wordsOf(open), first, second, true) && !hasForm(open);
    const isPrivate =
      signs.length > 0
        ? shown.length === 0 || shown.some((sign) => !/^\d+$/.test(sign))
        : /export|download|takeout/i.test(url) || isOwnPlace(url) || (hasForm({ text, url }) && !isPublic);
    if (isPrivate)
      return wrong(
        `${new URL(url).pathname} shows the data of another user to anybody who puts that user's ID into the URL.`,
        'Read the ID of the account from the session, req.user.id, and none from the URL.',
      );
  }
  return writesOthers(app, user, other);
}

/** That a form with the ID of another user's account changes that account. It is sent as it stands but for the ID, so that a right application changes nothing. */
async function writesOthers(
  app: TestedApplication,
  user: Browser,
  other: Browser,
): Promise<Finding | undefined> {
  const formsOf = async (browser: Browser) => [...(await app.pagesOf(browser)).values()].flatMap(formsIn);
  const [own, theirs] = [await formsOf(other), await formsOf(user)];
  const forged = own.flatMap(({ to, body }, index) => {
    const wanted = theirs[index];
    if (!wanted || !isHarmless(to) || app.signsOut({ to })) return [];
    const ids = new URLSearchParams(wanted.body);
    const isID = (name: string, value: string) =>
      !app.isToken(name) &&
      [value, ids.get(name) ?? ''].every((one) => /^[\w-]{0,30}\d[\w-]{0,60}$/.test(one));
    const fields = [...new URLSearchParams(body)].map(([name, value]): [string, string] =>
      isID(name, value) ? [name, ids.get(name) ?? ''] : [name, value],
    );
    const sent = { to: wanted.to.href, body: String(new URLSearchParams(fields)) };
    return sent.to === to.href && sent.body === body ? [] : [sent];
  });
  const before = await app.shown(user);
  for (const { to, body } of forged)
    await other.open(to, { method: 'POST', body, from: 'same-origin' }, isAuthorization);
  const sent = wordsOf({
    text: forged.map(({ body }) => [...new URLSearchParams(body).values()].join(' ')).join(' '),
  });
  const now = forged.length > 0 ? await app.shown(user) : before;
  if (![...now].some((word) => !before.has(word) && sent.has(word))) return undefined;
  return wrong(
    "A form of one user with the ID of another user's account changes that account.",
    'Change the account of req.user.id, and take no ID of an account from a form or a URL.',
  );
}
