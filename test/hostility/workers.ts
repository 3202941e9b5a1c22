import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import { noFigures } from './figures.js';
import { type Task, type TaskResult, titleOf } from './tasks.js';

/** Milliseconds without a message after which a process counts as hung. */
const SILENCE = 180_000;

const FLAGS = [
  '--require',
  'tsx/cjs',
  '--throw-deprecation',
  '--unhandled-rejections=strict',
  // A memory leak ends the process instead of exhausting the machine.
  '--max-old-space-size=600',
];

type Message =
  | { readonly kind: 'progress' }
  | { readonly kind: 'result'; readonly result: TaskResult }
  | { readonly kind: 'broken'; readonly reason: string };

/** Runs tasks in parallel processes. */
export async function runInProcesses(
  tasks: readonly Task[],
  processes: number,
  report: (task: Task, result: TaskResult) => void,
): Promise<TaskResult[]> {
  const waiting = [...tasks];
  const results: TaskResult[] = [];
  const work = async () => {
    let worker: ChildProcess | undefined;
    for (let task = waiting.shift(); task; task = waiting.shift()) {
      worker = worker?.connected ? worker : fork(join(__dirname, 'worker.ts'), { execArgv: FLAGS });
      const result = await runIn(worker, task);
      results.push(result);
      report(task, result);
    }
    worker?.disconnect();
  };
  await Promise.all(Array.from({ length: processes }, work));
  return results;
}

function runIn(worker: ChildProcess, task: Task): Promise<TaskResult> {
  return new Promise((resolve) => {
    const failed = (fault: 'crashes' | 'hangs', what: string) => {
      finish({
        figures: { ...noFigures(), [fault]: 1 },
        failure: `${titleOf(task)}, seed ${task.seed}: ${what}`,
      });
      worker.kill('SIGKILL');
    };
    const onTimeout = () => failed('hangs', `no message for ${SILENCE / 1_000} seconds`);
    let timer = setTimeout(onTimeout, SILENCE);
    const onMessage = (message: Message) => {
      clearTimeout(timer);
      if (message.kind === 'result') finish(message.result);
      else if (message.kind === 'broken') failed('crashes', message.reason);
      else timer = setTimeout(onTimeout, SILENCE);
    };
    const onExit = (code: number | null, signal: string | null) =>
      failed('crashes', `the process ended (${signal ?? code})`);
    const finish = (result: TaskResult) => {
      clearTimeout(timer);
      worker.off('message', onMessage);
      worker.off('exit', onExit);
      resolve(result);
    };
    worker.on('message', onMessage);
    worker.once('exit', onExit);
    worker.send(task);
  });
}
