import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { ROOT } from './pages.js';

/** A text in the source of the library. */
export interface Literal {
  readonly file: string;
  /** The parts of the text between its placeholders. */
  readonly parts: readonly string[];
}

/** Every text of the TypeScript files in a folder, comments left out. */
export function literalsIn(folder: string): Literal[] {
  const start = join(ROOT, folder);
  return readdirSync(start, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) => {
      const path = join(start, file);
      return textsOf(readFileSync(path, 'utf8')).map((parts) => ({ file: relative(ROOT, path), parts }));
    });
}

/** Comments and regular expressions come first, so that a quote in them begins no text. */
const TOKEN =
  /\/\*.*?\*\/|\/\/[^\n]*|(?<=[(,=:!&|?{};\n] ?)\/(?![/*])(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[dgimsuvy]*|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`/gs;

function textsOf(source: string): string[][] {
  const found: string[][] = [];
  const token = new RegExp(TOKEN);
  for (let match = token.exec(source); match; match = token.exec(source)) {
    const [text] = match;
    if (text === '`') {
      const template = readTemplate(source, token.lastIndex);
      found.push(template.parts, ...template.inner.flatMap(textsOf));
      token.lastIndex = template.end;
    } else if (/^['"]/.test(text)) {
      found.push([unescaped(text.slice(1, -1))]);
    }
  }
  return found;
}

/** Reads a template from behind its first backtick. */
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
  throw new Error('a placeholder has no end');
}

function unescaped(text: string): string {
  return text.replace(/\\n/g, '\n').replace(/\\(.)/g, '$1');
}
