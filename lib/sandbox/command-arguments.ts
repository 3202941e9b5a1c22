import { parseArgs } from 'node:util';
import { FAULT_FORM, parseFault } from './fault-text.js';
import type { SandboxFaultRule } from './faults.js';
import type { SandboxPerson } from './people.js';
import { readPeople } from './people-file.js';
import { isProduction } from './production.js';
import { isLoopback } from './redirect-address.js';

/** How the command is called. */
export const COMMAND = 'npx passport-social-networks sandbox';

const DEFAULT_PORT = 4000;

/** What the command prints for `--help`. */
export const HELP = `${COMMAND} [options]

Plays three networks on this machine, for logins without accounts, until Ctrl+C ends it.

  --port NUMBER       port to listen on; 0 takes any that is free (default: ${DEFAULT_PORT})
  --host ADDRESS      address to listen on (default: 127.0.0.1, this machine only)
  --people FILE       who can log in: a JSON file, a list of people
  --fault FAULT       what goes wrong: ${FAULT_FORM}; may be repeated
                      microblog/token=answer:503x2, short-video/profile=delay:3000,
                      social-network@2.1/token=hang, microblog/users-lookup=rate-limit
  --allow-production  run although NODE_ENV is production
  --version           print the version of this package
  --help              print this

The guide, with every fault and the form of the people file: docs/testing.md in the repository
`;

/** What the command was asked to do. */
export type Task =
  | { readonly kind: 'help' }
  | { readonly kind: 'version' }
  | {
      readonly kind: 'sandbox';
      readonly port: number;
      readonly host: string;
      /** Whether machines other than this one may reach it. */
      readonly isOpen: boolean;
      readonly people?: readonly SandboxPerson[];
      readonly faults: readonly SandboxFaultRule[];
    };

/**
 * Reads the command line, and the people file that it names.
 *
 * @param words - Without node and script.
 * @throws Error whose message is one line and names the remedy.
 */
export function readTask(words: readonly string[]): Task {
  const { values, positionals } = parseWords(words);
  if (values.version) return { kind: 'version' };
  if (values.help) return { kind: 'help' };
  if (positionals.length !== 1 || positionals[0] !== 'sandbox') {
    const [unknown = 'none'] = positionals.filter((word) => word !== 'sandbox');
    throw new Error(`the only command is sandbox, and ${unknown} was given: ${COMMAND} --help`);
  }
  if (isProduction() && !values['allow-production']) {
    throw new Error(
      'NODE_ENV is production, where a sandbox would let anybody log in as anybody: unset it, or add --allow-production',
    );
  }
  const host = values.host ?? '127.0.0.1';
  if (!/^[A-Za-z0-9.:_-]+$/.test(host)) {
    throw new Error(`--host takes an address such as 127.0.0.1, not "${host}"`);
  }
  return {
    kind: 'sandbox',
    port: readPort(values.port),
    host,
    isOpen: !isLoopback(host.includes(':') ? `[${host}]` : host),
    ...(values.people !== undefined && { people: readPeople(values.people) }),
    faults: (values.fault ?? []).map(readFault),
  };
}

function parseWords(words: readonly string[]) {
  try {
    return parseArgs({
      args: [...words],
      allowPositionals: true,
      options: {
        port: { type: 'string' },
        host: { type: 'string' },
        people: { type: 'string' },
        fault: { type: 'string', multiple: true },
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

function readPort(text: string | undefined): number {
  const port = text === undefined ? DEFAULT_PORT : Number(text);
  if (/^\d+$/.test(text ?? '0') && port <= 65_535) return port;
  throw new Error(`--port takes a number from 0 to 65535, not "${text}"`);
}

function readFault(text: string): SandboxFaultRule {
  try {
    return parseFault(text);
  } catch (error) {
    throw new Error(`--fault ${text}: ${(error as Error).message}, such as microblog/token=answer:503x2`, {
      cause: error,
    });
  }
}
