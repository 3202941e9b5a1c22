/** Collects the unhandled rejections of each test, which would otherwise end the process. */
export function collectsUnhandled(): readonly unknown[] {
  const unhandled: unknown[] = [];
  const note = (reason: unknown) => unhandled.push(reason);
  let others: NodeJS.UnhandledRejectionListener[] = [];
  beforeEach(() => {
    unhandled.length = 0;
    others = process.listeners('unhandledRejection');
    process.removeAllListeners('unhandledRejection');
    process.on('unhandledRejection', note);
  });
  afterEach(() => {
    process.off('unhandledRejection', note);
    for (const other of others) process.on('unhandledRejection', other);
  });
  return unhandled;
}
