import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, realpathSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { expect } from 'chai';

const ROOT = dirname(__dirname);

function descriptionOf(folder: string): Record<string, unknown> {
  return JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8')) as Record<string, unknown>;
}

/** Runs code that uses the built package, in a new process. */
function run(code: string): unknown {
  return JSON.parse(execFileSync(process.execPath, ['--eval', code], { encoding: 'utf8', cwd: ROOT }));
}

/** The files of `require.cache`, seen from the repository, so that the name of a folder above it never matches. */
function withinRepository(files: readonly string[]): string[] {
  return files.map((file) => `/${relative(realpathSync(ROOT), file).replaceAll('\\', '/')}`);
}

describe('the built package', () => {
  it('checks strategies of another copy of the package, as when the application has a version of its own', async () => {
    const code = `
      const { check } = require('passport-social-networks-check');
      const { createServer } = require('node:http');
      const first = require('passport-social-networks').ShortVideoStrategy;
      for (const file of Object.keys(require.cache)) delete require.cache[file];
      const { ShortVideoStrategy } = require('passport-social-networks');
      const refusal = { error: 'invalid_client', error_description: 'Client key or secret is incorrect.' };
      const server = createServer((_request, response) => response.end(JSON.stringify(refusal))).listen(0, async () => {
        const tokenURL = 'http://127.0.0.1:' + server.address().port;
        const options = { clientID: 'a', clientSecret: 'b', tokenURL, skipUserProfile: true };
        const { findings } = await check(new ShortVideoStrategy(options, () => {}));
        console.log(JSON.stringify([first === ShortVideoStrategy, findings.at(-1).message]));
        server.close();
      });`;
    expect(run(code)).to.deep.equal([
      false,
      'TikTok does not accept the client key and client secret: invalid_client "Client key or secret is incorrect."',
    ]);
  });
});

/** The folders of dist/ and the packages that a module loads, the number of files, and whether OAuth 1.0a is among this package's code. */
function loadedBy(specifier: string, use = '') {
  const code = `
    require('${specifier}')${use};
    console.log(JSON.stringify(Object.keys(require.cache)));`;
  const files = withinRepository(run(code) as string[]);
  const matches = (pattern: RegExp, among = files) =>
    [...new Set(among.flatMap((file) => pattern.exec(file)?.[1] ?? []))].sort();
  const ours = files.filter((file) => !file.includes('node_modules'));
  const text = ours.map((file) => readFileSync(join(ROOT, file), 'utf8')).join('');
  return {
    files: files.length,
    hasOAuth1: /oauth_nonce/.test(text),
    folders: matches(/\/dist\/([^/]+)\/[^/]*(?:\/[^/]+)*$/, ours),
    packages: matches(/.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/),
  };
}

// passport-oauth2 loads `oauth`, whose index loads its OAuth 1.0a client too; no OAuth 2.0 strategy can prevent that.
const OAUTH2 = 'base64url cookie oauth passport-oauth2 passport-strategy uid2 utils-merge'.split(' ');

describe('loading the package', () => {
  for (const [subpath, most, folders] of [
    ['', 42, 'core microblog short-video social-network'],
    ['/short-video', 28, 'core short-video'],
    ['/microblog', 30, 'core microblog'],
    ['/social-network', 28, 'core social-network'],
    ['-check', 45, 'check core microblog short-video social-network'],
  ] as const) {
    it(`passport-social-networks${subpath} loads only ${folders}, without OAuth 1.0a, and the packages ${OAUTH2.join(', ')}`, () => {
      const { files, ...loaded } = loadedBy(`passport-social-networks${subpath}`);
      expect(loaded).to.deep.equal({ hasOAuth1: false, folders: folders.split(' '), packages: OAUTH2 });
      expect(files).to.be.at.most(most);
    });
  }

  it('the microblog network loads OAuth 1.0a for who asks for it', () => {
    const { hasOAuth1, packages } = loadedBy(
      'passport-social-networks/microblog',
      '.MicroblogOAuth1Strategy',
    );
    expect(hasOAuth1).to.equal(true);
    expect(packages).to.include('passport-oauth1');
  });

  it('the sandbox loads nothing of the strategies', () => {
    const { folders } = loadedBy('passport-social-networks-sandbox');
    expect(folders).to.deep.equal(['sandbox']);
  });
});

/** What is packed besides the build. */
const DOCUMENTS = {
  '.': [/^package\.json$/, /^README\.md$/, /^CHANGELOG\.md$/, /^LICENSE$/],
  sandbox: [/^package\.json$/, /^README\.md$/, /^LICENSE$/, /^bin\/passport-social-networks-sandbox\.js$/],
  check: [/^package\.json$/, /^README\.md$/, /^LICENSE$/, /^bin\/passport-social-networks-check\.js$/],
};

for (const [folder, documents] of Object.entries(DOCUMENTS)) {
  const description = descriptionOf(folder);

  describe(`the packed package ${String(description.name)}`, () => {
    const packed: string[] = [];
    let bytes = 0;
    const textOf = (file: string) => readFileSync(join(ROOT, folder, file), 'utf8');

    before(function () {
      this.timeout(60_000);
      const command = ['pack', '--dry-run', '--json', '--ignore-scripts'];
      const json = execFileSync('npm', command, {
        cwd: join(ROOT, folder),
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      const [{ files, unpackedSize }] = JSON.parse(json) as [
        { files: { path: string }[]; unpackedSize: number },
      ];
      packed.push(...files.map(({ path }) => path));
      bytes = unpackedSize;
    });

    it('contains only the build, README, the licence and, for the strategies, CHANGELOG', () => {
      const wanted = [
        ...documents,
        /^dist\/([\w-]+\/)*[\w-]+\.(js|d\.ts)$/,
        /^dist\/([\w-]+\/)?(index|internal)\.(mjs|d\.mts)$/,
      ];
      expect(packed.filter((file) => !wanted.some((pattern) => pattern.test(file)))).to.deep.equal([]);
      for (const pattern of wanted) expect(packed.some((file) => pattern.test(file))).to.equal(true);
    });

    it('is at most 570 kB', () => {
      expect(bytes).to.be.within(1, 570_000);
    });

    it('has strict scripts, so that writing to a frozen session is an error; documentation in the declarations only; and no source map', () => {
      const withText = (ending: string, text: RegExp) =>
        packed.filter((file) => file.endsWith(ending) && text.test(textOf(file)));
      expect(withText('.d.ts', /\/\*\*/)).to.not.deep.equal([]);
      expect(withText('.js', /\/\*\*/)).to.deep.equal([]);
      const scripts = packed.filter((file) => file.startsWith('dist/') && file.endsWith('.js'));
      expect(withText('.js', /^(#!.*\n)?"use strict";/)).to.include.members(scripts);
      expect(withText('', /\/\/# sourceMappingURL=/)).to.deep.equal([]);
    });

    it('requires only packages that are installed with it', () => {
      const scripts = packed.filter((file) => file.startsWith('dist/') && file.endsWith('.js'));
      const required = scripts.flatMap((file) => [...textOf(file).matchAll(/\brequire\("([^."][^"]*)"\)/g)]);
      const names = required.flatMap(([, name = '']) =>
        isBuiltin(name) ? [] : (/^(@[^/]+\/)?[^/]+/.exec(name)?.[0] ?? []),
      );
      const installed = Object.keys({
        ...(description.dependencies as object),
        ...(description.peerDependencies as object | undefined),
      });
      expect(names).to.not.deep.equal([]);
      expect(names.filter((name) => !installed.includes(name))).to.deep.equal([]);
    });
  });
}

describe('bench, interop and examples', () => {
  it('import nothing of each other', () => {
    const rooms = ['bench', 'interop', 'examples'];
    for (const room of rooms) {
      const others = rooms.filter((other) => other !== room).join('|');
      const search = ['grep', '-nE', `'(\\.\\./)+(${others})/`, '--', room];
      const { status, stdout } = spawnSync('git', search, { cwd: ROOT, encoding: 'utf8' });
      // No file has such a path.
      expect([status, stdout]).to.deep.equal([1, '']);
    }
  });
});

describe('the packages', () => {
  it('have the same version, because they are released together, and the check works with no other one', () => {
    const { version } = descriptionOf('.');
    for (const folder of ['sandbox', 'check']) expect(descriptionOf(folder).version).to.equal(version);
    expect(descriptionOf('check').dependencies).to.include({ 'passport-social-networks': version });
  });

  it('and what an application installs with them have no install script, which npm would warn of', () => {
    const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
      packages: Record<string, { hasInstallScript?: boolean; dependencies?: Record<string, string> }>;
    };
    const found = new Set(['', 'sandbox', 'check']);
    for (const place of found) {
      for (const name of Object.keys(lock.packages[place]?.dependencies ?? {})) {
        const nested = `${place}/node_modules/${name}`;
        found.add(Object.hasOwn(lock.packages, nested) ? nested : `node_modules/${name}`);
      }
    }
    expect(found.size).to.be.greaterThan(50);
    expect([...found].filter((place) => lock.packages[place]?.hasInstallScript)).to.deep.equal([]);
    // For a package from a tarball or from git, npm counts `prepare` among them.
    for (const folder of ['.', 'sandbox', 'check']) {
      const { scripts = {} } = descriptionOf(folder) as { scripts?: object };
      expect(scripts).to.not.have.any.keys('preinstall', 'install', 'postinstall', 'prepare');
    }
  });

  it('C20: Passport 0.5, which keeps the session ID at login, is no peer', () => {
    expect(descriptionOf('.').peerDependencies).to.deep.equal({ passport: '>=0.6 <1' });
  });

  it('lead to guides in the repository as soon as package.json names it', async () => {
    const { withGuideAddresses } = await import('../rolldown.config.mjs');
    const code = "['docs/a.md#b', 'see (docs/c.md)'] // Guide: docs/d.md";
    expect(withGuideAddresses(code)).to.equal(code);
    const pages = 'https://github.com/owner/name/blob/main/docs';
    expect(withGuideAddresses(code, 'git+https://github.com/owner/name.git')).to.equal(
      `['${pages}/a.md#b', 'see (docs/c.md)'] // Guide: ${pages}/d.md`,
    );
  });

  it('the strategies contain nothing of the sandbox or of the check', () => {
    const built = execFileSync('find', ['dist', '-type', 'f'], { cwd: ROOT, encoding: 'utf8' });
    expect(built).to.not.match(/sandbox|check\//);
  });
});
