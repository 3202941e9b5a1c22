import { spawn } from 'node:child_process';

/** Makes npm quiet, and prefer its cache. */
const NPM = {
  npm_config_prefer_offline: 'true',
  npm_config_audit: 'false',
  npm_config_fund: 'false',
  npm_config_update_notifier: 'false',
  npm_config_package_lock: 'false',
};

/** @type {Set<import('node:child_process').ChildProcess>} */
const running = new Set();
process.once('exit', () => running.forEach(end));

/**
 * Runs a command line until it ends or times out.
 *
 * @param {string} command
 * @param {{ cwd: string, env?: Readonly<Record<string, string>>, timeout?: number }} settings - `timeout` is in milliseconds.
 * @returns {Promise<{ output: string, status: number | null, seconds: number }>}
 */
export async function run(command, { cwd, env = {}, timeout = 120_000 }) {
  const began = Date.now();
  // Do not apply this process's Node options to the versions under test.
  const { NODE_OPTIONS: _options, NODE_PATH: _path, ...inherited } = process.env;
  const child = spawn(command, {
    shell: true,
    // In a separate process group, so that killing it also kills the shell's children.
    detached: true,
    cwd,
    env: { ...inherited, ...NPM, NO_COLOR: '1', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      output += text;
    });
  }
  /** @type {NodeJS.Timeout | undefined} */
  let deadline;
  /** @type {number | null} */
  const status = await new Promise((resolve) => {
    deadline = setTimeout(() => {
      output += `\nNot done after ${timeout / 1000} seconds: ${command}\n`;
      end(child);
      // A process that left the group can keep the output open.
      resolve(null);
    }, timeout);
    child.once('error', (error) => {
      output += error.message;
      resolve(null);
    });
    child.once('close', resolve);
  });
  clearTimeout(deadline);
  running.delete(child);
  return { output, status, seconds: (Date.now() - began) / 1000 };
}

/** @param {import('node:child_process').ChildProcess} child */
function end(child) {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch (error) {
    // The whole group has ended.
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'ESRCH') throw error;
  }
}
