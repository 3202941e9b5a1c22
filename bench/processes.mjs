// Runs a program of this folder in a process of its own. The program gets its settings as one argument and prints its result, both as JSON.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
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
    throw new Error(/^\w*Error\b.*$/m.exec(error.stderr)?.[0] ?? `${program}: ${error.message}`);
  });
  process.stderr.write(stderr);
  return JSON.parse(stdout);
}

/** In the program: the settings that it was started with. @returns {any} */
export const settings = () => JSON.parse(process.argv[2] ?? '{}');

/** In the program: prints the result and ends, although connections are still open. @param {unknown} result */
export function finish(result) {
  process.stdout.write(JSON.stringify(result), () => process.exit());
}
