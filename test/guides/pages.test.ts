import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { temporaryFolder } from '../support/cleanup.js';
import { blocksOf, ROOT, textOf } from './pages.js';

// `npm run step -- consumers` writes these files and those of the example to projects as `nest new` makes them, compiles them, and logs in. For
// NestJS 11 it changes them as the guide says. The blocks that quote a file of the example are a matter of test/docs.test.ts.
describe('The guide to NestJS', () => {
  const folder = temporaryFolder();

  it('names the file of every block that is no quotation, and shows it as the formatter and the linter want it', () => {
    const blocks = ['docs/nestjs.md', 'examples/nestjs/README.md']
      .flatMap(blocksOf)
      .filter(({ language, code }) => language === 'typescript' && !code.startsWith('// examples/'));
    const names = blocks.map(({ code }) => /^\/\/ (\S+\.ts)\n/.exec(code)?.[1] ?? '');
    expect(names).to.include.members(['fastify.ts', 'token.module.ts', 'app.e2e-spec.ts']);
    expect([...new Set(names)])
      .to.deep.equal(names)
      .and.to.not.include('');
    for (const [index, { code }] of blocks.entries()) writeFileSync(join(folder, `${names[index]}`), code);
    // The example has the settings for NestJS's decorators.
    const { javascript, linter } = JSON.parse(readFileSync(join(ROOT, 'examples/nestjs/biome.json'), 'utf8'));
    const config = { extends: [join(ROOT, 'biome.json')], javascript, linter };
    writeFileSync(join(folder, 'biome.json'), JSON.stringify(config));
    const biome = [join(ROOT, 'node_modules/@biomejs/biome/bin/biome'), 'ci', '--colors=off', ...names];
    const { status, stderr } = spawnSync(process.execPath, biome, { cwd: folder, encoding: 'utf8' });
    expect(status, stderr).to.equal(0);
  });
});

const PAGE = 'docs/troubleshooting.md';

describe('The guide to troubleshooting', () => {
  for (const declaration of ['const STATUS', 'type UnreachableCode', 'type MalformedCode']) {
    it(`has an entry for every code of ${declaration}`, () => {
      const source = readFileSync(join(ROOT, 'lib/core/errors/errors.ts'), 'utf8');
      const [, union = ''] = new RegExp(`${declaration} =([^;]+);`).exec(source) ?? [];
      const codes = [...union.matchAll(/^ {2}(?:\| ')?([a-z_]+)/gm)].map(([, code = '']) => code);
      expect(codes).to.have.length.above(5);
      for (const code of [...codes, 'refused', 'rate_limited'])
        expect(textOf(PAGE)).to.match(new RegExp(`^\\| .*\`${code}\``, 'm'));
    });
  }
});
