import { type Sandbox, type SandboxSettings, startSandbox } from '../../sandbox/lib/index.js';
import { opened, standIn } from './stand-in.js';

/** A sandbox for all tests of this `describe`. */
export const oneSandbox = (settings: SandboxSettings = {}): Sandbox => opened(() => startSandbox(settings));

/** A sandbox of its own for each test of this `describe`. */
export function eachSandbox(settings: SandboxSettings = {}): Sandbox {
  let running: Sandbox;
  beforeEach(async () => {
    running = await startSandbox(settings);
  });
  afterEach(() => running?.close());
  return standIn(() => running);
}
