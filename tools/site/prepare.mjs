// Copies the repository's Markdown files and their pictures to dist/pages, where VitePress reads them, each README as the index of its
// folder. A file of code that they link to becomes a page too, because the site cannot link to a repository whose address it does not know.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');
const PICTURE = /\.(avif|gif|jpe?g|png|svg|webp)$/;
const HIDDEN = 'search: false\nprev: false\nnext: false';

const listed = ['ls-files', '--cached', '--others', '--exclude-standard', '*.md'];
const guides = execFileSync('git', listed, { cwd: ROOT, encoding: 'utf8' }).trim().split('\n');
/** @type {Set<string>} */
const sources = new Set();

rmSync(join(import.meta.dirname, 'dist'), { recursive: true, force: true });
for (const guide of guides) {
  if (guide.startsWith('.github/') || !existsSync(join(ROOT, guide))) continue;
  const text = readFileSync(join(ROOT, guide), 'utf8');
  // Long tables of results and of rules hold so many words that they would be found for everything.
  const isFound = !/^(bench|interop|test)\//.test(guide);
  write(guide.replace(/README\.md$/, 'index.md'), isFound ? text : `---\nsearch: false\n---\n\n${text}`);
  for (const [, link = ''] of text.matchAll(/(?:\]\(|\b(?:src|srcset)=")(?!\w+:)([^)"#\s]+)/g)) {
    const file = join(dirname(guide), link);
    if (link.endsWith('.md') || !statSync(join(ROOT, file), { throwIfNoEntry: false })?.isFile()) continue;
    if (PICTURE.test(link)) write(file, readFileSync(join(ROOT, file)));
    else sources.add(file);
  }
}

for (const source of sources) {
  const code = readFileSync(join(ROOT, source), 'utf8');
  const block = `\`\`\`\`\`${extname(source).slice(1) || 'text'}\n${code}\n\`\`\`\`\``;
  write(`source/${source}.md`, `---\n${HIDDEN}\n---\n\n# ${source}\n\n${block}\n`);
}

/** @param {string} path @param {string | Buffer} content */
function write(path, content) {
  const file = join(import.meta.dirname, 'dist/pages', path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
}
