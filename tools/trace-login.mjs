// Counts what one login at the sandbox walks through in lib/, for each network and protocol: what someone who follows a login has to read.
// `npm run step -- trace` prints a table; with `-- --list`, it also prints the functions; with `-- --check`, it fails above the limits.
import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import express from 'express';
import expressSession from 'express-session';
import passport from 'passport';
import { startSandbox } from '../sandbox/lib/index.js';
import { Browser } from '../test/support/browser.js';
import { serve } from '../test/support/server.js';
import { ROOT } from './run.mjs';

// Inside the repository, so that it finds node_modules; git ignores build/. What is packed is one file of many sources.
const FOLDER = join(ROOT, 'build/trace');
const BUILT = pathToFileURL(join(FOLDER, 'lib/')).href;
execFileSync('tsc', ['-p', 'tsconfig.coverage.json', '--noCheck', '--outDir', FOLDER], { cwd: ROOT });
/** @type {typeof import('../lib/index.js')} */
const lib = createRequire(import.meta.url)(join(FOLDER, 'lib/index.js'));

const CLIENTS = /** @type {const} */ ([
  ['short-video 2.0', 'short-video', lib.ShortVideoStrategy, {}],
  ['microblog 2.0', 'microblog', lib.MicroblogStrategy, { version: '2.0' }],
  ['microblog 1.0a', 'microblog', lib.MicroblogStrategy, { version: '1.0' }],
  ['social-network classic', 'social-network', lib.SocialNetworkStrategy, { version: '2.0' }],
  ['social-network VK ID', 'social-network', lib.SocialNetworkStrategy, { version: '2.1' }],
]);
/** Of the session store, as many calls as Passport alone. */
const LIMITS = { entries: 360, files: 17, calls: 0 };

/** What Passport does if the strategy needs no session. */
class PassportAlone extends passport.Strategy {
  /** @override */
  name = 'alone';
  /** @override @param {express.Request} req */
  authenticate(req) {
    return req.query.code ? this.success({}) : this.redirect('/api/auth/callback/alone?code=any');
  }
}

const profiler = new Session();
profiler.connect();
await profiler.post('Profiler.enable');
const sandbox = await startSandbox();
try {
  const verify = (/** @type {any[]} */ ...values) => values[3](null, values[2]);
  LIMITS.calls = (await login('Passport alone', new PassportAlone())).counts.calls;
  console.log(`${'network'.padEnd(22)}   function entries   files   session store calls`);
  for (const [title, network, Strategy, choice] of CLIENTS) {
    const options = { ...sandbox.options(network, choice), allowSandbox: true };
    const { counts, functions } = await login(title, new /** @type {any} */ (Strategy)(options, verify));
    const cells = Object.values(counts).map((count) => String(count).padStart(7));
    console.log(`${title.padEnd(22)}   ${cells.join(' ')}`);
    if (process.argv.includes('--list'))
      for (const { file, name, count } of functions)
        console.log(`${String(count).padStart(5)}  ${file}: ${name}`);
    for (const key of /** @type {const} */ (['entries', 'files', 'calls']))
      if (process.argv.includes('--check') && counts[key] > LIMITS[key])
        throw new Error(`${title}: ${counts[key]} ${key}; the limit is ${LIMITS[key]}.`);
  }
} finally {
  await sandbox.close();
  rmSync(FOLDER, { recursive: true, force: true });
}

/** @param {string} title @param {passport.Strategy & { name: string }} strategy @returns What the second login walks through. */
async function login(title, strategy) {
  // A process in production loads no warnings for developers.
  process.env.NODE_ENV = 'production';
  const authenticator = new passport.Passport().use(strategy);
  authenticator.serializeUser((_user, done) => done(null, 'user'));
  const authenticate = authenticator.authenticate(strategy.name);
  const app = express();
  let calls = 0;
  const store = new expressSession.MemoryStore();
  // Its other methods, such as `regenerate`, call these.
  for (const name of /** @type {const} */ (['destroy', 'get', 'set', 'touch'])) {
    const method = /** @type {(...given: unknown[]) => void} */ (store[name]);
    store[name] = (/** @type {unknown[]} */ ...given) => {
      calls += 1;
      method.apply(store, given);
    };
  }
  app.use(expressSession({ secret: 'of this trace only', store, resave: false, saveUninitialized: false }));
  app.get('/start', authenticate);
  app.get(`/api/auth/callback/${strategy.name}`, authenticate, (_req, res) => void res.end('logged in'));
  const server = await serve(app);
  try {
    // The first login loads and connects what later logins find.
    for (const _time of ['first', 'second']) {
      calls = 0;
      await profiler.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
      const browser = new Browser();
      let page = await browser.get(`${server.url}/start`);
      while (page.location !== '') {
        const consent = page.location.startsWith(sandbox.url) ? '&auto=allow' : '';
        page = await browser.get(`${page.location}${consent}`);
      }
      if (page.text !== 'logged in') throw new Error(`${title}: the login failed. ${page.text}`);
    }
    const { result } = await profiler.post('Profiler.takePreciseCoverage');
    const functions = result
      .filter(({ url }) => url.startsWith(BUILT))
      .flatMap(({ url, functions }) =>
        functions.map(({ functionName: name, ranges: [range] }) => ({
          file: url.slice(BUILT.length),
          name,
          count: range?.count ?? 0,
        })),
      )
      // tsc exports what another file exports by functions named `get`.
      .filter(({ name, count }) => count > 0 && name !== 'get')
      .sort((one, other) => other.count - one.count);
    const entries = functions.reduce((sum, { count }) => sum + count, 0);
    const files = new Set(functions.map(({ file }) => file)).size;
    return { counts: { entries, files, calls }, functions };
  } finally {
    delete process.env.NODE_ENV;
    await server.close();
  }
}
