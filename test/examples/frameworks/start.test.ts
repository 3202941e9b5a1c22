import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect } from 'chai';
import { Browser } from '../../support/browser.js';
import { allow } from '../../support/journey.js';
import { expectPage } from '../../support/page.js';
import { EXAMPLES, FOLDERS } from './folders.js';
import { NETWORKS } from './networks.js';

interface Package {
  readonly name: string;
  readonly private: boolean;
  readonly scripts: { readonly start: string };
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

describe('a framework example', () => {
  const running = new Set<ChildProcess>();
  /** The URL that each folder's example prints. */
  const urls = new Map<string, Promise<string>>();

  before(() => {
    // Start all at once; starting them in sequence would dominate the run time.
    for (const folder of FOLDERS) urls.set(folder, npmStart(folder));
  });

  after(async () => {
    for (const child of running) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      const exit = once(child, 'exit');
      // npm does not forward signals, so signal the whole process group.
      process.kill(-(child.pid as number), 'SIGTERM');
      await exit;
    }
  });

  for (const folder of FOLDERS) {
    it(`${folder} starts with npm, without credentials, and logs a user in through every network`, async function () {
      this.timeout(60_000);
      const url = (await urls.get(folder)) ?? '';
      const home = await new Browser().get(url);
      for (const { name } of NETWORKS) {
        expectPage(home.text).toHave(`<a href="/api/auth/signin/${name}">`);
        const browser = new Browser();
        const { location } = await browser.get(`${url}/api/auth/signin/${name}`);
        const page = await browser.get(await allow(browser, location, 'anna'));
        const account =
          folder === 'sessionless'
            ? await browser.get(`${url}/api/me`, { authorization: `Bearer ${page.json.token}` })
            : await browser.get(page.location);
        expect(account.json).to.include({ provider: name, displayName: 'Анна Примерова' });
      }
    });

    it(`${folder} pins its dependencies and gets the pinned versions`, () => {
      const { name, private: isPrivate, dependencies, devDependencies } = packageOf(folder);
      expect([name, isPrivate]).to.deep.equal([`${folder}-example`, true]);
      const needs = Object.entries({ ...dependencies, ...devDependencies });
      for (const [needed, pin] of needs) {
        if (needed === 'passport-social-networks') expect(pin).to.equal('file:../..');
        else if (needed === 'passport-social-networks-sandbox') expect(pin).to.equal('file:../../sandbox');
        else expect(`${needed} ${versionAt(folder, needed)}`).to.equal(`${needed} ${pin}`);
      }
    });
  }

  for (const file of ['networks.js', 'accounts.js']) {
    it(`has the same ${file} as the others`, () => {
      const [first = '', ...others] = FOLDERS.filter((folder) => !folder.startsWith('nestjs')).map((folder) =>
        readFileSync(join(EXAMPLES, folder, file), 'utf8'),
      );
      for (const other of others) expect(other).to.equal(first);
    });
  }

  it('for NestJS has the same sources in both versions', () => {
    const files = [
      'accounts.ts',
      'app.ts',
      'login-controller.ts',
      'login-filter.ts',
      'login-guard.ts',
      'main.ts',
      'settings.ts',
      'strategies.ts',
    ];
    const read = (version: string, file: string) =>
      readFileSync(join(EXAMPLES, `nestjs-${version}`, 'src', file), 'utf8');
    for (const file of files) expect(read('12', file), file).to.equal(read('11', file));
  });

  /** Runs `npm start`. @returns The URL that the example prints. */
  async function npmStart(folder: string): Promise<string> {
    const { PATH, HOME } = process.env;
    const child = spawn('npm', ['start'], {
      cwd: join(EXAMPLES, folder),
      // Do not pass on this machine's environment, which may contain real credentials.
      env: { PATH, HOME, PORT: '0', NO_COLOR: '1' },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    running.add(child);
    let output = '';
    const keep = (line: string) => {
      output += `${line}\n`;
    };
    createInterface({ input: child.stderr }).on('line', keep);
    for await (const line of createInterface({ input: child.stdout })) {
      keep(line);
      const url = /^Log in at (\S+)$/.exec(line)?.[1];
      if (url !== undefined) {
        child.stdout.resume();
        return url;
      }
    }
    throw new Error(`${folder} did not start: ${output}`);
  }
});

function packageOf(folder: string): Package {
  return JSON.parse(readFileSync(join(EXAMPLES, folder, 'package.json'), 'utf8')) as Package;
}

/** The version of a package that an example resolves. */
function versionAt(folder: string, name: string): string {
  const paths = createRequire(join(EXAMPLES, folder, 'package.json')).resolve.paths(name) ?? [];
  for (const path of paths) {
    try {
      return (JSON.parse(readFileSync(join(path, name, 'package.json'), 'utf8')) as { version: string })
        .version;
    } catch {
      // Not in this folder; try the next one.
    }
  }
  throw new Error(`${folder} does not get ${name}`);
}
