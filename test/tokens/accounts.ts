import type { Tokens } from '../../lib/index.js';
import { type Sandbox, startSandbox } from '../../lib/sandbox/index.js';
import { closesAfterEach } from '../support/cleanup.js';
import { logIn } from '../support/journey.js';
import { loginApp } from '../support/login-app.js';
import { realSockets } from '../support/real-sockets.js';
import { network, type Reply, type SeenRequest, type TestNetwork } from '../support/server.js';
import { type RefreshableStrategy, SUBJECTS, type Subject } from './subjects.js';

/** A person who has logged in, as an application keeps them. */
export interface Account {
  readonly id: string;
  readonly strategy: RefreshableStrategy;
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly params: { readonly [name: string]: unknown };
  /** Refreshes one of the account's refresh tokens; the login's own unless told otherwise. */
  readonly refresh: (refreshToken?: string) => Promise<Tokens>;
  /** Asks the network whom an access token belongs to; the login's own unless told otherwise. */
  readonly whose: (accessToken?: string) => Promise<string>;
}

/** A strategy at a network that a test plays. */
export interface Played {
  readonly strategy: RefreshableStrategy;
  readonly network: TestNetwork;
  /** Refreshes, with what the network wants beside the token. */
  readonly refresh: (refreshToken: string) => Promise<Tokens>;
}

/** What the tests of one subject work with; everything is closed after each test. */
export interface TokenTests {
  readonly subject: Subject;
  readonly sandbox: () => Promise<Sandbox>;
  /** Logs a person in. */
  readonly account: (sandbox: Sandbox, person?: string) => Promise<Account>;
  /** A strategy at a network that the test plays: every address leads there. */
  readonly played: (
    answer: (request: SeenRequest) => Reply | Promise<Reply>,
    options?: object,
  ) => Promise<Played>;
}

/** Describes every network that has refresh tokens with the same tests. */
export function describeEach(title: string, tests: (tools: TokenTests) => void): void {
  describe(title, () => {
    realSockets();
    const close = closesAfterEach();
    for (const subject of SUBJECTS) {
      describe(subject.title, () => {
        tests({
          subject,
          sandbox: async () => close(await startSandbox()),
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
          async played(answer, options = {}) {
            const server = close(await network(answer));
            const strategy = subject.strategy(
              { ...subject.credentials, ...addresses(server.url), ...options },
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

/** The addresses of a played network, under the names that all these strategies have. */
function addresses(url: string) {
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

/** The token requests that came to a sandbox. */
export function tokenRequests(sandbox: Sandbox): number {
  return sandbox.requests().filter(({ endpoint }) => endpoint === 'token').length;
}
