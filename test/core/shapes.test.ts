import { execFileSync } from 'node:child_process';
import { extname, join } from 'node:path';
import { expect } from 'chai';

// In Node 20 `{ ...one, more }` is an object of a hidden class of its own each time: slow to make, slow to read, and kept by the
// engine until the next full collection. A few of them doubled the cost of a login.
describe('shapes: what each login makes is of one hidden class', () => {
  let measured: Record<string, boolean> = {};

  // In a process of its own: in one that has made objects of some 1,500 kinds the engine gives new ones no common class.
  before(() => {
    const flags = ['--allow-natives-syntax', '--require', 'tsx/cjs'];
    const program = join(__dirname, `shapes-measured${extname(__filename)}`);
    measured = JSON.parse(execFileSync(process.execPath, [...flags, program], { encoding: 'utf8' }));
  });

  it('the measure can tell: objects of two kinds differ', () => {
    expect(measured['objects of one kind']).to.equal(true);
    expect(measured['objects of two kinds']).to.equal(false);
  });

  for (const title of ['a pending login', 'a profile', 'a token request’s form', 'a record']) {
    it(title, () => {
      expect(measured[title]).to.equal(true);
    });
  }
});
