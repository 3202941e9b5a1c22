/** Collects the warnings of each test of this `describe` instead of printing them. */
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

/** Waits until pending warnings have been emitted, which happens on the next tick. */
function emitted(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
