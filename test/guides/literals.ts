import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { ROOT } from './pages.js';

/** A string literal in the library's source. */
export interface Literal {
  readonly file: string;
  /** The parts of the string between its placeholders. */
  readonly parts: readonly string[];
}

/** Finds every string literal in the TypeScript files of a folder, except in comments. */
export function literalsIn(folder: string): Literal[] {
  const start = join(ROOT, folder);
  return readdirSync(start, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) => {
      const path = join(start, file);
      return stringsIn(readFileSync(path, 'utf8')).map((parts) => ({ file: relative(ROOT, path), parts }));
    });
}

/** Matches comments and regular expressions first, so that a quote in them does not start a string. */
const TOKEN =
  /\/\*.*?\*\/|\/\/[^\n]*|(?<=[(,=:!&|?{};\n] ?)\/(?![/*])(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[dgimsuvy]*|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`/gs;

function stringsIn(source: string): string[][] {
  const found: string[][] = [];
  const token = new RegExp(TOKEN);
  for (let match = token.exec(source); match; match = token.exec(source)) {
    const [text] = match;
    if (text === '`') {
      const template = readTemplate(source, token.lastIndex);
      found.push(template.parts, ...template.inner.flatMap(stringsIn));
      token.lastIndex = template.end;
    } else if (/^['"]/.test(text)) {
      found.push([unescaped(text.slice(1, -1))]);
    }
  }
  return found;
}

/** Reads a template literal, starting after its opening backtick. */
function readTemplate(source: string, start: number): { parts: string[]; inner: string[]; end: number } {
  const parts = [''];
  const inner: string[] = [];
  let at = start;
  while (at < source.length && source[at] !== '`') {
    if (source.startsWith('${', at)) {
      const end = endOfPlaceholder(source, at + 2);
      inner.push(source.slice(at + 2, end));
      parts.push('');
      at = end + 1;
    } else {
      const length = source[at] === '\\' ? 2 : 1;
      parts[parts.length - 1] += unescaped(source.slice(at, at + length));
      at += length;
    }
  }
  return { parts, inner, end: at + 1 };
}

function endOfPlaceholder(source: string, start: number): number {
  let depth = 1;
  for (let at = start; at < source.length; at += 1) {
    if (source[at] === '`') at = readTemplate(source, at + 1).end - 1;
    else if (source[at] === '{') depth += 1;
    else if (source[at] === '}') depth -= 1;
    if (depth === 0) return at;
  }
  throw new Error('unterminated placeholder');
}

function unescaped(text: string): string {
  return text.replace(/\\n/g, '\n').replace(/\\(.)/g, '$1');
}
