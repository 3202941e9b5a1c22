// Counts what one login at the sandbox walks through in lib/, for each network and protocol: what someone who follows a login has to read.
// `npm run step -- trace` prints a table; with `--list`, it also prints the functions in their order; with `--check`, it fails above the limits.
// A copy of lib/ runs, whose functions report that they are entered: V8's coverage counts, but has no order.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseAst } from 'rolldown/parseAst';
import { login, startSandbox } from '../sandbox/lib/index.js';
import { protocolOf, subjects } from '../test/contract/strategies.js';
import { loginApp } from '../test/support/login-app.js';
import { ROOT } from './run.mjs';

/** `entries`: of functions, as `file:line`; `moves`: from one file to another. @typedef {Record<'entries' | 'moves' | 'files', string[]>} Walk */

/** @type {Record<keyof Walk, number>} */
const LIMITS = { entries: 320, moves: 101, files: 17 };
// Inside the repository, so that the copy finds node_modules; git ignores build/.
const COPY = join(ROOT, 'build/trace');

/** The functions of lib/. Each reports its index. @type {string[]} */
const functions = [];
/** What the login that is measured enters. @type {string[] | undefined} */
let walk;
Object.assign(globalThis, {
  entered: (/** @type {number} */ i) => walk?.push(...functions.slice(i, i + 1)),
});

const sandbox = await startSandbox();
try {
  copyLib();
  const lib = await import(join(COPY, 'index.ts'));
  const verify = (/** @type {any[]} */ ...values) => values[3](null, values[2]);
  console.log(`${'network'.padEnd(22)}   function entries   moves   files`);
  for (const subject of subjects()) {
    const title = protocolOf(subject);
    const walked = await walkOf(new lib[subject.name](subject.options(sandbox), verify));
    const counts = Object.values(walked).map(({ length }) => String(length).padStart(7));
    console.log(`${title.padEnd(22)}   ${counts.join(' ')}`);
    if (process.argv.includes('--list')) console.log(walked.entries.join('\n'));
    for (const [key, limit] of Object.entries(LIMITS)) {
      const { length } = walked[/** @type {keyof Walk} */ (key)];
      if (process.argv.includes('--check') && length > limit)
        throw new Error(`${title}: ${length} ${key}; the limit is ${limit}.`);
    }
  }
} finally {
  await sandbox.close();
  rmSync(COPY, { recursive: true, force: true });
}

/** @param {import('../test/support/login-app.js').NamedStrategy} strategy @returns {Promise<Walk>} What the second login walks through. */
async function walkOf(strategy) {
  // A process in production loads no warnings for developers.
  process.env.NODE_ENV = 'production';
  const server = await loginApp(strategy);
  /** @type {string[]} */
  const entries = [];
  try {
    // The first login loads and connects what later logins find.
    for (walk of [undefined, entries]) {
      const { response } = await login(`${server.url}/login/${strategy.name}`);
      if (!response.ok) throw new Error(`${strategy.name}: the login failed. ${await response.text()}`);
    }
  } finally {
    walk = undefined;
    delete process.env.NODE_ENV;
    await server.close();
  }
  const files = entries.map((entry) => entry.replace(/:\d+$/, ''));
  const moves = files.filter((file, i) => i > 0 && file !== files[i - 1]);
  return { entries, moves, files: [...new Set(files)] };
}

/** Copies lib/, with a report at the beginning of each function. */
function copyLib() {
  const lib = join(ROOT, 'lib');
  for (const file of readdirSync(lib, { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.ts')) continue;
    let source = readFileSync(join(lib, file), 'utf8');
    const reports = reportsFor(parseAst(source, { lang: 'ts' }), file, source);
    for (const { at, text } of reports.sort((a, b) => b.at - a.at))
      source = `${source.slice(0, at)}${text}${source.slice(at)}`;
    mkdirSync(dirname(join(COPY, file)), { recursive: true });
    writeFileSync(join(COPY, file), source);
  }
}

/** @param {any} node - A node of the syntax tree, or a list of nodes. @param {string} file @param {string} source @returns {{ at: number, text: string }[]} */
function reportsFor(node, file, source) {
  const { type = '', body, start } = node;
  const reports = Object.values(node).flatMap((child) =>
    child !== null && typeof child === 'object' ? reportsFor(child, file, source) : [],
  );
  if (!/^(Function|Arrow)/.test(type) || !body) return reports;
  const report = `entered(${functions.push(`${file}:${source.slice(0, start).split('\n').length}`) - 1})`;
  if (body.type === 'BlockStatement') return [...reports, { at: body.start + 1, text: ` ${report};` }];
  return [...reports, { at: body.start, text: `(${report}, ` }, { at: body.end, text: ')' }];
}
