#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { HELP, readTask, type Task } from './command-arguments.js';
import { greeting, requestLine } from './command-output.js';
import { startSandbox } from './sandbox.js';

const OPEN =
  'WARNING: other machines can reach this sandbox, and whoever does logs in as anybody. Leave --host out to keep it to this machine.';

/** Does what the command line asks; whatever is wrong becomes one line and exit code 1. */
async function main(words: readonly string[]): Promise<void> {
  try {
    const task = readTask(words);
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
  if (isOpen) process.stderr.write(`${OPEN}\n`);
  print(greeting(sandbox));
  print('\nRequests appear below; Ctrl+C ends the sandbox.\n');
}

function explain(error: unknown): string {
  const { code, message, syscall, port = '' } = error as NodeJS.ErrnoException & { port?: number };
  if (code === 'EADDRINUSE')
    return `port ${port} is in use: end what listens there, or choose another with --port`;
  if (code === 'EACCES' && syscall === 'listen') {
    return `port ${port} may not be listened on: choose one from 1024 on with --port`;
  }
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    return 'the host is no address of this machine: leave --host out, or take 127.0.0.1';
  }
  return message.replace('sandbox.fault:', '--fault:');
}

function packageVersion(): string {
  const { version } = JSON.parse(readFileSync(join(__dirname, '../../package.json'), 'utf8')) as {
    version: string;
  };
  return version;
}

function print(text: string): void {
  process.stdout.write(text);
}

void main(process.argv.slice(2));
