import { parentPort } from 'node:worker_threads';
import { ownerOfRequest, type Step } from './honest-responses.js';
import { honestResponse } from './network.js';
import { rawNetwork } from './raw-network.js';
import {
  clock,
  type SlowPlan,
  type StrayPlan,
  type ThreadMessage,
  type ThreadReport,
} from './threaded-network.js';

// The thread of a ThreadedNetwork.

/** Milliseconds from writing a response until it counts as arrived. */
const TRANSIT = 10;

interface Slow extends SlowPlan {
  readonly onRequest: () => void;
  readonly onSent: () => void;
}

async function serve(): Promise<void> {
  let slow: Slow | undefined;
  const network = await rawNetwork((request) => {
    const [, title, step] = request.path.split('/') as [string, string, Step];
    const owner = ownerOfRequest(request);
    if (slow?.step !== step) return honestResponse(title, step, owner);
    const { delay, padding, onRequest, onSent } = slow;
    slow = undefined;
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

  parentPort?.on('message', (message: ThreadMessage) => {
    const { id, flag } = message;
    const report = (told: ThreadReport) => parentPort?.postMessage(told);
    const onArrival = () => {
      Atomics.store(flag, 0, 1);
      report({ kind: 'arrived', id });
    };
    const onSent = () => report({ kind: 'sent', id, time: clock() });
    const connections = network.open.size;
    if ('slow' in message) slow = { ...message.slow, onRequest: onArrival, onSent };
    else sendStray(message.stray, onArrival, onSent);
    report({ kind: 'planned', id, connections });
  });
  parentPort?.postMessage(network.url);
}

void serve();
