import { createHash, createHmac, randomBytes, randomUUID } from 'node:crypto';
import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { IncomingHttpHeaders, RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'chai';
import {
  cookieLogins,
  isLoginResponse,
  MicroblogStrategy,
  ShortVideoStrategy,
  SocialNetworkStrategy,
} from 'passport-social-networks';
import { readTask } from '../../sandbox/lib/command/arguments.js';
import { exitCodeOf } from '../../sandbox/lib/command/output.js';
import type { RehearsalOptions, Sandbox } from '../../sandbox/lib/index.js';
import { login, rehearse, startSandbox } from '../../sandbox/lib/index.js';
import { closesAfterEach } from '../support/cleanup.js';
import { serve, serveRaw, type TestServer } from '../support/server.js';
import { rejectionOf } from '../support/thrown.js';
import { privateAuthority, serveTLS } from '../support/tls-front.js';
import { collectsWarnings } from '../support/warnings.js';
import { run } from './command-process.js';

import express = require('express');
import session = require('express-session');
import passport = require('passport');

/** What an application does that is wrong in one way. */
interface Mistake {
  readonly options?: object;
  /** Middleware before the routes. */
  readonly before?: express.RequestHandler;
  readonly passport?: express.RequestHandler;
  readonly sessions?: express.RequestHandler[];
  /** In place of the answer to a failure. */
  readonly failure?: (res: express.Response) => void;
  /** In place of the redirect after a login. */
  readonly success?: (req: express.Request, res: express.Response) => void;
  readonly signOut?: express.RequestHandler;
  /** `false` rejects the login. */
  readonly verify?: (accessToken: string, profile: Verified) => object | false;
  /** What users are found by, in place of provider and ID. */
  readonly key?: (profile: Verified) => unknown;
  /** Whom a login is linked to, in place of the user who began the link, if nobody else has it; `undefined` refuses. */
  readonly link?: Link;
  readonly linkMethod?: 'all';
  /** Milliseconds between looking for a user and adding one, and between looking for a login to unlink and removing it. */
  readonly pause?: number;
  /** Milliseconds that the application may take, in place of the usual ones. */
  readonly patience?: number;
  /** The checks that are made besides those that find it. Default: all, for every ninth mistake. */
  readonly besides?: readonly string[];
  readonly isRaw?: boolean;
  readonly isShared?: boolean;
  /** Gives all who ask for their user at one moment what the first of them gets. */
  readonly sharesLookup?: boolean;
  /** Takes the user of the last verify for that of every login. */
  readonly takesLast?: boolean;
  /** Takes each login for a link, once a link was begun in the session, or always. */
  readonly isFlagged?: boolean | 'always';
  /** Links logins of the other network. */
  readonly linksOther?: boolean;
  /** Gives all of one name who log in at one moment the account of the first of them. */
  readonly joinsByName?: boolean;
  /** Leaves the session as it is where a link ends. */
  readonly keepsSession?: boolean;
  /** Signs in who began a link if nobody is signed in when it ends. */
  readonly resumes?: boolean;
  /** Whom the user deletes, in place of the account. @param named - The number in the form, which is there if it is asked for. */
  readonly deletes?: (one: User, me: User, named: unknown) => boolean;
  /** Brings an account that was deleted back for a login that leads to it. */
  readonly restores?: boolean;
  /** Deletes the account whose number the field personId has. */
  readonly isAssigned?: boolean;
  readonly keepsLinked?: boolean;
  readonly deleteMethod?: 'all';
  readonly unlinkMethod?: 'all';
  /** Deletes who has the name of a new user. */
  readonly replaces?: boolean;
  /** Takes the number after the highest for an account, and finds the user of a session by it. */
  readonly reusesNumbers?: boolean;
  /** Takes the network of the last start in the session for that of the login. */
  readonly takesStarted?: boolean;
  readonly hasOther?: boolean;
  readonly page?: string;
  /** The other one is the same network, over OAuth 1.0a. */
  readonly otherProtocol?: boolean;
  readonly signOutMethod?: 'all';
  readonly unlinks?: (key: unknown, user: User, me: User, users: ReadonlyMap<unknown, User>) => boolean;
  /** Default: `/unlink/signin`. */
  readonly unlinkPath?: string;
  /** Whether a field of the form says which login to unlink. */
  readonly hasUnlinkField?: boolean;
  /** The form says the ID of the login that a user unlinks, whosever it is. */
  readonly unlinksNamed?: boolean;
  /** The form that moves a login says the ID of the login, whosever it is. */
  readonly movesNamed?: boolean;
  /** Deletes the account from which a login is moved. */
  readonly movesAll?: boolean;
  readonly namesLinked?: boolean;
  readonly hasUnlinkLink?: boolean;
  /** Unlinks once a second form, on a page of its own, was sent. */
  readonly asksAgain?: boolean;
  readonly isWithoutForms?: boolean;
  /** Ends a login at the URL that this parameter says, unless the URL looks wrong. */
  readonly returns?: readonly [parameter: string, wrong: RegExp];
  /** Of the session and its cookie, in milliseconds. */
  readonly maxAge?: number;
  readonly keepsId?: boolean;
  readonly isSwitching?: boolean;
  readonly refuses?: boolean;
  readonly startFinishes?: boolean;
  readonly network?: 'microblog' | 'short-video' | 'social-network';
  /** The Content-Security-Policy of the page, whose form starts the login by POST. */
  readonly policy?: string;
  /** Looks for a deleted user, in place of "nobody". */
  readonly missing?: (done: (error: unknown, user?: object) => void, user: object) => void;
  /** What the page shows of a user, in place of the name. */
  readonly shown?: (user: User) => string;
}

let log: string;
const pass: express.RequestHandler = (_req, _res, next) => next();

const doing =
  (act: (req: express.Request, res: express.Response) => unknown): express.RequestHandler =>
  (req, res, next) => {
    act(req, res);
    next();
  };

interface User {
  readonly id: string;
  readonly name: string;
  readonly key: unknown;
  readonly number: string;
  readonly accessToken?: string;
}

interface Verified {
  readonly id: string;
  readonly provider: string;
  readonly displayName: string;
  readonly name?: { readonly givenName?: string };
  readonly emails?: readonly { readonly value: string }[];
  readonly photos?: readonly { readonly value: string }[];
  readonly _json?: unknown;
}

type Link = (users: Map<unknown, User>, login: User, signedIn: User, wanted: string) => User | undefined;

const linkTo: Link = (users, { key }, signedIn) => users.set(key, signedIn).get(key);
const rightLink: Link = (users, login, signedIn, wanted) =>
  signedIn.id === wanted && (users.get(login.key)?.id ?? wanted) === wanted
    ? linkTo(users, login, signedIn, wanted)
    : undefined;

/** Room for one login besides the own one. */
const inColumn =
  (link: Link): Link =>
  (users, login, signedIn, wanted) =>
    [...users].some(([key, user]) => user.id === wanted && key !== user.key && key !== login.key)
      ? undefined
      : link(users, login, signedIn, wanted);

const EMAIL = { includeEmail: true, scope: 'tweet.read users.read users.email' };

const onceAtATime: express.RequestHandler = ({ path, session }, res, next) => {
  const isSignedIn = (session as { passport?: { user?: unknown } }).passport?.user !== undefined;
  return isSignedIn && path === '/signin' ? res.status(409).send('You are signed in already.') : next();
};

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

/** The ID as a key, which a second login cannot have. */
function onlyOnce(): (profile: Verified) => string {
  const seen = new Set<string>();
  return ({ id }) => {
    if (seen.has(id)) throw new Error('UNIQUE constraint failed');
    seen.add(id);
    return id;
  };
}

/** What a database does with a value that it cannot keep. */
function refuse(isBroken: boolean, message: string): object {
  if (isBroken) throw new Error(message);
  return {};
}

/** The strategies' timeout is half of it. */
const PATIENCE = 3_200;

const isCallback = ({ path }: express.Request): boolean => path.includes('/callback/');

/** Changes the cookies that a path sets. */
const cookies =
  (path: RegExp, change: (line: string) => string): express.RequestHandler =>
  (req, res, next) => {
    const append = res.appendHeader.bind(res);
    const changed = (value: unknown) => [value].flat().map((line) => change(String(line)));
    if (path.test(req.path)) {
      const set = res.setHeader.bind(res);
      res.appendHeader = (name, value) =>
        append(name, /^set-cookie$/i.test(name) ? changed(value) : (value as string));
      res.setHeader = (name, value) =>
        /^set-cookie$/i.test(name) ? set(name, changed(value)) : set(name, value);
    }
    next();
  };

/** Answers every callback in place of the strategy. */
const atCallback =
  (answer: (req: express.Request, res: express.Response) => unknown): express.RequestHandler =>
  (req, res, next) =>
    isCallback(req) && req.url.includes('?') ? answer(req, res) : next();

/** Does something to every second callback, from the first one on. */
function everySecond(change: (req: express.Request) => unknown): express.RequestHandler {
  let count = 0;
  return (req, _res, next) => {
    count += Number(isCallback(req));
    if (isCallback(req) && count % 2 === 1) change(req);
    next();
  };
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

const sessions = (cookie: session.CookieOptions, more: Partial<session.SessionOptions> = {}) => [
  session({ secret: 'S', resave: false, saveUninitialized: false, cookie, ...more }),
];

const findsNothing: session.Store['get'] = (_id, done) => done(null, null);

const userCookie: Mistake['success'] = ({ user }, res) =>
  res.cookie('user', Buffer.from(JSON.stringify(user)).toString('base64'), { httpOnly: true }).redirect('/');

/** Signs users in by a cookie besides the session. */
function remembering(cookieOf: (user: User) => string): Mistake {
  const users = new Map<string, User>();
  return {
    success: ({ user }, res) => {
      const value = cookieOf(user as User);
      users.set(value, user as User);
      res.cookie('uid', value, { httpOnly: true }).redirect('/');
    },
    before: (req, _res, next) => {
      const [, uid = ''] = /uid=([^;]+)/.exec(req.headers.cookie ?? '') ?? [];
      if (users.has(uid)) req.user = users.get(uid) as User;
      next();
    },
  };
}

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

/** Signs in by a cookie that anybody can write, if it is no older than the account. */
function dated(): Mistake {
  const made = new Map<string, { readonly user: User; readonly at: number }>();
  let now = 0;
  return {
    success: ({ user }, res) => {
      const { number } = user as User;
      now += 1;
      if (!made.has(number)) made.set(number, { user: user as User, at: now });
      const text = JSON.stringify({ id: number, at: now });
      res.cookie('uid', Buffer.from(text).toString('base64url'), { httpOnly: true }).redirect('/');
    },
    before: (req, _res, next) => {
      const [, uid] = /uid=([^;]+)/.exec(req.headers.cookie ?? '') ?? [];
      const { id, at } = uid === undefined ? {} : JSON.parse(Buffer.from(uid, 'base64url').toString());
      const own = made.get(id);
      if (own && at >= own.at) req.user = own.user;
      next();
    },
  };
}

/** Names the logins in its forms to unlink by their places in a list. @param order - The list's may be another one, or every form names the first. */
function listed(order: 'same' | 'reversed' | 'first' = 'same'): Mistake {
  const lists = new Map<string | undefined, string[]>();
  const field =
    /(<form method="post" action="\/logins\/remove">)<input type="hidden" name="id" value="(\w+)"><\/form>/g;
  return {
    unlinkPath: '/logins/remove',
    unlinksNamed: true,
    unlinks: (_key, user, me, users) =>
      user.id === me.id && [...users.values()].filter(({ id }) => id === me.id).length > 1,
    before: (req, res, next) => {
      const send = res.send.bind(res);
      res.send = (body) => {
        const shown: string[] = [];
        const page = String(body).replace(field, (_, form, id) => {
          const place = shown.push(id) - 1;
          return `<li>${id} ${form}<input type="hidden" name="place" value="${order === 'first' ? 0 : place}"></form></li>`;
        });
        if (shown.length > 0)
          lists.set(req.headers.cookie, order === 'reversed' ? shown.toReversed() : shown);
        return send(page);
      };
      express.urlencoded()(req, res, () => {
        const ids = lists.get(req.headers.cookie);
        if (req.path === '/logins/remove') req.body = { id: ids?.[req.body.place] };
        next();
      });
    },
  };
}

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

const keepingID: express.RequestHandler = (req, _res, next) => {
  req.session.regenerate = (done) => {
    done(undefined);
    return req.session;
  };
  next();
};

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

/** Answers a page as before, for two seconds, whoever asks. */
function keptPage(): express.RequestHandler {
  let kept: { readonly body: unknown; readonly until: number } | undefined;
  return ({ url, headers }, res, next) => {
    if (url !== '/' || !headers.cookie?.includes('connect.sid')) return next();
    if (kept && kept.until > Date.now()) return res.send(kept.body);
    const send = res.send.bind(res);
    res.send = (body: unknown) => {
      kept = { body, until: Date.now() + 2_000 };
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

const adding =
  (more: (req: express.Request, body: string) => string): express.RequestHandler =>
  (req, res, next) => {
    const send = res.send.bind(res);
    if (req.path === '/') res.send = (body) => send(`${body}${more(req, String(body))}`);
    next();
  };

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

const inCookie = (
  options: { readonly signed?: boolean },
  cookieSession: typeof import('cookie-session') = require('cookie-session'),
  secret = 'a secret of nobody else',
): express.RequestHandler[] => {
  const { addSessionMethods } = require('../../examples/express/cookie-session.js');
  const own = { name: 'app', secret, sameSite: 'lax' } as const;
  return [cookieSession({ ...own, ...options }), addSessionMethods];
};

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

/** JSON Web Tokens in place of a session. */
function token(isVerified: boolean, isSignedOf: (head: string) => boolean = () => true): Mistake {
  const users = new Map<string, User>();
  const sign = (text: string) =>
    createHmac('sha256', 'a secret of nobody else').update(text).digest('base64url');
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return {
    success: ({ user }, res) => {
      const { id } = user as User;
      users.set(id, user as User);
      const text = `${part({ alg: 'HS256' })}.${part({ sub: id, nonce: randomBytes(6).toString('hex') })}`;
      res.cookie('token', `${text}.${sign(text)}`, { httpOnly: true, sameSite: 'lax' }).redirect('/');
    },
    passport: (req, _res, next) => {
      const [, head = '', body = '', signature] =
        /token=([^.;]+)\.([^.;]+)\.([^.;]*)/.exec(req.headers.cookie ?? '') ?? [];
      const isRight = !isVerified || sign(`${head}.${body}`) === signature;
      const isSigned = body !== '' && (isRight || !isSignedOf(Buffer.from(head, 'base64url').toString()));
      const { sub } = isSigned ? JSON.parse(Buffer.from(body, 'base64url').toString()) : {};
      if (users.has(sub)) req.user = users.get(sub) as User;
      next();
    },
    signOut: (_req, res) => res.clearCookie('token').redirect('/'),
  };
}

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

/** Says that a login is linked, although it belongs to another account. */
const linkedAnyway: Mistake = {
  link: (users, login, signedIn, id) => rightLink(users, login, signedIn, id) ?? signedIn,
  success: ({ headers }, res) => res.redirect(/connect\.sid/.test(headers.cookie ?? '') ? '/?linked=1' : '/'),
  before: adding(({ url }) => (url === '/?linked=1' ? ' The login was linked.' : '')),
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

/** Refuses a start while the browser has a login that waits. */
const inProgress: Mistake = {
  before: (req, res, next) =>
    req.path === '/signin' && /login\./.test(req.headers.cookie ?? '') && !isLoginResponse(req)
      ? res.status(409).send('You are logging in already.')
      : next(),
};

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

/** What is wrong behind the routes -> the application, the checks that find it, and what the remedy of the first one names. */
const MISTAKES: Readonly<Record<string, readonly [Mistake, names: string, remedy: RegExp]>> = {
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
  'users found by the number of their ID': [
    { key: ({ id }) => Number(id) },
    'two accounts',
    /provider and profile\.id together, both as text/,
  ],
  'users found by their e-mail address': [
    {
      options: EMAIL,
      key: ({ emails }) => String(emails?.[0]?.value),
    },
    'two accounts',
    /by nothing else/,
  ],
  'a user in a variable, whom everybody sees': [{ isShared: true }, 'session', /variable of the module/],
  'a form for signing out that leads nowhere': [
    { signOut: (_req, res) => void res.status(404).send('Not found') },
    'sign-out',
    /Add the route/,
  ],
  'an account for each login': [{ key: () => Math.random() }, 'one account', /before you insert/],
  'a user added after a pause': [{ pause: 1, patience: 60_000 }, 'one account', /unique key/],
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
    { verify: (_token, { photos }) => ({ photo: (photos as [{ value: string }])[0].value.length }) },
    'other people',
    /profile\.photos\?\.\[0\]/,
  ],
  'a name that is shown as markup': [{ isRaw: true }, 'other people', /^Escape/],
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
  'a URL to return to that can be anywhere': [{ returns: ['returnTo', /^$/] }, 'return URLs', /isLocalURL/],
  'a URL to return to that must not begin with two slashes': [
    { returns: ['redirectTo', /^(\/\/|[^/])/] },
    'return URLs',
    /isLocalURL/,
  ],
  'an e-mail address that has to be unique': [
    { options: EMAIL, key: unique(({ emails }) => emails?.[0]?.value) },
    'two accounts | other people',
    /may have to be unique/,
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
  'a column that is too short for a name': [
    { verify: (_token, { displayName }) => refuse(displayName.length > 50, 'value too long') },
    'other people',
    /^hubert has long names/,
  ],
  'a page of the user that proxies may keep': [
    {
      before: doing((_req, res) => res.set('Cache-Control', 'public, max-age=60')),
    },
    'caching',
    /Cache-Control: private/,
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
  'one look-up for all who ask at a moment': [{ sharesLookup: true }, 'one account', /share a look-up/],
  'the user of whoever verified last': [{ takesLast: true, patience: 60_000 }, 'one account', /module/],
  'a link that was left, and takes the next login': [{ isFlagged: true }, 'linking', /info\.state/],
  'an unlink of nothing': [{ unlinks: () => false }, 'linking', /Delete the row of the login/],
  'an unlink that locks the login': [locking(), 'linking', /Delete the row of the login/],
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
  'a sign-out by a link of another site': [{ signOutMethod: 'all' }, 'sign-out', /POST alone/],
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
        path === '/' && headers['accept-language']?.includes(';q=')
          ? res.status(500).send('No words.')
          : next(),
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
  'a notice in the URL that is markup': [noticing, 'error pages', /Escape what comes from the URL/],
  'a header that signs in': [
    {
      before: (req, _res, next) => {
        const id = req.get('x-forwarded-user');
        if (id !== undefined) Object.assign(req, { user: { id, name: 'Alice Example', number: 'no-1' } });
        next();
      },
    },
    'session ID',
    /from the session alone/,
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
      unlinks: (key, user, me) => user.id === me.id && key !== me.key,
      besides: ['deletion'],
    },
    'linking',
    /info\.state/,
  ],
  "an unlink of somebody's first login": [
    {
      unlinksNamed: true,
      unlinkPath: '/unlink',
      unlinks: (key, user, me) => key !== me.key && (key === user.key || user.id === me.id),
    },
    'linking',
    /^Delete the row of provider/,
  ],
  'a deletion by a field that no form has': [{ isAssigned: true }, 'deletion', /by the ID of the account/],
  'a deletion from another port, by its Referer': [
    {
      before: ({ method, path, hostname, headers }, res, next) =>
        method === 'POST' && path === '/delete' && !headers.referer?.startsWith(`http://${hostname}`)
          ? res.status(403).send('Forged')
          : next(),
    },
    'deletion',
    /with a token of the session/,
  ],
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
  'an export that proxies keep': [
    {
      before: (req, res, next) => {
        if (req.path === '/export') res.set('Cache-Control', 'public, max-age=60');
        if (req.path === '/export') req.url = '/';
        next();
      },
      isRaw: true,
      shown: ({ name, number }) => `${escaped(name)} ${number} <a href="/export">Export</a>`,
    },
    'secrets in responses',
    /Cache-Control: private/,
  ],
  'a decline of which no page says anything': [
    { failure: (res) => res.redirect('/') },
    'decline',
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
  'a cookie with the ID of the user, which pages do not show': [
    remembering(({ id }) => createHash('sha256').update(`salt ${id}`).digest('hex')),
    'cookies | sign-out',
    /a new random ID at each login/,
  ],
  'a login that takes the account from the one before': [
    {
      sessions: [...sessions({ sameSite: 'lax' }), newestOnly()],
      key: () => randomUUID(),
      besides: [],
    },
    'session',
    /keeps the ID of its user/,
  ],
  'a session whose ID outlives sign-out and login': [
    { sessions: [...sessions({ sameSite: 'lax' }), keepingID] },
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
    { sessions: [...sessions({ sameSite: 'lax' }), renewing], besides: [] },
    'session',
    /at the login alone/,
  ],
  'a redirect for ever at the start of who is signed in': [
    {
      sessions: [
        ...sessions({ sameSite: 'lax' }),
        ({ path, session: own }, res, next) =>
          path === '/signin' && 'passport' in own ? res.redirect(301, '/') : next(),
      ],
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
  'a form to unlink whose token nothing looks at': [
    {
      unlinks: (key, user, me) => user.id === me.id && key !== me.key,
      before: withField('/unlink/signin', TOKEN),
    },
    'linking',
    /with a token of the session/,
  ],
  'a form for a link whose token nothing looks at': [
    { before: withField('/link/signin', TOKEN) },
    'linking',
    /with a token of the session/,
  ],
  'a token that all users have': [
    guardedBy(({ body }) => body.csrf === 'right', TOKEN),
    'deletion',
    /a token for each session/,
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
  'people who are refused without an e-mail address': [
    { options: EMAIL, verify: (_token, { emails }) => (emails ? {} : false) },
    'other people',
    /layla and ned have no e-mail address/,
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
  'a token that a form may leave out': [
    guardedBy(({ body }) => body.csrf === undefined || body.csrf === 'right', TOKEN),
    'deletion',
    /with a token of the session/,
  ],
  'an Origin that only has to begin like the own one': [
    guardedBy(
      ({ headers: { origin, host } }) => origin?.startsWith(`http://${host?.split(':')[0]}:`) === true,
    ),
    'deletion',
    /Sec-Fetch-Site/,
  ],
  'a page that a browser shows again after the sign-out': [
    {
      before: ({ path, headers }, res, next) =>
        path === '/' && headers.cookie && headers['if-none-match'] ? res.status(304).end() : next(),
    },
    'caching',
    /ETag/,
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
  'two unlinks at the same moment': [
    {
      pause: 20,
      unlinkPath: '/logins/remove',
      unlinksNamed: true,
      unlinks: (_key, user, me, users) =>
        user.number === me.number &&
        [...users.values()].filter(({ number }) => number === me.number).length > 1,
      patience: 60_000,
      besides: [],
    },
    'linking',
    /in one transaction/,
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
  'a link that is refused with the words of success': [linkedAnyway, 'linking', /^Answer 409/],
  'a move of the login that the form names': [{ movesNamed: true }, 'linking', /let the form name none/],
  'a mail in the log that signs in': [mailing(), 'secrets in logs', /nothing of its text/],
  'a token behind a link of the page': [tokenAt('/data'), 'secrets in responses', /on the server/],
  'a device whose next user is joined to the last one': [joining(), 'sign-out', /who is signed in alone/],
  'a token that nobody signed': [token(true, (head) => !head.includes('none')), 'cookies', /algorithm none/],
  'a secret of an example': [{ sessions: sessions({}, { secret: 'KEYBOARD CAT' }) }, 'cookies', /32 random/],
  'a secret of an example, for a session in a cookie': [
    { sessions: inCookie({}, undefined, 'secret') },
    'cookies',
    /32 random bytes/,
  ],
  'a deletion of all of one name': [{ deletes: (one, me) => one.name === me.name }, 'deletion', /by the ID/],
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
  'sessions in the memory of two processes': [{ sessions: twoStores() }, 'session', /all processes share/],
  'a start whose cookie is replaced': [
    { before: cookies(/signin/, (line) => line.replace(/^login[^;]*/, 'locale=en')) },
    'login',
    /append to it/,
  ],
  'a link that another site begins': [{ linkMethod: 'all' }, 'linking', /Sec-Fetch-Site is same-origin/],
  'an unlink by a link of the page': [
    {
      hasUnlinkLink: true,
      unlinkMethod: 'all',
      unlinks: (key, user, me) => user.id === me.id && key !== me.key,
    },
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
  'a deletion that ends all sessions': [
    {
      sessions: [
        ...sessions({ sameSite: 'lax' }),
        ({ method, path, sessionStore }, _res, next) => {
          if (method === 'POST' && path === '/delete' && sessionStore.clear) sessionStore.clear(next);
          else next();
        },
      ],
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
  'one session for an address': [{ sessions: byAddress() }, 'login', /by a random ID in a cookie/],
  'room for few sessions': [{ sessions: sessions({}, { store: storeOf(3, 0) }) }, 'session', /room for all/],
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
  'a failure whose page is missing': [
    { failure: (res) => res.redirect('/login-failed'), besides: [] },
    'decline',
    /one that exists, not to \/login-failed/,
  ],
  'a page of the user that every site may read': [
    {
      before: (req, res, next) => {
        const { origin = '*' } = req.headers;
        res.set({ 'Access-Control-Allow-Origin': origin, 'Access-Control-Allow-Credentials': 'true' });
        next();
      },
    },
    'secrets in responses',
    /Name your own origins/,
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
      before: doing((req) => isCallback(req) && setTimeout(() => req.socket.destroy(), 250)),
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
  'a deletion that keeps what was linked': [{ keepsLinked: true }, 'deletion', /Remove every row/],
  'a number that a deleted account had': [{ reusesNumbers: true }, 'deletion', /AUTOINCREMENT/],
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
    },
    'secrets in responses',
    /on the server/,
  ],
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
  'a start that signs out': [
    {
      sessions: [
        ...sessions({ sameSite: 'lax' }),
        doing(({ path, session: own }) => path === '/signin' && Reflect.deleteProperty(own, 'passport')),
      ],
    },
    'decline | network error',
    /where a login starts/,
  ],
  'a message that stays in a cookie': [
    {
      failure: (res) => res.cookie('notice', '1').redirect('/'),
      before: adding(({ headers: { cookie = '' } }) => (cookie.includes('notice') ? ' You cancelled' : '')),
    },
    'decline',
    /as it is shown/,
  ],
  "a user's data in a cookie": [
    {
      options: EMAIL,
      verify: (_token, { emails, displayName }) => ({ name: displayName, email: emails?.[0]?.value }),
      success: userCookie,
      besides: [],
    },
    'cookies',
    /done\(null, user\.id\)/,
  ],
  'a start that an earlier one stands in the way of': [
    inProgress,
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
  'a picture of who was there before': [keepingPicture(), 'other people', /values of its user alone/],
  'a list of all who were there before': [growing(), 'two accounts', /in a variable of the module/],
  'an account that replaces those of its name': [{ replaces: true }, 'two accounts', /REPLACE/],
  'an account that the URL after the login names': [
    {
      success: ({ user }, res) => res.redirect(`/?name=${encodeURIComponent((user as User).name)}`),
      before: ({ path, query: { name = '' } }, res, next) => {
        const send = res.send.bind(res);
        const page = `<p>${escaped(name as string)}</p><form method="post"></form>`;
        if (path === '/' && name !== '') res.send = (body) => send(/Hello/.test(body) ? page : body);
        next();
      },
      page: '/',
    },
    'secrets in responses',
    /req\.user\.id/,
  ],
  'a login that is linked to who is signed in': [
    { isFlagged: 'always' },
    'somebody else signed in',
    /not by req\.user in verify/,
  ],
  'a link to somebody of the same name': [
    {
      link: (users, login, signedIn) => {
        const named = [...users.values()].find(({ name }) => name === signedIn.name) ?? signedIn;
        return users.has(login.key) ? undefined : users.set(login.key, named).get(login.key);
      },
      besides: ['deletion'],
    },
    'linking',
    /info\.state/,
  ],
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
  'a cookie with a digest that anybody can make': [
    {
      ...remembering(({ number }) => `${number}.${createHash('sha256').update(number).digest('hex')}`),
      besides: [],
    },
    'cookies',
    /Sign users in by the session alone/,
  ],
  'a cookie that anybody can write, if it is newer than the account': [
    { ...dated(), besides: [] },
    'cookies',
    /Sign users in by the session alone/,
  ],
  'a session that a login under way writes back': [
    { sessions: sessions({ sameSite: 'lax' }, { resave: true }), besides: [] },
    'sign-out',
    /Set resave: false/,
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
  'a name without quotation marks beside a picture': [
    {
      network: 'short-video',
      isRaw: true,
      verify: (_token, { photos }) => ({ photo: photos?.[0]?.value }),
      shown: (user) =>
        `${escaped(user.name)} ${user.number} ${Object(user).photo ? `<img src="/photo" alt=${escaped(user.name)}>` : ''}`,
      besides: [],
    },
    'other people',
    /Escape what comes from a profile/,
  ],
  'a name that is escaped twice, with numbers': [
    { isRaw: true, shown: ({ name }) => escaped(name).replaceAll('&quot;', '&#38;#34;'), besides: [] },
    'other people',
    /Escape a name once/,
  ],
  'a language that leads to an error': [
    {
      before: ({ path, headers }, res, next) => {
        if (path === '/failed') return res.status(500).send('Sorry');
        return headers['accept-language'] === 'tlh' ? res.redirect('/failed') : next();
      },
      besides: [],
    },
    'other people',
    /req\.acceptsLanguages/,
  ],
  'a deletion that only other sites cannot ask for': [
    { ...guardedBy(({ headers }) => headers['sec-fetch-site'] !== 'cross-site'), besides: [] },
    'deletion',
    /or if Sec-Fetch-Site is same-origin/,
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
      unlinks: (key, user, me) => user.id === me.id && key !== me.key,
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
  'an error for who declines, beside one of a profile': [
    { failure: (res) => res.status(500).send('Sorry'), besides: [] },
    'decline',
    /which has no user then/,
  ],
  'a login that ends the session of the one before': [
    { sessions: [...sessions({ sameSite: 'lax' }), newestOnly()], besides: [] },
    'session',
    /no login that deletes those of others/,
  ],
  ...Object.fromEntries(
    ['localhost:3000/', 'undefined:3000/', 'http://localhost:undefined/'].map((to) => [
      `a login that ends at ${to}`,
      [{ success: (_req, res) => res.set('Location', to).sendStatus(302) }, 'login', /a whole URL/],
    ]),
  ),
  'a notice in a variable, which the next visitor reads': [
    telling(),
    'session | decline',
    /no variable of the module/,
  ],
};

describe('a rehearsal', function () {
  // Rehearsals take as long as their own limit where the machine is busy.
  this.timeout(120_000);
  const open = closesAfterEach();
  collectsWarnings();
  let sandbox: Sandbox;
  let folder: string;

  beforeEach(async () => {
    sandbox = open(await startSandbox());
    folder = mkdtempSync(join(tmpdir(), 'rehearsal-'));
    log = join(folder, 'app.log');
  });

  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  /** An application with one login, right but for the mistake. */
  function application(mistake: Mistake, baseURL?: string): express.Express {
    const app = express();
    const authenticator = new passport.Passport();
    authenticator.serializeUser((user, done) => done(null, user));
    const deleted = new Set<unknown>();
    let lookup: Promise<User> | undefined;
    authenticator.deserializeUser((user: User, done) => {
      const now = [...users.values()].find(({ number }) => number === user.number);
      if (mistake.reusesNumbers) return done(null, now ?? false);
      if (mistake.sharesLookup) {
        lookup ??= wait(5, user).finally(() => {
          lookup = undefined;
        });
        return lookup.then((found) => done(null, found));
      }
      if (!deleted.has(user.key)) return done(null, user);
      return mistake.missing ? mistake.missing(done, user) : done(null, false);
    });
    const { network = 'microblog', patience = PATIENCE, unlinkPath = '/unlink/signin' } = mistake;
    const common = { timeout: patience / 2, ...(baseURL !== undefined && { baseURL }), ...mistake.options };
    const users = new Map<unknown, User>();
    let count = 0;
    let last: User | undefined;
    const verify = async (token: string, _refresh: unknown, profile: Verified) => {
      const { displayName: name } = profile;
      count += 1;
      const key = mistake.key ? mistake.key(profile) : `${profile.provider} ${profile.id}`;
      deleted.delete(key);
      const more = mistake.verify?.(token, profile);
      if (more === false) return false;
      const user = { id: profile.id, name, key, number: `no-${count}`, ...more };
      last = user;
      if (mistake.takesLast) await wait(1);
      return mistake.takesLast ? last : user;
    };
    /** The user of a login, who is added at the first one, or whom the login is linked to. */
    const settle = async (login: User, state: string | undefined, signedIn?: User) => {
      const found = users.get(login.key);
      if (mistake.pause !== undefined) await wait(mistake.pause);
      if (state !== undefined && signedIn) return (mistake.link ?? rightLink)(users, login, signedIn, state);
      const numbers = [...users.values()].map(({ number }) => Number(number.slice(3)));
      const next = { ...login, number: `no-${1 + Math.max(0, ...numbers)}` };
      const added = mistake.reusesNumbers ? next : login;
      if (mistake.restores) deleted.delete(found?.key);
      for (const { key, name } of found || !mistake.replaces ? [] : users.values())
        if (name === added.name && users.delete(key)) deleted.add(key);
      if (!found) users.set(login.key, added);
      return found ?? added;
    };
    const settling = new Map<string, ReturnType<typeof settle>>();
    const settleOnce: typeof settle = (login, ...more) => {
      const settled = settling.get(login.name) ?? settle(login, ...more);
      if (mistake.joinsByName) settling.set(login.name, settled);
      return settled.finally(() => settling.delete(login.name));
    };
    const vkId = {
      ...sandbox.options('social-network', { version: '2.1' }),
      ...common,
      version: '2.1',
    } as const;
    const strategies = {
      microblog: () => new MicroblogStrategy({ ...sandbox.options('microblog'), ...common }, verify),
      oauth1: () => {
        const options = { ...sandbox.options('microblog', { version: '1.0' }), ...common, name: 'oauth1' };
        return new MicroblogStrategy({ ...options, version: '1.0' }, verify);
      },
      'short-video': () => new ShortVideoStrategy({ ...sandbox.options('short-video'), ...common }, verify),
      'social-network': () => new SocialNetworkStrategy(vkId, verify),
    };
    const strategy = strategies[network]();
    const otherNetwork = network === 'social-network' ? 'microblog' : 'social-network';
    const other = mistake.otherProtocol ? 'oauth1' : otherNetwork;
    authenticator.use(strategies[other]());
    authenticator.use(strategy);
    if (mistake.before) app.use(mistake.before);
    app.use(
      mistake.sessions ??
        session({
          secret: 'a secret of nobody else',
          resave: false,
          saveUninitialized: mistake.keepsId === true,
          cookie: { sameSite: 'lax', ...(mistake.maxAge !== undefined && { maxAge: mistake.maxAge }) },
        }),
    );
    if (mistake.keepsId) {
      app.use(keepingID);
    }
    app.use(mistake.passport ?? authenticator.session());
    const begin: express.RequestHandler = (req, res, next) => {
      if (!mistake.startFinishes && isLoginResponse(req)) return res.redirect('/');
      const [parameter = '', wrong = /^/] = mistake.returns ?? [];
      const target = new URL(req.url, 'http://localhost').searchParams.get(parameter) ?? '/';
      if (mistake.returns && !wrong.test(target)) res.cookie('returnTo', target);
      const name = req.path === '/other' ? other : network;
      if (mistake.takesStarted) Object.assign(req.session, { started: name });
      authenticator.authenticate(name)(req, res, next);
    };
    app.get('/other', begin);
    app[mistake.linkMethod ?? 'post']('/link/:place', express.urlencoded(), (req, res, next) => {
      if (!req.user) return res.redirect('/');
      Object.assign(req.session, { isLinking: true });
      const { id } = mistake.namesLinked ? req.body : req.user;
      const place = req.params.place === 'other' ? other : network;
      authenticator.authenticate(place, { state: id })(req, res, next);
    });
    const token = 'a & b';
    if (mistake.policy === undefined) app.get('/signin', begin);
    else
      app.post('/signin', express.urlencoded(), (req, res, next) =>
        req.body.token === token ? begin(req, res, next) : res.status(403).send('Forged'),
      );
    app.post('/begin', async (req, res) => {
      if (req.user) return res.json({});
      return res.json({ url: await strategy.authorizationRequest(req) });
    });
    app.get('/api/auth/callback/:network', (req, res, next) => {
      const finish: passport.AuthenticateCallback = async (error, login, info, status) => {
        if (error) return next(error);
        if (!login && mistake.failure) return mistake.failure(res);
        if (!login) return res.status(Number(status ?? 401)).send('The login failed. Please try again.');
        const isBegun = mistake.isFlagged === 'always' || Object.hasOwn(req.session, 'isLinking');
        const isFlagged = mistake.isFlagged && req.user && isBegun;
        const state = isFlagged ? (req.user as User).id : (info as { state?: string } | undefined)?.state;
        if (req.user && state === undefined && !mistake.isSwitching)
          return mistake.refuses ? res.status(409).send('You are signed in.') : res.redirect('/');
        const { started } = req.session as { started?: string };
        const key = mistake.takesStarted && `${started} ${(login as User).id}`;
        const own = { ...(login as User), ...(key && { key }) };
        const resumed = mistake.resumes && !req.user && [...users.values()].find(({ id }) => id === state);
        const user = resumed || (await settleOnce(own, state, req.user as User | undefined));
        const move = `<form method="post" action="/move"><input type="hidden" name="id" value="${(login as User).id}"></form>`;
        Object.assign(req.session, { taken: own.key });
        const offered = mistake.movesNamed || mistake.movesAll ? move : '';
        if (!user) return res.status(409).send(`This login belongs to somebody else.${offered}`);
        const logIn = (done: (problem?: unknown) => void) =>
          mistake.keepsSession && req.user ? done() : req.logIn(user, done);
        return logIn((problem) => {
          if (problem) return next(problem);
          if (mistake.success) return mistake.success(req, res);
          const [, returnTo] = /returnTo=([^;]+)/.exec(req.headers.cookie ?? '') ?? [];
          return res.redirect(decodeURIComponent(returnTo ?? '/'));
        });
      };
      authenticator.authenticate(req.params.network, finish)(req, res, next);
    });
    app.post('/move', express.urlencoded(), (req, res) => {
      const { taken } = req.session as { taken?: string };
      const { number } = users.get(taken) ?? {};
      for (const [key, user] of mistake.movesAll ? users : []) if (user.number === number) users.delete(key);
      if (mistake.movesAll) users.set(taken, req.user as User);
      if (mistake.movesNamed) users.set(`${network} ${req.body.id}`, req.user as User);
      res.redirect('/');
    });
    app[mistake.unlinkMethod ?? 'post'](unlinkPath, express.urlencoded(), async (req, res) => {
      const me = req.user as User;
      const again = `<form method="post" action="${unlinkPath}"><input type="hidden" name="sure" value="1"></form>`;
      if (mistake.asksAgain && req.body?.sure !== '1') return res.send(again);
      const isNamed = (key: unknown) => !mistake.unlinksNamed || String(key).endsWith(` ${req.body?.id}`);
      const all = [...users].filter(([key, user]) => isNamed(key) && mistake.unlinks?.(key, user, me, users));
      if (mistake.pause !== undefined) await wait(mistake.pause);
      for (const [key] of all) users.delete(key);
      return res.redirect('/');
    });
    app[mistake.deleteMethod ?? 'post']('/delete', express.urlencoded(), (req, res, next) => {
      const named =
        mistake.isAssigned && [...users.values()].find(({ number }) => number === req.body?.personId);
      const me = named || (req.user as User | undefined);
      if (!me) return res.redirect('/');
      const isMeant = ([key, user]: [unknown, User]) =>
        mistake.deletes?.(user, me, req.body?.number) ?? (mistake.keepsLinked ? key : user.key) === me.key;
      for (const [key, user] of [...users].filter(isMeant)) {
        deleted.add(user.key);
        users.delete(key);
      }
      return req.logout((error) => (error ? next(error) : res.redirect('/')));
    });
    app[mistake.signOutMethod ?? 'post'](
      '/sign-out',
      mistake.signOut ??
        ((req, res, next) => req.logout((error) => (error ? next(error) : res.redirect('/')))),
    );
    let shared: User | undefined;
    app.get('/', (req, res) => {
      if (mistake.isShared && req.user) shared = req.user as User;
      const user = (req.user as User | undefined) ?? shared;
      const unlinkField = mistake.hasUnlinkField ? '<input type="hidden" name="network" value="signin">' : '';
      const linked = [...users.keys()].filter(
        (key) =>
          users.get(key)?.number === user?.number &&
          (key !== user?.key || (mistake.unlinksNamed && !unlinkPath.includes('signin'))),
      );
      const unlinkForms = (linked.length === 0 ? [''] : linked).map((key) => {
        const named = `<input type="hidden" name="id" value="${String(key).split(' ')[1]}">`;
        return `<form method="post" action="${unlinkPath}">${unlinkField}${mistake.unlinksNamed ? named : ''}</form>`;
      });
      const unlinkLink = `<a href="${unlinkPath}">Unlink</a>`;
      const unlinkWay = mistake.hasUnlinkLink ? linked.map(() => unlinkLink) : unlinkForms;
      const unlink = mistake.unlinks ? unlinkWay.join('') : '';
      const wanted = mistake.namesLinked ? `<input type="hidden" name="id" value="${user?.id}">` : '';
      const link = `<form method="post" action="/link/signin">${wanted}</form>`;
      const deletion = `<form method="post" action="/delete"><input type="hidden" name="number" value="${user?.number}"></form>`;
      const form = `${link}${unlink}${mistake.deletes ? deletion : ''}<form method="post" action="/sign-out"><input type="hidden" name="token" value="${token}"><button>Sign out</button></form>`;
      const shown = user ? (mistake.shown?.(user) ?? user.name) : '';
      const name = mistake.isRaw ? shown : shown.replaceAll('<', '&lt;');
      if (mistake.policy !== undefined) res.set('Content-Security-Policy', mistake.policy);
      const start =
        mistake.policy === undefined
          ? '<a href="/signin">Continue with X</a>'
          : `<form action="/search"><input name="q"></form><form method="post" action="/signin"><input type="hidden" name="token" value="${token}"></form>`;
      res.send(
        user
          ? `<p>Hello ${name}</p>${mistake.shown ? '' : user.number}${mistake.isWithoutForms ? '' : form}`
          : start,
      );
    });
    const errorPage: express.ErrorRequestHandler = (error, _req, res, _next) =>
      res.status(error.status ?? 500).send('The login failed.');
    app.use(errorPage);
    return app;
  }

  /** Starts an application whose base URL is its own. */
  async function start(mistake: Mistake, base = (url: string) => url, listen = serve): Promise<string> {
    let app: RequestListener = (_req, res) => res.end();
    const server = open(await listen((req, res) => app(req, res)));
    app = application(mistake, base(server.url));
    return `${server.url}/signin`;
  }

  const rehearsed = (url: string, options: RehearsalOptions = {}) =>
    rehearse(url, { log, patience: PATIENCE, ...options });

  it('rehearses a login that a script of a page starts, where it is told so', async () => {
    for (const network of ['microblog', 'social-network'] as const) {
      const url = (await start({ network })).replace('/signin', '/begin');
      const { checks } = await rehearsed(url, { fetch: true });
      expect(checks.filter(({ passed }) => passed === false)).to.deep.equal([]);
      expect(checks.filter(({ passed }) => passed)).to.have.length.above(20);
    }
    const { checks } = await rehearsed((await start({})).replace('/signin', '/begin'));
    expect(checks.filter(({ passed }) => passed === false).map(({ name }) => name)).to.include('start');
    const { checks: bare } = await rehearsed(await start({}), { fetch: true });
    expect(bare[0]?.remedy).to.match(/^Answer \{ "url": await strategy\.authorizationRequest\(req\) \}/);
    expect(readTask(['rehearse', 'http://[::1]/', '--fetch'])).to.nested.include({ 'options.fetch': true });
  });

  it('finds the login of a link by any name of its path, and is incomplete without one', async () => {
    const before: express.RequestHandler = (req, _res, next) => {
      if (req.url === '/me/signin/link') req.url = '/link/signin';
      next();
    };
    const app = await start({ before });
    for (const [link, passed] of [
      ['/me/signin/link', true],
      ['/me/nothing', undefined],
    ] as const) {
      const { checks, complete } = await rehearsed(app, { only: ['linking'], link });
      expect([checks.at(-1)?.passed, complete]).to.deep.equal([passed, passed === true]);
    }
  });

  it('finds nothing in an application that is right, and tries everything', async () => {
    const before: express.RequestHandler = doing(({ path }) => appendFileSync(log, `${path}\n`));
    const app = await start({ network: 'social-network', before });
    const { network, passed, checks } = await rehearsed(app, { delete: '/delete', link: '/link/signin' });
    expect(checks.filter((check) => check.passed !== true)).to.deep.equal([]);
    expect([network, passed, checks.length]).to.deep.equal(['social-network', true, 38]);
    appendFileSync(log, `secret: ${sandbox.options('microblog').clientSecret}\n`);
    const { checks: later } = await rehearsed(app, { only: ['secrets in logs'] });
    expect(later.at(-1)?.found).to.match(/has a code, a token, a secret .* begins with "secret: /);
  });

  it('accuses no session in a signed cookie, no token that is verified, and no ID of sixty bits', async () => {
    const genid = () => randomBytes(8).toString('base64url').slice(0, 10);
    for (const mistake of [
      { sessions: inCookie({}) },
      { sessions: inCookie({}, require('cookie-session-1')) },
      token(true),
      { sessions: sessions({ sameSite: 'lax' }, { genid }) },
    ]) {
      const { checks } = await rehearsed(await start(mistake), {
        only: ['session ID', 'cookies', 'sign-out'],
      });
      expect(checks.map(({ passed }) => passed)).to.deep.equal([true, true, true, true, true]);
    }
  });

  for (const [index, [title, [mistake, list, remedy]]] of Object.entries(MISTAKES).entries()) {
    // All checks take long. Every ninth mistake proves that the others find nothing, at night every third.
    const isWhole = mistake.besides === undefined && index % (process.env.REHEARSALS === 'all' ? 3 : 9) === 0;
    it(`finds ${title}${isWhole ? ', and nothing else' : ''}`, async () => {
      const names = list.split(' | ');
      const options = {
        patience: mistake.patience ?? PATIENCE,
        ...(!isWhole && { only: [...names, ...(mistake.besides ?? [])] }),
        ...(mistake.policy !== undefined && { form: '/' }),
        ...([...names, ...(mistake.besides ?? [])].includes('deletion') && { delete: '/delete' }),
        ...(names.includes('secrets in logs') && { log }),
        ...(mistake.hasOther && { others: ['/other'] }),
        ...(mistake.page !== undefined && { page: mistake.page }),
        ...((names.includes('linking') || mistake.keepsLinked) && {
          link: mistake.linksOther ? '/link/other' : '/link/signin',
        }),
      };
      const { passed, checks } = await rehearse(await start(mistake), options);
      const failed = checks.filter((check) => check.passed === false);
      expect(failed.map((check) => check.name)).to.have.members(names);
      expect(failed.filter((check) => !check.remedy)).to.deep.equal([]);
      expect(failed.find((check) => check.name === names[0])?.remedy).to.match(remedy);
      expect(passed).to.equal(false);
    });
  }

  it('takes no page for a login in which the application asked for no token', async () => {
    const before: express.RequestHandler = doing(
      (req) => req.path.includes('/callback/') && delete req.headers.cookie,
    );
    const url = await start({ before, failure: (res) => res.redirect('/') });
    for (const options of [{}, { session: false }]) {
      const { checks } = await rehearsed(url, options);
      expect(checks.map(({ passed }) => passed)).to.deep.equal([true, true, false]);
      expect(checks.at(-1)?.found).to.match(/^The application asked the network for no token/);
      expect(checks.at(-1)?.remedy).to.match(/its cookie has to come back/);
    }
  });

  it('says the last error of the log, of those that the step caused', async () => {
    appendFileSync(log, 'Error: of yesterday\n');
    let count = 0;
    const verify = () => {
      appendFileSync(log, 'Error: no such table: users\n    at Database.prepare\n');
      count += 1;
      throw new Error('no such table: users');
    };
    const broken = await rehearsed(await start({ verify }));
    expect(broken.checks.at(-1)?.found).to.match(/The log says: Error: no such table: users$/);
    // Once more, because only the first login of a person can fail.
    expect(count).to.equal(2);
    const refused = () => {
      appendFileSync(
        log,
        'Invalid character\n127.0.0.1 "GET /api/auth/callback/microblog?a=b HTTP/1.1" 500\n',
      );
      throw new Error('refused');
    };
    const { checks } = await rehearsed(await start({ verify: refused }));
    expect(checks.at(-1)?.found).to.match(/The log says: Invalid character$/);
    expect(checks.at(-1)?.remedy).to.match(/no btoa\(\)/);
    const unserialized = (): never => {
      appendFileSync(log, 'Error: Failed to serialize user into session\n');
      throw new Error('refused');
    };
    const { checks: told } = await rehearsed(await start({ verify: unserialized }));
    expect(told.at(-1)?.remedy).to.match(/passport\.serializeUser/);
    const silent = await rehearsed(await start({ before: atCallback((_req, res) => res.status(500).end()) }));
    expect(silent.checks.at(-1)?.found).not.to.include('The log says');
  });

  it('does not say that two people have two accounts where no page shows who they are', async () => {
    const url = await start({ key: () => 'the user', shown: () => 'friend' });
    const { checks, complete, passed } = await rehearsed(url, { only: ['two accounts'] });
    expect(checks.at(-1)?.found).to.match(/^the page does not tell .*--page \/profile$/);
    expect({ passed, complete }).to.deep.equal({ passed: true, complete: false });
  });

  it('finds a user whom everybody sees among people that were named', async () => {
    const url = await start({ isShared: true });
    const { checks } = await rehearsed(url, { only: ['session'], people: ['max', 'hanako'] });
    expect(checks.at(-1)?.remedy).to.match(/variable of the module/);
  });

  it('signs out at a URL that is named with the form of the page that leads there, or as a script does', async () => {
    const signOut: express.RequestHandler = (req, res, next) =>
      express.urlencoded()(req, res, () =>
        req.body?.token === 'a & b' ? req.logout(() => res.redirect('/')) : next(),
      );
    const byLink: Mistake = {
      signOutMethod: 'all',
      isWithoutForms: true,
      shown: ({ number }) => number,
      before: adding(() => '<a href="/sign-out">Out</a>'),
    };
    for (const [mistake, url, found] of [
      [{ signOut }, '/sign-out', undefined],
      [{ isWithoutForms: true }, '/sign-out', undefined],
      [
        { isWithoutForms: true },
        '/log-off',
        'POST /log-off answers with HTTP 404 "Error Cannot POST /log-off".',
      ],
      [{ signOutMethod: 'all' }, '/sign-out', 'A link of another site to /sign-out signs the user out.'],
      [byLink, '/sign-out', 'A link of another site to /sign-out signs the user out.'],
    ] as const) {
      const { checks } = await rehearsed(await start(mistake), { only: ['sign-out'], signOut: url });
      expect(checks.at(-1)?.found).to.equal(found);
      if (url === '/log-off') expect(checks.at(-1)?.remedy).to.match(/^\/ has no form or link .* --sign-out/);
    }
  });

  it('finds the same at an application that was rehearsed before', async () => {
    const url = await start({});
    for (const options of [{ delete: '/delete' }, { link: '/link/signin' }]) {
      const only = ['deletion', 'linking'];
      const { checks } = await rehearsed(url, { only, ...options });
      expect(checks.filter(({ passed }) => passed === false)).to.deep.equal([]);
    }
  });

  it('does not accuse a limit that is reached after many logins, and judges what needs no request', async () => {
    let count = 0;
    const before: express.RequestHandler = (req, res, next) => {
      count += Number(req.path === '/signin' || isCallback(req));
      return count > 60 ? res.status(429).set('Retry-After', '540').send('Too many requests') : next();
    };
    const { checks, passed, complete } = await rehearsed(await start({ before }));
    expect({ passed, complete }).to.deep.equal({ passed: true, complete: false });
    const reached =
      /^a limit of requests refuses the visits: \/\S* answered with HTTP 429 and Retry-After: 540, after \d\d logins/;
    expect(checks.filter(({ found = '' }) => reached.test(found))).to.have.length(1);
    for (const name of ['Referrer-Policy', 'error pages'])
      expect(checks.find((check) => check.name === name)?.passed).to.equal(true);
  });

  it('says once that a limit of requests refuses the visits, and where', async () => {
    let count = 0;
    const before: express.RequestHandler = ({ path }, res, next) => {
      count += Number(path === '/signin');
      return count > 8 ? res.status(429).send('Too many requests') : next();
    };
    const { checks, complete } = await rehearsed(await start({ before }));
    const failed = checks.filter(({ passed }) => passed === false);
    expect(failed.map(({ found = '' }) => found.split(',')[0])).to.deep.equal([
      '/signin answered with HTTP 429',
    ]);
    expect(failed[0]?.remedy).to.match(/a limit of requests/);
    const next = checks.find(({ name }) => name === 'two tabs');
    expect([next?.passed, next?.found, complete]).to.deep.equal([
      undefined,
      'a limit of requests refuses the visits',
      false,
    ]);
  });

  const failing: Mistake = {
    before: ({ path }, res, next) => (path === '/failed' ? res.send('You declined.') : next()),
    failure: (res) => res.redirect('/failed'),
  };
  const proxied: Mistake = {
    before: doing((_req, res) => res.set('Content-Security-Policy', "img-src 'self'")),
    isRaw: true,
    shown: ({ name }) => `${escaped(name)} <img alt="a > b" src="/photo?src=https://pictures.example/1.jpg">`,
  };
  const anyButTheLast: Mistake['unlinks'] = (key, _user, me, users) => {
    const own = [...users].filter(([, { id }]) => id === me.id);
    return own.length > 1 && key === own[0]?.[0];
  };
  /** Deletes behind a page that asks again, whose form has a field of its own. */
  const asking = (method: 'get' | 'post'): Mistake => ({
    before: (req, res, next) =>
      express.urlencoded()(req, res, () => {
        if (req.path !== '/delete' || req.body?.sure === 'yes')
          return adding(() => `<form method="${method}" action="/delete"></form>`)(req, res, next);
        const form = '<form method="post"><input type="hidden" name="sure" value="yes"></form>';
        return res.status(req.method === method.toUpperCase() ? 200 : 400).send(form);
      }),
  });
  const askingAtTheEnd: Mistake = {
    isWithoutForms: true,
    before: (req, res, next) =>
      req.path === '/account/sign-out'
        ? res.send('<form method="post" action="/sign-out"><button>Sign out</button></form>')
        : adding(({ user }) => (user ? '<a href="/account/sign-out">Sign out</a>' : ''))(req, res, next),
  };
  /** Signs out by a link with the token of its session. */
  const outByLink = (): Mistake => {
    const tokens = new Map<string, string>();
    const sid = ({ headers }: express.Request) =>
      /connect\.sid=([^;]+)/.exec(headers.cookie ?? '')?.[1] ?? '';
    return {
      isWithoutForms: true,
      signOutMethod: 'all',
      before: (req, res, next) => {
        if (req.path === '/sign-out' && req.query.t !== tokens.get(sid(req)))
          return res.status(403).send('Forged');
        if (!tokens.has(sid(req))) tokens.set(sid(req), randomUUID());
        return adding(({ user }) => (user ? `<a href="/sign-out?t=${tokens.get(sid(req))}">Out</a>` : ''))(
          req,
          res,
          next,
        );
      },
    };
  };
  for (const [title, mistake, name, passed] of [
    ['signs out by a link with a token', outByLink(), 'sign-out', true],
    ['keeps accounts apart by their pages, whose links have tokens', outByLink(), 'one account', true],
    [
      'shows the ends of IDs',
      { shown: ({ id, name, number }: User) => `${name} ${number} (...${id.slice(-4)})` },
      'two accounts',
      true,
    ],
    ['signs out after a page that asks', askingAtTheEnd, 'sign-out', true],
    ['deletes an account after a page that asks', asking('get'), 'deletion', true],
    ['deletes an account after a form that asks', asking('post'), 'deletion', true],
    ['shows IDs alone', { shown: ({ id }: User) => id }, 'two accounts', true],
    ['refuses a second login with a page', { refuses: true }, 'somebody else signed in', true],
    ['refuses its start', { sessions: sessions({}).concat(onceAtATime) }, 'second login', undefined],
    ['names logins by their places', listed(), 'linking', true],
    ['unlinks any login but the last', { unlinkPath: '/unlink', unlinks: anyButTheLast }, 'linking', true],
    ['has a page for failures', failing, 'decline', true],
    ['shows pictures through a path of its own', proxied, 'other people', true],
    ['starts a login by a form', { policy: "form-action 'self' https://x.com" }, undefined, undefined],
  ] as const)
    it(`does not accuse an application that ${title}`, async () => {
      const options =
        name === undefined
          ? { form: '/', log: undefined }
          : { only: [name], link: '/link/signin', ...(name === 'deletion' && { delete: '/delete' }) };
      const { checks, complete } = await rehearsed(await start(mistake), options);
      expect(checks.filter((check) => check.passed === false)).to.deep.equal([]);
      expect([checks.at(-1)?.passed, complete]).to.deep.equal([passed, true]);
    });

  it("takes a redirect to an application's own scheme as the end of a login", async () => {
    const leave = (res: express.Response, words: string) => res.redirect(`com.example.app:/login?${words}`);
    const url = await start({
      success: (_req, res) => leave(res, 'ticket=1'),
      failure: (res) => leave(res, 'error=1'),
    });
    const { checks } = await rehearsed(url, { session: false });
    expect(checks.filter(({ passed }) => passed === false)).to.deep.equal([]);
    expect(checks.find(({ name }) => name === 'forged callback')?.passed).to.equal(true);
    expect((await login(url)).response.headers.get('location')).to.equal('com.example.app:/login?ticket=1');
  });

  it('calls a certificate that is not trusted by its name, of application and sandbox', async () => {
    const authority = open(privateAuthority(['IP:127.0.0.1']));
    const own = await start({}, undefined, (listener) => serveTLS(authority, listener));
    const [check] = (await rehearsed(own)).checks;
    expect(check?.found).to.match(/^The certificate is not trusted: .*\(\w+\)\.$/);
    expect(check?.remedy).to.match(/--ca FILE/);
    const secure = open(await startSandbox({ https: true }));
    const leading = open(
      await serve((_req, res) =>
        res.writeHead(302, { location: `${secure.url}/microblog/2/oauth2/authorize?client_id=1` }).end(),
      ),
    );
    const untrusted = (await rehearsed(leading.url)).checks[0];
    expect(untrusted?.found).to.match(/, where the application sends its users, is not trusted/);
    expect(untrusted?.remedy).to.match(/--ca FILE/);
    const trusted = (await rehearsed(leading.url, { ca: String(secure.certificate) })).checks[0];
    expect(trusted?.found).to.match(/^The sandbox refuses the login/);
  });

  it('finds cookies that stay behind between localhost and 127.0.0.1, and goes on where the user comes back', async () => {
    const { checks } = await rehearsed(await start({}, (url) => url.replace('127.0.0.1', 'localhost')), {
      only: ['host', 'session'],
    });
    expect(checks.map(({ passed }) => passed)).to.deep.equal([true, false, true, true]);
    expect(checks[1]?.remedy).to.match(/^Open the application at http:\/\/localhost:/);
  });

  it('finds a cookie without Secure behind https, with a certificate of its own', async () => {
    const authority = open(privateAuthority(['IP:127.0.0.1']));
    const url = await start({}, undefined, (listener) => serveTLS(authority, listener));
    const ca = readFileSync(authority.file, 'utf8');
    const { checks } = await rehearsed(url, { ca, only: ['cookies', 'foreign Host'] });
    expect(checks.find(({ name }) => name === 'foreign Host')?.passed).to.equal(true);
    const [found] = checks.filter(({ passed }) => passed === false);
    expect(found).to.include({
      name: 'cookies',
      found: 'Without Secure, connect.sid goes over plain http as well.',
    });
    expect(found?.remedy).to.match(/trust proxy/);
  });

  it('finds an application that waits for a silent network, and one that gives up on a slow one', async () => {
    const only = ['slow network', 'silent network'];
    const failing = async (timeout: number, patience: number) => {
      const { checks } = await rehearsed(await start({ options: { timeout } }), { only, patience });
      return checks.filter(({ passed }) => passed === false).map(({ name }) => name);
    };
    expect(await failing(60_000, 800)).to.deep.equal(['silent network']);
    // A slow network takes an eighth, which is twice the application's timeout.
    expect(await failing(1_000, 16_000)).to.deep.equal(['slow network']);
  });

  it('does not judge what it cannot see: who is signed in, and a log that is not there', async () => {
    const app = await start({ isSwitching: true, shown: () => 'somebody' });
    const only = ['somebody else signed in', 'secrets in logs'];
    const { checks } = await rehearsed(app, { only, log: join(folder, 'missing.log') });
    expect(checks.slice(2).map(({ passed }) => passed)).to.deep.equal([undefined, undefined]);
  });

  it('shows no code or token of what pages and logs say, and needs no long time for a page without an end', async () => {
    let token = '';
    const verify = (accessToken: string) => {
      token = accessToken;
      appendFileSync(log, `Error: ${'a'.repeat(1_980)} code=${token}\n`);
      throw new Error(`Error: no user for ${token}`);
    };
    const before = doing((_req, res) => {
      const send = res.send.bind(res);
      res.send = (text: unknown) => send(res.statusCode < 500 ? text : `No user for ${token}`);
    });
    const { checks } = await rehearsed(await start({ verify, before }));
    expect(JSON.stringify(checks))
      .to.match(/No user for …/)
      .and.not.include(token.slice(0, 8));
    const only = ['one account'];
    const ways = '<form>'.repeat(150) + '<input name="a">'.repeat(150);
    for (const endless of [
      `${ways}${'<button name="b"></button>'.repeat(150)}`,
      '<div></q>'.repeat(20_000),
      `<input ${'hidden '.repeat(150_000)}${'csrf'.repeat(250_000)}`,
      '<form action="/x">'.repeat(50_000),
      '<script>'.repeat(50_000),
    ]) {
      const { checks } = await rehearsed(
        await start({ shown: ({ name }) => name, before: adding(() => endless) }),
        {
          only,
        },
      );
      expect(checks.filter(({ passed }) => !passed)).to.deep.equal([]);
    }
  });

  it('shows nothing of a redirect but where it leads, and survives a callback that ends the connection', async () => {
    const success: Mistake['success'] = (_req, res) =>
      res.set('Location', 'localhost:5173/welcome?token=of-the-application').sendStatus(302);
    const { checks } = await rehearsed(await start({ success }));
    expect(checks.at(-1)?.found).to.match(/localhost:5173\/welcome, which is no URL$/);
    const signedIn = new Set<string>();
    const before: express.RequestHandler = (req, _res, next) => {
      const [sid = ''] = /connect\.sid=[^;]+/.exec(req.headers.cookie ?? '') ?? [];
      if (isCallback(req) && signedIn.has(sid)) return req.socket.destroy();
      if (req.path === '/') signedIn.add(sid);
      return next();
    };
    const { checks: broken } = await rehearsed(await start({ before }), { only: ['sign-out'] });
    expect(broken.at(-1)?.found).to.match(/closed without a response/);
  });

  it('takes no long time for a cookie of many words', async () => {
    const words = (user: User) => `${user.number}.`.repeat(400);
    const { checks } = await rehearsed(await start(remembering(words)), { only: ['cookies'] });
    expect(checks.at(-1)?.passed).to.equal(false);
  });

  it('survives an application that speaks no HTTP that browsers know', async () => {
    const endless = (socket: Socket) => socket.write(`HTTP/1.1 200 OK\r\n\r\n${'x'.repeat(11_000_000)}`);
    for (const [respond, found] of [
      [(socket: Socket) => socket.end('HTTP/1.1 999 Odd\r\n\r\n'), /status/],
      [
        (socket: Socket) =>
          socket.write('HTTP/1.1 101 Switching\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n'),
        /another protocol/,
      ],
      [endless, /more than 10000000 bytes/],
      [(socket: Socket) => socket.end(`HTTP/1.1 200 OK\r\n\r\n${'<'.repeat(500_000)}`), /starts no login/],
    ] as const) {
      const { url } = open(await serveRaw(respond));
      expect((await rehearsed(url)).checks[0]?.found).to.match(found);
    }
  });

  it('ends at the start where nothing runs, nothing redirects, or a real network would be asked', async () => {
    const gone = await serve(() => {});
    await gone.close();
    const page = open(await serve((_req, res) => res.end('<style>p {}</style>Hello<script>let a')));
    const leadingTo = async (location: string) =>
      open(await serve((_req, res) => res.writeHead(302, { location }).end())).url;
    const real = await leadingTo('https://www.tiktok.com/v2/auth/authorize/?client_key=K');
    const lost = await leadingTo(`${gone.url}/microblog/?client_id=1`);
    const found: (string | undefined)[] = [];
    const remedies: (string | undefined)[] = [];
    const busy = open(await serve((_req, res) => res.writeHead(429).end('Too many requests'))).url;
    for (const url of [gone.url, page.url, real, lost, await start({}), busy]) {
      const { checks, passed } = await rehearsed(url, { people: ['nobody', 'anna'] });
      expect([passed, checks.length]).to.deep.equal([false, 1]);
      found.push(checks[0]?.found);
      remedies.push(checks[0]?.remedy);
    }
    expect(found[0]).to.match(/^Nothing answers there/);
    expect(found[1]).to.equal('/ answered with HTTP 200 "Hello", and starts no login');
    expect(found[2]).to.match(/^https:\/\/www\.tiktok\.com, .* is not a sandbox: spread sandbox\.options/);
    expect(found[3]).to.match(/, where the application sends its users, does not answer$/);
    expect(remedies[0]).to.match(/^Give the URL/);
    expect(remedies[4]).to.match(/--people/);
    expect(remedies[5]).to.match(/^Something in front of the strategy refuses the visit: a limit/);
  });

  it('T14: names the call that is missing where the start is never answered', async function test() {
    const { url } = open(await serve(() => void new passport.Passport().authenticate('microblog')));
    const { checks } = await rehearsed(url, { patience: 300 });
    expect(checks.map(({ passed }) => passed)).to.deep.equal([false]);
    expect(checks[0]?.remedy).to.match(/passport\.authenticate\(name\)\(req, res, next\)/);
  });

  /** The results at an application at which much time passes while the login is declined. */
  async function rehearsedLate(milliseconds: number, mistake: Mistake, options: RehearsalOptions = {}) {
    const { now } = Date;
    const failure = (res: express.Response) => {
      Date.now = () => now() + milliseconds;
      res.send('The login failed.');
    };
    const result = await rehearsed(await start({ ...mistake, failure }), options);
    Date.now = now;
    return result;
  }

  it('finds a session that ends while the user is there', async () => {
    const only = ['decline', 'session at the end'];
    const { checks } = await rehearsedLate(20_000, { maxAge: 10_000 }, { only });
    expect(checks.slice(-2).map(({ passed }) => passed)).to.deep.equal([true, false]);
    expect(checks.at(-1)?.remedy).to.match(/maxAge/);
  });

  it('says that the application ended, once', async () => {
    let server: TestServer | undefined;
    const url = await start({ failure: () => server?.close() }, undefined, async (listener) => {
      server = await serve(listener);
      return { ...server, close: async () => {} };
    });
    const { checks } = await rehearsed(url, { only: ['decline', 'two tabs'] });
    expect(checks.at(-1)).to.include({ name: 'decline', passed: false });
    expect(checks.at(-1)?.remedy).to.match(/next\(error\)/);
  });

  it('finds a lifetime of logins that no user keeps', async () => {
    const lifetime = 60_000;
    const store = cookieLogins({ secrets: ['a-secret-of-thirty-two-characters'], lifetime });
    const options = { only: ['decline', 'slow user'], patience: 60_000 };
    const { checks } = await rehearsedLate(70_000, { options: { store, timeout: 10_000 } }, options);
    expect(checks.at(-1)?.remedy).to.match(/in milliseconds/);
  });

  it('does not blame an application for a code that expired while the rehearsal took long', async () => {
    const options = { only: ['decline', 'slow user'], patience: 60_000 };
    const { checks } = await rehearsedLate(70_000, {}, options);
    expect(checks.at(-1)).to.deep.equal({ name: 'slow user', passed: true });
  });

  it('ends in time, and judges only what costs no time', async () => {
    const before: express.RequestHandler = doing(({ path }) => appendFileSync(log, `${path}\n`));
    const { checks, complete } = await rehearsedLate(60_000, { before }, { log });
    expect(complete).to.equal(false);
    expect(exitCodeOf([{ url: '', checks, passed: true, complete }])).to.equal(2);
    expect(exitCodeOf([{ url: '', checks, passed: false, complete }])).to.equal(1);
    expect(exitCodeOf([{ url: '', checks, passed: true, complete: true }])).to.equal(0);
    expect(checks.filter(({ found }) => found === 'no time left')).to.have.length.above(15);
    expect(checks.filter(({ passed }) => passed === false)).to.deep.equal([]);
    const named = 'caching | Referrer-Policy | session at the end | error pages | secrets in logs'.split(
      ' | ',
    );
    for (const name of named)
      expect(checks.find((check) => check.name === name)?.passed, name).to.equal(true);
  });

  for (const [options, message] of [
    [{ onlly: [] }, 'unknown property "onlly": did you mean only?'],
    [{ only: ['two tab'] }, 'unknown check "two tab": did you mean two tabs?'],
    [{ only: 'two tabs' }, 'only must be a list of checks'],
    [{ patience: '5' }, 'patience must be a number of milliseconds'],
    [{ people: ['alice', 'alice'] }, "people must be the IDs of two people, such as ['alice', 'anna']"],
    [null, 'the options must be an object'],
  ] as const) {
    it(`refuses the options ${JSON.stringify(options)}`, async () => {
      const error = await rejectionOf(rehearse('http://127.0.0.1:1/', options as never));
      expect(error).to.be.an.instanceOf(TypeError).with.property('message', `rehearse: ${message}`);
    });
  }

  it('prints each result as a command, with what to change, and exits with 1 if something is wrong', async () => {
    const url = await start({ options: { baseURL: undefined } });
    const { code, output, errors } = await run('rehearse', url, '--patience', String(PATIENCE));
    expect({ code, errors }).to.deep.equal({ code: 1, errors: '' });
    const [first, ...lines] = output.trimEnd().split('\n');
    expect(first).to.equal(`${url}  microblog, OAuth 2.0`);
    expect(lines.slice(0, 3)).to.deep.equal(['  ✓ start', '  ✓ host', '  ✓ login']);
    const found = lines.findIndex((line) => line.includes('✗'));
    expect(lines[found]).to.equal(
      '  ✗ foreign Host                The redirect URI follows the header Host, which anybody can send: the code would go to evil.example.',
    );
    expect(lines[found + 1]).to.equal(`    Set baseURL: '${new URL(url).origin}' for the strategy.`);
    expect(lines.at(-1)).to.equal('33 passed, 1 failed, 4 not tried');
  });

  it('prints JSON as a command, and exits with 0 if nothing is wrong', async () => {
    const url = await start({});
    const options = ['--json', '--no-session', '--patience', String(PATIENCE)];
    const { code, output } = await run('rehearse', url, ...options);
    const readme = readFileSync(join(__dirname, '../../sandbox/README.md'), 'utf8');
    const [, schema = ''] = /```json\n(\{\n {2}"\$schema"[\s\S]*?)\n```/.exec(readme) ?? [];
    // So that it names every property.
    const closed = schema.replaceAll('"properties":', '"additionalProperties": false, "properties":');
    const isValid = new Ajv2020().compile(JSON.parse(closed));
    expect(isValid(JSON.parse(output)), JSON.stringify(isValid.errors)).to.equal(true);
    expect(isValid([{ url: '', checks: [], passed: true, complete: true, odd: '' }])).to.equal(false);
    const [{ network, checks }] = JSON.parse(output);
    expect({ code, network }).to.deep.equal({ code: 0, network: 'microblog' });
    expect(checks).to.deep.include({ name: 'sign-out', found: 'the application has no session' });
  });

  it('says as a command what is wrong with its options', () => {
    const taking =
      'rehearse takes the URLs at which logins start, such as http://127.0.0.1:3000/api/auth/signin/short-video';
    const url = 'http://127.0.0.1:3000/signin';
    for (const [args, message] of [
      [[], taking],
      [['localhost:3000'], `${taking}, not "localhost:3000"`],
      [[url, '--people', 'alice'], '--people takes two IDs, such as alice,anna'],
      [[url, '--ca', 'missing.pem'], "ENOENT: no such file or directory, open 'missing.pem'"],
      [[url, '--patience', 'long'], '--patience must be a number of milliseconds, not "long"'],
    ] as const)
      expect(() => readTask(['rehearse', ...args])).to.throw(message);
  });

  describe('and login(), which', () => {
    const hello = async (response: Response) => /Hello [\w ]+|failed/.exec(await response.text())?.[0];

    it('returns the last page, the cookies, and a fetch of the user', async () => {
      const echo: express.RequestHandler = (req, res, next) =>
        req.path === '/echo' ? express.text()(req, res, () => res.send(req.body)) : next();
      const url = await start({ before: echo });
      const alice = await login(url, { person: 'alice' });
      expect(await hello(alice.response)).to.equal('Hello Alice Example');
      expect(alice.url).to.equal(new URL('/', url).href);
      expect(alice.cookies).to.have.length(1);
      const cookie = { name: 'connect.sid', domain: '127.0.0.1', path: '/', httpOnly: true, expires: -1 };
      expect(alice.cookies[0]).to.include(cookie);
      const headers = { cookie: alice.cookie };
      expect(await hello(await fetch(alice.url, { headers }))).to.equal('Hello Alice Example');
      const type = { 'content-type': 'text/plain' };
      const echoed = await alice.fetch('/echo', { method: 'POST', body: 'hello', headers: type });
      expect(await echoed.text()).to.equal('hello');
      expect(await hello(await alice.fetch('/'))).to.equal('Hello Alice Example');
      const manual = await alice.fetch('/sign-out', { method: 'POST', redirect: 'manual' });
      expect(manual.status).to.equal(302);
      expect(await hello(await alice.fetch('/'))).to.equal(undefined);
    });

    it('sends what browsers send, so that a test does not pass where people get 403', async () => {
      const sent: { path: string; headers: IncomingHttpHeaders }[] = [];
      const app = await start({
        before: doing(({ path, headers }) => sent.push({ path, headers })),
      });
      const alice = await login(app);
      await alice.fetch('/echo', { method: 'POST', body: new URLSearchParams({ name: 'a b' }) });
      // https://www.w3.org/TR/fetch-metadata/, and RFC 6454, section 7.3.
      const { origin } = new URL(app);
      const names = ['sec-fetch-site', 'sec-fetch-mode', 'sec-fetch-dest', 'origin', 'referer'];
      const seen = sent.map(({ headers }) => names.map((name) => headers[name] ?? '-').join(' '));
      expect(seen.slice(0, 2)).to.deep.equal([
        'none navigate document - -',
        'cross-site navigate document - -',
      ]);
      expect(sent.at(-1)?.path).to.equal('/echo');
      expect(seen.at(-1)).to.equal(`same-origin navigate document ${origin} ${origin}/`);
      expect(sent.at(-1)?.headers['content-type']).to.match(/^application\/x-www-form-urlencoded/);
    });

    it('declines, with the fetch that it is given', async () => {
      const asked: string[] = [];
      const own: typeof fetch = (input, init) => {
        asked.push(new URL(new Request(input).url).pathname);
        return fetch(input, init);
      };
      const nobody = await login(await start({}), { deny: true, fetch: own });
      expect(await hello(nobody.response)).to.equal('failed');
      expect(asked).to.deep.equal(['/signin', '/api/auth/callback/microblog']);
    });

    it("throws with the sandbox's reason, or with the page that starts no login", async () => {
      const url = await start({});
      const messageOf = async (at: string, person: string) =>
        ((await rejectionOf(login(at, { person }))) as Error).message;
      expect(await messageOf(url, 'nobody')).to.match(
        /^The sandbox refuses the login: the sandbox knows nobody of that name: it has alice, anna, /,
      );
      expect(await messageOf('http://127.0.0.1:2/', 'alice')).to.match(/^http:\S+2\/: Nothing answers there/);
      expect(await rejectionOf(login(url, { persn: 'alice' } as never)))
        .to.be.an.instanceOf(TypeError)
        .with.property('message', 'login: unknown property "persn": did you mean person?');
      expect(await messageOf(new URL('/', url).href, 'alice')).to.match(
        /^http:.* answered with HTTP 200, not with a redirect to the network/,
      );
    });
  });
});
