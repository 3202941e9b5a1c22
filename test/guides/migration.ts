import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Profile } from '../../lib/index.js';
import type { Closeable } from '../support/cleanup.js';
import { logIn } from '../support/journey.js';
import { loginApp, type NamedStrategy } from '../support/login-app.js';
import { tableAfter, textOf } from './pages.js';

type Verify = (token: string, refreshToken: unknown, profile: Profile<unknown>, done: Done) => void;
type Done = (error: unknown, user?: object) => void;
export type AnyStrategy = new (options: object, verify: Verify) => NamedStrategy;

/** Reads a package's example from its own documentation. */
export function documentedExample(peer: string): string {
  return readFileSync(join(__dirname, 'peers', `${peer}.txt`), 'utf8');
}

/**
 * Applies a guide's diff to an example.
 *
 * @throws Error if the diff does not match the example line by line.
 */
export function migrated(page: string, example: string): string {
  const [, diff = ''] = /^```diff\n(.*?)^```$/ms.exec(textOf(page)) ?? [];
  const lines = diff.trimEnd().split('\n');
  const side = (sign: '-' | '+') =>
    lines
      .filter((line) => line === '' || line.startsWith(' ') || line.startsWith(sign))
      .map((line) => `${line.slice(1)}\n`)
      .join('');
  if (side('-') !== example) throw new Error(`the diff in ${page} does not match the documented example`);
  return side('+');
}

/** Completes a documented example, which is a fragment, with an application, sessions and users. */
export function completed(example: string, constants: Readonly<Record<string, string>>): string {
  const known = Object.entries(constants).map(
    ([name, variable]) => `const ${name} = process.env.${variable};`,
  );
  if (/^import /m.test(example)) {
    return `${known.join('\n')}\n${example}\napp.get('/', (req, res) => res.json(req.user));\napp.listen(3000);\nexport {};\n`;
  }
  const sessions = example.includes('serializeUser')
    ? ''
    : `passport.serializeUser((user, done) => done(null, user));
passport.deserializeUser((user, done) => done(null, user));`;
  return `${known.join('\n')}
const express = require('express');
const session = require('express-session');
const passport = require('passport');
const app = express();
app.use(session({ secret: 'SESSION-SECRET', resave: false, saveUninitialized: false }));
app.use(passport.initialize());
app.use(passport.session());
const users = new Map();
const User = {
  findOrCreate(query, done = (error, user) => {}) {
    const user = { id: JSON.stringify(query), ...query };
    users.set(user.id, user);
    done(null, user);
    return Promise.resolve(user);
  },
  findById: (id) => Promise.resolve(users.get(id)),
};
${sessions}
${example}
app.get('/', (req, res) => res.json(req.user));
app.listen(3000);
`;
}

/** The JavaScript expressions with which a guide replaces the fields of the other package's profile. */
export function profileExpressions(page: string): string[] {
  return tableAfter(page, '## Profile').flatMap(([, here = '']) => /^`(.+)`$/.exec(here)?.[1] ?? []);
}

/** The names of the options in a guide. */
export function optionNames(page: string): string[] {
  return tableAfter(page, '## Options').flatMap(([, here = '']) =>
    [...here.matchAll(/`(\w+)(?::[^`]*)?`/g)].map(([, name = '']) => name),
  );
}

/** Evaluates `profile.a[0].b`, `Number(profile.id)` or `JSON.parse(profile._raw)`. */
export function evaluate(expression: string, profile: object): unknown {
  const [, call, path = expression] = /^([\w.]+)\((.*)\)$/.exec(expression) ?? [];
  const found = path
    .split(/[.[\]]+/)
    .filter(Boolean)
    .slice(1)
    .reduce<unknown>((value, name) => (value as Record<string, unknown> | undefined)?.[name], profile);
  if (call === 'Number') return Number(found);
  return call === 'JSON.parse' ? JSON.parse(String(found)) : found;
}

/** Logs in with a strategy. @returns The profile that verify got. */
export async function profileWith(
  [Strategy, options]: [AnyStrategy, object],
  closing: <T extends Closeable>(opened: T) => T,
): Promise<Profile<unknown>> {
  const profiles: Profile<unknown>[] = [];
  const strategy = new Strategy(options, (_token, _refreshToken, profile, done) => {
    profiles.push(profile);
    done(null, { id: profile.id });
  });
  await logIn(closing(await loginApp(strategy)), strategy.name);
  const [profile] = profiles;
  if (profile === undefined) throw new Error(`${strategy.name} logged nobody in`);
  return profile;
}
