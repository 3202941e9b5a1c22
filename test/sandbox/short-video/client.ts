import { expect } from 'chai';
import type { Sandbox } from '../../../sandbox/lib/index.js';
import type { Changes, Fields, Reply } from '../requests.js';
import {
  bearer,
  expectError,
  get,
  HEX_CHALLENGE,
  post,
  REDIRECT_URI,
  responseParameters,
  stringIn,
  urlWith,
  VERIFIER,
} from '../requests.js';

/** A client of the short-video network that sends valid requests; `changes` override their parameters. */
export class ShortVideoClient {
  constructor(private readonly sandbox: Sandbox) {}

  authorization(changes: Changes = {}): string {
    const { authorizationURL, clientID } = this.sandbox.options('short-video');
    return urlWith(authorizationURL, {
      client_key: clientID,
      response_type: 'code',
      scope: 'user.info.basic',
      redirect_uri: REDIRECT_URI,
      state: 'xyz',
      code_challenge: HEX_CHALLENGE,
      code_challenge_method: 'S256',
      ...changes,
    });
  }

  async code(changes: Changes = {}): Promise<string> {
    return stringIn(responseParameters(await get(this.authorization({ auto: 'allow', ...changes }))), 'code');
  }

  /** Sends a token request. */
  token(fields: Fields): Promise<Reply> {
    const { tokenURL, clientID, clientSecret } = this.sandbox.options('short-video');
    return post(tokenURL, { client_key: clientID, client_secret: clientSecret, ...fields });
  }

  exchange(code: string, changes: Fields = {}): Promise<Reply> {
    const fields = { grant_type: 'authorization_code', redirect_uri: REDIRECT_URI, code_verifier: VERIFIER };
    return this.token({ ...fields, code, ...changes });
  }

  refresh(refreshToken: string): Promise<Reply> {
    return this.token({ grant_type: 'refresh_token', refresh_token: refreshToken });
  }

  revoke(token: string): Promise<Reply> {
    const { revocationURL, clientID, clientSecret } = this.sandbox.options('short-video');
    return post(revocationURL, { client_key: clientID, client_secret: clientSecret, token });
  }

  /** Logs a user in. */
  async tokens(
    person: string,
    scope = 'user.info.basic',
  ): Promise<Record<'accessToken' | 'refreshToken', string>> {
    const { json } = await this.exchange(await this.code({ person, scope }));
    return { accessToken: stringIn(json, 'access_token'), refreshToken: stringIn(json, 'refresh_token') };
  }

  profile(accessToken: string, fields: string): Promise<Reply> {
    return get(urlWith(this.sandbox.options('short-video').profileURL, { fields }), bearer(accessToken));
  }

  /** Expects an OAuth error: HTTP 200, a flat object, the request ID in body and header. */
  expectError(reply: Reply, error: string, error_description: string, reason: string): void {
    const log_id = stringIn(reply.json, 'log_id');
    expectError(this.sandbox, reply, 200, { error, error_description, log_id }, reason);
    expect(log_id).to.match(/^\d{14}[0-9A-F]{20}$/);
    expect(reply.headers.get('x-tt-logid')).to.equal(log_id);
  }
}
