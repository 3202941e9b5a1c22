import type { Sandbox } from '../../../sandbox/lib/index.js';
import type { Fields, Reply, Signer } from '../requests.js';
import { get, post, REDIRECT_URI, responseParameters, signed, stringIn, urlWith } from '../requests.js';

/** An OAuth 1.0a token with its secret. */
export interface Token {
  readonly token: string;
  readonly tokenSecret: string;
}

/** An OAuth 1.0a client of the microblog network that sends valid requests, unless the arguments say otherwise. */
export class OAuth1Client {
  constructor(private readonly sandbox: Sandbox) {}

  get options() {
    return this.sandbox.options('microblog', { version: '1.0' });
  }

  get signer(): Signer {
    const { clientID, clientSecret } = this.options;
    return { clientID, clientSecret };
  }

  /** Requests a request token. */
  start(oauth: Fields = { oauth_callback: REDIRECT_URI }, signer = this.signer): Promise<Reply> {
    const { requestTokenURL } = this.options;
    return post(requestTokenURL, {}, signed('POST', requestTokenURL, signer, oauth));
  }

  async requestToken(callback = REDIRECT_URI): Promise<Token> {
    return tokenIn(await this.start({ oauth_callback: callback }));
  }

  /** URL of the authorization page. */
  authorization(token: string, query: Fields = {}): string {
    const { userAuthorizationURL } = this.options;
    return urlWith(userAuthorizationURL, { oauth_token: token, ...query });
  }

  /** Lets the user consent; returns the verifier. */
  async verifier(token: string, person = 'alice'): Promise<string> {
    return stringIn(
      responseParameters(await get(this.authorization(token, { auto: 'allow', person }))),
      'oauth_verifier',
    );
  }

  /** Exchanges a request token, with the parameters in the header. */
  exchange(token: Token, oauth: Fields): Promise<Reply> {
    const { accessTokenURL } = this.options;
    return post(accessTokenURL, {}, signed('POST', accessTokenURL, { ...this.signer, ...token }, oauth));
  }

  /** Logs a user in. */
  async accessToken(person = 'alice'): Promise<Token> {
    const requestToken = await this.requestToken();
    const verifier = await this.verifier(requestToken.token, person);
    return tokenIn(await this.exchange(requestToken, { oauth_verifier: verifier }));
  }

  /** Sends a signed GET request. */
  get(url: string, token: Token, query: Fields = {}, oauth: Fields = {}): Promise<Reply> {
    return get(urlWith(url, query), signed('GET', url, { ...this.signer, ...token }, oauth, query));
  }

  verifyCredentials(token: Token, query: Fields = {}): Promise<Reply> {
    return this.get(this.options.profileURL, token, query);
  }

  revoke(token: Token): Promise<Reply> {
    const { revocationURL } = this.options;
    return post(revocationURL, {}, signed('POST', revocationURL, { ...this.signer, ...token }));
  }
}

function tokenIn(reply: Reply): Token {
  const fields = Object.fromEntries(new URLSearchParams(reply.text));
  return { token: stringIn(fields, 'oauth_token'), tokenSecret: stringIn(fields, 'oauth_token_secret') };
}
