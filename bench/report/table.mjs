// Tables of Markdown.

export const number = (/** @type {number} */ value, digits = 0) =>
  value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });
export const kilobytes = (/** @type {number} */ bytes, digits = 0) => number(bytes / 1e3, digits);

/** @param {string[]} head @param {string[][]} rows */
export function table(head, rows) {
  const line = (/** @type {string[]} */ cells) => `| ${cells.join(' | ')} |`;
  const rule = head.map((_, column) => (column < columnsOfText(rows) ? '---' : '---:'));
  return [line(head), line(rule), ...rows.map(line)].join('\n');
}

/** Leading columns without figures. @param {string[][]} rows */
function columnsOfText(rows) {
  const isText = (/** @type {number} */ column) => rows.some((row) => /^[^\d-]/.test(row[column] ?? ''));
  const width = rows[0]?.length ?? 0;
  return Array.from({ length: width }, (_, column) => column).findIndex((column) => !isText(column));
}

/** @param {string} failure @param {number} columns */
export const failed = (failure, columns) => [
  `failed: ${failure.replaceAll('|', '/')}`,
  ...Array.from({ length: columns - 1 }, () => ''),
];
