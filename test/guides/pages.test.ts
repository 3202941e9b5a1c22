import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { temporaryFolder } from '../support/cleanup.js';
import { blocksOf, ROOT, textOf } from './pages.js';

// `npm run step -- consumers` writes these files and those of the example to projects as `nest new` makes them, compiles them, and logs in. For
// NestJS 11 it changes them as the guide says. The blocks that quote a file of the example are a matter of test/docs.test.ts.
describe('The guide to NestJS', () => {
  const folder = temporaryFolder();

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

/** What people see, in the words of the networks, of Node and of their hosts. */
const SYMPTOMS = [
  ['an empty wallet and a cap', 'credits-depleted', 'spend-cap-reached', 'usage-capped'],
  ['limits', 'Too Many Requests', 'Rate limit exceeded', 'slow_down', 'too much tries', 'Flood control'],
  ['a page for browsers', 'Just a moment...', 'Access Denied', 'a page (HTML or XML'],
  ['a token of another address', 'access_token was given to another ip address'],
  ['an account that is closed', 'account_unusable'],
  ['an application that is blocked', 'application is blocked', 'redirect_uri is blocked'],
  ['a network without IPv6', 'ETIMEDOUT', 'ENETUNREACH', 'no reason given'],
  ['a network that is down', 'ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'EAI_AGAIN', 'socket hang up'],
  ['certificates', 'SELF_SIGNED_CERT_IN_CHAIN', 'CERT_HAS_EXPIRED', 'ERR_TLS_CERT_ALTNAME_INVALID', 'EPROTO'],
  ['fake timers', 'Fake timers'],
  ['values made of nothing', 'has "undefined" where a value is missing', 'stands in quotation marks'],
  [
    'a page that the user has to open',
    'please open redirect_uri in browser',
    'need_captcha',
    'error.userURL',
  ],
  ['a profile that lacks something', 'no e-mail address', 'no picture'],
  ['hosts that change cookies', '__session', 'Firebase', 'multi-value headers', 'Secure over http'],
  ['a host beyond ASCII', 'xn--'],
  ['two protocols', 'option store is required', 'Security Error', 'Code challenge method is unsupported'],
] as const;

describe('The guide to troubleshooting', () => {
  for (const declaration of ['const STATUS', 'type UnreachableCode', 'type MalformedCode']) {
    it(`has an entry for every code of ${declaration}`, () => {
      const source = readFileSync(join(ROOT, 'lib/core/errors/errors.ts'), 'utf8');
      const [, union = ''] = new RegExp(`${declaration} =([^;]+);`).exec(source) ?? [];
      const codes = [...union.matchAll(/^ {2}(?:\| ')?([a-z_]+)/gm)].map(([, code = '']) => code);
      expect(codes).to.have.length.above(5);
      for (const code of [...codes, 'refused', 'rate_limited'])
        expect(textOf(PAGE)).to.match(new RegExp(`^\\| .*\`${code}\``, 'm'));
    });
  }

  for (const [title, ...symptoms] of SYMPTOMS) {
    it(`is found by the symptoms of ${title}`, () => {
      const lines = textOf(PAGE).split('\n');
      // An entry, or a heading, with something to do beside it or below.
      const entries = lines.filter((line) => /^(?:\| .* \| |#+ |- )/.test(line)).join('\n');
      for (const symptom of symptoms) expect(entries).to.include(symptom);
    });
  }
});
