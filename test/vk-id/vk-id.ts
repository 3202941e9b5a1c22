import {
  type Profile,
  type SocialNetworkOptions,
  type SocialNetworkProfile,
  SocialNetworkStrategy,
  type VerifyWithParams,
  type VkIdParams,
  type VkIdProfile,
} from '../../lib/index.js';
import { type Sandbox, type SandboxSettings, startSandbox } from '../../lib/sandbox/index.js';
import { Browser, type Page } from '../support/browser.js';
import { closesAfterEach } from '../support/cleanup.js';
import { start } from '../support/journey.js';
import { type LoginApp, loginApp } from '../support/login-app.js';
import { realSockets } from '../support/real-sockets.js';
import { type VkIdAnswers, type VkIdNetwork, vkIdNetwork } from './network.js';

export type VkIdStrategy = SocialNetworkStrategy<SocialNetworkProfile, '2.1'>;
export type VkIdOptions = SocialNetworkOptions<SocialNetworkProfile, '2.1'>;

/** What verify was called with. */
export interface Verified {
  readonly token: string;
  readonly refreshToken: string | undefined;
  readonly params: VkIdParams;
  readonly profile: Profile<VkIdProfile>;
}

/** An application that logs people in through VK ID. */
export interface VkIdApp {
  readonly strategy: VkIdStrategy;
  readonly app: LoginApp;
  /** One for each login, in order. */
  readonly verified: readonly Verified[];
}

export interface AppSettings {
  readonly options?: Partial<VkIdOptions>;
  /** For `passport.authenticate`, at the start of a login. */
  readonly start?: object;
}

/** A strategy that notes what verify gets, and lets everybody in under their identifier. */
export function vkIdStrategy(options: object, verified: Verified[] = []): VkIdStrategy {
  const verify: VerifyWithParams<Profile<VkIdProfile>, string | undefined, VkIdParams> = (
    token,
    refreshToken,
    params,
    profile,
    done,
  ) => {
    verified.push({ token, refreshToken, params, profile });
    done(null, { id: profile.id });
  };
  return new SocialNetworkStrategy<SocialNetworkProfile, '2.1'>(
    { clientID: 'CLIENT-ID', version: '2.1', ...options } as VkIdOptions & { passReqToCallback?: false },
    verify,
  );
}

/** What the tests of a `describe` open; all of it is closed after each test. */
export interface VkIdTests {
  /** An application at a sandbox. */
  readonly atSandbox: (
    settings?: AppSettings & { sandbox?: SandboxSettings },
  ) => Promise<VkIdApp & { sandbox: Sandbox }>;
  /** An application at a network that answers as the test says. */
  readonly atNetwork: (
    answers?: VkIdAnswers,
    settings?: AppSettings,
  ) => Promise<VkIdApp & { network: VkIdNetwork }>;
}

export function vkIdTests(): VkIdTests {
  realSockets();
  const close = closesAfterEach();
  const appWith = async (options: object, begin: object = {}): Promise<VkIdApp> => {
    const verified: Verified[] = [];
    const strategy = vkIdStrategy(options, verified);
    return { strategy, verified, app: close(await loginApp(strategy, { start: begin })) };
  };
  return {
    async atSandbox({ options, start: begin, sandbox: settings } = {}) {
      const sandbox = close(await startSandbox(settings));
      const known = sandbox.options('social-network', { version: '2.1' });
      return { sandbox, ...(await appWith({ ...known, ...options }, begin)) };
    },
    async atNetwork(answers, { options, start: begin } = {}) {
      const network = close(await vkIdNetwork(answers));
      return { network, ...(await appWith({ ...network.options, ...options }, begin)) };
    },
  };
}

/** Starts a login and comes back with these parameters beside the login's own state. */
export async function comeBack(
  { app }: VkIdApp,
  parameters: Readonly<Record<string, string>> = { code: 'THE-CODE', device_id: 'DEVICE' },
  browser = new Browser(),
): Promise<Page> {
  const { searchParams } = new URL(await start(browser, app, 'social-network'));
  const state = searchParams.get('state') ?? '';
  return browser.get(callbackAddress(app, { state, ...parameters }));
}

export function callbackAddress(app: LoginApp, parameters: Readonly<Record<string, string>>): string {
  return `${app.url}/api/auth/callback/social-network?${new URLSearchParams(parameters).toString()}`;
}

/** What verify was called with in an application's only login. @throws Error when there was none, or another one. */
export function onlyLogin({ verified: [login, ...others] }: VkIdApp): Verified {
  if (login !== undefined && others.length === 0) return login;
  throw new Error(`expected one login, but verify was called ${others.length + (login ? 1 : 0)} times`);
}

/** The error of an application's only callback. @throws Error when it ended in another way. */
export function onlyError({ app: { endings }, verified }: VkIdApp): unknown {
  const [ending, ...others] = endings;
  if (ending && 'error' in ending && others.length === 0 && verified.length === 0) return ending.error;
  throw new Error(`expected one error and no login, but got ${JSON.stringify(endings)}`);
}

/** The requests that came to the sandbox from the application, not from a browser. */
export function backendRequests(sandbox: Sandbox): string[] {
  return sandbox
    .requests()
    .filter(({ endpoint }) => endpoint !== 'authorization')
    .map(({ method, path }) => `${method} ${path}`);
}
