import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const FOLDER = join(__dirname, '..', '..', '..', 'examples', 'login');

type Environment = Readonly<Record<string, string>>;

/** The login example in a process of its own. */
export class LoginApp {
  private static readonly running = new Set<LoginApp>();

  private constructor(
    private readonly child: ChildProcess,
    /** Address of the app, without a slash at its end. */
    readonly url: string,
    /** What it has written so far. */
    readonly output: () => string,
  ) {}

  /** Starts the app, and waits until it says where to log in. */
  static async start(environment: Environment): Promise<LoginApp> {
    const child = run(environment);
    const output = collect(child);
    const exit = once(child, 'exit');
    for (;;) {
      const url = /^Log in at (\S+)/m.exec(output())?.[1];
      if (url !== undefined) {
        const app = new LoginApp(child, url, output);
        LoginApp.running.add(app);
        return app;
      }
      await Promise.race([once(child.stdout as NodeJS.ReadableStream, 'data'), exit]);
      if (child.exitCode !== null) throw new Error(`The app did not start: ${output()}`);
    }
  }

  /** Ends what tests that failed have left behind. */
  static async stopAll(): Promise<void> {
    await Promise.all([...LoginApp.running].map((app) => app.stop()));
  }

  /** Ends the process at once, without a chance to tidy up. */
  async kill(): Promise<void> {
    await this.end('SIGKILL');
  }

  async stop(): Promise<void> {
    await this.end('SIGTERM');
  }

  private async end(signal: NodeJS.Signals): Promise<void> {
    LoginApp.running.delete(this);
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const exit = once(this.child, 'exit');
    this.child.kill(signal);
    await exit;
  }
}

/** What a start that fails left behind. */
export interface FailedStart {
  readonly code: number | null;
  readonly errors: string;
}

/** Starts the app where it cannot start. */
export async function failToStart(environment: Environment): Promise<FailedStart> {
  const child = run(environment);
  let errors = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  // 'close' comes after the last output, unlike 'exit'.
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, errors };
}

/** Starts the app and ends it as soon as its output contains a text. */
export async function killAt(text: string, environment: Environment): Promise<void> {
  const child = run(environment);
  const output = collect(child);
  while (!output().includes(text)) await once(child.stdout as NodeJS.ReadableStream, 'data');
  const exit = once(child, 'exit');
  child.kill('SIGKILL');
  await exit;
}

function run(environment: Environment): ChildProcess {
  return spawn(process.execPath, ['--throw-deprecation', join(FOLDER, 'server.js')], {
    // Nothing of the machine's own environment: it may hold somebody's credentials.
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

/** Data folders for tests. Creating a database takes seconds, so it is done once and copied. */
export class DataFolders {
  private readonly folders: string[] = [];

  /** An empty folder. */
  async empty(): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), 'login-'));
    this.folders.push(folder);
    return folder;
  }

  /** A folder like another one. */
  async copy(original: string): Promise<string> {
    const folder = await this.empty();
    await cp(original, folder, { recursive: true });
    return folder;
  }

  async remove(): Promise<void> {
    await Promise.all(this.folders.map((folder) => rm(folder, { recursive: true, force: true })));
  }
}

/** A port that is free, and so is the next one, which the app gives to its sandbox. */
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
