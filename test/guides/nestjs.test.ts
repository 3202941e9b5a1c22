import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { blocksOf, ROOT, textOf } from './pages.js';

const PAGE = 'docs/nestjs.md';
const PROJECT = 'test/packaging/consumers/nestjs-12';

// `npm run test:consumers` compiles these files in projects as `nest new` makes them, and logs in. For NestJS 11 it changes them as the guide
// says.
describe('The guide to NestJS', () => {
  const shown = blocksOf(PAGE).filter(({ language }) => language === 'typescript');

  it('shows files as they are compiled and run in the packaging project', () => {
    expect(shown).to.have.length.above(4);
    for (const { code } of shown) {
      const [, name = ''] = /^\/\/ (\S+)/.exec(code) ?? [];
      expect(code, name).to.equal(readFileSync(join(ROOT, PROJECT, 'src', name), 'utf8'));
    }
  });

  it('links to every file of the project', () => {
    const files = [
      ...readdirSync(join(ROOT, PROJECT, 'src')).map((name) => `src/${name}`),
      'test/app.e2e-spec.ts',
    ];
    for (const file of files) expect(textOf(PAGE)).to.include(`(../${PROJECT}/${file})`);
  });
});
