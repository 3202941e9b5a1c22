/**
 * The process under question: an Express application with express-session and a strategy, as an application would write it.
 * Started by `application-process.mjs`; network and browser are in that other process, so that this one may die or hang.
 */
import { EventEmitter, once } from 'node:events';
import { createServer } from 'node:http';
import express from 'express';
import session from 'express-session';
import passport from 'passport';
import { claimIn, SharedSessions } from './shared-sessions.mjs';
import { subjectOf } from './subjects.mjs';
import { advanceClock, printed, printedError, resolveTestHosts } from './surroundings.mjs';
import { verifyNamed } from './verifies.mjs';

/**
 * `link`: `passport.authorize`, which links an account to the user who is signed in; `held`: each request waits until somebody has signed
 * out; `keepsQuery`: the query of the request is the application's state.
 *
 * @typedef {{
 *   readonly path: string,
 *   readonly strategy?: string,
 *   readonly instance?: boolean,
 *   readonly link?: boolean,
 *   readonly held?: boolean,
 *   readonly keepsQuery?: boolean,
 *   readonly options?: object,
 * }} Route
 *
 * `sessions`: a folder for the sessions that several processes share; `plain`: failures and errors are left to Passport and Express, as
 * READMEs show it.
 *
 * @typedef {{
 *   readonly subject: string,
 *   readonly strategies: readonly { readonly name: string, readonly options: object }[],
 *   readonly routes: readonly Route[],
 *   readonly verify: string,
 *   readonly trusted?: string,
 *   readonly stubRandom?: boolean,
 *   readonly sessions?: string,
 *   readonly plain?: boolean,
 * }} Settings
 */

/** @type {import('./application-process.mjs').Journal} */
const journal = { verified: [], errors: [], endings: 0 };

/** @type {Map<string, passport.Strategy>} */
const instances = new Map();

const server = createServer();

/** Emits `held` when a request waits, and `released` when somebody has signed out. */
const gate = new EventEmitter();
let isHeld = false;

/** @param {import('./subjects.mjs').Subject} subject @param {Settings} settings */
function start(subject, { strategies, routes, verify, trusted, stubRandom, sessions, plain = false }) {
  resolveTestHosts();
  if (stubRandom) Math.random = () => 0.5;
  const Strategy = subject.load();
  const shared = sessions === undefined ? {} : subject.inSeveralProcesses?.(claimIn(sessions));
  const authenticator = new passport.Passport();
  for (const { name, options } of strategies) {
    const strategy = new Strategy({ ...options, ...shared }, verifyNamed(verify, journal));
    instances.set(name, strategy);
    authenticator.use(name, strategy);
  }
  authenticator.serializeUser((user, done) => {
    journal.endings += 1;
    done(null, user);
  });
  authenticator.deserializeUser((/** @type {Express.User} */ user, done) => done(null, user));

  const app = express();
  // As Express 4 has it: duplicated and bracketed parameters become arrays and objects.
  app.set('query parser', 'extended');
  if (trusted) app.set('trust proxy', trusted);
  const store = sessions === undefined ? {} : { store: new SharedSessions(sessions) };
  app.use(session({ secret: 'session-secret', resave: false, saveUninitialized: false, ...store }));
  app.use(authenticator.session());
  app.use(express.urlencoded({ extended: true }));
  for (const { path, strategy = 'subject', instance = false, held = false, ...route } of routes) {
    const layer = (instance && instances.get(strategy)) || strategy;
    const endings = plain ? { failureRedirect: '/' } : { failWithError: true, failureMessage: true };
    const action = route.link ? 'authorize' : 'authenticate';
    /** @type {express.RequestHandler} */
    const handler = (req, res, next) => {
      /** @type {object} The types know a state as text only. */
      const options = { ...endings, ...(route.keepsQuery && { state: { ...req.query } }), ...route.options };
      // @ts-expect-error The types do not know that it takes an instance.
      authenticator[action](layer, options)(req, res, next);
    };
    app.all(path, ...(held ? [wait] : []), handler, welcome);
  }
  app.get('/sign-in', (req, res, next) => {
    req.logIn({ name: req.query.as }, (error) => (error ? next(error) : welcome(req, res)));
  });
  app.get('/sign-out', (req, res, next) => {
    req.session.destroy((error) => {
      gate.emit('released');
      if (error) next(error);
      else res.json({ outcome: 'success' });
    });
  });
  app.get('/me', welcome);
  if (!plain) app.use(explain);
  server.on('request', app);
}

/** @param {express.Request} _req @param {express.Response} _res @param {express.NextFunction} next */
async function wait(_req, _res, next) {
  const released = once(gate, 'released');
  isHeld = true;
  gate.emit('held');
  await released;
  isHeld = false;
  next();
}

/** @param {express.Request & { account?: unknown }} req @param {express.Response} res */
function welcome({ user, account, authInfo }, res) {
  if (!res.headersSent) res.json({ outcome: 'success', user, account, info: authInfo });
}

/** @param {any} error @param {express.Request} req @param {express.Response} res @param {unknown} _next */
function explain(error, req, res, _next) {
  journal.endings += 1;
  const failed = error?.name === 'AuthenticationError';
  if (!failed) journal.errors.push(printedError(error));
  if (res.headersSent) return;
  // As Express's own error handler chooses it.
  const status = [error?.status, error?.statusCode].find((given) => given >= 400 && given < 600) ?? 500;
  res.status(failed ? res.statusCode : status).json({
    outcome: failed ? 'failure' : 'error',
    name: String(error?.name),
    messages: failed ? Reflect.get(req.session, 'messages') : [error?.message],
  });
}

/** @type {Readonly<Record<string, (value: any) => unknown>>} */
const COMMANDS = {
  start(/** @type {Settings} */ settings) {
    const subject = subjectOf(settings.subject);
    // What cannot be loaded is the bench's fault.
    subject.load();
    try {
      start(subject, settings);
      return {};
    } catch (error) {
      return { refused: String(error) };
    }
  },
  journal: () => journal,
  advance: advanceClock,
  stall(/** @type {number} */ milliseconds) {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
  },
  // The request may have arrived before the command.
  holds: () => isHeld || once(gate, 'held'),
  requestAPI: (/** @type {{ url: string, token: string }} */ { url, token }) =>
    new Promise((resolve) => {
      /** @type {{ get(url: string, token: string, done: () => void): void }} */
      const client = Reflect.get(Object(instances.get('subject')), '_oauth2');
      client.get(url, token, () => resolve(undefined));
    }),
  print: () => [...instances.values()].map(printed).join('\n'),
};

process.on(
  'message',
  (/** @type {{ id: number, command: string, value: unknown }} */ { id, command, value }) => {
    void Promise.resolve(COMMANDS[command]?.(value)).then((answer) => process.send?.({ id, answer }));
  },
);
process.on('disconnect', () => process.exit());

server.listen(0, '127.0.0.1');
await once(server, 'listening');
process.send?.({ id: 0, answer: server.address() });
