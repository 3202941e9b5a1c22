import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { expect } from 'chai';
import { type Block, blocksIn, deadLinksOf, PAGES, ROOT, tableAfter, textOf } from './guides/pages.js';
import {
  compile,
  FOLDER,
  JAVASCRIPT,
  removePrograms,
  runProgram,
  STRICT,
  settingsAt,
  startProgram,
  Visitor,
  writeProgram,
} from './guides/programs.js';
import { closesAfterEach } from './support/cleanup.js';
import { expectPage } from './support/page.js';
import { oneSandbox } from './support/sandbox.js';
import { serve } from './support/server.js';

const BUILT = 'blocks';
/** A block of lines from a file of an example, which its first line names. */
const QUOTATION = /^\/\/ (examples\/\S+)(\n.*)/s;
// A block that is marked `alone` declares a type for all others, or needs packages of its own. Its guide's test, or a package test, has it.
const [typescript, javascript] = ['ts', 'js'].map((language) =>
  blocksIn(language).filter(({ code, marks }) => !marks.includes('alone') && !QUOTATION.test(code)),
) as [Block[], Block[]];
const programs = [...typescript, ...javascript].filter(({ marks }) => marks.includes('run'));

/** The class of a strategy, or the factory of one network's module. */
const CONSTRUCTS = /new \w+Strategy\(|= (?:shortVideo|microblog|socialNetwork)\(/;
const THREE_NETWORKS = 'docs/start.md';
const firstProgram = programs.find(({ page }) => page === THREE_NETWORKS) as Block;

describe('the documentation', () => {
  const closing = closesAfterEach();
  const sandbox = oneSandbox();
  let errors: { ts: string; js: string };

  before(async function () {
    this.timeout(60_000);
    for (const { file, code } of typescript) writeProgram(join('ts', file), `${code}\nexport {};\n`);
    for (const { file, code } of javascript) {
      writeProgram(join('js', file), file.endsWith('.cjs') ? code : `${code}\nexport {};\n`);
      writeProgram(join(BUILT, file), code);
    }
    const [ts, js] = await Promise.all([
      compile('ts', { ...STRICT, noEmit: false, outDir: join('..', BUILT) }),
      compile('js', JAVASCRIPT),
    ]);
    errors = { ts, js };
  });

  after(() => {
    for (const folder of ['ts', 'js', BUILT]) removePrograms(folder);
  });

  it('has TypeScript blocks that compile against the built package', () => {
    expect(typescript).to.have.length.above(15);
    expect(errors.ts).to.equal('');
  });

  it('has JavaScript blocks whose names, arguments and imports exist', () => {
    expect(javascript).to.have.length.above(10);
    expect(programs).to.have.length.above(3);
    expect(errors.js).to.equal('');
  });

  it('has a program with three networks that greets, signs out, keeps no session before a login, and shows and prints why one failed', async function () {
    this.timeout(30_000);
    const program = await startProgram(fileOf(firstProgram), settingsAt(sandbox));
    try {
      const visitor = new Visitor(program.url);
      const page = await visitor.logIn('/api/auth/signin/short-video');
      expectPage(page.text).toHave('"name":"Alice Example"', 'action="/signout"');
      const after = await visitor.follow(await visitor.post('/signout'));
      expectPage(after.text).toHave('href="/api/auth/signin/short-video"');
      const declined = await visitor.logIn('/api/auth/signin/microblog', 'auto=deny');
      expect(declined.text).to.equal('The user declined the login at the network.');
      const stranger = new Visitor(program.url);
      for (const path of ['signin/microblog', 'callback/microblog?code=FORGED&state=FORGED']) {
        const { headers } = await stranger.open(`/api/auth/${path}`);
        expect(String(headers['set-cookie'])).to.not.include('connect.sid');
      }
    } finally {
      await program.close();
    }
    // A program's output is complete when it has ended.
    expect(program.text)
      .to.match(/^Open http:\/\/127\.0\.0\.1:3000\n/)
      .and.match(/^The user declined/m);
  });

  for (const block of programs) {
    it(`has a program that runs unchanged, in ${block.page}: ${firstWords(block)}`, async function () {
      this.timeout(30_000);
      const file = fileOf(block);
      const settings = settingsAt(sandbox);
      const routes = signInRoutes(block.code);
      if (routes.length === 0) {
        expect(await runProgram(file, settings)).to.include({ code: 0 });
        return;
      }
      const program = closing(await startProgram(file, settings));
      for (const route of routes) {
        const [page, later] = await new Visitor(program.url).logInTwice(route);
        expect(`${page.status} ${page.text} ${program.text}`).to.match(/^200 .*Alice Example/s);
        // Without a session or a cookie of its own, nobody is signed in.
        const keepsUser = !block.code.includes('session: false') || block.code.includes('res.cookie(');
        if (keepsUser) expectPage(`E1: ${later.text}`).toHave('Alice Example');
      }
    });
  }

  it('constructs the strategies of every block', async function () {
    this.timeout(60_000);
    const blocks = [...typescript, ...javascript].filter(
      (block) => CONSTRUCTS.test(block.code) && !programs.includes(block),
    );
    expect(blocks).to.have.length.above(10);
    const client = sandbox.options('microblog', { client: 'confidential' });
    const settings = settingsAt(sandbox, { TENANTS: JSON.stringify({ red: client }) });
    const listens = ({ code }: Block) => code.includes('.listen(');
    const lines = blocks
      .filter((block) => !listens(block))
      .map((block) => `await import('${fileOf(block)}');\n`);
    const all = writeProgram(
      join(BUILT, 'all.mjs'),
      `${lines.join('')}process.exit(0); // Some start a sandbox.`,
    );
    const [{ output, code }] = await Promise.all([
      runProgram(all, settings),
      ...blocks.filter(listens).map(async (block) => (await startProgram(fileOf(block), settings)).close()),
    ]);
    expect(code, output).to.equal(0);
  });

  it('cuts no name in the middle of a letter', () => {
    // A name that is odd where letters of two code units begin.
    const cut = /(?:Array\.from\()?[\w.]*displayName\)?\.slice\(0, \d+\)(?:\.\w+\([^)]*\))*/g;
    const cutting = PAGES.flatMap((page) => textOf(page).match(cut) ?? []);
    expect(cutting.length).to.be.above(10);
    for (const expression of new Set(cutting)) {
      const displayName = `a${'\u{20000}'.repeat(101)}`;
      const name: unknown = runInNewContext(expression, {
        displayName,
        profile: { displayName },
      });
      expect(String(name).isWellFormed(), expression).to.equal(true);
    }
  });

  it('quotes lines of an example as its file has them', () => {
    const quotations = ['js', 'typescript'].flatMap(blocksIn).filter(({ code }) => QUOTATION.test(code));
    expect(quotations).to.have.length.above(6);
    for (const { page, code } of quotations) {
      const [, file = '', lines = ''] = QUOTATION.exec(code) ?? [];
      expect(textOf(file), page).to.include(lines);
    }
  });

  it('C29: takes the callback URL of BASE_URL, or that of this machine, whatever the Host header says', async function () {
    this.timeout(60_000);
    const serving = [...typescript, ...javascript].filter(
      ({ code }) => CONSTRUCTS.test(code) && code.includes('.listen('),
    );
    expect(serving).to.have.length.above(5);
    for (const { file, code } of serving)
      expect(code, file).to.match(/const baseURL = .*env\.BASE_URL \?\? /);
    for (const block of programs) {
      const [route] = signInRoutes(block.code);
      if (route === undefined) continue;
      for (const base of [undefined, 'https://shop.example']) {
        const settings = settingsAt(sandbox, base === undefined ? {} : { BASE_URL: base });
        const program = await startProgram(fileOf(block), settings);
        const consent = new URL(await new Visitor(program.url).start(route, { host: 'evil.example' }));
        expect(consent.searchParams.get('redirect_uri'), block.file).to.equal(
          `${base ?? 'http://127.0.0.1:3000'}${route.replace('signin', 'callback')}`,
        );
        await program.close();
      }
    }
  });

  it('leads to each guide from README', () => {
    const guides = PAGES.filter((page) => page.startsWith('docs/'));
    expect(guides).to.have.length.above(10);
    for (const guide of guides) expect(textOf('README.md')).to.include(`](${guide})`);
  });

  it('names only scripts that a package.json has, and steps that `npm run step` lists, as do the workflows', async () => {
    const { STEPS } = await import('../tools/step.mjs');
    const folders = ['.', 'sandbox', 'check', 'bench', 'interop'].concat(
      readdirSync(join(ROOT, 'examples')).map((name) => join('examples', name)),
    );
    const manifests = folders.map((folder) => join(folder, 'package.json'));
    const scripts = manifests
      .filter((file) => existsSync(join(ROOT, file)))
      .flatMap((file) => Object.keys((JSON.parse(textOf(file)) as { scripts?: object }).scripts ?? {}));
    const workflows = readdirSync(join(ROOT, '.github/workflows')).map((name) => `.github/workflows/${name}`);
    const named = [...PAGES, ...workflows].flatMap((file) => [
      ...textOf(file).matchAll(/npm run (step -- )?([a-z][\w:-]*)/g),
    ]);
    expect(named).to.have.length.above(15);
    for (const [words, isStep, name = ''] of named)
      expect(isStep ? Object.keys(STEPS) : scripts, words).to.include(name);
  });

  for (const page of PAGES) {
    it(`links only to files and headings that exist, in ${page}`, () => {
      expect(deadLinksOf(page)).to.deep.equal([]);
    });
  }
});

describe('README', () => {
  const page = textOf('README.md');

  it('has a first program that ends if its port is in use, although its sandbox listens', async () => {
    const busy = await serve(() => {});
    const block = programs.find(({ page: name, code }) => name === 'README.md' && code.includes('.listen('));
    const file = writeProgram('busy/app.mjs', `${block?.code}`.replace('listen(3000', `listen(${busy.port}`));
    const { status, stderr } = spawnSync(process.execPath, [file], { encoding: 'utf8', timeout: 20_000 });
    await busy.close();
    removePrograms('busy');
    expect(status).to.equal(1);
    expect(stderr).to.include(`EADDRINUSE: address already in use 127.0.0.1:${busy.port}`);
  }).timeout(30_000);

  it('has the two commands for a clone in its first block, of which .ci/run ends with the second', () => {
    const [first] = blocksIn('sh').filter(({ page: name }) => name === 'README.md');
    const commands = first?.code.split('\n').map((line) => line.split(' #')[0]?.trim());
    expect(commands).to.deep.equal(['npm ci && npm start', 'npm ci && npm test', '']);
    expect(textOf('.ci/run').trimEnd().split('\n').at(-1)).to.equal(commands?.[1]);
    expect(page.split('\n')).to.have.length.at.most(151);
  });

  it('has pictures that exist, and no others are kept', () => {
    const shown = [...page.matchAll(/(?:src|srcset)="([^"]+)"/g)].map(([, file = '']) => file);
    const kept = readdirSync(join(ROOT, 'docs/images')).map((file) => `docs/images/${file}`);
    expect(kept).to.have.members(shown);
  });

  it('compares the packages by what was measured', () => {
    const results = 'bench/peers/results.md';
    const [, date = ''] = /Asked on ([\d-]+)/.exec(textOf(results)) ?? [];
    expect(page).to.include(`asked of each package on ${date}`);
    const rows = tableAfter(results, '<!-- peers -->').map((cells) => cells.slice(0, 8));
    const [ours, ...others] = tableAfter('README.md', '## Compared');
    const own = rows.filter(([name]) => name?.startsWith('passport-social-networks, '));
    expect(others).to.deep.equal(rows.filter((row) => !own.includes(row)));
    expect(own).to.have.length(5);
    // Some protocols have no state or no PKCE.
    const columns = [...Array(8).keys()].slice(1);
    const answers = columns.map((column) => new Set(own.map((row) => row[column])));
    for (const of of answers) of.delete('-');
    expect(answers.map((of) => [...of])).to.deep.equal(ours?.slice(1).map((cell) => [cell]));
  });
});

/** The sign-in routes of a program, written out or made from a list of networks. */
function signInRoutes(code: string): string[] {
  if (!code.includes('.listen(')) return [];
  const networks = ['short-video', 'microblog', 'social-network'].filter((name) =>
    code.includes(`'${name}'`),
  );
  if (code.includes('/api/auth/signin/$')) return networks.map((name) => `/api/auth/signin/${name}`);
  return [...new Set([...code.matchAll(/'(\/api\/auth\/signin\/[\w.-]+)'/g)].map(([, route = '']) => route))];
}

const fileOf = ({ file }: Block) => join(FOLDER, BUILT, file.replace(/ts$/, 'js'));

function firstWords({ file, code }: Block): string {
  return /^\/\/ (.*)/.exec(code)?.[1] ?? file;
}
