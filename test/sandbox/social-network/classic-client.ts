import type { Sandbox } from '../../../lib/sandbox/index.js';
import { address, CALLBACK, callbackOf, type Fields, get, post, type Reply, textIn } from '../requests.js';

/** An application that does everything right in the classic protocol, unless told otherwise. */
export class ClassicClient {
  constructor(private readonly sandbox: Sandbox) {}

  authorization(changes: Readonly<Record<string, string | undefined>> = {}): string {
    const { authorizationURL, clientID } = this.sandbox.options('social-network');
    return address(authorizationURL, {
      client_id: clientID,
      response_type: 'code',
      redirect_uri: CALLBACK,
      state: 'xyz',
      v: '5.126',
      ...changes,
    });
  }

  async code(changes: Readonly<Record<string, string | undefined>> = {}): Promise<string> {
    return textIn(callbackOf(await get(this.authorization({ auto: 'allow', ...changes }))), 'code');
  }

  exchange(code: string, changes: Fields = {}, headers: Fields = {}): Promise<Reply> {
    const { tokenURL, clientID, clientSecret } = this.sandbox.options('social-network');
    const fields = { client_id: clientID, client_secret: clientSecret, redirect_uri: CALLBACK, code };
    return post(tokenURL, { ...fields, ...changes }, headers);
  }

  /** Logs somebody in. */
  async accessToken(person = 'alice'): Promise<string> {
    return textIn((await this.exchange(await this.code({ person }))).json, 'access_token');
  }
}
