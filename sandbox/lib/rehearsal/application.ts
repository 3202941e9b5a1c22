import { setTimeout as wait } from 'node:timers/promises';
import { isLoopback } from '../core/redirect-uri.js';
import { NETWORKS, networkAt, type SandboxNetwork } from '../networks.js';
import { CONTROL_HEADER, CONTROL_PATH } from '../pages/page.js';
import type { SandboxFault } from '../traffic/faults.js';
import type { SandboxRequest } from '../traffic/request-log.js';
import {
  Browser,
  type BrowserCookie,
  isWeb,
  type Navigation,
  navigate,
  type Visited,
  wordsIn,
} from './browser.js';
import { elementsIn, parsed, TOKEN_FIELD, type Way, waysIn } from './html.js';
import { decide, isAuthorization } from './login.js';
import { personOf } from './people.js';

/** A response of the application, with its text. */
export interface Page {
  readonly url: string;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

export type Person = 'first' | 'second';

/** A login that came back from the network. */
export interface Finished {
  readonly browser: Browser;
  /** The redirect URI with the authorization response. */
  readonly callback: string;
  /** The `Cookie` header that went there. */
  readonly sent: string;
  /** The response to it. */
  readonly answer: Page;
  /** The page to which it leads. */
  readonly page: Page;
  /** The cookies before that page was opened. */
  readonly kept: readonly BrowserCookie[];
}

/** The words by which a page tells who is signed in. */
type Marks = Readonly<Record<Person | 'somebody', ReadonlySet<string>>>;

/** Where a login of the link's network starts. */
export interface Beside {
  /** URL to which the form of a link posts. */
  readonly link: string;
  readonly start: string;
  /** The network's name there, and that of the rehearsed login. */
  readonly names: readonly [string, string];
  readonly network: SandboxNetwork | undefined;
  /** Whether an application asks for a login before a link, though both are of one network. */
  readonly asks?: boolean;
}

/** How a login's start is opened: elsewhere, with other headers, or to another end. */
interface Opening {
  readonly url?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly isEnd?: (url: string) => boolean;
}

/** Characters. */
const SHORTEST_TOKEN = 16;
/** Pages behind links that are opened. */
const MOST_LINKS = 20;
/** Visits after which a page has shown whatever changes. */
export const VISITS = 3;
/** Characters. No page may take a quadratic time. */
const LONGEST_PLACE = 200;
const MOST_PLACES = 20;
/** What stands before an ID, such as a part of a path. */
const BEFORE_ID = /(?:<[^<>]*>|[\w-]+=["']?|[^\s"'<>]{1,40}[^\s"'<>\w-])$/;
/** Requests that a browser sends at one moment. */
const FEW = 4;

/** Does something with each of several things, a few at a time. */
export async function atOnce<T, R>(
  items: Iterable<T>,
  act: (item: T) => Promise<R>,
  most = FEW,
): Promise<readonly R[]> {
  const [all, results]: [T[], R[]] = [[...items], []];
  while (results.length < all.length)
    results.push(...(await Promise.all(all.slice(results.length, results.length + most).map(act))));
  return results;
}

/** The application under rehearsal, and the sandbox that its users are sent to. */
export class TestedApplication {
  network: SandboxNetwork | undefined;
  /** Such as `OAuth 2.0`. */
  protocol = '';
  /** Every response of the application; of one that leads to the sandbox, all but where. */
  readonly seen: Page[] = [];
  /** A redirect URI with an authorization response. */
  callback = '';
  /** Two logins of each of the two people. */
  logins: readonly Finished[] = [];
  /** The responses that began a login. */
  readonly started: Page[] = [];
  /** The cookies of every browser that came back from the network. */
  readonly jars: (readonly BrowserCookie[])[] = [];
  /** The values of all cookies that browsers have had. */
  readonly spent = new Set<string>();
  /** A login that began with the rehearsal, and is left waiting for the user. */
  waiting: { readonly browser: Browser; readonly authorization: string } | undefined;
  /** A login whose network is silent. */
  hanging: Promise<Finished> | undefined;
  /** Aborted when that has taken too long, or the rehearsal is over. */
  readonly over = new AbortController();
  /** Whether the account of a user can be deleted, as far as it was tried. */
  deletes = true;
  /** Whether browsers of several people are one session, so that no page tells who is signed in. */
  isMixed = false;
  /** The page with the form that starts a login. */
  formPage: Page | undefined;
  /** The paths of forms behind which a page asks again. */
  readonly asking = new Set<string>();
  /** Names of fields that have a token. */
  private readonly tokens = new Set<string>();
  /** The pages that each browser has reached since it last sent a form or finished a login. */
  private readonly reached = new WeakMap<Browser, ReadonlyMap<string, Page>>();
  /** The pages that lead to the URLs of the options. */
  private readonly places = new Map<string, string>();
  /** The page that tells who is signed in. */
  page: string;
  /** The paths that a script of a page asks by `fetch`, without a form: where logins and links begin. */
  readonly fetched = new Set<string>();
  /** How long a request may take, in milliseconds. */
  limit = 20_000;
  /** The last request, with its browser. */
  asked: { readonly url: string; readonly browser: Browser } | undefined;
  /** How many requests were sent. */
  count = 0;
  /** The first request that a limit refused, how many requests and logins went before, and when it may come again, as the response says. */
  refused: ReturnType<typeof refusalOf> | undefined;
  /** The end of the present check, in milliseconds since 1970. */
  private end = Number.POSITIVE_INFINITY;
  /** Whether somebody's sign-out ended the session of {@link witness}. */
  hasEnded = false;
  /** Whether cookies outlive the sign-out. */
  livesOn = false;
  /** The cookies of a session that has ended by a sign-out. */
  ended: readonly BrowserCookie[] = [];
  /** Milliseconds after which a page knows who logged in. */
  pause = 0;
  /** URL of the sign-out, if it is named. */
  signOut: string | undefined;
  /** Where a login that succeeds ends. */
  private success = '';
  /** What stands on a page before the ID of one of a user's sessions, and what follows. */
  private readonly sessionIDs: [before: string, id: RegExp][] = [];
  /** The words that a person sees. */
  private readonly visible = new Set<string>();
  /** Words of some sessions alone. */
  private readonly passed = new Set<string>();
  /** Known once a check has looked for it. */
  link: Beside | undefined;
  private sandbox = '';
  /** The endpoints at which it gets its token, and the last answer of a login. */
  private endpoints = { token: 'token', last: 'token' };
  private marks: Marks = { first: new Set(), second: new Set(), somebody: new Set() };

  /**
   * @param start - Where a login starts.
   * @param hasSession - Whether it keeps users signed in.
   * @param deadline - The end of the rehearsal, in milliseconds since 1970.
   * @param ca - Certificates to trust, too, in PEM.
   */
  constructor(
    public start: string,
    readonly people: readonly [string, string],
    private readonly hasSession: boolean,
    private readonly deadline: number,
    readonly ca?: string,
    /** Page whose form starts the login; missing if a link does. */
    private readonly form?: string,
  ) {
    this.page = new URL('/', start).href;
  }

  /** A browser whose requests are counted, and whose responses are kept. */
  browser(cookies: readonly BrowserCookie[] = []): Browser {
    const isScript = (pathname: string, { body, from = 'none' }: Navigation) =>
      this.fetched.has(pathname) && body === undefined && !/^(?:cross|same)-site$/.test(from);
    const browser = new Browser({ cookies, timeout: () => this.timeout(), isScript, ca: this.ca });
    const visit = browser.visit.bind(browser);
    browser.visit = async (url, navigation) => {
      this.asked = { url, browser };
      this.count += 1;
      if (navigation?.method === 'POST') this.reached.delete(browser);
      const visited = await visit(url, navigation).catch((error: unknown) => {
        this.asked = { url, browser };
        throw error;
      });
      if (visited.response.status === 429 && !(await this.isOpen(url)))
        this.refused ??= refusalOf(this, visited);
      for (const { value } of browser.cookies()) this.spent.add(value);
      const page = await pageOf({ ...visited, response: visited.response.clone() });
      const isStart = visited.location !== undefined && this.isSandbox(visited.location);
      if (isStart) page.headers.delete('location');
      this.seen.push(isStart ? { ...page, text: '' } : page);
      return visited;
    };
    return browser;
  }

  /** Whether another browser may begin a login at a URL. */
  private async isOpen(url: string): Promise<boolean> {
    const { location = '' } = this.isStart(url) ? await new Browser({ ca: this.ca }).visit(url) : {};
    return location !== '' && this.isSandbox(location);
  }

  /** Lets the next check have so many milliseconds, also after the end of the rehearsal. */
  giveTime(milliseconds: number): void {
    this.end = Math.max(this.deadline, Date.now() + milliseconds);
  }

  isLate(): boolean {
    return Date.now() >= this.end;
  }

  /** Timers may fire early, and a request that the deadline ends should be late. */
  timeout(limit = this.limit): number {
    return Math.max(0, Math.min(limit, this.end + 5 - Date.now()));
  }

  /** Opens the URL that starts a login, by its form if it has one. */
  async open(
    browser: Browser,
    { url = this.start, headers, isEnd = isAuthorization }: Opening = {},
  ): Promise<Visited> {
    if (this.form === undefined) return browser.open(url, { headers }, isEnd);
    const page = await pageOf(await browser.open(new URL(this.form, this.start).href));
    this.formPage = page;
    const own = waysIn(page).find(({ isForm, to }) => isForm && this.isStart(to.href));
    if (!own) throw new Error(`${pathOf(page)} has no form that posts to ${new URL(this.start).pathname}`);
    return browser.open(url, { method: 'POST', body: own.body, from: 'same-origin', headers }, isEnd);
  }

  private isStart(url: string): boolean {
    return new URL(url).pathname === new URL(this.start).pathname;
  }

  /** Starts a login. @returns The authorization URL. @throws Error */
  async begin(browser = this.browser()): Promise<string> {
    const { url, response, location } = await this.open(browser);
    const page = await pageOf({ url, response });
    this.started.push(page);
    if (location === undefined)
      throw new Error(
        `${pathOf(page)} answered ${this.fetched.size > 0 ? 'a fetch ' : ''}with ${described(page)}, and starts no login`,
      );
    this.network ??= networkAt(new URL(location).pathname);
    this.protocol ||= protocolOf(new URL(location), this.network);
    this.sandbox ||= new URL(location).origin;
    return location;
  }

  /** Consents at the sandbox. @returns The redirect URI with the authorization response, VK ID's as flat parameters. @throws Error */
  async allow(authorization: string, who: string = 'first'): Promise<string> {
    const person = { first: this.people[0], second: this.people[1] }[who] ?? who;
    const callback = new URL(await decide(authorization, { person }, this.ca));
    const payload = callback.searchParams.get('payload');
    if (payload !== null)
      callback.search = String(new URLSearchParams(JSON.parse(payload) as Record<string, string>));
    return callback.href;
  }

  /** Says no at the sandbox. @returns As {@link allow}. @throws Error */
  async deny(authorization: string): Promise<string> {
    return decide(authorization, 'deny', this.ca);
  }

  /** Comes back from the network, which is another site. @param isOpened - `false` leaves the page unopened to which the login leads, if it is the one that tells who is signed in. */
  async finish(browser: Browser, callback: string, signal?: AbortSignal, isOpened = true): Promise<Finished> {
    this.reached.delete(browser);
    const navigation: Navigation = { from: 'cross-site', ...(signal && { signal }) };
    const sent = browser.cookieHeader(callback, 'cross-site');
    const answered = await browser.visit(callback, navigation);
    const answer = await pageOf(answered);
    const kept = browser.cookies();
    const { location } = answered;
    const isEnd = (!isOpened && location === this.page) || !isWeb(location) || isAuthorization(location);
    const next: Navigation = { ...navigation, from: 'same-origin' };
    const page = isEnd ? answer : await pageOf(await browser.open(location, next, isAuthorization));
    this.jars.push(browser.cookies());
    if (this.pause > 0) await wait(this.pause);
    return { browser, callback, sent, answer, page, kept };
  }

  /** A whole login. @param who - `first`, `second`, or the ID of a person. */
  async logIn(who?: string, browser = this.browser()): Promise<Finished> {
    return this.finish(browser, await this.allow(await this.begin(browser), who));
  }

  /** A login after which the page that tells who is signed in is still to be opened. */
  async signIn(who?: string): Promise<Omit<Finished, 'page'>> {
    const browser = this.browser();
    return this.finish(browser, await this.allow(await this.begin(browser), who), undefined, false);
  }

  /**
   * Finishes people's logins together: the sandbox holds its last responses until all of them can go.
   *
   * @param milliseconds - How long it holds them at most.
   */
  async logInTogether(people: readonly string[], milliseconds: number): Promise<readonly Finished[]> {
    const begun: [Browser, callback: string][] = [];
    for (const who of people) {
      const browser = this.browser();
      begun.push([browser, await this.allow(await this.begin(browser), who)]);
    }
    const fault = { kind: 'gather', requests: people.length, milliseconds } as const;
    const finish = () => Promise.all(begun.map(([browser, callback]) => this.finish(browser, callback)));
    return this.during(fault, finish, { endpoint: this.endpoints.last });
  }

  /** Does something with logins that start elsewhere. */
  async startingAt<T>(start: string, act: () => Promise<T>): Promise<T> {
    const own = this.start;
    if (this.fetched.size > 0) this.fetched.add(new URL(start).pathname);
    this.start = start;
    return act().finally(() => {
      this.start = own;
    });
  }

  /** Does something while requests of the application meet a fault. @param at - Default: where the rehearsed login gets its token. */
  async during<T>(
    fault: SandboxFault,
    act: () => Promise<T>,
    { network = this.network, endpoint = this.endpoints.token } = {},
  ): Promise<T> {
    const rule = { network, endpoint, fault };
    const { id } = await this.control<{ id: string }>('POST', '/fault', rule);
    try {
      return await act();
    } finally {
      await this.control('DELETE', `/fault/${id}`);
    }
  }

  /**
   * Learns from two logins of each person by which words a page tells them apart. What changes from login to login tells nothing.
   *
   * @param page - Default: where the logins ended, or `/` if that is the callback itself.
   */
  async learn(logins: readonly Finished[], page?: string): Promise<void> {
    this.logins = logins;
    const { answer, page: end } = logins[0] as Finished;
    this.success = end.url;
    // Each user may have pages of their own.
    const isOwn = logins[2] !== undefined && pathOf(logins[2].page) !== pathOf(end);
    this.page = new URL(page ?? (end === answer || isOwn ? '/' : end.url), this.start).href;
    const words: ReadonlySet<string>[] = [];
    // A page may show something else with each visit.
    for (const { browser } of logins) {
      const [page, again] = [await this.look(browser), wordsOf(await this.look(browser))];
      words.push(new Set([...wordsOf(page)].filter((word) => again.has(word))));
      for (const word of wordsOf({ text: plain(page.text) })) this.visible.add(word);
    }
    // The networks of the logins that an account has say nothing of whose it is.
    const brands = NETWORKS.map(({ name, appearance }) => `${name} ${appearance.brand}`).join(' ');
    const visited = (await this.looks(this.browser())).map(({ text }) => text);
    const anonymous = wordsOf({ text: [brands, ...visited].join(' ') });
    const none: ReadonlySet<string> = new Set();
    const both = (one = none, other = none) =>
      new Set([...one].filter((word) => other.has(word) && !anonymous.has(word)));
    const [first, second] = [both(words[0], words[1]), both(words[2], words[3])];
    const without = (one: ReadonlySet<string>, other: ReadonlySet<string>) =>
      new Set([...one].filter((word) => !other.has(word)));
    const somebody = both(first, second);
    // What a page says in some sessions alone, such as one of two headings, may have told them apart by chance.
    const telling = (all: ReadonlySet<string>, id: string) => {
      const record = Object.values(personOf(id) ?? {}).join(' ');
      const isOwn = (word: string) =>
        /\d/.test(word) || record.includes(word.replace(/^@/, '')) || word.includes(id);
      const own = [...all].filter(isOwn);
      return own.length > 0 ? new Set(own) : all;
    };
    const [one, other] = this.people;
    const [own, theirs] = [without(first, second), without(second, first)];
    this.marks = { first: telling(own, one), second: telling(theirs, other), somebody };
    const asked = (await this.requestsAfterConsent()).map(({ endpoint }) => endpoint);
    this.endpoints = { token: asked[0] ?? 'token', last: asked.at(-1) ?? 'token' };
  }

  /** Learns the same again: whoever was deleted has another ID. */
  async learnAgain(): Promise<void> {
    const { logins, marks, success } = this;
    const again: Finished[] = [];
    for (const who of ['first', 'first', 'second', 'second'] as const) again.push(await this.logIn(who));
    await this.learn(again, this.page);
    this.logins = logins;
    this.success = success;
    if (!this.tellsApart()) this.marks = marks;
  }

  /** Forgets the words that the page shows a third person, too: they tell how many logins an account has, not whose it is. */
  async forget({ browser }: Pick<Finished, 'browser'>): Promise<void> {
    const theirs = wordsOf(await this.look(browser));
    const { first, second, somebody } = this.marks;
    const without = (marks: ReadonlySet<string>) => new Set([...marks].filter((word) => !theirs.has(word)));
    this.marks = { first: without(first), second: without(second), somebody };
  }

  /** Whether something still listens. */
  async answers(): Promise<boolean> {
    const visit = this.browser().visit(this.page);
    return Object(await visit.catch((error: unknown) => error)).code !== 'ECONNREFUSED';
  }

  /** A login from the beginning, of the person of whom other logins may end, if the page tells them apart. */
  witness(): Finished | undefined {
    return this.logins[this.tellsApart() ? 2 : 0];
  }

  /** Whether the page tells who is signed in. */
  tells(): boolean {
    const { first, somebody } = this.marks;
    return this.hasSession && !this.isMixed && first.size + somebody.size > 0;
  }

  /** Whether it also tells the two people apart. */
  tellsApart(): boolean {
    const { first, second } = this.marks;
    return this.tells() && first.size > 0 && second.size > 0;
  }

  /** What looks like an ID on the pages of one person alone, and is not in that person's record. @param shortest - Characters. */
  ownIDs(record = '', shortest = 4, who: Person = 'first'): readonly string[] {
    // A page may show the end of an ID.
    const isID = (word: string) => /\d/.test(word) && word.length >= shortest && !record.includes(word);
    return [...this.marks[who]].filter(isID);
  }

  /** Whether a person sees what looks like the ID of the own account. What only the URL of a picture has tells nothing. */
  showsID(who: Person, shortest = 4): boolean {
    const record = JSON.stringify(personOf(this.people[who === 'first' ? 0 : 1]));
    return this.ownIDs(record, shortest, who).some((id) => this.visible.has(id));
  }

  /** Whether a form or link signs out, as its URL says, or as it is named. */
  signsOut({ to }: Pick<Way, 'to'>): boolean {
    const named = this.signOut === undefined ? undefined : new URL(this.signOut, this.page);
    return named ? to.pathname === named.pathname : /(?:log|sign)[-_]?out/i.test(to.pathname);
  }

  /** Whether it also shows what nobody of the same name has: a word of the first person that a text has not. */
  tellsMore(text: string): boolean {
    const known = wordsOf({ text });
    return this.tells() && [...this.marks.first].some((word) => !known.has(word.replace(/^@/, '')));
  }

  /** The words that the page shows of an account, in whichever session: those of two visits, without tokens against forged forms and times. @param visited - Those of the first visit, if it was made. */
  async shown(browser: Browser, visited?: ReadonlySet<string>): Promise<ReadonlySet<string>> {
    const words = visited ?? this.lasting(await this.look(browser));
    const again = this.lasting(await this.look(browser));
    return new Set([...words].filter((word) => again.has(word)));
  }

  /** What a person sees on the page that has digits: an ID of the account may be as short as 7. */
  async numbersOn(browser: Browser): Promise<ReadonlySet<string>> {
    const looks = await this.looks(browser);
    const [one, ...others] = looks.map(({ text }) => this.lasting({ text: plain(text) }));
    const isLasting = (word: string) => /\d/.test(word) && others.every((words) => words.has(word));
    return new Set([...(one ?? [])].filter(isLasting));
  }

  /** Passes over what tells two sessions of a user apart: words, and IDs with what else stands at their place. @param words - What is on one page alone. */
  passOver([text = '', otherText = '']: readonly string[], words: readonly (readonly string[])[]): void {
    const records = this.people.flatMap((id) => Object.values(personOf(id) ?? {})).join(' ');
    for (const word of words.flat()) if (!/\d/.test(word) && !records.includes(word)) this.passed.add(word);
    const [one, other = ''] = words.map((own) => own.find((word) => /\d/.test(word)));
    if (one === undefined) return;
    const befores = new Set(text.split(one).map((part) => BEFORE_ID.exec(part.slice(-LONGEST_PLACE))?.[0]));
    const before = [...befores]
      .slice(0, MOST_PLACES)
      .find((place) => place !== undefined && otherText.includes(place + other));
    const id = /^\d+$/.test(one) ? /^\d+/ : new RegExp(`^[\\w-]{${one.length}}(?![\\w-])`);
    if (before !== undefined) this.sessionIDs.push([before, id]);
  }

  /** A page's words that go for the account: without tokens against forged forms, times and the IDs of sessions. */
  lasting({ text }: Pick<Page, 'text'>): ReadonlySet<string> {
    let own = text;
    for (const [before, id] of this.sessionIDs) {
      const [first = '', ...parts] = own.split(before);
      own = [first, ...parts.map((part) => part.replace(id, ''))].join(before);
    }
    return new Set([...lastingWords({ text: own })].filter((word) => !this.passed.has(word)));
  }

  /** Whether a login goes on there. */
  isSandbox(url: string): boolean {
    return isAuthorization(url) && (this.sandbox === '' || new URL(url).origin === this.sandbox);
  }

  /** Who is signed in, as the page tells. */
  async who(browser: Browser): Promise<Person | 'somebody' | 'nobody'> {
    return this.whoIsOn(await this.look(browser));
  }

  whoIsOn(page: Page): Person | 'somebody' | 'nobody' {
    const words = wordsOf(page);
    const { first, second, somebody } = this.marks;
    const has = (marks: ReadonlySet<string>) => {
      // A short number counts something else as well, or is the size of a picture.
      const long = [...marks].filter((mark) => !/^\d{1,4}$/.test(mark));
      return (long.length > 0 ? long : [...marks]).some((mark) => words.has(mark));
    };
    if (has(first)) return 'first';
    if (has(second)) return 'second';
    // A page for everybody may have some of the words that all users see.
    const seen = [...somebody].filter((word) => words.has(word)).length;
    return seen > 0 && seen >= somebody.size / 2 ? 'somebody' : 'nobody';
  }

  /** Whether a login succeeded. Without a session, a response without an error did. */
  async isLoggedIn({ browser, page }: Finished): Promise<boolean> {
    if (this.tells()) return (await this.who(browser)) !== 'nobody';
    const isEnd = pathOf(page) === pathOf({ url: this.success });
    return !this.hasSession && isEnd && (page.status < 300 || isHandedOver(page)) && this.hasToken();
  }

  /** A page of the application, as {@link VISITS} visits see it. */
  async looks(browser: Browser, url = this.page): Promise<readonly Page[]> {
    const pages: Page[] = [];
    for (let visit = 0; visit < VISITS; visit += 1) pages.push(await this.look(browser, url));
    return pages;
  }

  /** A page of the application. @param url - Default: the page that tells who is signed in. */
  async look(browser: Browser, url = this.page): Promise<Page> {
    return pageOf(await browser.open(url, {}, isAuthorization));
  }

  /** The page that tells who is signed in, and that to which logins lead. */
  ends(): readonly string[] {
    const isCallback = this.success === this.callback || this.success === '';
    return [...new Set([this.page, isCallback ? this.page : this.success])];
  }

  /** The page with what the user can do: the first that leads to a URL, or has a form if none does. @param target - Default: any form. */
  async lookForForms(browser: Browser, target = ''): Promise<Page> {
    const known = this.places.get(target);
    const at = await this.look(browser, known);
    if (known !== undefined && at.status < 400) return at;
    // A page may have the ID of another user in its URL.
    const page = known === undefined ? at : await this.look(browser);
    const { pathname } = new URL(target, page.url);
    const hasForm = (page: Page) => waysIn(page).some(({ isForm }) => isForm);
    const leads = (page: Page) => waysIn(page).some(({ to }) => to.pathname === pathname);
    const isWanted = target === '' ? hasForm : leads;
    const pages = [page];
    const home = new URL('/', this.start).href;
    const urls = new Set([...this.ends().slice(1), ...linksIn(page), home]);
    for (const url of urls) {
      const last = pages.at(-1) ?? page;
      if (isWanted(last)) break;
      const opened = await pageOf(await browser.open(url, { from: 'same-origin' }, isAuthorization));
      pages.push(opened);
      // Data has no links. A set goes on with what is added to it.
      if (url === home && linksIn(page).length === 0) for (const link of linksIn(opened)) urls.add(link);
    }
    const found = pages.find(isWanted) ?? pages.find(hasForm) ?? page;
    // It stays the same where the user can do something else there later.
    if (target !== '' && (known === undefined || isWanted(found))) this.places.set(target, found.url);
    return found;
  }

  /** The pages that a browser reaches by links, and by what scripts ask for, in two steps at most: some of them. */
  async pagesOf(browser: Browser): Promise<ReadonlyMap<string, Page>> {
    const known = this.reached.get(browser);
    if (known) return known;
    const pages = new Map<string, Page>();
    const urls = new Set(this.ends());
    let level: readonly string[] = this.ends();
    for (let depth = 0; depth < 3; depth += 1) {
      const found: string[] = [];
      // The first page may begin a session, which the others share.
      const opened = await atOnce(level, (url) => this.look(browser, url), depth === 0 ? 1 : FEW);
      for (const [index, page] of opened.entries()) {
        pages.set(level[index] ?? page.url, page);
        if (depth < 2) found.push(...(await this.linksFrom(browser, page)));
      }
      level = [...new Set(found)]
        .filter((url) => !urls.has(url))
        .slice(0, Math.max(0, MOST_LINKS - urls.size));
      for (const url of level) urls.add(url);
    }
    this.reached.set(browser, pages);
    return pages;
  }

  /** Where the links of a page lead, and what its scripts ask for. */
  private async linksFrom(browser: Browser, page: Page): Promise<readonly string[]> {
    if (new URL(page.url).origin !== new URL(this.page).origin) return [];
    const links = [...linksIn(page)];
    const sources = elementsIn(page.text, 'script').flatMap(({ attribs: { src } }) => src ?? []);
    for (const source of sources.slice(0, 3)) {
      const script = parsed(source, page.url);
      if (script?.origin === new URL(page.url).origin)
        links.push(...linksIn({ ...page, text: (await this.look(browser, script.href)).text }));
    }
    return links;
  }

  /** The URLs of the pages that a browser reaches, but for those where logins end. */
  async linksOf(browser: Browser): Promise<readonly string[]> {
    const ends = this.ends();
    return [...(await this.pagesOf(browser)).keys()].filter((url) => !ends.includes(url));
  }

  /** Learns the names of fields that have another value in each session of a user: tokens. @param target - URL to which the page has a form. */
  async learnTokens(target: string, browser: Browser, other: Browser): Promise<void> {
    const again = formsIn(await this.lookForForms(other, target));
    for (const { to, body } of formsIn(await this.lookForForms(browser, target))) {
      const same = new URLSearchParams(again.find((form) => form.to.href === to.href)?.body);
      for (const [name, value] of new URLSearchParams(body))
        if (value.length >= SHORTEST_TOKEN && (same.get(name) ?? value) !== value) this.tokens.add(name);
    }
  }

  isToken(field: string): boolean {
    return TOKEN_FIELD.test(field) || this.tokens.has(field);
  }

  /** A form without its token against forged forms. */
  withoutToken(body: string): string {
    return String(
      new URLSearchParams([...new URLSearchParams(body)].filter(([name]) => !this.isToken(name))),
    );
  }

  async requests(): Promise<readonly SandboxRequest[]> {
    return (await this.control<{ requests: readonly SandboxRequest[] }>('GET', '/requests')).requests;
  }

  /** What the application's server asked the sandbox after the last decision of a user. */
  async requestsAfterConsent(): Promise<readonly SandboxRequest[]> {
    const requests = (await this.requests()).filter(({ network }) => network === this.network);
    return requests.slice(requests.findLastIndex(({ endpoint }) => endpoint === 'authorization') + 1);
  }

  /** Why the network refused the application's last request after the last decision; `undefined` if it did not. */
  async refusal(): Promise<string | undefined> {
    return (await this.requestsAfterConsent()).at(-1)?.refused;
  }

  /** Whether the application got a token after the last decision: the proof of a login, whatever its pages say. */
  async hasToken(): Promise<boolean> {
    return (await this.requestsAfterConsent()).some(({ refused, fault }) => !refused && !fault);
  }

  /** Codes and tokens that the sandbox has given out, and the secrets of its applications. */
  async secrets(): Promise<readonly string[]> {
    return (await this.control<{ credentials: readonly string[] }>('GET', '/credentials')).credentials;
  }

  private async control<T>(method: string, path: string, body?: object): Promise<T> {
    if (!isLoopback(new URL(this.sandbox).hostname))
      throw new Error(`The sandbox at ${this.sandbox} must run on this machine`);
    // The header is the sandbox's alone: no redirect is followed.
    const init = { method, headers: { [CONTROL_HEADER]: '1' }, ...(body && { body: JSON.stringify(body) }) };
    const response = await navigate(`${this.sandbox}${CONTROL_PATH}${path}`, init, this.ca);
    const text = await response.text();
    if (!response.ok)
      throw new Error(`The sandbox at ${this.sandbox} cannot be controlled from here: ${text}`);
    return (text === '' ? undefined : JSON.parse(text)) as T;
  }
}

const OF_A_SESSION =
  /<(?:input\b[^<>]{0,1000}\bhidden|meta|\w+\b[^<>]{0,1000}\bname=["']?[\w-]{0,40}(?:csrf|xsrf|token|nonce))\b[^<>]{0,1000}>|\b(?:\w{0,40}csrf\w{0,40}|\w{0,40}token|nonce)\b["']?\s{0,9}[=:]\s{0,9}["'][^"']*|(?:[?&]|&amp;)[\w-]{1,20}=[\w%-]{16,}|\d{4}-\d\d-\d\dT[\d:.]+|\b\d?\d:\d\d(?::\d\d)?|\b1[6-9]\d{8}(?:\d{3})?\b/gi;

function refusalOf({ count, jars }: TestedApplication, { url, response: { headers } }: Visited) {
  return { url, count: count - 1, logins: jars.length, after: headers.get('retry-after') };
}

/** VK's classic protocol has no PKCE. */
function protocolOf({ searchParams }: URL, network: SandboxNetwork | undefined): string {
  if (searchParams.has('oauth_token')) return 'OAuth 1.0a';
  return network === 'social-network' && searchParams.has('code_challenge') ? 'VK ID' : 'OAuth 2.0';
}

export async function pageOf({ url, response }: Visited): Promise<Page> {
  return { url, status: response.status, headers: response.headers, text: await response.text() };
}

/** The forms of a page that its own site gets. */
export const formsIn = (page: Page) =>
  waysIn(page).filter(({ method, to }) => method === 'POST' && to.origin === new URL(page.url).origin);

/** Without the full stop of its sentence. In linear time, which no expression takes for a page of full stops. */
function withoutStop(word: string): string {
  let { length } = word;
  while (word[length - 1] === '.') length -= 1;
  return word.slice(0, length);
}

/** A text without its markup, as a person sees it. */
export const plain = (text: string): string => text.replace(/<[^<>]*>/g, ' ');

/** A page's words, markup included: it may hold the user's ID. */
export const wordsOf = ({ text }: Pick<Page, 'text'>): ReadonlySet<string> => {
  const words = text.split(/[^\p{L}\p{N}@._-]+/u).map(withoutStop);
  return new Set(words.filter((word) => word.length > 1 || /\d/.test(word)));
};

/** Without tokens against forged forms and times. */
export const lastingWords = ({ text }: Pick<Page, 'text'>): ReadonlySet<string> =>
  wordsOf({ text: text.replace(OF_A_SESSION, '') });

/** Whether a page sends the user to an application's own scheme. */
export function isHandedOver({ url, headers }: Page): boolean {
  const location = headers.get('location');
  return location !== null && !isWeb(new URL(location, url).href);
}

export const pathOf = ({ url }: Pick<Page, 'url'>): string => new URL(url).pathname;

/** Whether opening a URL may neither end nor change something, such as the language of every page, as far as it says so. */
export const isHarmless = ({ pathname, search }: URL): boolean =>
  !/(?:log|sign)[-_]?o(?:ut|ff)|\bout\b|delet|remov|unlink|disconnect|detach|close/i.test(
    pathname + search,
  ) && !/\/(?:set-)?(?:lang|language|locale|theme)(?:\/|$)/i.test(pathname);

/** Parameters that change how every page looks. */
const OF_LOOKS = ['lang', 'language', 'locale', 'hl', 'theme'];

/** Where the links of a page lead on its site, ten at most, but those that may end or change something. */
export function linksIn(page: Page): readonly string[] {
  const { origin } = new URL(page.url);
  const fetched = [...page.text.matchAll(/\bfetch\(\s*["'`]([^"'`\s>]{1,2000})/g)];
  const all = waysIn(page).flatMap(({ isForm, to }) => (isForm ? [] : [to]));
  const links = [...all, ...fetched.map(({ 1: to = '' }) => parsed(to, page.url))];
  // In the language of the page.
  for (const link of links)
    for (const name of OF_LOOKS) if (link?.searchParams.has(name)) link.searchParams.delete(name);
  const own = links.filter((link) => link?.origin === origin && isHarmless(link));
  return [...new Set(own.map(String))].slice(0, 10);
}

/** Status and the first words of a page. */
export function described({ status, text }: Page): string {
  const words = wordsIn(text);
  return `HTTP ${status}${words === '' ? '' : ` "${words}"`}`;
}
