// A program: an Express application with express-session and one strategy, as an application would write it. Networks and browsers are in
// other processes, so that it can be measured alone.
import http from 'node:http';
import express from 'express';
import session from 'express-session';
import passport from 'passport';
import { listen, settings } from '../processes.mjs';
import { subjectOf } from './strategies.mjs';

/**
 * `trusted`: the address of a proxy; `redis`: where the sessions are once it is deployed; `led`: a URL that the strategy has built in, and where
 * the global fetch goes instead.
 *
 * @typedef {{ subject: string, options: object, trusted?: string, redis?: string, led?: Record<string, string> }} Settings
 */

/** @type {Settings} */
const { subject: id, options, trusted, redis, led } = settings();

const { fetch } = globalThis;
if (led) globalThis.fetch = (url, init) => fetch((typeof url === 'string' && led[url]) || url, init);

const app = express();
const server = http.createServer({ keepAliveTimeout: 120_000 }, app);
const origin = `http://127.0.0.1:${await listen(server)}`;
const authenticator = new passport.Passport();
let name = '';
let refused = '';
try {
  const Strategy = subjectOf(id).load();
  /** Declares five arguments, the form with the token response that every strategy knows. @type {(token: unknown, second: unknown, params: unknown, profile: { id?: unknown }, done: (error: unknown, user: object) => void) => unknown} */
  const verify = (token, _second, _params, profile, done) => done(null, { token, id: profile?.id });
  const strategy = new Strategy({ callbackURL: `${origin}/callback`, ...options }, verify);
  authenticator.use(strategy);
  ({ name = '' } = strategy);
} catch (error) {
  refused = String(error);
}
authenticator.serializeUser((user, done) => done(null, user));
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
app.get('/login', authenticator.authenticate(name));
app.get('/callback', authenticator.authenticate(name), ({ user }, res) => res.json({ user }));

/** The options for sessions in Redis, behind a proxy that ends TLS. @param {string} url */
async function inRedis(url) {
  const [{ RedisStore }, { createClient }] = await Promise.all([import('connect-redis'), import('redis')]);
  const client = createClient({ url });
  await client.connect();
  const cookie = /** @type {const} */ ({ secure: true, sameSite: 'lax', maxAge: 86_400_000 });
  return { store: new RedisStore({ client }), cookie };
}

// Whoever started it has ended or was interrupted.
process.on('disconnect', () => process.exit());
process.send?.({ origin, refused });
