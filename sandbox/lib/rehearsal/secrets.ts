import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { NETWORKS } from '../networks.js';
import { atOnce, type TestedApplication, wordsOf } from './application.js';
import { Browser, type BrowserCookie } from './browser.js';
import { personOf, shows, signsOf } from './people.js';
import { bitsOf, forgeries, preimage, sessionID } from './session-values.js';

/** An ID of a session, and its signature, are shorter. */
const LONGEST_ID = 64;
/** Whoever tries IDs of a session finds a shorter one. */
const FEWEST_BITS = 48;
/** A secret is one of them, or a part of one: the sandbox names none that is shorter. */
const LONG_WORDS = /[^\s"'<>]{16,}/g;

/** The cookie that still signs a user in, if another one was the session's. */
export async function keptCookie(
  app: TestedApplication,
  cookies: readonly BrowserCookie[],
  before: readonly BrowserCookie[],
): Promise<string | undefined> {
  if (before.length < 2) return undefined;
  for (const { name, value } of before) {
    const own = cookies.filter((cookie) => cookie.name === name || cookie.name === `${name}.sig`);
    if (cookieValue(own, name) === value && (await app.who(app.browser(own))) !== 'nobody') return name;
  }
  return undefined;
}

/** The cookie that is no session, because it is the same at each login, and signs in nevertheless. A session that it holds is signed or a text, and the only one. */
export async function lastingKey(app: TestedApplication): Promise<string | undefined> {
  const [one = [], again = []] = app.logins.map(({ browser }) => browser.cookies());
  let hasSession = false;
  for (const cookie of one)
    hasSession ||=
      cookieValue(again, cookie.name) !== cookie.value && (await app.who(app.browser([cookie]))) === 'first';
  const isKey = ({ name, value }: BrowserCookie) =>
    value === sessionID(value) && value.length <= LONGEST_ID && cookieValue(one, `${name}.sig`) === undefined;
  const same = one.filter(
    (cookie) => cookie.value === cookieValue(again, cookie.name) && (hasSession || isKey(cookie)),
  );
  for (const cookie of app.tellsApart() ? same : []) {
    if ((await app.who(app.browser([cookie]))) !== 'first') continue;
    // A token may have the time of its login in seconds.
    await wait(1_000);
    const later = (await app.logIn()).browser.cookies();
    if (cookieValue(later, cookie.name) === cookie.value) return cookie.name;
  }
  return undefined;
}

/** The headers with which proxies say who a user is, and servers behind none must not believe. */
const OF_PROXIES = ['', 'x-', 'x-auth-', 'x-auth-request-', 'x-forwarded-', 'x-remote-', 'remote-'].flatMap(
  (before) =>
    ['user', 'member', 'account', 'customer', 'uid', 'email', 'act-as'].flatMap((name) => [
      `${before}${name}`,
      `${before}${name}-id`,
    ]),
);

const OF_URLS = ['user', 'userId', 'user_id', 'uid', 'member', 'account', 'accountId', 'as', 'login'];

/** Whether a header, a cookie or a parameter that names a user signs that user in. */
export async function trustsName(app: TestedApplication): Promise<boolean> {
  const [first, second] = app.people;
  // A sentence may end behind an ID.
  const own = app.ownIDs('').map((word) => word.replace(/\.$/, ''));
  const known = [...own, ...signsOf(first, false)].filter((word) => /^[\x21-\x7E]+$/.test(word));
  for (const word of known.slice(0, 12)) {
    const cookie = OF_URLS.map((name) => `${name}=${word}`).join('; ');
    const headers = { ...Object.fromEntries(OF_PROXIES.map((name) => [name, word])), cookie };
    const url = new URL(app.page);
    for (const name of OF_URLS) url.searchParams.set(name, word);
    const visited = await app.browser().visit(url.href, { headers });
    // A page may repeat its URL.
    const words = [...wordsOf({ text: await visited.response.text() })].filter((one) => !word.includes(one));
    if (shows(new Set(words), first, second, true)) return true;
  }
  return false;
}

/** Where programs let their tests and developers log in as anyone. */
const BACK_DOORS =
  '/dev/login /dev-login /test/login /test-login /debug/login /login-as /impersonate /auth/dev /auth/test /api/dev/login /api/test/login /admin/login-as /admin/impersonate'.split(
    ' ',
  );

/** The path that signs in anyone who names a user there, as that user. Guesses count for no other check. */
export async function backDoor(app: TestedApplication): Promise<string | undefined> {
  const [first, second] = app.people;
  const { origin } = new URL(app.start);
  for (const word of [app.ownIDs('')[0], personOf(first)?.email].filter((one) => one !== undefined)) {
    const opens = async (path: string) => {
      const fields = [...OF_URLS, 'id', 'email', 'username'].map((name): [string, string] => [name, word]);
      const body = String(new URLSearchParams(fields));
      for (const [end, sent] of [
        [`?${body}`, {}],
        ...(/as|impersonate|dev/.test(path) ? [[`/${encodeURIComponent(word)}`, {}] as const] : []),
        ['', { method: 'POST', body }],
      ] as const) {
        const browser = new Browser({ timeout: () => app.timeout(), ca: app.ca });
        const isElsewhere = (url: string) => new URL(url).origin !== origin;
        const opened = browser.open(origin + path + end, { from: 'same-origin', ...sent }, isElsewhere);
        const { status } = (await opened.catch(() => undefined))?.response ?? {};
        if (status === undefined || status >= 400 || browser.cookies().length === 0) continue;
        // A page may repeat what it was asked.
        const words = [...wordsOf(await app.look(browser))].filter((one) => !word.includes(one));
        if (shows(new Set(words), first, second, true)) return path;
      }
      return undefined;
    };
    const found = (await atOnce(BACK_DOORS, opens)).find((path) => path !== undefined);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Headers by which servers tell requests apart, and which anybody can send. */
const OF_REQUESTS = ['X-Request-Id', 'X-Correlation-Id', 'X-Session-Id', 'X-Trace-Id', 'Request-Id'];

/** That a header of the request is the ID of its session. */
async function chosenSession(app: TestedApplication): Promise<string | undefined> {
  const browser = app.browser();
  const callback = await app.allow(await app.begin(browser));
  const ids = OF_REQUESTS.map((name) => [name, randomUUID()] as const);
  await browser.visit(callback, { from: 'cross-site', headers: Object.fromEntries(ids) });
  const values = (await neededOf(app, browser.cookies())).map(({ value }) => value);
  const [name] = ids.find(([, id]) => values.some((value) => value.includes(id))) ?? [];
  return name && `it is the value of the request's header ${name}`;
}

/** Whether another browser has the same cookie, of a length that tells browsers apart. */
export const isShared = ({ name, value }: BrowserCookie, other?: Browser): boolean =>
  value.length >= 16 &&
  !name.endsWith('.sig') &&
  other?.cookies().some((cookie) => cookie.name === name && cookie.value === value) === true;

/** The cookies without which the user is not signed in. */
export async function neededOf(app: TestedApplication, cookies: readonly BrowserCookie[]) {
  const needed: BrowserCookie[] = [];
  for (const cookie of cookies) {
    const others = app.browser(cookies.filter((other) => other !== cookie));
    if ((await app.who(others)) === 'nobody') needed.push(cookie);
  }
  return needed;
}

/** Whether a session's ID signs the user in. A session in a cookie, which no server can end, is long, readable or always the same. */
export async function hasSessionID(
  app: TestedApplication,
  cookies: readonly BrowserCookie[],
): Promise<boolean> {
  const again = (await app.logIn()).browser.cookies().map(({ value }) => value);
  const needed = await neededOf(app, cookies);
  const isID = ({ value }: BrowserCookie) =>
    value.split('.').every((part) => part.length <= LONGEST_ID) &&
    ![value, ...decoded(value)].some((text) => /"\w+":/.test(text)) &&
    !again.includes(value);
  return needed.length > 0 && needed.every(isID);
}

/** The IDs of sessions that cookies of one login name: they are others at each login. */
export const sessionIDs = ({ logins }: TestedApplication, cookies: readonly BrowserCookie[]): string[] =>
  cookies.flatMap(({ name, value }) => {
    const isRandom = logins.every(({ browser }) => cookieValue(browser.cookies(), name) !== value);
    const id = isRandom ? (sessionID(value) ?? '') : '';
    return id.length > 20 ? [id] : [];
  });

/** The cookie that signs the other person in as soon as it names that person. */
export async function forgedCookie(app: TestedApplication): Promise<string | undefined> {
  const { people, logins } = app;
  const [own, , theirs] = logins.map(({ browser }) => browser);
  if (!own || !theirs || !app.tellsApart()) return undefined;
  // A cookie may be older than the account of who came later.
  for (const [browser, other, id, who] of [
    [own, theirs, people[1], 'second'],
    [theirs, own, people[0], 'first'],
  ] as const) {
    const known = new Set([...wordsOf(await app.look(other)), ...signsOf(id, false)]);
    const cookies = browser.cookies();
    for (const { name } of cookies) {
      const all = logins.map((login) => cookieValue(login.browser.cookies(), name));
      const values = (browser === own ? all : [...all.slice(2), ...all.slice(0, 2)]).filter(isText);
      for (const value of values.length < 4 ? [] : forgeries(values, (word) => known.has(word))) {
        const forged = cookies.map((cookie) => (cookie.name === name ? { ...cookie, value } : cookie));
        for (const jar of [forged, forged.filter((cookie) => cookie.name === name)])
          if ((await app.who(app.browser(jar))) === who) return name;
      }
    }
  }
  return undefined;
}

const isText = (value: string | undefined) => value !== undefined;

/** What tells the ID of a session that somebody else has. */
export async function guessedSession(app: TestedApplication): Promise<string | undefined> {
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
  const chosen = await chosenSession(app);
  if (chosen !== undefined) return chosen;
  const begun = Date.now();
  const own = (await app.logIn()).browser.cookies();
  const times = Array.from(
    { length: Math.min(5_000, Date.now() - begun + 1) },
    (_, at) => begun + at,
  ).flatMap((time) => [String(time), String(Math.floor(time / 1_000))]);
  const next = (await app.logIn()).browser.cookies();
  for (const { name, value } of own) {
    const time = preimage(sessionID(value) ?? '', times);
    if (time !== undefined) return `it is the digest of ${time}, the time of the login`;
    const isOfUser = [login, again].some((jar) => cookieValue(jar ?? [], name) === value);
    // A JSON Web Token has the time of the login in seconds.
    if (value.length > 20 && !isOfUser && !value.startsWith('eyJ') && cookieValue(next, name) === value)
      return `two logins in one second have the same ${name}`;
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

export const cookieValue = (cookies: readonly BrowserCookie[], name: string): string | undefined =>
  cookies.find((cookie) => cookie.name === name)?.value;

/** Tells whether a text has a secret: as it is, percent-encoded in any way, escaped as in HTML or JSON, or as a session in a cookie has it; also twice or three times. */
export function finderOf(secrets: readonly string[]): (text: string) => boolean {
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

/** What the cookies of all browsers so far hold, of a length that names one browser. */
export function cookieSecrets(app: TestedApplication, more: readonly BrowserCookie[] = []): string[] {
  const [one = [], again = []] = app.logins.map(({ browser }) => browser.cookies());
  const all = [...app.jars.flat(), ...more];
  const signsIn = ({ name }: BrowserCookie) =>
    more.length === 0 || more.some((cookie) => cookie.name === name);
  const isSame = ({ name }: BrowserCookie) => {
    const value = cookieValue(one, name);
    return value !== undefined && value === cookieValue(again, name);
  };
  // What is the same at each login may be the ID of an account, which is no secret, unless it signs in as it is.
  const hints = new Set(
    all.filter(isSame).flatMap((cookie) => {
      const id = sessionID(cookie.value) ?? '';
      if (!signsIn(cookie)) return [cookie.value, id];
      return id === cookie.value ? [] : [id];
    }),
  );
  const spent = [...app.spent, ...all.map(({ value }) => value)];
  const values = spent.flatMap((value) => [value, sessionID(value) ?? value]);
  return values.filter((value) => value.length > 20 && !hints.has(value));
}

/** A text without secrets, also without the first characters of one where the text was cut. */
export function masked(text: string, secrets: readonly string[]): string {
  const isSecret = finderOf(secrets);
  const isCut = (word: string) => {
    const end = word.split(/[^\w-]+/).at(-1) ?? '';
    const isNetwork = NETWORKS.some(({ name }) => name === end);
    return end.length > 5 && !isNetwork && secrets.some((one) => one.startsWith(end));
  };
  return text.replace(/[^\s"'<>]{6,}/g, (word) => (isSecret(word) || isCut(word) ? '…' : word));
}

/** The name that stands before a secret as it is, such as `, behind token=`. */
export function nameOf(text: string, secrets: readonly string[]): string {
  const secret = secrets.find((one) => text.includes(one)) ?? '';
  const before = text.slice(0, secret === '' ? 0 : text.indexOf(secret));
  const [, name] = /([\w.-]{1,40})["']?\s{0,3}[=:]\s{0,3}["']?(?:Bearer )?$/.exec(before.slice(-60)) ?? [];
  return name === undefined || secrets.some((one) => one.includes(name)) ? '' : `, behind "${name}"`;
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
export const unescapedOf = (text: string): string =>
  text.replace(
    /%([0-7][0-9a-f])|\\u00([0-7][0-9a-f])|&#x([0-7]?[0-9a-f]);|&#(\d{1,3});/gi,
    (_, percent?: string, json?: string, hex?: string, decimal?: string) =>
      String.fromCharCode(
        decimal === undefined ? Number.parseInt(percent ?? json ?? hex ?? '', 16) : Number(decimal),
      ),
  );

export const decoded = (line: string): readonly string[] =>
  line
    .replace(/%2b/gi, '+')
    .replace(/%2f/gi, '/')
    .split(/[^\w+/-]+/)
    .filter((part) => part.length > 20)
    .flatMap((part) => [
      Buffer.from(part, 'base64').toString('latin1'),
      ...(/^(?:[\da-f]{2})+$/i.test(part) ? [Buffer.from(part, 'hex').toString('latin1')] : []),
    ]);
