// `npm run step -- weight`: files and lines of the repository by room, without lock files and images. Fails above the ceilings: whoever picks the
// package up has to be able to read what stands around it.
import { execFileSync } from 'node:child_process';

/** Lines. A room above its ceiling may not grow beyond `now`. @type {Readonly<Record<string, { ceiling: number, now?: number }>>} */
const ROOMS = {
  lib: { ceiling: 8_300 },
  check: { ceiling: 1_600 },
  sandbox: { ceiling: 8_600, now: 13_650 },
  test: { ceiling: 36_000 },
  examples: { ceiling: 3_400 },
  template: { ceiling: 1_000 },
  tools: { ceiling: 1_500 },
  bench: { ceiling: 2_500 },
  interop: { ceiling: 2_200 },
  docs: { ceiling: 4_300 },
};
const EMPTY_TREE = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';
const LEFT_OUT = /(^|\/)package-lock\.json$|\.(png|jpe?g|gif|webp|svg|ico)$/;

/** By room. @type {Map<string, { files: number, lines: number }>} */
const weights = new Map();
const diff = execFileSync('git', ['diff', '--numstat', '--no-renames', EMPTY_TREE], { encoding: 'utf8' });
for (const line of diff.trim().split('\n')) {
  const [added, , file = ''] = line.split('\t');
  if (LEFT_OUT.test(file)) continue;
  const [folder = ''] = file.split('/');
  const room = file === 'README.md' ? 'docs' : Object.hasOwn(ROOMS, folder) ? folder : 'others';
  for (const name of [room, 'total']) {
    const { files, lines } = weights.get(name) ?? { files: 0, lines: 0 };
    weights.set(name, { files: files + 1, lines: lines + (Number(added) || 0) });
  }
}
console.log('             files    lines  at most');
for (const room of [...Object.keys(ROOMS), 'others', 'total']) {
  const { files, lines } = weights.get(room) ?? { files: 0, lines: 0 };
  const { ceiling = Number.POSITIVE_INFINITY, now: most = ceiling } = ROOMS[room] ?? {};
  const cells = [room, files, lines, Number.isFinite(most) ? most : ''];
  console.log(cells.map((cell) => String(cell).padStart(9)).join(''));
  if (lines <= most) continue;
  console.error(
    `${room} may have ${most} lines. Leave some out, or raise \`now\` and say why in the commit.`,
  );
  process.exitCode = 1;
}
