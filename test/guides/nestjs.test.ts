import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { blocksOf, ROOT } from './pages.js';

/** The end-to-end test of the guide; the other files of the guide are the application. */
const TEST = 'app.e2e-spec.ts';
const PROJECT = join(ROOT, 'test/packaging/consumers/nestjs-12');

// `npm run test:consumers` compiles these files in projects as `nest new` makes them, and logs in. For NestJS 11 it changes them as the guide
// says.
describe('The guide to NestJS', () => {
  const blocks = blocksOf('docs/nestjs.md').filter(({ language }) => language === 'typescript');
  const named = new Map(blocks.map(({ code }) => [/^\/\/ (\S+)/.exec(code)?.[1] ?? '', code]));

  it('shows every file of the packaging project, as it is compiled and run there', () => {
    const files = readdirSync(join(PROJECT, 'src'));
    expect([...named.keys()].sort()).to.deep.equal([...files, TEST].sort());
    for (const [name, code] of named) {
      const file = join(PROJECT, name === TEST ? 'test' : 'src', name);
      expect(code, name).to.equal(readFileSync(file, 'utf8'));
    }
  });
});
