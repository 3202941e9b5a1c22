import { runTask, type Task } from './tasks.js';
import { resourcesLeft } from './world/resources.js';

// A process that checks one task after another, as its parent hands them over.
Error.stackTraceLimit = 6;
// Most of what is thrown here is thrown on purpose: mapping its lines would take half of the time. repeat.ts maps them.
process.setSourceMapsEnabled(false);

process.on('message', (task: Task) => {
  runTask(task, () => process.send?.({ kind: 'progress' }))
    .then(async (result) => {
      const left = await resourcesLeft();
      if (left.length === 0 || result.failure !== undefined) return result;
      return {
        figures: { ...result.figures, socketsLeft: left.length },
        failure: `left open after the task: ${left.join(', ')}`,
      };
    })
    .then(
      (result) => process.send?.({ kind: 'result', result }),
      (error: unknown) =>
        process.send?.({ kind: 'broken', reason: error instanceof Error ? error.stack : String(error) }),
    );
});
