import { join } from 'node:path';
import { expect } from 'chai';
import { type Sandbox, startSandbox } from '../sandbox/lib/index.js';
import { compile, JAVASCRIPT, STRICT } from './guides/compiler.js';
import { type Block, blocksIn, deadLinksOf, PAGES, textOf } from './guides/pages.js';
import {
  addressesOf,
  credentialsOf,
  FOLDER,
  removePrograms,
  runProgram,
  startProgram,
  writeProgram,
} from './guides/programs.js';
import { Visitor } from './guides/visitor.js';
import { expectPage } from './support/page.js';
import { PRINT_SESSION_SIZES, sendForgedResponses } from './support/session-sizes.js';

const BUILT = 'blocks';
// A block that is marked `alone` declares a type for all others, so its guide's test compiles it.
const typescript = blocksIn('ts').filter(({ marks }) => !marks.includes('alone'));
const javascript = blocksIn('js');
const programs = [...typescript, ...javascript].filter(({ marks }) => marks.includes('run'));

const WITH_SANDBOX = join('README', 'with-sandbox.mts');

describe('the documentation', () => {
  let sandbox: Sandbox;
  let errors: { ts: string; js: string };

  before(async function () {
    this.timeout(60_000);
    for (const { file, code } of typescript) writeProgram(join('ts', file), `${code}\nexport {};\n`);
    writeProgram(join('ts', WITH_SANDBOX), firstProgramWithSandbox());
    for (const { file, code } of javascript) {
      writeProgram(join('js', file), file.endsWith('.cjs') ? code : `${code}\nexport {};\n`);
      writeProgram(join(BUILT, file), code);
    }
    const [ts, js] = await Promise.all([
      compile('ts', { ...STRICT, noEmit: false, outDir: join('..', BUILT) }),
      compile('js', JAVASCRIPT),
    ]);
    errors = { ts, js };
    sandbox = await startSandbox();
  });

  after(async () => {
    await sandbox.close();
    for (const folder of ['ts', 'js', BUILT]) removePrograms(folder);
  });

  it('has TypeScript blocks that compile against the built package', () => {
    expect(typescript).to.have.length.above(20);
    expect(errors.ts).to.equal('');
  });

  it('has JavaScript blocks whose names, arguments and imports exist', () => {
    expect(javascript).to.have.length.above(10);
    expect(errors.js).to.equal('');
  });

  it('has programs that can run', () => {
    expect(programs).to.have.length.above(6);
  });

  it('has a first program that runs with the sandbox, without credentials, as the README says', async function () {
    this.timeout(30_000);
    const program = await startProgram(join(FOLDER, BUILT, WITH_SANDBOX.replace(/ts$/, 'js')), {
      env: { SESSION_SECRET: 'SESSION-SECRET', ...PRINT_SESSION_SIZES },
    });
    try {
      const visitor = new Visitor(program.url);
      const page = await visitor.logIn('/api/auth/signin/short-video');
      expectPage(page.text).toHave('"name":"Alice Example"', 'action="/signout"');
      const after = await visitor.follow(await visitor.post('/signout'));
      expectPage(after.text).toHave('href="/api/auth/signin/short-video"');
      const declined = await visitor.logIn('/api/auth/signin/microblog', 'auto=deny');
      expect(declined.text).to.equal('The user declined the login at the network.');
      expect(program.output()).to.match(/^Open http:\/\/127\.0\.0\.1:3000\n(stored.*\n)*The user declined/);
      const forger = new Visitor(program.url);
      await sendForgedResponses(
        (path) => forger.open(path),
        () => program.output(),
      );
    } finally {
      await program.close();
    }
  });

  for (const block of programs) {
    it(`has a program that runs unchanged, in ${block.page}: ${firstWords(block)}`, async function () {
      this.timeout(30_000);
      const file = join(FOLDER, BUILT, block.file.replace(/ts$/, 'js'));
      const settings = { addresses: addressesOf(sandbox), env: credentialsOf(sandbox) };
      const routes = signInRoutes(block.code);
      if (routes.length === 0) {
        expect(await runProgram(file, settings)).to.include({ code: 0 });
        return;
      }
      const program = await startProgram(file, settings);
      try {
        for (const route of routes) {
          const page = await new Visitor(program.url).logIn(route);
          expect(`${page.status} ${page.text} ${program.output()}`).to.match(/^200 .*Alice Example/s);
        }
      } finally {
        await program.close();
      }
    });
  }

  it('has an index that links to every guide', () => {
    const index = textOf('docs/README.md');
    const guides = PAGES.filter((page) => page.startsWith('docs/') && page !== 'docs/README.md');
    expect(guides.filter((page) => !index.includes(`](${page.slice('docs/'.length)})`))).to.deep.equal([]);
  });

  for (const page of PAGES) {
    it(`links only to files and headings that exist, in ${page}`, () => {
      expect(deadLinksOf(page)).to.deep.equal([]);
    });
  }
});

/** The first program of the README, with the README's changes for readers without credentials. */
function firstProgramWithSandbox(): string {
  const [first, second] = typescript.filter(({ page }) => page === 'README.md');
  const network = (variable: string) => variable.toLowerCase().replace('_', '-');
  const program = first?.code.replace(
    /\{ clientID: env\.(\w+)_CLIENT_ID!, (?:clientSecret: env\.\w+!|(version: '2\.1')) \}/g,
    (_credentials, variable: string, version?: string) =>
      `{ ...sandbox.options('${network(variable)}'${version ? `, { ${version} }` : ''}) }`,
  );
  const sandbox = second?.code.match(/^(import \{ startSandbox|const sandbox).*$/gm) ?? [];
  return `${sandbox.join('\n')}\n${program}`;
}

/** The sign-in routes of a program, written out or made from a list of networks. */
function signInRoutes(code: string): string[] {
  if (!code.includes('.listen(')) return [];
  const networks = ['short-video', 'microblog', 'social-network'].filter((name) =>
    code.includes(`'${name}'`),
  );
  if (code.includes('/api/auth/signin/$')) return networks.map((name) => `/api/auth/signin/${name}`);
  return [...new Set([...code.matchAll(/'(\/api\/auth\/signin\/[\w.-]+)'/g)].map(([, route = '']) => route))];
}

function firstWords({ file, code }: Block): string {
  return /^\/\/ (.*)/.exec(code)?.[1] ?? file;
}
