import type { Tokens } from '../../../../lib/index.js';
import { type Sandbox, type SandboxSettings, startSandbox } from '../../../../sandbox/lib/index.js';
import { closesAfterEach } from '../../../support/cleanup.js';
import { logIn } from '../../../support/journey.js';
import { loginApp } from '../../../support/login-app.js';
import { realSockets } from '../../../support/real-sockets.js';
import { network, type Reply, type SeenRequest, type TestNetwork } from '../../../support/server.js';
import { REFRESH_SUBJECTS, type RefreshableStrategy, type RefreshSubject } from './subjects.js';

/** A logged-in user, with what an application would store. */
export interface Account {
  readonly id: string;
  readonly strategy: RefreshableStrategy;
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly params: { readonly [name: string]: unknown };
  /** Uses a refresh token of the account. @default the refresh token of the login */
  readonly refresh: (refreshToken?: string) => Promise<Tokens>;
  /** The ID of the user that an access token belongs to. @default the access token of the login */
  readonly whose: (accessToken?: string) => Promise<string>;
}

/** A strategy with a network that a test simulates. */
export interface Played {
  readonly strategy: RefreshableStrategy;
  readonly network: TestNetwork;
  /** Refreshes, with the additional argument that the network needs. */
  readonly refresh: (refreshToken: string) => Promise<Tokens>;
}

/** What the tests of one subject use; everything is closed after each test. */
export interface TokenTests {
  readonly subject: RefreshSubject;
  readonly sandbox: (settings?: SandboxSettings) => Promise<Sandbox>;
  /** Logs a user in. @default alice */
  readonly account: (sandbox: Sandbox, person?: string) => Promise<Account>;
  /** A strategy with a network that the test simulates, at every URL. */
  readonly played: (
    respond: (request: SeenRequest) => Reply | Promise<Reply>,
    options?: object,
  ) => Promise<Played>;
}

/** Runs the same tests for every network that has refresh tokens. */
export function describeEach(title: string, tests: (tools: TokenTests) => void): void {
  describe(title, () => {
    realSockets();
    const close = closesAfterEach();
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
            const server = close(await network(respond));
            const strategy = subject.strategy(
              { ...subject.credentials, ...urlOptions(server.url), ...options },
              () => undefined,
            );
            const refresh = (token: string) => strategy.refresh(token, subject.device);
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
    refresh: (refreshToken = account.refreshToken) =>
      typeof device === 'string' ? strategy.refresh(refreshToken, device) : strategy.refresh(refreshToken),
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
