#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { HELP, readTask, type Task } from './command-arguments.js';
import { greeting, mistakeText, requestLine } from './command-output.js';
import { startSandbox } from './sandbox.js';

const OPEN_WARNING =
  'WARNING: other machines can reach this sandbox and log in as anyone. Leave out --host to keep it on this machine.';

/** Runs the command line. An error is printed in one line, with exit code 1. */
async function main(args: readonly string[]): Promise<void> {
  try {
    const task = readTask(args);
    if (task.kind === 'help') print(HELP);
    else if (task.kind === 'version') print(`${packageVersion()}\n`);
    else await runSandbox(task);
  } catch (error) {
    process.stderr.write(`passport-social-networks-sandbox: ${mistakeText(error)}\n`);
    process.exitCode = 1;
  }
}

async function runSandbox({
  port,
  host,
  isOpen,
  strict,
  people,
  faults,
}: Extract<Task, { kind: 'sandbox' }>): Promise<void> {
  const sandbox = await startSandbox({
    port,
    host,
    strict,
    faults,
    ...(people && { people }),
    onRequest: (request) => print(`${requestLine(request)}\n`),
  });
  const stop = (): void => {
    process.off('SIGINT', stop).off('SIGTERM', stop);
    void sandbox.close();
  };
  process.on('SIGINT', stop).on('SIGTERM', stop);
  // Nobody reads the output any more: it was piped into a program that has ended.
  process.stdout.on('error', stop);
  if (isOpen) process.stderr.write(`${OPEN_WARNING}\n`);
  print(greeting(sandbox));
  print('\nRequests are listed below. Ctrl+C stops the sandbox.\n');
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
