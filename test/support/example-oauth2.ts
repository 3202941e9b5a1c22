import { stringProperty } from '../../lib/core/http/index.js';
import { type CurrentLogin, OAuth2LoginStrategy, type OAuth2Network } from '../../lib/core/oauth2/index.js';
import { COMMON_OPTIONS, OptionReader, readLoginSettings } from '../../lib/core/options/index.js';
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
  responseParameters: ['hint'],
  tokenTypeRequired: true,
  profileURLs: [],
  errorResponses: {
    read({ body }) {
      const networkCode = stringProperty(body, 'error');
      return networkCode === undefined
        ? undefined
        : { networkCode, networkMessage: stringProperty(body, 'error_description') };
    },
    hints: { byCode: { server_error: 'Try again later.' } },
  },
};

/** A strategy for a network that follows RFC 6749. */
export class ExampleStrategy extends OAuth2LoginStrategy<Person> {
  private readonly profileURL: string;

  constructor(url: string, verify: AnyFunction, options: object = {}, network: Partial<OAuth2Network> = {}) {
    const given = { clientID: 'the-client', clientSecret: 'the-client-secret', ...options };
    const known = [...COMMON_OPTIONS, 'authorizationURL', 'tokenURL'];
    const reader = new OptionReader('ExampleStrategy', given, known, {});
    const authorizationURL = reader.endpoint('authorizationURL') ?? `${url}/authorize`;
    const rule = { text: 'https only.', loopback: true, authorizationURL };
    const clientID = reader.requiredCredential('clientID', 'It is the client');
    const clientSecret = reader.credential('clientSecret');
    super(
      {
        ...readLoginSettings(reader, 'example', rule, { clientID, secret: clientSecret }),
        clientID,
        clientSecret,
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
    const { body, text } = await this.requestProfile({ url: this.profileURL }, token, login);
    const id = stringProperty(body, 'id') ?? '';
    return assembleProfile(this.name, this.settings.mapProfile, { id }, text, () => ({
      id,
      displayName: 'Somebody',
    }));
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
