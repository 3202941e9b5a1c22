import { spawnSync } from 'node:child_process';
import { expect } from 'chai';
import { ROOT, textOf } from './pages.js';

describe('The page of evidence', () => {
  it('is what npm run docs:evidence makes of the lists in the sandbox', function () {
    this.timeout(30_000);
    const script = ['--import', 'tsx', 'tools/evidence.mjs'];
    const { stdout, stderr } = spawnSync(process.execPath, script, { cwd: ROOT, encoding: 'utf8' });
    expect(stderr).to.equal('');
    expect(textOf('docs/evidence.md')).to.equal(stdout);
  });
});
