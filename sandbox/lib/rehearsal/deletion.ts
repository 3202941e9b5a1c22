import type { SandboxRequest } from '../traffic/request-log.js';
import { described, type Finished, pageOf, pathOf, type TestedApplication, wordsOf } from './application.js';
import type { Browser, Navigation } from './browser.js';
import {
  after,
  type Check,
  cannotTell,
  DESERIALIZE,
  difference,
  EVIL_HOST,
  expectUser,
  type Finding,
  isSame,
  nearOf,
  note,
  ONE_KEY,
  OWN_ID,
  skipped,
  unknownPerson,
  wrong,
} from './findings.js';
import {
  besideLink,
  byAnotherSite,
  erase,
  formFor,
  formOfAnother,
  hasToken,
  OWN_TOKEN,
  PASSING,
  PLAIN,
  post,
  SAME_SITE,
  sureOf,
  tokenOf,
} from './forms.js';
import { isAuthorization } from './login.js';
import { PATIENCE } from './options.js';
import { FIRST_PEOPLE, NAMESAKES, personOf, SAME_ID, shows, showsName } from './people.js';
import { preimage } from './session-values.js';
import { meanwhile } from './sessions.js';

/** https://www.rfc-editor.org/rfc/rfc9562#section-5.4 */
const RANDOM_UUID = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/i;
/** Fields in which a request may say whose account it means. */
const OWNERS = [
  'id',
  ...['user', 'account', 'person', 'member', 'owner'].flatMap((one) => [one, `${one}Id`, `${one}_id`]),
];
const BY_ACCOUNT = 'Delete by the ID of the account that is signed in alone: req.user.id.';
const NO_FLAG =
  'Delete the row of the account, all of its logins and what belongs to it: a flag on a row that a login finds deletes nothing.';
const NO_ORPHAN =
  'Link only if the user of info.state is still signed in, let the row of a login reference that of its account, such as REFERENCES accounts ON DELETE CASCADE, and clear what a cache has of it.';
const EVERY_ROW =
  'Remove every row that points to the user, too: of every login, and every session, and what a cache or a Map has of them. A row that is only marked, as by paranoid or deletedAt, still counts for a unique key.';

/** Deletes an account, if the application says where. */
export const deletion: Check = async (app, options) => {
  if (options.delete === undefined) return skipped('name the URL that deletes an account with --delete URL');
  if (!app.tellsApart()) return cannotTell(options.session);
  const begun = Date.now();
  const finding = await deleted(app, options);
  app.deletes = finding === undefined;
  if (finding) return finding;
  const isRevoked = ({ endpoint, time }: SandboxRequest) => endpoint === 'revocation' && time >= begun;
  // VK's classic protocol has no revocation.
  const isClassic = app.network === 'social-network' && app.protocol !== 'VK ID';
  if (isClassic || (await app.requests()).some(isRevoked)) return undefined;
  return note(
    'it revokes no token: if you keep tokens, revoke them, or the network goes on trusting the application',
  );
};

/** Deletes an account, and looks what else is gone or left. */
const deleted: Check = async (app, options) => {
  const { delete: target = '', people = FIRST_PEOPLE, link, others = [], patience = PATIENCE } = options;
  // Whether a page asks again is known afterwards.
  const spare = await app.signIn('max').catch(unknownPerson);
  const eraseSpare = async () => spare && (await erase(app, spare.browser, target, 'max')).response.status;
  const failing = { kind: 'answer', status: 503 } as const;
  const failure = await app.during(failing, eraseSpare, { endpoint: 'revocation' });
  if (failure && failure >= 500 && Number(await eraseSpare()) < 400)
    return wrong(
      `POST ${target} answers with HTTP ${failure} if the network does not revoke a token, and the account stays.`,
      'Delete the account whatever the network answers: revoke tokens in a try, or in a job that tries again.',
    );
  const [{ browser }, { browser: elsewhere }] = [await app.signIn('second'), await app.signIn('second')];
  // A session that is used while the account is gone loses its user.
  const { browser: unused } = await app.signIn('second');
  await app.learnTokens(target, browser, elsewhere);
  const account = await app.shown(browser);
  // Who came last has the ID that counting gives to the next one after a deletion.
  const last = await app.signIn('ned').catch(unknownPerson);
  // Only who was invited may be able to log in.
  const wasIn = last && (await app.who(last.browser)) !== 'nobody';
  const lastAccount = last && (await app.shown(last.browser));
  const isGone = async () => (await app.who(elsewhere)) === 'nobody';
  const by = await byAnotherSite(app, browser, target, isGone);
  if (by !== undefined) return wrong(`A ${by} of another site to ${target} deletes the account.`, SAME_SITE);
  const count = app.seen.length;
  const begun = await post(app, browser, target);
  if (begun.location !== undefined) {
    await app.finish(browser, await app.allow(begun.location));
    if ((await app.who(browser)) === 'second') await post(app, browser, target);
    if (await isGone())
      return wrong(
        'A deletion asks for another login, and the login of somebody else confirms it.',
        'Delete only if that login leads to the account that is signed in.',
      );
  }
  const page = await pageOf(
    begun.location === undefined ? begun : await erase(app, browser, target, 'second'),
  );
  const steps = app.seen.slice(count).map(({ url }) => url);
  if (page.status >= 400) {
    const isAfter = pathOf(page) !== new URL(target, page.url).pathname;
    return wrong(
      isAfter
        ? `After POST ${target}, ${pathOf(page)} answers with ${described(page)}.`
        : `POST ${target} answers with ${described(page)}.`,
      isAfter
        ? DESERIALIZE
        : page.status === 404
          ? 'Name the URL to which the form of the page posts, its action.'
          : `${PASSING} What the callback writes into the session after req.logIn has to be saved before the redirect.`,
    );
  }
  for (const one of [browser, elsewhere]) {
    const { status, text } = await app.look(one);
    const where = one === browser ? 'the browser' : 'another browser of the user';
    const names = (words: ReadonlySet<string>) =>
      [people[0], 'ned'].filter((id) => shows(words, id, people[1], true));
    // A page may name people to everybody.
    const visitor = names(wordsOf({ text })).length > 0 ? await app.look(app.browser()) : { text: '' };
    const stranger = names(wordsOf({ text })).find((id) => !names(wordsOf(visitor)).includes(id));
    if (stranger !== undefined)
      return wrong(`After the deletion ${where} shows the account of ${stranger}.`, OWN_ID);
    const isUser = status < 500 && (await app.who(one)) !== 'nobody';
    const found = `After the deletion ${where} ${isUser ? 'is still signed in' : `gets HTTP ${status}`}.`;
    if (!isUser && status < 500) continue;
    const isThere = isUser && isSame(account, await app.shown((await app.signIn('second')).browser));
    // Without an ID of its own one account looks like the next.
    const isDeleted = !isThere || !app.showsID('second');
    return isDeleted
      ? wrong(found, `${DESERIALIZE} Delete the row of the account, too.`)
      : wrong(
          `${found} A new login leads to the same account.`,
          `Let POST ${target} delete the account and its logins, and wait until they are deleted. Let no cache find what is deleted.`,
        );
  }
  const again = await app.logIn('second');
  const problem = await expectUser(app, again, 'second');
  if (problem) return after('The user was deleted, and logs in again.', problem, `${EVERY_ROW} ${OWN_ID}`);
  // An ID that is made of the network's is the same again, and no random one.
  const now = await app.shown(again.browser);
  const kept = app
    .ownIDs(JSON.stringify(personOf(people[1])), 36, 'second')
    .find((id) => RANDOM_UUID.test(id) && account.has(id) && now.has(id));
  if (kept !== undefined)
    return wrong(
      `The user was deleted, logs in again, and has the account of before: the page shows ${kept}.`,
      NO_FLAG,
    );
  if ((await app.who(unused)) !== 'nobody')
    return wrong(
      'The user was deleted, and logs in again: a session from before the deletion is signed in again, too.',
      'End the sessions of the user who is deleted, or give each account a random ID.',
    );
  const beside = await app.signIn('second');
  for (const url of new Set(steps)) {
    await app.browser(again.browser.cookies()).open(url, { from: 'cross-site' }, isAuthorization);
    if ((await app.who(beside.browser)) === 'nobody')
      return wrong(
        `A link of another site to ${new URL(url).pathname}, to which ${target} leads, deletes the account.`,
        SAME_SITE,
      );
  }
  if (wasIn && (await app.who(last.browser)) === 'nobody')
    return wrong(
      'A user was deleted, and another one is signed out.',
      'End the sessions of the user who is deleted, and no others.',
    );
  const looks = (last ? await app.looks(last.browser) : []).map((page) => app.lasting(page));
  // A page may say something else with each visit.
  const isOfAccount = (word: string) =>
    /\d.{3}|.{3}\d/.test(word) || personOf('ned')?.displayName.includes(word);
  const isLost = (word: string) => isOfAccount(word) && looks.every((words) => !words.has(word));
  if ([...(lastAccount ?? [])].some(isLost))
    return wrong('A user was deleted, and the next account has the ID of another one.', OWN_ID);
  const user = await app.signIn();
  const namesake = await app.signIn(NAMESAKES[1]).catch(unknownPerson);
  const areTwo = namesake && (await difference(app, [user, namesake])).length > 0;
  if (areTwo) await erase(app, namesake.browser, target, NAMESAKES[1]);
  if (areTwo && (await difference(app, [user, await app.signIn()])).length > 0)
    return wrong(
      'A user was deleted, and with the account that of another user, who has the same name.',
      BY_ACCOUNT,
    );
  // Whoever is left has an account, to which a rehearsal of another network would find no login to link.
  const isLeft = last && (await app.who(last.browser)) !== 'first';
  if (isLeft) await erase(app, last.browser, target, 'ned');
  const several = isLeft && (await severalAccounts(app, target, Math.round(patience / 8)));
  if (several) return several;
  const { start } = link === undefined ? app : await besideLink(app, link);
  const networks = [...others, ...(start === app.start ? [] : [start])];
  return (
    (await deletesOthers(app, target, networks)) ??
    (await leftBehind(app, target, start, link)) ??
    (await deletesByField(app, target)) ??
    (await deletedNearby(app, target))
  );
};

/** That somebody whose first logins come at once has several accounts, which pages without an ID do not tell. @param pause - Of the network, in milliseconds. */
async function severalAccounts(
  app: TestedApplication,
  target: string,
  pause: number,
): Promise<Finding | undefined> {
  const [one, ...others] = await app.logInTogether(['ned', 'ned', 'ned'], pause);
  if (one) await erase(app, one.browser, target, 'ned');
  const names = async (by: Browser) => showsName(wordsOf(await app.look(by)), 'ned', app.people[0]);
  const isNamedToAll = await names(app.browser());
  for (const { browser } of isNamedToAll ? [] : others) {
    if (!(await names(browser))) continue;
    await erase(app, browser, target, 'ned');
    return wrong(
      'A person logs in for the first time in three tabs at once, deletes the account in one of them, and has another one in the next.',
      ONE_KEY,
    );
  }
  return undefined;
}

/** That a deletion takes the account of whoever has the same ID at another network. */
async function deletesOthers(
  app: TestedApplication,
  target: string,
  networks: readonly string[],
): Promise<Finding | undefined> {
  for (const network of networks)
    for (const [one, other] of [SAME_ID, SAME_ID.toReversed()]) {
      const logIn = () =>
        app.startingAt(new URL(network, app.start).href, () => app.signIn(other)).catch(unknownPerson);
      const [deleted, kept] = [await app.signIn(one).catch(unknownPerson), await logIn()];
      const areTwo = deleted && kept && (await difference(app, [deleted, kept])).length > 0;
      if (areTwo) await erase(app, deleted.browser, target, one);
      const again = await logIn();
      if (areTwo && again && (await difference(app, [kept, again])).length > 0)
        return wrong(
          'A user was deleted, and with the account that of another user, who has the same ID at another network.',
          BY_ACCOUNT,
        );
    }
  return undefined;
}

/** What becomes of the logins and sessions of an account that was deleted. @param start - Where a login of the link's network starts. */
async function leftBehind(
  app: TestedApplication,
  target: string,
  start: string,
  link: string | undefined,
): Promise<Finding | undefined> {
  const logIn = () => app.startingAt(start, () => app.logIn('layla'));
  const nobody = { browser: app.browser() };
  // Nobody has the login then, and the account that is deleted is the last one.
  for (const [one, who] of [
    [await logIn().catch(unknownPerson), 'layla'],
    [await app.logIn('second'), 'second'],
  ] as const)
    if (one && one.page.status < 400) await erase(app, one.browser, target, who);
    else return undefined;
  const [owner, elsewhere] = [await app.signIn('second'), await app.signIn('second')];
  const { location } = link === undefined ? {} : await post(app, owner.browser, link);
  if (location !== undefined) await app.finish(owner.browser, await app.allow(location, 'layla'));
  const others = await app.numbersOn((await app.signIn()).browser);
  const record = JSON.stringify(personOf(app.people[1]) ?? {});
  const own = [...(await app.numbersOn(owner.browser))].filter(
    (word) => !others.has(word) && !record.includes(word),
  );
  await erase(app, owner.browser, target, 'second');
  const lost = ({ page }: Finished, how: string, remedy: string) =>
    wrong(
      `A login was linked to an account that was deleted${how}, and ends with ${described(page)}.`,
      remedy,
    );
  const isLost = async (login: Finished) =>
    login.page.status >= 400 || (await difference(app, [nobody, login])).length === 0;
  const later = await logIn();
  if (await isLost(later)) return lost(later, '', EVERY_ROW);
  const now = await app.numbersOn(later.browser);
  const isBack = own.length > 0 && own.every((word) => now.has(word));
  if (link !== undefined && (isBack || (await app.who(later.browser)) === 'second'))
    return wrong('A login that was linked to an account that was deleted brings the account back.', NO_FLAG);
  const isSomebody = (await difference(app, [nobody, elsewhere])).length > 0;
  if (isSomebody && (await difference(app, [later, elsewhere])).length === 0)
    return wrong(
      'The session of a user who was deleted shows the account of the next new user.',
      'Give no ID of an account twice: AUTOINCREMENT in SQLite, a sequence, or a random one. End the sessions of a user who is deleted.',
    );
  if (link === undefined || location === undefined) return undefined;
  const first = await app.logIn('second');
  if (await isLost(first))
    return wrong(
      `A user with two logins was deleted, and the first one ends with ${described(first.page)}.`,
      EVERY_ROW,
    );
  await erase(app, later.browser, target, 'layla');
  const linking = await app.signIn('second');
  const begun = (await post(app, linking.browser, link)).location ?? location;
  const callback = await app.allow(begun, 'layla');
  const finish = () => app.finish(linking.browser, callback);
  const { browser } = await app.signIn('second');
  await meanwhile(app, finish, () => erase(app, browser, target, 'second'), tokenOf(begun));
  const last = await logIn();
  return (await isLost(last)) ? lost(last, ' meanwhile', NO_ORPHAN) : undefined;
}

/** That a request for a deletion says whose account it is: by the form's own field, or by one that nobody expects. */
async function deletesByField(app: TestedApplication, target: string): Promise<Finding | undefined> {
  const { one, user, form } = await formOfAnother(app, target);
  if (form) await app.browser().open(form.to, form, isAuthorization);
  if (form) await one.browser.open(form.to, form, isAuthorization);
  for (const id of form ? [] : app.ownIDs('', 1).slice(0, 4)) {
    const { browser } = await app.signIn('second');
    const { to, body } = await formFor(app, browser, target);
    const fields = OWNERS.map((name): [string, string] => [name, id]);
    const named = String(new URLSearchParams([...new URLSearchParams(body), ...fields]));
    await browser.open(to, { method: 'POST', body: named, from: 'same-origin' }, isAuthorization);
  }
  if ((await difference(app, [user, await app.signIn()])).length === 0) return undefined;
  return wrong(
    `${form ? 'The form for a deletion says whose account it is' : 'A deletion takes the account from a field of the request, such as userId'}: with another user's ID in it, that account is deleted.`,
    BY_ACCOUNT,
  );
}

/** That a page at another port or subdomain, for which SameSite protects nothing, deletes an account although something is to prevent it. */
async function deletedNearby(app: TestedApplication, target: string): Promise<Finding | undefined> {
  const { browser: user } = await app.signIn();
  const { to: href, body, page } = await formFor(app, user, target);
  const isDeleted = async (
    origin: string,
    sent = sureOf(app, body),
    from: Navigation['from'] = 'same-site',
    more = {},
  ) => {
    const [{ browser: elsewhere }, { browser }] = [await app.signIn('second'), await app.signIn('second')];
    const headers = { origin, referer: `${origin}/`, ...more };
    await browser.open(href, { method: 'POST', body: sent, from, headers }, isAuthorization);
    return (await app.who(elsewhere)) === 'nobody';
  };
  const words = wordsOf(await app.look(user));
  const tokens = [...new URLSearchParams(body)].filter(([name]) => app.isToken(name));
  const known = tokens.map(([, token]) => preimage(token, words)).find((word) => word !== undefined);
  if (known !== undefined)
    return wrong(
      `The token of a form is the digest of ${known}: whoever knows it can make the token.`,
      'Make a token for each session, of random bytes, and keep it there.',
    );
  // Whoever relies on SameSite alone is not accused.
  const isChecked = hasToken(app, body, page);
  if (!isChecked && (await isDeleted(`https://${EVIL_HOST}`, body, 'cross-site'))) return undefined;
  const near = nearOf(href);
  if ((await isDeleted(near)) || (await isDeleted(near, 'a=b', 'same-site', PLAIN)))
    return wrong(
      `A form at another port or subdomain, with Origin: ${near} and without a token, deletes the account.`,
      SAME_SITE,
    );
  return isChecked && (await isDeleted(near, body))
    ? wrong(
        `A form at another port or subdomain, with Origin: ${near} and the token of another user, deletes the account.`,
        OWN_TOKEN,
      )
    : undefined;
}
