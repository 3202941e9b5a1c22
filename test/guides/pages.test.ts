import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import session from 'koa-session';
import { LOGIN_SCOPES } from '../../lib/microblog/facts.js';
import { BASE_FIELD } from '../../lib/social-network/fields.js';
import { closesAfterEach } from '../support/cleanup.js';
import { realSockets } from '../support/real-sockets.js';
import { serve } from '../support/server.js';
import { blocksOf, ROOT, textOf } from './pages.js';

import Koa = require('koa');
import koaPassport = require('koa-passport');

describe('The pages about the networks', () => {
  it('say that X’s scopes go together', () => {
    expect(textOf('docs/x.md')).to.include(`The scopes \`${LOGIN_SCOPES.join(' ')}\` go together`);
  });

  it('name the one field that is always requested from VK', () => {
    expect(textOf('docs/vk.md')).to.include(`\`profileFields\` adds to \`${BASE_FIELD}\`.`);
  });
});

// `npm run step -- consumers` writes these files and those of the example to projects as `nest new` makes them, compiles them, and logs in. For
// NestJS 11 it changes them as the guide says. The blocks that quote a file of the example are a matter of test/docs.test.ts.
describe('The guide to NestJS', () => {
  const folder = mkdtempSync(join(tmpdir(), 'nestjs-guide-'));
  after(() => rmSync(folder, { recursive: true }));

  it('names the file of every block that is no quotation, and shows it as the formatter and the linter want it', () => {
    const blocks = ['docs/nestjs.md', 'examples/nestjs/README.md']
      .flatMap(blocksOf)
      .filter(({ language, code }) => language === 'typescript' && !code.startsWith('// examples/'));
    const names = blocks.map(({ code }) => /^\/\/ (\S+\.ts)\n/.exec(code)?.[1] ?? '');
    expect(names).to.include.members(['fastify.ts', 'token.module.ts', 'app.e2e-spec.ts']);
    expect([...new Set(names)])
      .to.deep.equal(names)
      .and.to.not.include('');
    for (const [index, { code }] of blocks.entries()) writeFileSync(join(folder, `${names[index]}`), code);
    // The example has the settings for NestJS's decorators.
    const { javascript, linter } = JSON.parse(readFileSync(join(ROOT, 'examples/nestjs/biome.json'), 'utf8'));
    const config = { extends: [join(ROOT, 'biome.json')], javascript, linter };
    writeFileSync(join(folder, 'biome.json'), JSON.stringify(config));
    const biome = [join(ROOT, 'node_modules/@biomejs/biome/bin/biome'), 'ci', '--colors=off', ...names];
    const { status, stderr } = spawnSync(process.execPath, biome, { cwd: folder, encoding: 'utf8' });
    expect(status, stderr).to.equal(0);
  });
});

const PAGE = 'docs/troubleshooting.md';

describe('The guide to troubleshooting', () => {
  it("has a heading with the title of each of the sandbox's error pages", () => {
    const sources = readdirSync(join(ROOT, 'sandbox/lib'), { recursive: true, encoding: 'utf8' });
    const titles = sources
      .filter((file) => file.endsWith('.ts'))
      .flatMap((file) => [
        ...readFileSync(join(ROOT, 'sandbox/lib', file), 'utf8').matchAll(
          /errorPage\(\{\s*title: '([^']+)'/g,
        ),
      ])
      .map(([, title = '']) => title);
    expect(titles).to.include.members(['Something went wrong', 'Whoa there!', 'Authorization error']);
    const headings = textOf(PAGE).match(/^### .*$/gm) ?? [];
    for (const title of titles) expect(headings.join('\n')).to.include(title);
  });

  for (const type of ['LoginFailureCode', 'UnreachableCode', 'MalformedCode']) {
    it(`has an entry for every ${type}`, () => {
      const source = readFileSync(join(ROOT, 'lib/core/errors/errors.ts'), 'utf8');
      const [, union = ''] = new RegExp(`type ${type} =([^;]+);`).exec(source) ?? [];
      const codes = [...union.matchAll(/'(\w+)'/g)].map(([, code = '']) => code);
      expect(codes).to.have.length.above(5);
      for (const code of [...codes, 'refused', 'rate_limited'])
        expect(textOf(PAGE)).to.match(new RegExp(`^\\| .*\`${code}\``, 'm'));
    });
  }
});

/** koa-passport has this class beside its default instance; its types do not. */
const { KoaPassport } = koaPassport as unknown as { KoaPassport: new () => typeof koaPassport };

type Done = (error: unknown, id: unknown) => void;

describe('The messages of Koa in the guide to troubleshooting', () => {
  realSockets();
  const closing = closesAfterEach();

  /** An application that logs its user in at `/login`, and answers elsewhere. */
  async function start(serialize: (user: unknown, done: Done) => unknown, secure = false) {
    const app = new Koa();
    app.silent = true;
    app.keys = ['secret'];
    const passport = new KoaPassport();
    passport.serializeUser(serialize);
    app.use(session({ secure }, app)).use(passport.initialize());
    app.use(async (ctx) => {
      if (ctx.path === '/login') await ctx.logIn({ id: 'alice' });
      ctx.body = 'done';
    });
    return { app, ...closing(await serve(app.callback())) };
  }

  it('a login waits for ever if serializeUser does not call done', async () => {
    let serialized = () => {};
    const wasCalled = new Promise<void>((resolve) => {
      serialized = resolve;
    });
    const { url } = await start(async () => serialized());
    const login = new AbortController();
    let isAnswered = false;
    const answer = fetch(`${url}/login`, { signal: login.signal }).then(
      () => {
        isAnswered = true;
      },
      () => undefined,
    );
    await wasCalled;
    // Later requests are answered meanwhile.
    for (let request = 0; request < 3; request += 1) expect((await fetch(url)).status).to.equal(200);
    expect(isAnswered).to.equal(false);
    login.abort();
    await answer;
    expect(textOf(PAGE)).to.include('\n| The login never ends: serializeUser(async ...) |');
  });

  it('a secure cookie over http is an error of Koa, with the text of the heading', async () => {
    const { app, url } = await start((_user, done) => done(null, 'alice'), true);
    const failed = once(app, 'error') as Promise<[Error]>;
    const response = await fetch(`${url}/login`);
    expect([response.status, await response.text()]).to.deep.equal([500, 'Internal Server Error']);
    const [{ message }] = await failed;
    expect(textOf(PAGE)).to.include(`\n| ${message} |`);
  });
});
