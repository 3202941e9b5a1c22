import type { Sandbox } from '../../../sandbox/lib/index.js';
import {
  type Fields,
  get,
  HEX_CHALLENGE,
  post,
  REDIRECT_URI,
  type Reply,
  responseParameters,
  stringIn,
  urlWith,
  VERIFIER,
} from '../requests.js';

/** A client of the short-video network that sends valid requests; `changes` override their parameters. */
export class ShortVideoClient {
  constructor(private readonly sandbox: Sandbox) {}

  /** Authorization URL; `undefined` removes a parameter. */
  authorization(changes: Readonly<Record<string, string | undefined>> = {}): string {
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

  async code(changes: Readonly<Record<string, string | undefined>> = {}): Promise<string> {
    return stringIn(responseParameters(await get(this.authorization({ auto: 'allow', ...changes }))), 'code');
  }

  /** Sends a token request. */
  token(fields: Fields): Promise<Reply> {
    const { tokenURL, clientID, clientSecret } = this.sandbox.options('short-video');
    return post(tokenURL, { client_key: clientID, client_secret: clientSecret, ...fields });
  }

  exchange(code: string, changes: Fields = {}): Promise<Reply> {
    const fields = {
      grant_type: 'authorization_code',
      code,
      redirect_uri: REDIRECT_URI,
      code_verifier: VERIFIER,
    };
    return this.token({ ...fields, ...changes });
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
  ): Promise<{ accessToken: string; refreshToken: string }> {
    const { json } = await this.exchange(await this.code({ person, scope }));
    return { accessToken: stringIn(json, 'access_token'), refreshToken: stringIn(json, 'refresh_token') };
  }

  profile(accessToken: string, fields: string): Promise<Reply> {
    const { profileURL } = this.sandbox.options('short-video');
    return get(urlWith(profileURL, { fields }), { Authorization: `Bearer ${accessToken}` });
  }
}
