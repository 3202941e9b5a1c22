import type { Sandbox } from '../../../sandbox/lib/index.js';
import type { Changes, Fields, Reply } from '../requests.js';
import {
  BASE64URL_CHALLENGE,
  basic,
  bearer,
  get,
  post,
  REDIRECT_URI,
  responseParameters,
  stringIn,
  urlWith,
  VERIFIER,
} from '../requests.js';

/** An OAuth 2.0 client of the microblog network that sends valid requests; `changes` override their parameters. */
export class OAuth2Client {
  /** @param send - How the token and revocation endpoints are asked; `postJson` sends JSON. */
  constructor(
    private readonly sandbox: Sandbox,
    private readonly kind: 'confidential' | 'public' = 'confidential',
    private readonly send: typeof post = post,
  ) {}

  get id(): string {
    return this.sandbox.options('microblog', { version: '2.0', client: this.kind }).clientID;
  }

  /** Client authentication: HTTP Basic, or the `client_id` in the body. */
  private get headers(): Fields {
    return this.kind === 'public' ? {} : basic(this.id, this.sandbox.options('microblog').clientSecret);
  }

  private get body(): Fields {
    return this.kind === 'public' ? { client_id: this.id } : {};
  }

  authorization(changes: Changes = {}): string {
    return urlWith(this.sandbox.options('microblog').authorizationURL, {
      client_id: this.id,
      response_type: 'code',
      scope: 'tweet.read users.read offline.access',
      redirect_uri: REDIRECT_URI,
      state: 'xyz',
      code_challenge: BASE64URL_CHALLENGE,
      code_challenge_method: 'S256',
      ...changes,
    });
  }

  async code(changes: Changes = {}): Promise<string> {
    return stringIn(responseParameters(await get(this.authorization({ auto: 'allow', ...changes }))), 'code');
  }

  token(fields: Fields, headers = this.headers): Promise<Reply> {
    return this.send(this.sandbox.options('microblog').tokenURL, { ...this.body, ...fields }, headers);
  }

  exchange(code: string, changes: Fields = {}, headers = this.headers): Promise<Reply> {
    const fields = { grant_type: 'authorization_code', redirect_uri: REDIRECT_URI, code_verifier: VERIFIER };
    return this.token({ ...fields, code, ...changes }, headers);
  }

  refresh(refreshToken: string, headers = this.headers): Promise<Reply> {
    return this.token({ grant_type: 'refresh_token', refresh_token: refreshToken }, headers);
  }

  revoke(fields: Fields, headers = this.headers): Promise<Reply> {
    return this.send(this.sandbox.options('microblog').revocationURL, { ...this.body, ...fields }, headers);
  }

  /** Logs a user in. */
  async tokens(changes: Fields = {}): Promise<Record<'accessToken' | 'refreshToken', string>> {
    const { json } = await this.exchange(await this.code(changes));
    return { accessToken: stringIn(json, 'access_token'), refreshToken: stringIn(json, 'refresh_token') };
  }

  lookup(accessToken: string, query: Fields = {}): Promise<Reply> {
    return get(urlWith(this.sandbox.options('microblog').profileURL, query), bearer(accessToken));
  }
}
