import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { FAULTS } from './figures.js';
import { namesOf, partOf, tasksFor, WHOLE } from './plan.js';
import { chosenSeed } from './seed.js';
import { printSummary } from './summary.js';
import { sumOf, titleOf } from './tasks.js';
import { runInProcesses } from './workers.js';

// The whole suite: what plan.ts generates. `--share 0.1` generates a tenth of the cases.
async function main(): Promise<boolean> {
  const started = Date.now();
  const seed = chosenSeed();
  const { share = '1' } = parseArgs({ options: { share: { type: 'string' } } }).values;
  const amounts = partOf(WHOLE, Number(share));
  process.stdout.write(`FUZZ_SEED=${seed}\n`);
  const failures: string[] = [];
  const processes = Math.min(4, Math.max(2, availableParallelism()));
  const results = await runInProcesses(tasksFor(amounts, seed), processes, (task, { failure }) => {
    process.stdout.write(
      `${failure === undefined ? 'holds' : 'FAILS'}: ${titleOf(task)}, ${task.target}, seed ${task.seed}\n`,
    );
    if (failure === undefined) return;
    failures.push(failure);
    process.stdout.write(`${failure}\n`);
  });
  const figures = sumOf(results);
  printSummary(figures, Date.now() - started);
  for (const failure of failures) process.stdout.write(`\n${failure}\n`);
  if (failures.length > 0) process.stdout.write(`\nFUZZ_SEED=${seed} repeats the whole run.\n`);
  const isReached = namesOf(amounts).every((name) => figures[name] >= amounts[name]);
  return isReached && failures.length === 0 && FAULTS.every((fault) => figures[fault] === 0);
}

main().then(
  (holds) => {
    process.exitCode = holds ? 0 : 1;
  },
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
    process.exitCode = 1;
  },
);
