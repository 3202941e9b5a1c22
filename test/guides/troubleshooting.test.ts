import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { ENTRIES, MESSAGES, patternOf, plain } from './messages.js';
import { anchorsOf, ROOT, textOf } from './pages.js';

const PAGE = 'docs/troubleshooting.md';
const text = ENTRIES.map((page) => plain(textOf(page))).join(' ');

describe('The guide to troubleshooting', () => {
  for (const { place, read } of MESSAGES) {
    it(`has every message of ${place}, with the same wording`, async () => {
      const messages = await read();
      expect(messages).to.have.length.above(5);
      const missing = messages.filter((message) => !patternOf(message).test(text));
      expect(missing.map(({ file, parts }) => `${file}: ${parts.join('…')}`)).to.deep.equal([]);
    });
  }

  it("has a heading with the title of each of the sandbox's error pages", () => {
    const sources = readdirSync(join(ROOT, 'sandbox/lib'), { recursive: true, encoding: 'utf8' });
    const titles = sources
      .filter((file) => file.endsWith('.ts'))
      .flatMap((file) => [
        ...readFileSync(join(ROOT, 'sandbox/lib', file), 'utf8').matchAll(
          /errorPage\(\{\s*title: '([^']+)'/g,
        ),
      ])
      .map(([, title = '']) => title);
    expect(titles).to.include.members(['Something went wrong', 'Whoa there!', 'Authorization error']);
    const headings = textOf(PAGE).match(/^### .*$/gm) ?? [];
    for (const title of titles) expect(headings.join('\n')).to.include(title);
  });

  for (const type of ['LoginFailureCode', 'UnreachableCode', 'MalformedCode']) {
    it(`has a heading for every ${type}`, () => {
      const source = readFileSync(join(ROOT, 'lib/core/errors/errors.ts'), 'utf8');
      const [, union = ''] = new RegExp(`type ${type} =([^;]+);`).exec(source) ?? [];
      const codes = [...union.matchAll(/'(\w+)'/g)].map(([, code = '']) => code);
      expect(codes).to.have.length.above(5);
      const anchors = anchorsOf(PAGE).join(' ');
      for (const code of [...codes, 'refused', 'rate_limited']) expect(anchors).to.include(code);
    });
  }
});
