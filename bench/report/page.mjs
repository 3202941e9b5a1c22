// Tables in Markdown, and their places between the markers of a page.
import { readFileSync, writeFileSync } from 'node:fs';

/** @typedef {readonly [begin: string, end: string]} Markers */

/** @param {string} page @param {Markers} markers @returns The page before, between and after the markers. @throws {Error} when a marker is missing. */
function split(page, [begin, end]) {
  const text = readFileSync(page, 'utf8');
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`${page} needs the markers ${begin} and ${end}.`);
  const start = from + begin.length;
  return { before: text.slice(0, start), section: text.slice(start, to), after: text.slice(to) };
}

/** @param {string} page @param {Markers} markers */
export const readSection = (page, markers) => split(page, markers).section;

/** @param {string} page @param {Markers} markers @param {string} text */
export function writeSection(page, markers, text) {
  const { before, after } = split(page, markers);
  writeFileSync(page, `${before}\n${text}\n${after}`);
}

/** @param {string[]} head @param {string[][]} rows @param {number} [texts] - How many leading columns are left-aligned. Default: all. */
export function markdown(head, rows, texts = head.length) {
  const line = (/** @type {string[]} */ cells) => `| ${cells.join(' | ')} |`;
  const rule = head.map((_, column) => (column < texts ? '---' : '---:'));
  return [line(head), line(rule), ...rows.map(line)].join('\n');
}
