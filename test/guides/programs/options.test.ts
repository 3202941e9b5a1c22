import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { blocksOf, ROOT, textOf } from '../pages.js';
import { compile, removePrograms, STRICT, writeProgram } from '../programs.js';

const PAGE = 'docs/options.md';
const FOLDER = 'typescript';
const CONSUMERS = join(ROOT, 'test/packaging/consumers');

function consumer(file: string): string {
  return readFileSync(join(CONSUMERS, file), 'utf8');
}

/** The major versions in a text such as `with 5.4, 5.6, 5.9, 6 and 7,`. */
function versionsIn(text: string | undefined): string[] {
  return text?.match(/\d+(\.\d+)?/g) ?? [];
}

describe('The guide to TypeScript', () => {
  const guide = textOf(PAGE).replace(/\s+/g, ' ');

  after(() => removePrograms(FOLDER));

  it('declares the user so that verify, serializeUser and req.user are checked', async function () {
    this.timeout(60_000);
    const [block] = blocksOf(PAGE).filter(({ marks }) => marks.includes('alone'));
    const wrong = [
      block?.code.replace(", displayName: Array.from(displayName).slice(0, 100).join('') }),\n", ' }),\n'),
      block?.code.replace('user.id', 'user.identifier'),
    ];
    writeProgram(join(FOLDER, 'right.mts'), `${block?.code}`);
    expect(await compile(FOLDER, STRICT)).to.equal('');
    for (const [index, code] of wrong.entries()) {
      expect(code).to.not.equal(block?.code);
      writeProgram(join(FOLDER, 'right.mts'), `${code}`);
      const problem = ["Property 'displayName' is missing", "Property 'identifier' does not exist"][index];
      expect(await compile(FOLDER, STRICT)).to.include(problem);
    }
  });

  it('names the versions of TypeScript that the consumer projects compile with', () => {
    const { scripts } = JSON.parse(consumer('express/package.json')) as { scripts: object };
    const tested = Object.keys(scripts).flatMap((name) => /^start:typescript-(.*)/.exec(name)?.[1] ?? []);
    expect(versionsIn(/is tested with ([\d., and]+), `strict`/.exec(guide)?.[1])).to.deep.equal(tested);
    expect(guide).to.include(`TypeScript ${tested[0]} or newer`);
  });

  it('names the versions of Node, Bun and Deno that the consumer projects run on', () => {
    const { devDependencies } = JSON.parse(consumer('express/package.json')) as {
      devDependencies: { bun: string; deno: string };
    };
    const minor = (version: string) => version.split('.').slice(0, 2).join('.');
    expect(guide).to.include(`Bun ${minor(devDependencies.bun)} and on Deno ${minor(devDependencies.deno)}`);
    const [, list] =
      /NODE_VERSIONS = \[(.*)\]/.exec(readFileSync(join(CONSUMERS, '../node-binaries.mjs'), 'utf8')) ?? [];
    const majors = [...(list ?? '').matchAll(/'(\d+)\./g)].map(([, major]) => major);
    expect(versionsIn(/They are tested on ([\d, and]+)\./.exec(guide)?.[1])).to.deep.equal(majors);
  });

  it('gives esbuild the banner that the consumer project uses', () => {
    const [, banner = 'absent'] = /^ *(banner: .*)$/m.exec(textOf(PAGE)) ?? [];
    expect(consumer('express/esbuild.config.mjs')).to.include(banner);
  });
});
