import type { RefreshOptions, Tokens } from '../../../../lib/index.js';
import { type Sandbox, type SandboxSettings, startSandbox } from '../../../../sandbox/lib/index.js';
import { classOf, isOAuth2, type OAuth2Subject, protocolOf, subjects } from '../../../contract/strategies.js';
import { logIn } from '../../../support/journey.js';
import { loginApp, type NamedStrategy } from '../../../support/login-app.js';
import type {
  RefreshingClientDefinition,
  RefreshTokenDefinition,
} from '../../../support/network-definition.js';
import { realSockets } from '../../../support/real-sockets.js';
import { network, type Reply, type SeenRequest, type TestNetwork } from '../../../support/server.js';

/** The form of verify that these tests use, with the token response. */
type TokenVerify = (
  accessToken: string,
  refreshToken: string | undefined,
  params: { readonly [name: string]: unknown },
  profile: { readonly id: string },
  done: (error: null, user: object) => void,
) => void;

/** An OAuth 2 strategy whose network has refresh tokens. */
type RefreshableStrategy = NamedStrategy & {
  refresh(refreshToken: string, device?: string | RefreshOptions, options?: RefreshOptions): Promise<Tokens>;
  revoke(token: string): Promise<void>;
  userProfile(accessToken: string, done: (error?: unknown, profile?: { id: string }) => void): void;
};

/** One kind of client with refresh tokens. */
export interface RefreshSubject
  extends Omit<RefreshTokenDefinition, 'clients'>,
    Pick<RefreshingClientDefinition, 'options' | 'credentials'> {
  readonly title: string;
  /** The field of a token response that names the user, if there is one. */
  readonly userField: string | undefined;
  /** The strategy's name. */
  readonly provider: string;
  readonly strategy: (options: object, verify: TokenVerify) => RefreshableStrategy;
}

/** Every kind of client, at every network that has refresh tokens. */
const REFRESH_SUBJECTS: readonly RefreshSubject[] = subjects().filter(isOAuth2).flatMap(clientsOf);

function clientsOf(subject: OAuth2Subject): RefreshSubject[] {
  const { provider, refreshTokens } = subject;
  if (!refreshTokens) return [];
  const { clients, ...common } = refreshTokens;
  const Strategy = classOf(subject);
  return clients.map(({ title, ...client }) => ({
    ...common,
    ...client,
    title: [protocolOf(subject), title].filter(Boolean).join(', '),
    provider,
    userField: subject.identity.tokenField,
    strategy: (all, verify) => new Strategy(all, verify) as NamedStrategy as RefreshableStrategy,
  }));
}

/** A logged-in user, with what an application would store. */
interface Account {
  readonly id: string;
  readonly strategy: RefreshableStrategy;
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly params: { readonly [name: string]: unknown };
  /** Uses a refresh token of the account. @default the refresh token of the login */
  readonly refresh: (refreshToken?: string, options?: RefreshOptions) => Promise<Tokens>;
  /** The ID of the user that an access token belongs to. @default the access token of the login */
  readonly whose: (accessToken?: string) => Promise<string>;
}

/** A strategy with a network that a test simulates. */
interface Played {
  readonly strategy: RefreshableStrategy;
  readonly network: TestNetwork;
  /** Refreshes, with the device ID that the network needs. */
  readonly refresh: (refreshToken: string, options?: RefreshOptions) => Promise<Tokens>;
}

export type Respond = (request: SeenRequest) => Reply | Promise<Reply>;

/** What the tests of one subject use; everything is closed after each test. */
interface TokenTests {
  readonly subject: RefreshSubject;
  readonly sandbox: (settings?: SandboxSettings) => Promise<Sandbox>;
  /** Logs a user in. @default alice */
  readonly account: (sandbox: Sandbox, person?: string) => Promise<Account>;
  /** A strategy with a network that the test simulates, at every URL. */
  readonly played: (respond: Reply | Respond, options?: object) => Promise<Played>;
}

/** Runs the same tests for every network that has refresh tokens. */
export function describeEach(title: string, tests: (tools: TokenTests) => void): void {
  describe(title, () => {
    const close = realSockets();
    for (const subject of REFRESH_SUBJECTS) {
      describe(subject.title, () => {
        tests({
          subject,
          sandbox: async (settings) => close(await startSandbox(settings)),
          async account(sandbox, person = 'alice') {
            const kept: Omit<Account, 'strategy' | 'refresh' | 'whose'>[] = [];
            const strategy = subject.strategy(
              subject.options(sandbox),
              (accessToken, refreshToken, params, { id }, done) => {
                kept.push({ id, accessToken, refreshToken: refreshToken ?? '', params });
                done(null, { id });
              },
            );
            const app = close(await loginApp(strategy));
            await logIn(app, subject.provider, person);
            const [account] = kept;
            if (account === undefined) throw new Error(`the login ended in ${JSON.stringify(app.endings)}`);
            return accountOf(strategy, account);
          },
          async played(respond, options = {}) {
            const server = close(await network(typeof respond === 'function' ? respond : () => respond));
            const strategy = subject.strategy(
              { ...subject.credentials, ...urlOptions(server.url), ...options },
              () => undefined,
            );
            const refresh = (token: string, options: RefreshOptions = {}) =>
              strategy.refresh(token, { deviceID: subject.device, ...options });
            return { strategy, network: server, refresh };
          },
        });
      });
    }
  });
}

/** The URL options of a simulated network, which all these strategies share. */
function urlOptions(url: string) {
  return {
    authorizationURL: `${url}/authorize`,
    tokenURL: `${url}/token`,
    profileURL: `${url}/profile`,
    revocationURL: `${url}/revoke`,
  };
}

function accountOf(
  strategy: RefreshableStrategy,
  account: Omit<Account, 'strategy' | 'refresh' | 'whose'>,
): Account {
  const { device_id: device } = account.params;
  return {
    ...account,
    strategy,
    refresh: (refreshToken = account.refreshToken, options = {}) =>
      strategy.refresh(refreshToken, typeof device === 'string' ? { deviceID: device, ...options } : options),
    whose: (accessToken = account.accessToken) =>
      new Promise((resolve, reject) => {
        strategy.userProfile(accessToken, (error, profile) =>
          profile ? resolve(profile.id) : reject(error as Error),
        );
      }),
  };
}

/** The number of token requests to a sandbox. */
export function tokenRequests(sandbox: Sandbox): number {
  return sandbox.requests().filter(({ endpoint }) => endpoint === 'token').length;
}
