/** What may stay open: the pipes to the parent, and a file that is just being read. */
const OWN = new Set([
  'PipeWrap',
  'TTYWrap',
  'Immediate',
  'FSReqCallback',
  'FSReqPromise',
  'CloseReq',
  'MessagePort',
]);

/** Sockets, servers, timers and requests that keep this process alive, once it has had a moment to let go of them. */
export async function resourcesLeft(patience = 3_000): Promise<string[]> {
  const end = Date.now() + patience;
  for (;;) {
    const left = process.getActiveResourcesInfo().filter((name) => !OWN.has(name));
    if (left.length === 0 || Date.now() > end) return left;
    await new Promise((resolve) => setImmediate(resolve));
  }
}
