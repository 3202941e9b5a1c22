import { join } from 'node:path';
import { Program } from '../support/process.js';

/** Its source, or what is built of it. */
const SCRIPT = join(__dirname, '../../sandbox', process.env.SANDBOX ?? 'lib/command/command.ts');
const LOADER = SCRIPT.endsWith('.ts') ? ['--require', 'tsx/cjs'] : [];

/** The words after `node` that run the command. */
export const commandOf = (args: readonly string[]): readonly string[] => [...LOADER, SCRIPT, ...args];

export class Command extends Program {
  constructor(args: readonly string[], environment: Readonly<Record<string, string>> = {}) {
    const { NODE_ENV: _mode, NODE_OPTIONS: _options, ...env } = process.env;
    super(commandOf(args), { ...env, ...environment });
  }
}

export function run(...args: readonly string[]) {
  return new Command(args).ended();
}
