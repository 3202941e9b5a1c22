import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Writable } from 'node:stream';

const running = new Set<ChildProcessWithoutNullStreams>();
// What failed tests have left.
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

export class Program {
  output = '';
  errors = '';
  /** Both, in their order. */
  text = '';
  readonly input: Writable;
  private readonly child: ChildProcessWithoutNullStreams;
  private readonly closed: Promise<unknown[]>;

  /** @param environment - All of it: what this machine has may contain real credentials. */
  constructor(words: readonly string[], environment: NodeJS.ProcessEnv, cwd?: string) {
    const child = spawn(process.execPath, words, {
      cwd,
      env: environment,
      stdio: ['pipe', 'pipe', 'pipe', 'ipc'],
    });
    this.child = child as ChildProcessWithoutNullStreams;
    this.input = this.child.stdin;
    for (const [stream, name] of [
      [this.child.stdout, 'output'],
      [this.child.stderr, 'errors'],
    ] as const)
      stream.setEncoding('utf8').on('data', (text: string) => {
        this[name] += text;
        this.text += text;
      });
    running.add(this.child);
    // It follows the last output; 'exit' may precede that.
    this.closed = once(this.child, 'close').finally(() => running.delete(this.child));
  }

  /** Waits until the output matches. @throws Error with the output, if the process ends before. */
  async shows(pattern: RegExp): Promise<RegExpExecArray> {
    for (;;) {
      const match = pattern.exec(this.output);
      if (match) return match;
      if (this.hasEnded) throw new Error(`the program ended: ${this.text}`);
      await Promise.race([once(this.child.stdout, 'data'), this.closed]);
    }
  }

  /** Waits for its first message to this process. @throws Error with the output, if it ends before. */
  async says<T>(): Promise<T> {
    const ended = this.closed.then(() => {
      throw new Error(`the program ended: ${this.text}`);
    });
    const [message] = await Promise.race([once(this.child, 'message'), ended]);
    return message as T;
  }

  get hasEnded(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null;
  }

  /** Does nothing to a process that has ended. */
  kill(signal: 'SIGINT' | 'SIGTERM' | 'SIGKILL' = 'SIGTERM') {
    this.child.kill(signal);
    return this.ended();
  }

  close() {
    return this.kill();
  }

  closeOutput(): void {
    this.child.stdout.destroy();
  }

  async ended() {
    const [code] = await this.closed;
    return { code: code as number | null, output: this.output, errors: this.errors };
  }
}

/** A program whose server listens. */
export type Serving = Program & { readonly url: string };
