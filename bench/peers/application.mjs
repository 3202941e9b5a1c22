// The process under question: an Express application with express-session and a strategy, as an application would write it. Network and
// browsers are in the parent process, so that this one may die or hang.
import dns from 'node:dns';
import { createServer } from 'node:http';
import { inspect } from 'node:util';
import express from 'express';
import session from 'express-session';
import passport from 'passport';
import { SUBJECTS } from '../clients/strategies.mjs';
import { listen, settings } from '../processes.mjs';
import { OURS } from '../versions.mjs';

/**
 * `link`: `passport.authorize`, which links an account to the user who is signed in; `instance`: it gets the strategy instead of its name;
 * `keepsQuery`: the query of the request is the application's state.
 *
 * @typedef {{ path: string, instance?: boolean, link?: boolean, keepsQuery?: boolean, options?: object }} Route
 */
/**
 * `second`: options of another client of the network, at `/login/second` and `/callback/second`; `trusted`: the address of a proxy.
 *
 * @typedef {{
 *   subject: string,
 *   options: Record<string, unknown>,
 *   second?: Record<string, unknown>,
 *   routes: Route[],
 *   verify: 'accept' | 'throw' | 'reject' | 'repeat',
 *   trusted?: string,
 *   isRandomFixed?: boolean,
 * }} Settings
 */

/** @type {Settings} */
const { subject: id, options, second, routes, verify, trusted, isRandomFixed } = settings();
const subject = SUBJECTS.find((one) => one.id === id);
if (!subject) throw new Error(`no subject is called ${id}`);
if (isRandomFixed) Math.random = () => 0.5;

// Names below `.test` mean this machine, so that a plain URL of "another" host can be watched.
const { lookup } = dns;
const lead = (/** @type {string} */ host, /** @type {unknown[]} */ ...rest) =>
  Reflect.apply(lookup, dns, [host.endsWith('.test') ? '127.0.0.1' : host, ...rest]);
dns.lookup = /** @type {typeof dns.lookup} */ (Object.assign(lead, lookup));

/** How often somebody was to be logged in, and how often a request ended. */
const counts = { verified: 0, endings: 0 };

/** Each declares five arguments, the form with the token response that every subject knows. @type {import('./world.mjs').Verify} */
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
const server = createServer(app);
const origin = `http://127.0.0.1:${await listen(server)}`;
const authenticator = new passport.Passport();
const Strategy = subject.load();
/** @type {passport.Strategy[]} */
const strategies = [];
let refused = '';
try {
  const callbackURL = `${origin}/callback`;
  strategies.push(new Strategy({ callbackURL, ...options }, verifyUser));
  // Two clients of one network need names of their own in this package.
  const name = subject.package === OURS ? { name: 'second' } : {};
  if (second)
    strategies.push(
      new Strategy({ ...options, callbackURL: `${callbackURL}/second`, ...name, ...second }, verifyUser),
    );
} catch (error) {
  refused = String(error);
}
for (const [index, strategy] of strategies.entries())
  authenticator.use(['first', 'second'][index] ?? '', strategy);
authenticator.serializeUser((user, done) => {
  counts.endings += 1;
  done(null, user);
});
authenticator.deserializeUser((/** @type {Express.User} */ user, done) => done(null, user));

// As Express 4 has it: duplicated and bracketed parameters become arrays and objects.
app.set('query parser', 'extended');
if (trusted) app.set('trust proxy', trusted);
app.use(session({ secret: 'session-secret', resave: false, saveUninitialized: false }));
app.use(authenticator.session());
app.use(express.urlencoded({ extended: true }));
/** @type {Route[]} */
const all = [
  { path: '/login' },
  { path: '/callback' },
  { path: '/login/second' },
  { path: '/callback/second' },
];
for (const { path, instance, link, keepsQuery, ...route } of [...routes, ...all]) {
  const name = path.endsWith('/second') ? 'second' : 'first';
  /** @type {any} The types do not know that it takes an instance. */
  const layer = instance ? strategies[0] : name;
  /** @type {express.RequestHandler} */
  const handle = (req, res, next) => {
    /** @type {object} The types know a state as text only. */
    const given = {
      failWithError: true,
      failureMessage: true,
      ...(keepsQuery && { state: { ...req.query } }),
      ...route.options,
    };
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
app.get('/print', (_req, res) => {
  res.send(strategies.map(printed).join('\n'));
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
// Express knows it by its four parameters.
app.use(
  (
    /** @type {any} */ error,
    /** @type {express.Request} */ req,
    /** @type {express.Response} */ res,
    /** @type {express.NextFunction} */ _next,
  ) => {
    counts.endings += 1;
    if (res.headersSent) return;
    const isFailure = error?.name === 'AuthenticationError';
    // As Express's own error handler chooses it.
    const status = [error?.status, error?.statusCode].find((given) => given >= 400 && given < 600) ?? 500;
    res.status(isFailure ? res.statusCode : status).json({
      outcome: isFailure ? 'failure' : 'error',
      messages: isFailure ? Reflect.get(req.session, 'messages') : [error?.message],
      printed: printed(error),
    });
  },
);

/** Every way in which a value shows itself, hidden members of an error included. @param {any} value */
function printed(value) {
  const showHidden = value instanceof Error;
  const ways = [
    () => inspect(value, { depth: 12, maxStringLength: null, showHidden }),
    () => JSON.stringify(value),
    () => String(value),
    () => value?.stack,
  ];
  return ways.map((way) => attempt(way)).join('\n');
}

/** @param {() => unknown} make */
function attempt(make) {
  try {
    return String(make());
  } catch (error) {
    return String(error);
  }
}

process.on('disconnect', () => process.exit());
process.send?.({ origin, refused });
