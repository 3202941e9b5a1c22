import { stringProperty, type Transaction } from '../../lib/core/http/index.js';
import { OAuth1LoginStrategy, type OAuth1Params } from '../../lib/core/oauth1/index.js';
import { COMMON_OPTIONS, OptionReader, readLoginSettings } from '../../lib/core/options/index.js';
import { assembleProfile, type Profile } from '../../lib/core/profile.js';
import type { Reply, SeenRequest } from './server.js';

interface Person {
  readonly id: string;
}

// biome-ignore lint/suspicious/noExplicitAny: verify functions take any arguments.
type AnyFunction = (...args: any[]) => unknown;

/** A strategy for a network that follows RFC 5849. */
export class ExampleOAuth1Strategy extends OAuth1LoginStrategy<Person, OAuth1Params> {
  private readonly profileURL: string;

  constructor(url: string, verify: AnyFunction, options: object = {}) {
    const given = { clientID: 'the-consumer', clientSecret: 'the-consumer-secret', ...options };
    const known = [...COMMON_OPTIONS, 'requestTokenURL', 'accessTokenURL', 'userAuthorizationURL'];
    const reader = new OptionReader('ExampleOAuth1Strategy', given, known, {});
    const userAuthorizationURL = reader.endpoint('userAuthorizationURL') ?? `${url}/authenticate`;
    const rule = { text: 'https only.', loopback: true, authorizationURL: userAuthorizationURL };
    const consumerKey = reader.requiredCredential('clientID', 'It is the consumer');
    const consumerSecret = reader.requiredCredential('clientSecret', 'It is its secret');
    super(
      {
        ...readLoginSettings(reader, 'example', rule, { clientID: consumerKey, secret: consumerSecret }),
        consumerKey,
        consumerSecret,
        requestTokenURL: reader.endpoint('requestTokenURL') ?? `${url}/request_token`,
        accessTokenURL: reader.endpoint('accessTokenURL') ?? `${url}/access_token`,
        userAuthorizationURL,
      },
      {
        read({ body }) {
          const networkCode = stringProperty(body, 'error');
          return networkCode === undefined ? undefined : { networkCode };
        },
        hints: { byCode: {} },
      },
      verify,
    );
    this.profileURL = reader.endpoint('profileURL') ?? `${url}/profile?skip=true`;
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
    const id = stringProperty(body, 'id') ?? '';
    return assembleProfile(this.name, this.settings.mapProfile, { id }, text, () => ({
      id,
      displayName: 'Somebody',
    }));
  }
}

export const REQUEST_TOKEN_ANSWER = {
  oauth_token: 'the-request-token',
  oauth_token_secret: 'the-request-token-secret',
  oauth_callback_confirmed: 'true',
};

export const ACCESS_TOKEN_ANSWER = {
  oauth_token: 'the-token',
  oauth_token_secret: 'the-token-secret',
  user_id: 'person-1',
};

/** A reply with a form body. */
export function formReply(fields: Readonly<Record<string, string>>): Reply {
  return { headers: { 'content-type': 'text/html' }, body: new URLSearchParams(fields).toString() };
}

/** The responses of such a network; `replies` replaces them by path. */
export function exampleOAuth1Answers(
  replies: Readonly<Record<string, Reply>> = {},
): (request: SeenRequest) => Reply {
  const usual: Readonly<Record<string, Reply>> = {
    '/request_token': formReply(REQUEST_TOKEN_ANSWER),
    '/access_token': formReply(ACCESS_TOKEN_ANSWER),
    '/profile': { body: { id: 'person-1' } },
  };
  return ({ path }) => replies[path] ?? usual[path] ?? { status: 404 };
}
