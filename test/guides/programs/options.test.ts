import { join } from 'node:path';
import { expect } from 'chai';
import { blocksOf } from '../pages.js';
import { compile, removePrograms, STRICT, writeProgram } from '../programs.js';

const PAGE = 'docs/options.md';
const FOLDER = 'typescript';
describe('The guide to TypeScript', () => {
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
});
