import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'chai';

const root = dirname(__dirname);
const pages = [
  'README.md',
  'CONTRIBUTING.md',
  ...markdownIn('docs'),
  ...markdownIn('lib'),
  ...markdownIn('examples'),
];
/** Inside the package, so that its own name resolves to what a user would install. */
const folder = join(root, 'dist', 'documentation');

describe('the documentation', () => {
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('has TypeScript blocks that compile against the built package', function () {
    this.timeout(60_000);
    const blocks = pages.flatMap((page) =>
      [...readFileSync(join(root, page), 'utf8').matchAll(/^```ts\n(.*?)^```/gms)].map(
        ([, code = ''], index) => ({
          name: `${page.replace(/\W/g, '-')}-${index + 1}.mts`,
          code,
        }),
      ),
    );
    expect(blocks).to.have.length.above(3);
    mkdirSync(folder, { recursive: true });
    for (const { name, code } of blocks) writeFileSync(join(folder, name), `${code}\nexport {};\n`);
    const settings = {
      extends: '../../tsconfig.json',
      compilerOptions: { rootDir: '.', types: ['node'], noUnusedLocals: false, noUnusedParameters: false },
      include: ['.'],
    };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(settings));
    const compiler = join(root, 'node_modules/typescript/bin/tsc');
    const { stdout } = spawnSync(process.execPath, [compiler, '-p', folder], { encoding: 'utf8' });
    expect(stdout).to.equal('');
  });

  for (const page of pages) {
    it(`links only to files that exist, in ${page}`, () => {
      const links = [...readFileSync(join(root, page), 'utf8').matchAll(/\]\((?!https?:|#)([^)#]+)/g)];
      const dead = links
        .map(([, link = '']) => join(dirname(page), link))
        .filter((link) => !existsSync(join(root, link)));
      expect(dead).to.deep.equal([]);
    });
  }
});

function markdownIn(start: string): string[] {
  const files = existsSync(join(root, start))
    ? readdirSync(join(root, start), { recursive: true, encoding: 'utf8' })
    : [];
  return files
    .filter((file) => file.endsWith('.md') && !file.includes('node_modules'))
    .map((file) => join(start, file));
}
