import { once } from 'node:events';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Step } from './honest-responses.js';

/** A response that nobody asked for, on each connection that is open. */
export interface StrayPlan {
  readonly title: string;
  readonly step: Step;
  /** The number of the user whom it is about. */
  readonly owner: number;
  /** Milliseconds until it is written. */
  readonly delay: number;
  /** Milliseconds from then until it is written once more; `undefined` if it is not. */
  readonly repeated: number | undefined;
}

/** A response to the next request of a step that takes its time. */
export interface SlowPlan {
  readonly step: Step;
  /** Milliseconds until it is written. */
  readonly delay: number;
  /** Characters of an additional property. */
  readonly padding: number;
}

/** What the network's thread is told. */
export type ThreadMessage = {
  readonly id: number;
  /** Set to 1 when {@link PlannedResponse.arrived} is resolved. */
  readonly flag: Int32Array;
} & ({ readonly stray: StrayPlan } | { readonly slow: SlowPlan });

/** What the network's thread says. */
export type ThreadReport =
  | { readonly kind: 'planned'; readonly id: number; readonly connections: number }
  | { readonly kind: 'arrived'; readonly id: number }
  /** @see clock */
  | { readonly kind: 'sent'; readonly id: number; readonly time: number };

/** A response that the network will send. */
export interface PlannedResponse {
  /** Open connections when it was planned. */
  readonly connections: number;
  /** Resolved when the first copy of a stray response has arrived, or the request for a slow one. */
  readonly arrived: Promise<unknown>;
  /** Whether that has happened. Needs no turn of the event loop. */
  hasArrived(): boolean;
  /** When the last byte was written, by {@link clock}. */
  readonly sent: Promise<number>;
}

/** Milliseconds by a clock that all threads share. */
export function clock(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

/** Keeps this thread busy: nothing else runs, and no socket is read. */
export function beBusy(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}

/** The three networks, honest, in a thread of their own: they send while this thread is busy. */
export class ThreadedNetwork {
  private planned = 0;
  private readonly reports = new Map<string, (report: ThreadReport) => void>();

  static async open(): Promise<ThreadedNetwork> {
    const worker = new Worker(join(__dirname, 'network-thread.ts'), { execArgv: ['--require', 'tsx/cjs'] });
    const [url] = (await once(worker, 'message')) as [string];
    return new ThreadedNetwork(worker, url);
  }

  private constructor(
    private readonly worker: Worker,
    readonly url: string,
  ) {
    worker.on('message', (report: ThreadReport) => {
      const name = `${report.kind} ${report.id}`;
      this.reports.get(name)?.(report);
      this.reports.delete(name);
    });
  }

  sendStray(stray: StrayPlan): Promise<PlannedResponse> {
    return this.plan({ stray });
  }

  sendSlowly(slow: SlowPlan): Promise<PlannedResponse> {
    return this.plan({ slow });
  }

  async close(): Promise<void> {
    await this.worker.terminate();
  }

  private async plan(plan: { stray: StrayPlan } | { slow: SlowPlan }): Promise<PlannedResponse> {
    this.planned += 1;
    const id = this.planned;
    const flag = new Int32Array(new SharedArrayBuffer(4));
    const planned = this.report('planned', id);
    const arrived = this.report('arrived', id);
    const sent = this.report('sent', id);
    this.worker.postMessage({ id, flag, ...plan } satisfies ThreadMessage);
    const { connections } = await planned;
    return {
      connections,
      arrived,
      hasArrived: () => Atomics.load(flag, 0) === 1,
      sent: sent.then(({ time }) => time),
    };
  }

  private report<Kind extends ThreadReport['kind']>(
    kind: Kind,
    id: number,
  ): Promise<Extract<ThreadReport, { kind: Kind }>> {
    return new Promise((resolve) => {
      this.reports.set(`${kind} ${id}`, (report) => resolve(report as Extract<ThreadReport, { kind: Kind }>));
    });
  }
}
