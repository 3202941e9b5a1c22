import { createHash, createHmac, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'chai';
import {
  isLoginResponse,
  MicroblogStrategy,
  ShortVideoStrategy,
  SocialNetworkStrategy,
} from 'passport-social-networks';
import type { RehearsalOptions, Sandbox } from '../../../sandbox/lib/index.js';
import { rehearse, startSandbox } from '../../../sandbox/lib/index.js';
import { realSockets } from '../../support/real-sockets.js';
import { serve } from '../../support/server.js';
import { collectsWarnings } from '../../support/warnings.js';

import express = require('express');
import session = require('express-session');
import passport = require('passport');

/** What an application does that is wrong in one way. */
export interface Mistake {
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
  /** Milliseconds between looking for a user and adding one. */
  readonly pause?: number;
  /** Milliseconds between looking for a login to unlink and removing it. */
  readonly unlinkPause?: number;
  /** Milliseconds that the application may take, in place of the usual ones. */
  readonly patience?: number;
  /** The checks that are made besides those that find it. Default: all, for some mistakes. */
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
  /** Where it keeps whom a login is linked to, in place of the state. Who is signed in does not count. */
  readonly linksBy?: 'URL' | 'cookie';
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
  /** Whether a link goes on as a login if nobody is signed in when it ends. */
  readonly goesOn?: boolean;
  /** Whether sessions of who was deleted live again after the next login. */
  readonly livesAgain?: boolean;
  readonly keepsLinked?: boolean;
  /** Links a login to an account that was deleted meanwhile. */
  readonly linksToDeleted?: boolean;
  readonly deleteMethod?: 'all';
  readonly unlinkMethod?: 'all';
  /** Deletes who has the name of a new user. */
  readonly replaces?: boolean;
  /** Takes the number after the highest for an account, and finds the user of a session by it. */
  readonly reusesNumbers?: boolean;
  /** Takes the network of the last start in the session for that of the login. */
  readonly takesStarted?: boolean;
  readonly hasOther?: boolean;
  /** Has all of its forms but that for the sign-out on another page. */
  readonly hasSettings?: boolean;
  readonly page?: string;
  /** The other one is the same network, over OAuth 1.0a. */
  readonly otherProtocol?: boolean;
  readonly signOutMethod?: 'all';
  /** @param begun - The key of the login by which the session began, if links leave it as it is. */
  readonly unlinks?: (
    key: unknown,
    user: User,
    me: User,
    users: ReadonlyMap<unknown, User>,
    begun: unknown,
  ) => boolean;
  /** Default: `/unlink/signin`. */
  readonly unlinkPath?: string;
  /** Whether a field of the form says which login to unlink. */
  readonly hasUnlinkField?: boolean;
  /** The form says the ID of the login that a user unlinks, whosever it is. */
  readonly unlinksNamed?: boolean;
  /** The form that moves a login says the ID of the login, whosever it is. */
  readonly movesNamed?: 'field' | 'path';
  /** Deletes the account from which a login is moved. */
  readonly movesAll?: boolean;
  readonly namesLinked?: boolean;
  readonly hasUnlinkLink?: boolean;
  /** Unlinks once a second form, on a page of its own, was sent. */
  readonly asksAgain?: boolean;
  readonly isWithoutForms?: boolean;
  /** Ends a login at the URL that this parameter says, unless the URL looks wrong. @param made - What becomes of it. */
  readonly returns?: readonly [parameter: string, wrong: RegExp, made?: (url: string) => string];
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

export let log: string;
export let sandboxURL: string;

export const pass: express.RequestHandler = (_req, _res, next) => next();

export const doing =
  (act: (req: express.Request, res: express.Response) => unknown): express.RequestHandler =>
  (req, res, next) => {
    act(req, res);
    next();
  };

export interface User {
  readonly id: string;
  readonly name: string;
  readonly key: unknown;
  readonly number: string;
  readonly accessToken?: string;
}

export interface Verified {
  readonly id: string;
  readonly provider: string;
  readonly displayName: string;
  readonly name?: { readonly givenName?: string };
  readonly emails?: readonly { readonly value: string }[];
  readonly photos?: readonly { readonly value: string }[];
  readonly _json?: unknown;
}

export type Link = (
  users: Map<unknown, User>,
  login: User,
  signedIn: User,
  wanted: string,
) => User | undefined;

export const linkTo: Link = (users, { key }, signedIn) => users.set(key, signedIn).get(key);

export const rightLink: Link = (users, login, signedIn, wanted) =>
  signedIn.id === wanted && (users.get(login.key)?.id ?? wanted) === wanted
    ? linkTo(users, login, signedIn, wanted)
    : undefined;

export const EMAIL = { includeEmail: true, scope: 'tweet.read users.read users.email' };

const BRANDS = { microblog: 'X', 'short-video': 'TikTok', 'social-network': 'VK' };

/** The strategies' timeout is half of it. */
export const PATIENCE = 3_200;

export const isCallback = ({ path }: express.Request): boolean => path.includes('/callback/');

/** Changes the cookies that a path sets. */
export const cookies =
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
export const atCallback =
  (answer: (req: express.Request, res: express.Response) => unknown): express.RequestHandler =>
  (req, res, next) =>
    isCallback(req) && req.url.includes('?') ? answer(req, res) : next();

export const sessions = (cookie: session.CookieOptions, more: Partial<session.SessionOptions> = {}) => [
  session({ secret: 'S', resave: false, saveUninitialized: false, cookie, ...more }),
];

/** Who is signed in, before Passport says so. */
export const userOf = ({ session }: express.Request): User | undefined =>
  (session as { passport?: { user?: User } }).passport?.user;

/** The session of a right application, with something behind it. */
export const withSession = (behind: express.RequestHandler) => [...sessions({ sameSite: 'lax' }), behind];

/** Signs users in by a cookie besides the session. */
export function remembering(cookieOf: (user: User) => string): Mistake {
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

export const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

/** Unlinks the login that a form names, but not the last one of its user. */
export const unlinking: Mistake = {
  unlinkPath: '/logins/remove',
  unlinksNamed: true,
  unlinks: (_key, user, me, users) =>
    user.number === me.number && [...users.values()].filter(({ number }) => number === me.number).length > 1,
};

/** Names the logins in its forms to unlink by their places in a list. @param order - The list's may be another one, or every form names the first. */
export function listed(order: 'same' | 'reversed' | 'first' = 'same'): Mistake {
  const lists = new Map<string | undefined, string[]>();
  const field =
    /(<form method="post" action="\/logins\/remove">)<input type="hidden" name="id" value="(\w+)"><\/form>/g;
  return {
    ...unlinking,
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

/** Deletes, or does something else, in a session alone that a second login has confirmed. @param isOwn - Only a login of the user does. */
export function confirming(isOwn: boolean, path = '/delete'): Mistake {
  let last: string | undefined;
  return {
    verify: (_token, { id }) => {
      last = id;
      return {};
    },
    sessions: [
      ...sessions({ sameSite: 'lax' }),
      (req, res, next) => {
        const redirect = res.redirect.bind(res);
        if (isCallback(req) && Object.hasOwn(req.session, 'passport'))
          res.redirect = () => {
            if (!isOwn || last === (req.user as User).id) Object.assign(req.session, { isConfirmed: true });
            redirect('/');
          };
        const isAsked = req.path === path && !Object.hasOwn(req.session, 'isConfirmed');
        return isAsked ? res.redirect('/signin') : next();
      },
    ],
  };
}

export const keepingID: express.RequestHandler = (req, _res, next) => {
  req.session.regenerate = (done) => {
    done(undefined);
    return req.session;
  };
  next();
};

/** Changes the text of a page. */
export const changing =
  (path: string, change: (body: string, req: express.Request) => string): express.RequestHandler =>
  (req, res, next) => {
    const send = res.send.bind(res);
    if (req.path === path) res.send = (body) => send(change(String(body), req));
    next();
  };

export const adding = (more: (req: express.Request, body: string) => string, path = '/') =>
  changing(path, (body, req) => `${body}${more(req, body)}`);

export const inCookie = (
  options: { readonly signed?: boolean },
  cookieSession: typeof import('cookie-session') = require('cookie-session'),
  secret = 'a secret of nobody else',
): express.RequestHandler[] => {
  const { addSessionMethods } = require('../../../examples/express/cookie-session.js');
  const own = { name: 'app', secret, sameSite: 'lax' } as const;
  return [cookieSession({ ...own, ...options }), addSessionMethods];
};

/** JSON Web Tokens in place of a session. */
export function token(isVerified: boolean, isSignedOf: (head: string) => boolean = () => true): Mistake {
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

/** What is wrong behind the routes -> the application, the checks that find it, and what the remedy of the first one names. */
export type Mistakes = Readonly<Record<string, readonly [Mistake, names: string, remedy: RegExp]>>;

/** Starts a sandbox before each test of this `describe`, and applications at it. */
export function rehearsals() {
  const open = realSockets();
  collectsWarnings();
  let sandbox: Sandbox;
  let folder: string;

  beforeEach(async () => {
    sandbox = open(await startSandbox());
    sandboxURL = sandbox.url;
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
    const ended = new Set<string>();
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
      const isEnded = ended.has(user.number) && !mistake.livesAgain;
      if (!deleted.has(user.key) && !isEnded) return done(null, user);
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
      ended.delete(user.number);
      last = user;
      if (mistake.takesLast) await wait(1);
      return mistake.takesLast ? last : user;
    };
    /** The user of a login, who is added at the first one, or whom the login is linked to. */
    const settle = async (login: User, state: string | undefined, signedIn?: User) => {
      const found = users.get(login.key);
      if (mistake.pause !== undefined) await wait(mistake.pause);
      const isGone = signedIn && deleted.has(signedIn.key) && !mistake.linksToDeleted;
      const isLeft = state !== undefined && !signedIn && !mistake.goesOn && !mistake.linksBy;
      if (isLeft) return undefined;
      if (state !== undefined && signedIn)
        return isGone ? undefined : (mistake.link ?? rightLink)(users, login, signedIn, state);
      const numbers = [...users.values()].map(({ number }) => Number(number.slice(3)));
      const next = { ...login, number: `no-${1 + Math.max(0, ...numbers)}` };
      const added = mistake.reusesNumbers ? next : login;
      if (mistake.restores) deleted.delete(found?.key);
      if (mistake.restores) ended.delete(found?.number ?? '');
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
      if (mistake.linksBy === 'URL') return res.redirect(`/attach?member=${id}`);
      if (mistake.linksBy === 'cookie') res.cookie('linking', id);
      const place = req.params.place === 'other' ? other : network;
      authenticator.authenticate(place, { state: id })(req, res, next);
    });
    app.get('/attach', (req, res, next) =>
      authenticator.authenticate(network, { state: req.query.member as string })(req, res, next),
    );
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
        const [, named] = /linking=([^;]+)/.exec(req.headers.cookie ?? '') ?? [];
        const to = mistake.linksBy === 'cookie' ? named : mistake.linksBy && state;
        const owner = [...users.values()].find(({ id }) => id === to);
        if (owner && !users.has((login as User).key)) users.set((login as User).key, owner);
        if (owner) res.clearCookie('linking');
        const key = mistake.takesStarted && `${started} ${(login as User).id}`;
        const own = { ...(login as User), ...(key && { key }) };
        const resumed = mistake.resumes && !req.user && [...users.values()].find(({ id }) => id === state);
        const user = resumed || (await settleOnce(own, state, req.user as User | undefined));
        const { id } = login as User;
        const action = mistake.movesNamed === 'path' ? `/move/${id}` : '/move';
        const field = action === '/move' ? `<input type="hidden" name="id" value="${id}">` : '';
        const move = `<form method="post" action="${action}">${field}</form>`;
        Object.assign(req.session, { taken: own.key });
        const offered = mistake.movesNamed || mistake.movesAll ? move : '';
        if (!user) return res.status(409).send(`This login belongs to somebody else.${offered}`);
        const logIn = (done: (problem?: unknown) => void) =>
          mistake.keepsSession && req.user ? done() : req.logIn(user, done);
        return logIn((problem) => {
          if (problem) return next(problem);
          if (state === undefined) Object.assign(req.session, { begun: own.key });
          if (mistake.success) return mistake.success(req, res);
          const [, returnTo] = /returnTo=([^;]+)/.exec(req.headers.cookie ?? '') ?? [];
          const [, , made = String] = mistake.returns ?? [];
          return res.redirect(made(decodeURIComponent(returnTo ?? '/')));
        });
      };
      authenticator.authenticate(req.params.network, finish)(req, res, next);
    });
    app.post('/move{/:id}', express.urlencoded(), (req, res) => {
      const { taken } = req.session as { taken?: string };
      const { number } = users.get(taken) ?? {};
      for (const [key, user] of mistake.movesAll ? users : []) if (user.number === number) users.delete(key);
      if (mistake.movesAll) users.set(taken, req.user as User);
      if (mistake.movesNamed) users.set(`${network} ${req.params.id ?? req.body.id}`, req.user as User);
      res.redirect('/');
    });
    app[mistake.unlinkMethod ?? 'post'](unlinkPath, express.urlencoded(), async (req, res) => {
      const me = req.user as User;
      const again = `<form method="post" action="${unlinkPath}"><input type="hidden" name="sure" value="1"></form>`;
      if (mistake.asksAgain && req.body?.sure !== '1') return res.send(again);
      const isNamed = (key: unknown) => !mistake.unlinksNamed || String(key).endsWith(` ${req.body?.id}`);
      const { begun } = req.session as { begun?: string };
      const all = [...users].filter(
        ([key, user]) => isNamed(key) && mistake.unlinks?.(key, user, me, users, begun),
      );
      if (mistake.unlinkPause !== undefined) await wait(mistake.unlinkPause);
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
        ended.add(user.number);
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
    app.get(['/', '/settings'], (req, res) => {
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
      const changes = `${link}${unlink}${mistake.deletes ? deletion : ''}`;
      const isShort = mistake.hasSettings && req.path === '/';
      const form = `${isShort ? '<a href="/settings">Settings</a>' : changes}<form method="post" action="/sign-out"><input type="hidden" name="token" value="${token}"><button>Sign out</button></form>`;
      const shown = user ? (mistake.shown?.(user) ?? user.name) : '';
      const name = mistake.isRaw ? shown : shown.replaceAll('<', '&lt;');
      if (mistake.policy !== undefined) res.set('Content-Security-Policy', mistake.policy);
      const start =
        mistake.policy === undefined
          ? `<a href="/signin">Continue with ${BRANDS[network]}</a>`
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

  return { open, start, rehearsed, sandbox: () => sandbox };
}

/** A test for each mistake. */
export function findsMistakes(mistakes: Mistakes): void {
  const { start } = rehearsals();

  for (const [title, [mistake, list, remedy]] of Object.entries(mistakes)) {
    // All checks take long. Some mistakes, whatever comes before them in the list, prove that the others find nothing.
    const [share = 0] = createHash('sha256').update(title).digest();
    const isWhole = mistake.besides === undefined && share < 24;
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
        ...((names.includes('linking') ||
          mistake.keepsLinked ||
          mistake.linksToDeleted ||
          mistake.linksOther) && {
          link: mistake.linksOther ? '/link/other' : '/link/signin',
        }),
      };
      const { passed, checks } = await rehearse(await start(mistake), options);
      const failed = checks.filter((check) => check.passed === false);
      expect(failed.map((check) => check.name)).to.have.members(names);
      expect(failed.filter((check) => !check.remedy)).to.deep.equal([]);
      expect(failed.find((check) => check.name === names[0])?.remedy ?? '').to.match(
        remedy,
        JSON.stringify(failed),
      );
      expect(passed).to.equal(false);
    });
  }
}
