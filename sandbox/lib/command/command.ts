import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RehearsalCheck } from '../rehearsal/options.js';
import { type Rehearsal, rehearse } from '../rehearsal/rehearsal.js';
import { startSandbox } from '../server/sandbox.js';
import type { SandboxRequest } from '../traffic/request-log.js';
import { HELP, readTask, type Task } from './arguments.js';
import { CONFIG_TEMPLATE } from './config-file.js';
import { checkLines, exitCodeOf, greeting, jsonOf, mistakeText, requestLine, summary } from './output.js';

async function main(args: readonly string[]): Promise<void> {
  // Nobody reads the output any more: it was piped into a program that has ended.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  try {
    const task = readTask(args);
    if (task.kind === 'help') print(HELP);
    else if (task.kind === 'version') {
      const manifest = readFileSync(join(__dirname, '../../package.json'), 'utf8');
      print(`${JSON.parse(manifest).version}\n`);
    } else if (task.kind === 'init') {
      // Never replaces a file.
      writeFileSync(task.file, CONFIG_TEMPLATE, { flag: 'wx' });
      print(`${task.file} is written. Change it, and start the sandbox with --config ${task.file}\n`);
    } else if (task.kind === 'rehearse') await runRehearsals(task);
    else await runSandbox(task);
  } catch (error) {
    process.stderr.write(`passport-social-networks-sandbox: ${mistakeText(error)}\n`);
    process.exitCode = 1;
  }
}

async function runSandbox(task: Extract<Task, { kind: 'sandbox' }>): Promise<void> {
  const { port, host, isOpen, https, certificateFile, settings } = task;
  const onRequest = (request: SandboxRequest): void => print(`${requestLine(request)}\n`);
  const sandbox = await startSandbox({ ...settings, port, host, https, onRequest });
  if (certificateFile !== undefined) writeFileSync(certificateFile, sandbox.certificate ?? '');
  const stop = (): void => {
    process.off('SIGINT', stop).off('SIGTERM', stop);
    void sandbox.close();
  };
  process.on('SIGINT', stop).on('SIGTERM', stop);
  process.stdout.on('error', stop);
  if (isOpen)
    process.stderr.write(
      'WARNING: other machines can reach this sandbox and log in as anyone. Leave out --host to keep it on this machine.\n',
    );
  print(greeting(sandbox, certificateFile));
  print('\nRequests are listed below. Ctrl+C stops the sandbox.\n');
}

/** One URL after the other: faults for one must not meet another. */
async function runRehearsals({ urls, options, isJson }: Extract<Task, { kind: 'rehearse' }>): Promise<void> {
  const rehearsals: Rehearsal[] = [];
  let status: 0 | 1 | 2 = 2;
  process.stdout.on('error', () => process.exit(status));
  for (const url of urls) {
    const onCheck = (check: RehearsalCheck, network: string): void => {
      if (check.name === 'start') print(`${network === '' ? url : `${url}  ${network}`}\n`);
      if (check.passed === false) status = 1;
      print(checkLines(check));
    };
    const others = urls.filter((other) => other !== url);
    rehearsals.push(await rehearse(url, { ...options, others, ...(!isJson && { onCheck }) }));
    if (!isJson) print('\n');
  }
  status = exitCodeOf(rehearsals);
  process.exitCode = status;
  print(isJson ? `${jsonOf(rehearsals)}\n` : summary(rehearsals));
}

function print(output: string): void {
  process.stdout.write(output);
}

void main(process.argv.slice(2));
