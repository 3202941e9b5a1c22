import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { appendFileSync, readFileSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'chai';
import { cookieLogins } from 'passport-social-networks';
import { readTask } from '../../../sandbox/lib/command/arguments.js';
import { exitCodeOf } from '../../../sandbox/lib/command/output.js';
import type { RehearsalOptions } from '../../../sandbox/lib/index.js';
import { login, rehearse, startSandbox } from '../../../sandbox/lib/index.js';
import { Browser } from '../../../sandbox/lib/rehearsal/browser.js';
import { serve, serveRaw, type TestServer } from '../../support/server.js';
import { rejectionOf } from '../../support/thrown.js';
import { privateAuthority, serveTLS } from '../../support/tls-front.js';
import { run } from '../command-process.js';
import {
  adding,
  atCallback,
  changing,
  confirming,
  doing,
  escaped,
  inCookie,
  isCallback,
  listed,
  log,
  type Mistake,
  PATIENCE,
  rehearsals,
  remembering,
  sessions,
  token,
  type User,
  unlinking,
  userOf,
  withSession,
} from './application.js';

import express = require('express');
import passport = require('passport');

const onceAtATime: express.RequestHandler = (req, res, next) =>
  userOf(req) && req.path === '/signin' ? res.status(409).send('You are signed in already.') : next();

/** Shows its users to everybody, each on a page of their own. */
function community(): Mistake {
  const members = new Map<string, string>();
  const handleOf = ({ number }: User) => createHash('sha256').update(number).digest('hex').slice(0, 8);
  return {
    hasSettings: true,
    before: adding(() => '<a href="/">Members</a>', '/settings'),
    success: ({ user }, res) => {
      members.set(handleOf(user as User), (user as User).name);
      res.redirect('/settings');
    },
    sessions: withSession((req, res, next) => {
      const [, handle = ''] = /^\/u\/(\w+)/.exec(req.path) ?? [];
      if (req.path !== '/' && handle === '') return next();
      const joined = [...members.keys()].map((one) => `<p><a href="/u/${one}">@${one}</a> joined.</p>`);
      const own =
        '<a href="/settings">Settings</a><form method="post" action="/sign-out"><button>Out</button></form>';
      const body = handle === '' ? joined.join('') : `<h1>${escaped(members.get(handle) ?? 'Nobody')}</h1>`;
      return res.send(body + (userOf(req) ? own : '<a href="/signin">Sign in</a>'));
    }),
    shown: (user) => `${escaped(user.name)} ${user.number} @${handleOf(user)}`,
  };
}

/** Shows each session of a user the IDs of the others. */
function devices(): Mistake {
  const all = new Map<string, string[]>();
  const deviceOf = ({ sessionID }: express.Request) =>
    createHash('sha256').update(sessionID).digest('hex').slice(0, 32);
  return {
    success: (req, res) => {
      const { number } = req.user as User;
      all.set(number, [...(all.get(number) ?? []), deviceOf(req)]);
      res.redirect('/');
    },
    before: adding((req) => {
      const others = all
        .get((req.user as User | undefined)?.number ?? '')
        ?.filter((one) => one !== deviceOf(req));
      return (others ?? []).map((one) => `<form method="post" action="/devices/${one}/end"></form>`).join('');
    }),
    deletes: ({ number }, me) => number === me.number,
  };
}

/** Says something else with each visit, and in each session: a tip, and the code of the session. */
function varied(): Mistake {
  const tips = [
    'Bring a jacket until two.',
    'Trams run until seven.',
    'Seats of row nine sell out.',
    'Sign out at a shared computer.',
  ];
  let visits = 0;
  const salt = randomUUID();
  return {
    before: changing('/', (body, { sessionID, user }) => {
      visits += 1;
      const [tip = 0] = createHash('sha256')
        .update(salt + visits)
        .digest();
      const code = createHash('sha256').update(sessionID).digest('hex').slice(0, 12);
      const own = `<h1>${/^[0-7]/.test(code) ? 'Nice to see you' : 'Welcome back'}</h1><code>${code}</code> ${(user as User | undefined)?.number}-${salt}`;
      return `${body}${user ? own : ''}<i>${tips[tip % tips.length]}</i>`;
    }),
    deletes: ({ number }, me) => number === me.number,
  };
}

/** Names all who have come to everybody, and asks why before a deletion. */
function there(): Mistake {
  const names = new Set<string>();
  const why = '<select name="why" required><option value="">Why?</option><option>Moving</option></select>';
  return {
    success: ({ user }, res) => {
      names.add(escaped((user as User).name));
      res.redirect('/');
    },
    before: (req, res, next) =>
      express.urlencoded()(req, res, () => {
        if (req.path === '/delete' && !req.body?.why) return res.status(422).send('Say why.');
        const withReason = (body: string) => body.replace('action="/delete">', (form) => form + why);
        return changing('/', (body) => withReason(body) + [...names].join())(req, res, next);
      }),
    deletes: ({ number }, me) => number === me.number,
  };
}

/** Greets in a language that a link chooses. */
function speaking(): Mistake {
  return {
    before: (req, res, next) => {
      if (req.path === '/lang/de') return res.cookie('lang', 'de').redirect('/');
      const isGerman = req.headers.cookie?.includes('lang=de');
      return changing(
        '/',
        (body) => `<a href="/lang/de">Deutsch</a>${isGerman ? body.replace('Hello', 'Hallo') : body}`,
      )(req, res, next);
    },
  };
}

describe('a rehearsal', function () {
  // Rehearsals take as long as their own limit where the machine is busy.
  this.timeout(120_000);
  const { open, start, rehearsed, sandbox } = rehearsals();

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
      if (req.url === '/auth/signin/start') req.url = '/signin';
      next();
    };
    const app = await start({ before });
    for (const [link, passed, at] of [
      ['/me/signin/link', true, '/signin'],
      ['/link/signin', true, '/auth/signin/start'],
      ['/me/nothing', undefined, '/signin'],
    ] as const) {
      const { checks, complete } = await rehearsed(new URL(at, app).href, { only: ['linking'], link });
      expect([checks.at(-1)?.passed, complete]).to.deep.equal([passed, passed === true]);
    }
  });

  it('accuses no public profiles, no list of sessions, no words that change, no choice of a language, and no login before a link, and nobody who is there', async () => {
    for (const [mistake, options] of [
      [community(), { page: '/settings', only: ['session', 'two accounts', 'secrets in responses'] }],
      [devices(), { delete: '/delete', only: ['one account', 'deletion'] }],
      [
        varied(),
        { delete: '/delete', only: ['one account', 'decline', 'stray callback', 'sign-out', 'deletion'] },
      ],
      [there(), { delete: '/delete', link: '/link/signin', only: ['sign-out', 'deletion', 'linking'] }],
      [speaking(), { only: ['session', 'one account', 'secrets in responses'], link: '/link/signin' }],
      [
        { ...confirming(true, '/link/other'), hasOther: true },
        { link: '/link/other', only: ['linking'] },
      ],
    ] as const) {
      const { checks, complete } = await rehearsed(await start(mistake), options);
      expect(checks.filter(({ passed }) => !passed)).to.deep.equal([]);
      expect(complete).to.equal(true);
    }
  });

  it('says why it cannot tell where nobody new comes in, or has to fill in something first', async () => {
    const invited: Mistake = {
      verify: (_token, { displayName }) => (/^(Alice|Анна)/.test(displayName) ? {} : false),
    };
    const asking: Mistake = {
      before: (req, res, next) =>
        req.path === '/link/signin'
          ? res.redirect('/')
          : adding(() => '<form method="post" action="/name"><input name="name" required></form>')(
              req,
              res,
              next,
            ),
    };
    for (const [mistake, options, reason] of [
      [invited, { only: ['two accounts'] }, /^nobody new can log in/],
      [asking, { only: ['linking'], link: '/link/signin' }, /^every page asks a new user/],
    ] as const) {
      const { checks, complete } = await rehearsed(await start(mistake), options);
      expect([checks.at(-1)?.passed, complete]).to.deep.equal([undefined, false]);
      expect(checks.at(-1)?.found).to.match(reason);
    }
  });

  it('takes no words that a script replaces for those of a link', async () => {
    const before: express.RequestHandler = ({ path }, res, next) =>
      path === '/' ? res.send('<script src="/page.js"></script>Notes of everybody') : next();
    const failure = (res: express.Response) => res.redirect('/?problem=taken');
    const app = await start({ before, failure, hasSettings: true });
    const options = { only: ['linking'], link: '/link/signin', page: '/settings' };
    expect((await rehearsed(app, options)).checks.filter(({ passed }) => !passed)).to.deep.equal([]);
  });

  it('finds nothing in an application that is right, and tries everything', async () => {
    let requests = 0;
    const before: express.RequestHandler = doing(({ path }) => {
      requests += 1;
      if (path === '/sign-out') appendFileSync(log, 'Somebody signs out.\n');
    });
    const app = await start({ network: 'social-network', before });
    const { network, passed, checks } = await rehearsed(app, { delete: '/delete', link: '/link/signin' });
    expect(checks.filter((check) => check.passed !== true)).to.deep.equal([]);
    expect([network, passed, checks.length]).to.deep.equal(['social-network', true, 39]);
    // An application that takes 5 ms for a page is rehearsed in 20 seconds then.
    expect(requests).to.be.below(1_650);
    appendFileSync(log, `secret: ${sandbox().options('microblog').clientSecret}\n`);
    const { checks: later } = await rehearsed(app, { only: ['secrets in logs'] });
    expect(later.at(-1)?.found).to.match(/has a code, a token, a secret .* reads "secret: /);
  });

  it('finds that a log says nothing of a network that failed', async () => {
    const before = doing(({ path }) => appendFileSync(log, `GET ${path}\n`));
    const { checks } = await rehearsed(await start({ before }), { only: ['network error'] });
    expect(checks.at(-1)?.remedy).to.match(/^Log error\.message/);
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
    expect(broken.checks.at(-1)?.found).to.match(
      /^The login ends at \/api\/auth\/callback\/microblog with HTTP 500 .* The log says: Error: no such table: users$/,
    );
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
    const busy = (): never => {
      const line =
        'error GET /api/auth/callback/microblog 500 SQLITE_ERROR cannot start a transaction within a transaction';
      appendFileSync(log, `${line}\n`);
      throw new Error('refused');
    };
    const { checks: shared } = await rehearsed(await start({ verify: busy }));
    expect(shared.at(-1)?.remedy).to.match(/let each have its own/);
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
    expect(checks.at(-1)?.found).to.match(/^the page does not tell .*--page URL$/);
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
      return count > 14 ? res.status(429).send('Too many requests') : next();
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

  const searching: Mistake = {
    success: (_req, res) => void res.send('<a href="/search?q=two%20words">Search</a>'),
    before: (req, res, next) =>
      req.path === '/search' ? res.send(`Nothing for ${escaped(req.query.q as string)}`) : next(),
    page: '/',
  };
  const MEMBERS_LIST = '<ul><li>Alice Example</li><li>Анна Примерова</li></ul>';
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
  /** Whoever was deleted has another number. */
  const numbersAlone: Mistake = {
    unlinkPath: '/unlink',
    unlinks: anyButTheLast,
    shown: ({ number }) => number,
    deletes: ({ number }, me) => number === me.number,
    success: ({ headers }, res) => res.redirect(headers.cookie?.includes('connect.sid') ? '/?linked=1' : '/'),
    before: adding(({ url }) => (url === '/?linked=1' ? ' The login was linked.' : '')),
    besides: ['deletion'],
  };
  /** The end of a token of a session, whose beginning is another one on each page. */
  const proofOf = ({ headers }: express.Request) =>
    createHash('md5')
      .update(/connect\.sid=([^;]+)/.exec(headers.cookie ?? '')?.[1] ?? '')
      .digest('hex');
  /** Deletes behind a page that asks again, whose form has a field of its own. */
  const asking = (method: 'get' | 'post', hasProof = false): Mistake => ({
    before: (req, res, next) =>
      express.urlencoded()(req, res, () => {
        const field = `<input type="hidden" name="proof" value="${randomUUID().slice(0, 8)}${proofOf(req)}">`;
        const proof = hasProof ? field : '';
        const isForged = hasProof && req.method === 'POST' && !req.body?.proof?.endsWith(proofOf(req));
        if (req.path === '/delete' && isForged) return res.status(403).send('Forged');
        if (req.path !== '/delete' || req.body?.sure === 'yes')
          return adding(() => `<form method="${method}" action="/delete">${proof}</form>`)(req, res, next);
        const form = `<form method="post"><input type="hidden" name="sure" value="yes">${proof}</form>`;
        return res.status(req.method === method.toUpperCase() ? 200 : 400).send(form);
      }),
  });
  /** Deletes once a word was typed. */
  const typing = (label: string, attributes = ''): Mistake => ({
    before: (req, res, next) =>
      express.urlencoded()(req, res, () => {
        const field = `<label>${label} <input name="word" required ${attributes}></label>`;
        if (req.path === '/delete' && req.method === 'POST' && req.body?.word !== 'DELETE')
          return res.status(422).send('Type DELETE to confirm.');
        const form = `<form method="post" action="/delete">${field}</form>`;
        return adding(({ user }) => (user ? form : ''))(req, res, next);
      }),
  });
  /** Has a link to the login, which leads back, in place of the settings of who is nobody. */
  const leadingBack: express.RequestHandler = (req, res, next) =>
    req.path === '/settings' && !/connect\.sid/.test(req.headers.cookie ?? '')
      ? res.send(`<a href="/signin?next=${encodeURIComponent(req.url)}">Sign in</a>`)
      : next();
  /** Has a page between the login and that to which it returns. */
  const welcoming: Mistake = {
    hasSettings: true,
    returns: ['next', /evil|:/],
    success: ({ headers: { cookie = '' } }, res) => {
      const [, to] = /returnTo=%2F([^;]+)/.exec(cookie) ?? [];
      res.redirect(to ? `/welcome?to=%2F${to}` : '/');
    },
    before: (req, res, next) =>
      req.path === '/welcome'
        ? res.send(`Welcome! <a href="${escaped(req.query.to as string)}">Go on</a>`)
        : leadingBack(req, res, next),
  };
  /** Remembers by a token that has the second of its login. */
  const tokenOfASecond = remembering(({ number }) => {
    const encoded = (one: object) => Buffer.from(JSON.stringify(one)).toString('base64url');
    const token = `${encoded({ alg: 'HS256' })}.${encoded({ sub: number, iat: Math.floor(Date.now() / 1_000) })}`;
    return `${token}.${createHash('sha256').update(`salt ${token}`).digest('base64url')}`;
  });
  const greetingOnce: Mistake = {
    success: ({ session }, res) => {
      Object.assign(session, { isNew: true });
      res.redirect('/');
    },
    sessions: withSession(
      adding(({ user, session }) => {
        const isNew = Object.hasOwn(session, 'isNew');
        if (isNew && user) Reflect.deleteProperty(session, 'isNew');
        return isNew && user ? `Welcome back, ${escaped((user as User).name)}!` : '';
      }),
    ),
  };
  const leadingOn: Mistake = {
    hasSettings: true,
    returns: ['next', /evil|:/],
    success: ({ headers: { cookie = '' } }, res) => {
      const [, to = '/settings'] = /returnTo=([^;]+)/.exec(cookie) ?? [];
      res.redirect(decodeURIComponent(to));
    },
    before: (req, res, next) =>
      adding(() => '<a href="/">Home</a>', '/settings')(req, res, () =>
        adding(() => '<a href="/signin?next=/settings">Sign in</a>')(req, res, next),
      ),
  };
  const linkingItself: Mistake = {
    hasSettings: true,
    returns: ['next', /evil|:/],
    before: (req, res, next) =>
      leadingBack(req, res, () =>
        adding(() => '<a href="/settings?tab=security">Security</a>')(req, res, next),
      ),
  };
  const tracing: Mistake = {
    before: doing((req, res) => res.cookie('trace', req.get('x-request-id') ?? 'none')),
  };
  /** Refuses who asks its own login often. */
  const limiting = (): Mistake => {
    let count = 0;
    return {
      before: ({ path }, res, next) => {
        count += Number(path.startsWith('/admin'));
        return count > 3 ? res.status(429).send('Too many requests') : next();
      },
    };
  };
  const askingAtTheEnd: Mistake = {
    isWithoutForms: true,
    before: (req, res, next) =>
      req.path === '/account/sign-out'
        ? res.send('<form method="post" action="/sign-out"><button>Sign out</button></form>')
        : adding(({ user }) => (user ? '<a href="/account/sign-out">Sign out</a>' : ''))(req, res, next),
  };
  const helping =
    '<form action="/s"><input type="search"><button type="button" popovertarget="p">?</button></form><template><form><form></form></form></template>';
  const data: Mistake = {
    success: (_req, res) => res.redirect('/data'),
    sessions: withSession((req, res, next) => {
      const { name, number } = userOf(req) ?? {};
      return req.path === '/data' ? res.json({ name, number }) : next();
    }),
  };
  const oneForm: Mistake = {
    isWithoutForms: true,
    before: adding(({ user }) =>
      user
        ? '<form method="post" action="/sign-out"><button formaction="/link/signin">Link</button><button>Out</button></form>'
        : '',
    ),
  };
  const elsewhere: Mistake = {
    ...unlinking,
    before: ({ path }, res, next) => {
      const redirect = res.redirect.bind(res) as (url: string) => void;
      if (path === '/logins/remove') res.redirect = () => redirect('/settings');
      next();
    },
  };
  const linkingHome: Mistake = {
    ...data,
    isWithoutForms: true,
    before: adding(() => '<a href="/">Home</a>'),
  };
  const besidesOf = ({ besides = [] }: Mistake) => besides;
  const isDeleted = (name: string, { deletes }: Mistake) => name === 'deletion' || deletes !== undefined;
  const named = cookieLogins({ name: 'shop', secrets: ['a-secret-of-thirty-two-characters'] });
  /** Links once a form was sent that asks whether to. */
  const askingToLink = (): Mistake => ({
    ...unlinking,
    deletes: ({ number }, me) => number === me.number,
    keepsSession: true,
    before: (req, res, next) => {
      const query = req.url.split('?')[1];
      if (req.method === 'POST' && isCallback(req)) req.method = 'GET';
      else if (isCallback(req) && req.query.code && /asked/.test(req.headers.cookie ?? ''))
        return res.clearCookie('asked').send(`<form method="post" action="${req.path}?${query}"></form>`);
      if (req.path.startsWith('/link/')) res.cookie('asked', '1');
      return next();
    },
  });
  const countingLogins = (): Mistake => {
    const counts = new Map<string, number>();
    return {
      deletes: ({ number }, me) => number === me.number,
      verify: (_token, { id }) => {
        counts.set(id, 1 + (counts.get(id) ?? 0));
        return {};
      },
      shown: ({ id, name, number }) => `${escaped(name)} ${number}, ${counts.get(id)} logins`,
    };
  };
  /** Has the ID of the account in its log, and in a cookie from its first page on. */
  const linkCookie = (): Mistake => ({
    ...hinting(),
    before: (req, res, next) => {
      const [, number] = /last=([\w-]+)/.exec(req.headers.cookie ?? '') ?? [];
      if (number && req.path === '/') res.cookie('linking', number);
      next();
    },
  });
  const offeringAll: Mistake = {
    before: (req, res, next) =>
      req.path === '/link/other'
        ? res.status(409).send('The account has a login of this network.')
        : adding(() => '<form method="post" action="/link/other"></form>')(req, res, next),
  };
  const greeting: Mistake = {
    deletes: ({ number }, me) => number === me.number,
    success: (_req, res) => res.cookie('seen', '1').redirect('/'),
    before: adding(({ user, headers }) =>
      !user && /seen/.test(headers.cookie ?? '') ? 'Good to see you again, dear guest.' : '',
    ),
  };
  const signedPictures: Mistake = {
    network: 'short-video',
    isRaw: true,
    deletes: ({ number }, me) => number === me.number,
    verify: (_token, { photos }) => ({ picture: photos?.[0]?.value.replaceAll('=', '&#x3D;') }),
    shown: ({ name, number, ...user }) => `${escaped(name)} ${number} <img src="${Object(user).picture}">`,
  };
  /** Has the token of a session as the value of a button. */
  const tokenButtons = (): Mistake => ({
    before: adding(({ user, sessionID }) => {
      const token = createHash('sha256').update(sessionID).digest('hex');
      return user
        ? `<form method="post" action="/x"><button name="token" value="${token}">Go</button></form>`
        : '';
    }),
  });
  /** Signs out whoever unlinks a login. */
  const endingSessions: Mistake = {
    ...unlinking,
    before: (req, res, next) => {
      const redirect = res.redirect.bind(res);
      if (req.path === unlinking.unlinkPath) res.redirect = () => req.logout(() => redirect('/'));
      next();
    },
  };
  /** Has the signed ID of the last account in a cookie that signs nobody in, and in its log. */
  const hinting = (): Mistake => {
    const ids = new Map<string, string>();
    return {
      verify: (_token, { id }) => {
        if (!ids.has(id)) ids.set(id, randomUUID());
        return { number: ids.get(id) };
      },
      success: ({ user }, res) => {
        const { number } = user as User;
        appendFileSync(log, `signed in ${number}\n`);
        res.cookie('last', `${number}.${'s'.repeat(43)}`, { httpOnly: true }).redirect('/');
      },
    };
  };
  const showingLogin: Mistake = {
    deletes: ({ number }, me) => number === me.number,
    sessions: [
      ...sessions({ sameSite: 'lax' }),
      (req, _res, next) => {
        const { begun } = req.session as { begun?: string };
        const regenerate = req.session.regenerate.bind(req.session);
        req.session.regenerate = (done) =>
          regenerate((error) => {
            Object.assign(req.session, { begun });
            done(error);
          });
        next();
      },
      adding(({ session }) => `<i>${(session as { begun?: string }).begun}</i>`),
    ],
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
    ['gives the cookies of its logins a name', { options: { store: named } }, 'cookies', true],
    [
      'gives everybody one cookie',
      { before: doing((_req, res) => res.cookie('a', 'b'.repeat(20))) },
      'session',
      true,
    ],
    ['has one form, with a button for each thing', oneForm, 'sign-out', true],
    ['ends at data, without a form', data, 'sign-out', true],
    ['tells by data who is signed in, and links home', linkingHome, 'linking', true],
    ['remembers by a token', { ...tokenOfASecond, besides: ['session ID'] }, 'cookies', true],
    ['has buttons that open something, and templates', { before: adding(() => helping) }, 'forms', true],
    ['goes on at another page with the same forms', elsewhere, 'linking', true],
    ['has a cookie with the ID of the account', hinting(), 'secrets in logs', true],
    ['shows by which login the session began', showingLogin, 'linking', true],
    ['asks for another login before a deletion', confirming(true), 'deletion', true],
    ['signs out after a page that asks', askingAtTheEnd, 'sign-out', true],
    ['deletes an account after a page that asks', asking('get'), 'deletion', true],
    ['deletes an account after a form that asks', asking('post'), 'deletion', true],
    ['deletes after a form with a token of its own', asking('post', true), 'deletion', true],
    ['deletes after a word of a pattern', typing('Sure?', 'pattern="^DELETE$"'), 'deletion', true],
    ['deletes with a warning', typing('<b>Warning:</b> type <b> DELETE </b>'), 'deletion', true],
    ['signs in behind the callback', { ...unlinking, ...entering('/enter') }, 'linking', true],
    ['returns to a page that links to itself', linkingItself, 'return URLs', true],
    ['leads from its first page to another', leadingOn, 'return URLs', true],
    ['greets by name, once', greetingOnce, 'two accounts', true],
    ['has the ID of the request in a cookie', tracing, 'session ID', true],
    ['limits a login of its own', limiting(), 'session ID', true],
    ['deletes after a word that stands out', typing('Type <b>DELETE</b> to confirm'), 'deletion', true],
    ['deletes after a word of capitals', typing('Type DELETE to confirm'), 'deletion', true],
    ['welcomes who is on the way back', welcoming, 'return URLs', true],
    ['shows IDs alone', { shown: ({ id }: User) => id }, 'two accounts', true],
    ['refuses a second login with a page', { refuses: true }, 'somebody else signed in', true],
    ['refuses its start', { sessions: sessions({}).concat(onceAtATime) }, 'second login', undefined],
    ['names logins by their places', listed(), 'linking', true],
    ['asks whether to link', askingToLink(), 'linking', true],
    ['counts logins', countingLogins(), 'linking', true],
    ['has the ID that a page shows in a cookie of a link', linkCookie(), 'secrets in logs', true],
    ['offers links of networks that an account has', offeringAll, 'linking', true],
    [
      'has the number of an account in other places',
      {
        shown: ({ name, number }: User) =>
          `${escaped(name)} ${number.slice(3)} ${/^(Dora|Boris)/.test(name) ? '1 2 3 4 5' : ''}`,
        ...unlinking,
      },
      'linking',
      true,
    ],
    ['has a search', searching, 'error pages', true],
    ['shows numbers of accounts alone', numbersAlone, 'linking', true],
    ['names its members to everybody', { before: adding(() => MEMBERS_LIST) }, 'session', true],
    ['greets who was there before', greeting, 'deletion', true],
    ['shows signed pictures as Handlebars does', signedPictures, 'deletion', true],
    ['has the tokens of its forms in buttons', tokenButtons(), 'one account', true],
    ['ends the sessions of who unlinks', endingSessions, 'linking', true],
    ['unlinks any login but the last', { unlinkPath: '/unlink', unlinks: anyButTheLast }, 'linking', true],
    ['has a page for failures', failing, 'decline', true],
    ['shows pictures through a path of its own', proxied, 'other people', true],
    ['starts a login by a form', { policy: "form-action 'self' https://x.com" }, undefined, undefined],
  ] as const)
    it(`does not accuse an application that ${title}`, async () => {
      const options =
        name === undefined
          ? { form: '/', log: undefined }
          : {
              only: [name, ...besidesOf(mistake)],
              link: '/link/signin',
              ...(isDeleted(name, mistake) && { delete: '/delete' }),
            };
      const { checks, complete } = await rehearsed(await start(mistake), options);
      expect(checks.filter((check) => check.passed === false)).to.deep.equal([]);
      expect([checks.at(-1)?.passed, complete]).to.deep.equal([passed, true]);
    });

  /** Signs in whom a URL names: anybody in a login for tests, and who has just come back at the page to which a login leads. */
  function entering(path: '/dev/login' | '/enter'): Mistake {
    const users = new Map<unknown, User>();
    const isOnce = path === '/enter';
    return {
      success: (req, res) => {
        const user = req.user as User;
        const key = isOnce ? randomUUID() : user.number;
        users.set(key, user);
        return isOnce ? req.logout(() => res.redirect(`${path}?user=${key}`)) : res.redirect('/');
      },
      sessions: withSession((req, res, next) => {
        const user = req.path === path && users.get(req.query.user);
        if (!user) return next();
        if (isOnce) users.delete(req.query.user);
        Object.assign(req.session, { passport: { user } });
        return res.redirect('/');
      }),
    };
  }
  for (const [name, mistake, words] of [
    ['session ID', entering('/dev/login'), /out of production/],
    ['deletion', { deletes: ({ number }, me) => number === me.number }, /revoke/],
    [
      'return URLs',
      { returns: ['returnTo', /^(?!\/\?)/] },
      /ends where one should end that began later in another/,
    ],
    [
      'stray callback',
      {
        before: (req, res, next) =>
          req.path === '/signin' && /connect\.sid/.test(req.headers.cookie ?? '')
            ? res.redirect('/')
            : next(),
      },
      /isLoginResponse/,
    ],
  ] as const satisfies readonly (readonly [string, Mistake, RegExp])[])
    it(`notes what is no mistake everywhere: ${name}`, async () => {
      const { checks } = await rehearsed(await start(mistake), { only: [name], delete: '/delete' });
      expect(checks.at(-1)?.passed).to.equal(true);
      expect(checks.at(-1)?.found).to.match(words);
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

  it('calls a certificate that is not trusted by its name, of application and sandbox, and says that there is none', async () => {
    const authority = open(privateAuthority(['IP:127.0.0.1']));
    const own = await start({}, undefined, (listener) => serveTLS(authority, listener));
    const [check] = (await rehearsed(own)).checks;
    expect(check?.found).to.match(/^The certificate is not trusted: .*\(\w+\)\.$/);
    expect(check?.remedy).to.match(/--ca FILE/);
    const plain = (await start({})).replace('http:', 'https:');
    expect((await rehearsed(plain)).checks[0]?.remedy).to.match(/begin its URL with http:/);
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
      only: ['host', 'session', 'slow user'],
    });
    expect(checks.map(({ passed }) => passed)).to.deep.equal([true, false, true, true, true]);
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
    const { checks } = await rehearsed(app, { only, log: `${log}.missing` });
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
        // A busy machine reads them slowly. What takes no linear time takes minutes.
        { only, patience: 20_000 },
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

  it('holds the body of a form back until the application has read the headers of all', async () => {
    const bodies: string[] = [];
    let begun = 0;
    let release = () => {};
    const until = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { url } = open(
      await serve((req, res) => {
        begun += 1;
        req.on('data', (chunk) => bodies.push(String(chunk))).on('end', () => res.end());
      }),
    );
    const send = () => new Browser().visit(url, { method: 'POST', body: 'login=1', until });
    const all = Promise.all([send(), send()]);
    while (begun < 2) await wait(5);
    await wait(20);
    expect(bodies).to.deep.equal([]);
    release();
    await all;
    expect(bodies).to.deep.equal(['login=1', 'login=1']);
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

  for (const [last, remedy] of [
    ['', /next\(error\)/],
    ['Error [ERR_HTTP_HEADERS_SENT]: Cannot write headers after they are sent', /^Answer each request once/],
  ] as const)
    it(`says that the application ended, once${last && ', and which error ended it'}`, async () => {
      let server: TestServer | undefined;
      const failure = () => {
        appendFileSync(log, `${last}\n`);
        return server?.close();
      };
      const url = await start({ failure }, undefined, async (listener) => {
        server = await serve(listener);
        return { ...server, close: async () => {} };
      });
      const { checks } = await rehearsed(url, { log, only: ['decline', 'two tabs'] });
      expect(checks.at(-1)).to.include({ name: 'decline', passed: false });
      expect(checks.at(-1)?.found).to.include(last);
      expect(checks.at(-1)?.remedy).to.match(remedy);
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
    const { checks, complete } = await rehearsedLate(100_000, { before }, { log });
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
    expect(lines.at(-1)).to.equal('34 passed, 1 failed, 4 not tried');
  });

  it('prints JSON as a command, and exits with 0 if nothing is wrong', async () => {
    const url = await start({});
    const options = ['--json', '--no-session', '--patience', String(PATIENCE)];
    const { code, output } = await run('rehearse', url, ...options);
    const readme = readFileSync(join(__dirname, '../../../sandbox/README.md'), 'utf8');
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
