import { parseArgs } from 'node:util';
import { isLocalAddress } from '../core/oauth.js';
import type { SandboxNetwork, SandboxVersion } from '../networks.js';
import type { SandboxSettings } from '../server/sandbox.js';
import { readPeople } from '../settings/people.js';
import type { SandboxFault, SandboxFaultRule } from '../traffic/faults.js';
import { CONFIG_FILE, readConfig } from './config-file.js';

/** How to call the command. */
const COMMAND = 'npx passport-social-networks-sandbox';

const DEFAULT_PORT = 4000;
const FAULT_FORM = 'network/endpoint=kind[:value][xTIMES]';

/** Output of `--help`. */
export const HELP = `${COMMAND} [options]
${COMMAND} init [FILE]

Plays three networks on this machine, for logins without real accounts. Ctrl+C stops it.
init writes a commented file for --config (default: sandbox.yaml).

  --port NUMBER       port to listen on; 0 picks a free one (default: ${DEFAULT_PORT})
  --host ADDRESS      address to listen on (default: 127.0.0.1, this machine only)
  --strict            refuse what the networks are only supposed to refuse
  --people FILE       who can log in: a JSON file with a list of people
  --config FILE       people, applications, redirect addresses, strictness and faults, in YAML
  --https             serve https, with a certificate of the sandbox's own
  --certificate FILE  serve https, and write the certificate to a file
  --fault FAULT       what goes wrong: ${FAULT_FORM}; can be repeated
                      microblog/token=answer:503x2, short-video/profile=delay:3000,
                      social-network@2.1/token=hang, microblog/users-lookup=rate-limit
  --allow-production  run even though NODE_ENV is production
  --version           print the version of this package
  --help              print this help

Guide, with every fault and the format of the people file: docs/testing.md in the repository
`;

/** What the command line asks for. */
export type Task =
  | { readonly kind: 'help' }
  | { readonly kind: 'version' }
  | { readonly kind: 'init'; readonly file: string }
  | {
      readonly kind: 'sandbox';
      readonly port: number;
      readonly host: string;
      /** Whether other machines can reach it. */
      readonly isOpen: boolean;
      readonly https: boolean;
      /** Where to write the certificate. */
      readonly certificateFile?: string;
      /** What the files and the other options say. */
      readonly settings: SandboxSettings;
    };

/** Reads the people file, too. @throws Error whose message is one line that says what to change. */
export function readTask(args: readonly string[]): Task {
  const { values, positionals } = parseOptions(args);
  if (values.version) return { kind: 'version' };
  if (values.help) return { kind: 'help' };
  const [extra, file = CONFIG_FILE, ...more] = positionals;
  if (extra === 'init' && more.length === 0) return { kind: 'init', file };
  if (extra !== undefined) throw new Error(`"${extra}" is no option: see ${COMMAND} --help`);
  if (process.env.NODE_ENV === 'production' && !values['allow-production']) {
    throw new Error(
      'NODE_ENV is production, and the sandbox lets anyone log in as anyone: unset NODE_ENV, or add --allow-production',
    );
  }
  const { port, host: configured, ...config } = values.config === undefined ? {} : readConfig(values.config);
  const host = values.host ?? configured ?? '127.0.0.1';
  if (!/^[A-Za-z0-9.:_-]+$/.test(host))
    throw new Error(`--host must be an address such as 127.0.0.1, not "${host}"`);
  return {
    kind: 'sandbox',
    port: readPort(values.port ?? (port === undefined ? undefined : String(port))),
    host,
    isOpen: !isLocalAddress(host),
    https: values.https === true || values.certificate !== undefined || config.https === true,
    ...(values.certificate !== undefined && { certificateFile: values.certificate }),
    settings: {
      ...config,
      strict: values.strict ?? config.strict ?? false,
      ...(values.people !== undefined && { people: readPeople(values.people) }),
      faults: [...(config.faults ?? []), ...(values.fault ?? []).map(readFault)],
    },
  };
}

function parseOptions(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        port: { type: 'string' },
        host: { type: 'string' },
        people: { type: 'string' },
        config: { type: 'string' },
        https: { type: 'boolean' },
        certificate: { type: 'string' },
        fault: { type: 'string', multiple: true },
        strict: { type: 'boolean' },
        'allow-production': { type: 'boolean' },
        version: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    });
  } catch (error) {
    const [sentence = ''] = (error as Error).message.split(/\.? To specify|\.?\n|\.$/);
    throw new Error(`${sentence}: see ${COMMAND} --help`, { cause: error });
  }
}

function readPort(value: string | undefined): number {
  const port = value === undefined ? DEFAULT_PORT : Number(value);
  if (/^\d+$/.test(value ?? '0') && port <= 65_535) return port;
  throw new Error(`--port must be a number from 0 to 65535, not "${value}"`);
}

/** The property that the value after the colon sets, for the kinds that take a value. */
const VALUE_PROPERTIES: { readonly [K in SandboxFault['kind']]?: string } = {
  answer: 'status',
  delay: 'milliseconds',
  cut: 'bytes',
  drip: 'milliseconds',
  huge: 'bytes',
  redirect: 'location',
  'rate-limit': 'seconds',
};

/**
 * Parses a fault such as `microblog/token=answer:503x2` or `social-network@2.1/token=hang`. Hyphens stand for the spaces in
 * the names of endpoints. The sandbox checks the network, endpoint, kind and value when it starts.
 */
function readFault(fault: string): SandboxFaultRule {
  const [, rule = '', times] = /^(.*?)(?:x(\d+))?$/.exec(fault) ?? [];
  const [, network, version, endpoint = '', kind = '', value] =
    /^([^/@=]+)(?:@([^/=]+))?\/([^=]+)=([a-z-]+)(?::(.+))?$/.exec(rule) ?? [];
  if (network === undefined) {
    throw new Error(
      `--fault ${fault}: a fault has the form ${FAULT_FORM}, such as microblog/token=answer:503x2`,
    );
  }
  return {
    network: network as SandboxNetwork,
    ...(version !== undefined && { version: version as SandboxVersion }),
    endpoint: endpoint.replaceAll('-', ' '),
    fault: { kind, ...valueProperty(kind, value) } as SandboxFault,
    ...(times !== undefined && { times: Number(times) }),
  };
}

function valueProperty(kind: string, value: string | undefined): object {
  if (value === undefined) return {};
  const property = Object.entries(VALUE_PROPERTIES).find(([name]) => name === kind)?.[1] ?? 'value';
  return { [property]: property === 'location' ? value : Number(value) };
}
