import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';

/** The repository. Compiled tests are one folder deeper in it. */
export const ROOT = join(__dirname, existsSync(join(__dirname, '../../biome.json')) ? '../..' : '../../..');

/** Every documentation page except generated ones. */
export const PAGES: readonly string[] = [
  'README.md',
  'CONTRIBUTING.md',
  'MAINTAINING.md',
  ...markdownIn('docs'),
  ...markdownIn('lib'),
  ...markdownIn('examples'),
  ...markdownIn('sandbox'),
  ...markdownIn('check'),
  'interop/results.md',
  'test/security/README.md',
];

export interface Block {
  readonly page: string;
  /** `ts`, `js`, `sh`, ... */
  readonly language: string;
  /** The words after the language: `run` for a program that the tests run. */
  readonly marks: readonly string[];
  readonly code: string;
  /** The file that tests write it to, and its name in messages. */
  readonly file: string;
}

export function textOf(page: string): string {
  return readFileSync(join(ROOT, page), 'utf8');
}

export function blocksOf(page: string): Block[] {
  const usedNames = new Set<string>();
  const fences = textOf(page).matchAll(/^```(\w+)((?: \w+)*)\n(.*?)^```$/gms);
  return [...fences].map(([, language = '', marks = '', code = ''], index) => {
    const file = fileOf(language, code, index, usedNames);
    usedNames.add(file);
    return {
      page,
      language,
      marks: marks.split(' ').filter(Boolean),
      code,
      file: join(page.replace(extname(page), '').replace(/\W/g, '-'), file),
    };
  });
}

export function blocksIn(language: string): Block[] {
  return PAGES.flatMap(blocksOf).filter((block) => block.language === language);
}

/** Uses the file name in the block's first line, if any, so that other blocks can import it. */
function fileOf(language: string, code: string, index: number, usedNames: ReadonlySet<string>): string {
  const [, named] = /^\/\/ ([\w.-]+\.[cm]?[jt]s)\b/.exec(code) ?? [];
  if (named !== undefined && !usedNames.has(named)) return named;
  const isCommonJS = language === 'js' && /\brequire\(/.test(code);
  return `block-${index + 1}.${isCommonJS ? 'c' : 'm'}${language}`;
}

export function proseOf(page: string): string {
  return textOf(page).replace(/^```.*?^```$/gms, '');
}

/** The anchors of a page's headings, as GitHub generates them. */
export function anchorsOf(page: string): string[] {
  const counts = new Map<string, number>();
  return [...proseOf(page).matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) => {
    const anchor = heading
      .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replace(/\s/g, '-');
    const count = counts.get(anchor) ?? 0;
    counts.set(anchor, count + 1);
    return count === 0 ? anchor : `${anchor}-${count}`;
  });
}

/** The links of a page to missing files or headings. */
export function deadLinksOf(page: string): string[] {
  const links = [...proseOf(page).matchAll(/\]\((?!https?:|mailto:)([^)\s]+)\)/g)].map(
    ([, link = '']) => link,
  );
  return links.filter((link) => {
    const [path = '', anchor] = link.split('#');
    const target = path === '' ? page : join(dirname(page), path);
    if (!existsSync(join(ROOT, target))) return true;
    return anchor !== undefined && basename(target).endsWith('.md') && !anchorsOf(target).includes(anchor);
  });
}

/** The cells of the first table after a heading, row by row, without the header. */
export function tableAfter(page: string, heading: string): string[][] {
  const [, section = ''] = `\n${textOf(page)}`.split(`\n${heading}\n`);
  const rows = [...(/(?:^\|.*\|$\n?)+/m.exec(section)?.[0] ?? '').matchAll(/^\|(.*)\|$/gm)];
  return rows
    .slice(2)
    .map(([, row = '']) => row.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll('\\|', '|')));
}

export function markdownIn(start: string): string[] {
  const files = existsSync(join(ROOT, start))
    ? readdirSync(join(ROOT, start), { recursive: true, encoding: 'utf8' })
    : [];
  return files
    .filter((file) => file.endsWith('.md') && !file.includes('node_modules'))
    .map((file) => join(start, file))
    .sort();
}
