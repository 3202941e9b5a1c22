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
import { network, type Reply, type SeenRequest } from '../../../support/server.js';

type RefreshableStrategy = NamedStrategy & {
  refresh(refreshToken: string, device?: string | RefreshOptions, options?: RefreshOptions): Promise<Tokens>;
  revoke(token: string): Promise<void>;
  userProfile(accessToken: string, done: (error?: unknown, profile?: { id: string }) => void): void;
};

/** What an application would store of a login. */
interface Kept {
  readonly id: string;
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly params: { readonly [name: string]: unknown };
}

export type Respond = (request: SeenRequest) => Reply | Promise<Reply>;

type RefreshSubject = OAuth2Subject & { readonly refreshTokens: RefreshTokenDefinition };

/** Runs the same tests for every kind of client, at every network that has refresh tokens. */
export function describeEach(title: string, tests: (tools: ReturnType<typeof toolsOf>) => void): void {
  describeContract(
    title,
    (contract) => {
      for (const client of contract.subject.refreshTokens.clients)
        describe(client.title ?? 'client', () => tests(toolsOf(contract, client)));
    },
    (subject: Subject): subject is RefreshSubject => isOAuth2(subject) && subject.refreshTokens !== undefined,
  );
}

/** What the tests of one kind of client use; everything is closed after each test. */
function toolsOf(
  { subject: { provider, identity, refreshTokens, name }, sandbox, app, closing }: Contract<RefreshSubject>,
  client: RefreshingClientDefinition,
) {
  const make = (options: object, verify: (...args: never[]) => void) =>
    new (classOf({ name }))(options, verify) as NamedStrategy as RefreshableStrategy;
  return {
    /** `userField` is the field of a token response that names the user, if there is one. */
    subject: { ...refreshTokens, ...client, provider, userField: identity.tokenField },
    sandbox,
    /** Logs a user in. @param person - By default alice. */
    account: async (world: Sandbox, person?: string) => {
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
        /** Uses a refresh token of the account. */
        refresh: (token = account.refreshToken, options: RefreshOptions = {}) =>
          strategy.refresh(token, { ...device, ...options }),
        /** The ID of the user that an access token belongs to. */
        whose: (token = account.accessToken) =>
          new Promise<string>((resolve, reject) => {
            strategy.userProfile(token, (error, profile) =>
              profile ? resolve(profile.id) : reject(error as Error),
            );
          }),
      };
    },
    /** A strategy with a network that the test simulates, at every URL. */
    played: async (respond: Reply | Respond, options: object = {}) => {
      const server = closing(await network(typeof respond === 'function' ? respond : () => respond));
      const urls = Object.entries({
        authorizationURL: 'authorize',
        tokenURL: 'token',
        profileURL: 'profile',
        revocationURL: 'revoke',
      }).map(([option, path]) => [option, `${server.url}/${path}`]);
      const all = { ...client.credentials, ...Object.fromEntries(urls), ...options };
      const strategy = make(all, () => undefined);
      /** Refreshes, with the device ID that the network needs. */
      const refresh = (token: string, more: RefreshOptions = {}) =>
        strategy.refresh(token, { deviceID: refreshTokens.device, ...more });
      return { strategy, network: server, refresh };
    },
  };
}
