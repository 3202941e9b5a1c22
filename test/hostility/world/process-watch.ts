/** What went wrong in this process outside of every promise that somebody waits for. */
export interface ProcessWatch {
  /** Crashes and warnings since the last call. */
  take(): string[];
  stop(): void;
}

/** Watches for exceptions that would end the process, and for warnings. */
export function watchProcess(): ProcessWatch {
  let troubles: string[] = [];
  const crash = (error: unknown) => {
    troubles.push(`crash: ${error instanceof Error ? error.stack : String(error)}`);
  };
  const warn = (warning: Error) => troubles.push(`warning: ${warning.message}`);
  // Mocha's own listeners would take the exceptions for failures of the test at hand, without their seed.
  const events = ['uncaughtException', 'unhandledRejection', 'warning'] as const;
  const others = events.map((event) => [event, process.listeners(event as 'warning')] as const);
  for (const event of events) process.removeAllListeners(event);
  process.on('uncaughtException', crash);
  process.on('unhandledRejection', crash);
  process.on('warning', warn);
  return {
    take() {
      const taken = troubles;
      troubles = [];
      return taken;
    },
    stop() {
      process.off('uncaughtException', crash);
      process.off('unhandledRejection', crash);
      process.off('warning', warn);
      for (const [event, listeners] of others) {
        for (const listener of listeners) process.on(event as 'warning', listener);
      }
    },
  };
}
