// Turns one login at a network into exchanges of the tests. nock records it, and what is confidential or personal is replaced by its shape:
// digits by digits, URLs by URLs. Nothing is written before somebody has read it and typed yes.
import { readFileSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { parseArgs } from 'node:util';
import { Passport } from 'passport';
import { cleanLine } from '../../lib/core/errors/index.js';
import { cookieLogins } from '../../lib/index.js';
import { allSteps, JSON_TYPE, type Step, type StepFile } from '../../test/exchanges/exchange.js';
import { EXCHANGE_NETWORKS } from '../../test/exchanges/networks.js';
import { Redactor } from './redact.js';

import express = require('express');
import nock = require('nock');

const HELP = `npm run step -- record <short-video | microblog | social-network>
  --version 1.0 | 2.1    the other protocol of microblog or social-network
  --env-file FILE        has the credentials, such as MICROBLOG_CLIENT_ID and MICROBLOG_CLIENT_SECRET; default: the environment
  --option NAME=VALUE    an option of the strategy, such as scope or callbackURL; more than one is possible
  --port NUMBER          default: 3000
  --revoke               revokes the token at the end
  --folder FOLDER        default: test/exchanges`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    version: { type: 'string' },
    'env-file': { type: 'string' },
    option: { type: 'string', multiple: true, default: [] },
    port: { type: 'string', default: '3000' },
    revoke: { type: 'boolean', default: false },
    folder: { type: 'string', default: join(__dirname, '../../test/exchanges') },
  },
});
const [provider = ''] = positionals;
const found = [...EXCHANGE_NETWORKS].find(
  ([, { name, options }]) => name === provider && options.version === values.version,
);
if (found) void record(...found);
else {
  console.error(HELP);
  process.exitCode = 1;
}

interface Login {
  readonly tokens?: readonly [accessToken: string, refreshToken: string | undefined, params: object];
  readonly ending: string;
}

async function record(
  folder: string,
  network: typeof EXCHANGE_NETWORKS extends ReadonlyMap<string, infer N> ? N : never,
): Promise<void> {
  if (values['env-file'] !== undefined) process.loadEnvFile(values['env-file']);
  const prefix = `${provider}${values.version === '2.1' ? '-vk-id' : values.version ? `-${values.version}` : ''}`;
  const variable = (name: string) => process.env[`${prefix.toUpperCase().replace(/\W/g, '_')}_${name}`];
  const credentials = Object.entries({
    clientID: variable('CLIENT_ID'),
    clientSecret: variable('CLIENT_SECRET'),
    serviceToken: variable('SERVICE_TOKEN'),
  }).filter(([, value]) => value !== undefined);
  const chosen = Object.fromEntries(values.option.map((text) => text.split(/=(.*)/s, 2))) as Record<
    string,
    string
  >;
  const options = { ...chosen, ...(chosen.includeEmail && { includeEmail: chosen.includeEmail === 'true' }) };
  const app = express();
  const server = app.listen(Number(values.port), '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const callbackURL = chosen.callbackURL ?? `${origin}/api/auth/callback/${provider}`;
  let tokens: Login['tokens'];
  const strategy = network.strategy(
    {
      store: cookieLogins({ secrets: crypto.randomUUID() }),
      ...(values.version !== undefined && { version: values.version }),
      ...Object.fromEntries(credentials),
      ...options,
      callbackURL,
    },
    (accessToken, refreshToken, params, _profile, done) => {
      tokens = [accessToken, refreshToken, params];
      done(null, {});
    },
  );
  const passport = new Passport().use(strategy);
  const steps = allSteps([values.folder]).filter((step) => step.folder === folder);
  const stepOf = ({ method = 'GET', path, body }: nock.Definition) =>
    steps.find(({ shared }) => {
      const [pathname = ''] = String(path).split('?');
      const type = new URLSearchParams(typeof body === 'string' ? body : '').get('grant_type') ?? undefined;
      const isPlace = pathname.endsWith(shared.path.split('?')[0] ?? '');
      return shared.method === method && isPlace && shared.body?.grant_type === type;
    });
  // Only a callback that had a token request is one of a login of this program.
  const hasToken = () =>
    recorded().some((definition) => /^(access-)?token$/.test(stepOf(definition)?.step ?? ''));
  nock.recorder.rec({ output_objects: true, dont_print: true, enable_reqheaders_recording: true });
  const callback = await new Promise<Login & { readonly query: URLSearchParams }>((resolve) => {
    app.get('/', passport.authenticate(provider, { session: false }));
    app.get(new URL(callbackURL).pathname, (req, res, next) => {
      const earlier = recorded().length;
      const finish = (error: unknown, user?: unknown, info?: unknown, status?: unknown) => {
        const query = new URLSearchParams(req.url.split('?')[1]);
        const ending = user
          ? 'The login succeeded.'
          : `The login failed: ${cleanLine(messageOf(error ?? info))}`;
        const isOwn = recorded().length > earlier && hasToken();
        if (!isOwn) console.log(`No login of this program: a callback with ${namesIn(query)}.`);
        res.status(isOwn || typeof status !== 'number' ? 200 : status).send('See the terminal.');
        if (isOwn) resolve({ query, ending, ...(tokens && { tokens }) });
      };
      (passport.authenticate(provider, { session: false }, finish) as express.RequestHandler)(req, res, next);
    });
    console.log(`Redirect URI, to be registered at the network: ${callbackURL}`);
    console.log(`Open ${origin}/ in a browser and log in.`);
  });
  console.log(callback.ending);
  if (callback.tokens) {
    const [accessToken, second, params] = callback.tokens;
    const { device_id: device } = params as { readonly device_id?: string };
    const isOAuth1 = network.key === 'oauth_token';
    if (network.calls.refresh && second) await report('refresh', strategy.refresh(second, device));
    if (values.revoke) await report('revoke', strategy.revoke(accessToken, isOAuth1 ? second : undefined));
  }
  const definitions = recorded();
  nock.restore();
  server.close();
  server.closeAllConnections();
  const secrets = [...credentials.map(([, value]) => String(value)), ...callback.query.values()];
  const redactor = new Redactor(steps, secrets, variable('SERVICE_TOKEN'));
  const strategyOptions = {
    ...Object.fromEntries(Object.entries(options).filter(([name]) => !name.endsWith('URL'))),
    ...(variable('SERVICE_TOKEN') !== undefined && { serviceToken: 'SERVICE-TOKEN' }),
  };
  const day = new Date().toISOString().slice(0, 10);
  const written = definitions.flatMap((definition) => {
    const step = stepOf(definition);
    if (!step) return [];
    const names = step.step.endsWith('token')
      ? `; parameters of the authorization response: ${namesIn(callback.query)}`
      : '';
    const source = `recorded: ${folder} at ${step.shared.scope}, ${day}${names}`;
    return [
      {
        step,
        entry: {
          source,
          ...(Object.keys(strategyOptions).length > 0 && { strategy: strategyOptions }),
          ...entryOf(definition, step, redactor),
        },
      },
    ];
  });
  const shown = written.map(
    ({ step, entry }) => `--- ${folder}/${step.step}.json\n${JSON.stringify(entry, null, 2)}`,
  );
  redactor.refuse(shown.join('\n'));
  console.log(`\nThis is what would be written:\n\n${shown.join('\n')}\n`);
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const question = `Is nothing private in it? Type yes to write these ${written.length} exchanges: `;
  const closed = new Promise<string>((resolve) => terminal.once('close', () => resolve('')));
  const answer = await Promise.race([terminal.question(question), closed]);
  terminal.close();
  if (answer.trim() !== 'yes') return console.log('\nNothing was written.');
  for (const { step, entry } of written) {
    const file = join(values.folder, folder, `${step.step}.json`);
    const content = JSON.parse(readFileSync(file, 'utf8')) as {
      exchanges: Record<string, unknown>;
    } & StepFile;
    const names = Array.from(
      { length: 100 },
      (_, index) => `recorded-${day}${index === 0 ? '' : `-${index + 1}`}`,
    );
    const name = names.find((candidate) => !Object.hasOwn(content.exchanges, candidate)) as string;
    content.exchanges[name] = entry;
    writeFileSync(file, `${JSON.stringify(content, null, 2)}\n`);
    console.log(`written: ${name} in ${file}`);
  }
}

const recorded = () => nock.recorder.play() as nock.Definition[];

/** Names that came with a callback can hold anything. */
const namesIn = (query: URLSearchParams) =>
  cleanLine([...new Set(query.keys())].sort().join(', ')) ?? 'no parameters';

const messageOf = (error: unknown) => (error as { readonly message?: string } | undefined)?.message ?? '';

async function report(step: string, call: Promise<unknown>): Promise<void> {
  const [{ status, ...ended }] = await Promise.allSettled([call]);
  const reason = 'reason' in ended ? `failed: ${cleanLine(messageOf(ended.reason))}` : 'succeeded.';
  console.log(status === 'fulfilled' ? `The ${step} succeeded.` : `The ${step} ${reason}`);
}

/** What the exchange has besides what its step shares. */
function entryOf(definition: nock.Definition, step: Step, redactor: Redactor): object {
  const { shared } = step;
  const { status = 200, response, rawHeaders } = definition;
  const sent = new URLSearchParams(typeof definition.body === 'string' ? definition.body : '');
  const body = Object.fromEntries(
    [...sent].map(([name, value]) => [name, redactor.parameter(step, name, value)]),
  );
  const [pathname] = shared.path.split('?');
  const query = [...new URLSearchParams(String(definition.path).split('?')[1])].map(
    ([name, value]) =>
      `${encodeURIComponent(name)}=${encodeURIComponent(redactor.parameter(step, name, value))}`,
  );
  const path = `${pathname}${query.length > 0 ? `?${query.join('&')}` : ''}`;
  const headers = redactor.headers(rawHeaders as unknown as Readonly<Record<string, string>>);
  const isUsual = (one: object, other: object) => JSON.stringify(one) === JSON.stringify(other);
  return {
    ...(status !== 200 && { status }),
    ...(path !== shared.path && { path }),
    ...(sent.size > 0 && !isUsual(body, shared.body ?? {}) && { body }),
    ...(!isUsual(headers, JSON_TYPE) && { rawHeaders: headers }),
    response: redactor.response(step, response, status >= 300),
  };
}
