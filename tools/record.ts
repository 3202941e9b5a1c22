// Turns one login at a network into exchanges of the tests. nock records it, and what is confidential or personal is replaced by its shape:
// digits by digits, URLs by URLs. Nothing is written before somebody has read it and typed yes.
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { Passport } from 'passport';
import { cleanLine } from '../lib/core/errors/index.js';
import { cookieLogins } from '../lib/index.js';
import { allSteps, JSON_TYPE, type Step, type StepFile } from '../test/exchanges/exchange.js';
import { EXCHANGE_NETWORKS, type ExchangeNetwork } from '../test/exchanges/play.js';
import { Redactor } from './redactor.js';

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
    folder: { type: 'string', default: join(__dirname, '../test/exchanges') },
  },
});
const [provider = ''] = positionals;
const { version } = values;
const found = [...EXCHANGE_NETWORKS].find(
  ([, { name, options }]) => name === provider && options.version === version,
);
if (found) void record(...found);
else {
  console.error(HELP);
  process.exitCode = 1;
}

async function record(folder: string, network: ExchangeNetwork): Promise<void> {
  if (values['env-file'] !== undefined) process.loadEnvFile(values['env-file']);
  const prefix = provider + (version === '2.1' ? '-vk-id' : version ? `-${version}` : '');
  const variable = (name: string) => process.env[`${prefix.toUpperCase().replace(/\W/g, '_')}_${name}`];
  const [clientID = '', clientSecret, serviceToken] = ['CLIENT_ID', 'CLIENT_SECRET', 'SERVICE_TOKEN'].map(
    variable,
  );
  const credentials = {
    clientID,
    ...(clientSecret && { clientSecret }),
    ...(serviceToken && { serviceToken }),
  };
  const steps = allSteps([values.folder]).filter((step) => step.folder === folder);
  const options: Record<string, unknown> = Object.fromEntries(
    values.option.map((text) => text.split(/=(.*)/s, 2)),
  );
  if ('includeEmail' in options) options.includeEmail = options.includeEmail === 'true';

  const { query, tokens, strategy } = await logIn(network, steps, credentials, options);
  if (tokens) {
    const [accessToken, second, params] = tokens;
    const { device_id: device } = params as { readonly device_id?: string };
    const isOAuth1 = network.key === 'oauth_token';
    if (network.calls.refresh && second) await report('refresh', strategy.refresh(second, device));
    if (values.revoke) await report('revoke', strategy.revoke(accessToken, isOAuth1 ? second : undefined));
  }
  const definitions = recorded();
  nock.restore();

  const redactor = new Redactor(steps, [...Object.values(credentials), ...query.values()], serviceToken);
  const chosen = Object.entries(options).filter(([name]) => !name.endsWith('URL'));
  if (serviceToken) chosen.push(['serviceToken', 'SERVICE-TOKEN']);
  const day = new Date().toISOString().slice(0, 10);
  const written = definitions.flatMap((definition) => {
    const step = stepOf(steps, definition);
    if (!step) return [];
    const entry = {
      source: `recorded: ${folder} at ${step.shared.scope}, ${day}`,
      ...(chosen.length > 0 && { strategy: Object.fromEntries(chosen) }),
      ...entryOf(definition, step, redactor),
    };
    return [{ step: step.step, entry }];
  });
  const shown = written.map(
    ({ step, entry }) => `--- ${folder}/${step}.json\n${JSON.stringify(entry, null, 2)}`,
  );
  redactor.refuse(shown.join('\n'));
  console.log(`\nThis is what would be written:\n\n${shown.join('\n')}\n`);
  console.log(`Is nothing private in it? Type yes to write these ${written.length} exchanges:`);
  const [answer] = (await once(createInterface(process.stdin), 'line')) as [string];
  process.stdin.destroy();
  if (answer.trim() !== 'yes') return console.log('\nNothing was written.');
  for (const { step, entry } of written) {
    const file = join(values.folder, folder, `${step}.json`);
    const content = JSON.parse(readFileSync(file, 'utf8')) as StepFile & {
      exchanges: Record<string, unknown>;
    };
    let name = `recorded-${day}`;
    for (let count = 2; Object.hasOwn(content.exchanges, name); count += 1) name = `recorded-${day}-${count}`;
    content.exchanges[name] = entry;
    writeFileSync(file, `${JSON.stringify(content, null, 2)}\n`);
    console.log(`written: ${name} in ${file}`);
  }
}

/** Waits for a login of this program, while nock records. */
async function logIn(
  network: ExchangeNetwork,
  steps: readonly Step[],
  credentials: object,
  options: Record<string, unknown>,
) {
  const app = express();
  const server = app.listen(Number(values.port), '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const usual = `${origin}/api/auth/callback/${provider}`;
  const callbackURL = typeof options.callbackURL === 'string' ? options.callbackURL : usual;
  let tokens: readonly [accessToken: string, second: string | undefined, params: object] | undefined;
  const store = cookieLogins({ secrets: crypto.randomUUID() });
  const strategy = network.strategy(
    { store, ...(version !== undefined && { version }), ...credentials, ...options, callbackURL },
    (accessToken, second, params, _profile, done) => {
      tokens = [accessToken, second, params];
      done(null, {});
    },
  );
  const passport = new Passport().use(strategy);
  nock.recorder.rec({ output_objects: true, dont_print: true, enable_reqheaders_recording: true });
  const query = await new Promise<URLSearchParams>((resolve) => {
    app.get('/', passport.authenticate(provider, { session: false }));
    app.get(new URL(callbackURL).pathname, (req, res, next) => {
      const earlier = recorded().length;
      const finish = (error: unknown, user?: unknown, info?: unknown, status?: unknown) => {
        // Only a callback that had a token request is one of a login of this program.
        const isOwn = recorded()
          .slice(earlier)
          .some((definition) => /^(access-)?token$/.test(stepOf(steps, definition)?.step ?? ''));
        res.status(isOwn || typeof status !== 'number' ? 200 : status).send('See the terminal.');
        if (!isOwn) return console.log('A callback without a login of this program.');
        console.log(user ? 'The login succeeded.' : `The login failed: ${messageOf(error ?? info)}`);
        resolve(new URLSearchParams(req.url.split('?')[1]));
      };
      (passport.authenticate(provider, { session: false }, finish) as express.RequestHandler)(req, res, next);
    });
    console.log(`Redirect URI, to be registered at the network: ${callbackURL}`);
    console.log(`Open ${origin}/ in a browser and log in.`);
  });
  server.close();
  server.closeAllConnections();
  return { query, strategy, tokens };
}

const recorded = () => nock.recorder.play() as nock.Definition[];

function stepOf(steps: readonly Step[], { method = 'GET', path, body }: nock.Definition): Step | undefined {
  const [pathname = ''] = String(path).split('?');
  const type = new URLSearchParams(typeof body === 'string' ? body : '').get('grant_type') ?? undefined;
  return steps.find(({ shared }) => {
    const isPlace = pathname.endsWith(shared.path.split('?')[0] ?? '');
    return shared.method === method && isPlace && shared.body?.grant_type === type;
  });
}

/** What the exchange has besides what its step shares. */
function entryOf(definition: nock.Definition, step: Step, redactor: Redactor): object {
  const { shared } = step;
  const { status = 200, response, rawHeaders } = definition;
  const sent = new URLSearchParams(typeof definition.body === 'string' ? definition.body : '');
  const body = Object.fromEntries(redactor.parameters(step, sent));
  const query = redactor
    .parameters(step, new URLSearchParams(String(definition.path).split('?')[1]))
    .map((pair) => pair.map(encodeURIComponent).join('='));
  const path = [shared.path.split('?')[0], ...(query.length > 0 ? [query.join('&')] : [])].join('?');
  const headers = redactor.headers(rawHeaders as unknown as Readonly<Record<string, string>>);
  const isUsual = (one: object, other: object) => JSON.stringify(one) === JSON.stringify(other);
  return {
    ...(status !== 200 && { status }),
    ...(path !== shared.path && { path }),
    ...(sent.size > 0 && !isUsual(body, shared.body ?? {}) && { body }),
    ...(!isUsual(headers, JSON_TYPE) && { rawHeaders: headers }),
    response: redactor.body(step, response, status >= 300),
  };
}

const messageOf = (error: unknown) =>
  cleanLine((error as { readonly message?: string } | undefined)?.message);

async function report(step: string, call: Promise<unknown>): Promise<void> {
  const failed = (error: unknown) => `failed: ${messageOf(error)}`;
  console.log(`The ${step} ${await call.then(() => 'succeeded.', failed)}`);
}
