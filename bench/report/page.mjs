// The text of each part, and its place between the markers in bench/README.md.
import { readFileSync, writeFileSync } from 'node:fs';
import { arch, cpus, loadavg, totalmem } from 'node:os';
import { join, relative } from 'node:path';
import { BASELINE, ROOT } from '../versions.mjs';
import { TABLES, tableText } from './tables.mjs';
import { targetText } from './targets.mjs';

const PAGE = join(ROOT, 'bench', 'README.md');

/** @typedef {{ name: string, text: string }} Section - `name` is that of the part and of its markers. */

/** The date, the versions, the machine and its load. @param {import('../versions.mjs').Version[]} versions */
export function surroundings([ours, baseline]) {
  const date = new Date().toISOString().slice(0, 10);
  const compared = baseline ? `, baseline ${baseline.version}` : '';
  const processors = cpus();
  const machine = `${processors.length} x ${processors[0]?.model.trim() ?? arch()}, ${Math.round(totalmem() / 2 ** 30)} GB`;
  const load = `load ${(loadavg()[0] ?? 0).toFixed(1)} at the start`;
  const { node, openssl } = process.versions;
  return `${date}, version ${ours?.version}${compared}, Node ${node}, OpenSSL ${openssl}, ${machine}, ${load}.`;
}

/**
 * @param {import('./tables.mjs').Results} results
 * @param {string} about - Stands above the tables.
 * @returns {Section[]} One for each part that ran.
 */
export function sectionsOf(results, about) {
  const parts = [...new Set(TABLES.map(({ part }) => part))];
  return parts.flatMap((part) => {
    const tables = TABLES.filter((table) => table.part === part).flatMap((table) => {
      const rows = results[table.name];
      return rows ? [tableText(table, rows)] : [];
    });
    return tables.length > 0
      ? [{ name: part, text: [about, ...tables, targetText(part, results)].join('\n\n') }]
      : [];
  });
}

/** @param {import('./tables.mjs').Results} results */
export const withoutBaseline = (results) =>
  Object.fromEntries(
    Object.entries(results).map(([name, rows]) => [name, rows.filter(({ client }) => client !== BASELINE)]),
  );

/**
 * @param {Section[]} sections
 * @returns {string} The page's path.
 * @throws {Error} when a marker is missing.
 */
export function writePage(sections) {
  let page = readFileSync(PAGE, 'utf8');
  for (const { name, text } of sections) {
    const [begin, end] = [`<!-- bench:${name} -->`, `<!-- /bench:${name} -->`];
    const [from, to] = [page.indexOf(begin), page.indexOf(end)];
    if (from < 0 || to < from) throw new Error(`${PAGE} needs the markers ${begin} and ${end}.`);
    page = `${page.slice(0, from + begin.length)}\n${text}\n${page.slice(to)}`;
  }
  writeFileSync(PAGE, page);
  return relative(process.cwd(), PAGE);
}
