// A fact of a network stands in one hand-written place: `npm run step -- facts` fails if a fact from the facts.ts of a network (a sentence, an
// endpoint, the scope of a field) is in another hand-written file of lib/, check/ or docs/, too. Tables between markers are generated.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');
/** @typedef {{ file: string, fact: string, copy: RegExp }} Fact */

const files = execFileSync('git', ['ls-files', 'lib', 'check', 'docs'], { cwd: ROOT, encoding: 'utf8' })
  .split('\n')
  .filter((file) => /\.(ts|md)$/.test(file));
const texts = new Map(files.map((file) => [file, handWritten(readFileSync(join(ROOT, file), 'utf8'))]));
const facts = files.filter((file) => file.endsWith('/facts.ts')).flatMap(factsIn);
for (const { file, fact, copy } of facts) {
  const copies = files.filter((other) => other !== file && copy.test(texts.get(other) ?? ''));
  if (copies.length === 0) continue;
  console.error(`${file}: ${fact}\n  is in ${copies.join(', ')}, too.`);
  process.exitCode = 1;
}
console.log(`${facts.length} facts`);

/**
 * One line, so that no line break hides a copy. Without what is generated, and without outputs, which the tests of their commands compare.
 *
 * @param {string} text
 */
function handWritten(text) {
  return text
    .replaceAll(/^```(?:text|console)\n.*?^```$/gms, '')
    .replaceAll(/<!-- (.+?) -->.*?<!-- \/\1 -->/gs, '')
    .replaceAll(/\s+(\* |\/\/ )?/g, ' ');
}

/** @param {string} file @returns {Fact[]} */
function factsIn(file) {
  const source = readFileSync(join(ROOT, file), 'utf8');
  const literals = [...source.matchAll(/(['"])((?:(?!\1)[^\\\n]|\\.)+)\1/g)].map(([, , text = '']) =>
    text.replaceAll('\\', ''),
  );
  const whole = literals.filter(
    (text) =>
      /^https:\/\/[^/]+[*/]\S*$/.test(text) ||
      (/\w \w.* /.test(text) && text.length >= 30 && !/^(documented|observed|supposed)/.test(text)),
  );
  const pairs = source.matchAll(/^ {2}(?!portal)(\w+): '?((?<=')[\w.]+|\d+)'?,$/gm);
  const quoted = (/** @type {string} */ text) => text.replaceAll(/[^\w ]/g, '\\$&');
  return [
    ...whole.map((fact) => ({ file, fact, copy: new RegExp(quoted(fact)) })),
    ...Array.from(pairs, ([, field, value = '']) => ({
      file,
      fact: `${field}: ${value}`,
      copy: new RegExp(`\\b${field}\\b[^.;\\n]{0,40}\\b${quoted(value)}\\b`),
    })),
  ];
}
