import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** The login example. */
export const FOLDER = join(__dirname, '..', '..', 'examples', 'login');

const LOGIN = join(FOLDER, 'server.js');

type Environment = Readonly<Record<string, string>>;

const running = new Set<ChildProcess>();
// What failed tests have left.
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** An example in a separate process. */
export class RunningApp {
  private constructor(
    private readonly child: ChildProcess,
    /** URL of the app, without a trailing slash. */
    readonly url: string,
    /** The output so far. */
    readonly output: () => string,
  ) {}

  /** Starts the app and waits for the URL that it prints. */
  static async start(
    environment: Environment,
    file = LOGIN,
    ...command: readonly string[]
  ): Promise<RunningApp> {
    const child = run(environment, file, ...command);
    const output = collect(child);
    const exit = once(child, 'exit');
    for (;;) {
      const url = /^Log in at (\S+)/m.exec(output())?.[1];
      if (url !== undefined) return new RunningApp(child, url, output);
      await Promise.race([once(child.stdout as NodeJS.ReadableStream, 'data'), exit]);
      if (child.exitCode !== null) throw new Error(`The app did not start: ${output()}`);
    }
  }

  /** Whether its process has ended. */
  get hasEnded(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null;
  }

  async stop(signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<void> {
    if (this.hasEnded) return;
    const exit = once(this.child, 'exit');
    this.child.kill(signal);
    await exit;
  }
}

/** Runs an app until it ends. */
export async function runToEnd(
  environment: Environment,
  file = LOGIN,
  ...command: readonly string[]
): Promise<{ code: number | null; output: string }> {
  const child = run(environment, file, ...command);
  const output = collect(child);
  // 'close' follows the last output; 'exit' may precede it.
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, output: output() };
}

function run(environment: Environment, file = LOGIN, ...command: readonly string[]): ChildProcess {
  const child = spawn(process.execPath, ['--throw-deprecation', file, ...command], {
    // Do not pass on this machine's environment, which may contain real credentials.
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  return child.once('exit', () => running.delete(child));
}

function collect(child: ChildProcess): () => string {
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  return () => output;
}
