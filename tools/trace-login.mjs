// Counts what one login at the sandbox walks through in lib/, for each network and protocol: what someone who follows a login has to read.
// `npm run step -- trace` prints a table; with `-- --list`, it also prints where the entries are; with `-- --check`, it fails above the limits.
// A copy of lib/ runs, whose functions report that they are entered: V8's coverage counts, but has no order.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import express from 'express';
import expressSession from 'express-session';
import passport from 'passport';
import { parseAst } from 'rolldown/parseAst';
import { startSandbox } from '../sandbox/lib/index.js';
import { Browser } from '../test/support/browser.js';
import { serve } from '../test/support/server.js';
import { ROOT } from './run.mjs';

/** @typedef {{ file: string, name: string }} Entry */
/** @typedef {{ entries: Entry[], moves: string[], files: string[], calls: string[] }} Walk */

const CLIENTS = /** @type {const} */ ([
  ['short-video 2.0', 'short-video', 'ShortVideoStrategy', {}],
  ['microblog 2.0', 'microblog', 'MicroblogStrategy', { version: '2.0' }],
  ['microblog 1.0a', 'microblog', 'MicroblogStrategy', { version: '1.0' }],
  ['social-network classic', 'social-network', 'SocialNetworkStrategy', { version: '2.0' }],
  ['social-network VK ID', 'social-network', 'SocialNetworkStrategy', { version: '2.1' }],
]);
/** Of the session store, as many calls as Passport alone. @type {Record<keyof Walk, number>} */
const LIMITS = { entries: 320, moves: 101, files: 17, calls: 0 };
// Inside the repository, so that the copy finds node_modules; git ignores build/.
const COPY = join(ROOT, 'build/trace');

/** What Passport does if the strategy needs no session. */
class PassportAlone extends passport.Strategy {
  /** @override */
  name = 'alone';
  /** @override @param {express.Request} req */
  authenticate(req) {
    return req.query.code ? this.success({}) : this.redirect('/api/auth/callback/alone?code=any');
  }
}

/** The functions of lib/. Each reports its index. @type {Entry[]} */
const functions = [];
/** The login that is measured. @type {Walk | undefined} */
let walk;
Object.assign(globalThis, {
  entered: (/** @type {number} */ i) => walk?.entries.push(...functions.slice(i, i + 1)),
});

const sandbox = await startSandbox();
try {
  copyLib();
  const lib = await import(join(COPY, 'index.ts'));
  const verify = (/** @type {any[]} */ ...values) => values[3](null, values[2]);
  LIMITS.calls = (await login('Passport alone', new PassportAlone())).calls.length;
  console.log(`${'network'.padEnd(22)}   function entries   moves   files   session store calls`);
  for (const [title, network, name, choice] of CLIENTS) {
    const options = { ...sandbox.options(network, choice), allowSandbox: true };
    const walked = await login(title, new lib[name](options, verify));
    const { entries, moves, files, calls } = walked;
    const cells = [entries, moves, files, calls].map(({ length }) => length);
    console.log(`${title.padEnd(22)}   ${cells.map((cell) => String(cell).padStart(7)).join(' ')}`);
    if (process.argv.includes('--list')) printList(walked);
    if (!process.argv.includes('--check')) continue;
    for (const key of /** @type {const} */ (['entries', 'moves', 'files', 'calls'])) {
      const { length } = walked[key];
      if (length > LIMITS[key]) throw new Error(`${title}: ${length} ${key}; the limit is ${LIMITS[key]}.`);
    }
  }
} finally {
  await sandbox.close();
  rmSync(COPY, { recursive: true, force: true });
}

/** @param {string} title @param {passport.Strategy & { name: string }} strategy @returns What the second login walks through. */
async function login(title, strategy) {
  // A process in production loads no warnings for developers.
  process.env.NODE_ENV = 'production';
  const authenticator = new passport.Passport().use(strategy);
  authenticator.serializeUser((_user, done) => done(null, 'user'));
  const authenticate = authenticator.authenticate(strategy.name);
  const app = express();
  const store = countedStore();
  app.use(expressSession({ secret: 'of this trace only', store, resave: false, saveUninitialized: false }));
  app.get('/start', authenticate);
  app.get(`/api/auth/callback/${strategy.name}`, authenticate, (_req, res) => void res.end('logged in'));
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
      if (page.text !== 'logged in') throw new Error(`${title}: the login failed. ${page.text}`);
    }
  } finally {
    walk = undefined;
    delete process.env.NODE_ENV;
    await server.close();
  }
  const files = measured.entries.map(({ file }) => file);
  measured.files = [...new Set(files)];
  measured.moves = files.slice(1).flatMap((file, i) => (file === files[i] ? [] : `${files[i]} -> ${file}`));
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
  const lib = join(ROOT, 'lib');
  for (const file of readdirSync(lib, { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.ts')) continue;
    let source = readFileSync(join(lib, file), 'utf8');
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

/** The most frequent first. @param {Walk} walk */
function printList({ entries, moves, calls }) {
  const names = entries.map(({ file, name }) => `${file}: ${name}`);
  for (const list of [entries.map(({ file }) => file), names, moves]) {
    const counts = /** @type {Map<string, number>} */ (new Map());
    for (const name of list) counts.set(name, (counts.get(name) ?? 0) + 1);
    for (const [name, count] of [...counts].sort(([, a], [, b]) => b - a))
      console.log(`${String(count).padStart(5)}  ${name}`);
  }
  console.log(`       session store calls, in order: ${calls.join(', ')}`);
}
