import { expect } from 'chai';
import { mutationsOf } from '../../tools/mutations.mjs';

/** All broken forms of a source. */
function broken(source: string): string[] {
  return mutationsOf('file.ts', source).map(
    ({ start, end, replacement }) => source.slice(0, start) + replacement + source.slice(end),
  );
}

describe('the mutations of a source', () => {
  for (const [source, expected] of [
    ['const a = b === c;', ['const a = b !== c;']],
    ['const a = b < 5;', ['const a = b <= 5;', 'const a = b >= 5;', 'const a = b < 6;']],
    ['const a = b ?? c;', ['const a = b;', 'const a = c;']],
    ['const a = !b;', ['const a = b;']],
    ['const a = await b;', ['const a = b;']],
    ['const a = b?.c;', ['const a = b.c;']],
    ['const a = b?.[c];', ['const a = b[c];']],
    ["const a = ['b', c];", ['const a = [c];', "const a = ['xb', c];", "const a = ['b', ];"]],
    ['const a = { b, ...c };', ['const a = { ...c };', 'const a = { b,  };']],
    ['if (a) b();', ['if (true) b();', 'if (false) b();', 'if (a) ;']],
    ['const a = b.some(c);', ['const a = b.every(c);']],
    ['const a = b.trim();', ['const a = b;']],
    ['const a = /^b$/i;', ['const a = /b$/i;', 'const a = /^b/i;', 'const a = /^b$/;']],
  ] as const) {
    it(`include each operator, literal, member and statement of ${source}`, () => {
      expect(broken(source)).to.have.members(expected);
    });
  }

  it('leave out types, imports and sentences', () => {
    expect(broken("import { a } from 'b';")).to.deep.equal([]);
    expect(broken("type A = 'b' | 'c';")).to.deep.equal([]);
    expect(broken("const a: 'b' | undefined = c as 'b';")).to.deep.equal([]);
    expect(broken("const a = 'Pass a verify function.';")).to.deep.equal([]);
  });

  it('name the file that cannot be parsed', () => {
    expect(() => mutationsOf('file.ts', 'const = 1')).to.throw('file.ts: ');
  });
});
