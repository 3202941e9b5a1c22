/** Collects, in place of printing, the warnings that the process emits in each test of this `describe`. */
export function collectsWarnings(): { texts(): Promise<string[]> } {
  let warnings: Error[] = [];
  let others: NodeJS.WarningListener[] = [];
  const collect = (warning: Error) => warnings.push(warning);
  beforeEach(() => {
    warnings = [];
    others = process.listeners('warning');
    process.removeAllListeners('warning');
    process.on('warning', collect);
  });
  afterEach(async () => {
    await emitted();
    process.off('warning', collect);
    for (const listener of others) process.on('warning', listener);
  });
  return {
    async texts() {
      await emitted();
      return warnings.map(({ message }) => message);
    },
  };
}

/** Warnings are emitted on the next tick. */
function emitted(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
