import { MicroblogStrategy, ShortVideoStrategy, SocialNetworkStrategy } from '../../lib/index.js';
import {
  type Sandbox,
  type SandboxFault,
  type SandboxFaultRule,
  startSandbox,
} from '../../sandbox/lib/index.js';
import { logIn } from '../support/journey.js';
import { loginApp, type NamedStrategy } from '../support/login-app.js';

/** One protocol version of a network, with the endpoints that a login requests from the server side. */
export interface Dialect {
  readonly title: string;
  readonly network: SandboxFaultRule['network'] & string;
  readonly version?: SandboxFaultRule['version'] & string;
  readonly token: string;
  readonly profile: string;
  readonly strategy: (sandbox: Sandbox, timeout: number) => NamedStrategy;
}

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

export const DIALECTS: readonly Dialect[] = [
  {
    title: 'short-video',
    network: 'short-video',
    token: 'token',
    profile: 'profile',
    strategy: (sandbox, timeout) =>
      new ShortVideoStrategy({ ...sandbox.options('short-video'), timeout }, verify),
  },
  {
    title: 'microblog',
    network: 'microblog',
    version: '2.0',
    token: 'token',
    profile: 'users lookup',
    strategy: (sandbox, timeout) =>
      new MicroblogStrategy({ ...sandbox.options('microblog'), timeout }, verify),
  },
  {
    title: 'microblog 1.0',
    network: 'microblog',
    version: '1.0',
    token: 'access token',
    profile: 'verify credentials',
    strategy: (sandbox, timeout) =>
      new MicroblogStrategy({ ...sandbox.options('microblog', { version: '1.0' }), timeout }, verify),
  },
  {
    title: 'social-network',
    network: 'social-network',
    version: '2.0',
    token: 'token',
    profile: 'users.get',
    strategy: (sandbox, timeout) =>
      new SocialNetworkStrategy({ ...sandbox.options('social-network'), timeout }, verify),
  },
  {
    title: 'social-network 2.1',
    network: 'social-network',
    version: '2.1',
    token: 'token',
    profile: 'profile',
    strategy: (sandbox, timeout) =>
      new SocialNetworkStrategy(
        { ...sandbox.options('social-network', { version: '2.1' }), timeout },
        verify,
      ),
  },
];

/**
 * Logs alice in while an endpoint has a fault.
 *
 * @returns `logged in`, or class, code and status of the error; `impossible` when the sandbox rejects the fault.
 */
export async function endingWith(dialect: Dialect, endpoint: string, fault: SandboxFault): Promise<string> {
  const { network, version } = dialect;
  const sandbox = await startSandbox();
  try {
    sandbox.fault({ network, endpoint, fault, ...(version && { version }) });
  } catch (error) {
    await sandbox.close();
    if (error instanceof TypeError) return 'impossible';
    throw error;
  }
  const timeout = fault.kind === 'hang' || fault.kind === 'drip' ? 1_500 : 10_000;
  const app = await loginApp(dialect.strategy(sandbox, timeout));
  try {
    const { status, json } = await logIn(app, network);
    if (status === 200) return 'logged in';
    return `${json.error} ${json.code} ${status}`;
  } finally {
    await app.close();
    await sandbox.close();
  }
}
