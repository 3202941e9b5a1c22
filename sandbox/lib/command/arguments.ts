import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { parseURL } from '../core/checks.js';
import { isLocalAddress } from '../core/redirect-uri.js';
import type { RehearsalOptions } from '../rehearsal/options.js';
import type { SandboxSettings } from '../server/sandbox.js';
import { readPeople } from '../settings.js';
import { FAULT_FORM, readFault } from '../traffic/faults.js';
import { CONFIG_FILE, readConfig } from './config-file.js';

const COMMAND = 'npx passport-social-networks-sandbox';

const DEFAULT_PORT = '4000';

type Option = readonly [call: string, help: string];

const SANDBOX_OPTIONS: readonly Option[] = [
  ['port NUMBER', `port to listen on; 0 picks a free one (default: ${DEFAULT_PORT})`],
  ['host ADDRESS', 'address to listen on (default: 127.0.0.1, this machine only)'],
  ['strict', 'refuse what the networks are only supposed to refuse'],
  ['people FILE', 'who can log in: a JSON file with a list of people'],
  ['config FILE', 'people, applications, redirect addresses, strictness and faults, in YAML'],
  ['https', "serve https, with a certificate of the sandbox's own"],
  ['certificate FILE', 'serve https, and write the certificate to a file'],
  ['fault FAULT', `what goes wrong: ${FAULT_FORM}; can be repeated`],
];

const REHEARSAL_OPTIONS: readonly Option[] = [
  ['page URL', 'page that tells who is signed in (default: where the first login ends)'],
  [
    'sign-out URL',
    "signs the user out, by the page's form or link that leads there, or by GET (default: the page's sign-out form or link)",
  ],
  ['delete URL', 'deletes the account of the user who is signed in, by POST (default: not tried)'],
  [
    'link URL',
    'links a login of another network to the user who is signed in, by POST, and leaves links behind (default: not tried)',
  ],
  ['form URL', 'page with the form that starts the login by POST (default: GET, without a form)'],
  ['people ID,ID', 'two people who can log in (default: alice,anna)'],
  ['ca FILE', "certificate to trust besides Node's, in PEM, such as mkcert's rootCA.pem"],
  ['log FILE', "the application's log, to look for codes and tokens"],
  ['patience MS', 'how long to wait while the network is silent (default: 15000)'],
  ['fetch', 'a script of a page starts the login: its fetch, by POST, gets { "url": ... }'],
  ['no-session', 'the application keeps nobody signed in'],
  ['json', 'print the results as JSON'],
];

const OTHER_OPTIONS: readonly Option[] = [
  ['allow-production', 'run even though NODE_ENV is production'],
  ['version', 'print the version of this package'],
  ['help', 'print this help'],
];

const listed = (options: readonly Option[]): string =>
  options.map(([call, help]) => `  --${call.padEnd(18)}${help}\n`).join('');

export const HELP = `${COMMAND} [options]
${COMMAND} init [FILE]
${COMMAND} rehearse URL [URL...]

Simulates three networks on this machine, for logins without real accounts. Ctrl+C stops it.
init writes a commented file for --config (default: ${CONFIG_FILE}).

${listed(SANDBOX_OPTIONS)}                      microblog/token=answer:503x2, short-video/profile=delay:3000,
                      social-network@2.1/token=hang, microblog/users-lookup=rate-limit
rehearse acts as a browser at your running application, which uses a sandbox on this machine, and prints what users, networks and
attackers would find. URL is where a login starts, such as http://127.0.0.1:3000/api/auth/signin/short-video. It exits with 1
if anything fails, and with 2 if nothing does but something essential could not be tried.

${listed(REHEARSAL_OPTIONS)}
${listed(OTHER_OPTIONS)}
Guide: docs/testing.md (in the repository), with the format of the people file. README.md of this package has every fault.
`;

export type Task = ReturnType<typeof readTask>;

/** Reads the people file, too. @throws Error whose message is one line that says what to change. */
export function readTask(args: readonly string[]) {
  const { given, isOn, faults, positionals } = parseOptions(args);
  if (isOn('version')) return { kind: 'version' as const };
  if (isOn('help')) return { kind: 'help' as const };
  const [extra, file = CONFIG_FILE, ...more] = positionals;
  if (extra === 'init' && more.length === 0) return { kind: 'init' as const, file };
  if (extra === 'rehearse') {
    const urls = positionals.slice(1);
    const options = { ...rehearsalOptions(given, urls), fetch: isOn('fetch'), session: !isOn('no-session') };
    return { kind: 'rehearse' as const, urls, isJson: isOn('json'), options };
  }
  if (extra !== undefined) throw new Error(`"${extra}" is no option: see ${COMMAND} --help`);
  if (process.env.NODE_ENV === 'production' && !isOn('allow-production')) {
    throw new Error(
      'NODE_ENV is production, and the sandbox lets anyone log in as anyone: unset NODE_ENV, or add --allow-production',
    );
  }
  const { config: configFile, people, certificate: certificateFile } = given;
  const { port: configuredPort, ...config } = configFile === undefined ? {} : readConfig(configFile);
  const { port = String(configuredPort ?? DEFAULT_PORT), host = config.host ?? '127.0.0.1' } = given;
  if (!/^[A-Za-z0-9.:_-]+$/.test(host))
    throw new Error(`--host must be an address such as 127.0.0.1, not "${host}"`);
  if (!/^\d+$/.test(port) || Number(port) > 65_535)
    throw new Error(`--port must be a number from 0 to 65535, not "${port}"`);
  const settings: SandboxSettings = {
    ...config,
    strict: isOn('strict') || config.strict,
    ...(people !== undefined && { people: readPeople(people) }),
    faults: [...(config.faults ?? []), ...faults.map(readFault)],
  };
  return {
    kind: 'sandbox' as const,
    port: Number(port),
    host,
    isOpen: !isLocalAddress(host),
    https: isOn('https') || certificateFile !== undefined || config.https === true,
    certificateFile,
    settings,
  };
}

type Given = Readonly<Partial<Record<string, string>>>;

function rehearsalOptions(
  { 'sign-out': signOut, people, ca, patience, page, delete: deletion, link, form, log }: Given,
  urls: readonly string[],
): RehearsalOptions {
  const wrong = urls.find((url) => !/^https?:\/\//.test(url) || !parseURL(url));
  if (urls.length === 0 || wrong !== undefined) {
    throw new Error(
      `rehearse takes the URLs at which logins start, such as http://127.0.0.1:3000/api/auth/signin/short-video${wrong === undefined ? '' : `, not "${wrong}"`}`,
    );
  }
  const pair = people?.split(',');
  if (pair !== undefined && pair.length !== 2) throw new Error('--people takes two IDs, such as alice,anna');
  if (patience !== undefined && !/^\d{1,6}$/.test(patience))
    throw new Error(`--patience must be a number of milliseconds, not "${patience}"`);
  const options = { page, signOut, delete: deletion, link, form, log, people: pair };
  const read = { ca: ca && readFileSync(ca, 'utf8'), patience: patience && Number(patience) };
  return { ...options, ...read } as RehearsalOptions;
}

function parseOptions(args: readonly string[]) {
  const all = [...SANDBOX_OPTIONS, ...REHEARSAL_OPTIONS, ...OTHER_OPTIONS].map(([call]) => call.split(' '));
  const types = all.map(([name = '', value]) => {
    const type = value === undefined ? ('boolean' as const) : ('string' as const);
    return [name, { type, multiple: name === 'fault', ...(name === 'help' && { short: 'h' }) }];
  });
  try {
    const { values, positionals, tokens } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: Object.fromEntries(types),
      tokens: true,
    });
    const names = tokens.flatMap((token) => (token.kind === 'option' ? [token.name] : []));
    const twice = names.find((name, at) => name !== 'fault' && names.indexOf(name) < at);
    if (twice !== undefined) throw new Error(`--${twice} can be given once`);
    const { fault = [], ...given } = values as Given & { readonly fault?: readonly string[] };
    const isOn = (name: string): boolean => Reflect.get(values, name) === true;
    return { given, isOn, faults: fault, positionals };
  } catch (error) {
    const [sentence = ''] = (error as Error).message.split(/\.? To specify|\.?\n|\.$/);
    throw new Error(`${sentence}: see ${COMMAND} --help`, { cause: error });
  }
}
