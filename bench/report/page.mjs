// Puts tables between their markers in docs/performance.md; the words around them are written by hand.
import { readFileSync, writeFileSync } from 'node:fs';
import { arch, cpus, loadavg, totalmem } from 'node:os';
import { dirname, join, relative } from 'node:path';

const ROOT = dirname(dirname(import.meta.dirname));
const PAGE = join(ROOT, 'docs', 'performance.md');

/** When, on what, and how busy that was with other things. */
export function surroundings() {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const date = new Date().toISOString().slice(0, 10);
  const processors = cpus();
  const machine = `${processors.length} x ${processors[0]?.model.trim() ?? arch()}, ${Math.round(totalmem() / 2 ** 30)} GB`;
  const load = `load ${(loadavg()[0] ?? 0).toFixed(1)} when it began`;
  return `${date}, version ${version}, Node ${process.versions.node}, OpenSSL ${process.versions.openssl}, ${machine}, ${load}.`;
}

/**
 * @param {import('./sections.mjs').Section[]} sections
 * @returns {string} The page's path.
 * @throws {Error} when a marker is missing.
 */
export function writePage(sections) {
  let page = readFileSync(PAGE, 'utf8');
  for (const { name, text } of sections) {
    const [begin, end] = [`<!-- bench:${name} -->`, `<!-- /bench:${name} -->`];
    const [from, to] = [page.indexOf(begin), page.indexOf(end)];
    if (from < 0 || to < from) throw new Error(`${PAGE} has no place for ${name}: ${begin} ... ${end}.`);
    page = `${page.slice(0, from + begin.length)}\n${text}\n${page.slice(to)}`;
  }
  writeFileSync(PAGE, page);
  return relative(process.cwd(), PAGE);
}
