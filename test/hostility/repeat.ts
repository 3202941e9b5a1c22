import { runTask, type Task } from './tasks.js';

// Repeats one counter-example: `repeat.ts KIND SUBJECT STORE SEED PATH`, as a failure prints it.
const [kind, subject, store, seed, path] = process.argv.slice(2);

const task = {
  kind,
  ...(subject !== '-' && { subject }),
  ...(store !== '-' && { store }),
  seed: Number(seed),
  target: Number.MAX_SAFE_INTEGER,
  path: path ?? '0',
} as Task;

runTask(task).then(
  ({ failure }) => {
    process.stdout.write(`${failure ?? 'It holds now.'}\n`);
    process.exitCode = failure === undefined ? 0 : 1;
  },
  (error: unknown) => {
    process.stderr.write(`${String(error)}\n`);
    process.exitCode = 1;
  },
);
