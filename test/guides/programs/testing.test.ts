import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { readTask } from '../../../sandbox/lib/command/arguments.js';
import { blocksOf, ROOT, tableAfter, textOf } from '../pages.js';
import { compile, FOLDER, programsOf, removePrograms, STRICT, Visitor, writeProgram } from '../programs.js';

const PAGE = 'docs/testing.md';
const folder = join(FOLDER, 'testing');
const scripts = blocksOf(PAGE).filter(({ language }) => language === 'js');

/** The program of each test runner, and its output when the tests pass. The guide has the first line of the test, and the command. */
const RUNNERS: Readonly<Record<string, readonly [verdict: RegExp, ...program: string[]]>> = {
  mocha: [/^ {2}3 passing /m, join(ROOT, 'node_modules/mocha/bin/mocha.js'), '--no-config'],
  'node:test': [/^# pass 3\n# fail 0$/m, '--test', '--test-reporter=tap'],
  vitest: [/^ *Tests +3 passed \(3\)$/m, join(ROOT, 'node_modules/vitest/vitest.mjs'), 'run', '--root', '.'],
};

const OPTIONS =
  '{ clientID: process.env.MICROBLOG_CLIENT_ID, clientSecret: process.env.MICROBLOG_CLIENT_SECRET }';

describe('The guide to testing', () => {
  const { start } = programsOf(PAGE);

  it('has a first line for every runner', () => {
    expect(tableAfter(PAGE, '### Other runners').map(([name]) => name)).to.deep.equal(
      Object.keys(RUNNERS).slice(1),
    );
  });

  for (const [name, [verdict, ...program]] of Object.entries(RUNNERS)) {
    it(`has a login test that passes with ${name}`, function () {
      this.timeout(60_000);
      const place = join(folder, name.replace(':', '-'));
      mkdirSync(place, { recursive: true });
      for (const { file, code } of filesFor(name)) writeFileSync(join(place, file), code);
      // Without the variables that would tell the runner that it runs inside another test runner.
      const { NODE_TEST_CONTEXT: _context, NODE_OPTIONS: _options, ...env } = process.env;
      const { stdout, stderr, status } = spawnSync(process.execPath, [...program, 'login.test.mjs'], {
        cwd: place,
        encoding: 'utf8',
        env: { ...env, NO_COLOR: '1', FORCE_COLOR: '0' },
      });
      expect(`${stdout}${stderr}`).to.match(verdict);
      expect(status).to.equal(0);
    });
  }

  it('E1: shows a name as text, cut, and keeps who is signed in when a login that began before finishes', async () => {
    const { url } = await start('app.mjs', { change: (code) => `${code}createApp(${OPTIONS}).listen();` });
    const [page, later] = await new Visitor(url).logInTwice('/signin', 'auto=allow&person=hubert');
    expect(page.text).to.match(/^Hello Hubert .{93}$/);
    expect(page.headers['content-type']).to.equal('text/plain; charset=utf-8');
    expect(later.text).to.equal(page.text);
  });

  it('has command lines that the command accepts', () => {
    const [, section = ''] =
      textOf('sandbox/README.md')
        .split(/^## /m)
        .filter((part) => part.startsWith('The command'))[0]
        ?.split('```sh') ?? [];
    const lines = section.match(/^npx .+$/gm) ?? [];
    expect(lines).to.have.length.above(4);
    // The others name files.
    for (const line of lines.filter((text) => !/ --(people|config|certificate) /.test(text))) {
      const [, , ...command] = line.split(' ');
      expect(readTask(command)).to.include({ kind: 'sandbox', host: '127.0.0.1', isOpen: false, port: 4000 });
    }
  });
});

/** The files that a reader needs for a test runner: those of the guide, with the runner's first line in the test. */
function filesFor(runner: string): { file: string; code: string }[] {
  const [, line = ''] = tableAfter(PAGE, '### Other runners').find(([name]) => name === runner) ?? [];
  return scripts.flatMap(({ code }) => {
    const [, file] = /^\/\/ (\S+\.mjs)$/m.exec(code) ?? [];
    if (file === undefined) return [];
    return {
      file,
      code: line === '' ? code : code.replace(/^import .* from 'mocha';$/m, line.replaceAll('`', '')),
    };
  });
}

const TYPESCRIPT = 'typescript';
describe('The guide to TypeScript', () => {
  after(() => removePrograms(TYPESCRIPT));

  it('declares the user so that verify, serializeUser and req.user are checked', async function () {
    this.timeout(60_000);
    const [block] = blocksOf('docs/options.md').filter(({ marks }) => marks.includes('alone'));
    const wrong = [
      block?.code.replace(", displayName: Array.from(displayName).slice(0, 100).join('') }),\n", ' }),\n'),
      block?.code.replace('user.id', 'user.identifier'),
    ];
    writeProgram(join(TYPESCRIPT, 'right.mts'), `${block?.code}`);
    expect(await compile(TYPESCRIPT, STRICT)).to.equal('');
    for (const [index, code] of wrong.entries()) {
      expect(code).to.not.equal(block?.code);
      writeProgram(join(TYPESCRIPT, 'right.mts'), `${code}`);
      const problem = ["Property 'displayName' is missing", "Property 'identifier' does not exist"][index];
      expect(await compile(TYPESCRIPT, STRICT)).to.include(problem);
    }
  });
});
