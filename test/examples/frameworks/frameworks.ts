import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Framework, Listening, Settings } from './example-app.js';
import { EXAMPLES } from './folders.js';
import { loadNest } from './nest.js';

type Account = Framework['accountAfter'];

/** With a session, the callback route redirects to the home page, which shows the account. */
const fromSession: Account = async (browser, app, page) => {
  if (page.location !== `${app.url}/`) throw new Error(`no login: HTTP ${page.status} ${page.text}`);
  return (await browser.get(page.location)).json;
};

/** Without a session, the callback route responds with a token for the account. */
const fromToken: Account = async (browser, app, page) => {
  if (page.status !== 200) throw new Error(`no login: HTTP ${page.status} ${page.text}`);
  return (await browser.get(`${app.url}/api/me`, { authorization: `Bearer ${page.json.token}` })).json;
};

function express(title: string, folder: string, sessions?: string): Framework {
  const load = async (settings: Settings) => {
    type Module = { createApp(settings: Settings): RequestListener };
    return { listener: (await importFrom<Module>(folder)).createApp(settings) };
  };
  const accountAfter = sessions === undefined ? fromToken : fromSession;
  return { title, load, accountAfter, ...(sessions !== undefined && { sessions }) };
}

function fastify(plugin: 'session' | 'secure-session'): Framework {
  interface App {
    ready(): Promise<unknown>;
    readonly routing: RequestListener;
    close(): Promise<unknown>;
  }
  const load = async (settings: Settings) => {
    type Module = { createApp(settings: Settings & { plugin: string }): Promise<App> };
    const app = await (await importFrom<Module>('fastify')).createApp({ ...settings, plugin });
    await app.ready();
    return { listener: (req, res) => app.routing(req, res), close: () => app.close() } satisfies Listening;
  };
  return { title: 'Fastify 5', sessions: `@fastify/${plugin}`, load, accountAfter: fromSession };
}

function koa(): Framework {
  const load = async (settings: Settings) => {
    type Module = { createApp(settings: Settings): { callback(): RequestListener } };
    return { listener: (await importFrom<Module>('koa')).createApp(settings).callback() };
  };
  return { title: 'Koa 3', sessions: 'koa-session', load, accountAfter: fromSession };
}

function nest(version: string): Framework {
  const folder = `nestjs-${version}`;
  return {
    title: `NestJS ${version}`,
    sessions: 'express-session',
    load: (settings) => loadNest(join(EXAMPLES, folder), settings),
    accountAfter: fromSession,
  };
}

/** Every framework, with every session middleware that its example supports. */
export const FRAMEWORKS: readonly Framework[] = [
  express('Express 4', 'express-4', 'express-session'),
  express('Express 5', 'express-5', 'express-session'),
  express('Express 5', 'cookie-session', 'cookie-session'),
  express('Express 5', 'sessionless'),
  nest('11'),
  nest('12'),
  fastify('session'),
  fastify('secure-session'),
  koa(),
];

/** The title with the session middleware. */
export function titleOf({ title, sessions = 'no session' }: Framework): string {
  return `${title}, ${sessions}`;
}

/** The examples are ES modules. */
async function importFrom<Module>(folder: string): Promise<Module> {
  return import(pathToFileURL(join(EXAMPLES, folder, 'app.js')).href) as Promise<Module>;
}
