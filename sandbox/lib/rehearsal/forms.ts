import { networkAt } from '../networks.js';
import {
  type Beside,
  type Finished,
  formsIn,
  type Page,
  pageOf,
  pathOf,
  plain,
  type TestedApplication,
  wordsOf,
} from './application.js';
import type { Browser, BrowserCookie, Navigation, Visited } from './browser.js';
import { EVIL_HOST, NO_LOGIN_OF } from './findings.js';
import { parsed, type Way, waysIn } from './html.js';
import { isAuthorization } from './login.js';
import { forgeries } from './session-values.js';

/** The third type of body that a form without a script can have. */
export const PLAIN = { 'content-type': 'text/plain' };
export const SAME_SITE =
  "Let POST alone do it, with a token of the session in the form or if Sec-Fetch-Site is same-origin, and set sameSite: 'lax' for the cookie of the session: without it, Safari and Firefox send it with the form of any site.";
export const PASSING =
  'Let the form pass what checks it, such as its token: one for each session, not for each page, and once in the form.';
export const OWN_TOKEN =
  'Make a token for each session, keep it there, and compare it with that of the form: one for all users is no secret.';

/** What a button sends by which a user is sure. */
const YES = /=(?:yes|sure|confirm|true|ok)\b/i;

export interface Form {
  readonly to: string;
  readonly body: string;
}

interface Asking {
  /** Pages that have forms of their own. */
  readonly usual: readonly string[];
  readonly isEnd?: (url: string) => boolean;
  /** Where it led, if it was sent before. */
  readonly visited?: Visited;
}

/** Sends a form or opens a link, and sends the form of the page that asks again. */
export async function confirmed(
  app: TestedApplication,
  browser: Browser,
  url: string,
  navigation: Navigation,
  { usual, isEnd = isAuthorization, ...sent }: Asking,
): Promise<Visited> {
  const visited = sent.visited ?? (await browser.open(url, navigation, isEnd));
  const asked = await askedBy(app, browser, url, navigation, { usual, visited });
  if (!asked) return visited;
  app.asking.add(new URL(url).pathname);
  const { to, body } = asked;
  return browser.open(to.href, { from: 'same-origin', method: 'POST', body }, isEnd);
}

/** The form of the page that asks again. */
async function askedBy(
  app: TestedApplication,
  browser: Browser,
  url: string,
  navigation: Navigation,
  { usual, visited }: Pick<Asking, 'usual'> & { readonly visited: Visited },
): Promise<Way | undefined> {
  const page = await pageOf({ ...visited, response: visited.response.clone() });
  const { origin, pathname } = new URL(url);
  const isUsual = [...app.ends(), ...usual].some((one) => pathOf({ url: one }) === pathOf(page));
  if (page.status >= 400 || new URL(page.url).origin !== origin || isUsual) return undefined;
  const isSignOut = app.signsOut({ to: new URL(url) });
  const fields = new URLSearchParams(
    typeof navigation.body === 'string' ? app.withoutToken(navigation.body) : '',
  );
  // A form for something else has another ID in the same field.
  const isOther = (body: string) =>
    [...new URLSearchParams(body)].some(
      ([name, value]) => !app.isToken(name) && /\d/.test(value) && (fields.get(name) ?? value) !== value,
    );
  const own = formsIn(page).filter(({ body }) => !isOther(body));
  const forms = own.filter((form) => isSignOut || !app.signsOut(form));
  const beneath = forms.filter(({ to }) => `${to.pathname}/`.startsWith(`${pathname}/`));
  const same = beneath.length > 0 ? beneath : forms.filter((form) => isSignOut && app.signsOut(form));
  const [sole] = forms.length === 1 ? forms : [];
  const isAsking = sole?.to.pathname === pathOf(page) || pathOf(page) === pathname;
  const asked = same.find(({ body }) => YES.test(body)) ?? same[0] ?? (isAsking ? sole : undefined);
  return asked && (await app.who(browser)) !== 'nobody' ? asked : undefined;
}

/** The form that posts to a URL, of the user's page or of one that asks again: where exactly, and its fields. */
export async function formFor(app: TestedApplication, browser: Browser, target: string) {
  const page = await app.lookForForms(browser, target);
  const wanted = new URL(target, page.url);
  const forms = formsIn(page);
  const place = ({ origin, pathname }: URL) => origin + pathname;
  const leading = (all: readonly Way[]) =>
    all.find(({ to }) => to.href === wanted.href) ?? all.find(({ to }) => place(to) === place(wanted));
  const isAsked = waysIn(page).some(({ to, method }) => method === 'GET' && place(to) === place(wanted));
  const asking = isAsked && (await browser.open(wanted.href, { from: 'same-origin' }, isAuthorization));
  const asked = asking ? await pageOf(asking) : undefined;
  const first = leading(forms) ?? leading(asked ? formsIn(asked) : []);
  if (first) app.formPage = page;
  const sending = { from: 'same-origin', method: 'POST', body: first?.body } as const;
  const again =
    first && app.asking.has(first.to.pathname)
      ? await askedBy(app, browser, first.to.href, sending, {
          usual: [page.url],
          visited: await browser.open(first.to.href, sending, isAuthorization),
        })
      : undefined;
  const form = again ?? first;
  const all = asked ? waysIn(asked).filter(({ isForm }) => !isForm) : [];
  const links = all.filter(({ to }) => place(to) === place(wanted) && to.href !== wanted.href);
  // A page that offers the link no more has the session's token in its other forms.
  const { body = '' } = form ?? forms[0] ?? {};
  const isFetched = !form && app.fetched.has(wanted.pathname);
  return { to: form?.to.href ?? wanted.href, body, page, links, isFetched };
}

/** Sends a form of the user's page. Ends where it leads to a network. */
export async function post(app: TestedApplication, browser: Browser, target: string): Promise<Visited> {
  const send = async () => {
    const { to, body, page, isFetched } = await formFor(app, browser, target);
    const form = { from: 'same-origin', method: 'POST', ...(!isFetched && { body }) } as const;
    return confirmed(app, browser, to, form, { usual: [page.url] });
  };
  const visited = await send();
  const { location } = visited;
  const { link, network, asks = false } = app.link ?? {};
  // An application may ask for a login of its own network before it begins a link.
  if (
    location === undefined ||
    target !== link ||
    (!asks && networkAt(new URL(location).pathname) === network)
  )
    return visited;
  const { page } = await app.finish(browser, await app.allow(location, await app.who(browser)));
  const next = nextLogin(app, page);
  return next === undefined ? send() : { ...visited, location: next };
}

/** The authorization URL to which a page redirects. */
function nextLogin(app: TestedApplication, { url, headers }: Page): string | undefined {
  const next = parsed(headers.get('location') ?? '', url)?.href;
  return next !== undefined && app.isSandbox(next) ? next : undefined;
}

/** Whether an application asks for a login before a link of the same network: it goes on to the network, or to a page that asks. */
export async function asksBefore(app: TestedApplication, target: string): Promise<boolean> {
  const { browser } = await app.signIn();
  const { location } = await post(app, browser, target);
  if (location === undefined) return false;
  const { page } = await app.finish(browser, await app.allow(location));
  const usual = await app.lookForForms(browser, target);
  const { pathname } = new URL(target, app.page);
  const isPart = ({ to }: Way) => to.pathname.startsWith(pathname);
  return nextLogin(app, page) !== undefined || (pathOf(page) !== pathOf(usual) && formsIn(page).some(isPart));
}

/** Deletes the account of a browser's user. An application may ask for another login before. */
export async function erase(
  app: TestedApplication,
  browser: Browser,
  target: string,
  who: string,
): Promise<Visited> {
  const visited = await post(app, browser, target);
  if (visited.location === undefined) return visited;
  const { page } = await app.finish(browser, await app.allow(visited.location, who));
  // The login may have confirmed it.
  const isDone = (await app.who(browser)) === 'nobody';
  return isDone ? { url: page.url, response: new Response(page.text, page) } : post(app, browser, target);
}

/** By what a page of another site, whose author is a user as well, does something at a URL with the user's cookies. @param fields - Of the form, without its token. */
export async function byAnotherSite(
  app: TestedApplication,
  browser: Browser,
  target: string,
  isDone: (visited: Visited) => Promise<boolean> | boolean,
  given?: string,
): Promise<string | undefined> {
  const author = await app.signIn((await app.who(browser)) === 'first' ? 'second' : 'first');
  const { to, body, links } = await formFor(app, author.browser, target);
  const wanted = new URL(target, app.page);
  const { href, host, hostname, protocol } = app.asking.has(wanted.pathname) ? new URL(to) : wanted;
  const fields = given ?? sureOf(app, body);
  // Whoever looks for the own host in them finds it.
  const origin = `${protocol}//${hostname}.${EVIL_HOST}`;
  const headers = { origin, referer: `${origin}/${host}` };
  const linked = new URL(href);
  const stolen = new URLSearchParams(body);
  for (const [name, value] of new URLSearchParams(fields))
    for (const into of [linked.searchParams, stolen]) into.set(name, value);
  const overridden = new URL(linked);
  overridden.searchParams.set('_method', 'POST');
  const users = new Map<string, string>();
  const send = async (to: string, cookies: readonly BrowserCookie[], sending: Navigation) => {
    const foreign = app.browser(cookies);
    const jar = foreign.cookieHeader(app.page);
    const who = users.get(jar) ?? (await app.who(foreign));
    users.set(jar, who);
    if (who === 'nobody') return false;
    return isDone(await foreign.open(to, { from: 'cross-site', ...sending }, isAuthorization));
  };
  const form = { method: 'POST', body: fields };
  const withToken = "form, with the token of its author's own form,";
  for (const [by, to, cookies, sending] of [
    ...[linked, ...links.map(({ to }) => to)].map((to) => ['link', to.href, browser.cookies(), {}] as const),
    ['link with _method=POST', overridden.href, browser.cookies(), {}],
    ['form', href, browser.sentByForms(), form],
    [withToken, href, browser.sentByForms(), { ...form, body: String(stolen), headers }],
    ['form of plain text', href, browser.sentByForms(), { ...form, headers: PLAIN }],
  ] as const)
    if (await send(to, cookies, sending)) return by;
  return undefined;
}

/** What a form says but its token, such as that a user is sure. Everybody knows it, but for IDs. */
export const sureOf = (app: TestedApplication, body: string): string =>
  String(
    new URLSearchParams(
      [...new URLSearchParams(app.withoutToken(body))].filter(([, value]) => !/\d/.test(value)),
    ),
  );

/** Whether a form has what nobody can guess, whatever its name. @param page - The form's, which shows the IDs of accounts. */
export function hasToken(app: TestedApplication, body: string, page: Page): boolean {
  const shown = wordsOf({ text: plain(page.text) });
  return [...new URLSearchParams(body)].some(
    ([name, value]) => app.isToken(name) || (/^[\w+=.-]{16,}$/.test(value) && !shown.has(value)),
  );
}

/** A form of one person, with the IDs of another person in it. @param forms - The one's in two sessions, and the other's. */
export function forgedForm(
  app: TestedApplication,
  ...forms: readonly [Form, Form, Form]
): (Navigation & Form) | undefined {
  const own = new URLSearchParams(forms[0].body);
  const all = [...forms, forms[2]].map(({ to, body }) => {
    // Another session has another token.
    const fields = [...new URLSearchParams(body)].map(([name, value]) => [
      name,
      app.isToken(name) ? own.get(name) : value,
    ]);
    return encodeURIComponent(JSON.stringify([to, ...fields]));
  });
  const [forged] = forgeries(all, () => true);
  if (forged === undefined) return undefined;
  const [to, ...fields] = JSON.parse(decodeURIComponent(forged)) as [string, ...[string, string][]];
  return { to, method: 'POST', body: String(new URLSearchParams(fields)), from: 'same-origin' };
}

/** The second person's form for a URL, with the first person's IDs in it. */
export async function formOfAnother(app: TestedApplication, target: string) {
  const [one, again, user] = [await app.signIn('second'), await app.signIn('second'), await app.signIn()];
  const form = ({ browser }: Pick<Finished, 'browser'>) => formFor(app, browser, target);
  return { one, user, form: forgedForm(app, await form(one), await form(again), await form(user)) };
}

/** Where the login of a link's network starts: with a name of the link in the place of one in the URL of the login. */
export async function besideLink(app: TestedApplication, link: string): Promise<Beside> {
  if (app.link) return app.link;
  const { origin, pathname, search } = new URL(app.start);
  const own = (pathname + search).split(/([/?&=]+)/);
  const names = link.split(/[/?&=#]+/).filter((name) => name !== '');
  for (const name of names.toReversed())
    for (const [index, replaced] of [...own.entries()].toReversed()) {
      if (!/\w/.test(replaced)) continue;
      const start = origin + own.with(index, name).join('');
      const { location } = await app.startingAt(start, () => app.open(app.browser()));
      if (location === undefined) continue;
      app.link = { link, start, names: [name, replaced], network: networkAt(new URL(location).pathname) };
      return app.link;
    }
  throw new Error(
    `${NO_LOGIN_OF} ${link} starts beside ${pathname}: let both have one name in common, such as /signin/microblog and /link/microblog`,
  );
}

/** Where an application gets the token of a login or link that has begun. */
export const tokenOf = (authorization: string) => ({
  network: networkAt(new URL(authorization).pathname),
  endpoint: new URL(authorization).searchParams.has('oauth_token') ? 'access token' : 'token',
});
