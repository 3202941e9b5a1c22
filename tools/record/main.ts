import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { loadEnvFile } from 'node:process';
import { createInterface } from 'node:readline';
import { isDeepStrictEqual, parseArgs } from 'node:util';
import { cleanLine } from '../../lib/core/errors/index.js';
import { protocolOf, type Subject, subjects } from '../../test/contract/strategies.js';
import {
  allExchanges,
  allSteps,
  completeExchange,
  type Entry,
  type Exchange,
  type Step,
  type StepFile,
  usualError,
} from '../../test/exchanges/exchange.js';
import { EXCHANGE_NETWORKS, type ExchangeNetwork } from '../../test/exchanges/networks.js';
import { NOW, playExchange } from '../../test/exchanges/play.js';
import { messageOf, type Origin, redact, toEvidence } from './exchanges.js';
import { type Recording, recordLogin } from './login.js';
import { HEADERS } from './redact.js';

import nock = require('nock');

// Turns one login at a network into exchanges of the suite. CONTRIBUTING.md shows what it prints.

const ROOT = join(__dirname, '..', '..');
const EXCHANGES = join(ROOT, 'test', 'exchanges');
const BIOME = join(ROOT, 'node_modules', '@biomejs', 'biome', 'bin', 'biome');

const HELP = `npm run step -- record <network> [options]

  --version <version>       the protocol: 1.0 for OAuth 1.0a at microblog, 2.1 for VK ID at social-network
  --env-file <file>         has the credentials, for example SHORT_VIDEO_CLIENT_ID and SHORT_VIDEO_CLIENT_SECRET
  --option <name>=<value>   an option of the strategy, for example scope, includeEmail, callbackURL; may be repeated
  --port <port>             the port of the application on this machine (default: 3000)
  --revoke                  also revoke the token
  --folder <path>           where the exchanges go (default: test/exchanges)
`;

interface Settings {
  readonly protocol: string;
  /** `<network>/<version>` */
  readonly folder: string;
  readonly network: ExchangeNetwork;
  readonly options: Readonly<Record<string, unknown>>;
  readonly port: number;
  readonly revokes: boolean;
  readonly root: string;
}

async function main(words: readonly string[]): Promise<number> {
  const settings = readSettings(words);
  if (!settings) {
    print(HELP);
    return 0;
  }
  const { protocol, folder, network, port, revokes, root } = settings;
  const folders = [EXCHANGES, ...(root !== EXCHANGES && existsSync(root) ? [root] : [])];
  let { options } = settings;
  const onReady = (url: string, complete: Readonly<Record<string, unknown>>) => {
    options = complete;
    print(`Redirect URI, to be registered at the network: ${String(complete.callbackURL)}`);
    print(`Open ${url} in a browser and log in. Ctrl+C ends this program; nothing has been written then.`);
  };
  const recording = await recordLogin({ network, options, port, revokes, onReady });
  const date = new Date().toISOString().slice(0, 10);
  const origin: Origin = { folder, protocol, date, network, options, known: allExchanges(folders) };

  const { exchanges, redactor } = redact(recording, origin);
  const { written, notices } = await withNock(async () => {
    const evidence = await toEvidence(exchanges, recording, origin);
    await playAsWritten(evidence.written, origin.known);
    return evidence;
  });
  const shown = written.map(shownExchange);
  const leaks = redactor.leaksIn([...shown, ...notices].join('\n'));
  if (leaks.length > 0) {
    throw new Error(
      `Private values are left, of ${cleanLine(leaks.join(', '))}. This is a mistake of the tool, please report it; nothing was written.`,
    );
  }

  for (const line of notices) print(line);
  const count = written.length;
  if (count === 0) return 1;
  print(`\nThis is what would be written. Left out: ${leftOut(recording)}.\n`);
  for (const exchange of shown) print(exchange);
  const these = count === 1 ? 'this exchange' : `these ${count} exchanges`;
  const question = `Is nothing private in it? Type yes to write ${these} to ${shownPath(join(root, folder))}: `;
  if (!(await isYes(question))) {
    print('Nothing was written.');
    return 0;
  }
  for (const path of writeExchanges(root, written)) print(`written: ${shownPath(path)}`);
  print(`The suite plays them: ${count} passed, 0 failed.`);
  return 0;
}

/** Plays the exchanges as the suite does once they are written. @throws Error if it cannot. */
async function playAsWritten(written: readonly Exchange[], known: readonly Exchange[]): Promise<void> {
  const read = written.map((exchange) =>
    completeExchange(stepOf(exchange), caseOf(exchange), entryOf(exchange)),
  );
  try {
    for (const exchange of read) await playExchange(exchange, [...known, ...read]);
  } catch (error) {
    const reason =
      'The suite cannot play the exchanges. This is a mistake of the tool, please report it; nothing was written.';
    throw new Error(reason, { cause: error });
  }
}

/** Plays exchanges at the suite's time, without a connection to another machine. */
async function withNock<T>(run: () => Promise<T>): Promise<T> {
  const { now } = Date;
  if (!nock.isActive()) nock.activate();
  nock.disableNetConnect();
  nock.enableNetConnect(/^127\.0\.0\.1:/);
  Date.now = () => NOW;
  try {
    return await run();
  } finally {
    Date.now = now;
    nock.cleanAll();
    nock.enableNetConnect();
    nock.restore();
  }
}

/** @returns `undefined` if help is wanted. @throws Error that says what to change. */
export function readSettings(words: readonly string[], env = process.env): Settings | undefined {
  const { values, positionals } = parseArgs({
    args: [...words],
    allowPositionals: true,
    options: {
      version: { type: 'string' },
      'env-file': { type: 'string' },
      option: { type: 'string', multiple: true, default: [] },
      port: { type: 'string', default: '3000' },
      revoke: { type: 'boolean', default: false },
      folder: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return undefined;
  if (!/^\d{1,5}$/.test(values.port) || Number(values.port) > 65_535) {
    throw new Error('--port is a number from 0 (any free port) to 65535.');
  }
  if (values['env-file'] !== undefined) loadEnvFile(values['env-file']);
  const subject = subjectOf(positionals, values.version);
  const folder = `${subject.provider}/${subject.exchanges.folder}`;
  const network = EXCHANGE_NETWORKS.get(folder);
  if (!network) throw new Error(`The suite has no folder ${folder}.`);
  const options = Object.fromEntries(values.option.map(readOption));
  const { version } = subject;
  if (values.folder === undefined) expectOwnURLs(options, folder);
  return {
    protocol: protocolOf(subject),
    folder,
    network,
    options: { ...(version !== undefined && { version }), ...options, ...credentialsOf(subject, env) },
    port: Number(values.port),
    revokes: values.revoke,
    root: resolve(values.folder ?? EXCHANGES),
  };
}

function subjectOf(positionals: readonly string[], version: string | undefined): Subject {
  const all = subjects();
  const names = [...new Set(all.map(({ provider }) => provider))];
  const own = all.filter(({ provider }) => positionals.length === 1 && provider === positionals[0]);
  if (own.length === 0) throw new Error(`Name one network: ${names.join(', ')}. --help shows all options.`);
  const found = own.find((subject) => subject.version === version);
  // The default has no version.
  const usual = version === '2.0' && own.length > 1 ? own.find((subject) => !subject.version) : undefined;
  if (found ?? usual) return (found ?? usual) as Subject;
  const versions = own.flatMap((subject) => subject.version ?? []);
  throw new Error(
    versions.length === 0
      ? `${positionals[0]} has one protocol: leave out --version.`
      : `${positionals[0]} has the versions 2.0 and ${versions.join(', ')}.`,
  );
}

/** Client ID and secret from the variables of the examples. */
function credentialsOf(subject: Subject, env: NodeJS.ProcessEnv): Record<string, string> {
  const { provider, exchanges } = subject;
  const prefixes = [protocolOf(subject), `${provider} ${exchanges.folder}`].map((name) =>
    name.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_'),
  );
  const prefix = prefixes.find((name) => env[`${name}_CLIENT_ID`]);
  if (prefix === undefined) {
    throw new Error(
      `Set ${prefixes[0]}_CLIENT_ID and, if the client has one, ${prefixes[0]}_CLIENT_SECRET, or name a file that has them with --env-file.`,
    );
  }
  const variables = { clientID: 'CLIENT_ID', clientSecret: 'CLIENT_SECRET', serviceToken: 'SERVICE_TOKEN' };
  return Object.fromEntries(
    Object.entries(variables).flatMap(([name, variable]) => {
      const value = env[`${prefix}_${variable}`];
      return value ? [[name, value]] : [];
    }),
  );
}

function readOption(text: string): [string, string | boolean] {
  const [, name = '', value = ''] = /^(\w+)=(.*)$/s.exec(text) ?? [];
  if (name === '') throw new Error('--option is <name>=<value>, for example --option includeEmail=true.');
  if (/^(client|consumer)|secret$|token$/i.test(name)) {
    throw new Error(`Other users of this machine can read arguments: ${name} comes from the environment.`);
  }
  if (['version', 'name'].includes(name)) throw new Error(`${name} cannot be set with --option.`);
  if (/URL$/i.test(name) && (!URL.canParse(value) || new URL(value).username !== '')) {
    throw new Error(`${name} must be a URL without a user name.`);
  }
  return [name, value === 'true' || value === 'false' ? value === 'true' : value];
}

/** What other servers answer is no evidence about the network. */
function expectOwnURLs(options: Readonly<Record<string, unknown>>, folder: string): void {
  const domainOf = (url: string) => new URL(url).hostname.split('.').slice(-2).join('.');
  const domains = allExchanges()
    .filter((exchange) => exchange.folder === folder)
    .map(({ scope }) => domainOf(scope));
  const other = Object.entries(options).find(
    ([name, value]) =>
      /URL$/i.test(name) && name !== 'callbackURL' && !domains.includes(domainOf(String(value))),
  );
  if (other) {
    throw new Error(`${other[0]} is not at ${domains[0]}. Name a folder for such recordings with --folder.`);
  }
}

function leftOut({ exchanges }: Recording): string {
  const names = new Set(exchanges.flatMap(({ headers }) => Object.keys(headers)));
  return `the headers ${[...names]
    .filter((name) => !HEADERS.includes(name))
    .sort()
    .join(', ')}`;
}

function isYes(question: string): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  return new Promise((settle) => {
    terminal.once('close', () => settle(false));
    terminal.question(question, (answer) => {
      settle(answer.trim().toLowerCase() === 'yes');
      terminal.close();
      // An open pipe would keep the process running.
      process.stdin.destroy();
    });
  });
}

function shownExchange(exchange: Exchange): string {
  const { folder, step } = exchange;
  return `--- ${folder}/${step}.json\n${JSON.stringify({ [caseOf(exchange)]: entryOf(exchange) }, undefined, 2)}\n`;
}

/** Adds exchanges to the files of their steps. @returns The files. */
function writeExchanges(root: string, exchanges: readonly Exchange[]): string[] {
  const files = new Map<string, StepFile>();
  for (const exchange of exchanges) {
    const path = join(root, exchange.folder, `${exchange.step}.json`);
    const { shared } = stepOf(exchange);
    const stored = existsSync(path) && (JSON.parse(readFileSync(path, 'utf8')) as StepFile);
    const file = files.get(path) ?? (stored || { shared, exchanges: {} });
    const cases = Object.entries({ ...file.exchanges, [caseOf(exchange)]: entryOf(exchange) });
    const sorted = cases.sort(([one], [other]) => (one < other ? -1 : 1));
    files.set(path, { ...file, exchanges: Object.fromEntries(sorted) });
  }
  for (const [path, file] of files) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, formatted(file));
  }
  return [...files.keys()];
}

function caseOf({ name, folder, step }: Exchange): string {
  return name.slice(`${folder}/${step}.`.length);
}

const STEPS = allSteps();

/** A recording is always of a step that the repository knows. */
function stepOf({ folder, step }: Exchange): Step {
  return STEPS.find((known) => known.folder === folder && known.step === step) as Step;
}

/** The fields that the exchanges of a step can share, in the order in which an exchange has them. */
const SHARED = [
  'after',
  'strategy',
  'scope',
  'method',
  'path',
  'body',
  'reqheaders',
  'badheaders',
  'status',
  'rawHeaders',
] as const;

/** What an exchange does not share with the others of its step. */
function entryOf(exchange: Exchange): Entry {
  const shared = { status: 200, ...stepOf(exchange).shared };
  const { source, response, expected } = exchange;
  const own = SHARED.filter((name) => !isDeepStrictEqual(exchange[name], shared[name])).map(
    (name) => [name, exchange[name] ?? null] as const,
  );
  const { outcome, ...said } = expected;
  const usual = Object.entries(outcome === 'error' ? usualError(exchange.step) : {});
  const unusual = Object.entries(said).filter(
    (pair) => !usual.some((other) => isDeepStrictEqual(other, pair)),
  );
  return {
    source,
    ...Object.fromEntries(own),
    response,
    expected: { ...(outcome === 'failure' && { outcome }), ...Object.fromEntries(unusual) },
  } as Entry;
}

function formatted(file: StepFile): string {
  const words = [BIOME, 'format', '--stdin-file-path=test/exchanges/step.json'];
  const settings = { cwd: ROOT, input: JSON.stringify(file), encoding: 'utf8' } as const;
  const { status, stdout, stderr } = spawnSync(process.execPath, words, settings);
  if (status !== 0) throw new Error(`Biome cannot format the exchanges: ${stderr}`);
  return stdout;
}

function shownPath(path: string): string {
  const shorter = relative(process.cwd(), path);
  return shorter.startsWith('..') ? path : shorter;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

if (require.main === module) {
  main(process.argv.slice(2)).then(
    (status) => {
      process.exitCode = status;
    },
    (error: unknown) => {
      const isInUse = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
      if (isInUse) print('The port is in use. Choose another one with --port.');
      const cause = error instanceof Error && error.cause !== undefined ? ` ${messageOf(error.cause)}` : '';
      process.stderr.write(`${messageOf(error)}${cause}\n`);
      process.exitCode = 1;
    },
  );
}
