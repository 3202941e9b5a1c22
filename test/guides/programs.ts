import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Sandbox } from '../../sandbox/lib/index.js';
import { Browser, type Page } from '../support/browser.js';
import { redirectOf } from '../support/journey.js';
import { Program, type Serving } from '../support/process.js';
import { oneSandbox, variablesOf } from '../support/sandbox.js';
import { blocksOf, ROOT } from './pages.js';

/** Inside the package, so that the package's name resolves to its build. Each process has its own, so that test files can run in parallel. */
export const FOLDER = join(ROOT, `build/programs-${process.pid}`);

const PRELOAD = join(__dirname, 'sandbox-addresses.cjs');

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

export function removePrograms(folder: string): void {
  rmSync(join(FOLDER, folder), { recursive: true, force: true });
  if (existsSync(FOLDER) && readdirSync(FOLDER).length === 0) rmdirSync(FOLDER);
}

/** How a test runs a program of a page. */
interface Run extends ProgramSettings {
  readonly change?: (code: string) => string;
  /** Whether the test needs a process of its own. Tests share one otherwise. */
  readonly isNew?: boolean;
}

/** The programs of a page, with one sandbox that every test finds as new. For the body of a `describe`. */
export function programsOf(page: string) {
  const place = basename(page, '.md');
  const started = new Map<string, Promise<Serving>>();
  const sandbox = oneSandbox();

  beforeEach(() => sandbox.reset());
  after(async () => {
    for (const program of started.values()) await (await program).close();
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
    /** What the sandbox was asked for in this test, in order. */
    endpoints: () => sandbox.requests().map(({ endpoint }) => endpoint),
    write,
    start: (file: string, { change, isNew, env, addresses }: Run = {}): Promise<Serving> => {
      const path = write(file, change);
      const all = { ...settingsAt(sandbox, env), ...(addresses && { addresses }) };
      const key = JSON.stringify([path, all, isNew && started.size]);
      const program = started.get(key) ?? startProgram(path, all);
      started.set(key, program);
      return program;
    },
  };
}

/** Starts a program and waits until its server listens. */
export async function startProgram(file: string, settings: ProgramSettings): Promise<Serving> {
  const program = launch(file, settings);
  const { port } = await program.says<{ readonly port: number }>();
  return Object.assign(program, { url: `http://127.0.0.1:${port}` });
}

/** Runs a program to its end. @returns Exit code and output. */
export async function runProgram(file: string, settings: ProgramSettings) {
  const program = launch(file, settings);
  const { code } = await program.ended();
  return { code, output: program.text };
}

function launch(file: string, { env = {}, addresses = {} }: ProgramSettings): Program {
  // Without the test process's environment, so that a program fails if it needs other variables.
  const environment = { PATH: process.env.PATH, ...env, NETWORK_ADDRESSES: JSON.stringify(addresses) };
  const loader = file.endsWith('.mts') ? ['--import', 'tsx'] : [];
  return new Program([...loader, '--require', PRELOAD, file], environment, dirname(file));
}

/** The sandbox's options -> the names of their URLs in `endpoints.ts`, where those are not the options' own. */
const ENDPOINTS: readonly {
  readonly of: Parameters<Sandbox['options']>;
  readonly prefix?: string;
  readonly names?: Readonly<Record<string, string>>;
}[] = [
  { of: ['short-video'] },
  { of: ['microblog'], names: { PROFILE_URL: 'LOOKUP_URL' } },
  {
    of: ['microblog', { version: '1.0' }],
    names: { PROFILE_URL: 'VERIFY_CREDENTIALS_URL', REVOCATION_URL: 'INVALIDATE_TOKEN_URL' },
  },
  { of: ['social-network'] },
  { of: ['social-network', { version: '2.1' }], prefix: 'VK_ID_' },
];

export function addressesOf(sandbox: Pick<Sandbox, 'options'>): NetworkAddresses {
  const addresses: Record<string, Record<string, string>> = {};
  for (const { of, prefix = '', names = {} } of ENDPOINTS) {
    const urls = Object.entries(sandbox.options(...of)).flatMap(([option, url]) => {
      const name = option.replace(/(?<=[a-z])(?=[A-Z])/g, '_').toUpperCase();
      return name.endsWith('_URL') ? [[`${prefix}${names[name] ?? name}`, String(url)]] : [];
    });
    addresses[of[0]] = { ...addresses[of[0]], ...Object.fromEntries(urls) };
  }
  return addresses;
}

/** Puts an application with sessions below the `routes` of a program. `user` is what its verify returns. */
export const withSessions = (user: string) => (code: string) =>
  `${code}
import express from 'express';
import session from 'express-session';
import { MicroblogStrategy } from 'passport-social-networks';

const { MICROBLOG_CLIENT_ID: clientID, MICROBLOG_CLIENT_SECRET: clientSecret } = process.env;
const verify = async (accessToken, _refreshToken, { id, displayName: name }) => (${user});
passport.use(new MicroblogStrategy({ clientID, clientSecret }, verify));
passport.serializeUser((user, done) => done(null, user));
passport.deserializeUser((user, done) => done(null, user));
const app = express();
app.use(session({ secret: 's', resave: false, saveUninitialized: false }), passport.session(), routes);
app.get('/api/auth/signin/microblog', passport.authenticate('microblog'));
app.get('/api/auth/callback/microblog', passport.authenticate('microblog', { successRedirect: '/' }));
app.get('/{*path}', ({ path, user }, res) => {
  if (path !== '/page') return res.json({ path, user });
  res.send(user ? 'Hello ' + user.name : '<button>Log in</button><script src="/page.js"></script>');
});
app.listen();
`;

/** What a program needs to log in at a sandbox: its addresses, and environment variables with its credentials and secrets. */
export const settingsAt = (sandbox: Pick<Sandbox, 'options'>, env: ProgramSettings['env'] = {}) => ({
  addresses: addressesOf(sandbox),
  env: {
    ...variablesOf({
      SHORT_VIDEO: sandbox.options('short-video', { client: 'confidential' }),
      MICROBLOG: sandbox.options('microblog', { client: 'confidential' }),
      MICROBLOG_1_0: sandbox.options('microblog', { version: '1.0' }),
      SOCIAL_NETWORK_VK_ID: sandbox.options('social-network', { version: '2.1' }),
      SOCIAL_NETWORK_CLASSIC: sandbox.options('social-network'),
    }),
    SESSION_SECRET: 'a-session-secret-of-more-than-32-characters',
    ...env,
  },
});

export class Visitor {
  private readonly browser = new Browser();

  constructor(private readonly app: string) {}

  get cookies(): string {
    return this.browser.cookieHeader(this.app);
  }

  /**
   * Opens a page of the application. Ignores the URL's host and port, because the examples register
   * `https://localhost:3000/...` but listen on a port of the test.
   */
  async open(url: string, headers: Readonly<Record<string, string>> = {}): Promise<Page> {
    const { pathname, search } = new URL(url, this.app);
    return this.browser.get(`${this.app}${pathname}${search}`, headers);
  }

  async post(path: string, form: Readonly<Record<string, string>> = {}): Promise<Page> {
    return this.browser.post(`${this.app}${path}`, form);
  }

  /** Starts a login. @returns The URL of the network's consent page. */
  async start(path: string, headers?: Readonly<Record<string, string>>): Promise<string> {
    return redirectOf(await this.open(path, headers));
  }

  /** Submits the sandbox's consent page. @returns The URL with the authorization response. */
  async consent(url: string, choices = 'auto=allow&person=alice'): Promise<string> {
    return redirectOf(await new Browser().get(`${url}&${choices}`));
  }

  async logIn(path: string, choices?: string): Promise<Page> {
    return this.follow(await this.open(await this.consent(await this.start(path), choices)));
  }

  /** Logs in while a login of anna is in progress, which finishes after that. @returns The final page of each. */
  async logInTwice(path: string, choices?: string): Promise<[first: Page, later: Page]> {
    const late = await this.consent(await this.start(path), 'auto=allow&person=anna');
    return [await this.logIn(path, choices), await this.follow(await this.open(late))];
  }

  async follow(page: Page): Promise<Page> {
    return page.location === '' ? page : this.follow(await this.open(page.location));
  }
}

/** Strict TypeScript, as readers use it. */
export const STRICT = { noUnusedLocals: false, noUnusedParameters: false };
/** For code that readers copy into a JavaScript project: checks names and arguments, but allows missing types. */
export const JAVASCRIPT = { ...STRICT, strict: false, exactOptionalPropertyTypes: false };

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
export async function compile(folder: string, compilerOptions: object): Promise<string> {
  const config = join(FOLDER, folder, 'tsconfig.json');
  if (compilerOptions === JAVASCRIPT) writeFileSync(join(FOLDER, folder, 'members.d.ts'), ANY_PROPERTIES);
  const settings = {
    extends: join(ROOT, 'tsconfig.json'),
    compilerOptions: { rootDir: '.', types: ['node'], ...compilerOptions },
    include: ['.'],
  };
  writeFileSync(config, JSON.stringify(settings));
  const compiler = new Program([join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', config], process.env);
  return (await compiler.ended()).output;
}
