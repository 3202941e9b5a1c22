// `npm run weight [commit]`: files and lines of the repository by folder, in that commit and now, without lock files and images. Fails
// above the ceilings: whoever picks the package up has to be able to read what stands around it.
import { execFileSync } from 'node:child_process';

const CEILINGS = { files: 850, lines: 85_000 };
const EMPTY_TREE = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';
const LEFT_OUT = /(^|\/)package-lock\.json$|\.(png|jpe?g|gif|webp|svg|ico)$/;

/** @typedef {{ files: number, lines: number }} Weight */

const before = process.argv[2] === undefined ? undefined : weigh(process.argv[2]);
const now = weigh();
const folders = [...new Set([...(before?.keys() ?? []), ...now.keys()])].sort();
console.log(row('', ...(before ? ['files', 'lines'] : []), 'files', 'lines'));
for (const folder of folders) {
  const weights = [...(before ? [before] : []), now].map((all) => all.get(folder) ?? { files: 0, lines: 0 });
  console.log(row(folder, ...weights.flatMap(({ files, lines }) => [files, lines])));
}
const { files = 0, lines = 0 } = now.get('total') ?? {};
if (files > CEILINGS.files || lines > CEILINGS.lines) {
  console.error(
    `At most ${CEILINGS.files} files and ${CEILINGS.lines} lines: merge, generate or delete some.`,
  );
  process.exitCode = 1;
}

/**
 * @param {string} [commit] - Default: the work tree.
 * @returns {Map<string, Weight>} By folder, two levels deep.
 */
function weigh(commit) {
  const options = [
    'diff',
    '--numstat',
    '--no-renames',
    EMPTY_TREE,
    ...(commit === undefined ? [] : [commit]),
  ];
  /** @type {Map<string, Weight>} */
  const weights = new Map();
  for (const line of execFileSync('git', options, { encoding: 'utf8' }).trim().split('\n')) {
    const [added = '', , file = ''] = line.split('\t');
    if (LEFT_OUT.test(file)) continue;
    const folder = file.split('/').slice(0, -1).slice(0, 2).join('/') || '.';
    for (const name of [folder, 'total']) {
      const weight = weights.get(name) ?? { files: 0, lines: 0 };
      weights.set(name, { files: weight.files + 1, lines: weight.lines + (Number(added) || 0) });
    }
  }
  return weights;
}

/** @param {string} folder @param {...(string | number)} columns */
function row(folder, ...columns) {
  return folder.padEnd(26) + columns.map((column) => String(column).padStart(9)).join('');
}
