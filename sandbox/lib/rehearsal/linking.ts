import { setTimeout as wait } from 'node:timers/promises';
import {
  atOnce,
  described,
  type Finished,
  formsIn,
  isHarmless,
  lastingWords,
  type Page,
  type Person,
  pageOf,
  pathOf,
  plain,
  type TestedApplication,
  wordsOf,
} from './application.js';
import type { Browser, Navigation } from './browser.js';
import {
  ASKS_FIRST,
  after,
  BY_OWN_ID,
  bare,
  type Check,
  cannotTell,
  difference,
  expectUser,
  type Finding,
  failed,
  formAction,
  isSame,
  nearOf,
  note,
  ROUTE,
  readByOthers,
  skipped,
  strictSession,
  toldAgain,
  unescapedName,
  upset,
  wrong,
} from './findings.js';
import {
  asksBefore,
  besideLink,
  byAnotherSite,
  confirmed,
  erase,
  type Form,
  forgedForm,
  formFor,
  formOfAnother,
  hasToken,
  OWN_TOKEN,
  PASSING,
  post,
  SAME_SITE,
  tokenOf,
} from './forms.js';
import { elementsIn, type Way, waitsForInput, waysIn } from './html.js';
import { isAuthorization } from './login.js';
import {
  idAt,
  LINKED_PEOPLE,
  NAMESAKES,
  personOf,
  SAME_ID,
  showsName,
  signsOf,
  timesNamed,
  withIDsOf,
} from './people.js';
import { writtenBack } from './sessions.js';

/** Milliseconds in which an application has read the headers of some requests. */
const TOGETHER = 60;
const MOST_RACES = 3;
const UNLINK = /unlink|disconnect|detach/i;
/** What the URL of a form beside a login says if it unlinks that login. */
const REMOVES = /unlink|disconnect|detach|remov|delet/i;
const UNLINKS_OTHERS =
  'The form to unlink a login says whose it is: with the ID of another user, that one loses the login.';
const WRONG_LOGIN = wrong(
  'The form beside one login unlinks another one.',
  'Name the login in the form by its provider and ID, not by its place in a list.',
);
const ONE_OF_EACH =
  'an account may have one login of the network that is rehearsed: name the link of another one';
const NAMES_LOGIN =
  'the page names the login by which the user came, not the account: name one that shows the ID of the account, with --page /profile';
/** Whose login the second person links. */
const SPARE = 'hubert';
const BY_STATE =
  'Begin a link with { state: user.id }. In the callback, link to the account of info.state, if it is still signed in, and sign nobody in.';
const OWN_ROW = 'Delete the row of provider, profile.id and the user who is signed in.';
const TELLS_NOTHING = 'Say that the login belongs to another account, and nothing of that account.';
const OWN_LOGINS =
  'Keep one row for each login, with provider and profile.id as its key, or refuse a second login of a network.';
const ONCE =
  'Make provider and profile.id together a unique key, and leave alone what the account has already: INSERT with ON CONFLICT DO NOTHING.';
const ONE_OWNER = 'Answer 409 if provider and profile.id belong to another account, and change nothing.';
const TAKEN = wrong('A link took a login away from an account that has another one, too.', ONE_OWNER);

/** A form or link of the user's page, and how it is sent. */
interface Sent extends Form {
  readonly action: string;
  /** What tells it from others, but for tokens. */
  readonly key: string;
  /** The names of its path, and the names and values of its fields. */
  readonly parts: readonly string[];
  readonly isForm: boolean;
  /** Whether it names the network of the link. */
  readonly isLinked: boolean;
  readonly near: () => readonly string[];
  readonly send: (form?: string, more?: Navigation, href?: string) => Promise<Page>;
}

/** Links and unlinks logins, if the application says where. */
export const linking: Check = async (app, options) => {
  if (options.link === undefined) return skipped('name the URL that starts a link with --link URL');
  if (!app.deletes) return skipped('with --delete it is tried as soon as the deletion passes');
  if (app.people.some((id) => LINKED_PEOPLE.includes(id)))
    return skipped('one of the people who were named plays another part here');
  return app.tellsApart() ? linked(app, options) : cannotTell(options.session);
};

/** Deletes the accounts to which people's logins of the link's network lead. */
type Removal = (people: readonly string[], isWanted?: (who: string) => boolean) => Promise<void>;

/** Links a login to the user's account, then one that belongs to somebody else, then one in a browser that has changed hands, and unlinks. */
const linked: Check = async (app, { link: target = '', delete: deletion, others = [] }) => {
  const beside = await besideLink(app, target);
  const { start, network } = beside;
  if (network === app.network) app.link = { ...beside, asks: await asksBefore(app, target) };
  const remove: Removal = async (people, isWanted) => {
    const one = async (id: string) => {
      const { browser } = await app.signIn(id);
      const isMeant = !isWanted || isWanted(await app.who(browser));
      if (isMeant) await erase(app, browser, deletion ?? '', id);
    };
    if (deletion !== undefined) await app.startingAt(start, () => atOnce(people, one));
  };
  // Nobody can link a login that has an account, such as one of an earlier rehearsal.
  await remove(['ned', SPARE, 'nora', 'max', ...SAME_ID]);
  // The social network lets neither of them in.
  await remove(['dora', 'boris'], (who) => who !== 'nobody');
  if (deletion !== undefined) await app.learnAgain();
  await app.forget(await app.signIn('layla'));
  const user = await app.signIn();
  await app.learnTokens(target, user.browser, (await app.signIn()).browser);
  const links = new Links(app, target, start, user, remove, deletion !== undefined);
  // What it leaves would look like a mistake to a rehearsal of another URL.
  const finding = await steps(links, deletion !== undefined, others.length === 0);
  // To a rehearsal of that network what is left would look like another mistake.
  const left = links.isKept ? ['ned', 'maxine'] : [SPARE, 'max', ...LINKED_PEOPLE];
  await remove(left, (who) => who === 'first' || who === 'second');
  if (finding) return finding;
  if (deletion === undefined && start === app.start)
    return note('who may finish a link was not tried: name --delete, or the link of another network');
  if (!links.hasUnlinked) return note('no form or link of the page unlinks a login');
  return links.livesOn
    ? note(
        'a session that a login began goes on after the login was unlinked: if it was stolen, end the session',
      )
    : undefined;
};

async function steps(links: Links, isUndone: boolean, isOnly: boolean): Promise<Finding | undefined> {
  for (const step of [
    'declined',
    'linked',
    'again',
    ...(isUndone || isOnly ? (['ofOthers'] as const) : []),
    'unlinked',
    'two',
    'refused',
    'finishedByOthers',
    'left',
    'begunByOthers',
    'moved',
    ...(isUndone ? (['contested'] as const) : []),
    'last',
    ...(isUndone ? (['ofNamesakes', 'writtenBack'] as const) : []),
  ] as const) {
    const finding = await links[step]();
    if (finding) return finding;
    await links.stay();
  }
  return undefined;
}

/** The words of a page that neither the user's page nor the page itself shows when it is opened again. A script may show what the URL of its page says. */
async function noticeOf(app: TestedApplication, browser: Browser, page: Page): Promise<ReadonlySet<string>> {
  const lasting = await app.shown(browser);
  const wordsIn = ({ text }: Page) => lastingWords({ text: plain(text) });
  const { origin, pathname } = new URL(page.url);
  const [words, again] = [wordsIn(page), wordsIn(await app.look(browser, origin + pathname))];
  // A page that says the same whenever it is opened is one for what happened.
  const isAlways = isSame(words, again) && elementsIn(page.text, 'script').length === 0;
  return new Set([...words].filter((word) => !lasting.has(word) && (isAlways || !again.has(word))));
}

/** A user's links, each step after those before. */
class Links {
  readonly browser: Browser;
  /** Where the application gets a token. */
  private at: Partial<ReturnType<typeof tokenOf>> = {};
  /** Whether a form or link unlinked a login. */
  hasUnlinked = false;
  /** Whether the account has the login that it had first, and no other. */
  isKept = false;
  /** Whether a session that a login began goes on after it was unlinked. */
  livesOn = false;
  /** What a page says after a link. */
  private told: ReadonlySet<string> = new Set();
  private toldNo: ReadonlySet<string> = new Set();
  /** The numbers of the page before there was a link. */
  private early: ReadonlySet<string> = new Set();
  /** The forms of the page before there was a link. */
  private first: readonly Sent[] = [];
  /** Those that came with it, or the one of them that unlinked it. */
  private added: readonly Sent[] = [];

  /** @param start - Where a login of the network starts. */
  constructor(
    private readonly app: TestedApplication,
    private readonly target: string,
    private readonly start: string,
    private readonly user: Pick<Finished, 'browser'>,
    private readonly remove: Removal,
    private readonly isUndone: boolean,
  ) {
    this.browser = user.browser;
  }

  /** Logs in again where an unlink has ended every session. */
  async stay(): Promise<void> {
    const { app, browser } = this;
    if ((await app.who(browser)) === 'nobody') await app.logIn('first', browser);
  }

  private logIn(id: string): Promise<Finished> {
    return this.app.startingAt(this.start, () => this.app.logIn(id));
  }

  private signIn(id: string): Promise<Pick<Finished, 'browser' | 'answer'>> {
    return this.app.startingAt(this.start, () => this.app.signIn(id));
  }

  private async whoIs(id: string): Promise<Person | 'somebody' | 'nobody'> {
    return this.app.who((await this.signIn(id)).browser);
  }

  /** Begins a link, and allows it. @throws Error if no link begins. */
  private async begin(who: string, browser = this.browser): Promise<string> {
    const { app, target } = this;
    const { location, ...visited } = await post(app, browser, target);
    const isLate =
      visited.response.status === 403 && (await post(app, (await app.signIn()).browser, target)).location;
    if (isLate)
      throw new Error(`POST ${target} begins a link right after a login, and not some seconds later`);
    if (location === undefined) {
      const page = await pageOf(visited);
      // Every page may lead to what a new user has to fill in.
      const isFirst = waitsForInput(page.text) && (await app.look(browser)).url === page.url;
      throw new Error(isFirst ? ASKS_FIRST : `POST ${target} leads to ${described(page)}, to no network`);
    }
    this.at = tokenOf(location);
    return app.allow(location, who);
  }

  /** Comes back from the network with somebody's login, if the page still offers to link one. */
  private async come(id: string, browser = this.browser): Promise<Finished | undefined> {
    const { app, target } = this;
    const { location } = await post(app, browser, target);
    return location === undefined ? undefined : app.finish(browser, await app.allow(location, id));
  }

  /** Links somebody's login, if the page still offers to. */
  private async link(id: string): Promise<Finished | undefined> {
    const login = await this.come(id);
    return login && this.sure(login);
  }

  /** Is sure where a page asks whether to link. */
  private async sure(login: Finished): Promise<Finished> {
    const { app, browser } = this;
    const { url, text, ...page } = login.page;
    const visited = { url, response: new Response(text, page) };
    const usual = [app.formPage?.url ?? app.page];
    return {
      ...login,
      page: await pageOf(await confirmed(app, browser, login.callback, {}, { usual, visited })),
    };
  }

  /** What the page can send. */
  private async ways(browser = this.browser): Promise<readonly Sent[]> {
    const { app, target } = this;
    const [name = ''] = app.link?.names ?? [];
    const page = await app.lookForForms(browser, target);
    const { origin } = new URL(page.url);
    const own = waysIn(page).filter(({ to }) => to.origin === origin);
    return own.map(({ isForm, to, body, near }) => {
      const path = to.pathname + to.search;
      const bare = app.withoutToken(body);
      const parts = [...to.pathname.split('/'), ...to.searchParams, ...new URLSearchParams(bare)].flat();
      const key = `${path} ${bare}`;
      const send = async (form = body, more: Navigation = { from: 'same-origin' }, href = to.href) => {
        const sending = { ...(isForm && { method: 'POST', body: form }), ...more };
        const visited = await confirmed(app, browser, href, sending, { usual: [page.url] });
        if (visited.location === undefined) return pageOf(visited);
        // An application may ask for another login before, after which the form has another token.
        await app.finish(browser, await app.allow(visited.location));
        const own = (await this.ways(browser)).find((one) => one.key === key);
        const again = { ...sending, ...(isForm && { body: own?.body }) };
        return pageOf(await confirmed(app, browser, href, again, { usual: [page.url] }));
      };
      const isLinked = parts.slice(2).some((part) => part.split(/[^\w-]+/).includes(name));
      return { action: path, key, parts, isForm, isLinked, to: to.href, body, near, send };
    });
  }

  /** The forms and links that unlink a login: by their URL, or because they came with a link. */
  private async unlinks(browser = this.browser): Promise<readonly Sent[]> {
    // What may tell one login from another of the same kind.
    const isOfLogin = (part = '') =>
      /\d/.test(part) || part.length >= 16 || this.app.link?.names.includes(part);
    const isLike = (one: Sent, { parts }: Sent) =>
      one.parts.length === parts.length &&
      one.parts.every((part, index) => part === parts[index] || [part, parts[index]].every(isOfLogin));
    return (await this.ways(browser)).filter(
      (way) => UNLINK.test(way.action) || (way.isForm && this.added.some((one) => isLike(one, way))),
    );
  }

  async declined(): Promise<Finding | undefined> {
    const { app, browser, target } = this;
    this.first = await this.ways();
    this.early = await app.numbersOn(browser);
    const { location } = await post(app, browser, target);
    const blocked = location === undefined ? undefined : formAction(app, location);
    if (blocked || location === undefined) return blocked;
    const usual = await app.looks(browser);
    const declined = (await app.finish(browser, await app.deny(location))).page;
    this.toldNo = await noticeOf(app, browser, declined);
    const later = await app.look(browser);
    const left = toldAgain(declined, [later, ...(await app.looks(browser))], usual);
    if (left)
      await app.finish(browser, await app.deny((await post(app, browser, target)).location ?? location));
    // A list of what a user did grows.
    const stays = left && (await app.look(browser)).text.length <= later.text.length ? left : undefined;
    const problem = after(
      'A user began a link, and declined it.',
      (await expectUser(app, { browser })) ?? stays,
    );
    const callback = problem ? undefined : await this.begin('ned');
    if (callback === undefined) return problem;
    const finish = () => app.finish(browser, callback);
    const { page } = await app.during({ kind: 'malformed' }, finish, this.at);
    const isOut = bare(page) ?? (await expectUser(app, { browser }));
    return after('A user began a link, and the network had an error.', isOut) ?? (await this.forgotten());
  }

  /** Declines a link and signs out. The next user of the browser logs in. */
  private async forgotten(): Promise<Finding | undefined> {
    const { app, target } = this;
    const { browser } = await app.signIn();
    const { location } = await post(app, browser, target);
    if (location === undefined) return undefined;
    await app.finish(browser, await app.deny(location));
    await (await this.ways(browser)).find(({ to }) => app.signsOut({ to: new URL(to) }))?.send();
    if ((await app.who(browser)) !== 'nobody') return undefined;
    await app.startingAt(this.start, () => app.logIn('max', browser));
    const isLinked = (await this.whoIs('max')) === 'first';
    await this.remove(['max']);
    if (!isLinked) return undefined;
    return wrong(
      'A user declined a link and signed out, and the login of the next user of the browser was linked to that account.',
      BY_STATE,
    );
  }

  async linked(): Promise<Finding | undefined> {
    const { app, browser, user } = this;
    const before = await app.shown(browser);
    const { text } = await app.look(browser);
    const { page } = await this.sure(await app.finish(browser, await this.begin('ned')));
    this.told = await noticeOf(app, browser, page);
    if (this.told.size > 1 && isSame(this.told, this.toldNo))
      return wrong(
        `A link that is declined ends with the words of one that succeeds: ${[...this.told].slice(0, 12).join(' ')}.`,
        'Say what happened: without a user, nothing was linked.',
      );
    if ((await app.who(browser)) !== 'first')
      return wrong(
        `The link ends with ${described(page)}, and the user is not signed in any more.`,
        BY_STATE,
      );
    const ways = await this.ways();
    // A form whose fields always have other values has as many as before.
    const count = (all: readonly Sent[], { parts, to }: Sent) =>
      all.filter((one) => one.to === to && one.parts.length === parts.length).length;
    this.added = this.addedTo(ways).filter((way) => way.isForm && count(ways, way) > count(this.first, way));
    const linked = await app.look(browser);
    const [own] = app.people;
    const kept = app.people[0] === NAMESAKES[0] ? await this.keptForNamesake() : undefined;
    if (kept) return kept;
    const isRenamed = timesNamed(linked.text, own, 'ned') < timesNamed(text, own, 'ned');
    if (isRenamed && showsName(wordsOf(linked), 'ned', own))
      return wrong(
        'The link gives the account the name of the login that was linked.',
        'Keep what the account has: a link adds a row for the login, and changes no other.',
      );
    const theirs = (await this.signIn('ned')).browser;
    if ((await app.who(theirs)) !== 'first') {
      const { text } = await app.lookForForms(theirs, this.target);
      if (signsOf(own, true).some((sign) => text.includes(sign))) return skipped(NAMES_LOGIN);
      if (page.status === 409 && this.at.network === app.network) return skipped(ONE_OF_EACH);
      const isShown = !isSame(before, await app.shown(browser));
      const seen = isShown ? 'The page shows the link' : `The link ended with ${described(page)}`;
      const remedy = isShown
        ? 'Let every login look for its account where links are saved, by provider and profile.id, before it makes a new one.'
        : `If ned has an account since an earlier rehearsal: ${this.isUndone ? "let a deletion remove the account's logins, too (in SQLite PRAGMA foreign_keys = ON, of each connection)" : 'start the application anew, or name --delete'}. ${BY_STATE} Save the link, and wait until it is saved. Let verify add no account for it.`;
      const found = `The login that was linked leads to another account. ${seen}.`;
      return (await strictSession(app, browser)) ?? wrong(found, page.status === 404 ? ROUTE : remedy);
    }
    if ((await difference(app, [user, await app.signIn()])).length < 2) return undefined;
    return wrong(
      'After the link the login from before leads to another account.',
      'Keep one row for each login: provider and profile.id as its key, and the account in a column. Let a login update rows in place: INSERT OR REPLACE deletes a row, and with it, by ON DELETE CASCADE, the other logins.',
    );
  }

  /** That a page shows somebody of the same name what was linked. */
  private async keptForNamesake(): Promise<Finding | undefined> {
    const { app, browser } = this;
    const { browser: other } = await app.signIn(NAMESAKES[1]);
    const home = new URL('/', app.start).href;
    await app.look(browser, home);
    const isNamed = async (by: Browser, url: string) =>
      showsName(wordsOf(await app.look(by, url)), 'ned', app.people[0]);
    for (const url of new Set([home, ...(await app.pagesOf(browser)).keys()])) {
      // A page may name whoever has come.
      if (!(await isNamed(other, url)) || (await isNamed((await app.signIn('second')).browser, url)))
        continue;
      return wrong(
        `${pathOf({ url })} shows a user the login that somebody of the same name has linked.`,
        BY_OWN_ID,
      );
    }
    return undefined;
  }

  /** Links the login once more, if the page still offers to. */
  async again(): Promise<Finding | undefined> {
    const { length } = await this.unlinks();
    const { page } = (await this.link('ned')) ?? {};
    const isTwice = (await this.unlinks()).length > length;
    const problem =
      (page && upset(page)) ??
      (isTwice ? { found: 'The page has it twice.' } : await expectUser(this.app, this));
    return after('A user linked a login that was linked already.', problem, ONCE);
  }

  /** The forms and links that came with a link. */
  private addedTo(ways: readonly Sent[]): readonly Sent[] {
    const count = (all: readonly Sent[], key: string) => all.filter((one) => one.key === key).length;
    return ways.filter(({ key }, at) => count(ways.slice(0, at + 1), key) > count(this.first, key));
  }

  /** The forms and links beside somebody's login, and not beside that of another person. */
  private besideOf(all: readonly Sent[], id: string, otherID: string): readonly Sent[] {
    const has = (text: string, who: string) => signsOf(who, true).some((sign) => text.includes(sign));
    return all.filter(({ near }) => {
      const text = near().find((one) => has(one, id) || has(one, otherID)) ?? '';
      return has(text, id) && !has(text, otherID);
    });
  }

  /** The forms and links that unlink somebody's login. If the account's own login is of this network, the page has a form for each of them. */
  private formsOf(id: string, all: readonly Sent[]): readonly Sent[] {
    const named = all.filter(({ key }) => signsOf(id, true).some((sign) => key.includes(sign)));
    const beside = this.besideOf(all, id, this.app.people[0]);
    const offered = all.filter(({ isLinked }) => isLinked);
    const ways = [named, beside, this.addedTo(offered), this.addedTo(all), offered];
    const found = ways.find(({ length }) => length > 0) ?? [];
    // Other forms may stand beside a login, such as one that makes it the first.
    return found.toSorted(
      (one, other) => Number(REMOVES.test(other.action)) - Number(REMOVES.test(one.action)),
    );
  }

  /** Sends forms with the IDs of somebody else, who has two logins, too. */
  async ofOthers(): Promise<Finding | undefined> {
    // The social network's newcomers have other parts, unless they are gone then.
    if (this.at.network === 'social-network' && !this.isUndone) return undefined;
    const finding = await this.forged();
    await this.remove([SPARE]);
    return finding;
  }

  private async forged(): Promise<Finding | undefined> {
    const { app, target } = this;
    const { one, form } = await formOfAnother(app, target);
    const { location } = form
      ? await one.browser.open(form.to, form, isAuthorization)
      : await post(app, one.browser, target);
    if (location === undefined) return undefined;
    const { page: end } = await app.finish(one.browser, await app.allow(location, SPARE));
    const told = await noticeOf(app, one.browser, end);
    const who = await this.whoIs(SPARE);
    if (who !== 'second' && this.told.size > 0 && isSame(told, this.told))
      return wrong(
        `The login of ${SPARE}, whose ID is long, was linked, as the page says, and leads to another account.`,
        'Where a login is linked, too, store profile.id as it is: no Number(), no slice(), and a column of text.',
      );
    if (form && who === 'first')
      return wrong(
        "The form for a link says whose account it is: with another user's ID in it, the login leads to that account.",
        BY_STATE,
      );
    if (who !== 'second') return undefined;
    const [mine, elsewhere] = [await this.unlinks(), await this.unlinks((await app.signIn()).browser)];
    // Opening it, to see whether it asks, would unlink.
    for (const { isForm, action } of mine) {
      const by = isForm ? undefined : await this.unlinkedBySite(action);
      if (by) return by;
    }
    for (const [index, theirs] of (await this.unlinks(one.browser)).entries()) {
      const [own, again] = [mine[index], elsewhere[index]];
      const forged = own && again && forgedForm(app, own, again, theirs);
      // A link leads to a page whose form has the token.
      const body = own && !own.isForm ? (await formFor(app, this.browser, own.to)).body : forged?.body;
      if (forged) await this.browser.open(forged.to, { ...forged, body }, isAuthorization);
    }
    const isLost = (await difference(app, [one, await app.signIn('second')])).length > 1;
    if (isLost || (await this.whoIs(SPARE)) !== 'second') return wrong(UNLINKS_OTHERS, OWN_ROW);
    const { browser } = await app.signIn();
    const taken = await this.come(SPARE, browser);
    if ((await this.whoIs(SPARE)) === 'first') return TAKEN;
    const names = (page: Page) => showsName(wordsOf(page), app.people[1], SPARE);
    // Every page may name whoever has come.
    const isNamed = taken && taken.page.status < 500 && names(taken.page) && !names(await app.look(browser));
    return isNamed && (await this.offers(taken.page)).length === 0 && (await app.who(browser)) === 'first'
      ? wrong(
          'A link that is refused tells the name of the account to which the login belongs.',
          TELLS_NOTHING,
        )
      : undefined;
  }

  /** The forms that follow a link and are no usual ones, as to move a login or to merge two accounts. */
  private async offers(page: Page): Promise<readonly Way[]> {
    const usual = [...this.first, ...(await this.ways())];
    const isUsual = (form: Way) => usual.some(({ to }) => to === form.to.href) || this.app.signsOut(form);
    return formsIn(page).filter((form) => !isUsual(form));
  }

  /** Whether the login that was linked first leads to another account, or none. */
  private readonly isUnlinked = async () => (await this.whoIs('ned')) !== 'first';

  private async unlinkedBySite(action: string, fields = ''): Promise<Finding | undefined> {
    const by = await byAnotherSite(this.app, this.browser, action, this.isUnlinked, fields);
    const found = `A ${by} of another site to ${action} unlinks a login.`;
    return by === undefined ? undefined : wrong(found, SAME_SITE);
  }

  async unlinked(): Promise<Finding | undefined> {
    const { app } = this;
    const other = await this.signIn('maxine');
    const isMoved = async () => (await difference(app, [other, await this.signIn('maxine')])).length > 0;
    const all = await this.unlinks();
    const beside = this.besideOf(all, 'ned', app.people[0]);
    const others = this.besideOf(all, app.people[0], 'ned').filter(({ isForm }) => isForm);
    if (others.some((own) => beside.some(({ key }) => key === own.key))) return WRONG_LOGIN;
    const unlinking = this.formsOf('ned', all);
    const theirs = (await this.signIn('ned')).browser;
    for (const way of unlinking) {
      const { action, to, body, send } = way;
      this.added = [way];
      const forged = withIDsOf('ned', 'maxine', way);
      if (forged) await send(forged.body, undefined, forged.to);
      if (forged && (await isMoved())) return wrong(UNLINKS_OTHERS, OWN_ROW);
      const bare = app.withoutToken(body);
      const by = await this.unlinkedBySite(action, bare);
      if (by) return by;
      if (bare !== body) await send(bare, { from: 'same-site', headers: { origin: nearOf(to) } });
      if (bare !== body && (await this.isUnlinked()))
        return wrong('A form at another port or subdomain, without a token, unlinks a login.', SAME_SITE);
      // An unlink may have ended the session, which the form has a token of.
      const isIn = (await app.who(this.browser)) !== 'nobody';
      await this.stay();
      const now = isIn ? way : (await this.unlinks()).find(({ key }) => key === way.key);
      const { status } = await (now ?? way).send();
      this.hasUnlinked = await this.isUnlinked();
      if (this.hasUnlinked) break;
      if (status >= 400 && status !== 409)
        return wrong(`The form to unlink a login, ${action}, answers with HTTP ${status}.`, PASSING);
      if (!beside.includes(way) || (await difference(app, [this.user, await app.signIn()])).length < 2)
        continue;
      return WRONG_LOGIN;
    }
    // An unlink may end every session.
    if (unlinking.length > 0) await this.stay();
    if (unlinking.length > 0 && (await difference(app, [this, await app.signIn()])).length > 1)
      return wrong(
        'After a user unlinked one login, nobody is signed in: the others are gone, too.',
        OWN_ROW,
      );
    this.livesOn = this.hasUnlinked && (await app.who(theirs)) === 'first';
    const remedy = 'Delete the row of the login, and what a cache has of it.';
    // A form beside a login may do something else, such as take its name.
    const isTried = this.hasUnlinked || unlinking.some(({ action }) => REMOVES.test(action));
    for (let count = 0; isTried && count < 3; count += 1) {
      const { browser, answer } = await this.signIn('ned');
      if ((await app.who(browser)) === 'first')
        return wrong('The login that was unlinked still leads to the account.', remedy);
      if (answer.status >= 400) return after('A login was unlinked, and used again.', failed(answer), remedy);
      // Two processes may take turns, and each may have a cache.
      if (count === 0) await app.browser().visit(app.page);
    }
    if (!(await isMoved())) return undefined;
    return wrong('After a user unlinked a login, that of another user leads to another account.', OWN_ROW);
  }

  /** Links two logins of one network, and unlinks one of them. */
  async two(): Promise<Finding | undefined> {
    const { app } = this;
    const isSame = ([one, two]: readonly string[]) => idAt(one, this.at.network) === idAt(two, app.network);
    // Of one network no two IDs are the same.
    const [other = '', twin = ''] = [SAME_ID, SAME_ID.toReversed()].find(isSame) ?? SAME_ID;
    const one = 'nora';
    const areLinked = async () => {
      const ids = [];
      for (const id of [one, other]) if ((await this.whoIs(id)) === 'first') ids.push(id);
      return ids;
    };
    const theirs = await app.signIn(twin);
    const begun = (await post(app, this.browser, this.target)).location;
    const read =
      begun && (await readByOthers(app, await app.allow(begun, one), this.browser, theirs.browser));
    if (read) return read;
    // A login may write the name anew.
    const broken = unescapedName(await app.look(this.browser), one);
    if (broken) return broken;
    if ((await this.whoIs(one)) !== 'first') return undefined;
    const early = (await this.unlinks()).map(({ key }) => key);
    await this.link(other);
    const before = await areLinked();
    if (!before.includes(one))
      return wrong('A second login of one network takes the place of the first.', OWN_LOGINS);
    const all = await this.unlinks();
    const forms = all.filter(({ isLinked }) => isLinked);
    let form = all.find(({ key }) => !early.includes(key)) ?? (forms.length === 2 ? forms[1] : undefined);
    // An account may have room for one login of each network.
    if (before.length < 2) {
      await this.formsOf(one, all)[0]?.send();
      // To see whether it was linked has given it an account.
      await this.remove([other]);
      const login = await this.link(other);
      const isLost = login && this.isUndone && (await areLinked()).length === 0;
      // This person, who has no picture, may not log in at all.
      if (isLost && login.page.status >= 500 && (await this.logIn(other)).page.status >= 500)
        return undefined;
      if (isLost)
        return wrong(
          'A login is not linked where somebody has the same ID at another network.',
          'Look for the account of a login by provider and profile.id, both together.',
        );
      const now = await this.unlinks();
      const offered = now.filter(({ isLinked }) => isLinked);
      const id = idAt(other, this.at.network) ?? '';
      form = now.find(({ parts }) => parts.includes(id)) ?? (offered.length === 1 ? offered[0] : undefined);
    }
    await form?.send();
    const left = form && before.length === 2 ? await areLinked() : [one];
    if (left.length !== 1)
      return wrong(`A user unlinked one of two logins of one network, and ${left.length} are left.`, OWN_ROW);
    if (form && left[0] === other && this.besideOf([form], other, one).length > 0) return WRONG_LOGIN;
    return (await difference(app, [theirs, await app.signIn(twin)])).length > 0
      ? wrong(
          'A user unlinked a login, and that of another user, who has the same ID at another network, leads to another account.',
          OWN_ROW,
        )
      : undefined;
  }

  /** Links a login that belongs to somebody else. */
  async refused(): Promise<Finding | undefined> {
    const { app, browser } = this;
    const owner = await this.logIn('second');
    if (owner.page.status >= 400) return undefined;
    const { page } = await app.finish(browser, await this.begin('second'));
    const problem = upset(page);
    if (problem) return after('The login to link belongs to another account.', problem, ONE_OWNER);
    if ((await app.who(browser)) === 'second')
      return wrong(
        'A link that is refused signs its user in: what the user does next belongs to another account.',
        `${ONE_OWNER} Sign nobody in.`,
      );
    const notice = await noticeOf(app, browser, page);
    const words = plain(page.text);
    const [own, record] = [await app.shown(browser), JSON.stringify(personOf(app.people[1]))];
    const told = [...(await app.shown(owner.browser))].find(
      (word) =>
        /\d/.test(word) &&
        word.length >= 4 &&
        ![...own, record].join(' ').includes(word) &&
        // A page may show how an ID begins.
        (words.includes(word) || (word.length >= 16 && words.includes(word.slice(0, 8)))),
    );
    if (told !== undefined && (await this.offers(page)).length === 0)
      return wrong(
        `A link that is refused tells to which account the login belongs: ${told.slice(0, 100)}.`,
        TELLS_NOTHING,
      );
    const again = await this.logIn('second');
    const isLost = (await difference(app, [owner, again])).length > 1;
    const [, namesake] = NAMESAKES;
    const theirs = isLost || app.people[0] !== NAMESAKES[0] ? undefined : await this.logIn(namesake);
    if (theirs && theirs.page.status < 400) await app.finish(browser, await this.begin(namesake));
    const isTaken = theirs && (await difference(app, [theirs, await this.signIn(namesake)])).length > 1;
    if (isLost || isTaken || (await app.who(again.browser)) === 'first')
      return wrong(
        `A link took a login away from the account to which it belonged${isTaken ? ', that of a user of the same name' : ''}.`,
        ONE_OWNER,
      );
    if (notice.size > 1 && isSame(notice, this.told))
      return wrong(
        `A link that is refused ends with the words of one that succeeds: ${[...notice].slice(0, 12).join(' ')}.`,
        `${ONE_OWNER} An await may be missing.`,
      );
    const isSilent = !/[?#]/.test(page.url) && isSame(await app.shown(browser), lastingWords(page));
    if (!isSilent) return undefined;
    return wrong(
      `A link that is refused leads to ${pathOf(page)}, which says nothing of it.`,
      'Answer 409 with a page that says that this login belongs to another account. An await may be missing.',
    );
  }

  async finishedByOthers(): Promise<Finding | undefined> {
    const { app, browser } = this;
    const [late] = this.newcomers();
    const early = await this.begin(late);
    const jar = (await app.signIn('second')).browser.cookies();
    const own = () => browser.cookies().filter((cookie) => !jar.some((other) => other.name === cookie.name));
    await app.finish(app.browser([...own(), ...jar]), early);
    const begun = await this.begin(late);
    const nobody = app.browser(own());
    await app.finish(nobody, begun);
    const who = await app.who(nobody);
    if (who !== 'nobody')
      return wrong(
        `A user began a link, and it came back to a browser in which nobody was signed in. It signs ${who === 'first' ? 'that user' : 'somebody'} in.`,
        BY_STATE,
      );
    return /first|second/.test(await this.whoIs(late))
      ? wrong(
          'A user began a link, somebody else or nobody was signed in when it came back, and the login was linked all the same.',
          BY_STATE,
        )
      : undefined;
  }

  async left(): Promise<Finding | undefined> {
    const { app } = this;
    const [, waiting] = this.newcomers();
    const browser = app.browser();
    const begun = await app.startingAt(this.start, () => app.begin(browser));
    const callback = await app.allow(begun, waiting);
    await app.logIn('first', browser);
    await this.begin('ned', browser);
    await app.finish(browser, callback);
    return (await this.whoIs(waiting)) === 'first'
      ? wrong(
          'A user began a link and left it, and a login that had begun before was linked in its place.',
          BY_STATE,
        )
      : undefined;
  }

  /** People who have not logged in yet. The social network lets neither Boris nor Dora in. */
  private newcomers(): readonly [string, string] {
    return this.at.network === 'social-network' ? ['hubert', 'max'] : ['dora', 'boris'];
  }

  async begunByOthers(): Promise<Finding | undefined> {
    const { app, browser, target } = this;
    const by = await byAnotherSite(app, browser, target, ({ location }) => location !== undefined);
    if (by !== undefined) return wrong(`A ${by} of another site to ${target} begins a link.`, SAME_SITE);
    const folder = ({ pathname }: URL) => pathname.replace(/[^/]*$/, '');
    const { to: own, body: fields, page } = await formFor(app, browser, target);
    const count = app.seen.length;
    await post(app, browser, target);
    const steps = app.seen.slice(count).map(({ url }) => new URL(url));
    const [late] = this.newcomers();
    await this.remove([late]);
    const { browser: user } = await app.signIn();
    const started = await user.open(this.start, { from: 'cross-site' }, isAuthorization);
    if (started.location !== undefined) await app.finish(user, await app.allow(started.location, late));
    if (started.location !== undefined && (await this.whoIs(late)) === 'first')
      return wrong(
        `A link of another site to ${new URL(this.start).pathname} begins a link for who is signed in.`,
        `${SAME_SITE} Redirect who is signed in away from where logins start.`,
      );
    await this.remove([late]);
    for (const { href, search } of steps.filter((url) => url.search !== '')) {
      const visitor = app.browser();
      const { location } = await visitor.open(href, { from: 'cross-site' }, isAuthorization);
      if (location !== undefined) await app.finish(visitor, await app.allow(location, late));
      if (location !== undefined && (await this.whoIs(late)) === 'first')
        return wrong(
          `A URL to which the form of a link leads, with ${search.slice(0, 40)}, links the login of whoever opens it.`,
          BY_STATE,
        );
    }
    const beside = formsIn(page).filter(
      ({ to }) => isHarmless(to) && folder(to) !== '/' && folder(to) === folder(new URL(own)),
    );
    // Those of the other networks, too.
    for (const { to, body } of [{ to: new URL(own), body: fields }, ...beside]) {
      const bare = app.withoutToken(body);
      const headers = { origin: nearOf(to.href) };
      const sending = { method: 'POST', body: bare, from: 'same-site', headers } as const;
      const right = { ...sending, body, from: 'same-origin', headers: {} } as const;
      const { status } = (await browser.open(to.href, right, isAuthorization)).response;
      // An account may have one login of each network.
      if (to.href !== own && status >= 400 && status !== 409)
        return wrong(`The form for ${to.pathname} answers with HTTP ${status}.`, PASSING);
      if (bare !== body && (await browser.open(to.href, sending, isAuthorization)).location !== undefined)
        return wrong(
          `A form at another port or subdomain, without a token, begins a link at ${to.pathname}.`,
          SAME_SITE,
        );
    }
    const { body: theirs, page: other } = await formFor(app, (await app.signIn('second')).browser, target);
    const stolen = {
      method: 'POST',
      body: theirs,
      from: 'same-site',
      headers: { origin: nearOf(own) },
    } as const;
    const begins = async (body: string) =>
      (await browser.open(own, { ...stolen, body }, isAuthorization)).location !== undefined;
    if (hasToken(app, theirs, other) && !(await begins('')) && (await begins(theirs)))
      return wrong(
        'A form at another port or subdomain, with the token of another user, begins a link.',
        OWN_TOKEN,
      );
    return undefined;
  }

  /** Moves another login than the one that was refused, where a form names it, and one of an account that has two. */
  async moved(): Promise<Finding | undefined> {
    const { app, browser } = this;
    const refused = await this.come('maxine');
    for (const { to, body } of refused ? formsIn(refused.page) : []) {
      const forged = withIDsOf('maxine', app.people[1], { to: to.href, body });
      if (forged) await browser.open(forged.to, { method: 'POST', body: forged.body, from: 'same-origin' });
      if (forged && (await this.whoIs('second')) === 'first')
        return wrong(
          "The form that moves a login says which: with another user's ID, it takes the login of that user.",
          'Keep in the session which login the user has just shown to have, and let the form name none.',
        );
    }
    const [other] = this.newcomers();
    await this.remove([other]);
    const owner = await app.signIn('second');
    await this.come(other, owner.browser);
    const theirs = await app.shown(owner.browser);
    const taken = (await this.whoIs(other)) === 'second' ? await this.come(other) : undefined;
    if (taken && (await this.whoIs(other)) === 'first') return TAKEN;
    for (const { to, body } of taken ? await this.offers(taken.page) : [])
      await browser.open(to.href, { method: 'POST', body, from: 'same-origin' });
    const later = await app.signIn('second');
    // The move may have ended the owner's session.
    const isIn = (await app.who(owner.browser)) !== 'nobody';
    const now = await app.shown(later.browser);
    const isGone = (id: string) => theirs.has(id) && !now.has(id);
    const isLost = isIn
      ? (await difference(app, [owner, later])).length > 1
      : app.ownIDs(JSON.stringify(personOf(app.people[1])), 4, 'second').some(isGone);
    return taken && isLost
      ? wrong(
          'A user moved one of two logins of an account, and the other one leads to another account.',
          'Delete the account from which a login is moved only if that was its last one.',
        )
      : undefined;
  }

  /** Lets two users link one login at the same moment. */
  async contested(): Promise<Finding | undefined> {
    const { app, browser } = this;
    const [, id] = this.newcomers();
    await this.remove([id], (who) => who !== 'first' && who !== 'second');
    const both = [browser, (await app.signIn('second')).browser] as const;
    // The user may have merged the other account.
    if ((await app.who(both[1])) !== 'second') return undefined;
    const callbacks: (readonly [Browser, callback: string])[] = [];
    for (const one of both) {
      const { location } = await post(app, one, this.target);
      if (location === undefined) return undefined;
      callbacks.push([one, await app.allow(location, id)]);
    }
    const textOf = async (one: Browser) => (await app.lookForForms(one, this.target)).text;
    // A page may name whoever is there.
    const before = [await textOf(both[0]), await textOf(both[1])].join();
    const signs = signsOf(id, true).filter((sign) => !before.includes(sign));
    const { network } = this.at;
    const asked = (await app.requests()).filter((request) => request.network === network);
    const endpoint = asked.findLast((request) => request.endpoint !== 'authorization')?.endpoint;
    const finish = () => Promise.all(callbacks.map(([one, callback]) => app.finish(one, callback)));
    await app.during({ kind: 'gather', requests: 2, milliseconds: 1_000 }, finish, { network, endpoint });
    const texts = [await textOf(both[0]), await textOf(both[1])];
    return texts.every((text) => signs.some((sign) => text.includes(sign)))
      ? wrong(
          'Two users link one login at the same moment, and both of them have it.',
          'Make provider and profile.id together a unique key, and link by an insert that fails where somebody has the login: answer 409 then.',
        )
      : undefined;
  }

  /** Lets two people of one name link a login each. */
  async ofNamesakes(): Promise<Finding | undefined> {
    const { app } = this;
    for (const [id, pair] of [
      ['ned', NAMESAKES],
      ['maxine', NAMESAKES.toReversed()],
    ] as const) {
      await this.remove([id]);
      const own = await app.signIn(pair[0]);
      const other = await app.shown((await app.signIn(pair[1])).browser);
      const login = await this.come(id, own.browser);
      const raw = login && unescapedName(login.page, id);
      if (!login || raw) return raw;
      const now = await app.shown((await this.signIn(id)).browser);
      const mine = await app.shown(own.browser);
      const hasOnly = (one: ReadonlySet<string>, another: ReadonlySet<string>) =>
        [...one].some((word) => now.has(word) && !another.has(word));
      if (hasOnly(other, mine) && !hasOnly(mine, other))
        return wrong(
          'A user began a link, and it leads to the account of somebody of the same name.',
          BY_STATE,
        );
    }
    // To a rehearsal of the link's network hers would be the account of somebody else.
    await this.remove(['maxine'], (who) => who !== 'first');
    return undefined;
  }

  /** Signs out while a link is under way. */
  async writtenBack(): Promise<Finding | undefined> {
    const { app } = this;
    await this.remove(['ned']);
    const { browser } = await app.signIn();
    const out = (await this.ways(browser)).find(({ to }) => app.signsOut({ to: new URL(to) }));
    return out && writtenBack(app, browser, await this.begin('ned', browser), () => out.send(), this.at);
  }

  /** Unlinks every login, as in several tabs at the same moment. */
  async last(): Promise<Finding | undefined> {
    // Two requests of several processes seldom meet.
    for (let count = 0; count < MOST_RACES; count += 1) {
      const finding = await this.race();
      this.isKept = finding === 'kept';
      if (!this.isKept || !this.isUndone) return finding === 'kept' ? undefined : finding;
    }
    return undefined;
  }

  /** @returns `kept` if the account has the login that it had first, and no other. */
  private async race(): Promise<Finding | 'kept' | undefined> {
    const { app, user } = this;
    await this.remove(['nora'], (who) => who !== 'first');
    await this.link('nora');
    const forms = await this.unlinks();
    if (forms.length === 0) return undefined;
    for (const { send } of forms.slice(2)) await send();
    const linked = ['ned', 'maxine', ...this.newcomers(), 'nora', ...SAME_ID];
    const before = await app.numbersOn(this.browser);
    const others = await app.numbersOn((await app.signIn('second')).browser);
    const numbers = [...this.early].filter((word) => before.has(word) && !others.has(word));
    // The account may have the name of its oldest login, which may be gone.
    const isOn = async ({ browser }: Pick<Finished, 'browser'>) => {
      if ((await app.who(browser)) === 'first') return true;
      const shown = numbers.length > 0 ? await app.numbersOn(browser) : new Set();
      return numbers.length > 0 && numbers.every((word) => shown.has(word));
    };
    // An application may not unlink the login by which a session began.
    let elsewhere: readonly Sent[] = [];
    for (const id of linked.toReversed()) {
      const { browser } = await this.signIn(id);
      if ((await app.who(browser)) !== 'first') continue;
      elsewhere = await this.unlinks(browser);
      break;
    }
    const together = { from: 'same-origin', until: wait(TOGETHER) } as const;
    await Promise.all([...forms.slice(0, 2), ...elsewhere].map(({ send }) => send(undefined, together)));
    // An application may refuse to unlink any of them, and end the sessions of those that it unlinks.
    for (const id of linked) {
      const { browser, answer } = await this.signIn(id);
      if (answer.status >= 500) return undefined;
      if (!(await isOn({ browser }))) continue;
      // One after the other, because the end of the login by which a session began may end that session.
      for (const { send } of await this.unlinks(browser)) await send();
      if (await isOn(await this.signIn(id))) return undefined;
    }
    // Without an ID of the account, a page with fewer logins looks like that of another one.
    const later = await app.signIn();
    const now = await app.numbersOn(later.browser);
    if (numbers.length === 0 && !app.showsID('first')) return undefined;
    const isOther =
      numbers.length > 0
        ? numbers.some((word) => !now.has(word))
        : (await difference(app, [user, later])).length > 1;
    if (!isOther) return 'kept';
    return wrong(
      'After the user unlinked every login, the account has none.',
      'Refuse to unlink the last login of an account: count and delete in one transaction. In a column, a login that was unlinked is NULL, and no empty text.',
    );
  }
}
