import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { HELP, readTask, type Task } from './command/arguments.js';
import { CONFIG_TEMPLATE } from './command/config-file.js';
import { greeting, mistakeText, requestLine } from './command/output.js';
import { startSandbox } from './server/sandbox.js';

const OPEN_WARNING =
  'WARNING: other machines can reach this sandbox and log in as anyone. Leave out --host to keep it on this machine.';

/** Runs the command line. A mistake is printed, one line each, with exit code 1. */
async function main(args: readonly string[]): Promise<void> {
  try {
    const task = readTask(args);
    if (task.kind === 'help') print(HELP);
    else if (task.kind === 'version') print(`${packageVersion()}\n`);
    else if (task.kind === 'init') initialize(task.file);
    else await runSandbox(task);
  } catch (error) {
    process.stderr.write(`passport-social-networks-sandbox: ${mistakeText(error)}\n`);
    process.exitCode = 1;
  }
}

async function runSandbox(task: Extract<Task, { kind: 'sandbox' }>): Promise<void> {
  const { port, host, isOpen, https, certificateFile, settings } = task;
  const sandbox = await startSandbox({
    ...settings,
    port,
    host,
    https,
    onRequest: (request) => print(`${requestLine(request)}\n`),
  });
  if (certificateFile !== undefined) writeFileSync(certificateFile, sandbox.certificate ?? '');
  const stop = (): void => {
    process.off('SIGINT', stop).off('SIGTERM', stop);
    void sandbox.close();
  };
  process.on('SIGINT', stop).on('SIGTERM', stop);
  // Nobody reads the output any more: it was piped into a program that has ended.
  process.stdout.on('error', stop);
  if (isOpen) process.stderr.write(`${OPEN_WARNING}\n`);
  print(greeting(sandbox, certificateFile));
  print('\nRequests are listed below. Ctrl+C stops the sandbox.\n');
}

/** Never replaces a file. */
function initialize(file: string): void {
  writeFileSync(file, CONFIG_TEMPLATE, { flag: 'wx' });
  print(`${file} is written. Change it, and start the sandbox with --config ${file}\n`);
}

function packageVersion(): string {
  const { version } = JSON.parse(readFileSync(join(__dirname, '../package.json'), 'utf8')) as {
    version: string;
  };
  return version;
}

function print(output: string): void {
  process.stdout.write(output);
}

void main(process.argv.slice(2));
