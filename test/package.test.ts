import { execFileSync } from 'node:child_process';
import { expect } from 'chai';

const SUBPATHS = ['short-video', 'microblog', 'social-network'];
const STRATEGIES = ['ShortVideoStrategy', 'MicroblogStrategy', 'SocialNetworkStrategy'];

/** Runs code as a user of the built package would, in a process of its own. */
function run(code: string, type: 'commonjs' | 'module'): unknown {
  return JSON.parse(
    execFileSync(process.execPath, [`--input-type=${type}`, '--eval', code], { encoding: 'utf8' }),
  );
}

describe('the built package', () => {
  for (const [index, subpath] of SUBPATHS.entries()) {
    it(`gives ${subpath}'s factory as the default export, and one class to require and import`, () => {
      const specifier = `passport-social-networks/${subpath}`;
      const code = `
        import { createRequire } from 'node:module';
        import factory, { Strategy } from '${specifier}';
        import * as main from 'passport-social-networks';
        const required = createRequire(process.cwd() + '/')('${specifier}');
        const one = factory === required.default && Strategy === required.Strategy;
        const strategy = factory({ clientId: 'a', clientSecret: 'b' }, () => {});
        console.log(JSON.stringify([one, Strategy === main.${STRATEGIES[index]}, strategy instanceof Strategy]));`;
      expect(run(code, 'module')).to.deep.equal([true, true, true]);
    });
  }

  it('loads no OAuth 1.0a code, no other network and no sandbox with the short-video network', () => {
    const code = `
      require('passport-social-networks/short-video');
      console.log(JSON.stringify(Object.keys(require.cache)));`;
    const files = run(code, 'commonjs') as string[];
    const strangers = files.filter((file) =>
      /oauth1|passport-oauth1|microblog|social-network\/|sandbox|express/.test(file),
    );
    expect(files.some((file) => file.endsWith('short-video/index.js'))).to.equal(true);
    expect(strangers).to.deep.equal([]);
  });
});
