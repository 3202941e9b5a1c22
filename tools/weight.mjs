// `npm run step -- weight [commit]`: files and lines of the repository by room, without lock files and images, and in that commit, too. Fails above
// the ceilings: whoever picks the package up has to be able to read what stands around it.
import { execFileSync } from 'node:child_process';

/**
 * Lines. A room above its ceiling may not grow beyond `now`.
 *
 * @type {Readonly<Record<string, { ceiling: number, now?: number }>>}
 */
const ROOMS = {
  lib: { ceiling: 8_300, now: 9_931 },
  check: { ceiling: 1_600 },
  sandbox: { ceiling: 8_600, now: 8_838 },
  test: { ceiling: 36_000, now: 43_005 },
  examples: { ceiling: 3_400, now: 6_691 },
  template: { ceiling: 1_000 },
  tools: { ceiling: 1_500, now: 2_532 },
  bench: { ceiling: 2_500, now: 3_061 },
  interop: { ceiling: 2_200, now: 3_035 },
  docs: { ceiling: 4_300 },
};
const EMPTY_TREE = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';
const LEFT_OUT = /(^|\/)package-lock\.json$|\.(png|jpe?g|gif|webp|svg|ico)$/;

/** @typedef {{ files: number, lines: number }} Weight */

const before = process.argv[2] === undefined ? undefined : weigh(process.argv[2]);
const now = weigh();
console.log(row('', ...(before ? ['files', 'lines'] : []), 'files', 'lines', 'at most'));
for (const room of [...Object.keys(ROOMS), 'others', 'total']) {
  const { ceiling, now: most = ceiling } = ROOMS[room] ?? {};
  const weights = [...(before ? [before] : []), now].map((all) => all.get(room) ?? { files: 0, lines: 0 });
  console.log(row(room, ...weights.flatMap(({ files, lines }) => [files, lines]), most ?? ''));
  if (most === undefined || (weights.at(-1)?.lines ?? 0) <= most) continue;
  console.error(`${room} may have ${most} lines: merge, generate or delete some.`);
  process.exitCode = 1;
}

/**
 * @param {string} [commit] - Default: the work tree.
 * @returns {Map<string, Weight>} By room.
 */
function weigh(commit) {
  const options = ['diff', '--numstat', '--no-renames', EMPTY_TREE];
  const output = execFileSync('git', commit === undefined ? options : [...options, commit], {
    encoding: 'utf8',
  });
  /** @type {Map<string, Weight>} */
  const weights = new Map();
  for (const line of output.trim().split('\n')) {
    const [added = '', , file = ''] = line.split('\t');
    if (LEFT_OUT.test(file)) continue;
    for (const room of [roomOf(file), 'total']) {
      const weight = weights.get(room) ?? { files: 0, lines: 0 };
      weights.set(room, { files: weight.files + 1, lines: weight.lines + (Number(added) || 0) });
    }
  }
  return weights;
}

/** @param {string} file */
function roomOf(file) {
  const [folder = ''] = file.split('/');
  if (file === 'README.md') return 'docs';
  return Object.hasOwn(ROOMS, folder) ? folder : 'others';
}

/** @param {string} room @param {...(string | number)} columns */
function row(room, ...columns) {
  return room.padEnd(10) + columns.map((column) => String(column).padStart(9)).join('');
}
