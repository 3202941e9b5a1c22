import type { Sandbox } from '../../../lib/sandbox/index.js';
import {
  address,
  BASE64URL_CHALLENGE,
  CALLBACK,
  callbackOf,
  type Fields,
  get,
  post,
  type Reply,
  textIn,
  VERIFIER,
} from '../requests.js';

export const STATE = 'a-state_of-32-characters-or-more';

/** What VK ID gives to a login, and the device that goes with it. */
export interface VkIdTokens {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly device_id: string;
}

/** An application that does everything right with VK ID, unless told otherwise. */
export class VkIdClient {
  readonly id: string;

  constructor(private readonly sandbox: Sandbox) {
    this.id = sandbox.options('social-network', { version: '2.1' }).clientID;
  }

  authorization(changes: Readonly<Record<string, string | undefined>> = {}): string {
    return address(this.sandbox.options('social-network', { version: '2.1' }).authorizationURL, {
      client_id: this.id,
      response_type: 'code',
      redirect_uri: CALLBACK,
      state: STATE,
      code_challenge: BASE64URL_CHALLENGE,
      code_challenge_method: 'S256',
      ...changes,
    });
  }

  /** Lets the person agree; gives the callback's parameters. */
  async callback(
    changes: Readonly<Record<string, string | undefined>> = {},
  ): Promise<Record<string, string>> {
    return callbackOf(await get(this.authorization({ auto: 'allow', ...changes })));
  }

  token(fields: Fields, query: Fields = {}): Promise<Reply> {
    const { tokenURL } = this.sandbox.options('social-network', { version: '2.1' });
    return post(address(tokenURL, query), { client_id: this.id, ...fields });
  }

  exchange({ code = '', device_id = '' }: Record<string, string>, changes: Fields = {}): Promise<Reply> {
    const fields = { grant_type: 'authorization_code', redirect_uri: CALLBACK, code_verifier: VERIFIER };
    return this.token({ ...fields, code, device_id, ...changes });
  }

  refresh({ refresh_token, device_id }: VkIdTokens, changes: Fields = {}): Promise<Reply> {
    return this.token({ grant_type: 'refresh_token', refresh_token, device_id, ...changes });
  }

  /** Logs somebody in. */
  async tokens(changes: Fields = {}): Promise<VkIdTokens> {
    const callback = await this.callback(changes);
    const { json } = await this.exchange(callback);
    return {
      access_token: textIn(json, 'access_token'),
      refresh_token: textIn(json, 'refresh_token'),
      device_id: callback.device_id ?? '',
    };
  }

  userInfo(fields: Fields, headers: Fields = {}): Promise<Reply> {
    const { profileURL } = this.sandbox.options('social-network', { version: '2.1' });
    return post(profileURL, { client_id: this.id, ...fields }, headers);
  }

  revoke(access_token: string): Promise<Reply> {
    const { revocationURL } = this.sandbox.options('social-network', { version: '2.1' });
    return post(revocationURL, { client_id: this.id, access_token });
  }

  logout(access_token: string): Promise<Reply> {
    const { logoutURL } = this.sandbox.options('social-network', { version: '2.1' });
    return post(logoutURL, { client_id: this.id, access_token });
  }
}
