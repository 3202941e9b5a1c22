// One login with one strategy: a browser, an Express application with passport.authenticate, and a network. All on this machine.
import { createServer } from 'node:http';
import express from 'express';
import { Passport } from 'passport';
import { Browser, CALLBACK, listen, ORIGIN, serve } from '../browser.mjs';

/** @typedef {Record<string, any>} Values */
/** @typedef {(...args: any[]) => any} Method */

/** By path of the network. @typedef {Record<string, [status: number, body: string]>} Answers */

/**
 * What the base packages call differently. `options` are for both strategies; in a string, NETWORK is its URL. `response`: what the network sends
 * back with the browser, from the parameters of the redirect. `store`: a store of the application's own.
 *
 * @typedef {{ options: Values, answers: Answers, response: Method, store: (save: Method, take: Method) => Record<string, Method> }} Protocol
 */

/** `options`: besides the protocol's; `undefined` leaves one out. `store`: when the application's own fails. `overrides`: methods of a subclass. `given`: to passport.authenticate. @typedef {{ options?: Values, store?: [when: string, isThrown?: boolean], verify?: Method | null, overrides?: Record<string, Method | undefined>, given?: Values }} Application */
/** `change`: what the application does to the strategy. @typedef {Application & { change?: Method, answers?: Answers, response?: Method, headers?: Record<string, string>, special?: 'over TLS' | 'trusts proxies' | 'no session' | 'another browser' | 'posts' }} Login */

/**
 * What was observed. `query`: of the redirect to the network. `session`: its keys after the redirect and at the end. `received`: the last request at
 * each path of the network, without its slash. `refused`: what the constructor threw.
 *
 * @typedef {{ network: string, name?: string, query?: any, challenge?: string, end?: any, verified: any[], session: string[][], received: Values, refused?: any }} Seen
 */

/** Request tokens differ, because one is used once. */
let trials = 0;

/** @param {any} Base @param {Protocol} protocol @param {Login} login @returns {Promise<Seen>} */
export async function logInWith(Base, protocol, login) {
  const { given = {}, headers = {}, special, response = protocol.response } = login;
  const requestToken = `request-token-${trials++}`;
  const answers = { ...protocol.answers, ...login.answers };
  const network = createServer(async (request, res) => {
    const { pathname } = new URL(request.url ?? '', ORIGIN);
    const oauth = (request.headers.authorization ?? '').matchAll(/(\w+)="([^"]*)"/g);
    seen.received[pathname.slice(1)] = {
      headers: request.headers,
      form: Object.fromEntries(new URLSearchParams((await request.toArray()).join(''))),
      oauth: Object.fromEntries(
        Array.from(oauth, ([, name, value = '']) => [name, decodeURIComponent(value)]),
      ),
    };
    const [status, body] = answers[pathname] ?? [404, 'not found'];
    res.writeHead(status).end(body.replace('request-token', requestToken));
  });
  const { url, close } = await listen(network);
  /** @type {Seen} */
  const seen = { network: url, verified: [], session: [], received: {} };
  /** @type {any} */
  let strategy;
  try {
    strategy = make(Base, protocol, login, seen);
  } catch (refused) {
    close();
    return { ...seen, refused };
  }
  login.change?.(strategy);
  seen.name = strategy.name;
  /** @type {unknown} */
  let outcome;
  let session = { own: 'kept' };
  const passport = new Passport().use('strategy', strategy);
  const app = express().set('trust proxy', special === 'trusts proxies');
  app.use(express.urlencoded(), (req, res, next) => {
    Object.assign(req.socket, { encrypted: special === 'over TLS' });
    if (special !== 'no session') Object.assign(req, { session });
    /** @type {import('passport').AuthenticateCallback} */
    const ended = (error, user, info, status) => {
      outcome = outcomeOf(error, user, info, status);
      res.end();
    };
    passport.authenticate('strategy', given, ended)(req, res, next);
  });
  const logIn = async (/** @type {import('../browser.mjs').Application} */ application) => {
    let { tab } = new Browser(application);
    const open = async (/** @type {string} */ path, init = {}) => {
      const { location } = await tab.visit(`${ORIGIN}${path}`, { headers, ...init });
      seen.session.push(Object.keys(session));
      return location === undefined ? outcome : new URL(location);
    };
    seen.end = await open('/login');
    if (!(seen.end instanceof URL)) return;
    seen.query = Object.fromEntries(seen.end.searchParams);
    if (special === 'another browser') {
      session = { own: 'kept' };
      ({ tab } = new Browser(application));
    }
    const body = new URLSearchParams(response(seen.query)).toString();
    const { pathname } = new URL(CALLBACK);
    const post = { method: 'POST', body, headers: { origin: url } };
    seen.end = await (special === 'posts'
      ? open(pathname, { from: 'cross-site', ...post })
      : open(`${pathname}?${body}`, { from: 'cross-site' }));
    if (seen.end instanceof URL) seen.end = `redirect to ${seen.end.pathname}`;
    seen.challenge = seen.query.code_challenge;
    for (const name of ['state', 'code_challenge'])
      if (seen.query[name]?.length > 20) seen.query[name] = 'random';
  };
  await serve(app, logIn).finally(close);
  return seen;
}

/** @param {any} Base @param {Protocol} protocol @param {Login} login @param {Seen} seen */
function make(Base, protocol, { options, overrides, store, verify = accept }, seen) {
  /** @type {any} */
  const Strategy = class extends Base {};
  // So that both strategies give the same profile.
  const userProfile = (/** @type {any[]} */ ...args) => args.at(-1)(null, { id: '42' });
  Object.assign(Strategy.prototype, withoutUndefined({ userProfile, ...overrides }));
  const own = { callbackURL: CALLBACK, ...(store && { store: storeFor(protocol, ...store) }), ...options };
  const given = withoutUndefined({ ...protocol.options, ...own });
  for (const [name, value] of Object.entries(given))
    if (typeof value === 'string') given[name] = value.replace('NETWORK', seen.network);
  const recorded = (/** @type {any[]} */ ...args) => {
    seen.verified = args.slice(0, -1).map((value) => (value?.socket === undefined ? value : 'the request'));
    return verify?.(...args);
  };
  const length = { value: verify?.length || 4 };
  return new Strategy(given, verify && Object.defineProperty(recorded, 'length', length));
}

/** @type {Method} */
export const accept = (...args) => args.at(-1)(null, { id: 'user' });

/** @param {Values} values @returns {Values} */
const withoutUndefined = (values) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));

/** @param {Protocol} protocol @param {string} when @param {boolean} [isThrown] - Otherwise the store calls back with the error. */
export function storeFor({ store }, when, isThrown = false) {
  /** @type {unknown[]} */
  let kept = [];
  const work = (/** @type {string} */ step, /** @type {Method} */ done, /** @type {unknown[]} */ values) => {
    if (when !== step) return done(null, ...values);
    const error = new Error('the store failed');
    if (isThrown) throw error;
    return done(error);
  };
  /** @type {Method} */
  const save = (values, done, ...more) => {
    if (when !== 'lost') kept = values;
    work('start', done, more);
  };
  return store(save, (done) => work('callback', done, kept));
}

/** @param {any} error @param {unknown} user @param {any} info @param {unknown} status */
function outcomeOf(error, user, info, status) {
  if (user) return { user, info };
  const { code, message, networkMessage } = error || Object(info);
  const [what, shown] = error ? [error.name, error.status] : ['failure', status];
  return [what, shown, code ?? message, networkMessage].filter((part) => part !== undefined).join(', ');
}
