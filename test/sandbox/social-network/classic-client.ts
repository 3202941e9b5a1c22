import type { Sandbox } from '../../../sandbox/lib/index.js';
import type { Changes, Fields, Reply } from '../requests.js';
import { get, post, REDIRECT_URI, responseParameters, stringIn, urlWith } from '../requests.js';

/** A client of the classic protocol that sends valid requests; `changes` override their parameters. */
export class ClassicClient {
  constructor(private readonly sandbox: Sandbox) {}

  authorization(changes: Changes = {}): string {
    const { authorizationURL, clientID } = this.sandbox.options('social-network');
    return urlWith(authorizationURL, {
      client_id: clientID,
      response_type: 'code',
      redirect_uri: REDIRECT_URI,
      state: 'xyz',
      v: '5.126',
      ...changes,
    });
  }

  async code(changes: Changes = {}): Promise<string> {
    return stringIn(responseParameters(await get(this.authorization({ auto: 'allow', ...changes }))), 'code');
  }

  exchange(code: string, changes: Fields = {}, headers: Fields = {}): Promise<Reply> {
    const { tokenURL, clientID, clientSecret } = this.sandbox.options('social-network');
    const fields = { client_id: clientID, client_secret: clientSecret, redirect_uri: REDIRECT_URI, code };
    return post(tokenURL, { ...fields, ...changes }, headers);
  }

  /** Logs a user in. */
  async accessToken(person = 'alice'): Promise<string> {
    return stringIn((await this.exchange(await this.code({ person }))).json, 'access_token');
  }
}
