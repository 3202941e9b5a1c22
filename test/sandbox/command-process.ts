import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Readable } from 'node:stream';

/** Its source, or what is built of it. */
const SCRIPT = join(__dirname, '../../sandbox', process.env.SANDBOX ?? 'lib/command/command.ts');
const LOADER = SCRIPT.endsWith('.ts') ? ['--require', 'tsx/cjs'] : [];

/** Exit code and output. */
export interface Result {
  readonly code: number | null;
  readonly output: string;
  readonly errors: string;
}

/** The command in a separate process. */
export class Command {
  output = '';
  errors = '';
  private readonly child: ChildProcessByStdio<null, Readable, Readable>;
  private readonly closed: Promise<unknown[]>;

  constructor(args: readonly string[], environment: Readonly<Record<string, string>> = {}) {
    const { NODE_ENV: _mode, NODE_OPTIONS: _options, ...env } = process.env;
    this.child = spawn(process.execPath, [...LOADER, SCRIPT, ...args], {
      env: { ...env, ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.child.stdout.setEncoding('utf8').on('data', (text: string) => {
      this.output += text;
    });
    this.child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.errors += text;
    });
    this.closed = once(this.child, 'close');
  }

  /** Waits until the output matches. */
  async shows(pattern: RegExp): Promise<RegExpExecArray> {
    for (;;) {
      const match = pattern.exec(this.output);
      if (match) return match;
      await Promise.race([once(this.child.stdout, 'data'), this.ended()]);
      if (this.child.exitCode !== null) throw new Error(`ended with ${this.output}${this.errors}`);
    }
  }

  kill(signal: 'SIGINT' | 'SIGTERM'): Promise<Result> {
    this.child.kill(signal);
    return this.ended();
  }

  closeOutput(): void {
    this.child.stdout.destroy();
  }

  async ended(): Promise<Result> {
    const [code] = await this.closed;
    return { code: code as number | null, output: this.output, errors: this.errors };
  }
}

/** Runs the command until it exits. */
export function run(...args: readonly string[]): Promise<Result> {
  return new Command(args).ended();
}
