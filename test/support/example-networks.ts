import type { ProtocolFacts } from '../../lib/core/facts.js';
import { stringProperty, type Transaction } from '../../lib/core/http/index.js';
import { OAuth1LoginStrategy, type OAuth1Params } from '../../lib/core/oauth1/index.js';
import { type CurrentLogin, OAuth2LoginStrategy, type OAuth2Network } from '../../lib/core/oauth2/index.js';
import * as option from '../../lib/core/options/index.js';
import { assembleProfile, type Profile } from '../../lib/core/profile.js';
import type { NamedStrategy } from './login-app.js';
import { formReply, network, type Reply, type SeenRequest, type TestNetwork } from './server.js';
import type { AnyFunction } from './verification.js';

interface Person {
  readonly id: string;
}

/** The responses of a network, by path. */
type Replies = Readonly<Record<string, Reply>>;
const answers =
  (usual: Replies, replies: Replies) =>
  ({ path }: SeenRequest): Reply =>
    replies[path] ?? usual[path] ?? { status: 404 };

const FACTS: ProtocolFacts = {
  brand: 'The network',
  title: 'The network',
  portal: 'network.example',
  credentialNames: ['client ID', 'client secret'],
  judgeRedirectURI: ({ protocol }) => ({ isAccepted: protocol === 'https:', says: 'takes https only' }),
  suspect: () => undefined,
  errorRows: [
    { code: 'access_denied', means: 'user declined', source: 'RFC 6749 section 4.1.2.1' },
    { code: 'server_error', means: 'network fault', source: 'RFC 6749 section 4.1.2.1' },
  ],
};

const NETWORK: OAuth2Network = {
  clientParameter: 'client_id',
  clientAuthentication: 'form',
  scopeSeparator: ' ',
  codeChallenge: 'base64url',
  responseParameters: ['hint'],
  tokenTypeRequired: true,
  profileURLs: [],
  facts: FACTS,
  readErrorResponse({ body }) {
    const networkCode = stringProperty(body, 'error');
    return networkCode === undefined
      ? undefined
      : { networkCode, networkMessage: stringProperty(body, 'error_description') };
  },
};

const personIn = (body: unknown): Person => ({ id: stringProperty(body, 'id') ?? '' });
const mapPerson = ({ id }: Person) => ({ id, displayName: 'Somebody' });

/** A strategy for a network that follows RFC 6749. */
export class ExampleStrategy extends OAuth2LoginStrategy<Person> {
  private readonly profileURL: string;

  constructor(url: string, verify: AnyFunction, options: object = {}) {
    const given = { clientID: 'the-client', clientSecret: 'the-client-secret', ...options };
    const table = {
      ...option.oauth2Options(`${url}/authorize`, `${url}/token`, `${url}/profile`),
      name: option.withDefault(option.text, 'example'),
      clientID: option.required(option.credential, 'It is the client'),
      clientSecret: option.optional(option.credential),
      scope: option.withDefault(option.list, ['basic']),
    };
    const settings = option.readOptions('ExampleStrategy', given, table);
    const { clientSecret, authorizationURL, profileURL } = settings;
    super(
      option.readLogin('ExampleStrategy', settings, clientSecret, {
        facts: FACTS,
        authorizationURL,
      }),
      NETWORK,
      verify,
    );
    this.profileURL = profileURL;
  }

  protected override async loadProfile(
    token: string,
    login: CurrentLogin | undefined,
  ): Promise<Profile<Person>> {
    const { body, text } = await this.requestProfile({ url: this.profileURL }, token, login);
    return assembleProfile(this.name, this.settings.mapProfile, personIn(body), text, mapPerson);
  }
}

/** The responses of such a network; `replies` replaces them by path. */
export function exampleAnswers(replies: Replies = {}): (request: SeenRequest) => Reply {
  const tokens = {
    access_token: 'the-access-token',
    refresh_token: 'the-refresh-token',
    token_type: 'Bearer',
    expires_in: 60,
  };
  return answers({ '/token': { body: tokens }, '/profile': { body: { id: 'person-1' } } }, replies);
}

/** A strategy for a network that follows RFC 5849. */
export class ExampleOAuth1Strategy extends OAuth1LoginStrategy<Person, OAuth1Params> {
  private readonly profileURL: string;

  constructor(url: string, verify: AnyFunction, options: object = {}) {
    const given = { clientID: 'the-consumer', clientSecret: 'the-consumer-secret', ...options };
    const table = {
      ...option.LOGIN_OPTIONS,
      name: option.withDefault(option.text, 'example'),
      clientID: option.required(option.credential, 'It is the consumer'),
      clientSecret: option.required(option.credential, 'It is its secret'),
      requestTokenURL: option.withDefault(option.endpoint, `${url}/request_token`),
      accessTokenURL: option.withDefault(option.endpoint, `${url}/access_token`),
      userAuthorizationURL: option.withDefault(option.endpoint, `${url}/authenticate`),
      profileURL: option.withDefault(option.endpoint, `${url}/profile?skip=true`),
    };
    const settings = option.readOptions('ExampleOAuth1Strategy', given, table);
    const { clientSecret, userAuthorizationURL, profileURL } = settings;
    const rule = { facts: FACTS, authorizationURL: userAuthorizationURL };
    super(
      option.readLogin('ExampleOAuth1Strategy', settings, clientSecret, rule),
      { facts: FACTS, readErrorResponse: NETWORK.readErrorResponse, profileURLs: [] },
      verify,
    );
    this.profileURL = profileURL;
  }

  protected override async loadProfile(
    token: string,
    tokenSecret: string,
    _params: object,
    transaction: Transaction,
  ): Promise<Profile<Person>> {
    const { body, text } = await this.client.requestJSON({
      step: 'profile',
      method: 'GET',
      url: this.profileURL,
      headers: { authorization: this.sign('GET', this.profileURL, token, tokenSecret) },
      transaction,
    });
    return assembleProfile(this.name, this.settings.mapProfile, personIn(body), text, mapPerson);
  }
}

/** The responses of such a network; `replies` replaces them by path. */
export function exampleOAuth1Answers(replies: Replies = {}): (request: SeenRequest) => Reply {
  const usual: Replies = {
    '/request_token': formReply({
      oauth_token: 'the-request-token',
      oauth_token_secret: 'the-request-token-secret',
      oauth_callback_confirmed: 'true',
    }),
    '/access_token': formReply({
      oauth_token: 'the-token',
      oauth_token_secret: 'the-token-secret',
      user_id: 'person-1',
    }),
    '/profile': { body: { id: 'person-1' } },
  };
  return answers(usual, replies);
}

export interface ExampleProtocol {
  readonly network: () => Promise<TestNetwork>;
  readonly strategy: (url: string, verify: AnyFunction, options?: object) => NamedStrategy;
  /** The query of the authorization response to an authorization request. */
  readonly response: (authorization: string) => string;
  /** The name of the hook that adds parameters to the authorization request. */
  readonly hook: string;
}

export const EXAMPLE_PROTOCOLS: Readonly<Record<string, ExampleProtocol>> = {
  'OAuth 2': {
    network: () => network(exampleAnswers()),
    strategy: (...args) => new ExampleStrategy(...args),
    response: (authorization) => `code=c&state=${parameter(authorization, 'state')}`,
    hook: 'authorizationParams',
  },
  'OAuth 1.0a': {
    network: () => network(exampleOAuth1Answers()),
    strategy: (...args) => new ExampleOAuth1Strategy(...args) as NamedStrategy,
    response: (authorization) => `oauth_verifier=v&oauth_token=${parameter(authorization, 'oauth_token')}`,
    hook: 'userAuthorizationParams',
  },
};

function parameter(url: string, name: string): string {
  return new URL(url).searchParams.get(name) ?? '';
}
