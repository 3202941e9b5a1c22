// Turns one login at a network into exchanges of the tests. nock records it, and what is confidential or personal is replaced by its shape:
// digits by digits, URLs by URLs. Nothing is written before somebody has read it and typed yes.
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { isDeepStrictEqual, parseArgs } from 'node:util';
import { Passport } from 'passport';
import { cleanLine, cleanText } from '../lib/core/errors/index.js';
import { cookieLogins } from '../lib/index.js';
import { allSteps, JSON_TYPE, type Step, type StepFile } from '../test/exchanges/exchange.js';
import { EXCHANGE_NETWORKS, type ExchangeNetwork } from '../test/exchanges/play.js';

import express = require('express');
import nock = require('nock');

/** Headers of a response that say something about the network; the others are left out. */
const HEADERS =
  /^(content-type|retry-after|location|www-authenticate|x-access-level|x-rate-limit-.*|x-tt-logid)$/;
const HELP = `npm run step -- record <short-video | microblog | social-network>, which revokes the token at the end
  --version 1.0 | 2.1    the other protocol of microblog or social-network
  --env-file FILE        has the credentials, such as MICROBLOG_CLIENT_ID and MICROBLOG_CLIENT_SECRET; default: the environment
  --option NAME=VALUE    an option of the strategy, such as scope or callbackURL; more than one is possible
  --port NUMBER          default: 3000
  --folder FOLDER        default: test/exchanges`;

const CONFIDENTIAL =
  /token(?!_type)|secret|verifier|^(code|state|device_id|client_id|client_key|redirect_uri)$/i;
/** What stays: where it is, its name and its value. */
const PUBLIC = [
  // What a strategy sends of its own.
  /^request (grant_type|fields|user\.fields|tweet\.fields|expansions|v|lang|skip_status|include_\w+)=[\w.,]+$/,
  /^header content-type=(application|text)\/[a-z.+-]+(; ?charset=[\w-]+)?$/,
  /^\w+ scope=[a-z][a-z._]*([ ,][a-z][a-z._]*)*$/,
  /^\w+ \w+=(true|false|bearer)$/i,
  /^error (code|error|error_code|error_reason|error_subcode|error_type|type|status)=([a-z]{2,20}(_[a-z]{2,20}){0,5}|\d{1,5})$/,
];
const MESSAGES = /^(|error|error_description|error_msg|error_text|message|detail|title|reason)$/;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    version: { type: 'string' },
    'env-file': { type: 'string' },
    option: { type: 'string', multiple: true, default: [] },
    port: { type: 'string', default: '3000' },
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
  const [clientID, clientSecret, serviceToken] = ['CLIENT_ID', 'CLIENT_SECRET', 'SERVICE_TOKEN'].map(
    (name) => process.env[`${prefix.toUpperCase().replace(/\W/g, '_')}_${name}`] || undefined,
  );
  const options = values.option.map((text): [string, unknown] => {
    const [name = '', value] = text.split(/=(.*)/s, 2);
    return [name, name === 'includeEmail' ? value === 'true' : value];
  });
  const chosen = options.filter(([name]) => !name.endsWith('URL'));
  if (serviceToken) chosen.push(['serviceToken', 'SERVICE-TOKEN']);
  const steps = allSteps([values.folder]).filter((step) => step.folder === folder);

  const credentials = { clientID, clientSecret, ...(serviceToken && { serviceToken }) };
  const query = await logIn(network, { ...credentials, ...Object.fromEntries(options) });
  const definitions = nock.recorder.play() as nock.Definition[];
  nock.restore();

  const secrets = [...Object.values(credentials), ...query.values()].filter((one) => one !== undefined);
  const redactor = new Redactor(steps, secrets, serviceToken);
  const day = new Date().toISOString().slice(0, 10);
  const written = definitions.flatMap((definition) => {
    const step = stepOf(steps, definition);
    if (!step) return [];
    const entry = {
      source: `recorded: ${folder} at ${step.shared.scope}, ${day}`,
      ...(chosen.length > 0 && { strategy: Object.fromEntries(chosen) }),
      ...entryOf(definition, step, redactor),
    };
    return [{ file: `${folder}/${step.step}.json`, entry }];
  });
  const shown = written.map(({ file, entry }) => `--- ${file}\n${JSON.stringify(entry, null, 2)}`).join('\n');
  if (redactor.isRevealing(shown)) throw new Error('A secret was not replaced. Nothing is written.');
  console.log(`\nThis is what would be written:\n\n${shown}\n`);
  console.log(`Is nothing private in it? Type yes to write these ${written.length} exchanges:`);
  const [answer] = (await once(createInterface(process.stdin), 'line')) as [string];
  process.stdin.destroy();
  if (answer.trim() !== 'yes') return console.log('\nNothing was written.');
  for (const { file, entry } of written) {
    const path = join(values.folder, file);
    const content = JSON.parse(readFileSync(path, 'utf8')) as StepFile & {
      exchanges: Record<string, unknown>;
    };
    const name = `recorded-${day}-${Object.keys(content.exchanges).length}`;
    content.exchanges[name] = entry;
    writeFileSync(path, `${JSON.stringify(content, null, 2)}\n`);
    console.log(`written: ${name} in ${path}`);
  }
}

/** Waits for a login of this program, while nock records, and for what it does afterwards. @returns What came with the callback. */
async function logIn(network: ExchangeNetwork, options: Record<string, unknown>) {
  const app = express();
  const server = app.listen(Number(values.port), '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { callbackURL = `${origin}/api/auth/callback/${provider}` } = options as { callbackURL?: string };
  let useTokens = async () => {};
  const strategy = network.strategy(
    { store: cookieLogins({ secrets: crypto.randomUUID() }), version, ...options, callbackURL },
    (accessToken, second, params, _profile, done) => {
      useTokens = async () => {
        const { device_id: device } = params as { readonly device_id?: string };
        const secret = network.key === 'oauth_token' ? second : undefined;
        if (network.calls.refresh && second) await report('refresh', strategy.refresh(second, device));
        if (network.calls.revoke) await report('revoke', strategy.revoke(accessToken, secret));
      };
      done(null, {});
    },
  );
  const passport = new Passport().use(strategy);
  nock.recorder.rec({ output_objects: true, dont_print: true });
  const query = await new Promise<URLSearchParams>((resolve) => {
    app.get('/', passport.authenticate(provider, { session: false }));
    app.get(new URL(callbackURL).pathname, (req, res, next) => {
      const finish = (error: unknown, user?: unknown, info?: unknown, status?: unknown) => {
        // A callback of no login of this program is a failure, and the network's refusal an error.
        res.status(error || user ? 200 : Number(status)).send('See the terminal.');
        if (!error && !user) return console.log(`Still waiting: ${messageOf(info)}`);
        console.log(user ? 'The login succeeded.' : `The login failed: ${messageOf(error)}`);
        resolve(new URLSearchParams(req.url.split('?')[1]));
      };
      (passport.authenticate(provider, { session: false }, finish) as express.RequestHandler)(req, res, next);
    });
    console.log(`Redirect URI, to be registered at the network: ${callbackURL}`);
    console.log(`Open ${origin}/ in a browser and log in.`);
  });
  server.close();
  server.closeAllConnections();
  await useTokens();
  return query;
}

function stepOf(steps: readonly Step[], { method = 'GET', path, body }: nock.Definition): Step | undefined {
  const [pathname = ''] = String(path).split('?');
  const type = formOf(body).get('grant_type') ?? undefined;
  return steps.find(({ shared }) => {
    const isPlace = pathname.endsWith(shared.path.split('?')[0] ?? '');
    return shared.method === method && isPlace && shared.body?.grant_type === type;
  });
}

const formOf = (body: unknown) => new URLSearchParams(typeof body === 'string' ? body : '');

/** What the exchange has besides what its step shares. */
function entryOf(definition: nock.Definition, { shared, exchanges }: Step, redactor: Redactor): object {
  const { status = 200, response, rawHeaders } = definition;
  const [body = {}, query = {}] = [definition.body, String(definition.path).split('?')[1]].map((form) =>
    Object(redactor.value('request', Object.fromEntries(formOf(form)), shared)),
  );
  const search = String(new URLSearchParams(query)).replaceAll('+', '%20');
  const path = [shared.path.split('?')[0], search].filter(Boolean).join('?');
  const kept = Object.entries(rawHeaders ?? {}).filter(([name]) => HEADERS.test(name));
  const headers = redactor.value('header', Object.fromEntries(kept), undefined);
  return {
    ...(status !== 200 && { status }),
    ...(path !== shared.path && { path }),
    ...(Object.keys(body).length > 0 && !isDeepStrictEqual(body, shared.body) && { body }),
    ...(!isDeepStrictEqual(headers, JSON_TYPE) && { rawHeaders: headers }),
    response: redactor.value(status < 300 ? 'response' : 'error', response, exchanges.success?.response),
  };
}

const messageOf = (error: unknown) =>
  cleanLine((error as { readonly message?: string } | undefined)?.message);

async function report(step: string, call: Promise<unknown>): Promise<void> {
  const failed = (error: unknown) => `failed: ${messageOf(error)}`;
  console.log(`The ${step} ${await call.then(() => 'succeeded.', failed)}`);
}

/**
 * Replaces what is confidential or personal by its shape: each digit by 1, each letter by x or X. What the tests' exchanges have already, under
 * the same name, is public, and so are the words of their messages. Tokens become the fixed values of the exchanges.
 */
class Redactor {
  /** Confidential value -> the fixed value of the exchanges. */
  private readonly fixed = new Map<string, string>();
  private readonly known: string;
  private readonly words: ReadonlySet<string>;

  /** @param secrets - Credentials, and what came with the callback. */
  constructor(
    steps: readonly Step[],
    private readonly secrets: string[],
    serviceToken = '',
  ) {
    this.fixed.set(serviceToken, 'SERVICE-TOKEN');
    this.known = JSON.stringify(steps);
    this.words = new Set(this.known.match(/\p{L}+/gu));
  }

  isRevealing(text: string): boolean {
    const unknown = this.secrets.filter((secret) => secret.length >= 8 && !this.known.includes(secret));
    return unknown.some((secret) => text.includes(secret));
  }

  /**
   * A value of JSON, and everything in it. A string without a name can be a form.
   *
   * @param usual - What the exchanges have in its place.
   */
  value(
    place: 'request' | 'header' | 'response' | 'error',
    value: unknown,
    usual: unknown,
    name = '',
  ): unknown {
    if (Array.isArray(value)) return value.map((item) => this.value(place, item, usual, name));
    if (typeof value === 'object' && value !== null) {
      const members = Object.entries(value).map(([key, item]: [string, unknown]) => {
        const shown = /^[A-Za-z][\w.-]{0,39}$/.test(key) && !/\d{5}/.test(key) ? key : shapeOf(key);
        // TikTok's success has an `error`, too.
        return [shown, this.value(key === 'error' ? 'error' : place, item, usual, shown)];
      });
      return Object.fromEntries(members) as object;
    }
    if (value === '' || (typeof value !== 'string' && typeof value !== 'number')) return value;
    if (name === '' && /^[\w.%~+-]+=\S*$/.test(String(value))) {
      const form = Object.fromEntries(new URLSearchParams(String(value)));
      return String(new URLSearchParams(this.value(place, form, usual) as Record<string, string>));
    }
    const pair = `${JSON.stringify(name)}:${JSON.stringify(value)}`;
    const isKnown = !CONFIDENTIAL.test(name) && this.known.includes(pair);
    if (isKnown || PUBLIC.some((shape) => shape.test(`${place} ${name}=${value}`))) return value;
    if (typeof value === 'number') return Number(shapeOf(String(value)));
    if (place === 'error' && MESSAGES.test(name)) return this.sentence(value);
    if (!CONFIDENTIAL.test(name)) return this.fixed.get(value) ?? this.shape(value);
    const pattern = new RegExp(`\\b${name}(?:":"|=)([^"&]+)`);
    const [, found = this.shape(value)] = pattern.exec(JSON.stringify(usual) ?? '') ?? [];
    const replacement = this.fixed.get(value) ?? found;
    this.secrets.push(value);
    this.fixed.set(value, replacement);
    return replacement;
  }

  /** Of URLs, the hosts and words that the exchanges have stay. */
  private shape(value: string): string {
    if (!/^https?:\/\/\S+$/.test(value) || !URL.canParse(value)) return shapeOf(value);
    const { protocol, host, pathname, search } = new URL(value);
    const kept = this.known.includes(`/${host}`) ? host : 'www.example.com';
    const path = decodeURIComponent(pathname).replace(/[\p{L}\p{N}]+/gu, (word) => this.word(word));
    const query = search.replace(/=[^&]*/g, (text) => shapeOf(decodeURIComponent(text)));
    return `${protocol}//${kept}${path}${query}`;
  }

  /** A message keeps the words that the exchanges have, and codes. */
  private sentence(text: string): string {
    const clean = cleanText(text, this.secrets) ?? '';
    return clean.replace(/(?<!\[)[\p{L}\p{N}_]+/gu, (word) =>
      /^[a-z]+(_[a-z]+)+$/.test(word) ? word : this.word(word),
    );
  }

  private word(word: string): string {
    return this.words.has(word) ? word : shapeOf(word);
  }
}

function shapeOf(text: string): string {
  return text
    .replace(/\p{L}/gu, (letter) => (letter === letter.toLowerCase() ? 'x' : 'X'))
    .replace(/\p{N}/gu, '1')
    .replace(/\p{C}/gu, '?');
}
