import { runTask, type Task } from './tasks.js';

// Repeats one counterexample with the arguments that a failure prints: `repeat.ts KIND SUBJECT SEED PATH`.
const [kind, subject, seed, path] = process.argv.slice(2);

const task = {
  kind,
  ...(subject !== '-' && { subject }),
  seed: Number(seed),
  target: Number.MAX_SAFE_INTEGER,
  path: path ?? '0',
} as Task;

runTask(task).then(
  ({ failure }) => {
    process.stdout.write(`${failure ?? 'The property holds now.'}\n`);
    process.exitCode = failure === undefined ? 0 : 1;
  },
  (error: unknown) => {
    process.stderr.write(`${String(error)}\n`);
    process.exitCode = 1;
  },
);
