import { textMember } from '../../lib/core/answer.js';
import { COMMON_OPTIONS, readLoginSettings } from '../../lib/core/login-options.js';
import type { CurrentLogin, OAuth2Network } from '../../lib/core/oauth2-network.js';
import { OAuth2LoginStrategy } from '../../lib/core/oauth2-strategy.js';
import { OptionReader } from '../../lib/core/options.js';
import { assembleProfile, type Profile } from '../../lib/core/profile.js';
import type { Reply, SeenRequest } from './server.js';

interface Person {
  readonly id: string;
}

// biome-ignore lint/suspicious/noExplicitAny: verify functions take any arguments.
type AnyFunction = (...args: any[]) => unknown;

export const NETWORK: OAuth2Network = {
  clientParameter: 'client_id',
  clientAuthentication: 'form',
  scopeSeparator: ' ',
  codeChallenge: 'base64url',
  callbackParameters: ['hint'],
  tokenTypeRequired: true,
  profileAddresses: [],
  readRefusal: (_answer, body) => {
    const networkCode = textMember(body, 'error');
    return networkCode === undefined
      ? undefined
      : { networkCode, networkMessage: textMember(body, 'error_description') };
  },
  remedies: { byCode: { server_error: 'Try again later.' } },
};

/** A strategy for a network that follows RFC 6749. */
export class ExampleStrategy extends OAuth2LoginStrategy<Person> {
  private readonly profileURL: string;

  constructor(url: string, verify: AnyFunction, options: object = {}, network: Partial<OAuth2Network> = {}) {
    const given = { clientID: 'the-client', clientSecret: 'the-client-secret', ...options };
    const known = [...COMMON_OPTIONS, 'authorizationURL', 'tokenURL'];
    const reader = new OptionReader('ExampleStrategy', given, known, {});
    const authorizationURL = reader.endpoint('authorizationURL') ?? `${url}/authorize`;
    super(
      {
        ...readLoginSettings(reader, 'example', { text: 'https only.', loopback: true, authorizationURL }),
        clientID: reader.requiredCredential('clientID', 'It is the client'),
        clientSecret: reader.credential('clientSecret'),
        scope: reader.list('scope') ?? ['basic'],
        authorizationURL,
        tokenURL: reader.endpoint('tokenURL') ?? `${url}/token`,
      },
      { ...NETWORK, ...network },
      verify,
    );
    this.profileURL = reader.endpoint('profileURL') ?? `${url}/profile`;
  }

  protected override async loadProfile(
    token: string,
    login: CurrentLogin | undefined,
  ): Promise<Profile<Person>> {
    const { body, text } = await this.client.sendForJSON({
      step: 'profile',
      method: 'GET',
      url: this.profileURL,
      headers: { authorization: `Bearer ${token}` },
      secrets: () => [token, ...(login?.secrets() ?? [])],
    });
    const id = textMember(body, 'id') ?? '';
    return assembleProfile(this.name, { id, displayName: 'Somebody' }, { id }, text);
  }
}

export const TOKEN_ANSWER = {
  access_token: 'the-access-token',
  refresh_token: 'the-refresh-token',
  token_type: 'Bearer',
  expires_in: 60,
};

/** The responses of such a network; `replies` replaces them by path. */
export function exampleAnswers(
  replies: Readonly<Record<string, Reply>> = {},
): (request: SeenRequest) => Reply {
  const usual: Readonly<Record<string, Reply>> = {
    '/token': { body: TOKEN_ANSWER },
    '/profile': { body: { id: 'person-1' } },
  };
  return ({ path }) => replies[path] ?? usual[path] ?? { status: 404 };
}
