import type { Sandbox } from '../../../lib/sandbox/index.js';
import {
  address,
  CALLBACK,
  callbackOf,
  type Fields,
  get,
  post,
  type Reply,
  type Signer,
  signed,
  textIn,
} from '../requests.js';

/** A token of OAuth 1.0a with its secret. */
export interface Token {
  readonly token: string;
  readonly tokenSecret: string;
}

/** An application that does everything right with OAuth 1.0a at the microblog network, unless told otherwise. */
export class OAuth1Client {
  readonly signer: Signer;

  constructor(private readonly sandbox: Sandbox) {
    const { clientID, clientSecret } = sandbox.options('microblog', { version: '1.0' });
    this.signer = { clientID, clientSecret };
  }

  /** Asks for a request token. */
  start(oauth: Fields = { oauth_callback: CALLBACK }, signer = this.signer): Promise<Reply> {
    const { requestTokenURL } = this.sandbox.options('microblog', { version: '1.0' });
    return post(requestTokenURL, {}, signed('POST', requestTokenURL, signer, oauth));
  }

  async requestToken(callback = CALLBACK): Promise<Token> {
    return tokenIn(await this.start({ oauth_callback: callback }));
  }

  /** The page where the person decides. */
  authorization(token: string, query: Fields = {}): string {
    const { userAuthorizationURL } = this.sandbox.options('microblog', { version: '1.0' });
    return address(userAuthorizationURL, { oauth_token: token, ...query });
  }

  /** Lets the person agree; gives the verifier. */
  async verifier(token: string, person = 'alice'): Promise<string> {
    return textIn(
      callbackOf(await get(this.authorization(token, { auto: 'allow', person }))),
      'oauth_verifier',
    );
  }

  /** Exchanges a request token; parameters travel in the header. */
  exchange(token: Token, oauth: Fields): Promise<Reply> {
    const { accessTokenURL } = this.sandbox.options('microblog', { version: '1.0' });
    return post(accessTokenURL, {}, signed('POST', accessTokenURL, { ...this.signer, ...token }, oauth));
  }

  /** Logs somebody in. */
  async accessToken(person = 'alice'): Promise<Token> {
    const requestToken = await this.requestToken();
    const verifier = await this.verifier(requestToken.token, person);
    return tokenIn(await this.exchange(requestToken, { oauth_verifier: verifier }));
  }

  /** A signed GET. */
  get(url: string, token: Token, query: Fields = {}, oauth: Fields = {}): Promise<Reply> {
    return get(address(url, query), signed('GET', url, { ...this.signer, ...token }, oauth, query));
  }

  verifyCredentials(token: Token, query: Fields = {}): Promise<Reply> {
    return this.get(this.sandbox.options('microblog', { version: '1.0' }).profileURL, token, query);
  }

  revoke(token: Token): Promise<Reply> {
    const { revocationURL } = this.sandbox.options('microblog', { version: '1.0' });
    return post(revocationURL, {}, signed('POST', revocationURL, { ...this.signer, ...token }));
  }
}

function tokenIn(reply: Reply): Token {
  const fields = Object.fromEntries(new URLSearchParams(reply.text));
  return { token: textIn(fields, 'oauth_token'), tokenSecret: textIn(fields, 'oauth_token_secret') };
}
