import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { blocksOf, ROOT } from './pages.js';

/** The end-to-end test of the guide; the other files of the guide are the application. */
const TEST = 'app.e2e-spec.ts';
const CONSUMERS = join(ROOT, 'test/packaging/consumers');

function fileOf(project: string, file: string): string {
  return readFileSync(join(CONSUMERS, project, file), 'utf8');
}

/** NestJS 11 projects are CommonJS: their Jest finds no import of a file of their own that ends in `.js`. */
function inCommonJS(code: string): string {
  return code.replace(/(from '\.[^']*)\.js'/g, "$1'").replace(/^await bootstrap/m, 'void bootstrap');
}

// `npm run test:consumers` compiles these files in projects as `nest new` makes them, and logs in.
describe('The guide to NestJS', () => {
  const blocks = blocksOf('docs/nestjs.md').filter(({ language }) => language === 'typescript');
  const named = new Map(blocks.map(({ code }) => [/^\/\/ (\S+)/.exec(code)?.[1] ?? '', code]));

  it('shows every file of the packaging project, as it is compiled and run there', () => {
    const files = readdirSync(join(CONSUMERS, 'nestjs-12/src'));
    expect([...named.keys()].sort()).to.deep.equal([...files, TEST].sort());
    for (const [name, code] of named) {
      expect(code, name).to.equal(fileOf('nestjs-12', `${name === TEST ? 'test' : 'src'}/${name}`));
    }
  });

  for (const folder of ['src', 'test']) {
    it(`has the same files in NestJS 11, without .js in the imports, in ${folder}`, () => {
      const files = readdirSync(join(CONSUMERS, 'nestjs-12', folder));
      for (const file of files) {
        const name = `${folder}/${file}`;
        expect(fileOf('nestjs-11', name), name).to.equal(inCommonJS(fileOf('nestjs-12', name)));
      }
    });
  }
});
