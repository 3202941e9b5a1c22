import type { Tokens } from '../../../../lib/index.js';
import { classOf, isOAuth2, type OAuth2Subject, protocolOf, subjects } from '../../../contract/strategies.js';
import type { NamedStrategy } from '../../../support/login-app.js';
import type {
  RefreshingClientDefinition,
  RefreshTokenDefinition,
} from '../../../support/network-definition.js';

/** The form of verify that these tests use, with the token response. */
export type TokenVerify = (
  accessToken: string,
  refreshToken: string | undefined,
  params: { readonly [name: string]: unknown },
  profile: { readonly id: string },
  done: (error: null, user: object) => void,
) => void;

/** An OAuth 2 strategy whose network has refresh tokens. */
export type RefreshableStrategy = NamedStrategy & {
  refresh(refreshToken: string, deviceID?: string): Promise<Tokens>;
  revoke(token: string): Promise<void>;
  userProfile(accessToken: string, done: (error?: unknown, profile?: { id: string }) => void): void;
};

/** One kind of client with refresh tokens. */
export interface RefreshSubject
  extends Omit<RefreshTokenDefinition, 'clients'>,
    Pick<RefreshingClientDefinition, 'options' | 'credentials'> {
  readonly title: string;
  /** The strategy's name. */
  readonly provider: string;
  readonly strategy: (options: object, verify: TokenVerify) => RefreshableStrategy;
}

/** Every kind of client, at every network that has refresh tokens. */
export const REFRESH_SUBJECTS: readonly RefreshSubject[] = subjects().filter(isOAuth2).flatMap(clientsOf);

function clientsOf(subject: OAuth2Subject): RefreshSubject[] {
  const { provider, refreshTokens } = subject;
  if (!refreshTokens) return [];
  const { clients, ...common } = refreshTokens;
  const Strategy = classOf(subject);
  return clients.map(({ title, options, credentials }) => ({
    ...common,
    title: [protocolOf(subject), title].filter(Boolean).join(', '),
    provider,
    options,
    credentials,
    strategy: (all, verify) => new Strategy(all, verify) as NamedStrategy as RefreshableStrategy,
  }));
}
