import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { answersOf } from '../support/answers.js';
import { temporaryFolder } from '../support/cleanup.js';

const ROOT = path.join(__dirname, '..', '..');
const GUIDE = readFileSync(path.join(ROOT, 'docs/migrating.md'), 'utf8');

/** File and step -> the type of what a strategy gets there, and the members that it adds itself. */
const TYPES: Readonly<Record<string, readonly [type: string, added?: string]>> = {
  'tiktok token': ['ShortVideoParams'],
  'tiktok profile': ['ShortVideoRecord'],
  'x token': ['MicroblogOAuth2Params'],
  'x profile': ['MicroblogRecord'],
  'x10a profile': ['MicroblogOAuth1Record', '"data": { "id": "1", "name": "", "username": "" }'],
  'vk token': ['SocialNetworkClassicParams'],
  'vk profile': ['{ response: SocialNetworkRecord[] }'],
  'vkid token': ['VkIdParams', '"device_id": "1"'],
  'vkid profile': ['VkIdProfile'],
};

/** What the types must not admit, so that the compiler is known to compare. */
const WRONG = `
// @ts-expect-error An ID is a number.
export const wrongID: SocialNetworkRecord = { id: '1', first_name: '', last_name: '' };
`;

/** A typed constant for each answer with a record or tokens. */
function constantsOf(file: string): string[] {
  return answersOf(file).flatMap(({ id, step, status = 200, body = '', expect: expected }) => {
    const [type, added] = TYPES[`${file} ${step}`] ?? [];
    const isRecord = 'user' in expected || body.includes('"deactivated"');
    if (type === undefined || status !== 200 || !isRecord) return [];
    const value = added === undefined ? body : body.replace('{', `{ ${added},`);
    return [`export const ${id.replaceAll('-', '_')}: ${type} = ${value};`];
  });
}

const keys = "consumerKey: 'a', consumerSecret: 'b'";
const ids = "clientID: 'a', clientSecret: 'b'";
const IN_2_0 =
  "Type 'string' is not assignable to type '{ readonly \"it belongs to OAuth 1.0a: add version: '1.0'\": never; }'.";
/** Mistakes in options -> the program, and what the compiler says of it. */
const MISTAKES: Readonly<Record<string, readonly [program: string, message: string]>> = {
  'consumerKey without a version name the version to add': [
    `new MicroblogStrategy({ ${keys} }, () => {});`,
    IN_2_0,
  ],
  'consumerKey without a version name it at the factory, too': [
    `microblog({ ${keys} }, () => {});`,
    `error TS2322: ${IN_2_0}`,
  ],
  'a mistake in verify with version 1.0 are about 1.0': [
    `new MicroblogStrategy({ version: '1.0', ${keys} }, (_t: string, _s: number) => {});`,
    "is not assignable to parameter of type 'Verify<MicroblogOAuth1Values, false, false, false>'.",
  ],
  'an annotated verify that wants a refresh token from X names the argument, behind "The last overload"': [
    `new MicroblogStrategy({ ${ids} }, (_t: string, refreshToken: string) => refreshToken);`,
    "No overload matches this call.\n  The last overload gave the following error.\n    Argument of type '(_t: string, refreshToken: string) => string'",
  ],
};

/** Annotated functions of applications, as docs/migrating.md says. */
const MOVED = `
const verify = (_t: string, refreshToken: string | undefined, profile: Profile<unknown>, done: VerifyDone) =>
  done(null, { id: profile.id, refreshToken });
const late = (_t: string, _s: string | undefined, profile: Profile<unknown>, done: VerifyCallback) =>
  done(null, { id: profile.id, family: profile.name?.familyName });
const handle = (_t: string, _s: string | undefined, profile: Profile<unknown>, done: VerifyDone) =>
  done(null, { id: profile.id, handle: profile.username!.toLowerCase() });
const params = (_t: string, _r: string | undefined, given: object, profile: Profile<unknown>, done: VerifyDone) =>
  done(null, { id: profile.id, given });
export const addressOf = (params: SocialNetworkParams<'2.0'>): string | undefined => params.email;
const ids = { ${ids} } satisfies MicroblogOAuth2Options satisfies ShortVideoOptions satisfies ClassicOptions;
const vkId: VkIdOptions = { ...ids, version: '2.1' };
const consumer = { ${keys} } satisfies MicroblogOAuth1Options;
new MicroblogStrategy(ids, verify);
new MicroblogStrategy({ version: '1.0', ...consumer }, late);
new MicroblogStrategy({ version: '1.0', ...consumer }, handle);
class Own extends SocialNetworkStrategy {
  override userProfile(_token: string, done: (error?: unknown, profile?: any) => void) {
    done(null, { id: '1' });
  }
}
new Own(ids, verify);
export class Former extends SocialNetworkStrategy {
  // @ts-expect-error TS2416.
  override userProfile(_token: string, done: (error?: Error | null, profile?: unknown) => void) {
    done(null, { id: '1' });
  }
}
new ShortVideoStrategy(ids, (_t: string, refreshToken: string, profile: Profile<unknown>, done: VerifyDone) =>
  done(null, { id: profile.id, refreshToken }));
new SocialNetworkStrategy({ ...ids, passParamsToCallback: true }, params);
new SocialNetworkStrategy({ ...vkId, version: '2.1' }, verify);
const request: MicroblogOAuth2Options & { passReqToCallback: true } = { ...ids, passReqToCallback: true };
new MicroblogStrategy(request, (_req, ...[, , profile, done]) => done(null, { id: profile.id }));
type Former1 = MicroblogOAuth1Options & { version: '1.0'; skipUserProfile: true; passParamsToCallback: true };
const former1: Former1 = { version: '1.0', ...consumer, skipUserProfile: true, passParamsToCallback: true };
new MicroblogStrategy(former1, (_token, _secret, { user_id }, _profile, done) => done(null, { id: user_id }));
const constant = { ...ids, scope: ['tweet.read', 'users.read'], passReqToCallback: true } as const;
new MicroblogStrategy(constant, (_req, _t, refreshToken, profile, done) => done(null, { id: profile.id, refreshToken }));
`;

/** What the compiler says of each program, which all are compiled together. */
function compiled(programs: readonly string[], folder: string): string[] {
  const files = programs.map((_, index) => `program-${index}.ts`);
  for (const [index, program] of programs.entries())
    writeFileSync(path.join(folder, `program-${index}.ts`), program);
  const project = {
    extends: path.join(ROOT, 'tsconfig.json'),
    compilerOptions: { typeRoots: [path.join(ROOT, 'node_modules', '@types')] },
    files,
    include: [],
  };
  writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify(project));
  const compiler = path.join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
  const { stdout } = spawnSync(process.execPath, [compiler, '-p', folder, '--pretty', 'false'], {
    encoding: 'utf8',
  });
  // An error begins with the name of its file.
  const said = stdout.split(/^(?=\S)/m);
  const of = (file: string) => said.filter((error) => error.includes(`${file}(`)).join('');
  expect(files.map(of).join('').length, stdout).to.equal(stdout.length);
  return files.map(of);
}

describe('types', function () {
  this.timeout(120_000);
  const constants = ['tiktok', 'x', 'x10a', 'vk', 'vkid'].flatMap(constantsOf);
  const folder = temporaryFolder();
  let errors: string[];

  before(() => {
    const names = [...new Set(Object.values(TYPES).flatMap(([type]) => type.match(/[A-Z]\w+/g) ?? []))];
    const records = [
      `import type { ${names.join(', ')} } from '${ROOT}/lib/index.js';`,
      ...constants,
      WRONG,
    ].join('\n');
    const mistakes = Object.values(MISTAKES).map(([program]) =>
      [
        `import { MicroblogStrategy } from '${ROOT}/lib/index.js';`,
        `import microblog from '${ROOT}/lib/microblog/index.js';`,
        'export const imported = [MicroblogStrategy, microblog];',
        program,
      ].join('\n'),
    );
    const imported = new Set(MOVED.match(/\b(Profile|VerifyDone|\w+Strategy|\w+Options|\w+Params)\b/g));
    const moved = `import { ${[...imported].join(', ')} } from '${ROOT}/lib/index.js';\nimport type { VerifyCallback } from 'passport-oauth2';\n${MOVED}`;
    errors = compiled([records, ...mistakes, moved], folder);
  });

  it('of the records admit what the networks really answer, with no member unknown', () => {
    expect(constants.length).to.be.above(20);
    expect(errors[0]).to.equal('');
  });

  it('of annotated functions are those that docs/migrating.md names', () => {
    expect(errors.at(-1)).to.equal('');
    for (const name of MOVED.match(/\b(Profile<unknown>|Verify\w+|\w+Options)\b/g) ?? [])
      expect(GUIDE).to.include(name);
  });

  for (const [index, [mistake, [, message]]] of Object.entries(MISTAKES).entries()) {
    it(`of the options: ${mistake}`, () => {
      expect(errors[index + 1])
        .to.include(message)
        .and.not.include("'2.0'");
    });
  }
});
