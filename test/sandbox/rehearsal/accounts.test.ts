import { createHash, randomUUID } from 'node:crypto';
import {
  adding,
  changing,
  confirming,
  doing,
  EMAIL,
  escaped,
  findsMistakes,
  type Link,
  linkTo,
  listed,
  type Mistake,
  type Mistakes,
  rightLink,
  sandboxURL,
  sessions,
  type User,
  unlinking,
  userOf,
  type Verified,
  withSession,
} from './application.js';

import express = require('express');

/** Room for one login besides the own one. */
const inColumn =
  (link: Link): Link =>
  (users, login, signedIn, wanted) =>
    [...users].some(([key, user]) => user.id === wanted && key !== user.key && key !== login.key)
      ? undefined
      : link(users, login, signedIn, wanted);

/** Gives everybody the random ID of before, also after a deletion. */
function keepingAccounts(): Mistake {
  const ids = new Map<string, string>();
  return {
    verify: (_token, { id }) => {
      if (!ids.has(id)) ids.set(id, randomUUID());
      return { number: ids.get(id) };
    },
    deletes: (one, me) => one.key === me.key,
  };
}

/** Has its first page, as it was shown last, for those without a cookie. */
function cachingForVisitors(): Mistake {
  const pages = new Map<string, unknown>();
  return {
    page: '/settings',
    success: (_req, res) => res.redirect('/settings'),
    before: (req, res, next) => {
      if (req.path !== '/') return next();
      if (!req.headers.cookie && pages.has('/')) return res.send(pages.get('/'));
      const send = res.send.bind(res);
      res.send = (body) => send(pages.set('/', body).get('/'));
      return next();
    },
  };
}

/** Keeps the user of a page in a variable of each of two processes, which answer in turn. */
function inTwoProcesses(): Mistake {
  const users: (User | undefined)[] = [];
  let count = 0;
  const taking: express.RequestHandler = (req, res, next) => {
    count += 1;
    const [at, own] = [count % 2, userOf(req)];
    users[at] = own;
    const send = res.send.bind(res);
    res.send = (body) => {
      const swapped = () => String(body).replace(own?.name ?? '', users[at]?.name ?? '');
      setTimeout(() => send(swapped().replace(own?.number ?? '', users[at]?.number ?? '')), 30);
      return res;
    };
    next();
  };
  return { sessions: withSession(taking) };
}

/** Shows pictures at one URL for all. @param isLast - To everybody that of who came last. */
function picturing(isLast: boolean, age: string): Mistake {
  let last: unknown;
  return {
    isRaw: true,
    verify: (_token, { photos: [photo] = [] }) => {
      last = photo?.value ?? last;
      return { picture: photo?.value };
    },
    shown: ({ name, number }) => `${escaped(name)} ${number} <img src="/avatar">`,
    sessions: withSession((req, res, next) => {
      if (req.path !== '/avatar') return next();
      const picture = isLast ? last : Object(userOf(req)).picture;
      return picture ? res.set('Cache-Control', age).redirect(picture) : res.status(404).send('No picture');
    }),
  };
}

/** Has a form that changes the name of the account whose number it has. */
function changingNamed(): Mistake {
  const names = new Map<unknown, string>();
  return {
    shown: ({ name, number }) => `${escaped(names.get(number) ?? name)} ${number}`,
    isRaw: true,
    sessions: withSession((req, res, next) =>
      express.urlencoded()(req, res, () => {
        const { name, number } = userOf(req) ?? {};
        const fields = `<input type="hidden" name="account" value="${number}"><input name="name" value="${escaped(name ?? '')}">`;
        if (req.path === '/rename') names.set(req.body.account, req.body.name);
        return req.path === '/rename'
          ? res.redirect('/')
          : adding(() => (number ? `<form method="post" action="/rename">${fields}</form>` : ''))(
              req,
              res,
              next,
            );
      }),
    ),
  };
}

/** Shows the name of a user from the fifth page on. */
function naming(): Mistake {
  const counts = new Map<string, number>();
  return {
    shown: ({ name, number }) => {
      counts.set(number, 1 + (counts.get(number) ?? 0));
      return `${Number(counts.get(number)) < 5 ? '' : escaped(name)} ${number}`;
    },
  };
}

/** Refuses more logins than so many, as where a user may have few sessions. */
function limitingSessions(most: number): Mistake {
  let count = 0;
  const success: Mistake['success'] = (_req, res) => {
    count += 1;
    return count > most ? res.status(403).send('Too many devices.') : res.redirect('/');
  };
  return { success };
}

/** Adds a token to a form, and checks it. */
function tokenFor(path: string, isRight: (req: express.Request) => boolean): express.RequestHandler {
  const field = '<input type="hidden" name="_csrf" value="T">';
  const withToken = changing('/', (body) => body.replace(`action="${path}">`, (form) => form + field));
  return (req, res, next) =>
    express.urlencoded()(req, res, () =>
      req.path !== path || isRight(req) ? withToken(req, res, next) : res.status(403).send('Forged'),
    );
}

/** Shows the names of all who logged in as those of linked logins. */
function namingLinked(shown: (name: string) => string): express.RequestHandler {
  return adding(() => ['O\'Neil "Nora"', '<b>Twin</b>'].map(shown).join());
}

/** Unlinks a login, whose row stays in the way of the next one. */
function locking(): Mistake {
  const locked = new Set<unknown>();
  return {
    unlinks: (key, user, me) => user.id === me.id && key !== me.key && locked.add(key).size > 0,
    key: ({ provider, id }) => {
      if (locked.has(`${provider} ${id}`)) throw new Error('UNIQUE constraint failed');
      return `${provider} ${id}`;
    },
  };
}

/** Unlinks a login, which one of two processes has in its cache. */
function cached(): Mistake {
  const gone = new Map<unknown, User>();
  const unlinks: Mistake['unlinks'] = (key, user, me) => {
    const isMeant = user.id === me.id && key !== me.key;
    if (isMeant) gone.set(key, user);
    return isMeant;
  };
  let count = 0;
  const verify: Mistake['verify'] = (_token, { provider, id }) => {
    const user = gone.get(`${provider} ${id}`);
    count += Number(user !== undefined);
    return user && count % 3 === 0 ? { ...user } : {};
  };
  return { unlinks, verify };
}

/** The ID as a key, unless another user has the same value already. */
function unique(wanted: (profile: Verified) => unknown): (profile: Verified) => string {
  const owners = new Map<unknown, string>();
  return (profile) => {
    const value = wanted(profile);
    if (!owners.has(value)) owners.set(value, profile.id);
    if (value !== undefined && owners.get(value) !== profile.id) throw new Error('UNIQUE constraint failed');
    return profile.id;
  };
}

/** Writes the name of who logs in again into SQL. */
function updating(): Mistake {
  const known = new Set<string>();
  return {
    verify: (_token, { id, displayName }) => {
      const isBroken = known.has(id) && displayName.includes("'");
      known.add(id);
      return refuse(isBroken, 'syntax error at or near "Neil"');
    },
  };
}

/** What a database does with a value that it cannot keep. */
function refuse(isBroken: boolean, message: string): object {
  if (isBroken) throw new Error(message);
  return {};
}

/** Accounts whose number is that of the rows. */
function counted(): Mistake {
  const rows = new Map<string, string>();
  return {
    verify: (_token, { id }) => {
      const own = [...rows].find(([, owner]) => owner === id);
      const number = own?.[0] ?? `no-${rows.size + 1}`;
      rows.set(number, id);
      return { number };
    },
    shown: ({ number }) => `${rows.get(number)} ${number}`,
    deletes: (one, me) => one.key === me.key && rows.delete(one.number),
  };
}

/** Lets an ID in at the first network alone at which it came. */
function firstNetwork(): Mistake {
  const networks = new Map<string, string>();
  return {
    verify: (_token, { id, provider }) => {
      if (!networks.has(id)) networks.set(id, provider);
      return networks.get(id) === provider && {};
    },
  };
}

/** One account for everybody of one name, with all of their IDs. */
function byName(): Mistake {
  const ids = new Map<string, string[]>();
  return {
    key: ({ displayName, id }) => {
      ids.set(displayName, [...(ids.get(displayName) ?? []), id]);
      return displayName;
    },
    shown: ({ name }) => `${name} ${[...new Set(ids.get(name))].join(' ')}`,
  };
}

/** A name for everybody of one e-mail address. */
function renaming(): Mistake {
  const names = new Map<unknown, string>();
  return {
    options: EMAIL,
    verify: (_token, { emails, displayName }) => {
      const value = emails?.[0]?.value;
      names.set(value, displayName);
      return { value };
    },
    shown: (user) => `${names.get((user as { value?: string }).value)} ${user.id}`,
  };
}

/** Says that a login is linked, although it belongs to another account. */
const linkedAnyway: Mistake = {
  link: (users, login, signedIn, id) => rightLink(users, login, signedIn, id) ?? signedIn,
  success: ({ headers }, res) => res.redirect(/connect\.sid/.test(headers.cookie ?? '') ? '/?linked=1' : '/'),
  before: adding(({ url }) => (url === '/?linked=1' ? ' The login was linked.' : '')),
};

/** Says on another page, which has more with each link, that one is linked, also if it is refused. */
function linkedElsewhere(): Mistake {
  let count = 0;
  return {
    ...linkedAnyway,
    hasSettings: true,
    success: ({ headers }, res) => {
      const isLink = headers.cookie?.includes('connect.sid') === true;
      count += Number(isLink);
      res.redirect(isLink ? '/settings?linked=1' : '/');
    },
    before: adding(
      ({ url }) => `${url.endsWith('=1') ? 'The login was linked.' : ''} ${count} logins`,
      '/settings',
    ),
  };
}

/** Says who is linked. */
function namingWhom(): Mistake {
  let name = '';
  return {
    ...linkedAnyway,
    link: rightLink,
    verify: (_token, { displayName }) => {
      name = displayName;
      return {};
    },
    before: adding(({ url }) => (url === '/?linked=1' ? ` Linked: ${name}.` : '')),
    deletes: ({ number }, me) => number === me.number,
    besides: ['deletion'],
  };
}

/** Begins links for a few requests after a login alone, as if minutes were seconds. */
function fresh(): Mistake {
  const visit: express.RequestHandler = ({ path, session }, res, next) => {
    const own = session as { passport?: { user?: unknown }; visits?: number };
    if (own.passport?.user) own.visits = (own.visits ?? 0) + 1;
    return path.startsWith('/link') && Number(own.visits) > 9
      ? res.status(403).send('Log in again.')
      : next();
  };
  return { sessions: withSession(visit) };
}

/** Deletes behind a page that asks again, whose form says whose account it is. */
const askingWhose: Mistake = {
  sessions: [
    ...sessions({ sameSite: 'lax' }),
    express.urlencoded(),
    (req, res, next) => {
      if (req.path !== '/delete' || req.body.sure) return next();
      const fields = Object.entries({ sure: 'yes', number: userOf(req)?.number });
      const inputs = fields.map(([name, value]) => `<input type="hidden" name="${name}" value="${value}">`);
      return res.send(`<form method="post">${inputs.join('')}<button>Delete</button></form>`);
    },
  ],
  isRaw: true,
  shown: ({ name, number }) => `${escaped(name)} ${number}<form method="post" action="/delete"></form>`,
  deletes: (one, _me, named) => one.number === named,
};

/** Tells whoever links a login that somebody else has whose account it is. */
function tellingOwner(told: 'number' | 'name'): Mistake {
  let owner = '';
  return {
    ...unlinking,
    link: (users, login, ...more) => {
      owner = users.get(login.key)?.[told] ?? '';
      return rightLink(users, login, ...more);
    },
    before: (_req, res, next) => {
      const send = res.send.bind(res);
      res.send = (body) =>
        send(res.statusCode === 409 ? `This login belongs to the account ${owner}.` : body);
      next();
    },
    besides: ['deletion'],
  };
}

/** Shows a picture until another one is to be shown. */
function keepingPicture(): Mistake {
  let photo = '';
  return {
    network: 'short-video',
    verify: (_token, { photos }) => ({ photo: photos?.[0]?.value }),
    before: adding(({ user }) => {
      photo = Object(user).photo ?? photo;
      return user ? `<img src="${photo}">` : '';
    }),
  };
}

/** Shows the IDs of all who have looked at a page. */
function growing(): Mistake {
  const ids = new Set<string>();
  return { shown: ({ id, name, number }) => `${name} ${number} ${[...ids.add(id)].join(' ')}` };
}

/** Of the logins of a user, those but the first. */
const unlinksOther: Mistake['unlinks'] = (key, user, me) => user.id === me.id && key !== me.key;

const TOKEN = '<input type="hidden" name="csrf" value="right">';

const withField =
  (action: string, field: string): express.RequestHandler =>
  (_req, res, next) => {
    const send = res.send.bind(res);
    res.send = (body) => send(String(body).replace(`action="${action}">`, `$&${field}`));
    next();
  };

/** Lets a deletion pass by what its request has. @param field - In its form, which then has SameSite. */
const guardedBy = (isRight: (req: express.Request) => boolean, field = ''): Mistake => ({
  ...(field === '' && { sessions: sessions({}) }),
  deletes: ({ key }, me) => key === me.key,
  before: (req, res, next) => {
    withField('/delete', field)(req, res, () => undefined);
    express.urlencoded()(req, res, () =>
      req.path !== '/delete' || isRight(req) ? next() : res.status(403).send('Forged'),
    );
  },
});

/** The login that a form unlinks is named in its path. */
const inPath: Mistake = {
  before: (req, res, next) => {
    const send = res.send.bind(res);
    const field = /(action="\/logins\/remove)"><input type="hidden" name="id" value="(\w+)">/g;
    res.send = (body) => send(String(body).replace(field, '$1/$2">'));
    const [path, id] = /^\/logins\/remove(?=\/(\w+))/.exec(req.path) ?? [];
    if (path) req.url = path;
    express.urlencoded()(req, res, () => {
      if (id) req.body = { id };
      next();
    });
  },
};

/** Answers the page of settings as before to all who have the name of its user. */
function keptByName(): express.RequestHandler {
  const kept = new Map<string, unknown>();
  return (req, res, next) => {
    const user = userOf(req);
    if (req.path !== '/settings' || !user) return next();
    if (kept.has(user.name)) return res.send(kept.get(user.name));
    const send = res.send.bind(res);
    res.send = (body) => {
      kept.set(user.name, body);
      return send(body);
    };
    return next();
  };
}

/** Shows a login to all who link it within some milliseconds. */
function shared(): Mistake {
  const begun = new Map<unknown, number>();
  const lists = new Map<string, string[]>();
  return {
    link: (users, login, me, wanted) => {
      const isNew = Date.now() - (begun.get(login.key) ?? Date.now()) < 200;
      const linked = rightLink(users, login, me, wanted) ?? (begun.has(login.key) && isNew ? me : undefined);
      if (!begun.has(login.key)) begun.set(login.key, Date.now());
      if (linked) lists.set(me.number, [...(lists.get(me.number) ?? []), login.id]);
      return linked;
    },
    before: adding(({ user }) => lists.get((user as User | undefined)?.number ?? '')?.join(' ') ?? ''),
  };
}

const MISTAKES: Mistakes = {
  'users found by the number of their ID': [
    { key: ({ id }) => Number(id) },
    'two accounts',
    /provider and profile\.id together, both as text/,
  ],
  'users found by their e-mail address': [
    {
      options: EMAIL,
      key: ({ emails }) => String(emails?.[0]?.value),
      besides: [],
    },
    'two accounts',
    /by nothing else/,
  ],
  'an account for each login': [{ key: () => Math.random() }, 'one account', /before you insert/],
  'a user added after a pause': [{ pause: 1, patience: 60_000 }, 'one account', /unique key/],
  'a user added after a pause, whose page has no ID': [
    {
      pause: 20,
      patience: 60_000,
      shown: ({ name }) => escaped(name),
      deletes: ({ number }, me) => number === me.number,
    },
    'deletion',
    /unique key/,
  ],
  'users found by their name': [{ key: ({ displayName }) => displayName }, 'two accounts', /by nothing else/],
  'a link of nothing': [{ link: (_users, _login, signedIn) => signedIn }, 'linking', /Save the link/],
  'a link that signs in': [
    { link: (users, login) => users.get(login.key) ?? login },
    'linking',
    /sign nobody in/,
  ],
  'a link to whoever is signed in': [
    {
      link: (users, login, signedIn, id) =>
        users.has(login.key) ? undefined : linkTo(users, login, signedIn, id),
      besides: [],
    },
    'linking',
    /if it is still signed in/,
  ],
  "a linked network's IDs as numbers of 32 bits": [
    {
      linksOther: true,
      key: ({ provider, id }) =>
        `${provider} ${/^\d+$/.test(id) && provider !== 'microblog' ? Number(id) >>> 0 : id}`,
      besides: [],
    },
    'two accounts',
    /no slice\(\)/,
  ],
  'the name of a linked login, escaped twice': [
    { before: namingLinked((name) => escaped(escaped(name)).replaceAll("'", '&amp;#39;')), besides: [] },
    'linking',
    /Escape a name once/,
  ],
  'a link of another network whose form has no token': [
    {
      before: (req, res, next) =>
        req.path === '/link/other'
          ? res.status(403).send('Forged')
          : adding(() => '<form method="post" action="/link/other"></form>')(req, res, next),
    },
    'linking',
    /^Let the form pass/,
  ],
  'a declined link with the words of success': [
    {
      before: changing('/', (body, { url }) =>
        body.replace('</p>', url.includes('linked') ? ', it is linked</p>' : '</p>'),
      ),
      failure: (res) => res.redirect('/?linked'),
      success: ({ session }, res) => res.redirect(Object.hasOwn(session, 'isLinking') ? '/?linked' : '/'),
      keepsSession: true,
    },
    'linking',
    /nothing was linked/,
  ],
  'a link that takes one of two logins away': [
    {
      link: (users, login, signedIn, wanted) => {
        const owner = users.get(login.key);
        const count = [...users.values()].filter(({ number }) => number === owner?.number).length;
        return owner && owner.id !== wanted && count > 1 && signedIn.id === wanted
          ? linkTo(users, login, signedIn, wanted)
          : rightLink(users, login, signedIn, wanted);
      },
      besides: [],
    },
    'linking',
    /^Answer 409/,
  ],
  'a token that is the digest of the account': [
    {
      deletes: (one, me) => one.number === me.number,
      before: changing('/', (body, { user }) =>
        body.replace(
          /(action="\/delete">)/,
          `$1<input type="hidden" name="_csrf" value="${createHash('sha256')
            .update(Object(user).number ?? '')
            .digest('hex')}">`,
        ),
      ),
    },
    'deletion',
    /random bytes/,
  ],
  'a deletion that keeps the account': [
    keepingAccounts(),
    'deletion',
    /^Delete the row of the account, all of its logins/,
  ],
  'a deletion by a link of the page that asks': [
    {
      before: (req, res, next) => {
        if (req.method !== 'GET' || req.path !== '/delete')
          return adding(() => '<a href="/delete">Delete</a>')(req, res, next);
        if (req.query.sure === undefined)
          return res.send('<a href="/delete?sure=1">Yes</a><form method="post"></form>');
        req.method = 'POST';
        return next();
      },
    },
    'deletion',
    /^Let POST alone/,
  ],
  'a link that a URL begins for whoever opens it': [
    { linksBy: 'URL', besides: [] },
    'linking',
    /\{ state: user\.id \}/,
  ],
  'a link that a cookie remembers after it was declined': [
    { linksBy: 'cookie', besides: [] },
    'linking',
    /\{ state: user\.id \}/,
  ],
  'a link that takes the login of a namesake': [
    {
      link: (users, login, signedIn, wanted) =>
        users.get(login.key)?.name === signedIn.name
          ? linkTo(users, login, signedIn, wanted)
          : rightLink(users, login, signedIn, wanted),
      besides: [],
    },
    'linking',
    /^Answer 409/,
  ],
  'a link with the token of all users': [
    { before: tokenFor('/link/signin', ({ body }) => body?._csrf === 'T'), besides: [] },
    'linking',
    /one for all users is no secret/,
  ],
  'a deletion by a form of plain text': [
    {
      deletes: (one, me) => one.number === me.number,
      before: tokenFor(
        '/delete',
        ({ headers, body }) => headers['content-type'] === 'text/plain' || body?._csrf === 'T',
      ),
    },
    'deletion',
    /^Let POST alone/,
  ],
  'a number made of an ID where a login is linked': [
    {
      linksOther: true,
      before: changing('/', (body, { url }) =>
        body.replace('</p>', url.includes('linked') ? ', it is linked</p>' : '</p>'),
      ),
      success: ({ session }, res) => res.redirect(Object.hasOwn(session, 'isLinking') ? '/?linked' : '/'),
      keepsSession: true,
      deletes: (one, me) => one.number === me.number,
      link: (users, login, signedIn, wanted) =>
        rightLink(
          users,
          login.name.startsWith('Hubert') ? { ...login, key: `${String(login.key)}0` } : login,
          signedIn,
          wanted,
        ),
      besides: ['deletion'],
    },
    'linking',
    /Where a login is linked, too/,
  ],
  'a link that goes on as a login': [{ goesOn: true, besides: [] }, 'linking', /sign nobody in/],
  'sessions that live again after a deletion': [{ livesAgain: true }, 'deletion', /a random ID/],
  'a link that is kept twice': [
    {
      ...unlinking,
      link: (users, login, signedIn, wanted) =>
        users.get(login.key)?.id === wanted && login.key !== signedIn.key
          ? users.set(`again ${login.id}`, signedIn).get(login.key)
          : rightLink(users, login, signedIn, wanted),
      besides: [],
    },
    'linking',
    /ON CONFLICT DO NOTHING/,
  ],
  'a link that takes a login away': [{ link: linkTo }, 'linking', /Answer 409/],
  'a link that forgets the login from before': [
    {
      link: (users, login, user, id) => (users.delete(user.key) ? linkTo(users, login, user, id) : undefined),
    },
    'linking',
    /one row for each login/,
  ],
  'one user for everybody': [{ key: () => 'the user' }, 'two accounts | other people', /profile\.id/],
  'a picture that is taken for granted': [
    {
      verify: (_token, { photos }) => ({ photo: (photos as [{ value: string }])[0].value.length }),
      besides: [],
    },
    'other people',
    /profile\.photos\?\.\[0\]/,
  ],
  'a name that is shown as markup': [{ isRaw: true }, 'other people', /^Escape/],
  'an e-mail address that has to be unique': [
    { options: EMAIL, key: unique(({ emails }) => emails?.[0]?.value) },
    'two accounts | other people',
    /may have to be unique/,
  ],
  'a column that is too short for a name': [
    { verify: (_token, { displayName }) => refuse(displayName.length > 50, 'value too long') },
    'other people',
    /^hubert has long names/,
  ],
  'a deleted user who breaks every page': [
    { missing: (done) => done(new Error('no such user')) },
    'deletion',
    /done\(null, user \?\? false\)/,
  ],
  'a deleted user who stays signed in elsewhere': [
    { missing: (done, user) => done(null, user) },
    'deletion',
    /let deserializeUser find the user/,
  ],
  'one look-up for all who ask at a moment': [{ sharesLookup: true }, 'one account', /share a look-up/],
  'the user of whoever verified last': [
    { takesLast: true, patience: 60_000, besides: [] },
    'one account',
    /module/,
  ],
  'a link that was left, and takes the next login': [{ isFlagged: true }, 'linking', /info\.state/],
  'an unlink of nothing': [{ unlinks: () => false }, 'linking', /Delete the row of the login/],
  'an unlinked login in the cache of another process': [cached(), 'linking', /what a cache has of it/],
  'an unlink that locks the login': [locking(), 'linking', /Delete the row of the login/],
  'an unlink of the last login': [
    { unlinks: (_key, user, me) => user.id === me.id, unlinkPath: '/unlink', asksAgain: true },
    'linking',
    /Refuse to unlink the last login/,
  ],
  'an unlink for everybody': [
    { unlinks: (key, _user, me) => key !== me.key, unlinkPath: '/unlink', hasUnlinkField: true },
    'linking',
    /and the user who is signed in/,
  ],
  "a deletion that anybody's token lets pass": [
    guardedBy(({ body }) => body.number !== undefined),
    'deletion',
    /with a token of the session/,
  ],
  'a deletion that looks for its host anywhere in the Referer': [
    guardedBy(({ headers: { referer = '', host = '' } }) => referer.includes(host)),
    'deletion',
    /Sec-Fetch-Site/,
  ],
  'names that lose their letters': [
    { shown: ({ name, number }) => `${name.replace(/[^ -~]/g, '?')} ${number}` },
    'other people',
    /charset=utf-8/,
  ],
  'a second login in place of the first': [
    {
      link: (users, login, user, id) => {
        for (const [key, { number }] of users)
          if (number === user.number && key !== user.key) users.delete(key);
        return rightLink(users, login, user, id);
      },
      besides: [],
    },
    'linking',
    /one row for each login/,
  ],
  'an unlink of both logins of a network': [
    { unlinks: (key, user, me) => user.number === me.number && key !== me.key, besides: [] },
    'linking',
    /row of provider, profile\.id and the user/,
  ],
  'users found by an ID that some of them do not have': [
    {
      network: 'short-video',
      key: ({ _json }) => (_json as { data: { user: { union_id?: string } } }).data.user.union_id,
      shown: ({ number }) => number,
    },
    'other people',
    /^Find a user by provider and profile\.id/,
  ],
  'a page that breaks in another language': [
    {
      before: ({ path, headers }, res, next) =>
        path === '/' && headers['accept-language'] === '*' ? res.status(500).send('No words.') : next(),
    },
    'other people',
    /Take a language that you have/,
  ],
  'names that are sent as Latin letters': [
    {
      before: (_req, res, next) => {
        res.send = (body) => res.type('text/html; charset=iso-8859-1').end(body);
        next();
      },
    },
    'other people',
    /charset=utf-8/,
  ],
  'a name in an attribute without quotation marks': [
    {
      shown: ({ name, number }) => `${name} ${number}`,
      before: adding((_req, body) => `<img alt=${escaped(/Hello ([^<]*)/.exec(body)?.[1] ?? '')}>`),
    },
    'other people',
    /^Escape/,
  ],
  'a handle that a profile has not': [
    { shown: ({ name, number }) => `${name} ${number} @${undefined as unknown as string}` },
    'other people',
    /leave out what a profile has not/,
  ],
  'a link that takes a login for which there is no room': [
    {
      link: (users, login, signedIn, wanted) => {
        if (users.get(login.key)?.id !== wanted) users.delete(login.key);
        return inColumn(rightLink)(users, login, signedIn, wanted);
      },
    },
    'linking',
    /Answer 409/,
  ],
  'a link into a column, finished by somebody else': [
    {
      link: inColumn((users, login, signedIn, wanted) => {
        const owner = [...users.values()].find(({ id }) => id === wanted) ?? signedIn;
        return users.has(login.key) ? undefined : users.set(login.key, owner).get(login.key);
      }),
      unlinks: unlinksOther,
      besides: ['deletion'],
    },
    'linking',
    /info\.state/,
  ],
  'a deletion by a field that no form has': [{ isAssigned: true }, 'deletion', /by the ID of the account/],
  'a picture that browsers block': [
    {
      before: doing((_req, res) => res.set('Content-Security-Policy', "img-src 'self' data:")),
      isRaw: true,
      shown: ({ name }) => `${escaped(name)} <img src="https://pictures.example/1.jpg">`,
    },
    'other people',
    /the hosts of the networks' pictures in img-src/,
  ],
  'one ID at two networks': [{ hasOther: true, key: ({ id }) => id }, 'two accounts', /needs the provider/],
  'two accounts of one person, by two protocols': [
    { hasOther: true, otherProtocol: true },
    'one account',
    /the strategies of one network the same provider/,
  ],
  'a link that renames the account': [
    {
      link: (users, login, signedIn, wanted) => {
        const linked = rightLink(users, login, signedIn, wanted);
        return linked && Object.assign(linked, { name: login.name, others: [signedIn.name, login.name] });
      },
      shown: (user) => [user.name, ...((user as { others?: string[] }).others ?? [user.name])].join(),
    },
    'linking',
    /Keep what the account has/,
  ],
  'a form to unlink whose token nothing looks at': [
    { unlinks: unlinksOther, before: withField('/unlink/signin', TOKEN) },
    'linking',
    /with a token of the session/,
  ],
  'an account for each login, beside a birthday': [
    {
      key: () => ({}),
      isRaw: true,
      shown: (user) => `<b>${user.number}</b> ${user.name.length}.5.1990`,
      besides: [],
    },
    'one account',
    /^Find the user by provider and profile\.id before/,
  ],
  'a token that all users have': [
    guardedBy(({ body }) => body.csrf === 'right', TOKEN),
    'deletion',
    /a token for each session/,
  ],
  'people who are refused without an e-mail address': [
    { options: EMAIL, verify: (_token, { emails }) => (emails ? {} : false) },
    'other people',
    /layla and ned have no e-mail address/,
  ],
  'a link to the account that the form names': [
    {
      namesLinked: true,
      link: (users, login, _signedIn, wanted) => {
        const user = [...users.values()].find(({ id }) => id === wanted);
        return user && users.set(login.key, user).get(login.key);
      },
      besides: ['deletion'],
    },
    'linking',
    /account of info\.state/,
  ],
  'an Origin that only has to begin like the own one': [
    guardedBy(
      ({ headers: { origin, host } }) => origin?.startsWith(`http://${host?.split(':')[0]}:`) === true,
    ),
    'deletion',
    /Sec-Fetch-Site/,
  ],
  'a deletion by a link that overrides its method': [
    {
      before: (req, _res, next) => {
        req.method = new URL(req.url, 'http://localhost').searchParams.get('_method') ?? req.method;
        next();
      },
    },
    'deletion',
    /POST alone/,
  ],
  'a link that is declined, and signs out': [
    {
      failure: (res) => {
        if (Object.hasOwn(res.req.session, 'isLinking')) res.clearCookie('connect.sid');
        res.status(401).send('The login failed. Please try again.');
      },
    },
    'linking',
    /^Leave the session alone/,
  ],
  'a link that is refused a moment after the login': [fresh(), 'linking', /in the unit of the clock/],
  'a link that is refused and tells whose login it is': [
    tellingOwner('number'),
    'linking',
    /of that account/,
  ],
  'a link that is refused and names whose login it is': [tellingOwner('name'), 'linking', /of that account/],
  'a deletion whose last page says whose account it is': [askingWhose, 'deletion', /signed in alone/],
  'a link that is refused with the words of success': [linkedAnyway, 'linking', /^Answer 409/],
  'a link that is refused with the words of success, on another page': [
    linkedElsewhere(),
    'linking',
    /^Answer 409/,
  ],
  'a name as markup in what follows a link': [namingWhom(), 'linking', /^Escape what comes from a profile/],
  'a start that begins a link for who is signed in': [
    {
      sessions: withSession((req, _res, next) => {
        const { id } = userOf(req) ?? {};
        if (id !== undefined && req.path === '/signin') req.url = `/attach?member=${id}`;
        next();
      }),
      deletes: ({ number }, me) => number === me.number,
      besides: ['deletion'],
    },
    'linking',
    /away from where logins start/,
  ],
  'a move of the login that the form names': [{ movesNamed: 'field' }, 'linking', /let the form name none/],
  'a deletion of all of one name': [{ deletes: (one, me) => one.name === me.name }, 'deletion', /by the ID/],
  'a link that another site begins': [{ linkMethod: 'all' }, 'linking', /Sec-Fetch-Site is same-origin/],
  'an unlink by a link of the page': [
    { hasUnlinkLink: true, unlinkMethod: 'all', unlinks: unlinksOther },
    'linking',
    /POST alone/,
  ],
  'an unlink of the login that the form names': [
    { unlinksNamed: true, unlinks: () => true },
    'linking',
    /and the user who is signed in/,
  ],
  'a refused link that signs in': [
    { link: (...given) => rightLink(...given) ?? given[0].get(given[1].key) },
    'linking',
    /Sign nobody in/,
  ],
  'one account for a name': [byName(), 'two accounts', /both as text/],
  'one name for an e-mail address': [renaming(), 'two accounts', /both as text/],
  'a deletion that ends all sessions': [
    {
      sessions: withSession(({ method, path, sessionStore }, _res, next) => {
        if (method === 'POST' && path === '/delete' && sessionStore.clear) sessionStore.clear(next);
        else next();
      }),
    },
    'deletion',
    /and no others/,
  ],
  'a picture of nobody': [
    {
      isRaw: true,
      verify: (_token, { photos }) => ({ picture: photos?.[0]?.value }),
      shown: (user) =>
        `${escaped(user.name)} ${user.id} <img src="${(user as { picture?: string }).picture}">`,
    },
    'other people',
    /^layla has no picture/,
  ],
  'a name in a script of an attribute': [
    {
      isRaw: true,
      shown: ({ name, id }) =>
        `${escaped(name)} ${id} <button onclick="confirm('${escaped(name)}')">Delete</button>`,
    },
    'other people',
    /^nora has an apostrophe/,
  ],
  'half an emoji': [
    { shown: ({ name, id }) => `${name} ${id} ${name[0]}` },
    'other people',
    /^Cut names by characters/,
  ],
  'people without a picture who are sent away': [
    {
      verify: (_token, { photos }) => photos !== undefined && {},
      failure: (res) => res.redirect('/'),
      besides: [],
    },
    'other people',
    /^layla has no picture/,
  ],
  'a deserializeUser that is silent about who was deleted': [
    { missing: () => {}, besides: ['secrets in responses'] },
    'deletion',
    /call done for every user/,
  ],
  'a link that no login looks for': [
    { link: (_users, _login, signedIn) => ({ ...signedIn, name: `${signedIn.name}, linked` }) },
    'linking',
    /where links are saved/,
  ],
  'a link that browsers block': [
    {
      before: doing((_req, res) => res.set('Content-Security-Policy', "form-action 'self'")),
    },
    'linking',
    /Name the network's origin in form-action/,
  ],
  'a refused link that says nothing': [
    {
      link: (users, login, signedIn, id) =>
        users.has(login.key) ? signedIn : rightLink(users, login, signedIn, id),
    },
    'linking',
    /Answer 409 with a page/,
  ],
  'a deletion that a login undoes': [{ keepsLinked: true, restores: true }, 'deletion', /^Delete the row of/],
  'a deletion of nothing': [{ deletes: () => false }, 'deletion', /delete the account and its logins/],
  'an ID that is the number of accounts': [counted(), 'deletion', /no count of rows/],
  'SQL with a name in its text': [updating(), 'other people', /^nora has an apostrophe .* as parameters/],
  'a deletion by a link of another site': [{ deleteMethod: 'all' }, 'deletion', /POST alone/],
  'a deletion by the form of any site': [{ sessions: sessions({}) }, 'deletion', /Safari and Firefox/],
  'a deletion of the account that the form names': [
    { deletes: (one, _me, named) => one.number === named },
    'deletion',
    /req\.user\.id/,
  ],
  'a deletion of everybody of one ID': [
    { deletes: (one, me) => one.id === me.id, hasOther: true },
    'deletion',
    /req\.user\.id/,
  ],
  "a deletion that anybody's login confirms": [
    confirming(false),
    'deletion',
    /the account that is signed in/,
  ],
  'a link to an account that was deleted meanwhile': [
    { linksToDeleted: true, pause: 20 },
    'deletion',
    /REFERENCES accounts/,
  ],
  'a deletion that keeps what was linked': [{ keepsLinked: true }, 'deletion', /Remove every row/],
  'a number that a deleted account had': [{ reusesNumbers: true }, 'deletion', /AUTOINCREMENT/],
  ...Object.fromEntries(
    (
      [
        ['without hyphens and underscores', (id) => id.replace(/[-_]/g, ''), 'two accounts | other people'],
        ['with hyphens in place of underscores', (id) => id.replaceAll('_', '-'), 'other people'],
        ['cut to 64 characters', (id) => id.slice(0, 64), 'other people'],
        ['without what is no letter at its beginning', (id) => id.replace(/^\W+/, ''), 'two accounts'],
        ['as a number', (id) => Number.parseInt(id, 10), 'two accounts | other people'],
      ] as const satisfies readonly (readonly [string, (id: string) => unknown, string])[]
    ).map(([title, key, names]) => [
      `users found by their ID ${title}`,
      [{ network: 'short-video', key: ({ id }: Verified) => key(id) }, names, /both as text/],
    ]),
  ),
  'a picture of who was there before': [keepingPicture(), 'other people', /values of its user alone/],
  'a list of all who were there before': [
    growing(),
    'two accounts | secrets in responses',
    /in a variable of the module/,
  ],
  'an account that replaces those of its name': [{ replaces: true }, 'two accounts', /REPLACE/],
  'a move that deletes the other account': [
    { movesAll: true, besides: ['deletion'] },
    'linking',
    /only if that was its last one/,
  ],
  'an unlink of the same ID at another network': [
    {
      linksOther: true,
      hasOther: true,
      unlinkPath: '/logins/remove',
      unlinksNamed: true,
      unlinks: (key, _user, me, users) => {
        const idOf = (one: unknown) => String(one).split(' ')[1];
        return [...users].some(([own, { number }]) => number === me.number && idOf(own) === idOf(key));
      },
      besides: ['deletion'],
    },
    'linking',
    /and the user who is signed in/,
  ],
  'a link that takes the same ID at another network for the same login': [
    {
      ...unlinking,
      linksOther: true,
      hasOther: true,
      link: (users, login, signedIn, wanted) => {
        const [, id] = String(login.key).split(' ');
        const isTaken = [...users.keys()].some((key) => key !== login.key && String(key).endsWith(` ${id}`));
        return isTaken ? undefined : rightLink(users, login, signedIn, wanted);
      },
      besides: ['deletion'],
    },
    'linking',
    /both together/,
  ],
  'a session that a link under way writes back': [
    {
      success: (req, res) => {
        Object.assign(req.session, { linked: Date.now() });
        res.redirect('/');
      },
      keepsSession: true,
      besides: ['deletion'],
    },
    'linking',
    /req\.session\.reload/,
  ],
  'an account for all of one name who log in at one moment': [
    { joinsByName: true, pause: 20, besides: [] },
    'one account',
    /unless provider and profile\.id are its key/,
  ],
  'a link that signs in who began it': [{ resumes: true, besides: [] }, 'linking', /sign nobody in/],
  'a name that is escaped twice, with numbers': [
    { isRaw: true, shown: ({ name }) => escaped(name).replaceAll('&quot;', '&#38;#34;'), besides: [] },
    'other people',
    /Escape a name once/,
  ],
  'a deleted user whom a page sends to itself': [
    {
      missing: (done) => done(new Error('no such user')),
      before: (_req, res, next) => {
        const send = res.send.bind(res);
        res.send = (body) => {
          if (res.statusCode !== 500) return send(body);
          res.redirect('/');
          return res;
        };
        next();
      },
      besides: [],
    },
    'deletion',
    /done\(null, user \?\? false\)/,
  ],
  'a form to unlink that is refused': [
    {
      unlinks: unlinksOther,
      before: ({ path }, res, next) => (path.startsWith('/unlink') ? res.status(403).send('Forged') : next()),
      besides: [],
    },
    'linking',
    /one for each session, not for each page/,
  ],
  'a form to unlink that says a place in a list': [
    { ...listed('reversed'), besides: [] },
    'linking',
    /not by its place in a list/,
  ],
  'forms to unlink that all name the first login': [
    { ...listed('first'), besides: [] },
    'linking',
    /by its provider and ID/,
  ],
  'an ID that belongs to one network alone': [
    { ...firstNetwork(), hasOther: true, besides: [] },
    'two accounts',
    /needs the provider/,
  ],
  'an ID without all but letters and digits': [
    {
      network: 'short-video',
      key: ({ id }) => id.replace(/[^a-z0-9_]/gi, ''),
      shown: ({ name, id }) => `${name} ${id}`,
      besides: [],
    },
    'two accounts',
    /no slice\(\) or replace\(\)/,
  ],
  'an unlink of the login that the path names': [
    {
      ...inPath,
      unlinksNamed: true,
      unlinks: (key) => String(key).startsWith('social-network '),
      unlinkPath: '/logins/remove',
      linksOther: true,
    },
    'linking',
    /and the user who is signed in/,
  ],
  'a move of the login that the path names': [
    { movesNamed: 'path', besides: [] },
    'linking',
    /let the form name none/,
  ],
  'two unlinks at the same moment, in two sessions': [
    {
      shown: ({ name, number }) => `${name} ${number.slice(3)}`,
      unlinkPause: 20,
      keepsSession: true,
      ...unlinking,
      unlinks: (key, user, me, users, begun) =>
        key !== begun && unlinking.unlinks?.(key, user, me, users, begun) === true,
      patience: 60_000,
      besides: [],
    },
    'linking',
    /in one transaction/,
  ],
  'a deletion by the URL to which its form leads': [
    {
      deleteMethod: 'all',
      before: (req, res, next) => {
        const { method, path } = req;
        if (path === '/delete' && method === 'POST') return res.redirect('/delete/now');
        if (path === '/delete') return res.status(404).send('No such page.');
        if (path === '/delete/now') req.url = '/delete';
        return next();
      },
      besides: [],
    },
    'deletion',
    /POST alone/,
  ],
  'a link of another network, without a token': [
    {
      before: (req, res, next) => {
        const other = `<form method="post" action="/link/other">${TOKEN}</form>`;
        adding(({ user }) => (user ? other : ''))(req, res, () => undefined);
        withField('/link/signin', TOKEN)(req, res, () => undefined);
        express.urlencoded()(req, res, () =>
          req.path !== '/link/signin' || req.body?.csrf === 'right' ? next() : res.status(403).send('Forged'),
        );
      },
      besides: [],
    },
    'linking',
    /with a token of the session/,
  ],
  'a token that browsers do not send': [
    {
      before: (req, res, next) => {
        withField('/link/signin', TOKEN.replace('>', ' disabled>'))(req, res, () => undefined);
        express.urlencoded()(req, res, () =>
          req.path !== '/link/signin' || req.body?.csrf === 'right' ? next() : res.status(403).send('Forged'),
        );
      },
      besides: [],
    },
    'linking',
    /no field that is disabled/,
  ],
  'a part of another page that a cache keeps by the name': [
    { hasSettings: true, sessions: withSession(keptByName()), besides: [] },
    'two accounts',
    /and cache of this page go by the ID/,
  ],
  'a notice of a link that was declined, which stays': [
    {
      failure: (res) => (res.req.user ? res.cookie('notice', '1') : res.status(401)).redirect('/?failed'),
      before: adding(({ user, headers, url }) =>
        url === '/?failed' || (user && /notice/.test(headers.cookie ?? '')) ? 'You declined.' : '',
      ),
      besides: [],
    },
    'linking',
    /Remove a message/,
  ],
  'a login that two users link at one moment': [
    { ...shared(), besides: ['deletion'] },
    'linking',
    /unique key/,
  ],
  'a picture that a policy of embedding blocks': [
    {
      before: doing((_req, res) => res.set('Cross-Origin-Embedder-Policy', 'require-corp')),
      isRaw: true,
      shown: ({ name }) => `${escaped(name)} <img src="https://pictures.example/1.jpg">`,
      besides: [],
    },
    'other people',
    /Leave the header out/,
  ],
  'users found by the letters and digits of their ID': [
    { network: 'short-video', key: ({ id }) => id.toLowerCase().replace(/\W|_/g, ''), besides: [] },
    'two accounts',
    /no slice\(\) or replace\(\)/,
  ],
  'an unlink by a form of another site, with the fields of the own one': [
    { ...unlinking, linksOther: true, sessions: sessions({}), besides: [] },
    'linking',
    /with a token of the session/,
  ],
  'a cache for visitors that has the pages of users': [cachingForVisitors(), 'session', /cache/],
  'a variable in each of two processes': [inTwoProcesses(), 'one account', /app\.locals/],
  'a picture of the user that browsers keep': [
    { ...picturing(false, 'private, max-age=86400'), besides: [] },
    'secrets in responses',
    /no-store/,
  ],
  'one picture for everybody': [{ ...picturing(true, 'no-store'), besides: [] }, 'two accounts', /WHERE/],
  'a form that says whose account it changes': [changingNamed(), 'secrets in responses', /req\.user\.id/],
  'links to whatever host a proxy names': [
    { before: adding((req) => `<a href="//${req.get('X-Forwarded-Host') ?? 'localhost'}/">Home</a>`) },
    'foreign X-Forwarded-Host',
    /of paths/,
  ],
  'a name that comes later': [{ ...naming(), besides: [] }, 'other people', /first login/],
  'a user who may have few sessions': [
    { ...limitingSessions(6), besides: [] },
    'session',
    /one session for each browser/,
  ],
  'a deletion that ends where the network does not revoke': [
    {
      deletes: ({ number }, me) => number === me.number,
      before: async (req, res, next) => {
        const url = `${sandboxURL}/microblog/2/oauth2/revoke`;
        const isTried = req.path === '/delete' && req.method === 'POST';
        const { status } = isTried ? await fetch(url, { method: 'POST' }) : { status: 0 };
        return status === 503 ? res.status(502).send('The network did not answer.') : next();
      },
      besides: [],
    },
    'deletion',
    /whatever the network answers/,
  ],
};

describe('a rehearsal of what an application makes of accounts', function () {
  // Rehearsals take as long as their own limit where the machine is busy.
  this.timeout(120_000);
  findsMistakes(MISTAKES);
});
