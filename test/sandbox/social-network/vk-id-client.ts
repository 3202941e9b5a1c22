import type { Sandbox } from '../../../sandbox/lib/index.js';
import type { Changes, Fields, Reply } from '../requests.js';
import {
  BASE64URL_CHALLENGE,
  get,
  post,
  REDIRECT_URI,
  responseParameters,
  stringIn,
  urlWith,
  VERIFIER,
} from '../requests.js';

export const STATE = 'a-state_of-32-characters-or-more';

/** Tokens of a login, and the device that they belong to. */
export interface VkIdTokens {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly device_id: string;
}

/** A VK ID client that sends valid requests; `changes` override their parameters. */
export class VkIdClient {
  constructor(private readonly sandbox: Sandbox) {}

  get options() {
    return this.sandbox.options('social-network', { version: '2.1' });
  }

  get id(): string {
    return this.options.clientID;
  }

  authorization(changes: Changes = {}): string {
    return urlWith(this.options.authorizationURL, {
      client_id: this.id,
      response_type: 'code',
      redirect_uri: REDIRECT_URI,
      state: STATE,
      code_challenge: BASE64URL_CHALLENGE,
      code_challenge_method: 'S256',
      ...changes,
    });
  }

  /** Lets the user consent; returns the parameters of the authorization response. */
  async authorize(changes: Changes = {}): Promise<Record<string, string>> {
    return responseParameters(await get(this.authorization({ auto: 'allow', ...changes })));
  }

  token(fields: Fields, query: Fields = {}): Promise<Reply> {
    return post(urlWith(this.options.tokenURL, query), { client_id: this.id, ...fields });
  }

  exchange({ code = '', device_id = '' }: Record<string, string>, changes: Fields = {}): Promise<Reply> {
    const fields = { grant_type: 'authorization_code', redirect_uri: REDIRECT_URI, code_verifier: VERIFIER };
    return this.token({ ...fields, code, device_id, ...changes });
  }

  refresh({ refresh_token, device_id }: VkIdTokens, changes: Fields = {}): Promise<Reply> {
    return this.token({ grant_type: 'refresh_token', refresh_token, device_id, ...changes });
  }

  /** Logs a user in. */
  async tokens(changes: Fields = {}): Promise<VkIdTokens> {
    const parameters = await this.authorize(changes);
    const { json } = await this.exchange(parameters);
    return {
      access_token: stringIn(json, 'access_token'),
      refresh_token: stringIn(json, 'refresh_token'),
      device_id: parameters.device_id ?? '',
    };
  }

  userInfo(fields: Fields, headers: Fields = {}): Promise<Reply> {
    return post(this.options.profileURL, { client_id: this.id, ...fields }, headers);
  }

  publicInfo(fields: Fields): Promise<Reply> {
    return post(this.options.profileURL.replace('user_info', 'public_info'), {
      client_id: this.id,
      ...fields,
    });
  }

  revoke(access_token: string): Promise<Reply> {
    return post(this.options.revocationURL, { client_id: this.id, access_token });
  }

  logout(access_token: string): Promise<Reply> {
    return post(this.options.logoutURL, { client_id: this.id, access_token });
  }
}
