import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';

/** A child process that exchanges messages. */
export interface Child {
  /** Waits for the next message. @throws Error if the process ends or sends nothing for two minutes. */
  next(): Promise<Record<string, unknown>>;
  ask(message: unknown): Promise<Record<string, unknown>>;
  end(): void;
}

const SILENCE = 120_000;

/** Starts a script in this folder. */
export function startChild(
  script: string,
  args: readonly string[] = [],
  flags: readonly string[] = [],
): Child {
  const execArgv = ['--require', 'tsx/cjs', '--unhandled-rejections=strict', ...flags];
  const child: ChildProcess = fork(join(__dirname, script), args, { execArgv });
  const arrived: Record<string, unknown>[] = [];
  let wake = () => {};
  child.on('message', (message: Record<string, unknown>) => {
    arrived.push(message);
    wake();
  });
  const next = async () => {
    const end = Date.now() + SILENCE;
    while (arrived.length === 0) {
      if (child.exitCode !== null) throw new Error(`${script} ended with ${child.exitCode}`);
      if (Date.now() > end) throw new Error(`${script} sent no message`);
      await new Promise<void>((resolve) => {
        wake = resolve;
        setTimeout(resolve, 500).unref();
      });
    }
    return arrived.shift() as Record<string, unknown>;
  };
  return {
    next,
    ask(message) {
      child.send(message as object);
      return next();
    },
    end: () => void child.kill('SIGKILL'),
  };
}
