import { spawnSync } from 'node:child_process';
import { extname, join } from 'node:path';
import { expect } from 'chai';

const ROOT = join(__dirname, '../..');
/** The compiled tests run the compiled code. */
const EXTENSION = extname(__filename);
const LOADER = EXTENSION === '.ts' ? ['--require', 'tsx/cjs'] : [];

/** A login that begins with a misspelt option, and a callback that belongs to none; then which files have been loaded. */
const PROGRAM = `
const passport = require('passport');
const { ShortVideoStrategy } = require('./lib/index${EXTENSION}');
const options = { clientID: 'a-client-key', clientSecret: 'a-secret-of-twenty-characters', baseURL: 'https://app.example' };
passport.use(new ShortVideoStrategy(options, () => {}));
const res = { setHeader() {}, appendHeader() {}, end: () => {} };
const run = (url) => new Promise((resolve) => {
  const req = { url, headers: { host: 'other.example' }, res };
  passport.authenticate('short-video', { scop: 'x' }, resolve)(req, { ...res, end: resolve }, resolve);
});
run('/login').then(() => run('/callback?code=x&state=y')).then(() => {
  console.log(Object.keys(require.cache).some((file) => /core.development\\${EXTENSION}$/.test(file)));
});
`;

describe('warnings for developers', () => {
  for (const [environment, isLoaded] of [
    ['production', false],
    ['development', true],
  ] as const) {
    it(`are ${isLoaded ? 'loaded and given' : 'neither loaded nor given'} in ${environment}`, function () {
      this.timeout(20_000);
      const { stdout, stderr } = spawnSync(process.execPath, [...LOADER, '-e', PROGRAM], {
        cwd: ROOT,
        encoding: 'utf8',
        env: { ...process.env, NODE_OPTIONS: '', NODE_ENV: environment },
      });
      expect(stdout.trim(), stderr).to.equal(String(isLoaded));
      for (const warning of ['no option scop', 'a login began at', 'belongs to no pending login'])
        expect(stderr.includes(warning), stderr).to.equal(isLoaded);
    });
  }
});
