import type { Agent } from 'node:https';
import type { Sandbox, SandboxFault, SandboxFaultRule } from '../../sandbox/lib/index.js';
import { startSandbox } from '../../sandbox/lib/index.js';
import { classOf, type Subject } from '../contract/strategies.js';
import { logIn } from '../support/journey.js';
import { loginApp, type NamedStrategy } from '../support/login-app.js';

/** One fault of each kind, with short delays. */
export const FAULTS: readonly SandboxFault[] = [
  { kind: 'answer', status: 503 },
  { kind: 'delay', milliseconds: 30 },
  { kind: 'hang' },
  { kind: 'reset' },
  { kind: 'cut' },
  { kind: 'drip' },
  { kind: 'huge' },
  { kind: 'wrong-type' },
  { kind: 'redirect' },
  { kind: 'malformed' },
  { kind: 'rate-limit' },
  { kind: 'expired-code' },
  { kind: 'revoked-token' },
];

interface Verified {
  readonly id: string;
}

function verify(
  _token: string,
  _refresh: unknown,
  { id }: Verified,
  done: (error: unknown, user: Verified) => void,
): void {
  done(null, { id });
}

/** Makes a subject's strategy for a sandbox. Its user has only the ID. */
export function strategyFor(
  subject: Subject,
  sandbox: Sandbox,
  timeout: number,
  more: { readonly agent?: Agent } = {},
): NamedStrategy {
  return new (classOf(subject))({ ...subject.options(sandbox), timeout, ...more }, verify);
}

/**
 * Logs alice in while an endpoint has a fault.
 *
 * @returns `logged in`, or class, code and status of the error; `impossible` when the sandbox rejects the fault.
 */
export async function endingWith(
  subject: Subject,
  step: 'token' | 'profile',
  fault: SandboxFault,
): Promise<string> {
  const { provider: network, faults } = subject;
  const version = faults.version as SandboxFaultRule['version'];
  const sandbox = await startSandbox();
  try {
    sandbox.fault({ network, endpoint: faults[step], fault, ...(version && { version }) });
  } catch (error) {
    await sandbox.close();
    if (error instanceof TypeError) return 'impossible';
    throw error;
  }
  const timeout = fault.kind === 'hang' || fault.kind === 'drip' ? 800 : 10_000;
  const app = await loginApp(strategyFor(subject, sandbox, timeout));
  try {
    const { status, json } = await logIn(app, network);
    if (status === 200) return 'logged in';
    return `${json.error} ${json.code} ${status}`;
  } finally {
    await app.close();
    await sandbox.close();
  }
}
