import { join } from 'node:path';
import { Program } from '../support/process.js';
import { freePort } from '../support/servers.js';

/** The login example. */
export const FOLDER = join(__dirname, '..', '..', 'examples', 'login');

const LOGIN = join(FOLDER, 'server.js');

type Environment = Readonly<Record<string, string>>;

export class RunningApp {
  private constructor(
    private readonly program: Program,
    /** URL of the app, without a trailing slash. */
    readonly url: string,
  ) {}

  /** Starts the app, on a free port unless the environment has one, and waits for the URL that it prints. */
  static async start(
    environment: Environment,
    file = LOGIN,
    ...command: readonly string[]
  ): Promise<RunningApp> {
    const PORT = String(await freePort());
    const program = run({ PORT, ...environment }, file, ...command);
    const [, url = ''] = await program.shows(/^Log in at (\S+)/m);
    return new RunningApp(program, url);
  }

  readonly output = (): string => this.program.text;

  get hasEnded(): boolean {
    return this.program.hasEnded;
  }

  async stop(signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<void> {
    await this.program.kill(signal);
  }
}

export async function runToEnd(
  environment: Environment,
  file = LOGIN,
  ...command: readonly string[]
): Promise<{ code: number | null; output: string }> {
  const program = run(environment, file, ...command);
  const { code } = await program.ended();
  return { code, output: program.text };
}

function run(environment: Environment, file: string, ...command: readonly string[]): Program {
  const { PATH, HOME } = process.env;
  return new Program(['--throw-deprecation', file, ...command], { PATH, HOME, ...environment });
}
