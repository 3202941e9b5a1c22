import { type ChildProcess, fork } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import {
  chosenSeed,
  type KindName,
  nameOf,
  partOf,
  runTask,
  type Task,
  type TaskResult,
  tasksFor,
} from './kinds.js';
import { CAPTIONS, type Count, FAULTS, sumOf } from './world/world.js';

// The whole suite: what kinds.ts generates. `--share 0.1` generates a tenth of the cases. A failure prints the arguments that repeat it:
// `repeat KIND SUBJECT SEED PATH`.

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

/** What a process says: nothing yet, a result, or why it cannot go on. */
interface Message {
  readonly result?: TaskResult;
  readonly broken?: string;
}

async function runAll(share: number): Promise<boolean> {
  const started = Date.now();
  const seed = chosenSeed();
  const wanted = partOf(share);
  console.log(`FUZZ_SEED=${seed}`);
  const waiting = tasksFor(wanted, seed);
  const results: TaskResult[] = [];
  const work = async () => {
    let worker: ChildProcess | undefined;
    for (let task = waiting.shift(); task; task = waiting.shift()) {
      worker = worker?.connected ? worker : fork(__filename, ['worker'], { execArgv: FLAGS });
      const result = await runIn(worker, task);
      results.push(result);
      const verdict = result.failure === undefined ? 'holds' : 'FAILS';
      console.log(
        `${verdict}: ${nameOf(task)}, ${task.target}, seed ${task.seed}\n${result.failure ?? ''}`.trim(),
      );
    }
    worker?.disconnect();
  };
  // One more than cores, because logins in a busy process mostly sleep.
  const processes = Math.min(4, 1 + availableParallelism());
  await Promise.all(Array.from({ length: processes }, work));
  const figures = { ...sumOf(results.map((result) => result.figures)) };
  const rows = [...Object.entries(figures), ['seconds', ((Date.now() - started) / 1_000).toFixed(0)]];
  const captions: Readonly<Record<string, string>> = CAPTIONS;
  for (const [name = '', value] of rows) console.log(`${(captions[name] ?? name).padEnd(52)}${value}`);
  const failures = results.flatMap(({ failure }) => failure ?? []);
  for (const failure of failures) console.log(`\n${failure}`);
  if (failures.length > 0) console.log(`\nFUZZ_SEED=${seed} repeats the whole run.`);
  const isReached = Object.entries(wanted).every(([name, amount]) => figures[name as Count] >= amount);
  return isReached && failures.length === 0 && FAULTS.every((fault) => figures[fault] === 0);
}

function runIn(worker: ChildProcess, task: Task): Promise<TaskResult> {
  return new Promise((resolve) => {
    const failed = (fault: (typeof FAULTS)[number], what: string) => {
      const failure = `${nameOf(task)}, seed ${task.seed}: ${what}`;
      finish({ figures: { ...sumOf([]), [fault]: 1 }, failure });
      worker.kill('SIGKILL');
    };
    const onTimeout = () => failed('hangs', `no message for ${SILENCE / 1_000} seconds`);
    const timer = setTimeout(onTimeout, SILENCE);
    const onMessage = ({ result, broken }: Message) => {
      timer.refresh();
      if (result) finish(result);
      if (broken !== undefined) failed('crashes', broken);
    };
    const onExit = (code: number | null, signal: string | null) =>
      failed('crashes', `the process ended (${signal ?? code})`);
    const finish = (result: TaskResult) => {
      clearTimeout(timer);
      worker.off('message', onMessage).off('exit', onExit);
      resolve(result);
    };
    worker.on('message', onMessage).once('exit', onExit);
    worker.send(task);
  });
}

function work(): void {
  const say = (message: Message) => process.send?.(message);
  Error.stackTraceLimit = 6;
  // Most errors here are expected, and source maps would take half of the time. `repeat` has them.
  process.setSourceMapsEnabled(false);
  process.on('message', (task: Task) => {
    const running = runTask(task, () => say({})).then(withResourcesLeft);
    running.then(
      (result) => say({ result }),
      (error: unknown) => say({ broken: error instanceof Error ? (error.stack ?? '') : String(error) }),
    );
  });
}

/** Resources that may stay open: pipes to the parent and files being read. */
const ALLOWED = 'PipeWrap TTYWrap Immediate FSReqCallback FSReqPromise CloseReq MessagePort'.split(' ');

/** Waits for sockets, servers, timers and requests to be released. */
async function withResourcesLeft(result: TaskResult): Promise<TaskResult> {
  const end = Date.now() + 3_000;
  const left = () => process.getActiveResourcesInfo().filter((name) => !ALLOWED.includes(name));
  while (left().length > 0 && Date.now() < end) await new Promise(setImmediate);
  if (left().length === 0 || result.failure !== undefined) return result;
  const failure = `left open after the task: ${left().join(', ')}`;
  return { figures: { ...result.figures, socketsLeft: left().length }, failure };
}

async function repeat([name, subject, seed, path = '0']: readonly string[]): Promise<boolean> {
  const known = subject === '-' || subject === undefined ? {} : { subject };
  const target = Number.MAX_SAFE_INTEGER;
  const { failure } = await runTask({ kind: name as KindName, ...known, seed: Number(seed), target, path });
  console.log(failure ?? 'The property holds now.');
  return failure === undefined;
}

const { values, positionals } = parseArgs({ options: { share: { type: 'string' } }, allowPositionals: true });
const [command, ...words] = positionals;
if (command === 'worker') work();
else {
  const running = command === 'repeat' ? repeat(words) : runAll(Number(values.share ?? 1));
  running.then(
    (holds) => {
      process.exitCode = holds ? 0 : 1;
    },
    (error: unknown) => {
      console.error(error);
      process.exitCode = 1;
    },
  );
}
