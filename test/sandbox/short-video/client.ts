import type { Sandbox } from '../../../lib/sandbox/index.js';
import {
  address,
  CALLBACK,
  callbackOf,
  type Fields,
  get,
  HEX_CHALLENGE,
  post,
  type Reply,
  textIn,
  VERIFIER,
} from '../requests.js';

/** An application that does everything right at the short-video network, unless told otherwise. */
export class ShortVideoClient {
  constructor(private readonly sandbox: Sandbox) {}

  /** Address of the authorization page; `undefined` takes a parameter out. */
  authorization(changes: Readonly<Record<string, string | undefined>> = {}): string {
    const { authorizationURL, clientID } = this.sandbox.options('short-video');
    return address(authorizationURL, {
      client_key: clientID,
      response_type: 'code',
      scope: 'user.info.basic',
      redirect_uri: CALLBACK,
      state: 'xyz',
      code_challenge: HEX_CHALLENGE,
      code_challenge_method: 'S256',
      ...changes,
    });
  }

  async code(changes: Readonly<Record<string, string | undefined>> = {}): Promise<string> {
    return textIn(callbackOf(await get(this.authorization({ auto: 'allow', ...changes }))), 'code');
  }

  /** A token request; an empty text leaves the parameter empty. */
  token(fields: Fields): Promise<Reply> {
    const { tokenURL, clientID, clientSecret } = this.sandbox.options('short-video');
    return post(tokenURL, { client_key: clientID, client_secret: clientSecret, ...fields });
  }

  exchange(code: string, changes: Fields = {}): Promise<Reply> {
    const fields = {
      grant_type: 'authorization_code',
      code,
      redirect_uri: CALLBACK,
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

  /** Logs somebody in. */
  async tokens(
    person: string,
    scope = 'user.info.basic',
  ): Promise<{ accessToken: string; refreshToken: string }> {
    const { json } = await this.exchange(await this.code({ person, scope }));
    return { accessToken: textIn(json, 'access_token'), refreshToken: textIn(json, 'refresh_token') };
  }

  profile(accessToken: string, fields: string): Promise<Reply> {
    const { profileURL } = this.sandbox.options('short-video');
    return get(address(profileURL, { fields }), { Authorization: `Bearer ${accessToken}` });
  }
}
