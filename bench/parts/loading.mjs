// What it costs to load each entry of this package as it was built, and the other packages. Each load has a process of its own.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PASSPORT_PEERS } from '../clients/strategies.mjs';
import { inProcess } from '../processes.mjs';
import { inRounds } from '../rounds.mjs';
import { OURS, ROOT } from '../versions.mjs';

/** Without a CommonJS build. */
const MODULES = ['@auth/core'];

/** @param {import('../run.mjs').Context} _context @param {{ rounds: number }} size */
export function measureLoading(_context, { rounds }) {
  const { exports } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const own = Object.keys(exports)
    .filter((entry) => !['./package.json', './internal'].includes(entry))
    .map((entry) => ({ client: OURS, folder: ROOT, specifier: OURS + entry.slice(1) }));
  const names = ['passport-oauth2', ...Object.values(PASSPORT_PEERS), ...MODULES];
  const others = names.map((name) => ({ client: name, folder: join(ROOT, 'bench'), specifier: name }));
  const subjects = [...others, ...own].map((one) => ({ ...one, subject: [`\`${one.specifier}\``] }));
  return inRounds(subjects, rounds, ({ folder, specifier }) =>
    inProcess('parts/load.mjs', { folder, specifier, isModule: MODULES.includes(specifier) }),
  );
}
