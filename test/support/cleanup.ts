import { randomUUID } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

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

/** After each test of this `describe`, a variable of the environment is what it was. */
export function restoresVariable(name: string): void {
  const { [name]: value } = process.env;
  afterEach(() => {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  });
}

export const restoresMode = (): void => restoresVariable('NODE_ENV');

/** A folder for the tests of this `describe`, which is removed after them. */
export function temporaryFolder(): string {
  const folder = join(tmpdir(), `test-${randomUUID()}`);
  before(() => mkdirSync(folder, { mode: 0o700 }));
  after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
