import { spawnSync } from 'node:child_process';
import type { RequestListener } from 'node:http';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { AnyVerify, Listening, Settings } from './example-app.js';
import { EXAMPLES, FOLDERS } from './folders.js';

/** The methods of a NestJS application that the tests use. */
export interface NestApp {
  init(): Promise<unknown>;
  close(): Promise<unknown>;
  use(...middleware: readonly unknown[]): unknown;
  useGlobalFilters(filter: object): unknown;
  getHttpAdapter(): { getInstance(): RequestListener };
}

/** The compiled modules of a NestJS example that the tests use. */
export interface NestExample {
  readonly app: {
    createApp(settings: object, replacements: object): Promise<NestApp>;
    appModule(settings: object, accounts: object): object;
  };
  readonly settings: {
    readonly Settings: new (networks: Settings['networks'], secret: string, trustProxy?: boolean) => object;
  };
  readonly accounts: { readonly Accounts: new () => object };
  readonly filter: { readonly LoginFilter: new () => object };
}

type Constructor = new (...args: never[]) => object;

/** The exports of NestJS packages that the tests use. */
interface NestPackages {
  readonly core: {
    readonly NestFactory: { create(module: object, options: object): Promise<NestApp> };
  };
  readonly passport: {
    PassportStrategy(strategy: Constructor, name?: string, arity?: true): new (options: object) => object;
    AuthGuard(name: string): new () => NestGuard;
  };
}

/** The methods of NestJS's guard that applications override, and the one that NestJS calls. */
export interface NestGuard {
  canActivate(context: object): Promise<boolean>;
  getAuthenticateOptions(context: object): object | undefined;
}

let isCompiled = false;

/** Compiles the NestJS examples, each with its own compiler. @throws Error with the compiler's output. */
export function compileNest(): void {
  if (isCompiled) return;
  for (const folder of FOLDERS.filter((name) => name.startsWith('nestjs-'))) {
    const project = join(EXAMPLES, folder);
    const compiler = createRequire(join(project, 'package.json')).resolve('typescript/package.json');
    const options = [join(compiler, '..', 'bin', 'tsc'), '-p', project];
    const { status, stdout } = spawnSync(process.execPath, options, { encoding: 'utf8' });
    if (status !== 0) throw new Error(stdout);
  }
  isCompiled = true;
}

/** Loads a compiled example. */
export async function nestExample(folder: string): Promise<NestExample> {
  const load = (name: string): Promise<unknown> =>
    import(pathToFileURL(join(folder, 'dist', `${name}.js`)).href);
  const [app, settings, accounts, filter] = await Promise.all(
    ['app', 'settings', 'accounts', 'login-filter'].map(load),
  );
  return { app, settings, accounts, filter } as NestExample;
}

/** Loads NestJS as an example resolves it. */
export async function nestPackages(folder: string): Promise<NestPackages> {
  const { resolve } = createRequire(join(folder, 'package.json'));
  const load = (name: string): Promise<unknown> => import(pathToFileURL(resolve(name)).href);
  const [core, passport] = await Promise.all(['@nestjs/core', '@nestjs/passport'].map(load));
  return { core, passport } as NestPackages;
}

/** Starts an example. */
export async function loadNest(folder: string, settings: Settings): Promise<Listening> {
  const { app: module, settings: settingsModule } = await nestExample(folder);
  const { networks, secret, trustProxy, verify } = settings;
  const app = await module.createApp(new settingsModule.Settings(networks, secret, trustProxy), {
    logger: nestLogger(settings),
  });
  await app.init();
  if (verify) await validateWith(folder, settings, verify);
  return listening(app);
}

export function listening(app: NestApp): Listening {
  return { listener: app.getHttpAdapter().getInstance(), close: () => app.close() };
}

/** Reports the errors that the application logs. */
export function nestLogger({ report }: Pick<Settings, 'report'>): object {
  return { log: () => {}, warn: () => {}, error: (error: unknown) => report(error) };
}

/** Replaces the short-video strategy with one whose `validate` calls the given verify function. */
async function validateWith(folder: string, { networks }: Settings, verify: AnyVerify): Promise<void> {
  const { passport } = await nestPackages(folder);
  const { ShortVideoStrategy } = await import('passport-social-networks');
  class TestStrategy extends passport.PassportStrategy(ShortVideoStrategy as Constructor) {
    validate(...args: unknown[]): unknown {
      return verify(...args);
    }
  }
  new TestStrategy({ ...networks['short-video'] });
}
