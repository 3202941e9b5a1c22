import {
  type Profile,
  type SocialNetworkOptions,
  type SocialNetworkProfile,
  SocialNetworkStrategy,
  type SocialNetworkValues,
  type Verify,
  type VkIdParams,
  type VkIdProfile,
} from '../../../lib/index.js';
import { type Sandbox, type SandboxSettings, startSandbox } from '../../../sandbox/lib/index.js';
import { Browser, type Page } from '../../support/browser.js';
import { closesAfterEach } from '../../support/cleanup.js';
import { start } from '../../support/journey.js';
import { type LoginApp, loginApp } from '../../support/login-app.js';
import { keyedLogins } from '../../support/logins.js';
import { realSockets } from '../../support/real-sockets.js';
import { type VkIdNetwork, type VkIdResponses, vkIdNetwork } from './network.js';

export type VkIdStrategy = SocialNetworkStrategy<SocialNetworkProfile, '2.1'>;
export type VkIdOptions = SocialNetworkOptions<SocialNetworkProfile, '2.1'>;

/** The arguments of a call to verify. */
export interface Verified {
  readonly token: string;
  readonly refreshToken: string | undefined;
  readonly params: VkIdParams;
  readonly profile: Profile<VkIdProfile>;
}

/** An application with VK ID logins. */
export interface VkIdApp {
  readonly strategy: VkIdStrategy;
  readonly app: LoginApp;
  /** The calls to verify, in order. */
  readonly verified: readonly Verified[];
}

export interface AppSettings {
  readonly options?: Partial<VkIdOptions>;
  /** Options for `passport.authenticate` at the start of a login. */
  readonly start?: object;
}

/** A strategy that records the arguments of verify and logs every user in by ID. */
export function vkIdStrategy(options: object, verified: Verified[] = []): VkIdStrategy {
  const verify: Verify<SocialNetworkValues<VkIdProfile, '2.1'>, false, true> = (
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
    {
      clientID: 'CLIENT-ID',
      version: '2.1',
      store: keyedLogins(),
      passParamsToCallback: true,
      ...options,
    } as VkIdOptions,
    verify as never,
  );
}

/** What the tests of a `describe` open; everything is closed after each test. */
export interface VkIdTests {
  /** Starts an application with a sandbox. */
  readonly atSandbox: (
    settings?: AppSettings & { sandbox?: SandboxSettings },
  ) => Promise<VkIdApp & { sandbox: Sandbox }>;
  /** Starts an application with a network that the test simulates. */
  readonly atNetwork: (
    responses?: VkIdResponses,
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
    async atNetwork(responses, { options, start: begin } = {}) {
      const network = close(await vkIdNetwork(responses));
      return { network, ...(await appWith({ ...network.options, ...options }, begin)) };
    },
  };
}

/** Starts a login and returns with these parameters and the login's state. */
export async function comeBack(
  { app }: VkIdApp,
  parameters: Readonly<Record<string, string>> = { code: 'THE-CODE', device_id: 'DEVICE' },
  browser = new Browser(),
): Promise<Page> {
  const { searchParams } = new URL(await start(browser, app, 'social-network'));
  const state = searchParams.get('state') ?? '';
  return browser.get(responseURL(app, { state, ...parameters }));
}

export function responseURL(app: LoginApp, parameters: Readonly<Record<string, string>>): string {
  return `${app.url}/api/auth/callback/social-network?${new URLSearchParams(parameters).toString()}`;
}

/** The arguments of an application's only call to verify. @throws Error if there was not exactly one. */
export function onlyLogin({ verified: [login, ...others] }: VkIdApp): Verified {
  if (login !== undefined && others.length === 0) return login;
  throw new Error(`expected one login, but verify was called ${others.length + (login ? 1 : 0)} times`);
}

/** The error of an application's only login. @throws Error if it ended in another way. */
export function onlyError({ app: { endings }, verified }: VkIdApp): unknown {
  const [ending, ...others] = endings;
  if (ending && 'error' in ending && others.length === 0 && verified.length === 0) return ending.error;
  throw new Error(`expected one error and no login, but got ${JSON.stringify(endings)}`);
}

/** The requests from the application to the sandbox, without those of a browser. */
export function backendRequests(sandbox: Sandbox): string[] {
  return sandbox
    .requests()
    .filter(({ endpoint }) => endpoint !== 'authorization')
    .map(({ method, path }) => `${method} ${path}`);
}
