/** Collects this process's uncaught exceptions, unhandled rejections and warnings. */
export interface ProcessWatch {
  /** Crashes and warnings since the last call. */
  take(): string[];
  stop(): void;
}

/** Warnings that lost logins, and starts at another host than the callback URL's, cause outside production. */
const EXPECTED =
  /^[\w.-]+: (This callback belongs to no pending login|This login was not begun by passport\.authorize|A login starts when|The cookies of this site leave no room|a login began at )/;

/** Starts to collect uncaught errors and warnings. */
export function watchProcess(): ProcessWatch {
  let problems: string[] = [];
  const crash = (error: unknown) => {
    problems.push(`crash: ${error instanceof Error ? error.stack : String(error)}`);
  };
  const warn = ({ message }: Error) => {
    if (!EXPECTED.test(message)) problems.push(`warning: ${message}`);
  };
  // Mocha's listeners would report the exceptions as failures of the current test, without the seed.
  const events = ['uncaughtException', 'unhandledRejection', 'warning'] as const;
  const others = events.map((event) => [event, process.listeners(event as 'warning')] as const);
  for (const event of events) process.removeAllListeners(event);
  process.on('uncaughtException', crash);
  process.on('unhandledRejection', crash);
  process.on('warning', warn);
  return {
    take() {
      const collected = problems;
      problems = [];
      return collected;
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
