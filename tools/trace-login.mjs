// Counts what one login at the sandbox walks through in lib/, for each network and protocol: what someone who follows a login has to read.
// `npm run step -- trace` prints a table. With `-- --list`, or with the names of networks, it also prints where the entries are. With `-- --check` it
// fails above the limits. A copy of lib/ runs, whose functions report that they are entered: V8's coverage counts, but has no order.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import express from 'express';
import expressSession from 'express-session';
import passport from 'passport';
import { parseAst } from 'rolldown/parseAst';
import { startSandbox } from '../sandbox/lib/index.js';
import { Browser } from '../test/support/browser.js';
import { serve } from '../test/support/server.js';

/** @typedef {{ entries: { file: string, name: string }[], moves: string[], files: string[], calls: string[] }} Walk */

const CLIENTS = /** @type {const} */ ([
  ['short-video 2.0', 'short-video', 'ShortVideoStrategy', {}],
  ['microblog 2.0', 'microblog', 'MicroblogStrategy', { version: '2.0' }],
  ['microblog 1.0a', 'microblog', 'MicroblogStrategy', { version: '1.0' }],
  ['social-network classic', 'social-network', 'SocialNetworkStrategy', { version: '2.0' }],
  ['social-network VK ID', 'social-network', 'SocialNetworkStrategy', { version: '2.1' }],
]);
const ALONE = 'Passport alone';
const COLUMNS = /** @type {const} */ ([
  { title: 'function entries', key: 'entries', limit: 340 },
  { title: 'moves', key: 'moves', limit: 102 },
  { title: 'files', key: 'files', limit: 18 },
  // What Passport alone needs is the limit.
  { title: 'session store calls', key: 'calls', limit: undefined },
]);
const LIB = join(import.meta.dirname, '../lib');
// Inside the repository, so that the copy finds node_modules; git ignores build/.
const COPY = join(import.meta.dirname, '../build/trace');

/** What Passport does if the strategy needs no session. */
class PassportAlone extends passport.Strategy {
  /** @override */
  name = 'alone';
  /** @override @param {express.Request} req */
  authenticate(req) {
    return req.query.code ? this.success({}) : this.redirect('/api/auth/callback/alone?code=any');
  }
}

/** The functions of lib/. Each reports its index. @type {Walk['entries']} */
const functions = [];
/** The login that is measured. @type {Walk | undefined} */
let walk;
Object.assign(globalThis, {
  entered: (/** @type {number} */ i) => walk?.entries.push(...functions.slice(i, i + 1)),
});
const given = process.argv.slice(2);
const sandbox = await startSandbox();
try {
  const known = ['--list', '--check', ...CLIENTS.map(([, network]) => network)];
  const unknown = given.find((word) => known.every((name) => name !== word));
  if (unknown !== undefined) throw new Error(`There is no option or network ${unknown}.`);
  copyLib();
  const lib = await import(join(COPY, 'index.ts'));
  const verify = (/** @type {any[]} */ ...values) => values[3](null, values[2]);
  const walks = new Map([[ALONE, await login(ALONE, new PassportAlone())]]);
  for (const [title, network, name, choice] of CLIENTS)
    walks.set(title, await login(title, new lib[name](sandbox.options(network, choice), verify)));
  const broken = printTable(walks);
  for (const [title, network] of CLIENTS)
    if (given.includes('--list') || given.includes(network))
      printList(title, /** @type {Walk} */ (walks.get(title)));
  if (given.includes('--check') && broken.length > 0) throw new Error(`\n${broken.join('\n')}`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  await sandbox.close();
  rmSync(COPY, { recursive: true, force: true });
}

/** @param {string} title @param {passport.Strategy & { name: string }} strategy @returns What the second login walks through. */
async function login(title, strategy) {
  // A process in production loads no warnings for developers.
  process.env.NODE_ENV = 'production';
  const authenticator = new passport.Passport();
  authenticator.use(strategy);
  authenticator.serializeUser((_user, done) => done(null, 'user'));
  const authenticate = authenticator.authenticate(strategy.name);
  const app = express();
  const store = countedStore();
  app.use(expressSession({ secret: 'of this trace only', store, resave: false, saveUninitialized: false }));
  app.get('/start', authenticate);
  app.get(`/api/auth/callback/${strategy.name}`, authenticate, (_req, res) => void res.end('logged in'));
  /** @type {express.ErrorRequestHandler} */
  const sendError = (error, _req, res, _next) => res.status(500).end(`${error}`);
  app.use(sendError);
  const server = await serve(app);
  /** @type {Walk} */
  const measured = { entries: [], moves: [], files: [], calls: [] };
  try {
    // The first login loads and connects what later logins find.
    for (walk of [undefined, measured]) {
      const browser = new Browser();
      let page = await browser.get(`${server.url}/start`);
      while (page.location !== '') {
        const consent = page.location.startsWith(sandbox.url) ? '&auto=allow' : '';
        page = await browser.get(`${page.location}${consent}`);
      }
      if (page.text !== 'logged in')
        throw new Error(`${title}: the login failed. ${page.status} ${page.text}`);
    }
  } finally {
    walk = undefined;
    delete process.env.NODE_ENV;
    await server.close();
  }
  const files = measured.entries.map(({ file }) => file);
  measured.files = [...new Set(files)];
  for (const [i, file] of files.slice(1).entries())
    if (file !== files[i]) measured.moves.push(`${files[i]} -> ${file}`);
  return measured;
}

/** A store in memory that reports its calls. Its other methods, such as `regenerate`, call these. */
function countedStore() {
  const store = new expressSession.MemoryStore();
  for (const name of /** @type {const} */ (['destroy', 'get', 'set', 'touch'])) {
    const method = /** @type {(...given: unknown[]) => void} */ (store[name]);
    store[name] = (/** @type {unknown[]} */ ...given) => {
      walk?.calls.push(name);
      method.apply(store, given);
    };
  }
  return store;
}

/** Copies lib/, with a report at the beginning of each function. */
function copyLib() {
  for (const file of readdirSync(LIB, { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.ts')) continue;
    let source = readFileSync(join(LIB, file), 'utf8');
    const reports = reportsFor(parseAst(source, { lang: 'ts' }), { file, source, path: [] });
    for (const { at, text } of reports.sort((a, b) => b.at - a.at))
      source = `${source.slice(0, at)}${text}${source.slice(at)}`;
    mkdirSync(dirname(join(COPY, file)), { recursive: true });
    writeFileSync(join(COPY, file), source);
  }
}

/**
 * @param {any} node - A node of the syntax tree, or a list of nodes.
 * @param {{ file: string, source: string, path: string[], key?: string }} place - `path` has the names of the functions and classes around
 *   the node, and `key` is what the node is assigned to.
 * @returns {{ at: number, text: string }[]}
 */
function reportsFor(node, { file, source, path, key }) {
  const { type = '', body, start } = node;
  const isFunction = /^(Function|Arrow)/.test(type) && body;
  const name = node.id?.name ?? key ?? `line ${source.slice(0, start).split('\n').length}`;
  const inside = isFunction || /^Class[DE]/.test(type) ? [...path, name] : path;
  const reports = Object.entries(node).flatMap(([property, child]) => {
    if (child === null || typeof child !== 'object') return [];
    const assigned = { value: node.key?.name, init: node.id?.name }[property];
    return reportsFor(child, { file, source, path: inside, key: assigned });
  });
  if (!isFunction) return reports;
  const report = `entered(${functions.push({ file, name: inside.join(' > ') }) - 1})`;
  if (body.type === 'BlockStatement') return [...reports, { at: body.start + 1, text: ` ${report};` }];
  return [...reports, { at: body.start, text: `(${report}, ` }, { at: body.end, text: ')' }];
}

/** @param {Map<string, Walk>} walks @returns What is above the limits. */
function printTable(walks) {
  const calls = walks.get(ALONE)?.calls.length ?? 0;
  const broken = [];
  console.log(['network'.padEnd(22), ...COLUMNS.map(({ title }) => title)].join('   '));
  for (const [network, counts] of walks) {
    const cells = [network.padEnd(22)];
    for (const { title, key, limit = calls } of COLUMNS) {
      const count = counts[key].length;
      cells.push(`${count}`.padStart(title.length));
      if (count > limit) broken.push(`${network}: ${count} ${title}; the limit is ${limit}.`);
    }
    console.log(cells.join('   '));
  }
  return broken;
}

/** @param {string} title @param {Walk} walk */
function printList(title, { entries, moves, calls }) {
  console.log(`\n${title}: function entries of each file`);
  for (const [file, count] of counted(entries.map((entry) => entry.file))) {
    console.log(`${count}  ${file}`);
    const names = entries.filter((entry) => entry.file === file).map(({ name }) => name);
    for (const [name, times] of counted(names)) console.log(`     ${times}  ${name}`);
  }
  console.log(`\n${title}: moves from file to file`);
  for (const [move, count] of counted(moves)) console.log(`${count}  ${move}`);
  console.log(`\n${title}: session store calls, in order: ${calls.join(', ')}`);
}

/** @param {string[]} names @returns How often each name is there, the most frequent first. */
function counted(names) {
  const counts = /** @type {Map<string, number>} */ (new Map());
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a).map(([name, count]) => [name, `${count}`.padStart(5)]);
}
