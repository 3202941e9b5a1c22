import { type Sandbox, type SandboxSettings, startSandbox } from '../../sandbox/lib/index.js';
import { standIn } from './stand-in.js';

/** A sandbox for all tests of this `describe`. */
export function oneSandbox(settings: SandboxSettings = {}): Sandbox {
  let running: Sandbox;
  before(async () => {
    running = await startSandbox(settings);
  });
  after(() => running?.close());
  return standIn(() => running);
}

/** A sandbox of its own for each test of this `describe`. */
export function eachSandbox(settings: SandboxSettings = {}): Sandbox {
  let running: Sandbox;
  beforeEach(async () => {
    running = await startSandbox(settings);
  });
  afterEach(() => running?.close());
  return standIn(() => running);
}
