import type { RefreshOptions, Tokens } from '../../../../lib/index.js';
import type { Sandbox } from '../../../../sandbox/lib/index.js';
import { type Contract, describeEach as describeContract, isOAuth2 } from '../../../contract/harness.js';
import { classOf, type OAuth2Subject, type Subject } from '../../../contract/strategies.js';
import { logIn } from '../../../support/journey.js';
import type { NamedStrategy } from '../../../support/login-app.js';
import type {
  RefreshingClientDefinition,
  RefreshTokenDefinition,
} from '../../../support/network-definition.js';
import { network, type Reply, type SeenRequest, type TestNetwork } from '../../../support/server.js';

type RefreshableStrategy = NamedStrategy & {
  refresh(refreshToken: string, device?: string | RefreshOptions, options?: RefreshOptions): Promise<Tokens>;
  revoke(token: string): Promise<void>;
  userProfile(accessToken: string, done: (error?: unknown, profile?: { id: string }) => void): void;
};

/** One kind of client with refresh tokens. */
interface RefreshSubject extends Omit<RefreshTokenDefinition, 'clients'>, RefreshingClientDefinition {
  /** The field of a token response that names the user, if there is one. */
  readonly userField: string | undefined;
  readonly provider: string;
}

/** What an application would store of a login. */
interface Kept {
  readonly id: string;
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly params: { readonly [name: string]: unknown };
}

interface Account extends Kept {
  readonly strategy: RefreshableStrategy;
  /** Uses a refresh token of the account. @default the refresh token of the login */
  readonly refresh: (refreshToken?: string, options?: RefreshOptions) => Promise<Tokens>;
  /** The ID of the user that an access token belongs to. @default the access token of the login */
  readonly whose: (accessToken?: string) => Promise<string>;
}

interface Played {
  readonly strategy: RefreshableStrategy;
  readonly network: TestNetwork;
  /** Refreshes, with the device ID that the network needs. */
  readonly refresh: (refreshToken: string, options?: RefreshOptions) => Promise<Tokens>;
}

export type Respond = (request: SeenRequest) => Reply | Promise<Reply>;

/** What the tests of one subject use; everything is closed after each test. */
interface TokenTests extends Pick<Contract, 'sandbox'> {
  readonly subject: RefreshSubject;
  /** Logs a user in. @default alice */
  readonly account: (sandbox: Sandbox, person?: string) => Promise<Account>;
  /** A strategy with a network that the test simulates, at every URL. */
  readonly played: (respond: Reply | Respond, options?: object) => Promise<Played>;
}

const hasRefreshTokens = (
  subject: Subject,
): subject is OAuth2Subject & { readonly refreshTokens: RefreshTokenDefinition } =>
  isOAuth2(subject) && subject.refreshTokens !== undefined;

/** Runs the same tests for every kind of client, at every network that has refresh tokens. */
export function describeEach(title: string, tests: (tools: TokenTests) => void): void {
  describeContract(
    title,
    ({ subject: { provider, identity, refreshTokens, name }, sandbox, app, closing }) => {
      const { clients, ...common } = refreshTokens;
      for (const client of clients) {
        const subject = { ...common, ...client, provider, userField: identity.tokenField };
        const make = (options: object, verify: (...args: never[]) => void) =>
          new (classOf({ name }))(options, verify) as NamedStrategy as RefreshableStrategy;
        describe(client.title ?? 'client', () => {
          tests({
            subject,
            sandbox,
            async account(world, person) {
              const kept: Kept[] = [];
              const verify = (
                accessToken: string,
                refreshToken: string | undefined,
                params: Kept['params'],
                { id }: { readonly id: string },
                done: (error: null, user: object) => void,
              ) => {
                kept.push({ id, accessToken, refreshToken: refreshToken ?? '', params });
                done(null, { id });
              };
              const strategy = make(client.options(world), verify);
              const server = await app(strategy);
              await logIn(server, provider, person);
              const [account] = kept;
              if (!account) throw new Error(`the login ended in ${JSON.stringify(server.endings)}`);
              const { device_id } = account.params;
              const device = typeof device_id === 'string' && { deviceID: device_id };
              return {
                ...account,
                strategy,
                refresh: (token = account.refreshToken, options = {}) =>
                  strategy.refresh(token, { ...device, ...options }),
                whose: (token = account.accessToken) =>
                  new Promise((resolve, reject) => {
                    strategy.userProfile(token, (error, profile) =>
                      profile ? resolve(profile.id) : reject(error as Error),
                    );
                  }),
              };
            },
            async played(respond, options = {}) {
              const server = closing(await network(typeof respond === 'function' ? respond : () => respond));
              const urls = Object.entries({
                authorizationURL: 'authorize',
                tokenURL: 'token',
                profileURL: 'profile',
                revocationURL: 'revoke',
              }).map(([option, path]) => [option, `${server.url}/${path}`]);
              const all = { ...client.credentials, ...Object.fromEntries(urls), ...options };
              const strategy = make(all, () => undefined);
              const refresh = (token: string, more: RefreshOptions = {}) =>
                strategy.refresh(token, { deviceID: subject.device, ...more });
              return { strategy, network: server, refresh };
            },
          });
        });
      }
    },
    hasRefreshTokens,
  );
}
