import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

export const FOLDER = join(__dirname, '..', '..', 'examples', 'login');

const LOGIN = join(FOLDER, 'server.js');

type Environment = Readonly<Record<string, string>>;

/** An example in a separate process. */
export class RunningApp {
  private static readonly running = new Set<RunningApp>();

  private constructor(
    private readonly child: ChildProcess,
    /** URL of the app, without a trailing slash. */
    readonly url: string,
    /** The output so far. */
    readonly output: () => string,
  ) {}

  /** Starts the app and waits for the URL that it prints. */
  static async start(environment: Environment, file = LOGIN): Promise<RunningApp> {
    const child = run(environment, file);
    const output = collect(child);
    const exit = once(child, 'exit');
    for (;;) {
      const url = /^Log in at (\S+)/m.exec(output())?.[1];
      if (url !== undefined) {
        const app = new RunningApp(child, url, output);
        RunningApp.running.add(app);
        return app;
      }
      await Promise.race([once(child.stdout as NodeJS.ReadableStream, 'data'), exit]);
      if (child.exitCode !== null) throw new Error(`The app did not start: ${output()}`);
    }
  }

  /** Stops apps that failed tests have left running. */
  static async stopAll(): Promise<void> {
    await Promise.all([...RunningApp.running].map((app) => app.stop()));
  }

  async stop(signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<void> {
    RunningApp.running.delete(this);
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
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

/** Starts the app and kills it as soon as its output contains a string. */
export async function killAt(text: string, environment: Environment): Promise<void> {
  const child = run(environment);
  const output = collect(child);
  while (!output().includes(text)) await once(child.stdout as NodeJS.ReadableStream, 'data');
  const exit = once(child, 'exit');
  child.kill('SIGKILL');
  await exit;
}

function run(environment: Environment, file = LOGIN, ...command: readonly string[]): ChildProcess {
  return spawn(process.execPath, ['--throw-deprecation', file, ...command], {
    // Do not pass on this machine's environment, which may contain real credentials.
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
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

/** Data folders for tests. Creating a database takes seconds, so tests copy one. */
export class DataFolders {
  private readonly folders: string[] = [];

  /** Creates an empty folder. */
  async empty(): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), 'login-'));
    this.folders.push(folder);
    return folder;
  }

  /** Creates a copy of a folder. */
  async copy(original: string): Promise<string> {
    const folder = await this.empty();
    // The lock is a socket of the process that uses the original.
    await cp(original, folder, { recursive: true, filter: (path) => basename(path) !== 'lock' });
    return folder;
  }

  async remove(): Promise<void> {
    await Promise.all(this.folders.map((folder) => rm(folder, { recursive: true, force: true })));
  }
}

/** Finds a free port followed by another free port, which the app uses for its sandbox. */
export async function freePort(): Promise<number> {
  const first = createServer().listen(0, '127.0.0.1');
  await once(first, 'listening');
  const { port } = first.address() as { port: number };
  const next = createServer();
  const isFree = await new Promise<boolean>((resolve) => {
    next.once('error', () => resolve(false));
    next.listen(port + 1, '127.0.0.1', () => resolve(true));
  });
  const servers = isFree ? [first, next] : [first];
  await Promise.all(servers.map(async (server) => once(server.close(), 'close')));
  return isFree ? port : freePort();
}
