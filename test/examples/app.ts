import { join } from 'node:path';
import { Program, type Serving } from '../support/process.js';
import { freePort } from '../support/servers.js';

export const FOLDER = join(__dirname, '..', '..', 'examples', 'login');

/** The networks of the login example. */
export const NETWORKS = ['short-video', 'microblog', 'social-network'];

const LOGIN = join(FOLDER, 'server.js');

type Environment = Readonly<Record<string, string>>;

/** Starts an example, on a free port unless the environment has one, and waits for the URL that it prints. */
export async function startApp(
  environment: Environment,
  file = LOGIN,
  ...command: readonly string[]
): Promise<Serving> {
  const PORT = String(await freePort());
  const program = run({ PORT, ...environment }, file, ...command);
  const [, url = ''] = await program.shows(/^Log in at (\S+)/m);
  return Object.assign(program, { url });
}

export async function runToEnd(environment: Environment, file = LOGIN, ...command: readonly string[]) {
  const program = run(environment, file, ...command);
  const { code } = await program.ended();
  return { code, output: program.text };
}

function run(environment: Environment, file: string, ...command: readonly string[]): Program {
  const { PATH, HOME } = process.env;
  return new Program(['--throw-deprecation', file, ...command], { PATH, HOME, ...environment });
}
