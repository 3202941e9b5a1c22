/** Something that a test opened. */
export interface Closeable {
  close(): unknown;
}

/** Closes after each test of this `describe` what the returned function was given, the latest first. */
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
