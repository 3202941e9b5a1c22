import { readFileSync } from 'node:fs';
import { parseArgs, parseEnv } from 'node:util';
import {
  describedStrategies,
  type Environment,
  isWebURL,
  NAMES,
  type TargetSettings,
  UsageError,
  variable,
} from './environment.js';
import { check } from './index.js';
import { jsonOf, overall, textOf } from './report.js';

const HELP = `npx passport-social-networks-check [strategy ...] [options]

Checks credentials, addresses and surroundings before the first login. Nobody logs in, and nothing changes at the networks.

Strategies: ${NAMES.join(', ')}
(default: those whose variables are set)

  --env-file FILE         more environment variables, as in node --env-file; those that are set already win
  --json                  print JSON
  --timeout MILLISECONDS  deadline of one request (default: 10000)
  --sandbox URL           check against passport-social-networks-sandbox in place of the networks
  --help                  print this help

Environment variables; PREFIX is ${NAMES.map((name) => variable(name)).join(', ')}:

  PREFIX_CLIENT_ID, PREFIX_CLIENT_SECRET   credentials. Without a secret, MICROBLOG is a public client and SOCIAL_NETWORK is VK ID
  PREFIX_SERVICE_TOKEN                     service key, for a confidential application of VK ID
  BASE_URL or PREFIX_CALLBACK_URL          where browsers reach the application, or its callback
  PREFIX_TOKEN_URL, PREFIX_PROFILE_URL ... addresses, named after the options of the strategy
  HTTPS_PROXY                              proxy for the requests; in your application, the option agent goes through it

Credentials are never taken from arguments, which other users of the machine can see, and never printed.
Exit status: 0 if nothing failed, 1 if something did (✗), 2 if nothing could be checked. Node 20 looks for FILE itself: it says
"not found" and exits with 9.
Guide: docs/deploying.md (in the repository)
`;

/** What the command prints, and its exit status. */
export interface CommandResult {
  readonly status: number;
  readonly output: string;
  readonly errors: string;
}

/** Runs the command of this process. */
export async function main(): Promise<void> {
  // Nobody reads the output any more: it was piped into a program that has ended.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  const { status, output, errors } = await runCommandLine(process.argv.slice(2), process.env);
  process.stdout.write(output);
  process.stderr.write(errors);
  process.exitCode = status;
}

/**
 * Runs the command line.
 *
 * @param environment - The variables of the process. They win over those of `--env-file`.
 */
export async function runCommandLine(
  args: readonly string[],
  environment: Environment,
): Promise<CommandResult> {
  try {
    const task = readTask(args, environment);
    if (task === 'help') return { status: 0, output: HELP, errors: '' };
    const reports = await Promise.all(
      describedStrategies(task.environment, task).map(async (described) =>
        'report' in described ? described.report : check(described.strategy, described),
      ),
    );
    const output = task.isJSON ? jsonOf(reports) : textOf(reports);
    return { status: overall(reports) === 'failed' ? 1 : 0, output, errors: '' };
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return { status: 2, output: '', errors: `passport-social-networks-check: ${error.message}\n` };
  }
}

interface Task extends TargetSettings {
  readonly environment: Environment;
  readonly isJSON: boolean;
}

/** @throws {@link UsageError} for arguments that cannot be used. Repeats none of them: somebody may have typed a secret. */
function readTask(args: readonly string[], environment: Environment): Task | 'help' {
  const { values, positionals: names } = parseArguments(args);
  if (values.help) return 'help';
  const { timeout, sandbox } = values;
  if (timeout !== undefined && !/^[1-9]\d{0,6}$/.test(timeout)) {
    throw new UsageError('--timeout must be a number of milliseconds');
  }
  if (sandbox !== undefined && !isWebURL(sandbox)) {
    throw new UsageError('--sandbox must be a URL such as http://127.0.0.1:4000');
  }
  return {
    names,
    isJSON: values.json ?? false,
    environment: { ...readEnvironmentFile(values['env-file']), ...environment },
    timeout: timeout === undefined ? undefined : Number(timeout),
    sandbox,
  };
}

function parseArguments(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        'env-file': { type: 'string' },
        json: { type: 'boolean' },
        timeout: { type: 'string' },
        sandbox: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    });
  } catch {
    throw new UsageError('unknown or incomplete option. See npx passport-social-networks-check --help');
  }
}

function readEnvironmentFile(file: string | undefined): Environment {
  if (file === undefined) return {};
  try {
    return parseEnv(readFileSync(file, 'utf8'));
  } catch (error) {
    const { code = 'unreadable' } = error as NodeJS.ErrnoException;
    throw new UsageError(`the file of --env-file cannot be read (${code})`);
  }
}
