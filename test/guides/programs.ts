import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { type Sandbox, startSandbox } from '../../sandbox/lib/index.js';
import { blocksOf, ROOT } from './pages.js';

/** Inside the package, so that the package's name resolves to its build. Each process has its own, so that test files can run in parallel. */
export const FOLDER = join(ROOT, `build/programs-${process.pid}`);

const PRELOAD = join(__dirname, 'sandbox-addresses.cjs');

/** A running program from the documentation. */
export interface Program {
  /** Base URL of the program's server. */
  readonly url: string;
  /** The output so far, including errors. */
  output(): string;
  close(): Promise<void>;
}

/** Settings for running a program. */
export interface ProgramSettings {
  readonly env?: Readonly<Record<string, string>>;
  /** Replaces the networks' default endpoints. */
  readonly addresses?: NetworkAddresses;
}

/** Network folder -> name in its `endpoints.ts` -> URL. */
export type NetworkAddresses = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Writes code to a file that can import the package by name. @returns The file's path. */
export function writeProgram(file: string, code: string): string {
  const path = join(FOLDER, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, code);
  return path;
}

/** Removes a folder of programs, and the parent folder once it is empty. */
export function removePrograms(folder: string): void {
  rmSync(join(FOLDER, folder), { recursive: true, force: true });
  if (existsSync(FOLDER) && readdirSync(FOLDER).length === 0) rmdirSync(FOLDER);
}

/** How a test runs a program of a page. */
interface Run extends ProgramSettings {
  /** Edits the code. */
  readonly change?: (code: string) => string;
  /** Whether the test needs a process of its own. Tests share one otherwise. */
  readonly isNew?: boolean;
}

/** The programs of a page, with one sandbox that every test finds as new. For the body of a `describe`. */
export function programsOf(page: string) {
  const place = basename(page, '.md');
  const started = new Map<string, Promise<Program>>();
  let sandbox: Sandbox;

  before(async () => {
    sandbox = await startSandbox();
  });
  beforeEach(() => sandbox.reset());
  after(async () => {
    for (const program of started.values()) await (await program).close();
    await sandbox.close();
    removePrograms(place);
  });

  /** Writes the block whose first line names the file. @returns Its path. */
  function write(file: string, change = (code: string) => code): string {
    const block = blocksOf(page).find(({ code }) => code.startsWith(`// ${file}`));
    if (!block) throw new Error(`${page} has no program ${file}`);
    const code = change(block.code);
    const name = code === block.code ? file : `${createHash('sha256').update(code).digest('hex')}-${file}`;
    return writeProgram(`${place}/${name}`, code);
  }

  return {
    sandbox: () => sandbox,
    write,
    /** Starts the block whose first line names the file. */
    start(file: string, { change, isNew, ...settings }: Run = {}): Promise<Program> {
      const path = write(file, change);
      const env = { ...credentialsOf(sandbox), ...settings.env };
      const addresses = settings.addresses ?? addressesOf(sandbox);
      const key = JSON.stringify([path, env, addresses, isNew && started.size]);
      const program = started.get(key) ?? startProgram(path, { env, addresses });
      started.set(key, program);
      return program;
    },
  };
}

/** Starts a program and waits until its server listens. */
export async function startProgram(file: string, settings: ProgramSettings): Promise<Program> {
  const { child, output, ended } = launch(file, settings);
  const port = await Promise.race([
    new Promise<number>((resolve) => child.once('message', (said: { port: number }) => resolve(said.port))),
    ended.then((code) => {
      throw new Error(`the program ended with ${code} before it listened:\n${output()}`);
    }),
  ]);
  return {
    url: `http://127.0.0.1:${port}`,
    output,
    async close() {
      child.kill();
      await ended;
    },
  };
}

/** Runs a program to its end. @returns Exit code and output. */
export async function runProgram(
  file: string,
  settings: ProgramSettings,
): Promise<{ code: number | null; output: string }> {
  const { output, ended } = launch(file, settings);
  return { code: await ended, output: output() };
}

function launch(file: string, { env = {}, addresses = {} }: ProgramSettings) {
  // Without the test process's environment, so that a program fails if it needs other variables.
  const { PATH } = process.env;
  const loader = file.endsWith('.mts') ? ['--import', 'tsx'] : [];
  const child: ChildProcess = spawn(process.execPath, [...loader, '--require', PRELOAD, file], {
    env: { PATH, ...env, NETWORK_ADDRESSES: JSON.stringify(addresses) },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (text += String(chunk)));
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  return { child, ended, output: () => text };
}

/** The endpoints of a sandbox, to replace the networks' default endpoints. */
export function addressesOf(sandbox: Pick<Sandbox, 'options'>): NetworkAddresses {
  const shortVideo = sandbox.options('short-video');
  const microblog = sandbox.options('microblog');
  const older = sandbox.options('microblog', { version: '1.0' });
  const classic = sandbox.options('social-network');
  const vkID = sandbox.options('social-network', { version: '2.1' });
  return {
    'short-video': {
      AUTHORIZATION_URL: shortVideo.authorizationURL,
      TOKEN_URL: shortVideo.tokenURL,
      PROFILE_URL: shortVideo.profileURL,
      REVOCATION_URL: shortVideo.revocationURL,
    },
    microblog: {
      AUTHORIZATION_URL: microblog.authorizationURL,
      TOKEN_URL: microblog.tokenURL,
      LOOKUP_URL: microblog.profileURL,
      REVOCATION_URL: microblog.revocationURL,
      REQUEST_TOKEN_URL: older.requestTokenURL,
      ACCESS_TOKEN_URL: older.accessTokenURL,
      USER_AUTHORIZATION_URL: older.userAuthorizationURL,
      VERIFY_CREDENTIALS_URL: older.profileURL,
      INVALIDATE_TOKEN_URL: older.revocationURL,
    },
    'social-network': {
      AUTHORIZATION_URL: classic.authorizationURL,
      TOKEN_URL: classic.tokenURL,
      PROFILE_URL: classic.profileURL,
      VK_ID_AUTHORIZATION_URL: vkID.authorizationURL,
      VK_ID_TOKEN_URL: vkID.tokenURL,
      VK_ID_PROFILE_URL: vkID.profileURL,
      VK_ID_REVOCATION_URL: vkID.revocationURL,
      VK_ID_LOGOUT_URL: vkID.logoutURL,
    },
  };
}

/** The environment variables that the programs read: the sandbox's credentials and secrets. */
export function credentialsOf(sandbox: Pick<Sandbox, 'options'>): Record<string, string> {
  const older = sandbox.options('microblog', { version: '1.0' });
  const classic = sandbox.options('social-network');
  const vkID = sandbox.options('social-network', { version: '2.1' });
  const pairs = (['short-video', 'microblog'] as const).flatMap((network) => {
    const { clientID, clientSecret } = sandbox.options(network, { client: 'confidential' }) as {
      clientID: string;
      clientSecret: string;
    };
    const name = network.toUpperCase().replace('-', '_');
    return [
      [`${name}_CLIENT_ID`, clientID],
      [`${name}_CLIENT_SECRET`, clientSecret],
    ];
  });
  return {
    ...Object.fromEntries(pairs),
    MICROBLOG_1_0_CLIENT_ID: older.clientID,
    MICROBLOG_1_0_CLIENT_SECRET: older.clientSecret,
    SOCIAL_NETWORK_2_1_CLIENT_ID: vkID.clientID,
    SOCIAL_NETWORK_2_1_CLIENT_SECRET: vkID.clientSecret,
    SOCIAL_NETWORK_CLASSIC_CLIENT_ID: classic.clientID,
    SOCIAL_NETWORK_CLASSIC_CLIENT_SECRET: classic.clientSecret,
    SESSION_SECRET: 'a-session-secret-of-more-than-32-characters',
  };
}

const LENIENT = { noUnusedLocals: false, noUnusedParameters: false };

/** Strict TypeScript, as readers use it. */
export const STRICT = LENIENT;
/** For code that readers copy into a JavaScript project: checks names and arguments, but allows missing types. */
export const JAVASCRIPT = { ...LENIENT, strict: false, exactOptionalPropertyTypes: false };

/** Allows any property on users and sessions, which JavaScript projects do not declare. */
const ANY_PROPERTIES = `
declare global {
  namespace Express {
    interface User { [property: string]: any }
    interface AuthInfo { [property: string]: any }
    interface Request { account?: any }
  }
}
declare module 'express-session' {
  interface SessionData { [property: string]: any }
}
export {};
`;

/** Compiles the files in a folder. @returns The compiler's output, empty on success. */
export function compile(folder: string, compilerOptions: object): Promise<string> {
  const config = join(FOLDER, folder, 'tsconfig.json');
  if (compilerOptions === JAVASCRIPT) writeFileSync(join(FOLDER, folder, 'members.d.ts'), ANY_PROPERTIES);
  const settings = {
    extends: join(ROOT, 'tsconfig.json'),
    compilerOptions: { rootDir: '.', types: ['node'], ...compilerOptions },
    include: ['.'],
  };
  writeFileSync(config, JSON.stringify(settings));
  const compiler = spawn(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', config]);
  let text = '';
  compiler.stdout.on('data', (chunk) => (text += String(chunk)));
  return new Promise((resolve) => compiler.once('close', () => resolve(text)));
}
