import { type Sandbox, type SandboxSettings, startSandbox } from '../../sandbox/lib/index.js';
import { opened, standIn } from './stand-in.js';

/** A sandbox for all tests of this `describe`. */
export const oneSandbox = (settings: SandboxSettings = {}): Sandbox => opened(() => startSandbox(settings));

/** The environment variables of clients, by the beginning of their names. */
export const variablesOf = (
  clients: Readonly<Record<string, { readonly clientID: string; readonly clientSecret: string }>>,
): Record<string, string> =>
  Object.fromEntries(
    Object.entries(clients).flatMap(([name, { clientID, clientSecret }]) => [
      [`${name}_CLIENT_ID`, clientID],
      [`${name}_CLIENT_SECRET`, clientSecret],
    ]),
  );

/** A sandbox of its own for each test of this `describe`. */
export function eachSandbox(settings: SandboxSettings = {}): Sandbox {
  let running: Sandbox;
  beforeEach(async () => {
    running = await startSandbox(settings);
  });
  afterEach(() => running?.close());
  return standIn(() => running);
}
