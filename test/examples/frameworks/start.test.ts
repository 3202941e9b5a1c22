import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect } from 'chai';
import { Browser } from '../../support/browser.js';
import { expectPage } from '../../support/page.js';
import { callbackOf, EXAMPLES, NETWORKS } from './harness.js';

interface Package {
  readonly name: string;
  readonly private: boolean;
  readonly scripts: Readonly<Record<string, string>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

const FOLDERS = ['express', 'express-4', 'fastify', 'koa', 'nestjs', 'nestjs-11'] as const;
const LOCAL: Readonly<Record<string, string>> = {
  'passport-social-networks': 'file:../..',
  'passport-social-networks-sandbox': 'file:../../sandbox',
};

describe('a framework example', () => {
  const running = new Set<ChildProcess>();
  const starts = FOLDERS.flatMap((folder) =>
    Object.keys(packageOf(folder).scripts)
      .filter((script) => script.startsWith('start'))
      .map((script) => [folder, script] as const),
  );
  /** The URL that each example prints. */
  const urls = new Map<string, Promise<string>>();

  before(() => {
    // Start all at once; starting them in sequence would dominate the run time.
    for (const [folder, script] of starts) urls.set(folder + script, npmRun(folder, script));
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

  for (const [folder, script] of starts) {
    it(`${folder} begins with npm run ${script}, without credentials, and logs a user in through every network`, async function () {
      this.timeout(60_000);
      const url = (await urls.get(folder + script)) ?? '';
      const home = await new Browser().get(url);
      for (const { name } of NETWORKS) {
        expectPage(home.text).toHave(`<a href="/api/auth/signin/${name}">`);
        const browser = new Browser();
        const page = await browser.get(await callbackOf(browser, { url }, name, 'anna'));
        const account =
          script === 'start:sessionless'
            ? await browser.get(`${url}/api/me`, { authorization: `Bearer ${page.json.token}` })
            : await browser.get(page.location);
        expect(account.json).to.include({ provider: name, displayName: 'Анна Примерова' });
      }
    });
  }

  for (const folder of FOLDERS) {
    it(`${folder} pins its dependencies and gets the pinned versions`, () => {
      const { name, private: isPrivate, dependencies, devDependencies } = packageOf(folder);
      expect([name, isPrivate]).to.deep.equal([`${folder}-example`, true]);
      for (const [needed, pin] of Object.entries({ ...dependencies, ...devDependencies })) {
        expect(`${needed} ${LOCAL[needed] ?? versionAt(folder, needed)}`).to.equal(`${needed} ${pin}`);
      }
    });
  }

  for (const [folder, original] of [
    ['express-4', 'express'],
    ['nestjs-11', 'nestjs'],
  ] as const) {
    it(`${folder} has every package of ${original}, whose files it copies`, () => {
      const names = Object.keys(packageOf(folder).dependencies);
      expect(names).to.deep.equal(Object.keys(packageOf(original).dependencies));
    });
  }

  /** Runs a script. @returns The URL that the example prints. */
  async function npmRun(folder: string, script: string): Promise<string> {
    const { PATH, HOME } = process.env;
    const child = spawn('npm', ['run', script], {
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
