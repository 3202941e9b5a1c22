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
import { start } from '../../support/journey.js';
import { type LoginApp, loginApp } from '../../support/login-app.js';
import { keyedLogins } from '../../support/logins.js';
import { realSockets } from '../../support/real-sockets.js';
import { network, type Reply, type SeenRequest, type TestNetwork } from '../../support/server.js';

type Respond = (request: SeenRequest) => Reply | Promise<Reply>;

/** The default token response; its ID is a number. */
export const TOKENS = {
  access_token: 'ACCESS-TOKEN',
  refresh_token: 'REFRESH-TOKEN',
  token_type: 'Bearer',
  expires_in: 3600,
  user_id: 1234567890,
  scope: 'vkid.personal_info',
};

/** The default user; the ID is a string. */
export const USER = { user_id: '1234567890', first_name: 'Ivan', last_name: 'Ivanov' };

/** The responses of a simulated network, by endpoint: its URL option, its path, and the default response. */
const ENDPOINTS = {
  token: ['tokenURL', '/oauth2/auth', ({ form }) => ({ body: { ...TOKENS, state: form.get('state') } })],
  user: ['profileURL', '/oauth2/user_info', () => ({ body: { user: USER } })],
  lookup: [
    'lookupURL',
    '/method/users.get',
    () => ({ body: { response: [{ id: 1234567890, screen_name: 'ivan_i' }] } }),
  ],
  revocation: ['revocationURL', '/oauth2/revoke', () => ({ body: { response: 1 } })],
  logout: ['logoutURL', '/oauth2/logout', () => ({ body: { response: 1 } })],
} as const satisfies Readonly<Record<string, readonly [option: string, path: string, Respond]>>;

type VkIdResponses = Readonly<Partial<Record<keyof typeof ENDPOINTS, Respond>>>;

export type VkIdStrategy = SocialNetworkStrategy<SocialNetworkProfile, '2.1'>;
type VkIdOptions = SocialNetworkOptions<SocialNetworkProfile, '2.1'>;

/** The arguments of a call to verify. */
interface Verified {
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

interface AppSettings {
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
interface VkIdTests {
  /** Starts an application with a sandbox. */
  readonly atSandbox: (
    settings?: AppSettings & { sandbox?: SandboxSettings },
  ) => Promise<VkIdApp & { sandbox: Sandbox }>;
  /** Starts an application with a network that gives the test's responses, or the default ones. */
  readonly atNetwork: (
    responses?: VkIdResponses,
    settings?: AppSettings,
  ) => Promise<VkIdApp & { network: TestNetwork }>;
}

export function vkIdTests(): VkIdTests {
  const close = realSockets();
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
    async atNetwork(responses = {}, { options, start: begin } = {}) {
      const endpoints = Object.entries(ENDPOINTS) as [keyof VkIdResponses, [string, string, Respond]][];
      const server = close(
        await network((request) => {
          const [name, [, , usual]] = endpoints.find(([, [, path]]) => path === request.path) ?? [
            'token',
            ['', '', () => ({ status: 404 })],
          ];
          return (responses[name] ?? usual)(request);
        }),
      );
      const urls = endpoints.map(([, [option, path]]) => [option, `${server.url}${path}`] as const);
      const known = { authorizationURL: `${server.url}/authorize`, ...Object.fromEntries(urls) };
      return { network: server, ...(await appWith({ ...known, ...options }, begin)) };
    },
  };
}

type Parameters = Readonly<Record<string, string>>;

/** Starts a login and returns with these parameters and the login's state, or with what they make of the state. */
export async function comeBack(
  { app }: VkIdApp,
  parameters: Parameters | ((state: string) => Parameters) = { code: 'THE-CODE', device_id: 'DEVICE' },
  browser = new Browser(),
): Promise<Page> {
  const { searchParams } = new URL(await start(browser, app, 'social-network'));
  const state = searchParams.get('state') ?? '';
  const given = typeof parameters === 'function' ? parameters(state) : { state, ...parameters };
  return browser.get(responseURL(app, given));
}

export function responseURL(app: LoginApp, parameters: Parameters): string {
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
