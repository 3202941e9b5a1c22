// Copies the repository's Markdown files and their pictures to dist/pages, where VitePress reads them, each README as the index of its
// folder. A file of code that they link to becomes a page too, because the site cannot link to a repository whose address it does not know.
// Each message in the tables of messages gets a page of its own, and the pages an index.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');
const PAGES = join(import.meta.dirname, 'dist/pages');
const PICTURE = /\.(avif|gif|jpe?g|png|svg|webp)$/;

const guides = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.md'], {
  cwd: ROOT,
  encoding: 'utf8',
})
  .trim()
  .split('\n')
  .filter((file) => !file.startsWith('.github/') && existsSync(join(ROOT, file)));

/** @type {Set<string>} */
const sources = new Set();

rmSync(join(import.meta.dirname, 'dist'), { recursive: true, force: true });
for (const guide of guides) {
  const text = readFileSync(join(ROOT, guide), 'utf8');
  // Long tables of results and of rules hold so many words that they would be found for every message.
  const isFound = !/^(bench|test)\//.test(guide);
  write(guide.replace(/README\.md$/, 'index.md'), isFound ? text : `---\nsearch: false\n---\n\n${text}`);
  for (const [, link = ''] of text.matchAll(/(?:\]\(|\b(?:src|srcset)=")(?!\w+:)([^)"#\s]+)/g)) {
    const file = join(dirname(guide), link);
    if (link.endsWith('.md') || !existsSync(join(ROOT, file)) || !statSync(join(ROOT, file)).isFile())
      continue;
    if (PICTURE.test(link)) write(file, readFileSync(join(ROOT, file)));
    else sources.add(file);
  }
}
/** The pages whose tables explain messages, in the last column but one. */
const MESSAGES = ['docs/troubleshooting.md'];
/** @type {Set<string>} */
const taken = new Set();
const messages = MESSAGES.flatMap((page) => messagesIn(page, readFileSync(join(ROOT, page), 'utf8')));
for (const { file, message, remedy, section } of messages)
  write(
    `messages/${file}.md`,
    `---\nprev: false\nnext: false\n---\n\n# ${message}\n\n${remedy}\n\nMore: ${section}.\n`,
  );
const index = messages.map(({ file, message }) => `- [${message.replace(/[[\]]/g, '\\$&')}](${file}.md)`);
write('messages/index.md', `---\nsearch: false\n---\n\n# Messages\n\n${index.join('\n')}\n`);

for (const source of sources) {
  const code = readFileSync(join(ROOT, source), 'utf8');
  const language = extname(source).slice(1) || 'text';
  write(
    `source/${source}.md`,
    `---\nsearch: false\nprev: false\nnext: false\n---\n\n# ${source}\n\n\`\`\`\`\`${language}\n${code}\n\`\`\`\`\`\n`,
  );
}

/**
 * The messages of a page, from its tables of messages. Links are those of a page in `messages/`.
 *
 * @param {string} page
 * @param {string} text
 */
function messagesIn(page, text) {
  return text.split(/^(?=#{2,3} )/m).flatMap((section) => {
    const [, title = ''] = /^#{2,3} (.*)/.exec(section) ?? [];
    const tables = section.matchAll(/^\|.*(?:what to do|what usually helps) \|\n\| ---.*\n((?:\|.*\n?)+)/gm);
    const rows = [...tables].flatMap(([, body = '']) => body.trimEnd().split('\n'));
    const name = page.replace(/^(?:docs|lib)\/|\/?(?:README|messages)?\.md$/g, '');
    const anchor = title
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replace(/\s/g, '-');
    return rows.flatMap((row) => {
      const cells = row.split(/(?<!\\)\|/).map((cell) => cell.trim());
      const [messages = '', remedy = ''] = cells.slice(-3, -1);
      const code = cells.length > 4 ? `${cells[1]}. ` : '';
      return messages.split('<br>').map((message) => ({
        file: fileOf(`${name}-${slugOf(message)}`),
        message,
        remedy: `${code}${remedy}`.replace(
          /\]\((?!\w+:)([^)\s]+)\)/g,
          (_link, to) => `](${elsewhere(page, to)})`,
        ),
        section: `[${title}](../${page}#${anchor})`,
      }));
    });
  });
}

/** @param {string} page @param {string} link */
function elsewhere(page, link) {
  return link.startsWith('#') ? `../${page}${link}` : join('..', dirname(page), link);
}

/** @param {string} wanted - Taken already if two messages begin with the same words. */
function fileOf(wanted) {
  let file = wanted;
  for (let count = 2; taken.has(file); count += 1) file = `${wanted}-${count}`;
  taken.add(file);
  return file;
}

/** @param {string} message */
function slugOf(message) {
  const words = message.toLowerCase().match(/[a-z\d]+/g) ?? [];
  return words.slice(0, 12).join('-').slice(0, 80);
}

/**
 * @param {string} path
 * @param {string | Buffer} content
 */
function write(path, content) {
  const file = join(PAGES, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
}
