// Prints the source files of lib/ that run in one login at the sandbox's short-video network, and the functions that run in each: what
// someone who follows a login has to read. Functions that run only when a file is loaded do not count. Run it with `npm run trace`.
import { Session } from 'node:inspector/promises';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import express from 'express';
import expressSession from 'express-session';
import passport from 'passport';
import { ShortVideoStrategy } from '../lib/short-video/index.js';
import { startSandbox } from '../sandbox/lib/index.js';

const LIB = join(dirname(import.meta.dirname), 'lib');
const STRATEGY = 'short-video';
const PARTS = ['start', 'callback'];

const inspector = new Session();
inspector.connect();
await inspector.post('Profiler.enable');
await inspector.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });

const sandbox = await startSandbox();
passport.use(
  new ShortVideoStrategy(sandbox.options(STRATEGY), (_token, _refreshToken, profile, done) =>
    done(null, profile),
  ),
);
const app = express();
app.use(expressSession({ secret: 'of this trace only', resave: false, saveUninitialized: false }));
app.get('/start', passport.authenticate(STRATEGY, { session: false }));
app.get(`/api/auth/callback/${STRATEGY}`, passport.authenticate(STRATEGY, { session: false }), (_req, res) =>
  res.end('logged in'),
);
const server = app.listen(0, '127.0.0.1');
await new Promise((resolve) => server.once('listening', resolve));

try {
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  await functionsThatRan();
  const start = await fetch(`http://127.0.0.1:${port}/start`, { redirect: 'manual' });
  const cookie = start.headers
    .getSetCookie()
    .map((line) => line.split(';', 1)[0])
    .join('; ');
  const ran = [await functionsThatRan()];
  const consent = await fetch(`${start.headers.get('location')}&auto=allow`, { redirect: 'manual' });
  await functionsThatRan();
  const callback = await fetch(consent.headers.get('location') ?? '', { headers: { cookie } });
  if (!callback.ok) throw new Error(`The login failed: ${callback.status} ${await callback.text()}`);
  ran.push(await functionsThatRan());
  print(ran);
} finally {
  server.close();
  await sandbox.close();
}

/** @returns {Promise<Map<string, string[]>>} File -> the functions that ran since the last call. */
async function functionsThatRan() {
  const { result } = await inspector.post('Profiler.takePreciseCoverage');
  const ran = new Map();
  for (const { url, functions } of result) {
    const file = url.startsWith('file:') ? fileURLToPath(url) : url;
    const name = relative(LIB, file).replace(/\?.*$/, '');
    if (name.startsWith('..')) continue;
    // An index only passes on what other files export. Without a name: the file itself, and arrow functions.
    if (!name.endsWith('.ts') || name.endsWith('index.ts')) continue;
    const names = functions
      .filter(({ ranges: [range] }) => range && range.count > 0)
      .map(({ functionName }) => functionName)
      .filter((functionName) => functionName !== '' && functionName !== 'get');
    if (names.length > 0) ran.set(name, [...new Set(names)]);
  }
  return ran;
}

/** @param {Map<string, string[]>[]} ran */
function print(ran) {
  for (const [index, files] of ran.entries()) {
    console.log(`\n${PARTS[index]}: ${files.size} files`);
    for (const file of [...files.keys()].sort()) console.log(`  ${file}: ${files.get(file)?.join(', ')}`);
  }
  const all = new Set(ran.flatMap((files) => [...files.keys()]));
  console.log(`\none login: ${all.size} files`);
}
