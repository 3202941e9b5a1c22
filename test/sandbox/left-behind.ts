import { get } from 'node:http';
import { type SandboxFault, startSandbox } from '../../sandbox/lib/index.js';

// Runs in a separate process, because a test runner has timers of its own. Prints what keeps the process alive while faults
// delay responses, and again when the sandbox is closed.
const FAULTS: readonly SandboxFault[] = [
  { kind: 'delay', milliseconds: 60_000 },
  { kind: 'gather', requests: 2, milliseconds: 60_000 },
  { kind: 'drip', milliseconds: 60_000 },
  { kind: 'hang' },
];

async function main(): Promise<void> {
  const faults = FAULTS.map((fault) => ({ endpoint: 'users lookup', fault, times: 1 }));
  const sandbox = await startSandbox({ faults });
  const ended = FAULTS.map(
    () =>
      new Promise((resolve) => {
        const request = get(sandbox.options('microblog').profileURL, { agent: false });
        request.on('response', (message) => message.on('error', resolve));
        request.on('error', resolve);
      }),
  );
  while (sandbox.requests().length < FAULTS.length) await turn();
  report();
  await sandbox.close();
  await Promise.all(ended);
  await turn();
  report();
}

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

function report(): void {
  const names = process.getActiveResourcesInfo().filter((name) => /Timeout|TCPS/.test(name));
  console.log([...new Set(names)].toSorted().join(' '));
}

void main();
