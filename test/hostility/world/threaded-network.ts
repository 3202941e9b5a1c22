import { once } from 'node:events';
import { isMainThread, parentPort, Worker } from 'node:worker_threads';
import {
  honestResponse,
  ownerOfRequest,
  type RenderedResponse,
  rawNetwork,
  type WireResponse,
} from './network.js';
import type { Step } from './subjects.js';

/** Milliseconds from writing a response until it counts as arrived. */
const TRANSIT = 10;
/** Milliseconds from a response to the one that follows it. */
const GAP = 5;

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

/** A response that nobody asked for, after each response. */
interface FollowingPlan extends Pick<StrayPlan, 'title' | 'step' | 'owner'> {}

/** A response to the next request of a step that takes its time. */
interface SlowPlan {
  readonly step: Step;
  readonly delay: number;
  readonly padding: number;
}

interface ThreadMessage {
  readonly id: number;
  /** Set to 1 when {@link PlannedResponse.arrived} is resolved; of a {@link FollowingPlan}, how many are on their way. */
  readonly flag: Int32Array;
  readonly stray?: StrayPlan;
  readonly slow?: SlowPlan;
  readonly following?: FollowingPlan | 'none';
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
  /** Whether any of those that follow responses is on its way. */
  isFollowing(): boolean;
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

  async plan(plan: Pick<ThreadMessage, 'stray' | 'slow' | 'following'>): Promise<PlannedResponse> {
    this.planned += 1;
    const id = this.planned;
    const flag = new Int32Array(new SharedArrayBuffer(4));
    const report = (kind: ThreadReport['kind']) =>
      new Promise<number>((resolve) => this.reports.set(`${kind} ${id}`, resolve));
    const [planned, arrived, sent] = [report('planned'), report('arrived'), report('sent')];
    this.worker.postMessage({ id, flag, ...plan } satisfies ThreadMessage);
    const count = () => Atomics.load(flag, 0);
    const [hasArrived, isFollowing] = [() => count() === 1, () => count() > 0];
    return { connections: await planned, arrived, hasArrived, isFollowing, sent };
  }

  async close(): Promise<void> {
    await this.worker.terminate();
  }
}

async function serve(port: NonNullable<typeof parentPort>): Promise<void> {
  let following: (FollowingPlan & { readonly flag: Int32Array }) | undefined;
  const followed = (response: RenderedResponse): WireResponse => {
    if (!following) return response;
    const { title, step, owner, flag } = following;
    const onSent = () => void setTimeout(() => Atomics.sub(flag, 0, 1), TRANSIT);
    const next = { ...honestResponse(title, step, owner), delay: GAP, onSent };
    // Slower than the gap: the next request on this connection would get what follows, not its own response.
    return { ...response, delay: 2 * GAP, onBegin: () => void Atomics.add(flag, 0, 1), next };
  };
  let next: (SlowPlan & { readonly onRequest: () => void; readonly onSent: () => void }) | undefined;
  const network = await rawNetwork((request) => {
    const [, title, step] = request.path.split('/') as [string, string, Step];
    const owner = ownerOfRequest(request);
    if (next?.step !== step) return followed(honestResponse(title, step, owner));
    const { delay, padding, onRequest, onSent } = next;
    next = undefined;
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

  port.on('message', ({ id, flag, slow, stray, following: wanted }: ThreadMessage) => {
    const report = (kind: ThreadReport['kind'], value = 0) =>
      port.postMessage({ kind, id, value } satisfies ThreadReport);
    const onArrival = () => {
      Atomics.store(flag, 0, 1);
      report('arrived');
    };
    const onSent = () => report('sent', clock());
    const connections = network.open.size;
    if (wanted) following = wanted === 'none' ? undefined : { ...wanted, flag };
    if (slow) next = { ...slow, onRequest: onArrival, onSent };
    if (stray) sendStray(stray, onArrival, onSent);
    report('planned', connections);
  });
  port.postMessage(network.url);
}

if (!isMainThread && parentPort) void serve(parentPort);
