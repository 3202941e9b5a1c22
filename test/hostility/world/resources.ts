/** Resources that may stay open: pipes to the parent and files being read. */
const ALLOWED = new Set([
  'PipeWrap',
  'TTYWrap',
  'Immediate',
  'FSReqCallback',
  'FSReqPromise',
  'CloseReq',
  'MessagePort',
]);

/** Waits for sockets, servers, timers and requests to be released. @returns Those still open after the time limit. */
export async function resourcesLeft(timeLimit = 3_000): Promise<string[]> {
  const end = Date.now() + timeLimit;
  for (;;) {
    const left = process.getActiveResourcesInfo().filter((name) => !ALLOWED.has(name));
    if (left.length === 0 || Date.now() > end) return left;
    await new Promise((resolve) => setImmediate(resolve));
  }
}
