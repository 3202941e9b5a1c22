import { runTask, type Task } from './tasks.js';
import { resourcesLeft } from './world/resources.js';

// A child process that runs the tasks that its parent sends.
Error.stackTraceLimit = 6;
// Most errors here are expected, and source maps would take half of the time. repeat.ts enables them.
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
