#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { HELP, readTask, type Task } from './command-arguments.js';
import { greeting, requestLine } from './command-output.js';
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
    process.stderr.write(`passport-social-networks: ${explain(error)}\n`);
    process.exitCode = 1;
  }
}

async function runSandbox({
  port,
  host,
  isOpen,
  people,
  faults,
}: Extract<Task, { kind: 'sandbox' }>): Promise<void> {
  const sandbox = await startSandbox({
    port,
    host,
    faults,
    ...(people && { people }),
    onRequest: (request) => print(`${requestLine(request)}\n`),
  });
  const stop = (): void => {
    process.off('SIGINT', stop).off('SIGTERM', stop);
    void sandbox.close();
  };
  process.on('SIGINT', stop).on('SIGTERM', stop);
  if (isOpen) process.stderr.write(`${OPEN_WARNING}\n`);
  print(greeting(sandbox));
  print('\nRequests are listed below. Ctrl+C stops the sandbox.\n');
}

function explain(error: unknown): string {
  const { code, message, syscall, port = '' } = error as NodeJS.ErrnoException & { port?: number };
  if (code === 'EADDRINUSE')
    return `port ${port} is in use: stop the program that listens on it, or choose another with --port`;
  if (code === 'EACCES' && syscall === 'listen') {
    return `no permission to listen on port ${port}: choose one from 1024 up with --port`;
  }
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    return '--host is not an address of this machine: leave it out, or use 127.0.0.1';
  }
  return message.replace('sandbox.fault:', '--fault:');
}

function packageVersion(): string {
  const { version } = JSON.parse(readFileSync(join(__dirname, '../../package.json'), 'utf8')) as {
    version: string;
  };
  return version;
}

function print(output: string): void {
  process.stdout.write(output);
}

void main(process.argv.slice(2));
