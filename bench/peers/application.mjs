/**
 * The process under question: an Express application with express-session and a strategy, as an application would write it.
 * Started by `application-process.mjs`; network and browser are in that other process, so that this one may die or hang.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import express from 'express';
import session from 'express-session';
import passport from 'passport';
import { subjectOf } from './subjects.mjs';
import { advanceClock, printed, printedError, resolveTestHosts } from './surroundings.mjs';
import { verifyNamed } from './verifies.mjs';

/**
 * @typedef {{ readonly path: string, readonly strategy?: string, readonly instance?: boolean, readonly options?: object }} Route
 * @typedef {{
 *   readonly subject: string,
 *   readonly strategies: readonly { readonly name: string, readonly options: object }[],
 *   readonly routes: readonly Route[],
 *   readonly verify: string,
 *   readonly trusted?: string,
 *   readonly stubRandom?: boolean,
 * }} Settings
 */

/** @type {import('./application-process.mjs').Journal} */
const journal = { verified: [], errors: [], endings: 0 };

/** @type {Map<string, passport.Strategy>} */
const instances = new Map();

const server = createServer();

/** @param {import('./subjects.mjs').StrategyClass} Strategy @param {Settings} settings */
function start(Strategy, { strategies, routes, verify, trusted, stubRandom }) {
  resolveTestHosts();
  if (stubRandom) Math.random = () => 0.5;
  const authenticator = new passport.Passport();
  for (const { name, options } of strategies) {
    const strategy = new Strategy(options, verifyNamed(verify, journal));
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
  app.use(session({ secret: 'session-secret', resave: false, saveUninitialized: false }));
  app.use(authenticator.session());
  app.use(express.urlencoded({ extended: true }));
  for (const { path, strategy = 'subject', instance = false, options = {} } of routes) {
    const layer = instance ? instances.get(strategy) : strategy;
    // @ts-expect-error Its types do not know that it takes an instance.
    const handler = authenticator.authenticate(layer, {
      failWithError: true,
      failureMessage: true,
      ...options,
    });
    app.all(path, handler, welcome);
  }
  app.use(explain);
  server.on('request', app);
}

/** @param {express.Request} req @param {express.Response} res */
function welcome(req, res) {
  if (!res.headersSent) res.json({ outcome: 'success', user: req.user, info: req.authInfo });
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
    const Strategy = subjectOf(settings.subject).load();
    try {
      start(Strategy, settings);
      return {};
    } catch (error) {
      return { refused: String(error) };
    }
  },
  journal: () => journal,
  advance: advanceClock,
  print: () => [...instances.values()].map(printed).join('\n'),
};

process.on(
  'message',
  (/** @type {{ id: number, command: string, value: unknown }} */ { id, command, value }) => {
    process.send?.({ id, answer: COMMANDS[command]?.(value) });
  },
);
process.on('disconnect', () => process.exit());

server.listen(0, '127.0.0.1');
await once(server, 'listening');
process.send?.({ id: 0, answer: server.address() });
