import { once } from 'node:events';
import { isMainThread, parentPort, Worker } from 'node:worker_threads';
import { honestResponse, ownerOfRequest, rawNetwork } from './network.js';
import type { Step } from './subjects.js';

/** Milliseconds from writing a response until it counts as arrived. */
const TRANSIT = 10;

/** A response that nobody asked for, on each connection that is open. */
interface StrayPlan {
  readonly title: string;
  readonly step: Step;
  readonly owner: number;
  /** Milliseconds until it is written. */
  readonly delay: number;
  /** Milliseconds from then until it is written once more; `undefined` if it is not. */
  readonly repeated: number | undefined;
}

/** Responses to the next requests of a step that take their time. */
interface SlowPlan {
  readonly step: Step;
  readonly delay: number;
  readonly padding: number;
  /** How many. */
  readonly times: number;
}

interface ThreadMessage {
  readonly id: number;
  /** Set to 1 when {@link PlannedResponse.arrived} is resolved. */
  readonly flag: Int32Array;
  readonly stray?: StrayPlan;
  readonly slow?: SlowPlan;
}

/** What the network's thread says: `value` is the number of connections when planned, and {@link clock} when sent. */
interface ThreadReport {
  readonly kind: 'planned' | 'arrived' | 'sent';
  readonly id: number;
  readonly value: number;
}

export interface PlannedResponse {
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
  private readonly reports = new Map<string, (value: number) => void>();

  static async open(): Promise<ThreadedNetwork> {
    const worker = new Worker(__filename, { execArgv: ['--require', 'tsx/cjs'] });
    const [url] = (await once(worker, 'message')) as [string];
    return new ThreadedNetwork(worker, url);
  }

  private constructor(
    private readonly worker: Worker,
    readonly url: string,
  ) {
    worker.on('message', ({ kind, id, value }: ThreadReport) => {
      this.reports.get(`${kind} ${id}`)?.(value);
      this.reports.delete(`${kind} ${id}`);
    });
  }

  async plan(plan: { readonly stray: StrayPlan } | { readonly slow: SlowPlan }): Promise<PlannedResponse> {
    this.planned += 1;
    const id = this.planned;
    const flag = new Int32Array(new SharedArrayBuffer(4));
    const report = (kind: ThreadReport['kind']) =>
      new Promise<number>((resolve) => this.reports.set(`${kind} ${id}`, resolve));
    const [planned, arrived, sent] = [report('planned'), report('arrived'), report('sent')];
    this.worker.postMessage({ id, flag, ...plan } satisfies ThreadMessage);
    return { connections: await planned, arrived, hasArrived: () => Atomics.load(flag, 0) === 1, sent };
  }

  async close(): Promise<void> {
    await this.worker.terminate();
  }
}

async function serve(port: NonNullable<typeof parentPort>): Promise<void> {
  let next: (SlowPlan & { readonly onRequest: () => void; readonly onSent: () => void }) | undefined;
  const network = await rawNetwork((request) => {
    const [, title, step] = request.path.split('/') as [string, string, Step];
    const owner = ownerOfRequest(request);
    if (next?.step !== step) return honestResponse(title, step, owner);
    const { delay, padding, times, onRequest, onSent } = next;
    next = times > 1 ? { ...next, times: times - 1 } : undefined;
    onRequest();
    return { ...honestResponse(title, step, owner, padding), delay, onSent };
  });

  const sendStray = (
    { title, step, owner, delay, repeated }: StrayPlan,
    onArrival: () => void,
    onSent: () => void,
  ) => {
    const sockets = [...network.open];
    const bytes = Buffer.concat(honestResponse(title, step, owner).chunks);
    const writeAll = () => {
      for (const socket of sockets) if (!socket.destroyed) socket.write(bytes);
    };
    setTimeout(() => {
      writeAll();
      setTimeout(onArrival, TRANSIT);
      if (repeated !== undefined) setTimeout(writeAll, repeated);
      setTimeout(onSent, Math.max(repeated ?? 0, TRANSIT));
    }, delay);
  };

  port.on('message', ({ id, flag, slow, stray }: ThreadMessage) => {
    const report = (kind: ThreadReport['kind'], value = 0) =>
      port.postMessage({ kind, id, value } satisfies ThreadReport);
    const onArrival = () => {
      Atomics.store(flag, 0, 1);
      report('arrived');
    };
    const onSent = () => report('sent', clock());
    const connections = network.open.size;
    if (slow) next = { ...slow, onRequest: onArrival, onSent };
    if (stray) sendStray(stray, onArrival, onSent);
    report('planned', connections);
  });
  port.postMessage(network.url);
}

if (!isMainThread && parentPort) void serve(parentPort);
