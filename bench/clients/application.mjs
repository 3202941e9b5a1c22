// A program: an Express application with express-session and one strategy, as an application would write it. Networks and browsers are in
// other processes, so that it can be measured alone, and may die or hang.
import dns from 'node:dns';
import http from 'node:http';
import { inspect } from 'node:util';
import express from 'express';
import session from 'express-session';
import passport from 'passport';
import { listen, settings } from '../processes.mjs';
import { subjectOf } from './strategies.mjs';

/** `link`: `passport.authorize`, for whom is signed in; `instance`: it gets the strategy instead of its name; `keepsQuery`: the application's state is the request's query. @typedef {{ path: string, instance?: boolean, link?: boolean, keepsQuery?: boolean, options?: object }} Route */
/**
 * `second`: options of another client of the network, at `/login/second` and `/callback/second`; `trusted`: the address of a proxy; `redis`:
 * where the sessions are once it is deployed. Without, it tells and reads more than an application has to.
 *
 * @typedef {{ subject: string, options: object, second?: object, routes?: Route[], verify?: 'throw' | 'reject' | 'repeat', trusted?: string, redis?: string, isRandomFixed?: boolean }} Settings
 */

/** @type {Settings} */
const { subject: id, options, second, routes = [], verify, trusted, redis, isRandomFixed } = settings();
if (isRandomFixed) Math.random = () => 0.5;

// Names below `.test` mean this machine, so that a plain URL of "another" host can be watched.
const { lookup } = dns;
const lead = (/** @type {string} */ host, /** @type {unknown[]} */ ...rest) =>
  Reflect.apply(lookup, dns, [host.endsWith('.test') ? '127.0.0.1' : host, ...rest]);
dns.lookup = /** @type {typeof dns.lookup} */ (Object.assign(lead, lookup));

/** How often somebody was to be logged in, and how often a request ended. */
const counts = { verified: 0, endings: 0 };

/** Declares five arguments, the form with the token response that every strategy knows. @type {(token: unknown, second: unknown, params: { name?: unknown }, profile: { id?: unknown, displayName?: unknown }, done: (error: unknown, user: object | false, info?: object) => void) => unknown} */
const verifyUser = (token, _second, params, profile, done) => {
  counts.verified += 1;
  const user = { token, id: profile?.id, name: profile?.displayName ?? params?.name };
  if (verify === 'throw') throw new Error('the database is down');
  if (verify === 'reject') return Promise.reject(new Error('the database is down'));
  if (String(user.name).startsWith('Mallory')) return done(null, false, { message: 'not allowed here' });
  done(null, user);
  if (verify !== 'repeat') return undefined;
  done(null, { ...user, name: 'somebody else' });
  throw new Error('after the answer');
};

const app = express();
const server = http.createServer({ keepAliveTimeout: 120_000 }, app);
const origin = `http://127.0.0.1:${await listen(server)}`;
const authenticator = new passport.Passport();
/** @type {Record<string, passport.Strategy>} */
const strategies = {};
let refused = '';
try {
  const Strategy = subjectOf(id).load();
  const first = { callbackURL: `${origin}/callback`, ...options };
  const other = { ...first, callbackURL: `${origin}/callback/second`, name: 'second', ...second };
  for (const [name, given] of Object.entries({ first, ...(second && { second: other }) })) {
    strategies[name] = new Strategy(given, verifyUser);
    authenticator.use(name, strategies[name]);
  }
} catch (error) {
  refused = String(error);
}
authenticator.serializeUser((user, done) => {
  counts.endings += 1;
  done(null, user);
});
authenticator.deserializeUser((/** @type {Express.User} */ user, done) => done(null, user));

if (trusted) app.set('trust proxy', trusted);
app.get('/cpu', (_req, res) => res.json(process.cpuUsage()));
app.use(
  session({
    secret: 'a secret of more than thirty-two characters',
    resave: false,
    saveUninitialized: false,
    ...(redis && (await inRedis(redis))),
  }),
);
app.use(authenticator.session());
if (!redis) {
  // As Express 4 has it: duplicated and bracketed parameters become arrays and objects.
  app.set('query parser', 'extended');
  app.use(express.urlencoded({ extended: true }));
}
const common = redis ? {} : { failWithError: true, failureMessage: true };
/** @type {Route[]} */
const usual = ['/login', '/callback', '/login/second', '/callback/second'].map((path) => ({ path }));
for (const { path, instance, link, keepsQuery, ...route } of [...routes, ...usual]) {
  /** @type {any} The types do not know that it takes an instance. */
  const layer = instance ? strategies.first : path.endsWith('/second') ? 'second' : 'first';
  /** @type {express.RequestHandler} */
  const handle = (req, res, next) => {
    /** @type {object} The types know a state as text only. */
    const given = { ...common, ...(keepsQuery && { state: { ...req.query } }), ...route.options };
    authenticator[link ? 'authorize' : 'authenticate'](layer, given)(req, res, next);
  };
  app.all(path, handle, (req, res) => {
    const { user, account, authInfo: info } = /** @type {express.Request & { account?: unknown }} */ (req);
    if (!res.headersSent) res.json({ outcome: 'success', user, account, info });
  });
}
app.get('/sign-in', (req, res, next) => {
  req.logIn({ name: req.query.as }, (error) => (error ? next(error) : res.json({ outcome: 'success' })));
});
app.get('/sign-out', (req, res) => req.session.destroy(() => res.json({ outcome: 'success' })));
app.get('/me', ({ user }, res) => {
  res.json({ user, ...counts });
});
/** @type {unknown} */
let lastError;
app.get('/printed/:what', ({ params }, res) => {
  res.send((params.what === 'error' ? [lastError] : Object.values(strategies)).map(printed).join('\n'));
});
app.get('/advance', (req, res) => {
  const [Real, milliseconds] = [Date, Number(req.query.by)];
  const now = () => Real.now() + milliseconds;
  globalThis.Date = new Proxy(Real, {
    construct: (target, given) => Reflect.construct(target, given.length === 0 ? [now()] : given),
    get: (target, name) => (name === 'now' ? now : Reflect.get(target, name, target)),
  });
  res.json({ outcome: 'success' });
});
app.use(
  // Express knows it by its four parameters.
  (
    /** @type {any} */ error,
    /** @type {express.Request} */ req,
    /** @type {express.Response} */ res,
    /** @type {express.NextFunction} */ _next,
  ) => {
    counts.endings += 1;
    lastError = error;
    if (res.headersSent) return;
    const isFailure = error?.name === 'AuthenticationError';
    // As Express's own error handler chooses it.
    const status = [error?.status, error?.statusCode].find((given) => given >= 400 && given < 600) ?? 500;
    res.status(isFailure ? res.statusCode : status).json({
      outcome: isFailure ? 'failure' : 'error',
      messages: isFailure ? Reflect.get(req.session, 'messages') : [error?.message],
    });
  },
);

/** The options for sessions in Redis, behind a proxy that ends TLS. @param {string} url */
async function inRedis(url) {
  const [{ RedisStore }, { createClient }] = await Promise.all([import('connect-redis'), import('redis')]);
  const client = createClient({ url });
  await client.connect();
  const cookie = /** @type {const} */ ({ secure: true, sameSite: 'lax', maxAge: 86_400_000 });
  return { store: new RedisStore({ client }), cookie };
}

/** Every way in which a value shows itself, hidden members of an error included. @param {any} value */
function printed(value) {
  const showHidden = value instanceof Error;
  const ways = [
    () => inspect(value, { depth: 12, maxStringLength: null, showHidden }),
    () => JSON.stringify(value),
    () => String(value),
    () => value?.stack,
  ];
  const texts = ways.map((way) => {
    try {
      return String(way());
    } catch (error) {
      return String(error);
    }
  });
  return texts.join('\n');
}

// Whoever started it has ended or was interrupted.
process.on('disconnect', () => process.exit());
process.send?.({ origin, refused });
