import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { STATUS_CODES } from 'node:http';
import { inspect } from 'node:util';
import { cookieLogins, isLoginResponse } from 'passport-social-networks';
import {
  adding,
  atCallback,
  changing,
  cookies,
  doing,
  EMAIL,
  escaped,
  findsMistakes,
  inCookie,
  isCallback,
  keepingID,
  log,
  type Mistake,
  type Mistakes,
  pass,
  remembering,
  sessions,
  token,
  type User,
  userOf,
  type Verified,
  withSession,
} from './application.js';

import express = require('express');
import session = require('express-session');

/** The ID as a key, which a second login cannot have. */
function onlyOnce(): (profile: Verified) => string {
  const seen = new Set<string>();
  return ({ id }) => {
    if (seen.has(id)) throw new Error('UNIQUE constraint failed');
    seen.add(id);
    return id;
  };
}

/** Does something to every second callback, from the first one on. */
function everySecond(change: (req: express.Request) => unknown): express.RequestHandler {
  let count = 0;
  return (req, _res, next) => {
    count += Number(isCallback(req));
    if (isCallback(req) && count % 2 === 1) change(req);
    next();
  };
}

/** Answers every start as the first one. */
function cached(): express.RequestHandler {
  let kept: string | undefined;
  return ({ path }, res, next) => {
    if (path !== '/signin') return next();
    if (kept !== undefined) return res.redirect(kept);
    const end = res.end.bind(res) as () => express.Response;
    res.end = () => {
      kept = String(res.getHeader('location'));
      return end();
    };
    return next();
  };
}

/** Sends the user through a URL with a ticket, which signs in as often as it is opened. */
function tickets(): Mistake {
  const users = new Map<string, User>();
  return {
    success: ({ user }, res) => {
      const ticket = randomBytes(8).toString('hex');
      users.set(ticket, user as User);
      res.redirect(`/enter?ticket=${ticket}`);
    },
    before: (req, res, next) => {
      if (req.path === '/enter')
        return res.cookie('ticket', req.query.ticket, { httpOnly: true }).redirect('/');
      const user = users.get(/ticket=(\w+)/.exec(req.headers.cookie ?? '')?.[1] ?? '');
      if (user) req.user = user;
      return next();
    },
  };
}

/** Answers with a redirect to the start, whatever is sent. */
function retrying(res: express.Response): express.Response {
  res.send = () => {
    res.redirect('/signin');
    return res;
  };
  return res;
}

/** Has a page with the addresses of all. @param from - The page that links to it, if it is the usual one. */
function listingAll(path = '/all', from = '/'): Mistake {
  const all = new Set<string | undefined>();
  return {
    options: EMAIL,
    verify: (_token, { emails }) => {
      all.add(emails?.[0]?.value);
      return {};
    },
    before: (req, res, next) =>
      req.path === path
        ? res.send([...all].join())
        : adding(() => (path === '/all' ? '<a href="/all">All</a>' : ''), from)(req, res, next),
    ...(from !== '/' && { hasSettings: true }),
  };
}

/** Has room for some logins at one moment, as a pool whose transactions wait for a second connection. */
function crowded(most: number): Mistake {
  let count = 0;
  const before: express.RequestHandler = (req, res, next) => {
    if (!isCallback(req)) return next();
    count += 1;
    res.once('close', () => {
      count -= 1;
    });
    return count > most ? res.status(500).send('No connection is free.') : next();
  };
  return { before };
}

/** Answers everybody who asks for a page at one moment as the last of them. */
function lastPage(): Mistake {
  let last = '';
  return {
    hasSettings: true,
    before: (req, res, next) => {
      const send = res.send.bind(res);
      if (req.path === '/settings')
        res.send = (body) => {
          last = String(body);
          setTimeout(() => send(last), 15);
          return res;
        };
      next();
    },
  };
}

/** Names everybody who logged in on a page of the user's own. */
function namingAll(): Mistake {
  const names = new Set<string>();
  return {
    hasSettings: true,
    verify: (_token, { displayName }) => {
      names.add(displayName);
      return {};
    },
    before: adding(() => [...names].map(escaped).join(), '/settings'),
  };
}

/** Shows the last user of the application wherever there is nothing. */
function lastUserNowhere(): Mistake {
  let last: User | undefined;
  return {
    success: ({ user }, res) => {
      last = user as User;
      res.redirect('/');
    },
    before: (req, res, next) =>
      req.path === '/nowhere' ? res.status(404).send(`Nothing for ${last?.name}`) : next(),
  };
}

/** Keeps an anonymous session as it becomes that of a user, once a login was declined in it. */
const keptAfterDecline: Mistake = {
  sessions: withSession((req, res, next) => {
    if (Object.hasOwn(req.session, 'declined')) return keepingID(req, res, next);
    if (isCallback(req) && req.query.error) Object.assign(req.session, { declined: true });
    return next();
  }),
};

/** Signs in whom a header names. */
const signingInBy = (header: string): Mistake => ({
  before: (req, _res, next) => {
    const id = req.get(header);
    if (id !== undefined) Object.assign(req, { user: { id, name: 'Alice Example', number: 'no-1' } });
    next();
  },
});

/** Signs in by a signed cookie that is always the same, beside the session. */
const rememberingForEver = remembering(
  ({ number }) => `${number}.${createHash('sha256').update(`of nobody else ${number}`).digest('hex')}`,
);

const findsNothing: session.Store['get'] = (_id, done) => done(null, null);

const userCookie: Mistake['success'] = ({ user }, res) =>
  res.cookie('user', Buffer.from(JSON.stringify(user)).toString('base64'), { httpOnly: true }).redirect('/');

/** Lets each login wait for those before it. */
function queued(): Mistake {
  let last: Promise<unknown> = Promise.resolve();
  return {
    before: (req, res, next) => {
      if (!isCallback(req)) return next();
      const before = last;
      last = new Promise((resolve) => res.on('close', resolve));
      return before.then(() => next());
    },
  };
}

/** Knows a user in the newest session alone. */
function newestOnly(): express.RequestHandler {
  const newest = new Map<string, string>();
  const seen = new Set<string>();
  return ({ session: own, sessionID }, _res, next) => {
    const { user } = (own as { passport?: { user?: User } }).passport ?? {};
    if (user && !seen.has(sessionID)) newest.set(user.id, sessionID);
    if (user) seen.add(sessionID);
    if (user && newest.get(user.id) !== sessionID) Object.assign(own, { passport: {} });
    next();
  };
}

const renewing: express.RequestHandler = (req, _res, next) => {
  const { passport: kept } = req.session as { passport?: object };
  if (kept === undefined) return next();
  return req.session.regenerate((error) => {
    Object.assign(req.session, { passport: kept });
    next(error);
  });
};

/** Accounts that are not there yet when they are looked for the first time. */
function firstFails(): (profile: Verified) => string {
  const seen = new Set<string>();
  return ({ id }) => {
    if (seen.size === seen.add(id).size) return id;
    throw new TypeError("Cannot read properties of undefined (reading 'id')");
  };
}

/** Answers a page as before, for two seconds, whoever asks. @param isWhole - Each URL of it, and what a visitor saw, too. */
function keptPage(isWhole = false, at = '/'): express.RequestHandler {
  const all = new Map<string, { readonly body: unknown; readonly until: number }>();
  return ({ url, path, headers }, res, next) => {
    const isKept = isWhole ? path === at : url === at && headers.cookie?.includes('connect.sid');
    if (!isKept) return next();
    const kept = all.get(url);
    if (kept && kept.until > Date.now()) return res.send(kept.body);
    const send = res.send.bind(res);
    res.send = (body: unknown) => {
      all.set(url, { body, until: Date.now() + 2_000 });
      return send(body);
    };
    return next();
  };
}

const keptHome = keptPage();

/** Keeps where a login should end in a variable of the module. */
function returningInVariable(): Mistake {
  let target = '/';
  return {
    before: ({ path, query: { returnTo } }, _res, next) => {
      if (path === '/signin' && typeof returnTo === 'string' && /^\/\w*\?/.test(returnTo)) target = returnTo;
      next();
    },
    success: (_req, res) => {
      res.redirect(target);
      target = '/';
    },
  };
}

/** Passes the user on in the URL. */
function signingURL(): Mistake {
  const users = new Map<string, User>();
  return {
    success: ({ user }, res) => {
      const ticket = randomBytes(8).toString('hex');
      users.set(ticket, user as User);
      res.redirect(`/?ticket=${ticket}`);
    },
    before: (req, _res, next) => {
      const user = users.get(req.query.ticket as string);
      if (user) req.user = user;
      next();
    },
  };
}

/** Lets nobody in who has signed out. */
function signingOutForEver(): Mistake {
  const ended = new Set<string>();
  return {
    verify: (_token, { id }) => !ended.has(id) && {},
    signOut: (req, res, next) => {
      ended.add((req.user as User).id);
      req.logout((error) => (error ? next(error) : res.redirect('/')));
    },
  };
}

/** Signs the last user of the browser in again where somebody declines. */
function lastUser(): Mistake {
  const users = new Map<string, User>();
  return {
    success: ({ user }, res) => {
      const { number } = user as User;
      users.set(number, user as User);
      res.cookie('last', number, { httpOnly: true }).redirect('/');
    },
    failure: (res) => {
      const user = users.get(/last=([^;]+)/.exec(res.req.headers.cookie ?? '')?.[1] ?? '');
      if (user && res.req.query.error === 'access_denied') res.req.logIn(user, () => res.redirect('/'));
      else res.status(401).send('The login failed. Please try again.');
    },
  };
}

/** A page that also names whoever was the first to log in with the browser. */
const remembersName: Mistake = {
  success: ({ user, headers }, res) => {
    if (!/name=/.test(headers.cookie ?? '')) res.cookie('name', (user as User).name, { httpOnly: true });
    res.redirect('/');
  },
  before: adding(({ headers }) => {
    const [, name = ''] = /name=([^;]+)/.exec(headers.cookie ?? '') ?? [];
    return ` ${escaped(decodeURIComponent(name))}`;
  }),
  besides: [],
};

/** Saves each session at once, and what changes in it a second later. */
function lateStore(): session.Store {
  const store = new session.MemoryStore();
  const known = new Set<string>();
  const set = store.set.bind(store);
  store.set = (id, data, done) => {
    const kept = structuredClone(JSON.parse(JSON.stringify(data))) as session.SessionData;
    if (!known.has(id)) {
      known.add(id);
      return set(id, kept, done);
    }
    setTimeout(() => set(id, kept), 1_000);
    return done?.();
  };
  return store;
}

/** Keeps so many sessions, and each only after so many milliseconds. */
function storeOf(most: number, pause: number): session.SessionOptions['store'] {
  const store = new session.MemoryStore();
  const ids = new Set<string>();
  const set = store.set.bind(store);
  store.set = (id, data, done) => {
    ids.add(id);
    const [oldest = ''] = ids;
    if (ids.size > most && ids.delete(oldest)) store.destroy(oldest);
    // The session goes on to change.
    const kept = structuredClone(JSON.parse(JSON.stringify(data))) as session.SessionData;
    if (pause === 0) return set(id, kept, done);
    setTimeout(() => set(id, kept), pause);
    return done?.();
  };
  return store;
}

/** One session for everybody who has the address, and no start for who is signed in. */
function byAddress(): express.RequestHandler[] {
  const shared: { passport?: object } = {};
  const method = { value: (done?: () => void) => done?.() };
  Object.defineProperties(shared, { regenerate: method, save: method });
  const share: express.RequestHandler = (req, res, next) => {
    Object.assign(req, { session: shared });
    return req.path === '/signin' && shared.passport ? res.redirect('/') : next();
  };
  return [share];
}

const emptied: express.RequestHandler = (req, res) => {
  Object.assign(req, { session: null });
  res.redirect('/');
};

/** Digests of one number after the other. */
const counting = () => {
  let count = 0;
  return () => {
    count += 1;
    return createHash('md5').update(String(count)).digest('hex');
  };
};

/** Sessions whose ID is what the browser sends. */
const chosen = (): express.RequestHandler[] => {
  const kept = new Map<string, object>();
  return [
    (req, res, next) => {
      const [, id = randomUUID()] = /sid=([^;]+)/.exec(req.headers.cookie ?? '') ?? [];
      const save = (done: () => void) => {
        kept.set(id, own);
        if (!res.headersSent) res.cookie('sid', id, { httpOnly: true, sameSite: 'lax' });
        done();
      };
      const own = kept.get(id) ?? {};
      Object.defineProperties(own, {
        regenerate: { configurable: true, value: (done: () => void) => done() },
        save: { configurable: true, value: save },
      });
      Object.assign(req, { session: own });
      next();
    },
  ];
};

const keptAccount = (): Mistake => {
  const users = new Map<string, User>();
  return {
    success: ({ user, headers }, res) => {
      const account = randomUUID();
      users.set(account, user as User);
      if (!headers.cookie?.includes('account=')) res.cookie('account', account, { httpOnly: true });
      res.cookie('in', '1', { httpOnly: true }).redirect('/');
    },
    passport: (req, _res, next) => {
      const [, account = ''] = /account=([^;]+)/.exec(req.headers.cookie ?? '') ?? [];
      if (/\bin=1/.test(req.headers.cookie ?? '')) req.user = users.get(account);
      next();
    },
    signOut: (_req, res) => res.clearCookie('in').redirect('/'),
  };
};

const tokenOnTheWay = (): Mistake => {
  let token = '';
  return {
    verify: (accessToken) => {
      token = accessToken;
      return {};
    },
    before: ({ path }, res, next) => {
      const base64 = Buffer.from(`token=${token}`).toString('base64');
      const encoded = base64.replaceAll(/./g, (a) => `%${a.charCodeAt(0).toString(16)}`);
      return path === '/done' ? res.redirect(`/?t=${encodeURIComponent(encoded)}`) : next();
    },
    success: (_req, res) => res.redirect('/done'),
  };
};

/** Logs a mail with a link that signs in: the cookie's value backwards. */
function mailing(): Mistake {
  const { success, before } = remembering(() => randomUUID());
  const reversed = (text: string) => text.split('').reverse().join('');
  return {
    success: (req, res) => {
      success?.(req, res);
      const [, uid = ''] = /uid=([^;]+)/.exec(String(res.getHeader('set-cookie'))) ?? [];
      appendFileSync(log, `Mail: open http://${req.headers.host}/magic/${reversed(uid)} to come back.\n`);
    },
    before: (req, res, next) => {
      const [, token] = /^\/magic\/(.+)/.exec(req.path) ?? [];
      return token ? res.cookie('uid', reversed(token)).redirect('/') : before?.(req, res, next);
    },
    besides: [],
  };
}

/** Answers with the last access token at a path to which the page leads. */
function tokenAt(path: string): Mistake {
  let token = '';
  return {
    verify: (accessToken) => {
      token = accessToken;
      return {};
    },
    before: (req, res, next) =>
      req.path === path
        ? res.json({ token })
        : adding(() => ` <a href="${path}">Your data</a>`)(req, res, next),
  };
}

/** Joins the first login of somebody to the account that the browser's cookie names. */
function joining(): Mistake {
  const keys = new Map<string, string>();
  let device = '';
  return {
    before: ({ headers }, _res, next) => {
      device = decodeURIComponent(/device=([^;]+)/.exec(headers.cookie ?? '')?.[1] ?? '');
      next();
    },
    key: ({ provider, id }) => {
      const own = `${provider} ${id}`;
      if (!keys.has(own)) keys.set(own, device || own);
      return keys.get(own);
    },
    success: ({ user }, res) =>
      res.cookie('device', String((user as User).key), { httpOnly: true }).redirect('/'),
  };
}

/** Every second request reaches the other process. */
const twoStores = () => {
  const stores = [sessions({}), sessions({})].flat();
  let count = 0;
  const alternate: express.RequestHandler = (req, res, next) => {
    count += 1;
    stores[count % 2]?.(req, res, next);
  };
  return [alternate];
};

/** Shows a parameter of the URL, to which it leads after a login. */
const noticing: Mistake = {
  success: (_req, res) => res.redirect('/?notice=Welcome'),
  before: adding(({ query: { notice = '' } }) => `<p>${notice as string}</p>`),
};

/** Answers a response of which no cookie knows. */
const beginningAgain = (answer: (res: express.Response) => unknown): Mistake => ({
  before: (req, res, next) =>
    isCallback(req) && req.query.code && !req.headers.cookie?.includes('login.') ? answer(res) : next(),
});

/** Has a link to the page of the user at another path, where proxies may keep it. */
const keptByProxies = (path: string, shown: (user: User) => string): Mistake => ({
  before: (req, res, next) => {
    if (req.path !== path) return next();
    res.set('Cache-Control', 'public, max-age=60');
    req.url = '/';
    return next();
  },
  isRaw: true,
  shown: (user) => `${shown(user)} <a href="${path}">More</a>`,
});

/** Keeps what it tells a user in a variable, from which the next page takes it. */
function telling(): Mistake {
  let notice = '';
  const redirect = (res: express.Response, words: string) => {
    notice = words;
    res.redirect('/');
  };
  return {
    success: (_req, res) => redirect(res, 'Welcome back'),
    failure: (res) => redirect(res, 'You declined'),
    before: adding((_req, body) => {
      if ((notice === 'Welcome back') !== body.includes('Hello')) return '';
      const words = notice;
      notice = '';
      return words;
    }),
  };
}

/** Refuses a start while the browser has a login that waits. */
const inProgress: Mistake = {
  before: (req, res, next) =>
    req.path === '/signin' && /login\./.test(req.headers.cookie ?? '') && !isLoginResponse(req)
      ? res.status(409).send('You are logging in already.')
      : next(),
};

/** Loses the account of whoever logs in again. */
function losing(): Mistake {
  const count = new Map<string, number>();
  return {
    success: ({ user }, res) => {
      const { id } = user as User;
      count.set(id, 1 + (count.get(id) ?? 0));
      res.redirect('/');
    },
    sessions: withSession(({ session: own }, _res, next) => {
      const { user } = (own as { passport?: { user?: User } }).passport ?? {};
      if (user && (count.get(user.id) ?? 0) > 1) Object.assign(own, { passport: {} });
      next();
    }),
  };
}

/** Ends the sessions of all who have the name of the user. */
function byNameOut(): Mistake {
  const store = new session.MemoryStore();
  return {
    sessions: sessions({ sameSite: 'lax' }, { store }),
    signOut: (req, res) =>
      store.all((_error, all) => {
        for (const [id, { passport: kept }] of Object.entries(
          all as Record<string, { passport?: { user?: User } }>,
        ))
          if (kept?.user?.name === (req.user as User).name) store.destroy(id);
        res.redirect('/');
      }),
  };
}

const MISTAKES: Mistakes = {
  'a missing passport.session()': [{ passport: pass }, 'session', /passport\.session\(\)/],
  'a session whose ID stays': [{ keepsId: true }, 'session ID', /regenerate\(\)/],
  'a start that changes who is signed in': [
    { startFinishes: true },
    'somebody else signed in',
    /isLoginResponse\(req\)/,
  ],
  'a callback that changes who is signed in': [{ isSwitching: true }, 'somebody else signed in', /req\.user/],
  'a sign-out of nobody': [{ signOut: (_req, res) => res.redirect('/') }, 'sign-out', /req\.logout/],
  'a sign-out that only clears the cookie': [
    { signOut: (_req, res) => res.clearCookie('connect.sid').redirect('/') },
    'sign-out',
    /req\.logout/,
  ],
  'a user in a variable, whom everybody sees': [{ isShared: true }, 'session', /variable of the module/],
  'a form for signing out that leads nowhere': [
    { signOut: (_req, res) => void res.status(404).send('Not found') },
    'sign-out',
    /Add the route/,
  ],
  'a failure that starts the next login': [
    { failure: (res) => res.redirect('/signin') },
    'decline',
    /Answer a login that failed with a page/,
  ],
  'a failure without a page': [
    { failure: (res) => void res.end() },
    'decline | Back, then Allow | reload after success | reload after failure | forged callback | planted callback | expired login',
    /Answer a login/,
  ],
  'a page to log in whose link forgets where to return': [
    {
      hasSettings: true,
      before: ({ path, headers: { cookie = '' } }, res, next) => {
        if (path === '/enter') return res.send('<a href="/signin">Sign in</a>');
        const isVisitor = path === '/settings' && !cookie.includes('connect.sid');
        return isVisitor ? res.redirect('/enter?to=%2Fsettings%3Frehearsed%3D1%26page%3D2') : next();
      },
    },
    'return URLs',
    /^Give the link to the login/,
  ],
  'tokens in what a script asks for': [
    {
      verify: (accessToken) => ({ accessToken }),
      sessions: withSession((req, res, next) => (req.path === '/api/me' ? res.json(userOf(req)) : next())),
    },
    'secrets in responses',
    /on the server/,
  ],
  'a URL to return to that can be anywhere': [{ returns: ['returnTo', /^$/] }, 'return URLs', /isLocalURL/],
  'a URL to return to that must not begin with two slashes': [
    { returns: ['redirectTo', /^(\/\/|[^/])/] },
    'return URLs',
    /isLocalURL/,
  ],
  'a cookie of the session that is set over https only': [
    { sessions: sessions({ secure: true }) },
    'session',
    /trust proxy/,
  ],
  "a session's cookie for a part of the paths": [
    { before: cookies(/./, (line) => line.replace(/^(connect\.sid.* Path=)[^;]*/, '$1/api')) },
    'session',
    /path: '\/'/,
  ],
  "a session's cookie that expires at once": [{ sessions: sessions({ maxAge: 0 }) }, 'session', /maxAge/],
  "a session's cookie for another host": [
    { sessions: sessions({ domain: 'example.com' }) },
    'session | cookies',
    /no domain/,
  ],
  "a network's record in a readable cookie": [
    {
      verify: (_token, { id, displayName, _json }) => ({ id, name: displayName, record: _json }),
      success: userCookie,
      network: 'short-video',
      besides: [],
    },
    'cookies',
    /done\(null, user\.id\)/,
  ],
  'a cookie more with each start': [
    {
      before: doing(({ path }, res) => path === '/signin' && res.cookie(`start_${randomUUID()}`, '1')),
      besides: [],
    },
    'cookies',
    /one name/,
  ],
  'a form whose page forbids redirects to the network': [
    { policy: "default-src 'self'; form-action 'self'; base-uri 'none'" },
    'start',
    /Name the network's origin in form-action/,
  ],
  'a page of the user that proxies may keep': [
    {
      before: doing((_req, res) => res.set('Cache-Control', 'public, max-age=60')),
    },
    'caching',
    /Cache-Control: private/,
  ],
  'a cache in front of the start': [{ before: cached() }, 'start', /Let no cache keep what \/signin answers/],
  'a callback that loses its query': [
    { before: atCallback(({ path }, res) => res.redirect(path)) },
    'login',
    /keep the query/,
  ],
  'a guard that starts the next login': [
    { before: atCallback((_req, res) => res.redirect('/signin')) },
    'login',
    /Let no guard in front of \/api/,
  ],
  'a callback that goes on at another host': [
    {
      before: (req, res, next) =>
        isCallback(req) && req.hostname !== 'localhost'
          ? res.redirect(`http://${req.headers.host?.replace('127.0.0.1', 'localhost')}${req.url}`)
          : next(),
    },
    'login',
    /set callbackURL to the address at which/,
  ],
  'a start whose cookie is for the start alone': [
    { before: cookies(/signin/, (line) => line.replace(/Path=[^;]*/i, 'Path=/signin')) },
    'login',
    /Change what the start of the login answers: .* the path of \/api/,
  ],
  'a callback without a route': [
    { options: { callbackURL: '/api/auth/nowhere' } },
    'login',
    /No route answers \/api\/auth\/nowhere/,
  ],
  'a token in a readable cookie': [
    { verify: (accessToken) => ({ accessToken }), success: userCookie },
    'secrets in responses',
    /on the server/,
  ],
  'a log of session IDs': [
    {
      success: (req, res) => {
        appendFileSync(log, `session ${req.sessionID}\n`);
        res.redirect('/');
      },
    },
    'secrets in logs',
    /Log paths without their query/,
  ],
  'a page of the user that a cache keeps': [
    { hasSettings: true, before: keptPage(false, '/settings') },
    'session',
    /its key have the ID of the session/,
  ],
  'a database for four logins at one moment': [crowded(4), 'one account', /one connection of the pool/],
  'a page that is the same for all who ask at one moment': [
    lastPage(),
    'one account',
    /Keep nothing of a request/,
  ],
  'a page of the user that names everybody': [
    namingAll(),
    'secrets in responses',
    /WHERE has the rows of all/,
  ],
  'a page for nobody that shows a user': [lastUserNowhere(), 'session', /random ID in a cookie/],
  'a picture whose URL has lost its query': [
    {
      network: 'short-video',
      verify: (_token, { photos }) => ({ picture: photos?.[0]?.value.split('?')[0] }),
      shown: ({ name, number, ...user }) => `${name} ${number} <img src="${Object(user).picture}">`,
      isRaw: true,
      besides: [],
    },
    'other people',
    /byte for byte/,
  ],
  'a name that is markup on another page': [
    {
      hasSettings: true,
      before: changing('/settings', (body) => body.replaceAll('&lt;', '<')),
    },
    'other people',
    /^Escape what comes from a profile/,
  ],
  'a session that a declined login has begun': [keptAfterDecline, 'session ID', /new session ID/],
  'a session ID of the time': [
    {
      sessions: sessions(
        { sameSite: 'lax' },
        { genid: () => createHash('md5').update(String(Date.now())).digest('hex') },
      ),
    },
    'session ID',
    /crypto\.randomUUID/,
  ],
  'a cookie that signs in for ever, beside the session': [rememberingForEver, 'cookies', /new random ID/],
  'a header with the number of an account': [
    signingInBy('x-member-id'),
    'session ID',
    /from the session alone/,
  ],
  'a network error as a page that is not found': [
    {
      before: (req, res, next) => {
        const status = res.status.bind(res);
        if (isCallback(req)) res.status = (code) => status(code >= 502 ? 404 : code);
        next();
      },
    },
    'network error',
    /res\.status\(error\.status/,
  ],
  'a response without a description that breaks': [
    {
      before: (req, res, next) =>
        isCallback(req) && req.query.error === 'x' && !req.query.error_description
          ? res.status(500).send('Cannot read properties of undefined')
          : next(),
    },
    'stray callback',
    /^Answer a login that failed/,
  ],
  'a policy that forbids all forms': [
    { before: doing((_req, res) => res.set('Content-Security-Policy', "form-action 'none'")) },
    'forms',
    /Name 'self' in form-action/,
  ],
  'a link that leads nowhere': [
    { before: adding(() => '<a href="/help">Help</a>') },
    'forms',
    /the route that it names/,
  ],
  'a start that breaks where a parameter comes twice': [
    {
      before: (req, res, next) =>
        Array.isArray(req.query.next) ? res.status(500).send('next.startsWith is not a function') : next(),
    },
    'return URLs',
    /may come twice/,
  ],
  'a page for its authors that shows users': [
    listingAll('/debug'),
    'secrets in responses',
    /Leave such a page out/,
  ],
  'a log of profiles': [
    {
      verify: (_token, profile) => {
        appendFileSync(log, `${inspect(profile)}\n`);
        return {};
      },
    },
    'secrets in logs',
    /nothing that a network told/,
  ],
  'a network that is silent, and the user is sent there again': [
    {
      before: (req, res, next) => {
        const status = res.status.bind(res);
        if (isCallback(req)) res.status = (code) => (code === 504 ? retrying(res) : status(code));
        next();
      },
      besides: [],
    },
    'silent network',
    /^Answer a login that failed/,
  ],
  'a failure that has no words in a language': [
    {
      failure: (res) =>
        res
          .status(res.req.get('accept-language') === 'tlh' ? 500 : 401)
          .send('The login failed. Please try again.'),
      besides: [],
    },
    'decline',
    /^Take a language that you have/,
  ],
  'a language that every page has to know': [
    {
      before: (req, res, next) =>
        req.acceptsLanguages()[0] === 'en-US' ? next() : res.status(500).send('No words.'),
    },
    'decline | other people',
    /^Take a language that you have/,
  ],
  'a page that clears the cookies of visitors': [
    {
      before: doing(({ path, headers }, res) => {
        if (path === '/' && !/connect\.sid/.test(headers.cookie ?? ''))
          res.set('Clear-Site-Data', '"cookies"');
      }),
    },
    'forms',
    /a sign-out alone/,
  ],
  'a URL to return to of which the first is checked': [
    {
      before: doing(({ path, url }, res) => {
        const all = new URL(url, 'http://localhost').searchParams.getAll('next');
        if (path === '/signin' && all[0]?.startsWith('/')) res.cookie('returnTo', all.at(-1) ?? '/');
      }),
    },
    'return URLs',
    /isLocalURL/,
  ],
  'a URL to return to that loses its end': [
    {
      hasSettings: true,
      returns: ['next', /evil|:/],
      before: (req, res, next) =>
        req.path === '/settings' && !/connect\.sid/.test(req.headers.cookie ?? '')
          ? res.send(`<a href="/signin?next=${req.url}">Sign in</a>`)
          : next(),
    },
    'return URLs',
    /encodeURIComponent/,
  ],
  'a page that sends who is signed in elsewhere': [
    {
      before: (req, res, next) => {
        if (req.path !== '/login')
          return adding(({ user }) => (user ? '' : '<a href="/login">Log in</a>'))(req, res, next);
        const isIn = /connect\.sid/.test(req.headers.cookie ?? '');
        const target = new URL(req.url, 'http://localhost').searchParams.get('next') ?? '/';
        return isIn ? res.redirect(target) : res.send('<a href="/signin">X</a>');
      },
    },
    'return URLs',
    /isLocalURL/,
  ],
  'a page behind another one with the addresses of all': [
    listingAll('/all', '/settings'),
    'secrets in responses',
    /WHERE has the rows of all/,
  ],
  'a ticket in the URL after the login that is not used up': [
    tickets(),
    'session',
    /without a token or the ID/,
  ],
  'a public stylesheet with the cookie of the session': [
    {
      before: (req, res, next) =>
        req.path === '/style.css'
          ? res.set('Cache-Control', 'public, max-age=60').cookie('sid', randomUUID()).type('css').send('')
          : changing('/', (body) => `<link rel="stylesheet" href="/style.css">${body}`)(req, res, next),
      besides: ['forms'],
    },
    'secrets in responses',
    /in front of the session/,
  ],
  "a header with the session's ID": [
    {
      sessions: withSession(doing((req, res) => res.set('X-Request-Id', req.sessionID))),
    },
    'secrets in responses',
    /on the server/,
  ],
  'a page of visitors that browsers keep': [
    {
      before: doing(({ path, headers }, res) => {
        if (path === '/' && !headers.cookie) res.set('Cache-Control', 'public, max-age=60');
      }),
    },
    'caching',
    /no-cache, or no-store/,
  ],
  'a script that the policy forbids': [
    {
      before: (req, res, next) => {
        res.set('Content-Security-Policy', "default-src 'self'");
        adding(() => '<script>document.title = "Hello"</script>')(req, res, next);
      },
    },
    'forms',
    /a nonce that the policy names/,
  ],
  'a sign-out whose button says something else': [
    {
      before: changing('/', (body) =>
        body.replace('<button>Sign out</button>', '<button>Delete my account</button>'),
      ),
    },
    'sign-out',
    /say what its URL does/,
  ],
  'a sign-out without its token on another page': [
    {
      hasSettings: true,
      before: changing('/settings', (body) => body.replace(/<input type="hidden" name="token"[^>]*>/, '')),
    },
    'sign-out',
    /the form its token/,
  ],
  'a log with the secret of the session': [
    {
      success: (_req, res) => {
        appendFileSync(log, '{"secret":"a-secret-of-nobody-else","port":3000}\n');
        res.redirect('/');
      },
      sessions: sessions({ sameSite: 'lax' }, { secret: 'a-secret-of-nobody-else' }),
    },
    'secrets in logs',
    /Log no option of the session/,
  ],
  'a page for what is missing that shows its path': [
    {
      before: (req, res, next) =>
        req.path.startsWith('/nowhere')
          ? res.status(404).send(`Nothing at ${decodeURIComponent(req.path)}`)
          : next(),
    },
    'error pages',
    /Escape what comes from the URL/,
  ],
  'another page that knows two languages': [
    {
      hasSettings: true,
      before: (req, res, next) =>
        req.path === '/settings' && !req.acceptsLanguages('en') ? res.status(500).send('undefined') : next(),
    },
    'other people',
    /^Take a language that you have/,
  ],
  'a session whose secret is the ID of the client': [
    {
      sessions: sessions({ sameSite: 'lax' }, { secret: 'c2FuZGJveC1jb25maWRlbnRpYWw6MTpjaQ' }),
    },
    'cookies',
    /Take the secret from the environment/,
  ],
  'a stylesheet that is not there': [
    { before: changing('/', (body) => `<link rel="stylesheet" href="/style.css">${body}`) },
    'forms',
    /Serve the file/,
  ],
  'a page that is sent as plain text': [
    {
      failure: (res) =>
        res.status(401).type('text').send('<!doctype html><p>The login failed. Please try again.</p>'),
      besides: ['decline'],
    },
    'forms',
    /text\/html/,
  ],
  'a parameter that signs in': [
    {
      before: (req, _res, next) => {
        const { uid } = req.query;
        if (uid) Object.assign(req, { user: { id: uid, name: 'Alice Example', number: 'no-1' } });
        next();
      },
    },
    'session ID',
    /from the session alone/,
  ],
  'a link that names another network': [
    { before: adding(({ user }) => (user ? '' : '<a href="/other">Continue with <b>X</b></a>')) },
    'forms',
    /the route that it names/,
  ],
  'a page of the user that browsers keep': [
    {
      hasSettings: true,
      before: doing(
        ({ path }, res) => path === '/settings' && res.set('Cache-Control', 'private, max-age=600'),
      ),
    },
    'secrets in responses',
    /no-store, or with no-cache/,
  ],
  'another page in Latin-1': [
    {
      hasSettings: true,
      before: doing(({ path }, res) => {
        if (path === '/settings')
          res.send = (body) => res.setHeader('Content-Type', 'text/html; charset=iso-8859-1').end(body);
      }),
    },
    'other people',
    /charset=utf-8/,
  ],
  'a form with a required field that nobody sees': [
    {
      before: adding(
        () =>
          '<form method="post" action="/x"><input name="why" required style="display: none"><button>Go</button></form>',
      ),
    },
    'forms',
    /Close each form/,
  ],
  'what scripts ask for, which sites whose name contains the own one can read': [
    {
      before: ({ path, headers: { origin = '' } }, res, next) => {
        if (path !== '/api/me') return next();
        if (origin.includes('127.0.0.1'))
          res.set({ 'Access-Control-Allow-Origin': origin, 'Access-Control-Allow-Credentials': 'true' });
        return res.json({ name: 'Alice' });
      },
    },
    'secrets in responses',
    /Name your own origins/,
  ],
  'an expired login that ends without a word': [
    {
      before: (req, res, next) =>
        isCallback(req) && req.query.code && !/login\./.test(req.headers.cookie ?? '')
          ? res.redirect('/')
          : next(),
    },
    'expired login',
    /Say in a sentence what happened/,
  ],
  'a sign-out that ends at the host of a header': [
    {
      signOut: (req, res) =>
        req.logout(() => res.redirect(`http://${req.get('x-forwarded-host') ?? req.get('host')}/`)),
    },
    'return URLs',
    /make no URL from a header/,
  ],
  'a return URL that is lost': [
    {
      hasSettings: true,
      before: (req, res, next) =>
        req.path === '/settings' && !/connect\.sid/.test(req.headers.cookie ?? '')
          ? res.send('<a href="/signin?next=/settings">Sign in</a>')
          : next(),
    },
    'return URLs',
    /in the state of the login/,
  ],
  'Clear-Site-Data after a login that failed': [
    {
      failure: (res) => res.set('Clear-Site-Data', '"cookies"').status(401).send('The login failed.'),
      besides: [],
    },
    'forged callback',
    /the answer to a sign-out alone/,
  ],
  'a declined login that ends at another site': [
    {
      returns: ['next', /^$/],
      success: (_req, res) => res.redirect('/'),
      failure: (res) =>
        res.redirect(
          decodeURIComponent(/returnTo=([^;]+)/.exec(res.req.headers.cookie ?? '')?.[1] ?? '/?failed'),
        ),
    },
    'return URLs',
    /isLocalURL/,
  ],
  'a sign-out that ends at another site': [
    {
      signOut: (req, res) =>
        req.logout(() => res.redirect(typeof req.query.next === 'string' ? req.query.next : '/')),
    },
    'return URLs',
    /isLocalURL/,
  ],
  'a page with the addresses of all': [listingAll(), 'secrets in responses', /WHERE has the rows of all/],
  'a page with the ID of its session': [
    { before: adding(({ sessionID }) => `<script>const session = "${sessionID}";</script>`) },
    'secrets in responses',
    /on the server/,
  ],
  'a log of the tokens of forms': [
    {
      before: adding(({ sessionID }) => {
        appendFileSync(log, `{"_csrf":"token-of-${sessionID}"}\n`.replace(/of-./, 'of-'));
        return `<form method="post" action="/"><input name="_csrf" value="token-of-${sessionID.slice(1)}"></form>`;
      }),
    },
    'secrets in logs',
    /no header Cookie, token/,
  ],
  'a sign-out by a link of another site': [{ signOutMethod: 'all' }, 'sign-out', /POST alone/],
  'a log of what a form without its token has': [
    {
      before: (req, res, next) =>
        express.urlencoded()(req, res, () => {
          if (req.path !== '/sign-out' || req.body?.token) return next();
          appendFileSync(log, `refused: ${JSON.stringify(req.headers)}\n`);
          return res.status(403).send('Forged');
        }),
    },
    'secrets in logs',
    /no header Cookie/,
  ],
  'a callback that breaks for who is signed in': [
    {
      before: (req, res, next) =>
        isCallback(req) && !req.url.includes('?') && /connect\.sid/.test(req.headers.cookie ?? '')
          ? res.status(500).send('No login was begun.')
          : next(),
    },
    'stray callback',
    /^Answer a login that failed/,
  ],
  'forms that are refused because their page hides its origin': [
    {
      before: (req, res, next) => {
        res.set('Referrer-Policy', 'no-referrer');
        return req.method === 'POST' && req.get('origin') === 'null' ? res.sendStatus(403) : next();
      },
      besides: [],
    },
    'forms | sign-out',
    /^Set Referrer-Policy: same-origin/,
  ],
  'a failure page that removes all cookies': [
    {
      failure: (res) => {
        for (const [, name = ''] of (res.req.headers.cookie ?? '').matchAll(/([^=; ]+)=/g))
          res.clearCookie(name);
        return res.status(401).send('The login failed. Please try again.');
      },
      besides: [],
    },
    'forged callback',
    /^Remove no cookie/,
  ],
  'a return URL for which the state has no room': [
    {
      before: (req, res, next) =>
        req.path === '/signin' && req.url.length > 1_024
          ? res.status(500).send('The state is too long.')
          : next(),
    },
    'return URLs',
    /leave out a URL that is longer/,
  ],
  'a login that begins again where its cookie is gone': [
    beginningAgain((res) => res.redirect('/signin')),
    'expired login',
    /^Show a page where a login has ended/,
  ],
  'a page without a cookie that goes on to the next login': [
    beginningAgain((res) => res.status(403).send('<meta http-equiv="refresh" content="0; url=/signin">')),
    'expired login',
    /^Show a page where a login has ended/,
  ],
  'any sentence of the URL': [
    {
      success: (_req, res) => res.redirect('/?kind=ok&said=Welcome%20back'),
      before: adding(({ query: { kind, said = '' } }) =>
        kind === 'ok' ? `<p>${escaped(said as string)}</p>` : '',
      ),
    },
    'error pages',
    /which of your sentences/,
  ],
  'a notice in the URL that is markup': [noticing, 'error pages', /Escape what comes from the URL/],
  "a session's ID that a header says": [
    {
      sessions: sessions({}, { genid: ({ headers }) => String(headers['x-request-id'] ?? randomUUID()) }),
    },
    'session ID',
    /leave out genid/,
  ],
  'a header that signs in': [signingInBy('x-forwarded-user'), 'session ID', /from the session alone/],
  'a login that ends at the host of a header': [
    { success: (req, res) => res.redirect(`http://${req.get('x-forwarded-host') ?? req.get('host')}/`) },
    'foreign Host | foreign X-Forwarded-Host',
    /^Redirect to paths/,
  ],
  'a sign-out for ever': [signingOutForEver(), 'sign-out', /^Remember which session has ended/],
  'a week in seconds': [{ maxAge: 604_800 }, 'cookies', /maxAge of hours, in milliseconds/],
  'a page that frames of every site can read': [
    {
      before: (req, res, next) => {
        if (req.get('origin') === 'null') res.set('Access-Control-Allow-Origin', 'null');
        res.set('Access-Control-Allow-Credentials', 'true');
        next();
      },
    },
    'secrets in responses',
    /nor null, with credentials/,
  ],
  'a page that proxies keep, in which a name ends a sentence': [
    keptByProxies('/welcome', ({ name, number }) => `Good to see you, ${escaped(name)}. You are ${number}.`),
    'secrets in responses',
    /Cache-Control: private/,
  ],
  'a decline of which no page says anything': [
    { failure: (res) => res.redirect('/') },
    'decline',
    /Say in a sentence what happened/,
  ],
  "a decline with Passport's own answer": [
    { failure: (res) => void res.sendStatus(401) },
    'decline',
    /Say in a sentence what happened/,
  ],
  'an error with the answer of the framework': [
    {
      before: (_req, res, next) => {
        const send = res.send.bind(res);
        res.send = (text: unknown) => send(res.statusCode < 500 ? text : STATUS_CODES[res.statusCode]);
        next();
      },
    },
    'network error',
    /Say in a sentence what happened/,
  ],
  'JSON about a network that failed': [
    {
      before: (_req, res, next) => {
        const send = res.send.bind(res);
        res.send = (text: unknown) =>
          res.statusCode < 500 ? send(text) : res.type('json') && send(JSON.stringify({ text }));
        next();
      },
    },
    'network error',
    /^Answer a login that failed with a page/,
  ],
  'a cookie with the ID of the user, which pages do not show': [
    remembering(({ id }) => createHash('sha256').update(`salt ${id}`).digest('hex')),
    'cookies | sign-out',
    /a new random ID at each login/,
  ],
  'a login that takes the account from the one before': [
    {
      sessions: withSession(newestOnly()),
      key: () => randomUUID(),
      besides: [],
    },
    'session',
    /keeps the ID of its user/,
  ],
  'a session whose ID outlives sign-out and login': [
    { sessions: withSession(keepingID) },
    'sign-out',
    /new session ID/,
  ],
  'a session with the ID of another cookie': [
    {
      sessions: [
        doing(
          ({ headers: { cookie = '' } }, res) =>
            !cookie.includes('visitor=') && res.cookie('visitor', randomUUID()),
        ),
        ...sessions(
          { sameSite: 'lax' },
          { genid: ({ headers }) => /visitor=([\w-]+)/.exec(headers.cookie ?? '')?.[1] ?? randomUUID() },
        ),
      ],
    },
    'session ID',
    /random ID/,
  ],
  'a session that each request renews': [
    { sessions: withSession(renewing), besides: [] },
    'session',
    /at the login alone/,
  ],
  'a redirect for ever at the start of who is signed in': [
    {
      sessions: withSession(({ path, session: own }, res, next) =>
        path === '/signin' && 'passport' in own ? res.redirect(301, '/') : next(),
      ),
      besides: ['second login'],
    },
    'caching',
    /with 302/,
  ],
  'a profile that a script of any site reads': [
    {
      isRaw: true,
      shown: ({ name }) => `${name.replaceAll('<', '&lt;')} <script>fetch('/me')</script>`,
      before: ({ path }, res, next) => (path === '/me' ? res.jsonp({ name: 'Alice' }) : next()),
    },
    'secrets in responses',
    /not with res\.jsonp/,
  ],
  'a program that anybody can download': [
    { before: ({ path }, res, next) => (path === '/package.json' ? res.json({ dependencies: {} }) : next()) },
    'secrets in responses',
    /express\.static/,
  ],
  'a program whose modules anybody can download': [
    { before: ({ path }, res, next) => (path === '/app.js' ? res.send("require('passport')") : next()) },
    'secrets in responses',
    /express\.static/,
  ],
  'a start that redirects to another host': [
    {
      before: ({ path, url, headers: { host = '' } }, res, next) =>
        path === '/signin' && host.startsWith('127.')
          ? res.redirect(`http://localhost:${host.split(':')[1]}${url}`)
          : next(),
    },
    'host | login',
    /redirect to no other host/,
  ],
  'a cookie that the next page removes': [
    {
      before: doing(({ path }, res) => path === '/' && res.clearCookie('connect.sid')),
      sessions: sessions({}, { store: Object.assign(new session.MemoryStore(), { get: findsNothing }) }),
    },
    'session',
    /finds no session for it/,
  ],
  'a first login that fails': [{ key: firstFails() }, 'login', /INSERT have RETURNING/],
  'a page that the server keeps by its path': [
    { before: keptPage(), besides: [] },
    'session',
    /key have the ID of the session/,
  ],
  'a page beside the named one that the server keeps by its path': [
    {
      before: (req, res, next) => {
        const { url } = req;
        if (url.startsWith('/profile')) req.url = url.replace('/profile', '/?');
        keptHome(req, res, next);
      },
      page: '/profile',
    },
    'session',
    /key have the ID of the session/,
  ],
  'a page at the URL of the callback': [
    { success: (_req, res) => void res.send('<p>You are signed in.</p>') },
    'reload after success',
    /Redirect after the login/,
  ],
  'a login that may take a quarter of a minute': [
    { options: { store: cookieLogins({ lifetime: 15_000 }) } },
    'slow user',
    /in milliseconds/,
  ],
  'a return URL in a variable': [returningInVariable(), 'return URLs', /in no variable/],
  'a page with the data of whoever its URL names': [
    {
      isRaw: true,
      shown: ({ name, id }) => `${name.replaceAll('<', '&lt;')} <a href="/export?user=${id}">Export</a>`,
      before: ({ path, query, headers: { cookie } }, res, next) =>
        path === '/export' && cookie ? res.json({ openId: query.user }) : next(),
    },
    'secrets in responses',
    /Read the ID of the account from the session/,
  ],
  'parameters of the network that are refused': [
    {
      success: (_req, res) =>
        void res.status(400).send('property code should not exist, property state should not exist'),
    },
    'login',
    /forbidNonWhitelisted/,
  ],
  'a guard of users at the callback': [
    {
      before: atCallback((_req, res) =>
        res.set('Cache-Control', 'no-store').status(401).send('Please sign in.'),
      ),
    },
    'login',
    /who is signed in/,
  ],
  'a failure that is shown as an object': [
    { failure: (res) => void res.send('[object Object]') },
    'decline',
    /Show a sentence/,
  ],
  'a failure that is shown as JSON': [
    { failure: (res) => void res.status(401).json({ statusCode: 401 }) },
    'decline',
    /with a page/,
  ],
  'a URL after the login that signs in': [signingURL(), 'session', /without a token/],
  'a start that removes the cookies of other logins': [
    {
      before: doing(({ path, headers: { cookie = '' } }, res) => {
        if (path === '/signin') for (const [name] of cookie.matchAll(/login\.[\w-]+/g)) res.clearCookie(name);
      }),
    },
    'two tabs | two tabs, the second first',
    /Remove no cookie/,
  ],
  'a page that a browser shows again after the sign-out': [
    {
      before: ({ path, headers }, res, next) =>
        path === '/' && headers.cookie && headers['if-none-match'] ? res.status(304).end() : next(),
    },
    'caching',
    /ETag/,
  ],
  'a mail in the log that signs in': [mailing(), 'secrets in logs', /nothing of its text/],
  'a token behind a link of the page': [tokenAt('/data'), 'secrets in responses', /on the server/],
  'a device whose next user is joined to the last one': [
    { ...joining(), besides: [] },
    'sign-out',
    /who is signed in alone/,
  ],
  'a token that nobody signed': [token(true, (head) => !head.includes('none')), 'cookies', /algorithm none/],
  'a secret of an example': [{ sessions: sessions({}, { secret: 'KEYBOARD CAT' }) }, 'cookies', /32 random/],
  'a secret of an example, for a session in a cookie': [
    { sessions: inCookie({}, undefined, 'secret') },
    'cookies',
    /32 random bytes/,
  ],
  "a cookie that is a user's number": [
    remembering(({ number }) => number),
    'cookies | sign-out',
    /by the session alone/,
  ],
  'one session for every browser': [
    { sessions: sessions({}, { saveUninitialized: true, genid: () => 'one-for-all-browsers' }) },
    'session',
    /leave out genid/,
  ],
  'sessions in the memory of two processes': [
    { sessions: twoStores(), besides: [] },
    'session',
    /all processes share/,
  ],
  'a start whose cookie is replaced': [
    { before: cookies(/signin/, (line) => line.replace(/^login[^;]*/, 'locale=en')) },
    'login',
    /append to it/,
  ],
  'words of the URL as markup': [
    {
      failure: (res) => res.status(401).send(`<p>${String(res.req.query.error_description as string)}</p>`),
      besides: [],
    },
    'stray callback',
    /info\.message, escaped/,
  ],
  'a return URL that is decoded once more': [
    {
      success: ({ headers: { cookie = '' } }, res) => {
        const [, to = ''] = /returnTo=([^;]+)/.exec(cookie) ?? [];
        res.redirect(decodeURIComponent(decodeURIComponent(to)) || '/');
      },
      returns: ['returnTo', /^(?!\/)|^\/[/\\\t]|@/],
    },
    'return URLs',
    /isLocalURL/,
  ],
  'a decline that signs the last user in': [lastUser(), 'sign-out', /only if verify was called/],
  'a page that names who signed out': [remembersName, 'sign-out', /Sign out with req\.logout/],
  'a session of a minute': [{ maxAge: 60_000 }, 'cookies', /maxAge of hours/],
  'a page that browsers keep': [
    {
      before: doing(({ path }, res) => path === '/' && res.set('Cache-Control', 'private, max-age=300')),
    },
    'caching',
    /no-store, or with no-cache/,
  ],
  'a cookie with the digest of a public ID': [
    {
      ...remembering(({ id }) => createHash('md5').update(`twitter:${id}`).digest('hex')),
      besides: [],
    },
    'session ID',
    /random ID/,
  ],
  'a cookie that outlives the sign-out': [
    remembering(({ number }) => `${number}-${Math.random()}`),
    'sign-out',
    /res\.clearCookie\('uid'\)/,
  ],
  'a sign-out of everybody': [
    { signOut: ({ sessionStore }, res) => sessionStore.clear?.(() => res.redirect('/')) },
    'sign-out',
    /of this browser alone/,
  ],
  'a sign-out that starts the next login': [
    { signOut: (req, res) => req.logout(() => res.redirect('/signin')) },
    'sign-out',
    /starts no login/,
  ],
  'an account that is added at each login': [{ key: onlyOnce() }, 'login', /DO NOTHING RETURNING/],
  'a verify that returns nobody': [{ verify: () => false }, 'login', /^verify passes no user/],
  'a verify that returns nobody, and a failure that shows no error': [
    { verify: () => false, failure: (res) => res.redirect('/'), besides: [] },
    'session',
    /^verify passes no user/,
  ],
  'a first name that is taken for granted': [
    { verify: (_token, { name }) => ({ first: (name as { givenName: string }).givenName }) },
    'login',
    /X's profile has no name/,
  ],
  'one session for an address': [{ sessions: byAddress() }, 'login', /by a random ID in a cookie/],
  'room for few sessions': [{ sessions: sessions({}, { store: storeOf(3, 0) }) }, 'session', /room for all/],
  'room for two sessions': [{ sessions: sessions({}, { store: storeOf(2, 0) }) }, 'session', /room for all/],
  'a store that saves what has ended, a second later': [
    {
      sessions: [
        ...sessions({ sameSite: 'lax' }, { store: lateStore() }),
        doing(({ session: own }) => Object.assign(own, { seen: randomUUID() })),
      ],
      signOut: (req, res) => req.session.destroy(() => res.redirect('/')),
      besides: ['sign-out', 'silent network'],
    },
    'secrets in responses',
    /drop what set\(\) has yet to save/,
  ],
  'a session that is saved after the response': [
    { sessions: sessions({}, { store: storeOf(1_000, 300) }) },
    'session',
    /call its own callback when the session is saved/,
  ],
  'a failure that ends the session': [
    {
      failure: (res) =>
        void res.req.session.destroy(() => res.status(403).send('The login failed. Please try again.')),
    },
    'decline | reload after success',
    /Leave the session alone/,
  ],
  'a failure whose page is missing': [
    { failure: (res) => res.redirect('/login-failed'), besides: [] },
    'decline',
    /one that exists, not to \/login-failed/,
  ],
  "a callback at another network's route": [
    {
      options: { callbackURL: '/callback/vk' },
      before: ({ path }, res, next) =>
        path === '/callback/vk'
          ? res
              .set({ 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' })
              .status(403)
              .send('No login')
          : next(),
    },
    'login',
    /a callbackURL of its own/,
  ],
  'a callback in small letters': [
    {
      before: (req, _res, next) => {
        if (isCallback(req)) req.url = req.url.toLowerCase();
        next();
      },
    },
    'login',
    /upper and lower case count/,
  ],
  'a second process with another secret': [
    { before: everySecond((req) => delete req.headers.cookie) },
    'login',
    /Give all processes one client secret/,
  ],
  'a server that waits less than the strategy': [
    {
      // A slow network takes an eighth of the patience: two seconds, which no login needs on a busy machine.
      before: doing((req) => isCallback(req) && setTimeout(() => req.socket.destroy(), 1_500)),
      patience: 16_000,
      besides: [],
    },
    'slow network | silent network',
    /setTimeout\(\) and requestTimeout/,
  ],
  'a session in a cookie that is not signed': [
    { sessions: inCookie({ signed: false }), signOut: emptied },
    'cookies',
    /no signed: false/,
  ],
  'a token whose signature nobody checks': [token(false), 'cookies', /jwt\.decode/],
  'sessions whose ID is too short': [
    { sessions: sessions({}, { genid: () => randomBytes(3).toString('hex') }) },
    'session ID',
    /random ID/,
  ],
  'sessions with the digest of a number each': [
    { sessions: sessions({}, { genid: counting() }) },
    'session ID',
    /random ID/,
  ],
  'a network that is taken from the session': [
    { takesStarted: true, hasOther: true },
    'two tabs',
    /profile\.provider/,
  ],
  'a session whose ID the browser chooses': [{ sessions: chosen() }, 'session ID', /new session ID/],
  'a sign-out that keeps the account for the next user': [keptAccount(), 'sign-out', /req\.logout/],
  'a login that ends at the Referer': [
    {
      before: doing(
        ({ path, headers: { referer } }, res) =>
          path === '/signin' && referer && res.cookie('returnTo', referer),
      ),
    },
    'return URLs',
    /isLocalURL/,
  ],
  'a token in an address on the way, encoded three times': [
    tokenOnTheWay(),
    'secrets in responses',
    /on the server/,
  ],
  'the cookie of a session in an address': [
    {
      before: ({ path, headers: { cookie = '' } }, res, next) =>
        path === '/done' ? res.redirect(`/?session=${cookie.split('=')[1]}`) : next(),
      success: (_req, res) => res.redirect('/done'),
      besides: [],
    },
    'secrets in responses',
    /on the server/,
  ],
  'a start that signs out': [
    {
      sessions: withSession(
        doing(({ path, session: own }) => path === '/signin' && Reflect.deleteProperty(own, 'passport')),
      ),
      besides: [],
    },
    'decline | network error',
    /where a login starts/,
  ],
  'a start that an earlier one stands in the way of': [
    { ...inProgress, besides: [] },
    'two tabs | two tabs, the second first',
    /keep no flag/,
  ],
  'the cookies of all logins, which the end of one removes': [
    {
      before: doing((req, res) => {
        const names = req.headers.cookie?.match(/login\.[^=;]+/g) ?? [];
        for (const name of isCallback(req) ? names : []) res.clearCookie(name);
      }),
      besides: [],
    },
    'two tabs | two tabs, the second first',
    /Remove no cookie/,
  ],
  'an error of the network with HTTP 200': [
    {
      before: doing((_req, res) => {
        const status = res.status.bind(res);
        res.status = (code) => status(code >= 500 ? 200 : code);
      }),
    },
    'network error',
    /res\.status\(error\.status\)/,
  ],
  'a login that is linked to who is signed in': [
    { isFlagged: 'always' },
    'somebody else signed in',
    /not by req\.user in verify/,
  ],
  'a cookie with a digest that anybody can make': [
    {
      ...remembering(({ number }) => `${number}.${createHash('sha256').update(number).digest('hex')}`),
      besides: [],
    },
    'cookies',
    /Sign users in by the session alone/,
  ],
  'a session that a login under way writes back': [
    { sessions: sessions({ sameSite: 'lax' }, { resave: true }), besides: [] },
    'sign-out',
    /Set resave: false/,
  ],
  'a cookie with name and ID that scripts can read': [
    {
      success: ({ user }, res) => {
        const { id, name } = user as User;
        res.cookie('profile', JSON.stringify({ id, name })).redirect('/');
      },
      besides: [],
    },
    'cookies',
    /store the ID of your own user alone/,
  ],
  'a login that waits for all before it': [{ ...queued(), besides: [] }, 'silent network', /no queue, lock/],
  'a login that ends the session of the one before': [
    { sessions: withSession(newestOnly()), besides: [] },
    'session',
    /no login that deletes those of others/,
  ],
  ...Object.fromEntries(
    ['localhost:3000/', 'undefined:3000/', 'http://localhost:undefined/'].map((to) => [
      `a login that ends at ${to}`,
      [{ success: (_req, res) => res.set('Location', to).sendStatus(302) }, 'login', /a whole URL/],
    ]),
  ),
  'a URL to return to behind the own origin': [
    {
      returns: ['returnTo', /^(https?:|\/\W)/, (url) => url.replace(/^(?!\/)/, 'http://127.0.0.1')],
      besides: [],
    },
    'return URLs',
    /isLocalURL/,
  ],
  'a notice in a variable, which the next visitor reads': [
    telling(),
    'session | decline',
    /no variable of the module/,
  ],
  'a cookie beside the session, which the server goes on to know after the sign-out': [
    {
      ...remembering(() => randomUUID()),
      signOut: (req, res, next) =>
        req.logout((error) => (error ? next(error) : res.clearCookie('uid').redirect('/'))),
      besides: [],
    },
    'sign-out',
    /a cookie beside the session/,
  ],
  'a second login that signs nobody in': [{ ...losing(), besides: [] }, 'session', /row of the first login/],
  'a form inside another one': [
    {
      before: adding(({ user }) => (user ? '<form action="/one"><form action="/two"></form></form>' : '')),
      besides: [],
    },
    'forms',
    /Close each form/,
  ],
  'a button that sends nothing': [
    { before: adding(() => '<form action="/one"><button type="button">Send</button></form>'), besides: [] },
    'forms',
    /button without a type/,
  ],
  'a sign-out whose form is sent to the next page again': [
    { signOut: (req, res) => req.logout(() => res.redirect(308, '/')), besides: [] },
    'sign-out',
    /Redirect with 303/,
  ],
  'a sign-out of everybody of one name': [{ ...byNameOut(), besides: [] }, 'sign-out', /none by a name/],
  'a notice of a failure that stays for visitors': [
    {
      failure: (res) => res.cookie('notice', '1').redirect('/'),
      before: adding(({ user, headers }) =>
        !user && /notice/.test(headers.cookie ?? '') ? 'You declined.' : '',
      ),
      besides: [],
    },
    'decline',
    /Remove a message/,
  ],
  'a login that ends at another host': [
    {
      success: ({ headers }, res) =>
        res.redirect(`http://${headers.host?.replace('127.0.0.1', 'localhost')}/`),
      page: '/',
      besides: [],
    },
    'session',
    /no domain/,
  ],
  'a page that the server keeps by its URL, also for visitors': [
    { before: keptPage(true), success: (_req, res) => res.redirect('/settings'), besides: [] },
    'session',
    /Let no cache keep/,
  ],
};

describe('a rehearsal of logins and sessions', function () {
  // Rehearsals take as long as their own limit where the machine is busy.
  this.timeout(120_000);
  findsMistakes(MISTAKES);
});
