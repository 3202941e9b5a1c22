import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ShortVideoStrategy } from 'passport-social-networks';
import type { Sandbox, SandboxFaultRule, SandboxPerson } from '../../../sandbox/lib/index.js';
import { protocolOf, type Subject, subjects } from '../../contract/strategies.js';
import type { Browser } from '../../support/browser.js';
import {
  type Any,
  EXAMPLES,
  fastifyListening,
  from,
  type Listening,
  listening,
} from '../../support/frameworks.js';
import { redirectOf } from '../../support/journey.js';
import type { TestServer } from '../../support/server.js';
import type { AnyFunction } from '../../support/verification.js';

import passport = require('passport');

export const SECRET = 'a-secret-of-at-least-thirty-two-characters';

export interface Settings {
  /** Options by strategy name. */
  readonly networks: Readonly<Record<string, object>>;
  readonly secret: string;
  readonly trustProxy?: boolean;
  /** @default the example's verify function */
  readonly verify?: AnyFunction;
  /** Called with each error that the example logs. */
  readonly report: (error: unknown) => void;
}

export interface ExampleApp extends TestServer {
  readonly reports: Error[];
}

export async function listen(
  load: (settings: Pick<Settings, 'secret' | 'report'>) => Promise<Listening>,
): Promise<ExampleApp> {
  const reports: Error[] = [];
  const app = await load({ secret: SECRET, report: (error) => reports.push(error as Error) });
  return { ...(await listening(app)), reports };
}

/** An example with one of its session plugins. */
export interface Framework {
  readonly title: string;
  readonly load: (settings: Settings) => Promise<Listening>;
  /** Answers with the application's own token instead of a session. */
  readonly sessionless?: true;
}

const moduleOf = (file: string): Promise<Any> => import(pathToFileURL(join(EXAMPLES, file)).href);

export const NEST = { 'NestJS 11': 'nestjs-11', 'NestJS 12': 'nestjs' } as const;

type Constructor = new (...args: never[]) => object;

/** The methods of NestJS's guard that applications override, and the one that NestJS calls. */
export interface NestGuard {
  canActivate(context: object): Promise<boolean>;
  getAuthenticateOptions(context: object): object | undefined;
}

interface NestPassport {
  PassportStrategy(strategy: Constructor, name?: string, arity?: true): new (options: object) => object;
  AuthGuard(name: string): new () => NestGuard;
}

/** Loads a package as a NestJS example resolves it. Those of NestJS 12 are ES modules. */
export async function nestPackage(folder: string, name: string) {
  const { resolve } = createRequire(join(EXAMPLES, folder, 'package.json'));
  return import(pathToFileURL(resolve(name)).href);
}

export const nestPassport = (folder: string): Promise<NestPassport> =>
  nestPackage(folder, '@nestjs/passport');

async function nest(folder: string, { networks, secret, trustProxy, verify, report }: Settings) {
  const { AppModule } = await moduleOf(`${folder}/dist/app.module.js`);
  const { useSessions } = await moduleOf(`${folder}/dist/sessions.js`);
  const { Settings: NestSettings } = await moduleOf(`${folder}/dist/settings.js`);
  const { NestFactory } = await nestPackage(folder, '@nestjs/core');
  // Passport keeps the serializer of every application in the process, and asks the first one.
  Object.assign(passport, { _serializers: [], _deserializers: [] });
  const app: Any = await NestFactory.create(
    AppModule.register(new NestSettings(networks, secret, trustProxy)),
    { logger: { log: () => {}, warn: () => {}, error: report }, abortOnError: false },
  );
  useSessions(app);
  await app.init();
  if (verify) {
    // Takes the place of the example's strategy with this name.
    const nestjs = await nestPassport(folder);
    class TestStrategy extends nestjs.PassportStrategy(ShortVideoStrategy as Constructor) {
      validate(...args: unknown[]): unknown {
        return verify?.(...args);
      }
    }
    new TestStrategy({ ...networks['short-video'] });
  }
  return { listener: app.getHttpAdapter().getInstance(), close: () => app.close() };
}

const expressApp = async (folder: string, settings: Settings & { readonly sessions?: unknown }) => ({
  listener: (await moduleOf(`${folder}/app.js`)).createApp(settings),
});

/** Every framework, with every session plugin that its example supports. */
export const FRAMEWORKS: readonly Framework[] = [
  { title: 'Express 4, express-session', load: (settings) => expressApp('express-4', settings) },
  { title: 'Express 5, express-session', load: (settings) => expressApp('express', settings) },
  {
    title: 'Express 5, cookie-session',
    load: async (settings) => {
      const { cookieSessions } = await moduleOf('express/cookie-session.js');
      return expressApp('express', { ...settings, sessions: cookieSessions });
    },
  },
  {
    title: 'Express 5, no session',
    sessionless: true,
    load: async (settings) => ({
      listener: (await moduleOf('express/sessionless.js')).createSessionlessApp(settings),
    }),
  },
  ...Object.entries(NEST).map(([version, folder]) => ({
    title: `${version}, express-session`,
    load: (settings: Settings) => nest(folder, settings),
  })),
  ...['session', 'secure-session'].map((plugin) => ({
    title: `Fastify 5, @fastify/${plugin}`,
    load: async (settings: Settings) =>
      fastifyListening(await (await moduleOf('fastify/app.js')).createApp({ ...settings, plugin })),
  })),
  {
    title: 'Koa 3, koa-session',
    load: async (settings) => ({ listener: (await moduleOf('koa/app.js')).createApp(settings).callback() }),
  },
];

let isPrepared = false;

/** Copies and compiles what the examples share. @throws Error with the compiler's output. */
export function prepareExamples(): void {
  if (isPrepared) return;
  for (const [folder, original] of [
    ['express-4', 'express'],
    ['nestjs-11', 'nestjs'],
  ] as const) {
    runNode([join(EXAMPLES, 'shared/copy.mjs'), join('..', original)], folder);
  }
  for (const folder of Object.values(NEST)) {
    const compiler = createRequire(join(EXAMPLES, folder, 'package.json')).resolve('typescript/package.json');
    runNode([join(compiler, '..', 'bin', 'tsc')], folder);
  }
  // As late as a database: Fastify answers twice where a handler does not wait for it.
  const { prototype } = from('fastify', '@fastify/session').MemoryStore;
  for (const name of ['get', 'set', 'destroy']) {
    const method = prototype[name];
    prototype[name] = function late(this: Any, ...values: Any[]) {
      setImmediate(() => method.apply(this, values));
    };
  }
  isPrepared = true;
}

function runNode(options: readonly string[], folder: string): void {
  const cwd = join(EXAMPLES, folder);
  const { status, stdout, stderr } = spawnSync(process.execPath, options, { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(stdout + stderr);
}

/** What the shared tests know of a protocol. The strategy's name is also the last segment of the examples' routes. */
function networkOf(protocol: string) {
  const subject = subjects().find((one) => protocolOf(one) === protocol) as Subject;
  const { provider: network, options, identify, faults } = subject;
  const version = faults.version as SandboxFaultRule['version'];
  const tokenRequest = { network, endpoint: faults.token, ...(version && { version }) };
  const name = protocol.replace('2.1', 'vk-id').replace(/\W/g, '-');
  return { name, options, identify, tokenRequest };
}
export type Network = ReturnType<typeof networkOf>;
export const SHORT_VIDEO = networkOf('short-video');
export const MICROBLOG = networkOf('microblog');
export const MICROBLOG_1_0 = networkOf('microblog 1.0');
const OTHERS = ['social-network', 'social-network 2.1'].map(networkOf);
export const NETWORKS: readonly Network[] = [SHORT_VIDEO, MICROBLOG, MICROBLOG_1_0, ...OTHERS];

/** The options of every network at a sandbox, in the examples' format. */
export const sandboxNetworks = (sandbox: Sandbox): Readonly<Record<string, object>> =>
  Object.fromEntries(NETWORKS.map(({ name, options }) => [name, options(sandbox)]));

/** The account that an example creates for a sandbox user. */
export function accountOf({ name, identify }: Network, { people }: Sandbox, person: string): object {
  const found = people.find(({ id }) => id === person) as SandboxPerson;
  return { provider: name, id: identify(found), displayName: found.displayName };
}

/** Starts a login at an example. @returns The URL of the authorization request. */
export async function begin(browser: Browser, app: { readonly url: string }, name: string): Promise<string> {
  return redirectOf(await browser.get(`${app.url}/api/auth/signin/${name}`));
}
