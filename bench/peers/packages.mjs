// Writes packages.json: when each peer was last released, where its types are, and whether it has a method that refreshes tokens. README compares the
// packages with these facts. Run it with `npm run --prefix bench/peers packages`.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** When the version was released, and where that is written. The registry that the bench installs from does not keep the dates. */
const RELEASES = {
  'passport-tiktok-auth': {
    released: 'after August 2025',
    source: 'github.com/mystery-man/passport-tiktok: 1.0.11 in the last commit, of 2025-08-08',
  },
  '@superfaceai/passport-twitter-oauth2': {
    released: 'February 2024',
    source: 'github.com/superfaceai/passport-twitter-oauth2: CHANGELOG.md, 1.2.4 - 2024-02-06',
  },
  'passport-twitter': {
    released: 'January 2016',
    source: 'github.com/jaredhanson/passport-twitter: tag v1.0.4, of 2016-01-29',
  },
  'passport-vkontakte': {
    released: 'October 2020',
    source: 'github.com/stevebest/passport-vkontakte: tag 0.5.0, of 2020-10-12',
  },
  'passport-oauth2': {
    released: 'February 2024',
    source: 'CHANGELOG.md in the package: 1.8.0 - 2024-02-02',
  },
};

const require = createRequire(import.meta.url);

const packages = Object.entries(RELEASES).map(([name, release]) => {
  const main = require.resolve(name);
  const folder = main.slice(
    0,
    main.lastIndexOf(join('node_modules', name)) + join('node_modules', name).length,
  );
  /** @type {{ version: string }} */
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const exported = require(name);
  const Strategy = exported.Strategy ?? exported.default ?? exported;
  return {
    name,
    version,
    ...release,
    types: readdirSync(dirname(main)).some((file) => file.endsWith('.d.ts')) ? 'own' : typesOfOthers(name),
    refresh: 'refresh' in Strategy.prototype,
  };
});

writeFileSync(join(import.meta.dirname, 'packages.json'), `${JSON.stringify(packages, null, 2)}\n`);

/** @param {string} name */
function typesOfOthers(name) {
  const types = `@types/${name}`;
  const { stdout } = spawnSync('npm', ['view', types, 'version', '--json'], { encoding: 'utf8' });
  const answer = JSON.parse(stdout);
  if (typeof answer === 'string') return types;
  if (answer.error.code === 'E404') return 'none';
  throw new Error(`${types}: ${answer.error.summary}`);
}
