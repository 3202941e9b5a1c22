/** Something that a test opened. */
export interface Closeable {
  close(): unknown;
}

/** After each test of this `describe`, closes what was passed to the returned function, in reverse order. */
export function closesAfterEach(): <T extends Closeable>(opened: T) => T {
  const open: Closeable[] = [];
  afterEach(async () => {
    for (const closeable of open.splice(0).reverse()) await closeable.close();
  });
  return (opened) => {
    open.push(opened);
    return opened;
  };
}
