// Runs the programs of this folder in processes of their own.
import { execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * Runs a program that gets its settings as one argument and prints its result, both as JSON.
 *
 * @param {string} program - Path inside this folder.
 * @param {object} settings
 * @param {Record<string, string>} [env] - Added to this process's environment.
 * @returns {Promise<any>}
 * @throws {Error} with the program's own error message, in one line.
 */
export async function inProcess(program, settings, env) {
  const args = ['--expose-gc', join(import.meta.dirname, program), JSON.stringify(settings)];
  const options = { env: { ...process.env, ...env }, maxBuffer: 2 ** 26 };
  const { stdout, stderr } = await run(process.execPath, args, options).catch((error) => {
    throw new Error(errorIn(error.stderr) ?? `${program}: ${error.message}`);
  });
  process.stderr.write(stderr);
  return JSON.parse(stdout);
}

/**
 * Starts a program that tells the ports on which it listens, and ends when it is stopped or this process ends.
 *
 * @param {string} program - Path inside this folder.
 * @param {string[]} args
 * @param {Record<string, string>} [env] - Added to this process's environment.
 * @param {(text: string) => unknown} [print] - Where its output goes. Default: the console.
 * @returns {Promise<{ ports: Record<string, any>, stop: () => void }>}
 */
export async function startProcess(program, args, env, print = (text) => process.stderr.write(text)) {
  const child = fork(join(import.meta.dirname, program), args, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text) => {
      output += text;
      print(text);
    });
  }
  const ended = once(child, 'close').then(() => {
    throw new Error(errorIn(output) ?? `${program} ended before it listened`);
  });
  const [ports] = await Promise.race([once(child, 'message'), ended]);
  ended.catch(() => {});
  return { ports, stop: () => child.kill('SIGKILL') };
}

/**
 * Sends an order to the control port of such a program.
 *
 * @param {number | string | undefined} port
 * @param {string} what
 * @returns {Promise<any>}
 * @throws {Error} when the program does not respond.
 */
export async function order(port, what) {
  const response = await fetch(`http://127.0.0.1:${port}/${what}`).catch((error) => {
    throw new Error(`${what}: port ${port} does not respond: ${error.cause?.code ?? error.message}.`);
  });
  return response.json();
}

/** In such a program: listens on a free port of this machine. @param {import('node:net').Server} server @returns {Promise<number>} The port. */
export async function listen(server) {
  // Ten thousand logins may connect at once.
  server.listen({ port: 0, host: '127.0.0.1', backlog: 16_384 });
  await once(server, 'listening');
  return /** @type {import('node:net').AddressInfo} */ (server.address()).port;
}

/** The error message of a program, in one line. @param {string} output */
const errorIn = (output) => /^\w*Error\b.*$/m.exec(output)?.[0];

/** In the program: the settings that it was started with. @returns {any} */
export const settings = () => JSON.parse(process.argv[2] ?? '{}');

/** In the program: prints the result and ends, although connections are still open. @param {unknown} result */
export function finish(result) {
  process.stdout.write(JSON.stringify(result), () => process.exit());
}
