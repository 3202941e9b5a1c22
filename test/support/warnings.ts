import type { EventEmitter } from 'node:events';
// Pending warnings are emitted on the next tick.
import { setImmediate as emitted } from 'node:timers/promises';

/** Collects the warnings of each test of this `describe` instead of printing them. */
export function collectsWarnings(): { texts(): Promise<string[]> } {
  const warnings = collects<Error>('warning');
  return {
    async texts() {
      await emitted();
      return warnings.map(({ message }) => message);
    },
  };
}

/** Collects what the process emits in each test of this `describe`, in the place of the other listeners. */
export function collects<T>(event: 'warning' | 'unhandledRejection'): readonly T[] {
  const emitter: EventEmitter = process;
  const collected: T[] = [];
  const collect = (one: T) => collected.push(one);
  let others: ReturnType<EventEmitter['listeners']> = [];
  beforeEach(() => {
    collected.length = 0;
    others = emitter.listeners(event);
    emitter.removeAllListeners(event);
    emitter.on(event, collect);
  });
  afterEach(async () => {
    await emitted();
    emitter.off(event, collect);
    for (const listener of others) emitter.on(event, listener as () => void);
  });
  return collected;
}
